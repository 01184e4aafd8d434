//! Projection: the fixed point of the natural map.

use super::step_length::step_length;
use super::{OneContact, residual};
use crate::block::{Block, add, mul, norm, sub};
use crate::cone::Cone;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// `r <- P_K(r - rho (u + g(u)))`, with a step that adapts to the local Lipschitz constant or a constant one.
///
/// Converges linearly, at a rate set by the conditioning of W_cc; cheap and tough, never sharp. A constant step
/// converges below `2 / lambda_max(W_cc)` without friction and for moderate friction; too long a one cycles, and after
/// `max_steps` the sweep goes on with what there is.
///
/// # Reference
/// De Saxcé & Feng 1998 (constant rho); the adaptive rule is [D, sl. "VI based methods", UPK].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Projection {
    /// Most steps.
    pub max_steps: usize,
    /// Shorten rho until `rho |F(r) - F(r+)| <= 0.9 |r - r+|`, `F = u + g(u)`; lengthen it by 1.5 below 0.3.
    pub adaptive: bool,
    /// The constant step (impulse over velocity) when `adaptive` is false; none is `relative / |W_cc|`.
    pub rho: Option<f64>,
    /// `rho = relative / |W_cc|`, the row-sum norm, where no rho is given.
    pub relative: f64,
}

impl Default for Projection {
    fn default() -> Self {
        Self { max_steps: 100, adaptive: true, rho: None, relative: 1.0 }
    }
}

/// `u + g(u)` at `u = W r + q`.
#[inline(always)]
fn force<const D: usize>(w: &Block<D>, q: &[f64; D], cone: &Cone, r: &[f64; D]) -> [f64; D] {
    let mut f = add(&mul(w, r), q);
    f[0] += cone.shift(&f);
    f
}

/// One step `P_K(r - rho (u + g(u)))`.
#[inline(always)]
pub(super) fn projected<const D: usize>(w: &Block<D>, q: &[f64; D], cone: &Cone, rho: f64, r: &[f64; D]) -> [f64; D] {
    let f = force(w, q, cone, r);
    cone.project(&std::array::from_fn(|k| r[k] - rho * f[k]))
}

impl Projection {
    /// Steps of one length.
    fn constant<const D: usize>(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) {
        let rho = step_length(w, cone, self.rho, self.relative);
        for _ in 0..self.max_steps {
            let next = projected(w, q, cone, rho, r);
            let still = next == *r;
            *r = next;
            if still || residual(w, q, cone, r).is_rounding() {
                break;
            }
        }
    }

    fn adapted<const D: usize>(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) {
        let trace: f64 = (0..D).map(|d| w[d][d]).sum();
        let mut rho = 1.0 / trace.max(f64::MIN_POSITIVE);
        let mut f = force(w, q, cone, r);
        for _ in 0..self.max_steps {
            // shrink rho until rho |F(r) - F(trial)| <= 0.9 |r - trial|
            let (mut trial, mut f_trial, mut ratio);
            loop {
                trial = cone.project(&std::array::from_fn(|k| r[k] - rho * f[k]));
                f_trial = force(w, q, cone, &trial);
                let moved = norm(&sub(r, &trial));
                ratio = if moved > 0.0 { rho * norm(&sub(&f, &f_trial)) / moved } else { 0.0 };
                if ratio <= 0.9 || rho < 1e-12 / trace.max(f64::MIN_POSITIVE) {
                    break;
                }
                rho *= 0.66 / ratio.max(1.0);
            }
            let still = trial == *r;
            (*r, f) = (trial, f_trial);
            if still || residual(w, q, cone, r).is_rounding() {
                break;
            }
            if ratio < 0.3 {
                rho *= 1.5;
            }
        }
    }
}

impl<const D: usize> OneContact<D> for Projection {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        if self.adaptive {
            self.adapted(w, q, cone, r)
        } else {
            self.constant(w, q, cone, r)
        }
        residual(w, q, cone, r).is_rounding()
    }
}
