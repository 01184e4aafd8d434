//! What the stages of an automatic choice share: the best point, the budget, and the rate of the last sweeps.

use super::super::{Flow, Progress, Report, Solver, Status, Stop, Unknowns, Watch, Why};
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// One problem on its way through the stages.
pub(super) struct Portfolio<'a, 'w, const D: usize, W> {
    pub problem: &'a LocalProblem<D, W>,
    pub x: &'a mut Unknowns<D>,
    pub stop: &'a Stop,
    pub watch: &'a mut Watch<'w>,
    pub begun: Instant,
    pub iterations: usize,
    pub why: Why,
    /// The start was r = 0.
    pub cold: bool,
    /// Whether to look for islands.
    pub islands: bool,
}

/// The moves of sweeps, and errors that were computed, which are on a scale of their own.
#[derive(Default)]
struct Moves {
    half: usize,
    moves: Pair,
    errors: Pair,
}

/// Something seen in the middle of a stage and at its end.
#[derive(Default)]
struct Pair {
    middle: Option<(usize, f64)>,
    last: Option<(usize, f64)>,
}

impl Moves {
    fn see(&mut self, p: &Progress) {
        let pair = if p.error.is_some() { &mut self.errors } else { &mut self.moves };
        pair.last = Some((p.iteration, p.estimate));
        if p.iteration <= self.half {
            pair.middle = pair.last;
        }
    }

    /// Digits (to base e) that a sweep gained in the second half of the stage, from its moves where there are any.
    fn rate(&self) -> f64 {
        self.moves.rate().or(self.errors.rate()).unwrap_or(0.0)
    }
}

impl Pair {
    fn rate(&self) -> Option<f64> {
        match (self.middle?, self.last?) {
            ((i, a), (j, b)) if j > i => Some(if a > b && b > 0.0 { (a / b).ln() / (j - i) as f64 } else { 0.0 }),
            _ => None,
        }
    }
}

/// The error that a method left behind, if it has begun: it goes on from its own point, with what it remembers, unless others have gained
/// on it since.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Left(Option<f64>);

impl Left {
    /// What a stage left.
    pub fn at(report: &Report) -> Self {
        Self(Some(report.certificate.error))
    }

    /// Whether it goes on, the best point having this error, unless so much or less is left of its own.
    pub fn goes_on(self, error: f64, overtaken: f64) -> bool {
        self.0.is_some_and(|left| error > overtaken * left)
    }
}

/// How long a method is waited for.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    /// Iterations in all.
    pub most: usize,
    /// Iterations in which the error must fall below so much of what it was.
    pub idle: usize,
    pub fallen: f64,
}

/// Iterations over which the fall of an error is measured.
const WINDOW: usize = 5;

/// The first error, and the least ones so far at the last iterations.
#[derive(Default)]
struct Fall {
    first: f64,
    least: [f64; WINDOW],
}

impl Fall {
    /// Iterations that are missing to `tolerance` at the pace of the last ones, or at half that of all, whichever is
    /// faster: errors fall in steps. `None` while there are too few.
    fn missing(&mut self, iteration: usize, error: f64, tolerance: f64) -> Option<f64> {
        let before = self.least[iteration % WINDOW];
        if iteration == 0 {
            (self.first, self.least) = (error, [error; WINDOW]);
        }
        let least = error.min(self.least[(iteration + WINDOW - 1) % WINDOW]);
        self.least[iteration % WINDOW] = least;
        let pace = (before / least).ln() / WINDOW as f64;
        let overall = (self.first / least).ln() / iteration as f64;
        (iteration >= WINDOW).then(|| (least / tolerance).ln() / pace.max(0.5 * overall))
    }
}

