//! The "iterative" primal-dual active set method with friction.

use super::OneContact;
use super::active_sets::{ActiveSets, Gammas, Stick};
use crate::block::Block;
use crate::cone::Cone;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// One active set step a visit: gap gives $r = 0$; contact gives $u_N = 0$, with slip
/// $r_T = \mu r_N^k\,\tau_T/\|\tau_T\|$ where $\tau_T = r_T^k - \gamma_t u_T^k$ is at least $\mu r_N^k$ long, and stick
/// $u_T = 0$ where it is shorter.
///
/// The equations of a status are solved together, with all of W_cc; for a diagonal W_cc stick is
/// $r_T = r_T^k - u_T^k / W_{TT}$ [B, eq. 4.9]. Sticking and open contacts are exact after one visit with the right
/// sets, sliding ones converge with the sweeps.
///
/// On random problems in space any $\gamma_n$ from 1e-8 to $10/W_{NN}$ served; $\gamma_t$ had to be within about 0.3 to 1
/// of $1/\|W_{TT}\|$: ten times shorter the direction of slip hardly turns, five times longer it overshoots, and both
/// cycle. Joints and rolling, which the paper does not have, go to [`super::Exact`].
///
/// # Reference
/// [B, section 4.2, eq. 4.5-4.9].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Ipdas {
    /// `gamma_n` of `tau_n = r_N - gamma_n u_N` (impulse over velocity); none is `1 / W_NN`.
    pub gamma_n: Option<f64>,
    /// `gamma_t` of `tau_t = |r_T - gamma_t u_T| - mu r_N` (impulse over velocity); none is `1 / |W_TT|`, the row-sum norm.
    pub gamma_t: Option<f64>,
    /// Steps a visit; the paper takes one.
    pub steps: usize,
}

impl Default for Ipdas {
    fn default() -> Self {
        Self { gamma_n: None, gamma_t: None, steps: 1 }
    }
}

impl<const D: usize> OneContact<D> for Ipdas {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        self.sets().solve(w, q, cone, r)
    }

    fn visit(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) {
        self.sets().visit(w, q, cone, r);
    }
}

impl Ipdas {
    fn sets(&self) -> ActiveSets {
        let gammas = Gammas { normal: self.gamma_n, tangential: self.gamma_t };
        ActiveSets { gammas, stick: Stick::Still, steps: self.steps }
    }
}
