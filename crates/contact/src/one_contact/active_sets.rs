//! The active sets of one contact and the equations that each of them stands for.

use super::normal::frictionless;
use super::step_length::row_sum_norm;
use super::{Exact, OneContact, residual};
use crate::block::{Block, add, mul, norm, solve};
use crate::cone::{Cone, Disc};

/// The parameters of the active sets; none is the inverse of W.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gammas {
    /// $\gamma_n$ (impulse over velocity), none is `1 / W_NN`.
    pub normal: Option<f64>,
    /// $\gamma_t$ (impulse over velocity), none is `1 / |W_kk|` of the disc.
    pub tangential: Option<f64>,
}

/// What sticking means for the next velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stick {
    /// `w_t' = -w_t mu (r_N' - r_N) / (mu r_N)`: the semismooth derivative [B, eq. 4.4].
    Exact,
    /// `w_t' = 0` [B, eq. 4.8].
    Still,
}

/// The steps of one visit.
#[derive(Debug, Clone, Copy)]
pub(super) struct ActiveSets {
    pub gammas: Gammas,
    pub stick: Stick,
    pub steps: usize,
}

/// Joints and rolling, which the papers do not have, go to [`Exact`].
impl<const D: usize> OneContact<D> for ActiveSets {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        if matches!(cone, Cone::Bilateral | Cone::Rolling { .. }) {
            return Exact.solve(w, q, cone, r);
        }
        self.all((w, q, cone), r) && residual(w, q, cone, r).is_rounding()
    }

    fn visit(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) {
        if matches!(cone, Cone::Bilateral | Cone::Rolling { .. }) {
            return Exact.visit(w, q, cone, r);
        }
        if !frictionless((w, q, cone), r, |normal, r| normal.active_set(self.gammas.normal, self.steps, r)) {
            self.all((w, q, cone), r);
        }
    }
}

impl ActiveSets {
    /// All steps; false when the equations of a set are singular.
    fn all<const D: usize>(&self, contact: (&Block<D>, &[f64; D], &Cone), r: &mut [f64; D]) -> bool {
        (0..self.steps).all(|_| step(contact, self.gammas, self.stick, r))
    }
}

/// One step: the sets from (r, u), then r from their equations; false when these are singular.
fn step<const D: usize>(
    (w, q, cone): (&Block<D>, &[f64; D], &Cone),
    gammas: Gammas,
    stick: Stick,
    r: &mut [f64; D],
) -> bool {
    let u = add(&mul(w, r), q);
    // unknown rows of the system: r = 0 unless a set says otherwise
    let (mut a, mut b) = ([[0.0; D]; D], [0.0; D]);
    (0..D).for_each(|d| a[d][d] = 1.0);
    // A_n: tau_n = r_N - gamma_n u_N >= 0, then u_N' = 0 [B, eq. 4.2]
    let gamma_n = gammas.normal.unwrap_or(1.0 / w[0][0]);
    if r[0] - gamma_n * u[0] >= 0.0 {
        (a[0], b[0]) = (w[0], -q[0]);
    } else if cone.discs::<D>().iter().all(|d| d.radius == 0.0) {
        // I_n: r' = 0 [B, eq. 4.1]
        *r = [0.0; D];
        return true;
    }
    let mut sticks = false;
    for disc in cone.discs::<D>() {
        let limit = disc.limit(r[0]);
        let tau = augmented(w, gammas.tangential, &disc, r, &u);
        let length = norm(&tau[..disc.len]);
        if length >= limit {
            // A_t: r_t' = mu r_N tau / |tau| [B, eq. 4.3]
            let scale = if length > 0.0 { limit / length } else { 0.0 };
            disc.rows().zip(tau).for_each(|(d, t)| b[d] = scale * t);
            continue;
        }
        sticks = true;
        for d in disc.rows() {
            (a[d], b[d]) = (w[d], -q[d]);
            if stick == Stick::Exact {
                let rate = u[d] * disc.slope / limit;
                a[d][0] += rate;
                b[d] += rate * r[0];
            }
        }
    }
    if !sticks {
        // every other row is known: the first alone is left
        let known: f64 = (1..D).map(|d| a[0][d] * b[d]).sum();
        b[0] = (b[0] - known) / a[0][0];
        if b[0].is_finite() {
            *r = b;
        }
        return b[0].is_finite();
    }
    match solve(a, b) {
        Some(next) => {
            *r = next;
            true
        }
        None => false,
    }
}

/// `tau_t = r_t - gamma_t u_t` on the rows of a disc.
fn augmented<const D: usize>(w: &Block<D>, gamma: Option<f64>, disc: &Disc, r: &[f64; D], u: &[f64; D]) -> [f64; 2] {
    let gamma = gamma.unwrap_or_else(|| 1.0 / row_sum_norm(w, disc.rows()));
    let mut tau = [0.0; 2];
    disc.rows().zip(&mut tau).for_each(|(d, t)| *t = r[d] - gamma * u[d]);
    tau
}
