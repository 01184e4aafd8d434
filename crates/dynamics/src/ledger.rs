//! Where the energy went.
//!
//! With $\bar v = (v_k + v_{k+1})/2$ and $\bar u$ likewise, the discrete equations $M(v_{k+1} - v_k) = hF + H r$ give
//! $$ T_{k+1} - T_k = h F \cdot \bar v + r \cdot \bar u - (H r)_{driven} \cdot \bar v_{driven} $$
//! exactly. The first term is the work of forces, the second what contacts take (normal rows: impacts; tangential rows:
//! friction; rolling rows), the third the work of driven bodies. What gravity and springs give to the velocities differs
//! from what the positions take from their potential by the error of the scheme. Each entry is computed from its own
//! formula; `closure` is what is left of the sum, and should be rounding.
//!
//! Contacts and scheme together may only take. What they have taken, less what soft contacts hold, is therefore never
//! much below the most that it was: the difference is energy that appeared, in one step or in many, [`Ledger::gained`].

use serde::{Deserialize, Serialize};

/// Energies now and works since the start (J).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Ledger {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy of gravity and springs.
    pub potential: f64,
    /// Work done by driven bodies.
    pub work_driven: f64,
    /// Work done by forces without a potential: constants, dampers, functions of time.
    pub work_external: f64,
    /// Dissipated by friction.
    pub friction: f64,
    /// Dissipated by impacts.
    pub impact: f64,
    /// Dissipated by rolling and spinning resistance.
    pub rolling: f64,
    /// Dissipated by the scheme; negative when it gives energy.
    pub scheme: f64,
    /// Brought by bodies that appeared, less that of bodies that left.
    pub exchanged: f64,
    /// `kinetic + potential - start - works + dissipations`: zero but for rounding.
    pub closure: f64,
    /// Sum of the sizes of all works and dissipations: what the closure is to be compared with.
    pub turnover: f64,
    /// Held by soft contacts; in `impact` and `friction` until it comes back.
    pub stored: f64,
    /// Energy at the start.
    start: f64,
    /// Held by soft contacts that overlapped at the start; `None` before the first step.
    stored_start: Option<f64>,
    /// The most that contacts and scheme had taken so far.
    most_taken: f64,
    /// The largest kinetic energy so far.
    most_kinetic: f64,
}

/// What one step adds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct StepWork {
    pub driven: f64,
    pub external: f64,
    pub friction: f64,
    pub impact: f64,
    pub rolling: f64,
    pub scheme: f64,
    /// Held by soft contacts at the end of the step.
    pub stored: f64,
    /// Kinetic energy that forces alone would give bodies at rest in the step: what is small beside it is no gain.
    pub scale: f64,
}

/// Energy that appeared beyond what the ledger explains.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EnergyAlarm {
    /// Contacts and scheme have given more than a small part of the largest kinetic energy so far: the step is too large,
    /// or bodies overlap.
    Gain {
        /// Energy that has appeared (J).
        gained: f64,
    },
    /// The ledger does not close: a defect of the program.
    OpenLedger {
        /// What is left (J).
        closure: f64,
    },
}

impl std::fmt::Display for EnergyAlarm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Gain { gained } => write!(
                f,
                "energy appeared ({gained:.1e} J that no force and no drive brought): take a smaller step, \
                 or look for overlaps with 'check'"
            ),
            Self::OpenLedger { closure } => {
                write!(
                    f,
                    "the energy ledger does not close ({closure:.1e} J): a defect of the program, please report it"
                )
            }
        }
    }
}

/// Contacts and scheme may give this part of the largest kinetic energy before it is reported.
const GAIN: f64 = 2e-2;
/// What forces give bodies at rest in a step, so many times, is no gain: stacks at rest have no other energy.
const AT_REST: f64 = 10.0;
/// Rounding stays below this part of all energy turned over.
const ROUNDING: f64 = 1e-9;

impl Ledger {
    /// Begins with these energies.
    pub(crate) fn begin(&mut self, kinetic: f64, potential: f64) {
        let start = kinetic + potential;
        *self = Ledger { kinetic, potential, start, most_kinetic: kinetic, ..Ledger::default() };
    }

    /// Takes the account of bodies that came or went.
    pub(crate) fn exchange(&mut self, kinetic: f64, potential: f64) {
        self.exchanged += kinetic + potential - self.kinetic - self.potential;
        (self.kinetic, self.potential) = (kinetic, potential);
    }

