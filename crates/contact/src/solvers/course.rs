//! The one loop that iterative solvers share: limits, scales, the clock, the watcher and the best iterate.

use super::nsgs::{Nsgs, sweep_by, sweep_once};
use super::panagiotopoulos::relax_part;
use super::vector::largest_eigenvalue;
use super::{Flow, Progress, Report, Solver, Status, Stop, Unknowns, Watch, Why};
use crate::certificate::{Certificate, Scales};
use crate::one_contact::OneContactKind;
use crate::operator::{Delassus, Sweep};
use crate::problem::LocalProblem;
use std::time::{Duration, Instant};

/// The scratch of a [`Course`], kept by the solver between calls.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory<const D: usize> {
    /// The best iterate so far.
    pub best: Vec<[f64; D]>,
    /// State of a matrix-free operator.
    pub v: Vec<f64>,
}

impl<const D: usize> Memory<D> {
    /// Brings it to the size of the problem.
    pub fn begin<W: Delassus<D> + ?Sized>(&mut self, problem: &LocalProblem<D, W>) {
        self.best.resize(problem.contacts(), [0.0; D]);
        self.v.resize(problem.w.state_len(), 0.0);
    }
}

/// What one step of a solver did.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// Iterations that it counts for: 1, or the sweeps of an inner solver.
    pub iterations: usize,
    /// Why the solver cannot go on, if it cannot.
    pub end: Option<Status>,
}

impl Step {
    /// A plain step, of one iteration.
    pub const TAKEN: Step = Step { iterations: 1, end: None };

    /// One iteration that moved by `moved`; no move at all is a stall.
    pub fn by(moved: f64) -> Step {
        Step { iterations: 1, end: (moved == 0.0).then_some(Status::Stalled) }
    }
}

/// One solve on its way.
pub(crate) struct Course<'a, const D: usize, W: ?Sized> {
    pub problem: &'a LocalProblem<D, W>,
    pub stop: &'a Stop,
    pub scales: Scales,
    pub iteration: usize,
    /// Error of the last certified iterate.
    pub error: f64,
    pub start: Instant,
    /// Error of the best one.
    pub best_error: f64,
    /// Whether that is the last one, with its u.
    pub at_best: bool,
    pub memory: &'a mut Memory<D>,
}

impl<'a, const D: usize, W: Delassus<D> + ?Sized> Course<'a, D, W> {
    /// Starts the clock, brings `x` and the scratch to the size of the problem and certifies the start.
    pub fn begin(
        problem: &'a LocalProblem<D, W>,
        stop: &'a Stop,
        memory: &'a mut Memory<D>,
        x: &mut Unknowns<D>,
    ) -> Self {
        let start = stop.start();
        let n = problem.contacts();
        x.r.resize(n, [0.0; D]);
        x.u.resize(n, [0.0; D]);
        memory.begin(problem);
        let (scales, infinity) = (Scales::of(problem), f64::INFINITY);
        let (iteration, error, best_error, at_best) = (0, infinity, infinity, false);
        let mut course = Self { problem, stop, scales, iteration, error, start, best_error, at_best, memory };
        course.check(x);
        course
    }

    /// `u = W r + q`; the operator's state becomes that of `r`.
    pub fn velocity(&mut self, r: &[[f64; D]], u: &mut [[f64; D]]) {
        self.problem.velocity(r, u, &mut self.memory.v);
    }

    /// `out = W r`; the operator's state becomes that of `r`.
    pub fn product(&mut self, r: &[[f64; D]], out: &mut [[f64; D]]) {
        self.problem.w.apply(r, out, &mut self.memory.v);
    }

    /// `1 / lambda_max` of W; `a` and `b` are scratch.
    pub fn natural_rho(&mut self, a: &mut [[f64; D]], b: &mut [[f64; D]]) -> f64 {
        // a warm start may be the answer already
        if self.verdict().is_some() {
            return 1.0;
        }
        1.0 / largest_eigenvalue(&self.problem.w, &mut self.memory.v, a, b)
    }

    /// The error of (r, u) in the measure of the tolerance; `u` must be `W r + q`.
    pub fn error_of(&self, r: &[[f64; D]], u: &[[f64; D]]) -> f64 {
        self.scales.error(self.stop.measure, &self.problem.cones, r, u)
    }

    /// Recomputes `x.u = W r + q` and certifies x, keeping the best.
    pub fn check(&mut self, x: &mut Unknowns<D>) -> f64 {
        self.velocity(&x.r, &mut x.u);
        self.judge(x)
    }

    /// Certifies x whose `u = W r + q` was just computed, keeping the best.
    pub fn judge(&mut self, x: &Unknowns<D>) -> f64 {
        self.error = self.error_of(&x.r, &x.u);
        self.at_best = self.error < self.best_error;
        if self.at_best {
            self.best_error = self.error;
            // where it holds, the solve ends with this iterate
            if self.error > self.stop.tolerance {
                self.memory.best.copy_from_slice(&x.r);
            }
        }
        self.error
    }

    /// How the solve ends here, if it does.
    pub fn verdict(&self) -> Option<Status> {
        if self.error <= self.stop.tolerance {
            Some(Status::Converged)
        } else if !self.error.is_finite() {
            Some(Status::Diverged)
        } else if self.iteration == 0 && self.stop.max_iterations > 0 && self.stop.time_limit != Some(Duration::ZERO) {
            // the clock has only just been started, or whoever started it before has just looked at it
            None
        } else {
            self.stop.limit(self.iteration, self.start)
        }
    }

