//! What a step says when it is done.

use crate::bodies::BodyId;
use crate::ledger::{EnergyAlarm, Ledger};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use stickslip_contact::solvers::Status;

/// Time spent in the parts of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Phases {
    /// Free motion: forces and gyroscopic terms.
    pub free: Duration,
    /// Contact detection.
    pub detect: Duration,
    /// Laws, the problem and the warm start.
    pub assemble: Duration,
    /// The solver with its certificate.
    pub solve: Duration,
    /// Impulses, positions and the ledger.
    pub advance: Duration,
}

/// The account of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// Number of the step, from 1; also of one that was undone.
    pub step: u64,
    /// Time at its end, at its start when it was undone (s).
    pub t: f64,
    /// Its length (s).
    pub h: f64,
    /// Bodies.
    pub bodies: usize,
    /// Contacts within reach.
    pub detected: usize,
    /// Contacts that took part.
    pub contacts: usize,
    /// Contacts that carried an impulse.
    pub touching: usize,
    /// Of these, how many slipped.
    pub slipping: usize,
    /// How the solver ended; `Converged` when there was nothing to solve.
    pub status: Status,
    /// Iterations of the solver.
    pub iterations: usize,
    /// The certified error.
    pub error: f64,
    /// Whether contacts are soft: forces are then given by formulas, nothing can fail and nothing is certified.
    pub soft: bool,
    /// Whether the error is within the tolerance, in all parts of a halved step.
    pub certified: bool,
    /// Steps so far, this one included, that were not certified.
    pub uncertified_steps: u64,
    /// Into how many parts the step was halved: 1 when it was not.
    pub parts: u32,
    /// Deepest overlap at the start of the step (m).
    pub penetration: f64,
    /// Mean overlap of the contacts that overlap (m).
    pub mean_overlap: f64,
    /// Greatest displacement of a body in the step over its radius.
    pub courant: f64,
    /// The energies.
    pub ledger: Ledger,
    /// Energy that appeared unexplained.
    pub alarm: Option<EnergyAlarm>,
    /// The body whose state would no longer have been finite numbers: the step was undone.
    pub lost: Option<BodyId>,
    /// Bodies that appeared or left at the start of the step.
    pub exchanged: usize,
    /// Where the time went.
    pub phases: Phases,
}
