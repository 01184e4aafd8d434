//! The primal-dual active set method without friction.

use super::{Ipdas, OneContact};
use crate::block::Block;
use crate::cone::Cone;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// Active where $\tau_n = r_N - \gamma u_N \ge 0$, then $u_N = 0$, that is $r_N \leftarrow r_N - u_N / W_{NN}$; else
/// $r_N = 0$; $r_T = 0$. One step a visit.
///
/// With $\gamma = 1/W_{NN}$ exact after one visit of a frictionless contact, with any $\gamma > 0$ once the set is right.
/// The paper has no friction: contacts with friction are treated by its successor [`Ipdas`], whose normal part this is. With
/// restitution the unknown here is the velocity that the law is written for, so that [A, eq. 40] needs its factor
/// $1 + e$ nowhere.
///
/// # Reference
/// [A, section 4.3, eq. 37-41]; Hintermüller, Ito & Kunisch 2003.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Pdas {
    /// `gamma` of `tau_n = r_N - gamma u_N` (impulse over velocity); none is `1 / W_NN`.
    pub gamma: Option<f64>,
}

impl<const D: usize> OneContact<D> for Pdas {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        self.with_friction().solve(w, q, cone, r)
    }

    fn visit(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) {
        self.with_friction().visit(w, q, cone, r);
    }
}

impl Pdas {
    /// The method that this is the normal part of.
    fn with_friction(&self) -> Ipdas {
        Ipdas { gamma_n: self.gamma, gamma_t: self.gamma, steps: 1 }
    }
}