    /// What contacts and scheme have taken, less what soft contacts hold more than at the start.
    fn taken(&self) -> f64 {
        let held = self.stored - self.stored_start.unwrap_or(0.0);
        self.friction + self.impact + self.rolling + self.scheme - held
    }

    /// Energy that appeared: what contacts and scheme have given since they had taken most (J).
    pub fn gained(&self) -> f64 {
        self.most_taken - self.taken()
    }

    /// Whether all energies are numbers.
    pub fn is_finite(&self) -> bool {
        (self.closure + self.turnover + self.taken()).is_finite()
    }

    /// The part of the energy turned over that the ledger does not explain; NaN when it has lost its numbers.
    pub fn relative_closure(&self) -> f64 {
        let scale = self.turnover + self.kinetic.abs() + self.potential.abs();
        match self.is_finite() && scale.is_finite() {
            true if scale == 0.0 => 0.0,
            true => self.closure.abs() / scale,
            false => f64::NAN,
        }
    }

    /// Adds a step that ended with these energies.
    pub(crate) fn add(&mut self, work: &StepWork, kinetic: f64, potential: f64) -> Option<EnergyAlarm> {
        let change = (kinetic - self.kinetic).abs() + (potential - self.potential).abs();
        self.kinetic = kinetic;
        self.potential = potential;
        self.work_driven += work.driven;
        self.work_external += work.external;
        self.friction += work.friction;
        self.impact += work.impact;
        self.rolling += work.rolling;
        self.scheme += work.scheme;
        self.stored = work.stored;
        self.stored_start.get_or_insert(work.stored);
        let sizes = [work.driven, work.external, work.friction, work.impact, work.rolling];
        self.turnover += sizes.iter().map(|w| w.abs()).sum::<f64>() + change;
        self.closure = kinetic + potential - self.start - self.exchanged - self.work_driven - self.work_external
            + self.friction
            + self.impact
            + self.rolling
            + self.scheme;
        self.most_taken = self.most_taken.max(self.taken());
        self.most_kinetic = self.most_kinetic.max(kinetic);
        self.alarm(work.scale)
    }

    /// What is wrong after a step in which forces alone give bodies at rest the energy `scale`.
    fn alarm(&self, scale: f64) -> Option<EnergyAlarm> {
        let closure = self.relative_closure();
        if closure.is_nan() || closure > ROUNDING {
            return Some(EnergyAlarm::OpenLedger { closure: self.closure });
        }
        let gained = self.gained();
        (gained > GAIN * self.most_kinetic + AT_REST * scale).then_some(EnergyAlarm::Gain { gained })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun() -> Ledger {
        let mut ledger = Ledger::default();
        ledger.begin(2.0, 1.0);
        ledger
    }

    #[test]
    fn what_is_taken_closes_and_what_is_given_is_gained() {
        let mut l = begun();
        let lost = StepWork { impact: 0.5, ..StepWork::default() };
        assert_eq!(l.add(&lost, 1.5, 1.0), None);
        assert_eq!((l.closure, l.gained(), l.relative_closure()), (0.0, 0.0, 0.0));
        // friction gives a little of it back, again and again: each time less than is told of
        let given = StepWork { friction: -0.015, ..StepWork::default() };
        let told: Vec<bool> = (1..=4).map(|k| l.add(&given, 1.5 + 0.015 * k as f64, 1.0).is_some()).collect();
        assert_eq!(told, [false, false, true, true]);
        assert!((l.gained() - 0.06).abs() < 1e-15);
    }

    #[test]
    fn what_soft_contacts_hold_is_no_loss() {
        let mut l = begun();
        let press = |friction, stored| StepWork { friction, stored, ..StepWork::default() };
        assert_eq!(l.add(&press(0.0, 0.0), 2.0, 1.0), None);
        assert_eq!(l.add(&press(1.0, 1.0), 1.0, 1.0), None);
        assert_eq!(l.add(&press(-1.0, 0.0), 2.0, 1.0), None);
        assert_eq!(l.gained(), 0.0);
    }

    #[test]
    fn energies_that_are_no_numbers_never_close() {
        for (work, kinetic) in [(f64::NAN, 2.0), (f64::INFINITY, 2.0), (0.0, f64::INFINITY), (0.0, f64::NAN)] {
            let mut l = begun();
            let alarm = l.add(&StepWork { friction: work, ..StepWork::default() }, kinetic, 1.0);
            assert!(matches!(alarm, Some(EnergyAlarm::OpenLedger { .. })), "{work} {kinetic}: {alarm:?}");
            assert!(l.relative_closure().is_nan() && !l.is_finite());
        }
    }
}
