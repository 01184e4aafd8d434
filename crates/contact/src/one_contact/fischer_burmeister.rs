//! Damped Newton on the Fischer–Burmeister function of the second-order cone.

use super::OneContact;
use super::guarded::guarded;
use super::newton::{NewtonLimits, newton};
use crate::block::Block;
use crate::cone::Cone;
use crate::solvers::Formulation;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

const F: Formulation = Formulation::FischerBurmeister;

/// Newton on
/// $$ \Phi = x + y - (x \circ x + y \circ y)^{1/2}, \qquad x = P^{-1} r,\quad y = \rho\,(P u + \|(P u)_T\| N),
///    \quad P = \mathrm{diag}(1, \mu, \mu), $$
/// in the Jordan algebra of the second-order cone.
///
/// Quadratic near a solution where x + y is inside the cone, without guarantee from far away, hence the guard. Rolling
/// and Tresca friction are no second-order cones: with the guard the enumeration solves them, without it they are not
/// treated.
///
/// # Reference
/// Fukushima, Luo & Tseng 2001; [D, NSN-FB].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct FischerBurmeister {
    /// Most Newton steps.
    pub max_steps: usize,
    /// Most halvings of one step until `|Phi|` decreases.
    pub max_halvings: usize,
    /// Where Newton does not arrive, the enumeration of states takes over.
    pub guard: bool,
}

impl Default for FischerBurmeister {
    fn default() -> Self {
        Self { max_steps: 30, max_halvings: 12, guard: true }
    }
}

impl FischerBurmeister {
    /// Newton alone.
    fn newton<const D: usize>(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        if !F.treats(cone) {
            return false;
        }
        let rho = F.step_sizes(w, cone, 0.0);
        let limits = NewtonLimits { steps: self.max_steps, halvings: Some(self.max_halvings) };
        newton((w, q, cone), r, limits, |r, u| F.linearise(cone, &rho, r, u))
    }
}

impl<const D: usize> OneContact<D> for FischerBurmeister {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        let newton = |r: &mut [f64; D]| self.newton(w, q, cone, r);
        if self.guard { guarded((w, q, cone), r, newton) } else { newton(r) }
    }
}
