//! Where the energy went.
//!
//! With $\bar v = (v_k + v_{k+1})/2$ and $\bar u$ likewise, the discrete equations $M(v_{k+1} - v_k) = hF + H r$ give
//! $$ T_{k+1} - T_k = h F \cdot \bar v + r \cdot \bar u - (H r)_{driven} \cdot \bar v_{driven} $$
//! exactly. The first term is the work of forces, the second what contacts take (normal rows: impacts; tangential rows:
//! friction; rolling rows), the third the work of driven bodies. What gravity and springs give to the velocities differs
//! from what the positions take from their potential by the error of the scheme. Each entry is computed from its own
//! formula; `closure` is what is left of the sum, and should be rounding.

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
    /// Energy at the start.
    start: f64,
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
    /// Kinetic energy that forces alone would give bodies at rest in the step: what is small beside it is no gain.
    pub scale: f64,
}

/// Energy that appeared beyond what the ledger explains.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EnergyAlarm {
    /// The scheme gave more than this part of all energy turned over: the step is too large, or bodies overlap.
    SchemeGain {
        /// Energy given in this step (J).
        gained: f64,
    },
    /// The ledger does not close: a defect of the program.
    OpenLedger {
        /// What is left (J).
        closure: f64,
    },
}

/// A scheme may give this part of all energy turned over before it is reported.
const GAIN: f64 = 1e-2;
/// Rounding stays below this part of all energy turned over.
const ROUNDING: f64 = 1e-9;

impl Ledger {
    /// Begins with these energies.
    pub(crate) fn begin(&mut self, kinetic: f64, potential: f64) {
        *self = Ledger { kinetic, potential, start: kinetic + potential, ..Ledger::default() };
    }

    /// Takes the account of bodies that came or went.
    pub(crate) fn exchange(&mut self, kinetic: f64, potential: f64) {
        self.exchanged += kinetic + potential - self.kinetic - self.potential;
        (self.kinetic, self.potential) = (kinetic, potential);
    }

    /// Adds a step that ended with these energies.
    pub(crate) fn add(&mut self, work: &StepWork, kinetic: f64, potential: f64) -> Option<EnergyAlarm> {
        let before = self.turnover;
        let change = (kinetic - self.kinetic).abs() + (potential - self.potential).abs();
        self.kinetic = kinetic;
        self.potential = potential;
        self.work_driven += work.driven;
        self.work_external += work.external;
        self.friction += work.friction;
        self.impact += work.impact;
        self.rolling += work.rolling;
        self.scheme += work.scheme;
        let sizes = [work.driven, work.external, work.friction, work.impact, work.rolling];
        self.turnover += sizes.iter().map(|w| w.abs()).sum::<f64>() + change;
        self.closure = kinetic + potential - self.start - self.exchanged - self.work_driven - self.work_external
            + self.friction
            + self.impact
            + self.rolling
            + self.scheme;
        let scale = self.turnover + self.kinetic.abs() + self.potential.abs();
        if self.closure.abs() > ROUNDING * scale {
            return Some(EnergyAlarm::OpenLedger { closure: self.closure });
        }
        // a stack at rest turns nothing over: what is less than forces give and contacts take in a step is no gain
        let gained = -work.scheme;
        (gained > GAIN * (self.kinetic + before) + work.scale).then_some(EnergyAlarm::SchemeGain { gained })
    }
}
