//! The loop of methods made of sweeps: a light test says when to look at the certificate, which alone decides.

use super::course::Memory;
use super::vector::dot_lanes;
use super::{Flow, Progress, Report, Status, Stop, StopTest, Unknowns, Watch, Why};
use crate::certificate::{Certificate, Measure, Scales};
use crate::cone::rolls;
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use std::time::Instant;

/// When the loop looks at the certificate, and what it says between.
pub(super) struct Looks {
    pub test: StopTest,
    /// Ends as stalled once the light estimate of a sweep is no larger.
    pub settled: Option<f64>,
    /// Whether watchers see the estimate in the scale of the last certificate, or as it is: a pure measure of moves.
    pub calibrated: bool,
}

/// One solve by sweeps on its way.
pub(super) struct Sweeping<'a, const D: usize, W: ?Sized> {
    problem: &'a LocalProblem<D, W>,
    stop: &'a Stop,
    pub scales: Scales,
    start: Instant,
    memory: &'a mut Memory<D>,
    /// Error of the best certified iterate, which sits in the memory.
    best_error: f64,
    /// Whether x is that iterate, with its u.
    at_best: bool,
    /// Certified error over light estimate, from the last evaluation.
    calibration: f64,
    last_check: usize,
    /// Whether contacts roll: one visit takes many times as long as its share of a certificate.
    rolls: bool,
    /// Contacts solved since the clock was last read.
    unclocked: usize,
}

/// Sweeps after which estimates that watchers rely on are set against the certificate, whatever they say.
const CALIBRATED_AT: [usize; 2] = [1, 6];

/// A sweep over this many contacts takes longer than reading the clock.
const CLOCK_WORTH: usize = 1000;

fn interrupted(flow: Flow) -> Option<Status> {
    (flow == Flow::Stop).then_some(Status::Interrupted)
}

impl<'a, const D: usize, W: Sweep<D> + ?Sized> Sweeping<'a, D, W> {
    /// Starts the clock, and brings `x` and the scratch to the size of the problem.
    pub fn begin(
        problem: &'a LocalProblem<D, W>,
        stop: &'a Stop,
        memory: &'a mut Memory<D>,
        x: &mut Unknowns<D>,
    ) -> Self {
        let n = problem.contacts();
        x.r.resize(n, [0.0; D]);
        x.u.resize(n, [0.0; D]);
        memory.begin(problem);
        let (scales, start) = (Scales::of(problem), Instant::now());
        let (best_error, rolls) = (f64::INFINITY, rolls(&problem.cones));
        let (at_best, calibration, last_check, unclocked) = (false, 1.0, 0, 0);
        Self { problem, stop, scales, start, memory, best_error, at_best, calibration, last_check, rolls, unclocked }
    }

    /// Nothing done: the certificate of the start, and why.
    pub fn refuse(mut self, x: &mut Unknowns<D>, why: String) -> Report {
        self.check(x);
        Report { why: why.into(), ..self.finish(x, Status::Unsupported, 0) }
    }

    /// Sweeps until the certificate holds or a limit is met. `sweep` is given r and its state, leaves both moved, and
    /// returns the norm of all moves.
    pub fn run(
        mut self,
        x: &mut Unknowns<D>,
        watch: &mut Watch<'_>,
        looks: &Looks,
        mut sweep: impl FnMut(&mut [[f64; D]], &mut [f64]) -> f64,
    ) -> Report {
        let start = self.start;
        let mut iteration = 0;
        // a warm start may be the answer already
        let mut error = self.check(x);
        let status = loop {
            let flow = watch(&Progress { iteration, error: Some(error), estimate: error, start });
            if let Some(status) = self.verdict(error, iteration).or_else(|| interrupted(flow)) {
                break status;
            }
            // sweep until the light test asks for the certificate
            let status = loop {
                let moved = sweep(&mut x.r, &mut self.memory.v);
                iteration += 1;
                let estimate = self.light(moved, &x.r);
                let settled = looks.settled.is_some_and(|s| estimate <= s);
                if settled || self.wants_check(looks, estimate, iteration) {
                    error = self.check(x);
                    if estimate > 0.0 && error.is_finite() {
                        self.calibration = error / estimate;
                    }
                    self.last_check = iteration;
                    // the fixed point of the law that is swept, not what came nearest to that of the cone
                    self.at_best |= settled;
                    let still = (settled || moved == 0.0) && error > self.stop.tolerance;
                    break still.then_some(Status::Stalled);
                }
                let estimate = if looks.calibrated { estimate * self.calibration } else { estimate };
                if let Some(status) = interrupted(watch(&Progress { iteration, error: None, estimate, start })) {
                    error = self.check(x);
                    break Some(if error <= self.stop.tolerance { Status::Converged } else { status });
                }
            };
            if let Some(status) = status {
                break status;
            }
        };
        self.finish(x, status, iteration)
    }

