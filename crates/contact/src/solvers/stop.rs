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
}

impl Default for Stop {
    /// 1e-8 in the unit-free measure, 100,000 iterations, no time limit.
    fn default() -> Self {
        Self { tolerance: 1e-8, measure: Measure::Scaled, max_iterations: 100_000, time_limit: None }
    }
}

impl Stop {
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
