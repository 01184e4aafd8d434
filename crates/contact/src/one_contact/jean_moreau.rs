//! Damped Newton on the Jean–Moreau function.

use super::OneContact;
use super::guarded::guarded;
use super::newton::{NewtonLimits, newton};
use crate::block::Block;
use crate::cone::Cone;
use crate::solvers::Formulation;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

const F: Formulation = Formulation::JeanMoreau;

/// Newton on
/// $$ \Phi_N = r_N - (r_N - \rho_N u_N)_+, \qquad \Phi_k = r_k - P_{B(\mu_k (r_N)_+ + \rho_k)}(r_k - \rho_k u_k), $$
/// with $\rho_N = 1/W_{NN}$, $\rho_k = 1/\max W_{kk}$: as [`super::AlartCurnier`], the discs sized by r alone.
///
/// Quadratic near a solution, without guarantee from far away, hence the guard.
///
/// # Reference
/// Jean & Moreau 1987; Christensen et al. 1998; [D, NSN-MJ].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct JeanMoreau {
    /// Most Newton steps.
    pub max_steps: usize,
    /// Most halvings of one step until `|Phi|` decreases.
    pub max_halvings: usize,
    /// Where Newton does not arrive, the enumeration of states takes over.
    pub guard: bool,
}

impl Default for JeanMoreau {
    fn default() -> Self {
        Self { max_steps: 30, max_halvings: 12, guard: true }
    }
}

impl JeanMoreau {
    /// Newton alone.
    fn newton<const D: usize>(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        let rho = F.step_sizes(w, cone, 0.0);
        let limits = NewtonLimits { steps: self.max_steps, halvings: Some(self.max_halvings) };
        newton((w, q, cone), r, limits, |r, u| F.linearise(cone, &rho, r, u))
    }
}

impl<const D: usize> OneContact<D> for JeanMoreau {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        let newton = |r: &mut [f64; D]| self.newton(w, q, cone, r);
        if self.guard { guarded((w, q, cone), r, newton) } else { newton(r) }
    }
}
