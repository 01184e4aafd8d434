//! The Alart–Curnier function of one contact.

use crate::cone::Cone;
use crate::one_contact::alart_curnier::{self as one, Linearised};

/// $$ \Phi_N = r_N - (r_N - \rho_N u_N)_+, \qquad
///    \Phi_k = r_k - P_{B(\mu_k (r_N - \rho_N u_N)_+ + \rho_k)}(r_k - \rho_k u_k): $$
/// the same linearisation as the one-contact Newton, every unilateral cone.
///
/// # Reference
/// Alart & Curnier 1991; [D, NSN-AC].
#[inline(always)]
pub(super) fn linearise<const D: usize>(cone: &Cone, rho: &[f64; D], r: &[f64; D], u: &[f64; D]) -> Linearised<D> {
    one::linearise(cone, rho, r, u)
}
