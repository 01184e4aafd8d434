//! One time step, a straight line:
//! come and go, free motion, contacts, laws and problem, solver, impulses, advance, ledger.

use crate::assembly::{ContactStage, Impelled, Input};
use crate::bodies::{Bodies, Motion};
use crate::contact_state::ContactState;
use crate::dump::{Dumped, Failure};
use crate::integrator::moreau_jean::{Advance, Advanced, Impulses, advance, free_motion};
use crate::laws::Laws;
use crate::ledger::{EnergyAlarm, Ledger, StepWork};
use crate::options::{Activation, Engine, OnFailure, Options, Stabilisation};
use crate::outcome::Outcome;
use crate::report::{Phases, StepReport};
use crate::rotation::Quaternion;
use crate::space::{Rigid, Space, StageKind};
use crate::world::World;
use std::time::{Duration, Instant};
use stickslip_contact::solvers::Status;
use stickslip_geometry::{Contact, Pose};

/// Room that steps share; once warm, a step that sweeps can solve allocates nothing.
pub(crate) struct Scratch<const N: usize, const V: usize> {
    poses: Vec<Pose<N>>,
    reach: Vec<f64>,
    slack: Vec<f64>,
    dead: Vec<f64>,
    v_free: Vec<[f64; V]>,
    v: Vec<[f64; V]>,
    spun: Vec<[f64; V]>,
    touched: Vec<bool>,
    impulses: Impulses<V>,
    detected: Vec<Contact<N>>,
    last: Vec<ContactState<N>>,
    /// The state before the step: positions, orientations, velocities.
    x0: Vec<[f64; N]>,
    turn0: Vec<Quaternion>,
    v0: Vec<[f64; V]>,
    h: f64,
    last_h: f64,
    displacement: Vec<[f64; V]>,
}

impl<const N: usize, const V: usize> Default for Scratch<N, V> {
    fn default() -> Self {
        Self {
            poses: Vec::new(),
            reach: Vec::new(),
            slack: Vec::new(),
            dead: Vec::new(),
            v_free: Vec::new(),
            v: Vec::new(),
            spun: Vec::new(),
            touched: Vec::new(),
            impulses: Impulses::default(),
            detected: Vec::new(),
            last: Vec::new(),
            x0: Vec::new(),
            turn0: Vec::new(),
            v0: Vec::new(),
            h: 0.0,
            last_h: 0.0,
            displacement: Vec::new(),
        }
    }
}

impl<const N: usize, const V: usize> Scratch<N, V>
where
    Rigid: Space<N, V>,
{
    /// The problem of the last step, over the bodies as they were before it.
    pub fn dumped(
        &self,
        stage: &dyn ContactStage<N, V>,
        bodies: &Bodies<N, V>,
        laws: &Laws,
        options: &Options,
    ) -> Dumped {
        let mut before = bodies.clone();
        before.x.clone_from(&self.x0);
        before.orientation.clone_from(&self.turn0);
        before.v.clone_from(&self.v0);
        stage.dump(&Input {
            bodies: &before,
            laws,
            options,
            h: self.h,
            contacts: &self.detected,
            v_free: &self.v_free,
            slack: &self.slack,
            dead: &self.dead,
            last: &[],
            last_h: self.last_h,
        })
    }

    /// The length of the last step (s).
    pub fn step_length(&self) -> f64 {
        self.h
    }

    pub fn set_step_length(&mut self, h: f64) {
        self.h = h;
    }
}

/// What one part of a step came to.
struct Part {
    outcome: Outcome,
    status: Status,
    iterations: usize,
    error: f64,
    contacts: usize,
    detected: usize,
    courant: f64,
    alarm: Option<EnergyAlarm>,
    /// The slot of a body whose state is no finite number.
    lost: Option<usize>,
    phases: Phases,
}

/// Which of how many equal parts of a step, from 0.
#[derive(Clone, Copy)]
struct Share {
    part: u32,
    parts: u32,
}

impl Share {
    fn halves(self) -> [Self; 2] {
        [0, 1].map(|k| Share { part: 2 * self.part + k, parts: 2 * self.parts })
    }
}

