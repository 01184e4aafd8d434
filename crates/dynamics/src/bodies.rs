//! The bodies, one array a quantity.

use crate::drive::Drive;
use crate::error::{WorldError, finite, positive};
use crate::laws::Material;
use crate::rotation::{self, Quaternion, UPRIGHT, rotate, rotate_back};
use crate::space::{MassProperties, Rigid, Space};
use stickslip_contact::operator::RigidInertia;
use stickslip_geometry::Pose;

/// The name of a body, for good: it stays when others leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct BodyId(pub u32);

/// What moves a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Motion {
    /// Nothing.
    Fixed,
    /// Forces and contacts.
    Dynamic,
    /// A prescribed motion.
    Driven(Drive),
}

/// A body to be added.
#[derive(Debug, Clone)]
pub struct Body<const N: usize, const V: usize>
where
    Rigid: Space<N, V>,
{
    /// Its shape, in a frame of its own.
    pub shape: <Rigid as Space<N, V>>::Shape,
    /// Where the frame of the shape is (m).
    pub x: [f64; N],
    /// How it is turned.
    pub orientation: Quaternion,
    /// Velocity of the centre of mass (m/s), then angular velocity (rad/s), in the frame of the world.
    pub v: [f64; V],
    /// Mass per volume (kg/m³), per area in the plane (kg/m²).
    pub density: f64,
    /// The mass (kg), where it is not density times volume.
    pub mass: Option<f64>,
    /// The material.
    pub material: Material,
    /// Two bodies of the same group never touch; 0 touches all.
    pub group: u32,
    /// What moves it.
    pub motion: Motion,
}

impl<const N: usize, const V: usize> Body<N, V>
where
    Rigid: Space<N, V>,
{
    /// A dynamic body at the origin, at rest, of 1000 kg/m³.
    pub fn new(shape: <Rigid as Space<N, V>>::Shape) -> Self {
        Self {
            shape,
            x: [0.0; N],
            orientation: UPRIGHT,
            v: [0.0; V],
            density: 1000.0,
            mass: None,
            material: Material::default(),
            group: 0,
            motion: Motion::Dynamic,
        }
    }

    /// Puts it at `x` (m).
    pub fn at(self, x: [f64; N]) -> Self {
        Self { x, ..self }
    }

    /// Turns it.
    pub fn turned(self, orientation: Quaternion) -> Self {
        Self { orientation, ..self }
    }

    /// Gives it a velocity: translation (m/s), then rotation (rad/s).
    pub fn moving(self, v: [f64; V]) -> Self {
        Self { v, ..self }
    }

    /// Gives it a density (kg/m³, in the plane kg/m²).
    pub fn density(self, density: f64) -> Self {
        Self { density, ..self }
    }

    /// Gives it a mass (kg) in place of a density.
    pub fn mass(self, mass: f64) -> Self {
        Self { mass: Some(mass), ..self }
    }

    /// Makes it of a material.
    pub fn of(self, material: Material) -> Self {
        Self { material, ..self }
    }

    /// Never moves.
    pub fn fixed(self) -> Self {
        Self { motion: Motion::Fixed, ..self }
    }

    /// Moves as prescribed.
    pub fn driven(self, drive: Drive) -> Self {
        Self { motion: Motion::Driven(drive), ..self }
    }
}

/// All bodies, in the order of their slots; contacts name bodies by slot.
#[derive(Debug, Clone)]
pub struct Bodies<const N: usize, const V: usize>
where
    Rigid: Space<N, V>,
{
    /// Names.
    pub id: Vec<BodyId>,
    /// Centres of mass (m).
    pub x: Vec<[f64; N]>,
    /// Orientations of the principal axes.
    pub orientation: Vec<Quaternion>,
    /// Velocities: centre of mass (m/s), then rotation (rad/s), in the frame of the world.
    pub v: Vec<[f64; V]>,
    /// Masses (kg); 0 for bodies that forces do not move.
    pub mass: Vec<f64>,
    /// 1/m, 0 for bodies that forces do not move.
    pub inv_mass: Vec<f64>,
    /// Principal moments of inertia (kg m²); all alike, or only the last in the plane.
    pub inertia: Vec<[f64; 3]>,
    /// Shapes.
    pub shape: Vec<<Rigid as Space<N, V>>::Shape>,
    /// The frame of the shape, seen from the principal axes.
    pub frame: Vec<Pose<N>>,
    /// Radius of a ball around the centre of mass that holds the shape (m); infinite for half-spaces.
    pub radius: Vec<f64>,
    /// Whether the shape is a ball around its centre of mass.
    pub round: Vec<bool>,
    /// Materials.
    pub material: Vec<u32>,
    /// Groups.
    pub group: Vec<u32>,
    /// What moves them.
    pub motion: Vec<Motion>,
    /// Whether forces and contacts move them.
    pub movable: Vec<bool>,
    next_id: u32,
}

