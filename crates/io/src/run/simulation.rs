//! A world of either dimension, made from a scene.

use crate::error::IoError;
use crate::fclib::{FclibFile, StoreOptions};
use crate::results::{BodyInfo, ContactRecord, Frame, RunInfo, VERSION};
use crate::scene::{Motion, Scene, SceneError, Shape};
use std::collections::HashMap;
use std::sync::Arc;
use stickslip_contact::cone::ContactStatus;
use stickslip_contact::problem::GlobalProblem;
use stickslip_dynamics::dump::{Dump, Dumped};
use stickslip_dynamics::{BodyId, Failure, Rigid, Snapshot, Space, StepReport, World, WorldError, rotation};

/// A scene in motion.
pub enum Simulation {
    /// In the plane.
    Plane(Box<World<2, 3>>),
    /// In space.
    Space(Box<World<3, 6>>),
}

/// The same expression for either world.
macro_rules! on_world {
    ($simulation:expr, $world:ident => $expression:expr) => {
        match $simulation {
            Simulation::Plane($world) => $expression,
            Simulation::Space($world) => $expression,
        }
    };
}

impl Simulation {
    /// The scene at time zero.
    pub fn new(scene: &Scene) -> Result<Self, SceneError> {
        Ok(match scene.dimension {
            2 => Self::Plane(Box::new(scene.world()?)),
            _ => Self::Space(Box::new(scene.world()?)),
        })
    }

    /// Advances by one step.
    pub fn step(&mut self) -> StepReport {
        on_world!(self, w => w.step())
    }

    /// Time (s).
    pub fn time(&self) -> f64 {
        on_world!(self, w => w.time())
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        on_world!(self, w => w.steps())
    }

    /// Whether a step failed under the policy to stop.
    pub fn is_stopped(&self) -> bool {
        on_world!(self, w => w.is_stopped())
    }

    /// The state, to go on from.
    pub fn snapshot(&self) -> Snapshot {
        on_world!(self, w => w.snapshot())
    }

    /// Puts a fresh simulation of the same scene into a stored state.
    pub fn restore(&mut self, state: &Snapshot) -> Result<(), WorldError> {
        on_world!(self, w => w.restore(state))
    }

    /// The body whose state would no longer have been finite numbers.
    pub fn lost(&self) -> Option<BodyId> {
        on_world!(self, w => w.lost())
    }

    /// The longest step that resolves collisions, where contacts are soft (s).
    pub fn longest_soft_step(&self) -> Option<f64> {
        on_world!(self, w => w.longest_soft_step())
    }

    /// Keeps the contact problems that do not certify until the next step.
    pub fn keep_failures(&mut self, keep: bool) {
        on_world!(self, w => w.keep_failures(keep));
    }

    /// The contact problems of the last step that did not certify, when they are kept.
    pub fn failures(&self) -> &[Failure] {
        on_world!(self, w => w.failures())
    }

    /// Puts the present state into a frame, with or without the contacts of the last step.
    pub fn frame(&self, contacts: bool, frame: &mut Frame) {
        on_world!(self, w => fill(w, contacts, frame));
    }

    /// The contact problem of the last step with its answer, ready to be written; `None` when there was no contact.
    pub fn dump(&self) -> Option<Result<FclibFile, IoError>> {
        on_world!(self, w => w.dump()).as_ref().map(fclib)
    }
}

/// A contact problem with its answer, ready to be written.
pub(super) fn fclib(Dumped { problem, r }: &Dumped) -> Result<FclibFile, IoError> {
    match problem {
        Dump::Two(p) => stored(p, r),
        Dump::Three(p) => stored(p, r),
        Dump::Five(p) => stored(p, r),
    }
}

fn lift<const N: usize>(x: &[f64; N]) -> [f64; 3] {
    std::array::from_fn(|i| if i < N { x[i] } else { 0.0 })
}