    /// The light estimate: the moves of a sweep as velocities, over what the measure puts errors over.
    fn light(&self, moved: f64, r: &[[f64; D]]) -> f64 {
        let w = self.scales.impulse;
        let length = || dot_lanes(r.as_flattened(), r.as_flattened()).sqrt();
        match self.stop.measure {
            Measure::Scaled => w * moved / self.scales.q.max(f64::MIN_POSITIVE),
            Measure::Force => w * moved / self.scales.q.max(w * length()).max(f64::MIN_POSITIVE),
            Measure::Fclib => w.min(1.0) * moved / self.scales.q.max(f64::MIN_POSITIVE),
            Measure::Siconos => w.min(1.0) * moved / self.scales.q.max(length()).max(f64::MIN_POSITIVE),
            Measure::EpsGlob => w * moved / (r.len() as f64).sqrt(),
        }
    }

    /// Whether the time is up; the clock is read when enough work was done for it to have moved.
    fn out_of_time(&mut self) -> bool {
        self.unclocked += self.problem.contacts();
        let Some(limit) = self.stop.time_limit.filter(|_| self.unclocked >= CLOCK_WORTH) else { return false };
        self.unclocked = 0;
        self.start.elapsed() >= limit
    }

    fn wants_check(&mut self, looks: &Looks, estimate: f64, iteration: usize) -> bool {
        let out_of_time = self.out_of_time();
        let forced = iteration >= self.stop.max_iterations || out_of_time || !estimate.is_finite() || estimate == 0.0;
        let since = iteration - self.last_check;
        forced
            || match looks.test {
                StopTest::Exact { every } => since >= every.max(1),
                // the calibration drifts slowly: look again after a tenth more sweeps at the latest
                StopTest::Light => {
                    self.rolls
                        || (looks.calibrated && CALIBRATED_AT.contains(&iteration))
                        || estimate * self.calibration <= self.stop.tolerance
                        || since >= (self.last_check / 10).max(20)
                }
            }
    }

    /// Certifies x.r, keeping the best. The state is recomputed from r on the way.
    fn check(&mut self, x: &mut Unknowns<D>) -> f64 {
        self.problem.velocity(&x.r, &mut x.u, &mut self.memory.v);
        let error = self.scales.error(self.stop.measure, &self.problem.cones, &x.r, &x.u);
        self.at_best = error < self.best_error;
        if self.at_best {
            self.best_error = error;
            self.memory.best.copy_from_slice(&x.r);
        }
        error
    }

    fn verdict(&self, error: f64, iteration: usize) -> Option<Status> {
        if error <= self.stop.tolerance {
            Some(Status::Converged)
        } else if !error.is_finite() {
            Some(Status::Diverged)
        } else if iteration >= self.stop.max_iterations {
            Some(Status::IterationLimit)
        } else if self.stop.time_limit.is_some_and(|t| self.start.elapsed() >= t) {
            Some(Status::TimeLimit)
        } else {
            None
        }
    }

    /// The report of the best iterate; the last thing before it was a check.
    fn finish(self, x: &mut Unknowns<D>, status: Status, iterations: usize) -> Report {
        if !self.at_best {
            if self.best_error.is_finite() {
                x.r.copy_from_slice(&self.memory.best);
            } else {
                x.r.fill([0.0; D]);
            }
            self.problem.velocity(&x.r, &mut x.u, &mut self.memory.v);
        }
        let certificate = Certificate::new(self.problem, &self.scales, self.stop.measure, &x.r, &x.u);
        Report { status, iterations, certificate, elapsed: self.start.elapsed(), why: Why::default() }
    }
}
