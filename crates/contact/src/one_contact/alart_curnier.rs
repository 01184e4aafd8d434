//! Damped Newton on the Alart–Curnier function.

use super::{OneContact, residual};
use crate::block::{Block, add, mul, norm, solve, zero};
use crate::cone::Cone;

/// Newton on
/// $$ \Phi_N = r_N - (r_N - \rho_N u_N)_+, \qquad
///    \Phi_k = r_k - P_{B(\mu_k (r_N - \rho_N u_N)_+ + \rho_k)}(r_k - \rho_k u_k), $$
/// with $\rho_N = 1/W_{NN}$, $\rho_k = 1/\max W_{kk}$, the step halved until $\|\Phi\|$ decreases.
///
/// Quadratic near a solution, a few steps from a warm start; without guarantee from far away.
///
/// # Reference
/// Alart & Curnier 1991; [C, section 3]; [D, NSN-AC].
#[derive(Debug, Clone, Copy)]
pub struct AlartCurnier {
    /// Most Newton steps.
    pub max_steps: usize,
    /// Most halvings of one step.
    pub max_halvings: usize,
}

impl Default for AlartCurnier {
    fn default() -> Self {
        Self { max_steps: 30, max_halvings: 12 }
    }
}

/// Phi and its generalised Jacobian parts `A = dPhi/du`, `B = dPhi/dr`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Linearised<const D: usize> {
    pub phi: [f64; D],
    pub a: Block<D>,
    pub b: Block<D>,
}

impl<const D: usize> Linearised<D> {
    /// `Phi = r`: no impulse.
    #[inline(always)]
    pub fn no_impulse(r: &[f64; D]) -> Self {
        let mut l = Linearised { phi: *r, a: zero(), b: zero() };
        for d in 0..D {
            l.b[d][d] = 1.0;
        }
        l
    }
}

/// The normal impulse p that the discs are given, `p = 0` where it would be negative, with `dp/du_N` and `dp/dr_N`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pressure {
    pub value: f64,
    pub by_u: f64,
    pub by_r: f64,
}

/// Evaluates Phi and the parts of its Jacobian at (r, u).
#[inline(always)]
pub(crate) fn linearise<const D: usize>(cone: &Cone, rho: &[f64; D], r: &[f64; D], u: &[f64; D]) -> Linearised<D> {
    let x_n = r[0] - rho[0] * u[0];
    linearise_under(cone, rho, r, u, Pressure { value: x_n, by_u: -rho[0], by_r: 1.0 })
}

/// The same with the radius of the discs taken from any pressure.
#[inline(always)]
pub(crate) fn linearise_under<const D: usize>(
    cone: &Cone,
    rho: &[f64; D],
    r: &[f64; D],
    u: &[f64; D],
    pressure: Pressure,
) -> Linearised<D> {
    let mut l = Linearised::no_impulse(r);
    let x_n = r[0] - rho[0] * u[0];
    if x_n > 0.0 {
        l.phi[0] = r[0] - x_n;
        l.a[0][0] = rho[0];
        l.b[0][0] = 0.0;
    }
    for disc in cone.discs::<D>() {
        let limit = disc.limit(pressure.value);
        // without a radius there is no impulse, whatever the direction
        if limit <= 0.0 {
            continue;
        }
        let mut x = [0.0; 2];
        for (k, d) in disc.rows().enumerate() {
            x[k] = r[d] - rho[d] * u[d];
        }
        let length = norm(&x[..disc.len]);
        if length <= limit {
            // stick: Phi = rho u
            for d in disc.rows() {
                l.phi[d] = rho[d] * u[d];
                l.a[d][d] = rho[d];
                l.b[d][d] = 0.0;
            }
        } else {
            // slip: Phi = r - limit x/|x|
            for (i, d) in disc.rows().enumerate() {
                let e = x[i] / length;
                l.phi[d] = r[d] - limit * e;
                if pressure.value > 0.0 {
                    l.a[d][0] -= disc.slope * pressure.by_u * e;
                    l.b[d][0] -= disc.slope * pressure.by_r * e;
                }
                for (j, g) in disc.rows().enumerate() {
                    let delta = if i == j { 1.0 } else { 0.0 };
                    let p = limit / length * (delta - e * x[j] / length);
                    l.a[d][g] += rho[g] * p;
                    l.b[d][g] -= p;
                }
            }
        }
    }
    l
}

