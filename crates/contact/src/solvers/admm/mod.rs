//! The alternating direction method of multipliers, for Coulomb's law itself.

mod acceleration;
mod alternating;
mod convex;
mod metric;
mod penalty;

pub(super) use acceleration::{Acceleration, Outcome};
pub(crate) use alternating::Alternating;
pub use convex::ConvexMethod;
pub(crate) use convex::{ConvexAdmm, convex_residual};
pub(crate) use metric::{Kind, NoMetric};
pub(crate) use penalty::Penalty;

use super::nsgs::sweep_once;
use super::{Flow, Progress, Report, Solver, Status, Stop, Unknowns, Watch, Why};
use crate::certificate::{Certificate, Scales};
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Iterations before acceleration: packings of spheres are nearly done by then.
const ACCELERATE: usize = 40;

/// Errors up to this many times the tolerance may be swept below it: a few sweeps cost as much as two iterations.
const SWEPT_FROM: f64 = 20.0;

/// The smallest rho of moving contacts, over the inverse of the mean diagonal of W.
const FLOOR: f64 = 0.01;

/// The options of [`Admm`] and of its multigrid form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct AdmmOptions {
    /// The penalty rho, an impulse over a velocity (a mass); none by default: `mean |r| / mean |q|`, found on the way.
    pub rho: Option<f64>,
    /// Iterations between two certificates; 5.
    pub every: usize,
    /// Gauss-Seidel sweeps on a copy before a second certificate, where the first one is near the tolerance; 3.
    ///
    /// They take out what sweeps are good at. The copy is not fed back.
    pub sweeps: usize,
    /// The de Saxcé shift `s = mu |u_T|` is followed once the error is below this or stalls, and 0 before; 0.05.
    pub coulomb_below: f64,
    /// Iterations without a gain of [`gain`](Self::gain) after which every contact gets a penalty of its own, the first
    /// time twice as many; 20.
    pub patience: usize,
    /// See [`patience`](Self::patience); 5.
    pub gain: f64,
    /// Most times that the contacts' penalties change; 10.
    pub renewals: usize,
    /// Columns of Anderson's acceleration, once the error is slow to fall; 5, 0 for none.
    pub depth: usize,
    /// Damping of its normal equations, over their mean diagonal; 1e-10.
    pub damping: f64,
}

impl Default for AdmmOptions {
    fn default() -> Self {
        Self {
            rho: None,
            every: 5,
            sweeps: 3,
            coulomb_below: 0.05,
            patience: 20,
            gain: 5.0,
            renewals: 10,
            depth: 5,
            damping: 1e-10,
        }
    }
}

/// Splits the energy from the law: a linear system in velocities, then one projection a contact, in turn.
///
/// $$ v = \arg\min \tfrac12 v^\top M v - f^\top v + \tfrac\rho2 \|H^\top v + w + s N - z\|^2, \qquad
/// r = P_K(r - \rho (u + s N)), \qquad s = \mu \|u_T\| $$
/// K = M + rho H H^T is factored once for every rho (W + I / rho where the operator knows no M and H), so that an
/// iteration costs a solve and two passes over the contacts. With s fixed it converges to a solution of the convex
/// problem whatever rho > 0; with s followed there is no proof. rho follows the mean impulse over the mean free
/// velocity; where the error stalls every contact gets a penalty of its own, `|r_c| / |u_c|`. Piles at rest take 30 to
/// 100 iterations whatever their size; collapsing ones may stall.
///
/// # Reference
/// Boyd, Parikh, Chu, Peleato, Eckstein, Distributed optimization and statistical learning via the alternating direction
/// method of multipliers, 2011; Tasora, Mangoni, Benatti, Garziera, Solving variational inequalities and cone
/// complementarity problems in nonsmooth dynamics using the alternating direction method of multipliers, IJNME 122,
/// 2021; for rolling friction: Acary & Bourrier 2021; penalties after He, Yang & Wang 2000.
#[derive(Debug)]
pub struct Admm<const D: usize> {
    options: AdmmOptions,
    kind: Kind,
    state: Alternating<D>,
    trial: Vec<[f64; D]>,
    best: Vec<[f64; D]>,
    v: Vec<f64>,
}

impl<const D: usize> Default for Admm<D> {
    fn default() -> Self {
        Self::new(AdmmOptions::default())
    }
}

