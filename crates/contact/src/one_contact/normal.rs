//! The normal part alone: what the methods of [A] come down to without friction, one row and no projection in space.

use crate::block::Block;
use crate::cone::Cone;

/// The row of a frictionless contact.
pub(super) struct Normal {
    w: f64,
    q: f64,
}

impl Normal {
    fn new<const D: usize>(w: &Block<D>, q: &[f64; D]) -> Self {
        Self { w: w[0][0], q: q[0] }
    }

    /// The step: rho if it is given, else `relative / W_NN`.
    pub fn rho(&self, rho: Option<f64>, relative: f64) -> f64 {
        rho.unwrap_or_else(|| relative / self.w.abs().max(f64::MIN_POSITIVE))
    }

    /// $\tau = r_N - \rho u_N$.
    fn tau(&self, rho: f64, r: f64) -> f64 {
        r - rho * (self.q + self.w * r)
    }

    /// $r_N \leftarrow \tau_+$, several times [A, eq. 30].
    pub fn projected(&self, rho: f64, steps: usize, r: f64) -> f64 {
        (0..steps).fold(r, |r, _| self.tau(rho, r).max(0.0))
    }

    /// Newton until the set no longer changes: $u_N = 0$ where $\tau \ge 0$, else $r_N = 0$ [A, eq. 35-36].
    pub fn newton(&self, rho: f64, max_steps: usize, mut r: f64) -> f64 {
        for _ in 0..max_steps {
            let next = if self.tau(rho, r) >= 0.0 { -self.q / self.w } else { 0.0 };
            if next == r {
                break;
            }
            r = next;
        }
        r
    }

    /// One active-set step a time [A, eq. 37-41].
    pub fn active_set(&self, gamma: Option<f64>, steps: usize, r: f64) -> f64 {
        self.newton(self.rho(gamma, 1.0), steps, r)
    }
}

/// Visits a frictionless contact with a step of its normal impulse; false, and nothing done, for any other.
#[inline(always)]
pub(super) fn frictionless<const D: usize>(
    (w, q, cone): (&Block<D>, &[f64; D], &Cone),
    r: &mut [f64; D],
    step: impl FnOnce(&Normal, f64) -> f64,
) -> bool {
    if !matches!(cone, Cone::Frictionless) {
        return false;
    }
    let n = step(&Normal::new(w, q), r[0]);
    *r = [0.0; D];
    r[0] = n;
    true
}