/// `1/W_NN` on the normal row, `1/max W_kk` on the rows of a disc.
pub(crate) fn step_sizes<const D: usize>(w: &Block<D>, cone: &Cone) -> [f64; D] {
    let mut rho = [1.0 / w[0][0]; D];
    for disc in cone.discs::<D>() {
        let largest = disc.rows().map(|d| w[d][d]).fold(0.0, f64::max);
        if largest > 0.0 {
            rho[disc.rows()].fill(1.0 / largest);
        }
    }
    rho
}

/// The generalised Jacobian `A W + B` of Phi as a function of r.
#[inline(always)]
pub(super) fn jacobian<const D: usize>(w: &Block<D>, l: &Linearised<D>) -> Block<D> {
    let mut jacobian = l.b;
    for i in 0..D {
        for j in 0..D {
            for k in 0..D {
                jacobian[i][j] += l.a[i][k] * w[k][j];
            }
        }
    }
    jacobian
}

impl<const D: usize> OneContact<D> for AlartCurnier {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        if matches!(cone, Cone::Bilateral) {
            return super::Enumeration.solve(w, q, cone, r);
        }
        let rho = step_sizes(w, cone);
        let at = |r: &[f64; D]| linearise(cone, &rho, r, &add(&mul(w, r), q));
        let mut l = at(r);
        let mut size = norm(&l.phi);
        for _ in 0..self.max_steps {
            if residual(w, q, cone, r).is_rounding() {
                return true;
            }
            let Some(dr) = solve(jacobian(w, &l), l.phi.map(|x| -x)) else { return false };
            // halve the step until |Phi| decreases
            let mut step = 1.0;
            let mut accepted = None;
            for _ in 0..=self.max_halvings {
                let trial: [f64; D] = std::array::from_fn(|k| r[k] + step * dr[k]);
                let trial_l = at(&trial);
                let trial_size = norm(&trial_l.phi);
                if trial_size < (1.0 - 1e-4 * step) * size {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::sub;

    /// The Jacobian against central differences, away from the kinks.
    fn check<const D: usize>(cone: Cone, r: [f64; D], u: [f64; D]) {
        let rho: [f64; D] = std::array::from_fn(|k| 0.5 + 0.1 * k as f64);
        let l = linearise(&cone, &rho, &r, &u);
        let h = 1e-6;
        for j in 0..D {
            for (is_u, part) in [(true, &l.a), (false, &l.b)] {
                let at = |s: f64| {
                    let (mut r, mut u) = (r, u);
                    if is_u {
                        u[j] += s
                    } else {
                        r[j] += s
                    }
                    linearise(&cone, &rho, &r, &u).phi
                };
                let slope = sub(&at(h), &at(-h)).map(|x| x / (2.0 * h));
                for i in 0..D {
                    assert!((slope[i] - part[i][j]).abs() < 1e-8, "{cone:?} row {i} column {j}: {slope:?}");
                }
            }
        }
    }

    #[test]
    fn jacobian_matches_finite_differences() {
        let c = Cone::Coulomb { mu: 0.4 };
        check(c, [1.0, 0.1, -0.2], [0.2, 0.1, 0.05]);
        check(c, [1.0, 0.8, -0.2], [-0.2, -0.5, 0.3]);
        check(c, [-1.0, 0.8, -0.2], [0.2, -0.5, 0.3]);
        check(Cone::Coulomb { mu: 0.4 }, [1.0, 0.8], [-0.2, -0.5]);
        check(Cone::Rolling { mu: 0.4, mu_r: 0.1 }, [1.0, 0.8, -0.2, 0.3, 0.4], [-0.2, -0.5, 0.3, 0.1, -0.7]);
        check(Cone::Rolling { mu: 0.4, mu_r: 0.1 }, [1.0, 0.8, -0.2], [-0.2, -0.5, 0.3]);
        check(Cone::Tresca { radius: 0.3 }, [1.0, 0.8, -0.2], [-0.2, -0.5, 0.3]);
        check(Cone::Frictionless, [1.0, 0.8, -0.2], [-0.2, -0.5, 0.3]);
    }
}
