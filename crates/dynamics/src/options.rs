//! How a world is stepped.

use crate::error::{WorldError, positive, within};
use crate::soft_sphere::SoftSphere;
use serde::{Deserialize, Serialize};
use stickslip_contact::certificate::Measure;
use stickslip_contact::solvers::{SolverSpec, Stop};

/// When a contact takes part in a step, and what its law then asks of the velocity at the end.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// Contacts that may close within the step take part while they are still open, with the gap in the law:
    /// $$ 0 \le u_N^+ + g/h \perp r_N \ge 0. $$
    /// They close exactly and never overlap. A contact with restitution takes part once it would close, with
    /// $u_N^+ + e\,u_N^- \ge 0$. Bodies that an impulse moves advance with $v_{k+1}$, all others by theta.
    Speculative,
    /// Moreau-Jean to the letter: a contact takes part when its predicted gap $g + \gamma h u_N^-$ is not positive, and
    /// the law is that of velocities, $0 \le u_N^+ + e\,u_N^- \perp r_N \ge 0$ [E, eq. 31].
    Predicted {
        /// Where in the step the gap is predicted, 0 to 1; 1/2 is usual.
        gamma: f64,
    },
}

/// What makes the forces of contacts.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// Hard contacts: one problem a step, solved and certified.
    #[default]
    Hard,
    /// Soft contacts after Cundall, for comparison.
    SoftSphere(SoftSphere),
}

/// What is done about overlaps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stabilisation {
    /// Nothing: overlaps are measured and reported.
    None,
    /// An overlap asks for a velocity that closes the part `beta` of it in a step, `u_N >= beta |g| / h`.
    ///
    /// The work of this push is in the ledger, under `scheme`.
    Push {
        /// Part of an overlap that goes in a step, 0 to 1.
        beta: f64,
    },
    /// Positions are projected after the step: impulses that displace but leave the velocities alone, of the type of
    /// Gear, Gupta and Leimkuhler [E, eq. 37].
    Project,
}

/// What is done when a step does not certify.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// Go on with the best impulses found; the step is counted and marked.
    #[default]
    Continue,
    /// Take the step again as two halves, each of them again if need be, this deep at most.
    Halve {
        /// Most halvings of a step.
        times: u32,
    },
    /// Leave the state as it was before the step; the world refuses to go on.
    Stop,
}

/// The options of a [`World`](crate::World).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Hard or soft contacts.
    pub engine: Engine,
    /// Time step (s).
    pub h: f64,
    /// Weight of the end of the step, 1/2 to 1: $x_{k+1} = x_k + h(\theta v_{k+1} + (1-\theta) v_k)$ [A, eq. 13-16].
    pub theta: f64,
    /// When contacts take part.
    pub activation: Activation,
    /// What is done about overlaps.
    pub stabilisation: Stabilisation,
    /// The solver, any of the catalogue.
    pub solver: SolverSpec,
    /// The error of the certificate that every step must come down to.
    pub tolerance: f64,
    /// The measure of that error.
    pub measure: Measure,
    /// Most iterations a step.
    pub max_iterations: usize,
    /// Whether a step starts from the impulses of the last.
    pub warm_start: bool,
    /// What is done when a step does not certify.
    pub on_failure: OnFailure,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: Engine::Hard,
            h: 1e-3,
            theta: 0.5,
            activation: Activation::Speculative,
            stabilisation: Stabilisation::Push { beta: 0.2 },
            solver: SolverSpec::default(),
            tolerance: 1e-4,
            measure: Measure::default(),
            max_iterations: 10_000,
            warm_start: true,
            on_failure: OnFailure::default(),
        }
    }
}

impl Options {
    /// The scheme of Moreau and Jean as in the papers: predicted gaps, no stabilisation.
    pub fn moreau_jean(h: f64, theta: f64) -> Self {
        Self {
            h,
            theta,
            activation: Activation::Predicted { gamma: 0.5 },
            stabilisation: Stabilisation::None,
            ..Self::default()
        }
    }

    /// Refuses what cannot be stepped with.
    pub fn check(&self) -> Result<(), WorldError> {
        positive("time step h", self.h, "")?;
        within("theta", self.theta, 0.5, 1.0)?;
        positive("tolerance", self.tolerance, "")?;
        if let Activation::Predicted { gamma } = self.activation {
            within("gamma", gamma, 0.0, 1.0)?;
        }
        if let Engine::SoftSphere(soft) = self.engine {
            soft.check()?;
        }
        if let Stabilisation::Push { beta } = self.stabilisation {
            within("beta", beta, 0.0, 1.0)?;
        }
        Ok(())
    }

    /// The limits of a solve.
    pub fn stop(&self) -> Stop {
        Stop {
            tolerance: self.tolerance,
            measure: self.measure,
            max_iterations: self.max_iterations,
            ..Stop::default()
        }
    }
}
