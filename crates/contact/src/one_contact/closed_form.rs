//! The closed form for a diagonal W_cc.

use super::OneContact;
use crate::block::{Block, norm};
use crate::cone::{Cone, Disc};

/// `r_N = (-q_N / w_N)_+`, then each disc part `-q_k / w_k` cut back to its limit.
///
/// Exact when W_cc is, up to rounding, diagonal with one value inside each disc: contacts between spheres, where
/// W_cc = diag(1, 7/2, 7/2)/m*. Returns false, and leaves r alone, for any other block.
///
/// # Reference
/// The explicit solver for spheres of [C, section 3].
#[derive(Debug, Clone, Copy, Default)]
pub struct ClosedForm;

/// The same and nothing else, as sweeps take it by name: for spheres whose M and H were rounded on their way through files.
///
/// What is left off the diagonal is ignored, so that the law is met up to 1e-12 of the impulse.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClosedFormAlone;

/// What rounding leaves off the diagonal of W_cc = H^T M^-1 H, relative to the least entry on it.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// What rounding leaves there of numbers that went through a file.
const STORED: f64 = 1e-12;

impl ClosedForm {
    /// Whether the block has the shape that makes the closed form exact.
    #[inline(always)]
    pub fn applies<const D: usize>(w: &Block<D>, cone: &Cone) -> bool {
        Self::diagonal(w, cone, ROUNDING)
    }

    /// Diagonal, with one value in each disc, up to a part of the least entry.
    #[inline(always)]
    fn diagonal<const D: usize>(w: &Block<D>, cone: &Cone, rounding: f64) -> bool {
        let mut off = 0.0;
        for i in 0..D {
            for j in 0..D {
                if i != j {
                    off += w[i][j].abs();
                }
            }
        }
        let differs = |k: usize| (w[k][k] - w[k + 1][k + 1]).abs() > rounding * w[k][k];
        let even = |d: &Disc| d.len < 2 || !differs(d.start);
        let [t, r] = cone.discs::<D>();
        let least = (1..D).map(|k| w[k][k]).fold(w[0][0], f64::min);
        off <= rounding * least && even(&t) && even(&r)
    }

    /// The answer, whatever stands off the diagonal.
    #[inline(always)]
    fn answer<const D: usize>(w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) {
        let n = (-q[0] / w[0][0]).max(0.0);
        r[0] = n;
        for d in cone.discs::<D>() {
            if d.len == 0 {
                continue;
            }
            let (limit, length, w_k) = (d.limit(n), norm(&q[d.rows()]), w[d.start][d.start]);
            // one division: free -q/w inside the disc, cut back to its limit outside
            let free = length <= limit * w_k && w_k > 0.0;
            let scale = if free { 1.0 } else { limit } / if free { w_k } else { length };
            for k in d.rows() {
                r[k] = if limit > 0.0 { -q[k] * scale } else { 0.0 };
            }
        }
    }
}

impl ClosedFormAlone {
    /// Whether the block and the law have a closed form.
    pub fn applies<const D: usize>(w: &Block<D>, cone: &Cone) -> bool {
        !matches!(cone, Cone::Bilateral) && ClosedForm::diagonal(w, cone, STORED)
    }
}

impl<const D: usize> OneContact<D> for ClosedFormAlone {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        let applies = Self::applies(w, cone);
        if applies {
            ClosedForm::answer(w, q, cone, r);
        }
        applies
    }
}

impl<const D: usize> OneContact<D> for ClosedForm {
    #[inline(always)]
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        if matches!(cone, Cone::Bilateral) || !Self::applies(w, cone) {
            return false;
        }
        Self::answer(w, q, cone, r);
        true
    }
}