impl<const D: usize> Admm<D> {
    /// A solver that factors.
    pub fn new(options: AdmmOptions) -> Self {
        let (state, trial, best, v) = (Alternating::default(), Vec::new(), Vec::new(), Vec::new());
        Self { options, kind: Kind::Factor, state, trial, best, v }
    }

    /// A solver that takes one multigrid cycle an iteration in place of the factor; see [`crate::multigrid`].
    ///
    /// A symmetric convergent cycle B satisfies `B^-1 >= K`, which keeps the iteration a proximal ADMM. The operator must
    /// know M and H; otherwise the status is [`Status::Unsupported`] and [`Report::why`] says so.
    pub fn multigrid(options: AdmmOptions) -> Self {
        Self { kind: Kind::Cycle, ..Self::new(options) }
    }
}

/// What one solve carries along.
struct Run<'a, const D: usize, W: ?Sized> {
    problem: &'a LocalProblem<D, W>,
    stop: &'a Stop,
    scales: Scales,
    start: Instant,
    drive: f64,
    iteration: usize,
    /// Error of r itself at the last check.
    raw: f64,
    best_error: f64,
    coulomb: bool,
    accelerated: bool,
    /// Contacts go on moving: rho is that of motion, and acceleration would only mislead.
    moving: bool,
    /// Iteration and error at which the last renewal, or the first certificate, was.
    mark: (usize, f64),
    renewals: usize,
}

impl<const D: usize, W: Sweep<D> + ?Sized> Solver<D, W> for Admm<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let start = stop.start();
        let n = problem.contacts();
        x.r.resize(n, [0.0; D]);
        x.u.resize(n, [0.0; D]);
        self.best.clear();
        self.best.resize(n, [0.0; D]);
        self.trial.resize(n, [0.0; D]);
        self.v.resize(problem.w.state_len(), 0.0);
        let (scales, infinity) = (Scales::of(problem), f64::INFINITY);
        let mut run = Run {
            problem,
            stop,
            scales,
            start,
            drive: penalty::drive(problem),
            iteration: 0,
            raw: infinity,
            best_error: infinity,
            coulomb: false,
            accelerated: false,
            moving: false,
            mark: (0, infinity),
            renewals: 0,
        };
        self.trial.copy_from_slice(&x.r);
        run.raw = run.certify(self, &mut x.u);
        let mut why = Why::default();
        let status = run.go(self, x, watch).unwrap_or_else(|none| match none {
            NoMetric::OutOfTime => Status::TimeLimit,
            NoMetric::Because(reason) => {
                why.push(reason);
                Status::Unsupported
            }
        });
        if run.best_error.is_finite() {
            x.r.copy_from_slice(&self.best);
        } else {
            x.r.fill([0.0; D]);
        }
        problem.velocity(&x.r, &mut x.u, &mut self.v);
        let certificate = Certificate::new(problem, &run.scales, stop.measure, &x.r, &x.u);
        Report { status, iterations: run.iteration, certificate, elapsed: start.elapsed(), why }
    }
}