    /// Whether the time is up.
    pub fn out_of_time(&self) -> bool {
        self.stop.time_limit.is_some_and(|t| self.start.elapsed() >= t)
    }

    /// Whether so many operations may end within the time that is left.
    pub fn leaves_time_for(&self, flops: f64) -> bool {
        self.stop.leaves_time_for(flops, self.start)
    }

    /// Takes steps until the certificate holds or a limit is met.
    ///
    /// A step finds `x.u = W r + q` and leaves it so for the r that it sets.
    pub fn run(
        mut self,
        x: &mut Unknowns<D>,
        watch: &mut Watch<'_>,
        step: impl FnMut(&mut Self, &mut Unknowns<D>, &mut Watch<'_>) -> Step,
    ) -> Report {
        let status = self.steps(x, watch, step);
        self.finish(x, status)
    }

    /// The same, and leaves x where the last step came to, which need not be the best.
    pub fn steps(
        &mut self,
        x: &mut Unknowns<D>,
        watch: &mut Watch<'_>,
        mut step: impl FnMut(&mut Self, &mut Unknowns<D>, &mut Watch<'_>) -> Step,
    ) -> Status {
        loop {
            let (iteration, error) = (self.iteration, self.error);
            let flow = watch(&Progress { iteration, error: Some(error), estimate: error, start: self.start });
            if let Some(status) = self.verdict() {
                return status;
            }
            if flow == Flow::Stop {
                return Status::Interrupted;
            }
            let step = step(self, x, watch);
            self.iteration += step.iterations;
            self.judge(x);
            if let Some(end) = step.end {
                return self.verdict().filter(|s| matches!(s, Status::Converged | Status::Diverged)).unwrap_or(end);
            }
        }
    }

    /// Restores the best iterate and certifies it in full.
    pub fn finish(mut self, x: &mut Unknowns<D>, status: Status) -> Report {
        if !self.at_best {
            if self.best_error.is_finite() {
                x.r.copy_from_slice(&self.memory.best);
            } else {
                x.r.fill([0.0; D]);
            }
            self.velocity(&x.r, &mut x.u);
        }
        let certificate = Certificate::new(self.problem, &self.scales, self.stop.measure, &x.r, &x.u);
        Report { status, iterations: self.iteration, certificate, elapsed: self.start.elapsed(), why: Why::default() }
    }

    /// The limits of an inner solve of at most `sweeps`, within those of this one.
    fn inner_stop(&self, tolerance: f64, sweeps: usize) -> Stop {
        Stop {
            tolerance,
            measure: self.stop.measure,
            max_iterations: sweeps.max(1).min(self.stop.max_iterations - self.iteration),
            time_limit: self.stop.time_limit,
            since: Some(self.start),
        }
    }

    /// A Gauss-Seidel solve of another problem on the way, to `tolerance` in at most `sweeps`.
    ///
    /// Its sweeps count, the watcher sees them without their errors, and its moves of r are ours.
    pub fn inner_solve<V: Sweep<D>>(
        &mut self,
        nsgs: &mut Nsgs<D>,
        inner: &LocalProblem<D, V>,
        x: &mut Unknowns<D>,
        (tolerance, sweeps): (f64, usize),
        watch: &mut Watch<'_>,
    ) -> (Step, Status) {
        let (before, start, mut asked) = (self.iteration, self.start, false);
        let limits = self.inner_stop(tolerance, sweeps);
        let report = nsgs.solve(inner, x, &limits, &mut |p| {
            if p.iteration == 0 {
                return Flow::Continue;
            }
            let flow = watch(&Progress { iteration: before + p.iteration, error: None, estimate: p.estimate, start });
            asked |= flow == Flow::Stop;
            flow
        });
        self.velocity(&x.r, &mut x.u);
        let end = match report.status {
            _ if asked => Some(Status::Interrupted),
            Status::Diverged => Some(Status::Diverged),
            _ => None,
        };
        (Step { iterations: report.iterations.max(1), end }, report.status)
    }
}

impl<const D: usize, W: Sweep<D> + ?Sized> Course<'_, D, W> {
    /// One Gauss-Seidel sweep from r, whose state must be current; returns the norm of all moves.
    pub fn sweep(&mut self, r: &mut [[f64; D]]) -> f64 {
        sweep_once(self.problem, r, &mut self.memory.v)
    }

    /// The same with any one-contact solver.
    pub fn sweep_by(&mut self, one: OneContactKind, r: &mut [[f64; D]]) -> f64 {
        match one {
            OneContactKind::Exact => self.sweep(r),
            one => sweep_by(self.problem, one, r, &mut self.memory.v),
        }
    }

    /// One sweep over the normal or the tangential parts alone; returns the norm of all moves.
    pub fn half_sweep(&mut self, normal: bool, r: &mut [[f64; D]]) -> f64 {
        let (problem, v) = (self.problem, &mut self.memory.v[..]);
        (0..problem.contacts()).map(|c| relax_part(problem, normal, c, r, v)).sum::<f64>().sqrt()
    }
}
