//! The standard bipotential method: one projection a visit.

use super::normal::{Normal, frictionless};
use super::projection::projected;
use super::step_length::step_length;
use super::{OneContact, residual};
use crate::block::Block;
use crate::cone::Cone;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// $ r \leftarrow P_K(\tau), \quad \tau = r - \rho\,(u + g(u)) $: one Uzawa step on the bipotential a visit, so that the
/// contact law converges together with the sweeps and not inside them.
///
/// The paper writes it without friction, where $g = 0$ and $r_N \leftarrow (r_N - \rho u_N)_+$; with friction it is the
/// bipotential of de Saxcé and Feng that [A, eq. 28] starts from. A single contact contracts by $1 - \rho W_{NN}$ a
/// sweep: $\rho = 1/W_{NN}$ is exact at once, other values make the many iterations of [A, table 1].
/// Several `steps` a visit come closer to an exact one-contact solver.
///
/// # Reference
/// [A, section 4.2, eq. 27-30]; de Saxcé & Feng 1998; Fortin, Millet & de Saxcé 2005.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Sbp {
    /// The step rho (impulse over velocity); none is `relative / |W_cc|`.
    pub rho: Option<f64>,
    /// `rho = relative / |W_cc|`, the row-sum norm (W_NN without friction), where no rho is given.
    pub relative: f64,
    /// Steps a visit.
    pub steps: usize,
}

impl Default for Sbp {
    fn default() -> Self {
        Self { rho: None, relative: 1.0, steps: 1 }
    }
}

impl<const D: usize> OneContact<D> for Sbp {
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
            *r = projected(w, q, cone, rho, r);
        }
    }
}