fn fill<const N: usize, const V: usize>(world: &World<N, V>, contacts: bool, frame: &mut Frame)
where
    Rigid: Space<N, V>,
{
    let bodies = world.bodies();
    frame.clear();
    (frame.t, frame.step) = (world.time(), world.steps());
    for k in 0..bodies.len() {
        let v = &bodies.v[k];
        let velocity = std::array::from_fn(|i| if i < N { v[i] } else { 0.0 });
        let omega = stickslip_dynamics::Bodies::<N, V>::omega(v);
        frame.push_body(bodies.id[k].0, lift(&bodies.x[k]), orientation(world, k), velocity, omega);
    }
    if !contacts {
        return;
    }
    let record = |c: &stickslip_dynamics::ContactState<N>| ContactRecord {
        a: bodies.id.get(c.a as usize).map_or(u32::MAX, |id| id.0),
        b: bodies.id.get(c.b as usize).map_or(u32::MAX, |id| id.0),
        point: lift(&c.point),
        normal: lift(&c.normal),
        gap: c.gap,
        impulse: lift(&c.impulse),
        rln: c.rln(),
        rlt: c.rlt(),
        vln: c.vln(),
        status: match c.status {
            ContactStatus::Open => 0,
            ContactStatus::Stick | ContactStatus::Joint => 1,
            ContactStatus::Slip => 2,
        },
    };
    frame.contacts.extend(world.contacts().iter().map(record));
}

/// How the shape of a body is turned: its principal axes, and the shape in them.
fn orientation<const N: usize, const V: usize>(world: &World<N, V>, k: usize) -> [f64; 4]
where
    Rigid: Space<N, V>,
{
    let bodies = world.bodies();
    let r = &bodies.frame[k].rotation;
    let straight = (0..N).all(|i| (0..N).all(|j| r[i][j] == f64::from(u8::from(i == j))));
    if straight || bodies.round[k] {
        return bodies.orientation[k];
    }
    let identity = |i: usize, j: usize| f64::from(u8::from(i == j));
    let r = std::array::from_fn(|i| std::array::from_fn(|j| if i < N && j < N { r[i][j] } else { identity(i, j) }));
    rotation::product(&bodies.orientation[k], &rotation::from_matrix(&r))
}

fn stored<const D: usize>(p: &GlobalProblem<D>, r: &[f64]) -> Result<FclibFile, IoError> {
    let mut file = FclibFile::from_global(p, &StoreOptions::default())?;
    if let Ok(mass) = p.factor_mass() {
        let v = p.velocity(&mass, r.as_chunks::<D>().0);
        let mut u = vec![0.0; p.h.cols()];
        for i in 0..p.h.rows() {
            p.h.row(i).for_each(|(j, x)| u[j] += x * v[i]);
        }
        u.iter_mut().zip(p.w.as_flattened()).for_each(|(u, w)| *u += w);
        file.set_solution(&u, r, Some(&v))?;
    }
    Ok(file)
}

/// What the results say of a scene once for all frames.
pub fn run_info(scene: &Scene) -> RunInfo {
    let mut shapes = Vec::new();
    // bodies of a generator share their shape; radii drawn at random do not
    let mut known: HashMap<*const Shape, u32> = HashMap::new();
    let mut bodies = Vec::with_capacity(scene.bodies.len());
    for (id, b) in (0..).zip(&scene.bodies) {
        let shape = *known.entry(Arc::as_ptr(&b.shape)).or_insert_with(|| {
            shapes.push(b.shape.to_json());
            shapes.len() as u32 - 1
        });
        let radius = b.shape.bounding_radius();
        let dynamic = b.motion == Motion::Dynamic;
        bodies.push(BodyInfo {
            id,
            shape,
            material: b.material,
            fixed: !dynamic,
            size: if radius.is_finite() { radius } else { 0.0 },
            centre: if dynamic { b.shape.centroid() } else { [0.0; 3] },
        });
    }
    RunInfo {
        version: VERSION,
        dimension: scene.dimension,
        name: scene.name.clone(),
        h: scene.h(),
        scene: scene.text(),
        shapes,
        materials: scene.laws.names().to_vec(),
        bodies,
    }
}