impl<const D: usize, W: Sweep<D> + ?Sized> Run<'_, D, W> {
    /// Iterates to the end; the error is the reason why that cannot be.
    fn go(&mut self, admm: &mut Admm<D>, x: &mut Unknowns<D>, watch: &mut Watch<'_>) -> Result<Status, NoMetric> {
        let mut error = self.raw;
        let mut checked = true;
        loop {
            let shown = checked.then_some(error);
            let flow = watch(&Progress { iteration: self.iteration, error: shown, estimate: error, start: self.start });
            if !checked && (flow == Flow::Stop || self.stop.limit(self.iteration, self.start).is_some()) {
                error = self.check(admm, &mut x.u);
            }
            if let Some(status) = self.verdict(error, flow) {
                return Ok(status);
            }
            if self.iteration == 0 {
                let rho = admm.options.rho.unwrap_or_else(|| penalty::first(self.problem, &self.scales, &x.r));
                let length = self.scales.length;
                admm.state.begin(self.problem, Penalty { rho, t: Vec::new(), length }, (&x.r, &x.u));
                self.coulomb = self.raw < admm.options.coulomb_below;
            } else if checked {
                self.adapt(admm);
            }
            admm.state.set_up(admm.kind, self.problem, (self.stop, self.start))?;
            let (cones, coulomb) = (&self.problem.cones, self.coulomb);
            let accelerate = coulomb && !self.moving && self.iteration >= ACCELERATE && admm.options.depth > 0;
            if accelerate && !self.accelerated {
                admm.state.accelerate(admm.options.depth, admm.options.damping);
            }
            self.accelerated = accelerate;
            let shift = |c: usize, u: &[f64; D]| if coulomb { cones[c].shift(u) } else { 0.0 };
            admm.state.step(self.problem, cones, |cone, z, _| cone.project(z), shift);
            self.iteration += 1;
            checked = self.iteration.is_multiple_of(admm.options.every.max(1));
            if checked {
                error = self.check(admm, &mut x.u);
            }
            if accelerate {
                admm.state.accelerated();
            }
        }
    }
    /// Certifies r, and a swept copy of it where that may do; returns the better error.
    fn check(&mut self, admm: &mut Admm<D>, u: &mut [[f64; D]]) -> f64 {
        admm.trial.copy_from_slice(&admm.state.r);
        let error = self.certify(admm, u);
        self.raw = error;
        self.coulomb |= error < admm.options.coulomb_below;
        let near = error > self.stop.tolerance && error <= SWEPT_FROM * self.stop.tolerance;
        if !near {
            return error;
        }
        for _ in 0..admm.options.sweeps {
            sweep_once(self.problem, &mut admm.trial, &mut admm.v);
        }
        let swept = self.certify(admm, u);
        if swept < error { swept } else { error }
    }

    /// The error of the trial, the best of which is kept.
    fn certify(&mut self, admm: &mut Admm<D>, u: &mut [[f64; D]]) -> f64 {
        self.problem.velocity(&admm.trial, u, &mut admm.v);
        let error = self.scales.error(self.stop.measure, &self.problem.cones, &admm.trial, u);
        if error < self.best_error {
            self.best_error = error;
            admm.best.copy_from_slice(&admm.trial);
        }
        error
    }

    fn verdict(&self, error: f64, flow: Flow) -> Option<Status> {
        if self.best_error <= self.stop.tolerance {
            Some(Status::Converged)
        } else if !error.is_finite() {
            Some(Status::Diverged)
        } else if flow == Flow::Stop {
            Some(Status::Interrupted)
        } else {
            self.stop.limit(self.iteration, self.start)
        }
    }

    /// rho by its rule in the first iterations; later, where the error stalls, a penalty for every contact.
    fn adapt(&mut self, admm: &mut Admm<D>) {
        let state = &mut admm.state;
        if admm.options.rho.is_none()
            && self.iteration <= 4 * admm.options.every
            && state.penalty.t.is_empty()
            && let Some(rho) = penalty::follow_rule(state.penalty.rho, &state.r, self.drive)
        {
            state.set_rho(rho);
            self.accelerated = false;
        }
        let (since, error) = self.mark;
        // the first penalty deserves more: large piles take long to feel it, and a new one is a new factor
        let patience = admm.options.patience * if self.renewals == 0 && !self.moving { 2 } else { 1 };
        if self.iteration >= since + patience {
            if self.best_error * admm.options.gain > error {
                self.unstick(admm);
            }
            self.mark = (self.iteration, self.best_error);
        }
    }

    /// Stalled: the penalty of motion where contacts go on moving, else one for every contact; then ever smaller ones,
    /// which end as projected gradients.
    fn unstick(&mut self, admm: &mut Admm<D>) {
        let (state, fixed) = (&mut admm.state, admm.options.rho.is_some());
        let floor = FLOOR / self.scales.impulse;
        self.accelerated = false;
        // where much slides the problem without the shift is far from Coulomb's
        if !std::mem::replace(&mut self.coulomb, true) {
            return;
        }
        if self.moving {
            if state.penalty.rho > floor {
                state.set_rho((state.penalty.rho / 3.0).max(floor));
            }
        } else if let Some(rho) = penalty::of_motion(state).filter(|_| !fixed) {
            self.moving = true;
            state.penalty.t.clear();
            state.renew();
            state.set_rho(rho);
        } else if self.renewals < admm.options.renewals {
            penalty::per_contact(state);
            state.renew();
            self.renewals += 1;
        } else if !fixed {
            self.moving = true;
        }
    }
}
