//! The Newton loop that the one-contact functions share.

use super::alart_curnier::{Linearised, jacobian};
use super::{Enumeration, OneContact, residual};
use crate::block::{Block, add, mul, norm, solve};
use crate::cone::Cone;

/// Limits of the loop.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewtonLimits {
    /// Most steps.
    pub steps: usize,
    /// Most halvings of one step until `|Phi|` decreases; `None` takes every step as it is.
    pub halvings: Option<usize>,
}

/// `(A W + B) dr = -Phi(r, W r + q)` until r meets the law to rounding; false, with the last r, when it does not.
#[inline(always)]
pub(super) fn newton<const D: usize>(
    (w, q, cone): (&Block<D>, &[f64; D], &Cone),
    r: &mut [f64; D],
    limits: NewtonLimits,
    linearise: impl Fn(&[f64; D], &[f64; D]) -> Linearised<D>,
) -> bool {
    if matches!(cone, Cone::Bilateral) {
        return Enumeration.solve(w, q, cone, r);
    }
    let at = |r: &[f64; D]| linearise(r, &add(&mul(w, r), q));
    let mut l = at(r);
    let mut size = norm(&l.phi);
    for _ in 0..limits.steps {
        if residual(w, q, cone, r).is_rounding() {
            return true;
        }
        let Some(dr) = solve(jacobian(w, &l), l.phi.map(|x| -x)) else { return false };
        // halve the step until |Phi| decreases
        let mut step = 1.0;
        let mut accepted = None;
        for _ in 0..=limits.halvings.unwrap_or(0) {
            let trial: [f64; D] = std::array::from_fn(|k| r[k] + step * dr[k]);
            let trial_l = at(&trial);
            let trial_size = norm(&trial_l.phi);
            let any = limits.halvings.is_none() && trial_size.is_finite();
            if any || trial_size < (1.0 - 1e-4 * step) * size {
                accepted = Some((trial, trial_l, trial_size));
                break;
            }
            step *= 0.5;
        }
        match accepted {
            Some(next) => (*r, l, size) = next,
            None => return false,
        }
    }
    residual(w, q, cone, r).is_rounding()
}
