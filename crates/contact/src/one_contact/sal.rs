//! The standard augmented Lagrangian: one projection on the cylinder a visit.

use super::normal::{Normal, frictionless};
use super::step_length::step_length;
use super::{OneContact, residual};
use crate::block::{Block, add, mul, norm};
use crate::cone::Cone;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// $ r \leftarrow P_C(\tau), \quad \tau = r - \rho u, \quad C = \mathbb R^+ \times B(0, \mu (\tau_N)_+) $: one projected
/// gradient step of the augmented Lagrangian a visit.
///
/// Normal part first, then friction cut back to the new normal part: the cylinder of [A, eq. 23] with the radius that
/// Alart and Curnier give it. Without friction the same as [`super::Sbp`]; with it the direction of friction and the
/// normal part are not mixed by the projection. Steps of `relative = 1` contract on a single contact.
///
/// # Reference
/// [A, section 4.1, eq. 23-25]; Alart & Curnier 1991.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Sal {
    /// The step rho (impulse over velocity); none is `relative / |W_cc|`.
    pub rho: Option<f64>,
    /// `rho = relative / |W_cc|`, the row-sum norm (W_NN without friction), where no rho is given.
    pub relative: f64,
    /// Steps a visit.
    pub steps: usize,
}

impl Default for Sal {
    fn default() -> Self {
        Self { rho: None, relative: 1.0, steps: 1 }
    }
}

impl<const D: usize> OneContact<D> for Sal {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        self.visit(w, q, cone, r);
        residual(w, q, cone, r).is_rounding()
    }

    fn visit(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) {
        let step = |normal: &Normal, r| normal.projected(normal.rho(self.rho, self.relative), self.steps, r);
        if frictionless((w, q, cone), r, step) {
            return;
        }
        let rho = step_length(w, cone, self.rho, self.relative);
        for _ in 0..self.steps {
            let u = add(&mul(w, r), q);
            let tau: [f64; D] = std::array::from_fn(|k| r[k] - rho * u[k]);
            *r = tau;
            if matches!(cone, Cone::Bilateral) {
                continue;
            }
            r[0] = tau[0].max(0.0);
            for disc in cone.discs::<D>() {
                let (limit, length) = (disc.limit(r[0]), norm(&tau[disc.rows()]));
                if length > limit {
                    r[disc.rows()].iter_mut().for_each(|x| *x *= limit / length);
                }
            }
        }
    }
}