impl<const N: usize, const V: usize> World<N, V>
where
    Rigid: Space<N, V>,
{
    /// Advances by one step `h`.
    ///
    /// A step whose contact problem could not be certified is counted, marked in the report and treated by the policy of
    /// the options. A step that would leave a body without finite numbers is undone; the report names the body, and the
    /// world refuses to go on.
    pub fn step(&mut self) -> StepReport {
        let exchanged = self.come_and_go();
        if self.clock.step == 0 {
            let (kinetic, potential) = (self.bodies.kinetic_energy(), self.potential_energy());
            self.ledger.begin(kinetic, potential);
        }
        let h = self.options.h;
        let t = self.clock.t;
        let mut report = self.empty_report(exchanged);
        self.failures.clear();
        if self.is_stopped() {
            report.certified = false;
            report.status = Status::Interrupted;
            return report;
        }
        let depth = if let OnFailure::Halve { times } = self.options.on_failure { times } else { 0 };
        self.step_part((t, h), depth, Share { part: 0, parts: 1 }, &mut report);
        if !report.certified {
            self.uncertified += 1;
        }
        if !self.is_stopped() {
            self.clock.tick(h);
        }
        report.t = self.clock.t;
        report.ledger = self.ledger;
        report.uncertified_steps = self.uncertified;
        report
    }

    /// A part of a step, halved while it does not certify and the policy allows it.
    fn step_part(&mut self, (t, h): (f64, f64), depth: u32, share: Share, report: &mut StepReport) {
        let ledger = self.ledger;
        let part = self.single(t, h);
        let certified = part.status == Status::Converged;
        if !certified
            && self.keep_failures
            && let Some(problem) = self.dump()
        {
            self.failures.push(Failure { part: share.part, parts: share.parts, problem });
        }
        if let Some(k) = part.lost {
            self.go_back(ledger);
            self.lost = Some(self.bodies.id[k]);
            report.lost = self.lost;
        } else if !certified && depth > 0 {
            self.go_back(ledger);
            report.iterations += part.iterations;
            let half = 0.5 * h;
            for (k, share) in share.halves().into_iter().enumerate() {
                if !self.is_stopped() {
                    self.step_part((t + k as f64 * half, half), depth - 1, share, report);
                }
            }
            return;
        } else if !certified && self.options.on_failure == OnFailure::Stop {
            self.go_back(ledger);
            self.stopped = true;
        }
        report.take(&part, certified && part.lost.is_none());
    }

    /// Back to the state before the part of a step that was just taken.
    fn go_back(&mut self, ledger: Ledger) {
        self.bodies.x.clone_from(&self.scratch.x0);
        self.bodies.orientation.clone_from(&self.scratch.turn0);
        self.bodies.v.clone_from(&self.scratch.v0);
        std::mem::swap(&mut self.contacts, &mut self.scratch.last);
        self.ledger = ledger;
    }

    /// One step of length `h` from time `t`.
    fn single(&mut self, t: f64, h: f64) -> Part {
        let mut phases = Phases::default();
        let mut clock = Instant::now();
        let mut lap = || {
            let now = Instant::now();
            now.duration_since(std::mem::replace(&mut clock, now))
        };
        self.remember(h);
        // 1. velocities without contacts [A, eq. 17]
        self.gather_forces(t, h);
        let s = &mut self.scratch;
        free_motion(&self.bodies, &self.gravity, (t, h), &s.impulses, &mut s.v_free);
        phases.free = lap();
        // 2. who is near whom
        self.detect(h);
        phases.detect = lap();
        // 3. laws, problem, warm start
        let stage = ready_stage(&mut self.stage, &self.bodies, &self.laws, &self.options);
        let s = &mut self.scratch;
        std::mem::swap(&mut self.contacts, &mut s.last);
        let input = Input {
            bodies: &self.bodies,
            laws: &self.laws,
            options: &self.options,
            h,
            contacts: &s.detected,
            v_free: &s.v_free,
            slack: &s.slack,
            dead: &s.dead,
            last: &s.last,
            last_h: s.last_h,
        };
        stage.assemble(&input);
        phases.assemble = lap();
        // 4. impulses
        s.v.clone_from(&s.v_free);
        s.spun.clear();
        s.touched.clear();
        s.touched.resize(self.bodies.len(), false);
        let (mut status, mut iterations, mut error) = (Status::Converged, 0, 0.0);
        let contacts = stage.contacts();
        let mut outcome = Outcome::default();
        self.contacts.clear();
        if contacts > 0 {
            let report = stage.solve(&self.options);
            (status, iterations, error) = (report.status, report.iterations, report.error);
            phases.solve = lap();
            let into = Impelled { v: &mut s.v, spun: &mut s.spun, touched: &mut s.touched };
            outcome = stage.apply(&input, into, &mut self.contacts);
        }
        s.displacement.clear();
        if contacts > 0 && self.options.stabilisation == Stabilisation::Project {
            stage.project(&input, self.options.theta, &mut s.displacement);
        }
        // 5. positions [A, eq. 18] and the ledger
        let (Advanced { courant, lost, .. }, alarm) = self.advance(h, &mut outcome.work);
        phases.advance = lap();
        let detected = self.scratch.detected.len();
        Part { outcome, status, iterations, error, contacts, detected, courant, alarm, lost, phases }
    }

    fn advance(&mut self, h: f64, work: &mut StepWork) -> (Advanced, Option<EnergyAlarm>) {
        let springs = if self.forces.is_empty() { 0.0 } else { self.springs_energy() };
        let s = &self.scratch;
        let step = Advance {
            gravity: &self.gravity,
            h,
            // the leapfrog of soft contacts advances with the new velocities throughout
            theta: if self.options.engine == Engine::Hard { self.options.theta } else { 1.0 },
            displacement: &s.displacement,
            implicit: self.options.activation == Activation::Speculative,
            v_free: &s.v_free,
            touched: &s.touched,
            spun: &s.spun,
            impulses: &s.impulses,
        };
        let advanced = advance(&mut self.bodies, &step, &s.v, work);
        let mut potential = advanced.potential;
        if !self.forces.is_empty() {
            let now = self.springs_energy();
            work.scheme -= now - springs;
            potential += now;
        }
        (advanced, self.ledger.add(work, advanced.kinetic, potential))
    }

    /// Keeps the state before the step, for policies that go back and for dumps.
    fn remember(&mut self, h: f64) {
        let s = &mut self.scratch;
        s.x0.clone_from(&self.bodies.x);
        s.turn0.clone_from(&self.bodies.orientation);
        s.v0.clone_from(&self.bodies.v);
        s.last_h = std::mem::replace(&mut s.h, h);
    }

    fn come_and_go(&mut self) -> usize {
        let mut exchanged = self.exchange.bring(self.clock.t, &mut self.bodies);
        if let Some(slots) = self.exchange.take(self.clock.t, &mut self.bodies) {
            exchanged += slots.iter().filter(|s| s.is_none()).count();
            // slots keep their order: what is left of the contacts stays sorted
            self.contacts.retain_mut(|c| match (slots[c.a as usize], slots[c.b as usize]) {
                (Some(a), Some(b)) => {
                    (c.a, c.b) = (a, b);
                    true
                }
                _ => false,
            });
        }
        if exchanged > 0 {
            self.stage = None;
            self.account_for_changes();
        }
        exchanged
    }

    fn gather_forces(&mut self, t: f64, h: f64) {
        let Impulses { conservative, external } = &mut self.scratch.impulses;
        conservative.clear();
        external.clear();
        if self.forces.is_empty() {
            return;
        }
        conservative.resize(self.bodies.len(), [0.0; V]);
        external.resize(self.bodies.len(), [0.0; V]);
        for force in &self.forces {
            force.add_impulses((t, h, self.options.theta), &self.bodies, conservative, external);
        }
    }

    /// Poses, how far each body can come in a step, and the contacts within that.
    fn detect(&mut self, h: f64) {
        let (b, s) = (&self.bodies, &mut self.scratch);
        s.poses.clear();
        s.reach.clear();
        s.slack.clear();
        s.dead.clear();
        for k in 0..b.len() {
            s.poses.push(b.pose(k));
            let (reach, slack, dead) = alert(b, k, &s.v_free[k], h);
            s.reach.push(reach);
            s.slack.push(slack);
            s.dead.push(dead);
        }
        self.detector.detect(&b.shape, &s.poses, &s.reach, &b.movable, &b.group, &mut s.detected);
    }

    fn empty_report(&self, exchanged: usize) -> StepReport {
        StepReport {
            // that of the step to be taken, whether it is undone or not
            step: self.clock.step + 1,
            t: self.clock.t,
            h: self.options.h,
            bodies: self.bodies.len(),
            detected: 0,
            contacts: 0,
            touching: 0,
            slipping: 0,
            status: Status::Converged,
            iterations: 0,
            error: 0.0,
            soft: self.options.engine != Engine::Hard,
            certified: true,
            uncertified_steps: self.uncertified,
            parts: 0,
            penetration: 0.0,
            mean_overlap: 0.0,
            courant: 0.0,
            ledger: self.ledger,
            alarm: None,
            lost: None,
            exchanged,
            phases: Phases::default(),
        }
    }
}

