//! Solvers of one contact: given W_cc and the velocity q without its impulse, find r with
//! $$ u = W_{cc} r + q, \qquad K^* \ni u + g(u) \perp r \in K. $$
//!
//! | solver | for | cost |
//! |---|---|---|
//! | [`ClosedForm`] | diagonal W_cc, equal entries within each disc (spheres) | one pass |
//! | [`Enumeration`] | any W_cc, any cone: take-off, stick, slip in turn, slip by a bracketed root | exact, guaranteed |
//! | [`Projection`] | any, slowly | fixed point |
//! | [`Sbp`], [`Sal`] | one projection a visit: the law converges with the sweeps | one product |
//! | [`Ebp`], [`Eal`] | full Newton steps on the same projections | 1-5 steps |
//! | [`Pdas`], [`Epdas`], [`Ipdas`] | one primal-dual active set step a visit | one small system |
//! | [`AlartCurnier`], [`JeanMoreau`], [`NaturalMap`], [`FischerBurmeister`] | damped Newton, guarded unless told otherwise | 2-5 steps |
//! | [`Guarded`] | Newton first, the enumeration behind it, double-double for the last digits | never fails |
//! | [`LemkePolygon`], [`QpPolygon`] | friction on an inscribed polygon: approximations | pivots on nu + 2 rows |
//! | [`Exact`] | the cheapest exact one of these for each cone | what sweeps use |
//!
//! [`OneContactKind`] names them all.

mod active_sets;
pub(crate) mod alart_curnier;
mod closed_form;
mod eal;
mod ebp;
mod enumeration;
mod epdas;
mod exact;
mod fischer_burmeister;
mod guarded;
mod ipdas;
mod jean_moreau;
mod kind;
mod lemke_polygon;
mod natural_map;
mod newton;
mod normal;
mod pdas;
mod polish;
mod projection;
mod qp_polygon;
mod residual;
mod sal;
mod sbp;
mod slip_root;
mod step_length;

pub use alart_curnier::AlartCurnier;
pub use closed_form::{ClosedForm, ClosedFormAlone};
pub use eal::Eal;
pub use ebp::Ebp;
pub use enumeration::Enumeration;
pub use epdas::Epdas;
pub use exact::Exact;
pub use fischer_burmeister::FischerBurmeister;
pub use guarded::Guarded;
pub use ipdas::Ipdas;
pub use jean_moreau::JeanMoreau;
pub use kind::{OneContactEntry, OneContactKind};
pub use lemke_polygon::LemkePolygon;
pub use natural_map::NaturalMap;
pub use pdas::Pdas;
pub use projection::Projection;
pub use qp_polygon::QpPolygon;
pub use residual::{Residual, residual};
pub use sal::Sal;
pub use sbp::Sbp;

use crate::block::Block;
use crate::cone::Cone;

/// Solves one contact.
pub trait OneContact<const D: usize> {
    /// Improves `r` (a start on entry); returns whether the law is met to working accuracy.
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool;

    /// The same as one visit of a sweep, which does not ask for the verdict.
    #[inline(always)]
    fn visit(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) {
        self.solve(w, q, cone, r);
    }
}