impl<'a, 'w, const D: usize, W: Sweep<D> + 'static> Portfolio<'a, 'w, D, W> {
    pub fn new(
        problem: &'a LocalProblem<D, W>,
        x: &'a mut Unknowns<D>,
        stop: &'a Stop,
        watch: &'a mut Watch<'w>,
    ) -> Self {
        let cold = x.r.iter().all(|r| *r == [0.0; D]);
        Self { problem, x, stop, watch, begun: stop.start(), iterations: 0, why: Why::default(), cold, islands: false }
    }

    /// What is left of the budget, and at most so many iterations.
    pub fn left(&self, max_iterations: usize) -> Stop {
        let left = self.stop.max_iterations.saturating_sub(self.iterations);
        Stop { max_iterations: max_iterations.min(left), since: Some(self.begun), ..*self.stop }
    }

    /// What is left of the time.
    pub fn time_left(&self) -> Option<Duration> {
        self.stop.time_limit.map(|t| t.saturating_sub(self.begun.elapsed()))
    }

    /// Runs one stage from the best point; its answer replaces it only when it is better.
    pub fn stage(&mut self, solver: &mut dyn Solver<D, W>, max_iterations: usize) -> Report {
        self.sweeps(solver, max_iterations).0
    }

    /// The same from r = 0: a method that takes the size of its impulses from r is misled by sweeps that have not yet
    /// carried the load of a high pile down, and by impulses of a problem that was not quite this one. The best point is
    /// kept.
    pub fn stage_anew(&mut self, solver: &mut dyn Solver<D, W>, max_iterations: usize, best: &Report) -> Report {
        let kept = self.x.clone();
        self.x.r.fill([0.0; D]);
        let report = self.stage(solver, max_iterations);
        if report.certificate.error <= best.certificate.error {
            return report;
        }
        *self.x = kept;
        Report { certificate: best.certificate, ..report }
    }

    /// The same, with the digits that a sweep gained in the second half.
    pub fn sweeps(&mut self, solver: &mut dyn Solver<D, W>, max_iterations: usize) -> (Report, f64) {
        let mut moves = Moves { half: max_iterations / 2, ..Moves::default() };
        let report = self.seen(solver, max_iterations, |p| {
            moves.see(p);
            Flow::Continue
        });
        (report, moves.rate())
    }

    /// One stage that goes on while its errors promise an end: `pays` is told the iterations done, those missing and the
    /// error. Returns the last but one of these too.
    pub fn stage_while(
        &mut self,
        solver: &mut dyn Solver<D, W>,
        mut pays: impl FnMut(f64, f64, f64) -> bool,
    ) -> (Report, f64) {
        let (mut fall, mut last) = (Fall::default(), f64::INFINITY);
        let tolerance = self.stop.tolerance;
        let report = self.stage_until(solver, usize::MAX, |iteration, error| {
            fall.missing(iteration, error, tolerance).is_some_and(|missing| {
                last = missing;
                !pays(iteration as f64, missing, error)
            })
        });
        (report, last)
    }

    /// One stage that ends when its error has not fallen by so much within so many iterations; that of the start does not count,
    /// which an interior point leaves.
    pub fn stage_unless_jammed(
        &mut self,
        solver: &mut dyn Solver<D, W>,
        Patience { most, idle, fallen }: Patience,
    ) -> Report {
        let (mut least, mut at) = (f64::INFINITY, 0);
        self.stage_until(solver, most, |iteration, error| {
            if iteration > 0 && error < fallen * least {
                (least, at) = (error, iteration);
            }
            iteration > 0 && iteration - at >= idle
        })
    }

    /// One stage that ends when two iterations have not halved its error.
    pub fn stage_while_halving(&mut self, solver: &mut dyn Solver<D, W>, max_iterations: usize) -> Report {
        let mut last = [f64::INFINITY; 2];
        self.stage_until(solver, max_iterations, |iteration, error| {
            let [before, between] = if iteration == 0 { [f64::INFINITY; 2] } else { last };
            last = [between, error];
            error > 0.5 * before
        })
    }

    /// One stage of errors that are seldom computed: it ends when two in a row are not below so much of the last. That of the
    /// start and the first after it do not count: loads have yet to find their way. After one that is not below, the next must
    /// come within so many iterations.
    pub fn stage_while_falling(
        &mut self,
        solver: &mut dyn Solver<D, W>,
        (max_iterations, part, within): (usize, f64, usize),
    ) -> Report {
        let (mut last, mut seen, mut stuck, mut at) = (f64::INFINITY, 0, 0, 0);
        self.stage_until(solver, max_iterations, |iteration, error| {
            let before = std::mem::replace(&mut last, error);
            if error != before {
                (seen, at) = (seen + 1, iteration);
                stuck = if seen > 2 && error > part * before { stuck + 1 } else { 0 };
            }
            stuck == 2 || (stuck == 1 && iteration - at >= within)
        })
    }

    /// One stage that counts as stalled where it is given up: `gives_up` is told its iterations and errors.
    pub fn stage_until(
        &mut self,
        solver: &mut dyn Solver<D, W>,
        max_iterations: usize,
        mut gives_up: impl FnMut(usize, f64) -> bool,
    ) -> Report {
        let mut given_up = false;
        let mut report = self.seen(solver, max_iterations, |p| {
            given_up = gives_up(p.iteration, p.error.unwrap_or(p.estimate));
            if given_up { Flow::Stop } else { Flow::Continue }
        });
        if given_up && report.status == Status::Interrupted {
            report.status = Status::Stalled;
        }
        report
    }

    /// A stage within the budget, seen by the portfolio too; who watches counts all iterations and may stop it first.
    fn seen(
        &mut self,
        solver: &mut dyn Solver<D, W>,
        max_iterations: usize,
        mut see: impl FnMut(&Progress) -> Flow,
    ) -> Report {
        let stop = self.left(max_iterations);
        let (before, begun, watch) = (self.iterations, self.begun, &mut *self.watch);
        let report = solver.solve(self.problem, self.x, &stop, &mut |p| match watch(&Progress {
            iteration: before + p.iteration,
            start: begun,
            ..*p
        }) {
            Flow::Stop => Flow::Stop,
            Flow::Continue => see(p),
        });
        self.iterations += report.iterations;
        report
    }

    pub fn say(&mut self, what: &'static str, report: &Report) {
        self.why.stage(what, report.iterations, report.certificate.error);
    }

    /// The report of a stage that did not end the portfolio; breaks with the status of the whole where it did.
    pub fn unless_over(&self, report: Report) -> ControlFlow<Report, Report> {
        match self.over(&report) {
            Some(status) => ControlFlow::Break(Report { status, ..report }),
            None => ControlFlow::Continue(report),
        }
    }

    /// Whether the user or a limit ends the whole portfolio.
    pub fn over(&self, report: &Report) -> Option<Status> {
        match report.status {
            Status::Converged | Status::Interrupted => Some(report.status),
            _ => self.stop.limit(self.iterations, self.begun),
        }
    }
}
