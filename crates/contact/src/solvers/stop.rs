//! When to stop, and who may look on.

use super::Status;
use crate::certificate::Measure;
use std::time::{Duration, Instant};

/// The limits of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stop {
    /// The certificate's error must come down to this.
    pub tolerance: f64,
    /// The measure that the error is in.
    pub measure: Measure,
    /// Most iterations.
    pub max_iterations: usize,
    /// Most time; the solver returns within this plus one iteration.
    pub time_limit: Option<Duration>,
    /// When the clock was started, if that was before the solve: the time limit and what a report says elapsed count from there.
    /// To read a clock takes as long as a few contacts do, and one who has read it need not do so again.
    pub since: Option<Instant>,
}

impl Default for Stop {
    /// 1e-8 in the unit-free measure, 100,000 iterations, no time limit.
    fn default() -> Self {
        Self { tolerance: 1e-8, measure: Measure::Scaled, max_iterations: 100_000, time_limit: None, since: None }
    }
}

impl Stop {
    /// When the clock of a solve that begins now was started.
    pub(crate) fn start(&self) -> Instant {
        self.since.unwrap_or_else(Instant::now)
    }

    /// The limit that is met after so many iterations since `start`, if one is.
    pub(crate) fn limit(&self, iterations: usize, start: Instant) -> Option<Status> {
        if iterations >= self.max_iterations {
            Some(Status::IterationLimit)
        } else if self.time_limit.is_some_and(|t| start.elapsed() >= t) {
            Some(Status::TimeLimit)
        } else {
            None
        }
    }
}

/// Multiplications and additions a second that no core of today exceeds.
const FASTEST: f64 = 5e10;

impl Stop {
    /// Whether so many operations may end within the time that is left, on the fastest of machines.
    pub(crate) fn leaves_time_for(&self, flops: f64, start: Instant) -> bool {
        self.time_limit.is_none_or(|t| flops <= FASTEST * t.saturating_sub(start.elapsed()).as_secs_f64())
    }

    /// The most entries that a factor of n rows may have to be ready within the time that is left: its work is at least
    /// the square of its entries over its rows.
    pub(crate) fn most_entries(&self, n: usize, start: Instant) -> usize {
        let left = |t: Duration| t.saturating_sub(start.elapsed()).as_secs_f64();
        self.time_limit.map_or(usize::MAX, |t| (FASTEST * left(t) * n as f64).sqrt() as usize)
    }
}

/// What a watcher sees after an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Iterations so far.
    pub iteration: usize,
    /// The certified error at this iteration, when it was computed.
    pub error: Option<f64>,
    /// A cheap estimate of it.
    pub estimate: f64,
    /// When the solve began: the clock is read only by watchers who want it.
    pub start: Instant,
}

impl Progress {
    /// Time so far.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// Stop after this iteration and report the best iterate.
    Stop,
}

/// Called after every iteration: history, progress and cancellation all pass here.
pub type Watch<'a> = dyn FnMut(&Progress) -> Flow + 'a;

/// A watcher that looks away.
pub fn unwatched() -> impl FnMut(&Progress) -> Flow {
    |_| Flow::Continue
}
