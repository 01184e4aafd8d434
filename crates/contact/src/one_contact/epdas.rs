//! The "exact" primal-dual active set method with friction.

use super::OneContact;
use super::active_sets::{ActiveSets, Gammas, Stick};
use crate::block::Block;
use crate::cone::Cone;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// One semismooth Newton step a visit on
/// $$ r_N = (r_N - \gamma_n u_N)_+, \qquad \max(\mu r_N, \|r_T - \gamma_t u_T\|)\, r_T = \mu r_N (r_T - \gamma_t u_T): $$
/// gap gives $r = 0$; contact gives $u_N = 0$, with slip $r_T = \mu r_N^k\,\tau_T/\|\tau_T\|$ and stick
/// $u_T = -u_T^k (r_N - r_N^k) / r_N^k$.
///
/// The equations of a status are solved together, with all of W_cc; for a diagonal W_cc they are [B, eq. 3.38]. In space
/// slip takes the short form of [B, eq. 4.3] as well, which has the same fixed points. Where $r_N^k$ is small the stick
/// condition is unstable [B, section 4.2]: [`super::Ipdas`] is the remedy. Convergence comes with the sweeps.
///
/// On random problems in space any $\gamma_n$ from 1e-8 to $10/W_{NN}$ served; $\gamma_t$ had to be within about 0.3 to 1
/// of $1/\|W_{TT}\|$: ten times shorter the direction of slip hardly turns, five times longer it overshoots, and both
/// cycle. Joints and rolling, which the paper does not have, go to [`super::Exact`].
///
/// # Reference
/// [B, section 4.1, eq. 3.3-3.4 and 4.1-4.4], with the sign of sliding corrected in eq. 2.17: $v_t = -\beta p_t/\|p_t\|$.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Epdas {
    /// `gamma_n` of `tau_n = r_N - gamma_n u_N` (impulse over velocity); none is `1 / W_NN`.
    pub gamma_n: Option<f64>,
    /// `gamma_t` of `tau_t = |r_T - gamma_t u_T| - mu r_N` (impulse over velocity); none is `1 / |W_TT|`, the row-sum norm.
    pub gamma_t: Option<f64>,
    /// Steps a visit; the paper takes one.
    pub steps: usize,
}

impl Default for Epdas {
    fn default() -> Self {
        Self { gamma_n: None, gamma_t: None, steps: 1 }
    }
}

impl<const D: usize> OneContact<D> for Epdas {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        self.sets().solve(w, q, cone, r)
    }

    fn visit(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) {
        self.sets().visit(w, q, cone, r);
    }
}

impl Epdas {
    fn sets(&self) -> ActiveSets {
        let gammas = Gammas { normal: self.gamma_n, tangential: self.gamma_t };
        ActiveSets { gammas, stick: Stick::Exact, steps: self.steps }
    }
}