impl<const N: usize, const V: usize> Default for Bodies<N, V>
where
    Rigid: Space<N, V>,
{
    fn default() -> Self {
        Self {
            id: Vec::new(),
            x: Vec::new(),
            orientation: Vec::new(),
            v: Vec::new(),
            mass: Vec::new(),
            inv_mass: Vec::new(),
            inertia: Vec::new(),
            shape: Vec::new(),
            frame: Vec::new(),
            radius: Vec::new(),
            round: Vec::new(),
            material: Vec::new(),
            group: Vec::new(),
            motion: Vec::new(),
            movable: Vec::new(),
            next_id: 0,
        }
    }
}

impl<const N: usize, const V: usize> Bodies<N, V>
where
    Rigid: Space<N, V>,
{
    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// The slot of a body, if it is still there.
    pub fn slot(&self, id: BodyId) -> Option<usize> {
        // names grow with the slots
        self.id.binary_search(&id).ok()
    }

    /// The name that the next body gets.
    pub(crate) fn next_id(&self) -> u32 {
        self.next_id
    }

    pub(crate) fn set_next_id(&mut self, id: u32) {
        self.next_id = id;
    }

    /// Checks a body and adds it.
    pub fn add(&mut self, body: Body<N, V>) -> Result<BodyId, WorldError> {
        let placed = place(&body)?;
        let id = BodyId(self.next_id);
        self.next_id += 1;
        let movable = body.motion == Motion::Dynamic;
        self.id.push(id);
        self.x.push(placed.x);
        self.orientation.push(placed.orientation);
        self.v.push(if body.motion == Motion::Fixed { [0.0; V] } else { body.v });
        self.mass.push(placed.mass);
        self.inv_mass.push(if movable { 1.0 / placed.mass } else { 0.0 });
        self.inertia.push(placed.inertia);
        self.radius.push(Rigid::bounding_radius(&body.shape) + placed.offset);
        self.round.push(Rigid::is_ball(&body.shape) && placed.offset == 0.0);
        self.frame.push(placed.frame);
        self.shape.push(body.shape);
        self.material.push(body.material.0);
        self.group.push(body.group);
        self.motion.push(body.motion);
        self.movable.push(movable);
        Ok(id)
    }

    /// Removes the bodies that `keep` refuses, the others closing up in order; returns the new slot of each old one.
    pub(crate) fn retain(&mut self, keep: &[bool]) -> Vec<Option<u32>> {
        let mut next = 0;
        let slots = keep.iter().map(|k| k.then(|| (next, next += 1).0)).collect();
        macro_rules! filter { ($($field:ident),*) => { $( let mut k = keep.iter(); self.$field.retain(|_| *k.next().unwrap_or(&true)); )* } }
        filter!(
            id,
            x,
            orientation,
            v,
            mass,
            inv_mass,
            inertia,
            shape,
            frame,
            radius,
            round,
            material,
            group,
            motion,
            movable
        );
        slots
    }

    /// The pose of the shape of a body.
    #[inline(always)]
    pub fn pose(&self, k: usize) -> Pose<N> {
        if self.round[k] {
            return Pose::at(self.x[k]);
        }
        Pose { x: self.x[k], rotation: rotation::matrix(&self.orientation[k]) }.part(&self.frame[k])
    }

    /// Whether all principal moments are alike: no gyroscopic term, the same in every frame.
    #[inline(always)]
    pub fn is_isotropic(&self, k: usize) -> bool {
        let i = &self.inertia[k];
        N == 2 || (i[0] == i[1] && i[1] == i[2])
    }

    /// What the body opposes to an impulse, in the frame of the world.
    #[inline(always)]
    pub fn response(&self, k: usize) -> RigidInertia<V> {
        if !self.movable[k] {
            return RigidInertia::FIXED;
        }
        let mut inv = [0.0; V];
        let moments = &self.inertia[k];
        if N == 2 {
            inv[0] = 1.0 / moments[2];
        } else if self.is_isotropic(k) {
            inv[..3].fill(1.0 / moments[0]);
        } else {
            let r = rotation::matrix::<3>(&self.orientation[k]);
            let d = moments.map(|x| 1.0 / x);
            let entry =
                |i: usize, j: usize| r[i][0] * d[0] * r[j][0] + r[i][1] * d[1] * r[j][1] + r[i][2] * d[2] * r[j][2];
            for (slot, (i, j)) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
                inv[slot] = entry(i, j);
            }
        }
        RigidInertia { inv_mass: self.inv_mass[k], inv_inertia: inv }
    }

    /// The angular velocity of a body as a vector of space.
    #[inline(always)]
    pub fn omega(v: &[f64; V]) -> [f64; 3] {
        if N == 2 { [0.0, 0.0, v[2]] } else { [v[3], v[4], v[5]] }
    }

    /// The moment of inertia times a rotation, in the frame of the world.
    #[inline(always)]
    pub fn inertia_times(&self, k: usize, omega: &[f64; 3]) -> [f64; 3] {
        let moments = &self.inertia[k];
        if self.is_isotropic(k) {
            return std::array::from_fn(|i| moments[i] * omega[i]);
        }
        let r = rotation::matrix::<3>(&self.orientation[k]);
        let body = rotate_back(&r, omega);
        rotate(&r, &std::array::from_fn(|i| moments[i] * body[i]))
    }

    /// The kinetic energy of body `k` moving with `v` (J).
    #[inline(always)]
    pub fn kinetic(&self, k: usize, v: &[f64; V]) -> f64 {
        if !self.movable[k] {
            return 0.0;
        }
        let omega = Self::omega(v);
        let l = self.inertia_times(k, &omega);
        let linear: f64 = v[..N].iter().map(|x| x * x).sum();
        0.5 * (self.mass[k] * linear + l[0] * omega[0] + l[1] * omega[1] + l[2] * omega[2])
    }

    /// The kinetic energy of all (J).
    pub fn kinetic_energy(&self) -> f64 {
        (0..self.len()).map(|k| self.kinetic(k, &self.v[k])).sum()
    }

    /// The linear momentum of all that forces move (kg m/s).
    pub fn momentum(&self) -> [f64; N] {
        let mut p = [0.0; N];
        for k in (0..self.len()).filter(|&k| self.movable[k]) {
            for i in 0..N {
                p[i] += self.mass[k] * self.v[k][i];
            }
        }
        p
    }

    /// The angular momentum of all that forces move about the origin (kg m²/s); the last entry in the plane.
    pub fn angular_momentum(&self) -> [f64; 3] {
        let mut l = [0.0; 3];
        let lift = |a: &[f64]| -> [f64; 3] { std::array::from_fn(|i| if i < N { a[i] } else { 0.0 }) };
        for k in (0..self.len()).filter(|&k| self.movable[k]) {
            let own = self.inertia_times(k, &Self::omega(&self.v[k]));
            let orbit = rotation::cross(&lift(&self.x[k]), &lift(&self.v[k][..N]));
            for i in 0..3 {
                l[i] += own[i] + self.mass[k] * orbit[i];
            }
        }
        l
    }
}

