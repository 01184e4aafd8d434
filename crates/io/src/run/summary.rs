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
    /// Whether a failed step, which was undone, ended the run.
    pub stopped: bool,
    /// Whether contacts are soft: there is no certificate.
    pub soft: bool,
    /// The step (s), and the longest that resolves collisions of soft contacts, when the former is longer.
    pub long_step: Option<(f64, f64)>,
    /// Seconds of computing in free motion, detection, assembly, solver, advance.
    pub seconds: [f64; 5],
}

impl Summary {
    /// Takes in a step.
    pub fn add(&mut self, r: &StepReport, stopped: bool) {
        // a step that was undone is none that was taken
        self.steps = if stopped { r.step - 1 } else { r.step };
        (self.t, self.ledger, self.soft) = (r.t, r.ledger, r.soft);
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
        self.alarm = self.alarm.or(r.alarm.map(|alarm| (r.step, alarm)));
        self.stopped = stopped;
        let p = &r.phases;
        for (sum, part) in self.seconds.iter_mut().zip([p.free, p.detect, p.assemble, p.solve, p.advance]) {
            *sum += part.as_secs_f64();
        }
    }

    /// The part of the energy turned over that the ledger does not explain.
    pub fn relative_closure(&self) -> f64 {
        self.ledger.relative_closure()
    }

    /// Whether the steps are certified, as a line of an account.
    pub fn verdict(&self) -> String {
        match self.first_uncertified {
            _ if self.soft => "certified     nothing: soft contacts are not certified by construction".into(),
            None => format!("certified     every step; largest error {:.1e}", self.largest_error),
            Some(step) if self.stopped => {
                format!("NOT CERTIFIED step {step}, which was undone; see it with --dump-hard")
            }
            Some(step) => format!(
                "NOT CERTIFIED {} of {} steps, the first at step {step}; see them with --dump-hard",
                self.uncertified, self.steps
            ),
        }
    }

    /// What the user should know, in sentences.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some((step, alarm)) = &self.alarm {
            notes.push(format!("{alarm} (step {step})"));
        }
        notes.extend(self.note_on_long_step());
        if self.stopped {
            notes.push("a step was not certified, and the scene says to stop there".into());
        }
        notes
    }

    /// That the step is too long for soft contacts, if it is.
    pub fn note_on_long_step(&self) -> Option<String> {
        let (h, longest) = self.long_step?;
        Some(format!(
            "the step of {h:.1e} s is too long for soft contacts this stiff: some 20 steps a collision ask for \
             {longest:.1e} s; take a smaller step, or a smaller k_n"
        ))
    }
}