/// Impulses of neighbours may change a velocity within the step: this part of the speed is kept in reserve.
const RESERVE: f64 = 0.1;

/// Part of the way that forces move a body at rest in a step: a smaller gap of a loaded contact counts as none.
pub(crate) const DEAD: f64 = 0.02;

/// How far a body can come in a step, how far from closing its contacts may be to take part, and what gap counts as none.
#[inline(always)]
fn alert<const N: usize, const V: usize>(b: &Bodies<N, V>, k: usize, v_free: &[f64; V], h: f64) -> (f64, f64, f64)
where
    Rigid: Space<N, V>,
{
    if b.motion[k] == Motion::Fixed {
        return (0.0, 0.0, 0.0);
    }
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    // a ball may turn without coming nearer, and so may what has no end
    let arm = if b.round[k] || b.radius[k].is_infinite() { 0.0 } else { b.radius[k] };
    let speed = |v: &[f64]| norm(&v[..N]) + if arm > 0.0 { arm * norm(&v[N..]) } else { 0.0 };
    let change: [f64; V] = std::array::from_fn(|i| v_free[i] - b.v[k][i]);
    let fastest = speed(&b.v[k]).max(speed(v_free));
    let slack = h * (speed(&change) + RESERVE * fastest);
    (h * fastest + slack, slack, DEAD * h * speed(&change))
}

