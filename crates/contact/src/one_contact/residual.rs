//! How well one contact is solved, and how well it could be.

use crate::block::{Block, add, mul, norm};
use crate::cone::Cone;

/// The residual of one contact and the rounding that no arithmetic gets below.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Residual {
    /// Natural map with impulses scaled to velocities by the mean diagonal of W_cc (velocity).
    pub error: f64,
    /// `eps (|W| |r| + |q|)`: the rounding made in forming `W r + q` (velocity).
    pub floor: f64,
}

impl Residual {
    /// Whether the error is within a few roundings, or within 1e-14 of |q| whatever the conditioning.
    #[inline]
    pub fn is_rounding(&self) -> bool {
        self.error <= 8.0 * self.floor
    }
}

/// Evaluates the residual of `r`.
#[inline]
pub fn residual<const D: usize>(w: &Block<D>, q: &[f64; D], cone: &Cone, r: &[f64; D]) -> Residual {
    let rows = cone.live_rows::<D>();
    let scale = (0..rows).map(|d| w[d][d]).sum::<f64>() / rows as f64;
    let u = add(&mul(w, r), q);
    let f = cone.rescaled(scale, 1.0).natural_map(&r.map(|x| x * scale), &u);
    let mut parts = [0.0; D];
    for i in 0..D {
        parts[i] = q[i].abs() + scale * r[i].abs();
        for j in 0..D {
            parts[i] += w[i][j].abs() * r[j].abs();
        }
    }
    Residual { error: norm(&f), floor: f64::EPSILON * norm(&parts) }
}
