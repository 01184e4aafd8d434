//! The world: bodies, laws, forces and the clock.

use crate::assembly::ContactStage;
use crate::bodies::{Bodies, Body, BodyId};
use crate::contact_state::ContactState;
use crate::dump::{Dumped, Failure};
use crate::error::{WorldError, finite};
use crate::exchange::{Exchange, Region};
use crate::forces::Force;
use crate::laws::{Law, Laws, Material};
use crate::ledger::Ledger;
use crate::options::{Engine, Options};
use crate::soft_sphere::SoftSphere;
use crate::space::{Rigid, Space, StageKind};
use crate::step::Scratch;
use stickslip_geometry::detector::Detector;

/// A multibody system: `World<2, 3>` in the plane, `World<3, 6>` in space.
///
/// ```
/// use stickslip_dynamics::{Body, Law, Options, World};
/// use stickslip_geometry::space::Shape;
///
/// // a ball dropped on a plane from 1 m
/// let mut world = World::<3, 6>::new(Options { h: 1e-3, ..Options::default() })?;
/// world.laws_mut().set(Default::default(), Default::default(), Law::coulomb(0.5))?;
/// world.add(Body::new(Shape::HalfSpace).fixed())?;
/// let ball = world.add(Body::new(Shape::Sphere { radius: 0.1 }).at([0.0, 0.0, 1.1]))?;
/// for _ in 0..1000 {
///     assert!(world.step().certified);
/// }
/// // it lies on the plane, with neither gap nor overlap
/// assert!((world.position(ball).unwrap()[2] - 0.1).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct World<const N: usize, const V: usize>
where
    Rigid: Space<N, V>,
{
    pub(crate) options: Options,
    pub(crate) gravity: [f64; N],
    pub(crate) bodies: Bodies<N, V>,
    pub(crate) laws: Laws,
    pub(crate) forces: Vec<Force<N, V>>,
    pub(crate) exchange: Exchange<N, V>,
    pub(crate) clock: Clock,
    pub(crate) ledger: Ledger,
    pub(crate) contacts: Vec<ContactState<N>>,
    pub(crate) uncertified: u64,
    pub(crate) stopped: bool,
    pub(crate) lost: Option<BodyId>,
    pub(crate) keep_failures: bool,
    pub(crate) failures: Vec<Failure>,
    pub(crate) stage: Option<(StageKind, Box<dyn ContactStage<N, V>>)>,
    pub(crate) detector: Detector<N, <Rigid as Space<N, V>>::Shape>,
    pub(crate) scratch: Scratch<N, V>,
}

/// Step and time. Time is a start plus a number of equal steps, so that a million of them add no rounding.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Clock {
    /// Steps so far.
    pub step: u64,
    /// Time (s).
    pub t: f64,
    since: u64,
    start: f64,
    h: f64,
}

impl Clock {
    pub(crate) fn tick(&mut self, h: f64) {
        if h != self.h {
            (self.since, self.start, self.h) = (self.step, self.t, h);
        }
        self.step += 1;
        self.t = self.start + (self.step - self.since) as f64 * h;
    }
}

/// Gravity on Earth (m/s²).
pub const STANDARD_GRAVITY: f64 = 9.81;

