//! Projection: the fixed point of the natural map.

use super::{OneContact, residual};
use crate::block::{Block, add, mul, norm, sub};
use crate::cone::Cone;

/// `r <- P_K(r - rho (u + g(u)))` with a step that adapts to the local Lipschitz constant.
///
/// Converges linearly, at a rate set by the conditioning of W_cc; cheap and tough, never sharp.
///
/// # Reference
/// De Saxcé & Feng 1998 (fixed rho); the adaptive rule is [D, sl. "VI based methods", UPK].
#[derive(Debug, Clone, Copy)]
pub struct Projection {
    /// Most steps.
    pub max_steps: usize,
}

impl Default for Projection {
    fn default() -> Self {
        Self { max_steps: 100 }
    }
}

impl<const D: usize> OneContact<D> for Projection {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        let force = |r: &[f64; D]| {
            let mut f = add(&mul(w, r), q);
            f[0] += cone.shift(&f);
            f
        };
        let trace: f64 = (0..D).map(|d| w[d][d]).sum();
        let mut rho = 1.0 / trace.max(f64::MIN_POSITIVE);
        let mut f = force(r);
        for _ in 0..self.max_steps {
            // shrink rho until rho |F(r) - F(trial)| <= 0.9 |r - trial|
            let (mut trial, mut f_trial, mut ratio);
            loop {
                trial = cone.project(&std::array::from_fn(|k| r[k] - rho * f[k]));
                f_trial = force(&trial);
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
        residual(w, q, cone, r).is_rounding()
    }
}
