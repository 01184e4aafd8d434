//! The last digits of one contact, in twice the precision.

use super::alart_curnier::{jacobian, linearise, step_sizes};
use super::residual;
use crate::block::{Block, solve};
use crate::cone::Cone;
use twofloat::TwoFloat;

/// Newton steps in double-double, from a point that is all but a solution.
///
/// With a condition number of 1e9 the rounding of `W r + q` moves a Newton step by 1e-7 of r, whose curvature on the
/// boundary of a disc is far above rounding. With r and Phi carried in double-double the steps shrink to nothing, and
/// rounding happens once, at the end.
pub(super) fn polish<const D: usize>(w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) {
    let start = *r;
    let mut best = residual(w, q, cone, r);
    // near a border of two states a larger rho reads the state off the velocity, a smaller one off the impulse
    for weight in [1.0, 1e3, 1e-3] {
        let rho = step_sizes(w, cone).map(|x| x * weight);
        let mut x = start.map(TwoFloat::from);
        for _ in 0..12 {
            if best.is_rounding() || !step(w, q, cone, &rho, &mut x) {
                break;
            }
            let rounded = x.map(f64::from);
            let reached = residual(w, q, cone, &rounded);
            if reached.is_rounding() || reached.error < best.error {
                (*r, best) = (rounded, reached);
            }
        }
    }
}

/// One Newton step; false when the Jacobian is singular.
fn step<const D: usize>(w: &Block<D>, q: &[f64; D], cone: &Cone, rho: &[f64; D], x: &mut [TwoFloat; D]) -> bool {
    let u = velocity(w, q, x);
    let l = linearise(cone, rho, &x.map(f64::from), &u.map(f64::from));
    let jacobian = jacobian(w, &l).map(|row| row.map(TwoFloat::from));
    let Some(step) = solve(jacobian, phi(cone, rho, x, &u)) else { return false };
    for k in 0..D {
        x[k] -= step[k];
    }
    true
}

fn velocity<const D: usize>(w: &Block<D>, q: &[f64; D], x: &[TwoFloat; D]) -> [TwoFloat; D] {
    std::array::from_fn(|i| (0..D).fold(TwoFloat::from(q[i]), |s, j| s + x[j] * w[i][j]))
}

/// The Alart-Curnier function, as in [`super::AlartCurnier`].
fn phi<const D: usize>(cone: &Cone, rho: &[f64; D], r: &[TwoFloat; D], u: &[TwoFloat; D]) -> [TwoFloat; D] {
    let x: [TwoFloat; D] = std::array::from_fn(|k| r[k] - u[k] * rho[k]);
    let pressed = if f64::from(x[0]) > 0.0 { x[0] } else { TwoFloat::from(0.0) };
    let mut phi = *r;
    phi[0] = r[0] - pressed;
    for disc in cone.discs::<D>() {
        let limit = pressed * disc.slope + disc.radius;
        let square = disc.rows().fold(TwoFloat::from(0.0), |s, d| s + x[d] * x[d]);
        let scale = if square <= limit * limit { TwoFloat::from(1.0) } else { limit / square.sqrt() };
        for d in disc.rows() {
            phi[d] = r[d] - x[d] * scale;
        }
    }
    phi
}
