//! The account of a run.

use serde::{Deserialize, Serialize};
use stickslip_dynamics::{EnergyAlarm, Ledger, StepReport};

/// What a run came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Steps taken.
    pub steps: u64,
    /// Time reached (s).
    pub t: f64,
    /// Steps that were not certified.
    pub uncertified: u64,
    /// The first of them.
    pub first_uncertified: Option<u64>,
    /// Largest certified error of a step.
    pub largest_error: f64,
    /// Iterations of the solver in all steps.
    pub iterations: u64,
    /// Contacts of the last step.
    pub contacts: usize,
    /// Most contacts of a step.
    pub most_contacts: usize,
    /// Deepest overlap (m), and when (s).
    pub penetration: f64,
    /// When that was (s).
    pub penetration_time: f64,
    /// The first step with energy unexplained, and what was wrong.
    pub alarm: Option<(u64, EnergyAlarm)>,
    /// The energies at the end.
    pub ledger: Ledger,
    /// Whether a failed step ended the run.
    pub stopped: bool,
    /// Seconds of computing in free motion, detection, assembly, solver, advance.
    pub seconds: [f64; 5],
}

impl Summary {
    /// Takes in a step.
    pub fn add(&mut self, r: &StepReport, stopped: bool) {
        (self.steps, self.t, self.ledger) = (r.step, r.t, r.ledger);
        self.uncertified = r.uncertified_steps;
        if !r.certified {
            self.first_uncertified.get_or_insert(r.step);
        }
        self.largest_error = self.largest_error.max(r.error);
        self.iterations += r.iterations as u64;
        self.contacts = r.contacts;
        self.most_contacts = self.most_contacts.max(r.contacts);
        if r.penetration > self.penetration {
            (self.penetration, self.penetration_time) = (r.penetration, r.t);
        }
        if let (None, Some(alarm)) = (self.alarm, r.alarm)
            && matters(&alarm, &r.ledger)
        {
            self.alarm = Some((r.step, alarm));
        }
        self.stopped = stopped;
        let p = &r.phases;
        for (sum, part) in self.seconds.iter_mut().zip([p.free, p.detect, p.assemble, p.solve, p.advance]) {
            *sum += part.as_secs_f64();
        }
    }

    /// The part of the energy turned over that the ledger does not explain.
    pub fn relative_closure(&self) -> f64 {
        let l = &self.ledger;
        let scale = l.turnover + l.kinetic.abs() + l.potential.abs();
        if scale > 0.0 { l.closure.abs() / scale } else { 0.0 }
    }
}

/// At rest the energies of a step are errors of the solver: a gain counts when it is seen against all energy of the scene.
fn matters(alarm: &EnergyAlarm, l: &Ledger) -> bool {
    match alarm {
        EnergyAlarm::SchemeGain { gained } => *gained > 1e-6 * (l.kinetic.abs() + l.potential.abs() + l.turnover),
        EnergyAlarm::OpenLedger { .. } => true,
    }
}
