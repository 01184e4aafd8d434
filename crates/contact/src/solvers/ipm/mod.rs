//! Interior point with the de Saxcé term inside Newton.

mod scaled;
mod second_order_cone;

use super::{Flow, Progress, Report, Solver, Status, Stop, Unknowns, Watch};
use crate::certificate::{Certificate, Scales};
use crate::cone::Cone;
use crate::operator::Delassus;
use crate::problem::LocalProblem;
use scaled::Iterate;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// The options of [`Ipm`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct IpmOptions {
    /// Starts tried in turn, as `[start, lift]`: r = y = start e in scaled variables, and a jam is lifted off the
    /// boundary by `lift sqrt(mu) e`.
    pub starts: Vec<[f64; 2]>,
    /// Most lifts of one start.
    pub max_lifts: usize,
    /// Most iterations of one start.
    pub max_steps: usize,
    /// A start is given up after this many iterations without a new best.
    pub patience: usize,
}

impl Default for IpmOptions {
    fn default() -> Self {
        Self {
            starts: vec![[10.0, 0.1], [1.0, 0.1], [100.0, 0.5], [0.1, 0.1], [30.0, 0.1], [3.0, 0.3]],
            max_lifts: 8,
            max_steps: 60,
            patience: 10,
        }
    }
}

/// Solves `z = W r + q + |z_T| e`, `z o r = 0` on scaled cones by Newton with Nesterov–Todd scaling and Mehrotra's
/// predictor and corrector; the derivative of the de Saxcé term $\|u_T\|$ is part of the Newton matrix
/// $$ K = W + (J^\top - E) F J, $$
/// one factorisation an iteration. Rolling contacts have two cones that share the normal impulse.
///
/// W needs neither symmetry nor full rank. 10 to 50 iterations whatever the size; stops by rounding between 1e-9 and
/// 1e-11. A start may jam on the way: another is tried, and the best point of all is returned. For Coulomb, rolling,
/// frictionless contacts and joints; with a Tresca contact it reports [`Status::Unsupported`] at once.
///
/// # Reference
/// Acary, Armand, Nguyen & Shpakovych, interior point methods for frictional contact (the row s = |u_T| inside Newton);
/// Nesterov & Todd 1998; Mehrotra 1992.
#[derive(Debug, Clone, Default)]
pub struct Ipm {
    options: IpmOptions,
}

impl Ipm {
    /// A solver with these options.
    pub fn new(options: IpmOptions) -> Self {
        Self { options }
    }

    /// Whether every cone is one this method knows.
    pub fn knows(cones: &[Cone]) -> bool {
        !cones.iter().any(|c| matches!(c, Cone::Tresca { .. }))
    }
}

/// What all starts share.
struct Course<'a, 'w, const D: usize, W> {
    problem: &'a LocalProblem<D, W>,
    stop: &'a Stop,
    scales: Scales,
    begun: Instant,
    watch: &'a mut Watch<'w>,
    iterations: usize,
    best: Vec<[f64; D]>,
    best_error: f64,
    u: Vec<[f64; D]>,
    v: Vec<f64>,
}

impl<const D: usize, W: Delassus<D>> Course<'_, '_, D, W> {
    /// Certifies r and keeps the best.
    fn check(&mut self, r: &[[f64; D]]) -> f64 {
        self.problem.velocity(r, &mut self.u, &mut self.v);
        let error = self.scales.error(self.stop.measure, &self.problem.cones, r, &self.u);
        if error < self.best_error {
            self.best_error = error;
            self.best.copy_from_slice(r);
        }
        error
    }

    /// Why to stop for good, if there is a reason.
    fn verdict(&mut self, error: f64) -> Option<Status> {
        let progress = Progress { iteration: self.iterations, error: Some(error), estimate: error, start: self.begun };
        let flow = (self.watch)(&progress);
        if self.best_error <= self.stop.tolerance {
            Some(Status::Converged)
        } else if flow == Flow::Stop {
            Some(Status::Interrupted)
        } else if self.iterations >= self.stop.max_iterations {
            Some(Status::IterationLimit)
        } else if self.stop.time_limit.is_some_and(|t| self.begun.elapsed() >= t) {
            Some(Status::TimeLimit)
        } else {
            None
        }
    }
}

impl<const D: usize, W: Delassus<D>> Solver<D, W> for Ipm {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let n = problem.contacts();
        x.r.resize(n, [0.0; D]);
        let mut course = Course {
            problem,
            stop,
            scales: Scales::of(problem),
            begun: Instant::now(),
            watch,
            iterations: 0,
            best: vec![[0.0; D]; n],
            best_error: f64::INFINITY,
            u: vec![[0.0; D]; n],
            v: vec![0.0; problem.w.state_len()],
        };
        // the given start is the first best, so that nothing is lost
        let error = course.check(&x.r);
        let status = course.verdict(error).unwrap_or_else(|| self.all_starts(&mut course));
        x.r.copy_from_slice(&course.best);
        x.u.resize(n, [0.0; D]);
        problem.velocity(&x.r, &mut x.u, &mut course.v);
        let certificate = Certificate::new(problem, &course.scales, stop.measure, &x.r, &x.u);
        Report { status, iterations: course.iterations, certificate, elapsed: course.begun.elapsed(), why: Vec::new() }
    }
}

impl Ipm {
    fn all_starts<const D: usize, W: Delassus<D>>(&self, course: &mut Course<'_, '_, D, W>) -> Status {
        if !Self::knows(&course.problem.cones) {
            return Status::Unsupported;
        }
        let Some(w) = course.problem.w.assemble() else { return Status::Stalled };
        let Some(mut scaled) = scaled::Scaled::new(&w, course.problem) else { return Status::Stalled };
        for &[start, lift] in &self.options.starts {
            if let Some(status) = self.one_start(course, &mut scaled, start, lift) {
                return status;
            }
        }
        Status::Stalled
    }

    /// Runs one start until it converges (`Some`), or until it gives up (`None`).
    fn one_start<const D: usize, W: Delassus<D>>(
        &self,
        course: &mut Course<'_, '_, D, W>,
        scaled: &mut scaled::Scaled<D>,
        start: f64,
        lift: f64,
    ) -> Option<Status> {
        let mut iterate = Iterate::new(scaled, start);
        let mut r = vec![[0.0; D]; course.best.len()];
        let (mut idle, mut lifts, mut last_step, mut own_best) = (0, 0, 1.0, f64::INFINITY);
        for _ in 0..self.options.max_steps {
            let step = iterate.newton(scaled, 0.9 + 0.09 * last_step)?;
            course.iterations += 1;
            // two short steps in a row: lift both sides off the boundary
            if step < 0.1 && last_step < 0.1 && lifts < self.options.max_lifts {
                iterate.lift(scaled, lift);
                lifts += 1;
            }
            last_step = step;
            iterate.original(scaled, &mut r);
            let error = course.check(&r);
            if let Some(status) = course.verdict(error) {
                return Some(status);
            }
            if error < own_best {
                (own_best, idle) = (error, 0);
            } else {
                idle += 1;
            }
            if idle >= self.options.patience || !error.is_finite() {
                return None;
            }
        }
        None
    }
}
