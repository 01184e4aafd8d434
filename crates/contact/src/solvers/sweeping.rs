//! The loop of methods made of sweeps: a light test says when to look at the certificate, which alone decides.

use super::course::{Course, Memory};
use super::vector::dot_lanes;
use super::{Flow, Progress, Report, Status, Stop, StopTest, Unknowns, Watch};
use crate::certificate::Measure;
use crate::cone::rolls;
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use crate::wide::wide;
use pulp::Arch;

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
    pub course: Course<'a, D, W>,
    /// Certified error over light estimate, from the last evaluation.
    calibration: f64,
    last_check: usize,
    /// Whether the start was r = 0.
    cold: bool,
    /// Whether contacts roll: one visit takes many times as long as its share of a certificate.
    rolls: bool,
    /// Contacts solved since the clock was last read.
    unclocked: usize,
}

/// Sweeps from r = 0 after which estimates that watchers rely on are set against the certificate, whatever they say; the
/// first sweep from a warm start says enough.
const CALIBRATED_AT: usize = 6;
/// From r = 0 an easy problem may be solved by the first sweep.
const EASY: usize = 1;

/// A sweep over this many contacts takes longer than reading the clock.
const CLOCK_WORTH: usize = 1000;

fn interrupted(flow: Flow) -> Option<Status> {
    (flow == Flow::Stop).then_some(Status::Interrupted)
}

impl<'a, const D: usize, W: Sweep<D> + ?Sized> Sweeping<'a, D, W> {
    /// Starts the clock, brings `x` and the scratch to the size of the problem and certifies the start, which may be the
    /// answer already.
    pub fn begin(
        problem: &'a LocalProblem<D, W>,
        stop: &'a Stop,
        memory: &'a mut Memory<D>,
        x: &mut Unknowns<D>,
    ) -> Self {
        let course = Course::begin(problem, stop, memory, x);
        let cold = x.r.iter().all(|r| *r == [0.0; D]);
        Self { course, calibration: 1.0, last_check: 0, cold, rolls: rolls(&problem.cones), unclocked: 0 }
    }

    /// Nothing done: the certificate of the start, and why.
    pub fn refuse(self, x: &mut Unknowns<D>, why: String) -> Report {
        Report { why: why.into(), ..self.course.finish(x, Status::Unsupported) }
    }

    /// Sweeps until the certificate holds or a limit is met. `sweep` is given r and its state, leaves both moved, and
    /// returns the norm of all moves.
    pub fn run(
        mut self,
        x: &mut Unknowns<D>,
        watch: &mut Watch<'_>,
        looks: &Looks,
        sweep: impl FnMut(&mut [[f64; D]], &mut [f64]) -> f64,
    ) -> Report {
        let status = self.sweeps(x, watch, looks, sweep);
        self.course.finish(x, status)
    }

    /// The same, and leaves x where the last sweep came to, which need not be the best.
    pub fn sweeps(
        &mut self,
        x: &mut Unknowns<D>,
        watch: &mut Watch<'_>,
        looks: &Looks,
        mut sweep: impl FnMut(&mut [[f64; D]], &mut [f64]) -> f64,
    ) -> Status {
        let start = self.course.start;
        loop {
            let (iteration, error) = (self.course.iteration, self.course.error);
            let flow = watch(&Progress { iteration, error: Some(error), estimate: error, start });
            if let Some(status) = self.course.verdict().or_else(|| interrupted(flow)) {
                return status;
            }
            // sweep until the light test asks for the certificate
            let status = loop {
                let moved = sweep(&mut x.r, &mut self.course.memory.v);
                self.course.iteration += 1;
                let estimate = self.light(moved, &x.r);
                if self.course.iteration == 1 {
                    // the first sweep moves by what was wrong with the start
                    self.calibrate(estimate);
                }
                let settled = looks.settled.is_some_and(|s| estimate <= s);
                if settled || self.wants_check(looks, estimate) {
                    let error = self.look(estimate, x);
                    // the fixed point of the law that is swept, not what came nearest to that of the cone
                    self.course.at_best |= settled;
                    let still = (settled || moved == 0.0) && error > self.course.stop.tolerance;
                    break still.then_some(Status::Stalled);
                }
                let estimate = if looks.calibrated { estimate * self.calibration } else { estimate };
                let progress = Progress { iteration: self.course.iteration, error: None, estimate, start };
                if let Some(status) = interrupted(watch(&progress)) {
                    let error = self.course.check(x);
                    break Some(if error <= self.course.stop.tolerance { Status::Converged } else { status });
                }
            };
            if let Some(status) = status {
                return status;
            }
        }
    }

    /// Certifies x, and calibrates the light estimate.
    fn look(&mut self, estimate: f64, x: &mut Unknowns<D>) -> f64 {
        let error = self.course.check(x);
        self.calibrate(estimate);
        self.last_check = self.course.iteration;
        error
    }

    /// Sets the light estimate against the last certified error.
    fn calibrate(&mut self, estimate: f64) {
        let error = self.course.error;
        if estimate > 0.0 && error.is_finite() {
            self.calibration = error / estimate;
        }
    }

    /// The light estimate: the moves of a sweep as velocities, over what the measure puts errors over.
    fn light(&self, moved: f64, r: &[[f64; D]]) -> f64 {
        let (w, q) = (self.course.scales.impulse, self.course.scales.q);
        let r = r.as_flattened();
        let length = || {
            let square = wide(
                Arch::new(),
                #[inline(always)]
                || dot_lanes(r, r),
            );
            square.sqrt()
        };
        match self.course.stop.measure {
            Measure::Scaled => w * moved / q.max(f64::MIN_POSITIVE),
            Measure::Force => w * moved / q.max(w * length()).max(f64::MIN_POSITIVE),
            Measure::Fclib => w.min(1.0) * moved / q.max(f64::MIN_POSITIVE),
            Measure::Siconos => w.min(1.0) * moved / q.max(length()).max(f64::MIN_POSITIVE),
            Measure::EpsGlob => w * moved / (self.course.problem.contacts() as f64).sqrt(),
        }
    }

    /// Whether the time is up; the clock is read when enough work was done for it to have moved.
    fn out_of_time(&mut self) -> bool {
        self.unclocked += self.course.problem.contacts();
        if self.unclocked < CLOCK_WORTH {
            return false;
        }
        self.unclocked = 0;
        self.course.out_of_time()
    }

    fn wants_check(&mut self, looks: &Looks, estimate: f64) -> bool {
        let (iteration, stop) = (self.course.iteration, self.course.stop);
        let out_of_time = self.out_of_time();
        let forced = iteration >= stop.max_iterations || out_of_time || !estimate.is_finite() || estimate == 0.0;
        let since = iteration - self.last_check;
        forced
            || match looks.test {
                StopTest::Exact { every } => since >= every.max(1),
                // the calibration drifts slowly: look again after a tenth more sweeps at the latest
                StopTest::Light => {
                    self.rolls
                        || (self.cold && iteration == EASY)
                        || (self.cold && looks.calibrated && iteration == CALIBRATED_AT)
                        || estimate * self.calibration <= stop.tolerance
                        || since >= (self.last_check / 10).max(20)
                }
            }
    }
}
