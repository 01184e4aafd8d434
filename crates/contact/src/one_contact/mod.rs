//! Solvers of one contact: given W_cc and the velocity q without its impulse, find r with
//! $$ u = W_{cc} r + q, \qquad K^* \ni u + g(u) \perp r \in K. $$
//!
//! | solver | for | cost |
//! |---|---|---|
//! | [`ClosedForm`] | diagonal W_cc, equal entries within each disc (spheres) | one pass |
//! | [`Enumeration`] | any W_cc, any cone: take-off, stick, slip in turn, slip by a bracketed root | exact, guaranteed |
//! | [`Projection`] | any, slowly | fixed point |
//! | [`AlartCurnier`] | any, damped Newton, may fail | 2-5 steps |
//! | [`Guarded`] | Newton first, the enumeration behind it, double-double for the last digits | never fails |
//! | [`LemkePolygon`], [`QpPolygon`] | friction on an inscribed polygon: approximations | pivots on nu + 2 rows |
//! | [`Exact`] | the cheapest exact one of these for each cone | what sweeps use |

pub(crate) mod alart_curnier;
mod closed_form;
mod enumeration;
mod exact;
mod guarded;
mod lemke_polygon;
mod polish;
mod projection;
mod qp_polygon;
mod residual;
mod slip_root;

pub use alart_curnier::AlartCurnier;
pub use closed_form::ClosedForm;
pub use enumeration::Enumeration;
pub use exact::Exact;
pub use guarded::Guarded;
pub use lemke_polygon::LemkePolygon;
pub use projection::Projection;
pub use qp_polygon::QpPolygon;
pub use residual::{Residual, residual};

use crate::block::Block;
use crate::cone::Cone;
use serde::{Deserialize, Serialize};

/// Solves one contact.
pub trait OneContact<const D: usize> {
    /// Improves `r` (a start on entry); returns whether the law is met to working accuracy.
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool;
}

/// The one-contact solvers by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OneContactKind {
    /// [`Exact`].
    #[default]
    Exact,
    /// [`Guarded`].
    Guarded,
    /// [`AlartCurnier`].
    AlartCurnier,
    /// [`Projection`].
    Projection,
    /// [`LemkePolygon`]: an approximation, the certificate of sliding contacts stops at O(1/nu).
    LemkePolygon {
        /// Corners of the polygon.
        #[serde(default = "corners")]
        nu: usize,
    },
    /// [`QpPolygon`]: the same approximation.
    QpPolygon {
        /// Corners of the polygon.
        #[serde(default = "corners")]
        nu: usize,
    },
}

fn corners() -> usize {
    lemke_polygon::CORNERS
}