/// The stage that fits the world, built when the world changed and kept otherwise.
fn ready_stage<'a, const N: usize, const V: usize>(
    stage: &'a mut Option<(StageKind, Box<dyn ContactStage<N, V>>)>,
    bodies: &Bodies<N, V>,
    laws: &Laws,
    options: &Options,
) -> &'a mut dyn ContactStage<N, V>
where
    Rigid: Space<N, V>,
{
    stage
        .get_or_insert_with(|| {
            let balls = (0..bodies.len()).all(|k| !bodies.movable[k] || bodies.round[k]);
            let kind = StageKind { rolling: laws.any_rolls(), balls };
            (kind, <Rigid as Space<N, V>>::stage(kind, &options.solver))
        })
        .1
        .as_mut()
}

impl StepReport {
    fn take(&mut self, part: &Part, certified: bool) {
        self.parts += 1;
        self.detected = self.detected.max(part.detected);
        self.contacts = self.contacts.max(part.contacts);
        self.touching = part.outcome.touching;
        self.slipping = part.outcome.slipping;
        if !certified || self.certified {
            self.status = part.status;
        }
        self.certified &= certified;
        self.iterations += part.iterations;
        self.error = self.error.max(part.error);
        self.penetration = self.penetration.max(part.outcome.penetration);
        let (sum, count) = part.outcome.overlap;
        self.mean_overlap = self.mean_overlap.max(if count > 0 { sum / count as f64 } else { 0.0 });
        self.courant = self.courant.max(part.courant);
        self.alarm = self.alarm.or(part.alarm);
        let phases = &mut self.phases;
        let add = |into: &mut Duration, d: Duration| *into += d;
        add(&mut phases.free, part.phases.free);
        add(&mut phases.detect, part.phases.detect);
        add(&mut phases.assemble, part.phases.assemble);
        add(&mut phases.solve, part.phases.solve);
        add(&mut phases.advance, part.phases.advance);
    }
}
