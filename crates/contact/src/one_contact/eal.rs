//! The enhanced augmented Lagrangian: Newton on the projection on the cylinder.

use super::OneContact;
use super::guarded::guarded;
use super::newton::{NewtonLimits, newton};
use super::normal::{Normal, frictionless};
use super::step_length::step_length;
use crate::block::Block;
use crate::cone::Cone;
use crate::solvers::Formulation;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

const F: Formulation = Formulation::AlartCurnier;

/// Full Newton steps on $ Z = r - P_{C(\mu (\tau_N)_+)}(\tau) = 0, \ \tau = r - \rho u $, until it holds: the function of
/// [`super::AlartCurnier`] with one $\rho$ for all rows and without a line search.
///
/// Without friction one step ends it. With friction, quadratic near a solution; steps are not damped: the guard catches
/// cycles.
///
/// # Reference
/// [A, section 4.1, eq. 26]; Alart & Curnier 1991; Dumont 2013.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Eal {
    /// The rho of the augmented impulse `tau = r - rho u` (impulse over velocity); none is `relative / |W_cc|`.
    pub rho: Option<f64>,
    /// `rho = relative / |W_cc|`, the row-sum norm (W_NN without friction), where no rho is given.
    pub relative: f64,
    /// Most Newton steps a visit; 1 leaves the rest to the next sweep.
    pub max_steps: usize,
    /// Where Newton does not arrive, the enumeration of states takes over.
    pub guard: bool,
}

impl Default for Eal {
    fn default() -> Self {
        Self { rho: None, relative: 1.0, max_steps: 20, guard: true }
    }
}

impl<const D: usize> OneContact<D> for Eal {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        let rho = [step_length(w, cone, self.rho, self.relative); D];
        let limits = NewtonLimits { steps: self.max_steps, halvings: None };
        let newton = |r: &mut [f64; D]| newton((w, q, cone), r, limits, |r, u| F.linearise(cone, &rho, r, u));
        if self.guard { guarded((w, q, cone), r, newton) } else { newton(r) }
    }

    fn visit(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) {
        let step = |normal: &Normal, r| normal.newton(normal.rho(self.rho, self.relative), self.max_steps, r);
        if !frictionless((w, q, cone), r, step) {
            self.solve(w, q, cone, r);
        }
    }
}