impl<const N: usize, const V: usize> World<N, V>
where
    Rigid: Space<N, V>,
{
    /// An empty world under gravity along the last axis, downwards.
    pub fn new(options: Options) -> Result<Self, WorldError> {
        options.check()?;
        let mut gravity = [0.0; N];
        gravity[N - 1] = -STANDARD_GRAVITY;
        Ok(Self {
            options,
            gravity,
            bodies: Bodies::default(),
            laws: Laws::default(),
            forces: Vec::new(),
            exchange: Exchange::default(),
            clock: Clock::default(),
            ledger: Ledger::default(),
            contacts: Vec::new(),
            uncertified: 0,
            stopped: false,
            lost: None,
            keep_failures: false,
            failures: Vec::new(),
            stage: None,
            detector: Detector::default(),
            scratch: Scratch::default(),
        })
    }

    /// Sets gravity (m/s²).
    pub fn set_gravity(&mut self, gravity: [f64; N]) -> Result<(), WorldError> {
        finite("gravity", &gravity)?;
        self.gravity = gravity;
        self.account_for_changes();
        Ok(())
    }

    /// Gravity (m/s²).
    pub fn gravity(&self) -> [f64; N] {
        self.gravity
    }

    /// The materials and their laws.
    pub fn laws(&self) -> &Laws {
        &self.laws
    }

    /// The materials and their laws, to be changed.
    pub fn laws_mut(&mut self) -> &mut Laws {
        self.stage = None;
        &mut self.laws
    }

    /// Sets the law of the one material that is always there.
    pub fn set_law(&mut self, law: Law) -> Result<(), WorldError> {
        let old = self.laws.clone();
        self.laws_mut().set(Material::default(), Material::default(), law)?;
        self.check().inspect_err(|_| self.laws = old)
    }

    /// Refuses laws that the engine does not know, such as glue between soft contacts: what is set through
    /// [`laws_mut`](Self::laws_mut) is not seen otherwise.
    pub fn check(&self) -> Result<(), WorldError> {
        check_engine(&self.options, &self.laws)
    }

    /// The longest step that resolves collisions of the lightest body with twenty steps, where contacts are soft (s).
    pub fn longest_soft_step(&self) -> Option<f64> {
        let Engine::SoftSphere(soft) = self.options.engine else { return None };
        let b = &self.bodies;
        let there = (0..b.len()).filter(|&k| b.movable[k]).map(|k| b.mass[k]);
        let lightest = there.chain(self.exchange.masses_to_come()).fold(f64::INFINITY, f64::min);
        lightest.is_finite().then(|| soft.largest_step(lightest))
    }

    /// Adds a body.
    pub fn add(&mut self, body: Body<N, V>) -> Result<BodyId, WorldError> {
        if body.material.0 as usize >= self.laws.names().len() {
            let materials = self.laws.names().len();
            return Err(WorldError::NoSuchMaterial { material: body.material.0 as usize, materials });
        }
        let id = self.bodies.add(body)?;
        self.stage = None;
        self.account_for_changes();
        Ok(id)
    }

    /// Lets a body appear at a time (s); bodies appear in the order of their times.
    pub fn add_at(&mut self, time: f64, body: Body<N, V>) -> Result<(), WorldError> {
        finite("time of appearance", &[time])?;
        // refused now rather than in the middle of a run
        Bodies::default().add(body.clone())?;
        if body.material.0 as usize >= self.laws.names().len() {
            let materials = self.laws.names().len();
            return Err(WorldError::NoSuchMaterial { material: body.material.0 as usize, materials });
        }
        self.exchange.appear(time, body);
        Ok(())
    }

    /// Lets a body leave at a time (s).
    pub fn remove_at(&mut self, time: f64, body: BodyId) -> Result<(), WorldError> {
        finite("time of leaving", &[time])?;
        self.exchange.leave(time, body);
        Ok(())
    }

    /// Removes every body that moves of itself and whose centre leaves this region.
    pub fn keep_within(&mut self, region: Region<N>) -> Result<(), WorldError> {
        finite("corner of the region", &region.low)?;
        finite("corner of the region", &region.high)?;
        self.exchange.keep_within(region);
        Ok(())
    }

    /// Adds a force.
    pub fn add_force(&mut self, force: Force<N, V>) -> Result<(), WorldError> {
        force.check(&self.bodies, self.exchange.to_come())?;
        self.forces.push(force);
        self.account_for_changes();
        Ok(())
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options between steps.
    pub fn set_options(&mut self, options: Options) -> Result<(), WorldError> {
        options.check()?;
        check_engine(&options, &self.laws)?;
        if options.solver != self.options.solver {
            self.stage = None;
        }
        self.options = options;
        Ok(())
    }

    /// The bodies.
    pub fn bodies(&self) -> &Bodies<N, V> {
        &self.bodies
    }

    /// The position of a body's centre of mass (m), if it is still there.
    pub fn position(&self, id: BodyId) -> Option<[f64; N]> {
        self.bodies.slot(id).map(|k| self.bodies.x[k])
    }

    /// The velocity of a body: translation (m/s), then rotation (rad/s).
    pub fn velocity(&self, id: BodyId) -> Option<[f64; V]> {
        self.bodies.slot(id).map(|k| self.bodies.v[k])
    }

    /// Sets the velocity of a body that forces move.
    pub fn set_velocity(&mut self, id: BodyId, v: [f64; V]) -> Result<(), WorldError> {
        finite("velocity", &v)?;
        let bodies = self.bodies.len();
        let k = self.bodies.slot(id).ok_or(WorldError::NoSuchBody { body: id.0 as usize, bodies })?;
        if self.bodies.movable[k] {
            self.bodies.v[k] = v;
        }
        self.account_for_changes();
        Ok(())
    }

    /// The contacts that took part in the last step, sorted by bodies and feature.
    pub fn contacts(&self) -> &[ContactState<N>] {
        &self.contacts
    }

    /// Time (s).
    pub fn time(&self) -> f64 {
        self.clock.t
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.clock.step
    }

    /// The energies.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Whether a step failed under the policy to stop, or [lost](Self::lost) a body.
    pub fn is_stopped(&self) -> bool {
        self.stopped || self.lost.is_some()
    }

    /// The body whose state would no longer have been finite numbers.
    pub fn lost(&self) -> Option<BodyId> {
        self.lost
    }

    /// Keeps the contact problems that do not certify, part by part of a step that is halved, until the next step.
    pub fn keep_failures(&mut self, keep: bool) {
        self.keep_failures = keep;
    }

    /// The contact problems of the last step that did not certify, when they are [kept](Self::keep_failures).
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// The contact problem of the last step in the global form, with the impulses found; `None` before the first contact.
    pub fn dump(&self) -> Option<Dumped> {
        let (_, stage) = self.stage.as_ref()?;
        // the problem belongs to the state before the step, which the scratch still has
        (stage.contacts() > 0).then(|| self.scratch.dumped(stage.as_ref(), &self.bodies, &self.laws, &self.options))
    }

    /// The potential energy of gravity and springs (J).
    pub(crate) fn potential_energy(&self) -> f64 {
        let b = &self.bodies;
        let height = |k: usize| (0..N).map(|i| self.gravity[i] * b.x[k][i]).sum::<f64>();
        let gravity: f64 = (0..b.len()).filter(|&k| b.movable[k]).map(|k| -b.mass[k] * height(k)).sum();
        gravity + self.springs_energy()
    }

    pub(crate) fn springs_energy(&self) -> f64 {
        self.forces.iter().map(|f| f.potential(&self.bodies)).sum()
    }

    /// What the user changes between steps is neither gain nor loss.
    pub(crate) fn account_for_changes(&mut self) {
        if self.clock.step > 0 {
            let (kinetic, potential) = (self.bodies.kinetic_energy(), self.potential_energy());
            self.ledger.exchange(kinetic, potential);
        }
    }
}

fn check_engine(options: &Options, laws: &Laws) -> Result<(), WorldError> {
    if let Engine::SoftSphere(_) = options.engine { SoftSphere::check_laws(laws) } else { Ok(()) }
}
