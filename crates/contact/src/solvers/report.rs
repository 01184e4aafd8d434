//! What a solver says when it is done.

use super::Why;
use crate::certificate::Certificate;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The certificate holds.
    Converged,
    /// The iterations ran out.
    IterationLimit,
    /// The time ran out.
    TimeLimit,
    /// The iterates no longer move, short of the tolerance.
    Stalled,
    /// The iterates left the numbers.
    Diverged,
    /// The watcher asked to stop.
    Interrupted,
    /// The solver does not treat one of the laws, or needs a W that would not fit in memory; nothing was done.
    Unsupported,
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Status::Converged => "converged",
            Status::IterationLimit => "iteration limit reached",
            Status::TimeLimit => "time limit reached",
            Status::Stalled => "stalled: the iterates no longer move",
            Status::Diverged => "diverged",
            Status::Interrupted => "interrupted",
            Status::Unsupported => "not tried: the solver does not treat this law of contact or size of W",
        })
    }
}

/// The end of a solve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// How it ended.
    pub status: Status,
    /// Iterations (sweeps for Gauss-Seidel).
    pub iterations: usize,
    /// The certificate of the answer, recomputed from r.
    pub certificate: Certificate,
    /// Time spent in the solver.
    pub elapsed: Duration,
    /// What an automatic choice did and why, step by step; empty for a single solver.
    #[serde(default)]
    pub why: Why,
}

impl Report {
    /// Whether the certificate holds.
    pub fn converged(&self) -> bool {
        self.status == Status::Converged
    }
}
