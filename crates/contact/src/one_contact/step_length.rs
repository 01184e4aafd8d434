//! The length rho of a step from an impulse against a velocity.

use crate::block::Block;
use crate::cone::Cone;

/// `rho` if it is given (impulse over velocity), else `relative / |W_cc|`, the row-sum norm of the rows that may carry
/// an impulse: at least its largest eigenvalue, so that `relative = 1` contracts, and exactly W_NN without friction.
pub(super) fn step_length<const D: usize>(w: &Block<D>, cone: &Cone, rho: Option<f64>, relative: f64) -> f64 {
    rho.unwrap_or_else(|| relative / row_sum_norm(w, 0..cone.live_rows::<D>()))
}

/// The largest sum of sizes along a row, within the given rows and columns.
pub(super) fn row_sum_norm<const D: usize>(w: &Block<D>, rows: std::ops::Range<usize>) -> f64 {
    let sum = |row: &[f64; D]| row[rows.clone()].iter().map(|x| x.abs()).sum::<f64>();
    w[rows.clone()].iter().map(sum).fold(0.0, f64::max).max(f64::MIN_POSITIVE)
}
