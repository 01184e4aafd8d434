//! Damped Newton on the Alart–Curnier function.

use super::OneContact;
use super::guarded::guarded;
use super::newton::{NewtonLimits, newton};
use crate::block::{Block, norm, zero};
use crate::cone::Cone;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// Newton on
/// $$ \Phi_N = r_N - (r_N - \rho_N u_N)_+, \qquad
///    \Phi_k = r_k - P_{B(\mu_k (r_N - \rho_N u_N)_+ + \rho_k)}(r_k - \rho_k u_k), $$
/// with $\rho_N = 1/W_{NN}$, $\rho_k = 1/\max W_{kk}$, the step halved until $\|\Phi\|$ decreases.
///
/// Quadratic near a solution, a few steps from a warm start; without guarantee from far away, hence the guard.
///
/// # Reference
/// Alart & Curnier 1991; [C, eq. 7-8]; [D, NSN-AC].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct AlartCurnier {
    /// Most Newton steps.
    pub max_steps: usize,
    /// Most halvings of one step until `|Phi|` decreases.
    pub max_halvings: usize,
    /// Where Newton does not arrive, the enumeration of states takes over.
    pub guard: bool,
}

impl Default for AlartCurnier {
    fn default() -> Self {
        Self { max_steps: 30, max_halvings: 12, guard: true }
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

impl AlartCurnier {
    /// Newton alone.
    #[inline(always)]
    pub(super) fn newton<const D: usize>(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        let rho = step_sizes(w, cone);
        let limits = NewtonLimits { steps: self.max_steps, halvings: Some(self.max_halvings) };
        newton((w, q, cone), r, limits, |r, u| linearise(cone, &rho, r, u))
    }
}

impl<const D: usize> OneContact<D> for AlartCurnier {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        let newton = |r: &mut [f64; D]| self.newton(w, q, cone, r);
        if self.guard { guarded((w, q, cone), r, newton) } else { newton(r) }
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
