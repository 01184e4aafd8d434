//! The enhanced bipotential method: Newton on the projection on K.

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

const F: Formulation = Formulation::NaturalMap;

/// Full Newton steps on $ Z = r - P_K(r - \rho\,(u + g(u))) = 0 $ together with $u = W r + q$, until it holds.
///
/// The paper eliminates nothing and solves for (r, u) at once; u is linear in r, so the same step is $(A W + B)\,dr = -Z$.
/// Without friction one step ends it: contact gives $u_N = 0$, no contact gives $r = 0$ [A, after eq. 36]. With friction
/// $g$ is the de Saxcé term, which [A, eq. 28] has and eq. 30 leaves out for $\mu = 0$. Steps are not damped: the guard
/// catches cycles.
///
/// # Reference
/// [A, section 4.2, eq. 31-36]; Joli & Feng 2008; Dumont 2013.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Ebp {
    /// The rho of the augmented impulse `tau = r - rho u` (impulse over velocity); none is `relative / |W_cc|`.
    pub rho: Option<f64>,
    /// `rho = relative / |W_cc|`, the row-sum norm (W_NN without friction), where no rho is given.
    pub relative: f64,
    /// Most Newton steps a visit; 1 leaves the rest to the next sweep.
    pub max_steps: usize,
    /// Where Newton does not arrive, the enumeration of states takes over.
    pub guard: bool,
}

impl Default for Ebp {
    fn default() -> Self {
        Self { rho: None, relative: 1.0, max_steps: 20, guard: true }
    }
}

impl<const D: usize> OneContact<D> for Ebp {
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
