//! Damped Newton on the natural map.

use super::OneContact;
use super::guarded::guarded;
use super::newton::{NewtonLimits, newton};
use crate::block::Block;
use crate::cone::Cone;
use crate::solvers::Formulation;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

const F: Formulation = Formulation::NaturalMap;

/// Newton on $ \Phi = r - P_K(r - \rho\,(u + g(u))) $ with $1/\rho$ the mean diagonal entry of W_cc: the function that
/// the certificate measures.
///
/// Quadratic near a solution, without guarantee from far away, hence the guard.
///
/// # Reference
/// [D, NSN-NM].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct NaturalMap {
    /// Most Newton steps.
    pub max_steps: usize,
    /// Most halvings of one step until `|Phi|` decreases.
    pub max_halvings: usize,
    /// Where Newton does not arrive, the enumeration of states takes over.
    pub guard: bool,
}

impl Default for NaturalMap {
    fn default() -> Self {
        Self { max_steps: 30, max_halvings: 12, guard: true }
    }
}

impl NaturalMap {
    /// Newton alone.
    fn newton<const D: usize>(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        let rho = F.step_sizes(w, cone, 0.0);
        let limits = NewtonLimits { steps: self.max_steps, halvings: Some(self.max_halvings) };
        newton((w, q, cone), r, limits, |r, u| F.linearise(cone, &rho, r, u))
    }
}

impl<const D: usize> OneContact<D> for NaturalMap {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        let newton = |r: &mut [f64; D]| self.newton(w, q, cone, r);
        if self.guard { guarded((w, q, cone), r, newton) } else { newton(r) }
    }
}
