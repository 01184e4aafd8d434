//! One moment of a simulation.

/// Poses, velocities and contacts at one time. Bodies that are not in the scene at that time are not in the frame.
///
/// Scenes in the plane have z = 0 and turn about z.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Frame {
    /// Time (s).
    pub t: f64,
    /// Steps taken since the start.
    pub step: u64,
    /// Which bodies these are: indices into [`RunInfo::bodies`](super::RunInfo::bodies).
    pub id: Vec<u32>,
    /// Centres of mass (m).
    pub x: Vec<[f64; 3]>,
    /// Unit quaternions (w, x, y, z): from body axes to the axes of the world.
    pub orientation: Vec<[f64; 4]>,
    /// Velocities of the centres of mass (m/s).
    pub v: Vec<[f64; 3]>,
    /// Angular velocities in the axes of the world (rad/s).
    pub omega: Vec<[f64; 3]>,
    /// Contacts of the step that ended at t.
    pub contacts: Vec<ContactRecord>,
}

/// One contact.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ContactRecord {
    /// The body that the normal points to.
    pub a: u32,
    /// The body that the normal points away from.
    pub b: u32,
    /// Midway between the two surfaces (m).
    pub point: [f64; 3],
    /// Unit normal, from b to a.
    pub normal: [f64; 3],
    /// Distance between the surfaces, negative when they overlap (m).
    pub gap: f64,
    /// The impulse of the step on body a, in the axes of the world (N s).
    pub impulse: [f64; 3],
    /// Its normal part (N s).
    pub rln: f64,
    /// The size of its tangential part (N s).
    pub rlt: f64,
    /// Normal relative velocity at the end of the step (m/s).
    pub vln: f64,
    /// 0 open, 1 stick, 2 slip.
    pub status: u8,
}

impl Frame {
    /// Adds a body.
    pub fn push_body(&mut self, id: u32, x: [f64; 3], orientation: [f64; 4], v: [f64; 3], omega: [f64; 3]) {
        self.id.push(id);
        self.x.push(x);
        self.orientation.push(orientation);
        self.v.push(v);
        self.omega.push(omega);
    }

    /// Empties the frame, keeping its memory.
    pub fn clear(&mut self) {
        self.id.clear();
        self.x.clear();
        self.orientation.clear();
        self.v.clear();
        self.omega.clear();
        self.contacts.clear();
    }
}
