//! The natural map of one contact.

use crate::block::{Block, norm, zero};
use crate::cone::Cone;
use crate::one_contact::alart_curnier::Linearised;

/// $$ \Phi = r - P_K(r - \rho\,(u + g(u))), \qquad g(u) = \sum_k \mu_k \|u_k\| N, $$
/// with one $\rho$ (`rho[0]`) a contact, since the projection is Euclidean; every unilateral cone.
///
/// # Reference
/// [D, NSN-NM].
pub(super) fn linearise<const D: usize>(cone: &Cone, rho: &[f64; D], r: &[f64; D], u: &[f64; D]) -> Linearised<D> {
    linearise_shifted(cone, rho[0], (r, u), cone.shift(u))
}

/// The same with a shift s in the place of g(u), whose derivative stays that of g.
pub(in crate::solvers) fn linearise_shifted<const D: usize>(
    cone: &Cone,
    rho: f64,
    (r, u): (&[f64; D], &[f64; D]),
    s: f64,
) -> Linearised<D> {
    let mut z: [f64; D] = std::array::from_fn(|k| r[k] - rho * u[k]);
    z[0] -= rho * s;
    let (p, dp) = projection(cone, &z);
    // g'(u) sits in the normal row of du -> u + g(u)
    let slope = shift_slope(cone, u);
    let mut l = Linearised::no_impulse(r);
    for i in 0..D {
        l.phi[i] = r[i] - p[i];
        for j in 0..D {
            l.a[i][j] = rho * (dp[i][j] + dp[i][0] * slope[j]);
            l.b[i][j] -= dp[i][j];
        }
    }
    l
}

/// `g'(u)`.
pub(in crate::solvers) fn shift_slope<const D: usize>(cone: &Cone, u: &[f64; D]) -> [f64; D] {
    let mut slope = [0.0; D];
    for disc in cone.discs::<D>() {
        let length = norm(&u[disc.rows()]);
        if length > 0.0 {
            disc.rows().for_each(|k| slope[k] = disc.slope * u[k] / length);
        }
    }
    slope
}

/// `P_K(z)` and an element of its generalised derivative.
///
/// With C the discs that are cut, the normal part is `n = (z_N + sum_C mu_k (|z_k| - rho_k)) / (1 + sum_C mu_k^2)`
/// where that is positive, and a cut disc is `(mu_k n + rho_k) z_k/|z_k|`.
fn projection<const D: usize>(cone: &Cone, z: &[f64; D]) -> ([f64; D], Block<D>) {
    let p = cone.project(z);
    let mut dp = zero::<D>();
    let discs = cone.discs::<D>();
    let cut = |k: usize| {
        let (length, limit) = (norm(&z[discs[k].rows()]), discs[k].limit(p[0]));
        // a disc without radius is cut even at its centre
        (length > limit || limit == 0.0).then(|| (length.max(f64::MIN_POSITIVE), limit))
    };
    if p[0] > 0.0 {
        dp[0][0] = 1.0;
        let mut below = 1.0;
        for (k, disc) in discs.iter().enumerate() {
            if let Some((length, _)) = cut(k) {
                below += disc.slope * disc.slope;
                disc.rows().for_each(|d| dp[0][d] = disc.slope * z[d] / length);
            }
        }
        dp[0].iter_mut().for_each(|x| *x /= below);
    }
    let normal = dp[0];
    for (k, disc) in discs.iter().enumerate() {
        let Some((length, limit)) = cut(k) else {
            disc.rows().for_each(|d| dp[d][d] = 1.0);
            continue;
        };
        for d in disc.rows() {
            let e = z[d] / length;
            for j in 0..D {
                dp[d][j] = disc.slope * e * normal[j];
            }
            for g in disc.rows() {
                let delta = if d == g { 1.0 } else { 0.0 };
                dp[d][g] += limit / length * (delta - e * z[g] / length);
            }
        }
    }
    (p, dp)
}
