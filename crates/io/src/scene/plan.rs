//! A scene with everything worked out: generators run, names resolved, numbers checked.

use super::placement::Quaternion;
use super::shape::Shape;
use std::f64::consts::TAU;
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
    /// When the file says that it ends (s); the last step may end a little before or behind.
    pub end: f64,
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
    /// The box that bodies leave for good.
    pub outlet: Option<Outlet>,
    /// The files it was made from, included ones first: name and text.
    pub files: Vec<(String, String)>,
    /// Where the bodies come from in the files.
    pub entries: Vec<Entry>,
    /// Where the forces come from, one by one.
    pub force_entries: Vec<Entry>,
}

/// A place in the files of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Number of the file.
    pub file: usize,
    /// The key in it, such as `body.2`.
    pub key: String,
}

/// A box along the axes. A body that forces move is taken away when its centre leaves it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlet {
    /// Its lowest corner (m).
    pub low: [f64; 3],
    /// Its highest corner (m).
    pub high: [f64; 3],
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
    /// A force that varies in time, in the axes of the world.
    Varying {
        /// The body.
        body: usize,
        /// Force where the course is 1 (N).
        force: [f64; 3],
        /// Moment where the course is 1 (N m).
        moment: [f64; 3],
        /// By what it is multiplied.
        course: Course,
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

/// A factor in time.
#[derive(Debug, Clone, PartialEq)]
pub enum Course {
    /// `sin(2 pi frequency (t - start))` from `start` to `stop`, 0 outside.
    Sine {
        /// Frequency (Hz).
        frequency: f64,
        /// Begin (s).
        start: f64,
        /// End (s), if there is one.
        stop: Option<f64>,
    },
    /// Given at some times, straight in between, held before the first and after the last.
    Table {
        /// Times (s), increasing.
        times: Vec<f64>,
        /// The factors there.
        factors: Vec<f64>,
    },
}

impl Course {
    /// The factor at a time (s).
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Self::Sine { start, stop, .. } if t < *start || stop.is_some_and(|end| t > end) => 0.0,
            Self::Sine { frequency, start, .. } => (TAU * frequency * (t - start)).sin(),
            Self::Table { times, factors } => {
                let k = times.partition_point(|x| *x <= t);
                match (k.checked_sub(1).map(|i| (times[i], factors[i])), times.get(k).zip(factors.get(k))) {
                    (Some((t0, f0)), Some((t1, f1))) => f0 + (f1 - f0) * (t - t0) / (t1 - t0),
                    (Some((_, held)), None) | (None, Some((_, &held))) => held,
                    (None, None) => 0.0,
                }
            }
        }
    }
}

/// Longest simulation: as many steps as a year of computing takes.
pub(crate) const MAX_STEPS: f64 = 1e12;

impl Scene {
    /// The steps to a time (s), to the nearest and at least one; an error when no machine takes so many.
    pub fn steps_until(&self, t: f64) -> Result<u64, String> {
        steps_until(t, self.h())
    }

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
        self.entries.get(body.entry as usize).map_or("", |e| e.key.as_str())
    }
}

/// The steps of length `h` to a time, to the nearest and at least one.
pub(crate) fn steps_until(t: f64, h: f64) -> Result<u64, String> {
    let steps = (t / h).round().max(1.0);
    if t.is_nan() || t <= 0.0 {
        return Err(format!("{t} s is no time to end at; give a positive one"));
    }
    if steps > MAX_STEPS {
        return Err(format!("{steps:.1e} steps of {h} s are more than any machine takes; check the units"));
    }
    Ok(steps as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courses_in_time() {
        let table = Course::Table { times: vec![1.0, 2.0, 4.0], factors: vec![0.5, 1.0, -1.0] };
        for (t, f) in [(0.0, 0.5), (1.0, 0.5), (1.5, 0.75), (2.0, 1.0), (3.0, 0.0), (4.0, -1.0), (9.0, -1.0)] {
            assert!((table.at(t) - f).abs() < 1e-15, "{t}");
        }
        let sine = Course::Sine { frequency: 2.0, start: 1.0, stop: Some(2.0) };
        assert!((sine.at(1.125) - 1.0).abs() < 1e-15 && sine.at(0.9) == 0.0 && sine.at(2.1) == 0.0);
    }

    #[test]
    fn steps_to_a_time() {
        assert_eq!(steps_until(1.0, 0.3), Ok(3));
        assert_eq!(steps_until(1.0, 2.0), Ok(1));
        assert!(steps_until(1e300, 1e-3).is_err() && steps_until(f64::NAN, 1e-3).is_err());
    }
}
