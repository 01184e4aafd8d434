//! Newton first, a guaranteed path behind it.

use super::polish::polish;
use super::{AlartCurnier, ClosedForm, Enumeration, OneContact, Projection, residual};
use crate::block::Block;
use crate::cone::Cone;

/// The composition that never fails: the closed form where it is exact, a few Newton steps from the warm start,
/// the [`Enumeration`] when they do not arrive, and of all that was tried the best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guarded {
    /// The Newton method that goes first; its own guard is not asked.
    pub newton: AlartCurnier,
}

impl Default for Guarded {
    fn default() -> Self {
        Self { newton: AlartCurnier { max_steps: 8, max_halvings: 4, guard: false } }
    }
}

impl<const D: usize> OneContact<D> for Guarded {
    #[inline(never)]
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        ClosedForm.solve(w, q, cone, r) || guarded((w, q, cone), r, |r| self.newton.newton(w, q, cone, r))
    }
}

/// `first`, and where it does not arrive the [`Enumeration`] with its last digits polished; else the better of the two.
#[inline(always)]
pub(super) fn guarded<const D: usize>(
    (w, q, cone): (&Block<D>, &[f64; D], &Cone),
    r: &mut [f64; D],
    first: impl FnOnce(&mut [f64; D]) -> bool,
) -> bool {
    let start = *r;
    if first(r) {
        return true;
    }
    let mut exact = start;
    Enumeration.solve(w, q, cone, &mut exact);
    // large impulses leave the exact path a little above its rounding: polish it
    for attempt in 0..3 {
        if residual(w, q, cone, &exact).is_rounding() {
            *r = exact;
            return true;
        }
        match attempt {
            0 => polish(w, q, cone, &mut exact),
            1 => _ = Projection { max_steps: 500, ..Projection::default() }.solve(w, q, cone, &mut exact),
            _ => {}
        }
    }
    // neither arrived: the better of the two
    let error = |r: &[f64; D]| residual(w, q, cone, r).error;
    if error(&exact) < error(r) || !r.iter().all(|x| x.is_finite()) {
        *r = exact;
    }
    false
}
