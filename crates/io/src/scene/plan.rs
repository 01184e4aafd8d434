//! A scene with everything worked out: generators run, names resolved, numbers checked.

use super::placement::Quaternion;
use super::shape::Shape;
use std::sync::Arc;
use stickslip_dynamics::{Drive, Laws, Options};
use stickslip_geometry::plane;

/// A scene ready to be simulated.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Its name.
    pub name: String,
    /// 2 or 3.
    pub dimension: usize,
    /// Gravity (m/s²); z = 0 in the plane.
    pub gravity: [f64; 3],
    /// Step, scheme and solver.
    pub options: Options,
    /// Steps of the whole simulation.
    pub steps: u64,
    /// What is written.
    pub output: Output,
    /// Densities of the materials (kg/m³), in the order of the laws.
    pub densities: Vec<f64>,
    /// Materials and their laws.
    pub laws: Laws,
    /// Bodies: those there at the start, then the others by the time at which they enter.
    pub bodies: Vec<PlannedBody>,
    /// Forces besides gravity.
    pub forces: Vec<PlannedForce>,
    /// The files it was made from, included ones first: name and text.
    pub files: Vec<(String, String)>,
    /// Where the bodies come from in the files: keys such as `body.2`.
    pub entries: Vec<String>,
}

/// What is written, and how often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Output {
    /// Steps from frame to frame.
    pub every: u64,
    /// Steps from line to line of the ledger.
    pub ledger: u64,
    /// Whether frames hold contacts.
    pub contacts: bool,
    /// Steps between checkpoints, where the scene says so.
    pub checkpoint: Option<u64>,
}

/// What moves a body.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Motion {
    /// Forces and contacts.
    #[default]
    Dynamic,
    /// Nothing.
    Fixed,
    /// A prescribed motion.
    Driven(Arc<Drive>),
}

/// A body with everything worked out. In the plane z = 0 and rotations are about z.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedBody {
    /// Its shape, shared with its like.
    pub shape: Arc<Shape>,
    /// Position of the origin of the shape (m).
    pub x: [f64; 3],
    /// Orientation of the shape.
    pub orientation: Quaternion,
    /// Velocity (m/s).
    pub v: [f64; 3],
    /// Angular velocity (rad/s).
    pub omega: [f64; 3],
    /// Its mass, where it is not density times volume (kg).
    pub mass: Option<f64>,
    /// Number of its material.
    pub material: u32,
    /// What moves it.
    pub motion: Motion,
    /// Its group.
    pub group: u32,
    /// When it enters (s); at the start by default.
    pub enter: Option<f64>,
    /// When it leaves (s).
    pub leave: Option<f64>,
    /// Place in [`Scene::entries`].
    pub entry: u32,
}

impl Default for PlannedBody {
    fn default() -> Self {
        Self {
            shape: Arc::new(Shape::Plane(plane::Shape::HalfPlane)),
            x: [0.0; 3],
            orientation: [1.0, 0.0, 0.0, 0.0],
            v: [0.0; 3],
            omega: [0.0; 3],
            mass: None,
            material: 0,
            motion: Motion::Dynamic,
            group: 0,
            enter: None,
            leave: None,
            entry: 0,
        }
    }
}

/// A force with its bodies by number.
#[derive(Debug, Clone, PartialEq)]
pub enum PlannedForce {
    /// Constant, in the axes of the world.
    Constant {
        /// The body.
        body: usize,
        /// Force (N).
        force: [f64; 3],
        /// Moment (N m).
        moment: [f64; 3],
    },
    /// Drag on all.
    Damping {
        /// Of translations (1/s).
        linear: f64,
        /// Of rotations (1/s).
        angular: f64,
    },
    /// A spring with a damper.
    Spring {
        /// One end.
        body: usize,
        /// The other end: a body or a fixed point (m).
        to: Result<usize, [f64; 3]>,
        /// Stiffness (N/m).
        stiffness: f64,
        /// Length without force (m).
        rest: f64,
        /// Damping (N s/m).
        damping: f64,
    },
}

impl Scene {
    /// The step (s).
    pub fn h(&self) -> f64 {
        self.options.h
    }

    /// The mass of a body (kg); nothing for those that forces do not move.
    pub fn mass(&self, body: &PlannedBody) -> Option<f64> {
        if body.motion != Motion::Dynamic {
            return None;
        }
        let density = self.densities.get(body.material as usize).copied().unwrap_or(1000.0);
        body.mass.or_else(|| body.shape.volume().map(|v| v * density))
    }

    /// The text of all files, included ones first.
    pub fn text(&self) -> String {
        match &self.files[..] {
            [(_, text)] => text.clone(),
            files => files.iter().map(|(name, text)| format!("# ---- {name}\n{text}\n")).collect(),
        }
    }

    /// Where a body comes from in the file.
    pub fn entry(&self, body: &PlannedBody) -> &str {
        self.entries.get(body.entry as usize).map_or("", String::as_str)
    }
}