/// A body seen from its centre of mass and principal axes.
struct Placed<const N: usize> {
    x: [f64; N],
    orientation: Quaternion,
    mass: f64,
    inertia: [f64; 3],
    frame: Pose<N>,
    /// From the centre of mass to the origin of the shape (m).
    offset: f64,
}

fn place<const N: usize, const V: usize>(body: &Body<N, V>) -> Result<Placed<N>, WorldError>
where
    Rigid: Space<N, V>,
{
    Rigid::check(&body.shape)?;
    finite("position", &body.x)?;
    finite("orientation", &body.orientation)?;
    finite("velocity", &body.v)?;
    let orientation = rotation::normalised(body.orientation);
    let shape_pose = Pose { x: body.x, rotation: rotation::matrix(&orientation) };
    if let Motion::Driven(drive) = &body.motion {
        drive.check(V)?;
    }
    if body.motion != Motion::Dynamic {
        // what forces do not move turns about the origin of its shape
        return Ok(Placed {
            x: body.x,
            orientation,
            mass: 0.0,
            inertia: [0.0; 3],
            frame: Pose::default(),
            offset: 0.0,
        });
    }
    let Some(MassProperties { volume, centroid, moments, axes }) = Rigid::mass(&body.shape) else {
        return Err(WorldError::Massless { shape: Rigid::name(&body.shape).into() });
    };
    positive("density", body.density, ": a body without mass is made fixed or driven")?;
    let mass = body.mass.unwrap_or(body.density * volume);
    positive("mass", mass, ": a body without mass is made fixed or driven")?;
    let density = mass / volume;
    let inertia = moments.map(|m| density * m);
    finite("inertia", &inertia)?;
    let axes_quaternion = rotation::from_matrix(&axes);
    let upright = axes == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let turned = if upright { orientation } else { rotation::product(&orientation, &axes_quaternion) };
    // the principal frame seen from the shape, and its inverse
    let principal: Pose<N> =
        Pose { x: centroid, rotation: std::array::from_fn(|i| std::array::from_fn(|j| axes[i][j])) };
    let frame = Pose::default().relative_to(&principal);
    let offset = centroid.iter().map(|c| c * c).sum::<f64>().sqrt();
    Ok(Placed { x: shape_pose.point(&centroid), orientation: turned, mass, inertia, frame, offset })
}
