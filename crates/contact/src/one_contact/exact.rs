//! The exact solver that sweeps use.

use super::{Enumeration, Guarded, OneContact};
use crate::block::Block;
use crate::cone::Cone;

/// The [`Enumeration`] where slip is one root (its Newton is cheaper than one on all rows), the [`Guarded`] Newton
/// where friction and rolling make it three.
#[derive(Debug, Clone, Copy, Default)]
pub struct Exact;

impl<const D: usize> OneContact<D> for Exact {
    #[inline(always)]
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        match cone {
            Cone::Rolling { .. } => Guarded::default().solve(w, q, cone, r),
            _ => Enumeration.solve(w, q, cone, r),
        }
    }
}
