//! The Jean–Moreau function of one contact.

use crate::cone::Cone;
use crate::one_contact::alart_curnier::{Linearised, Pressure, linearise_under};

/// $$ \Phi_N = r_N - (r_N - \rho_N u_N)_+, \qquad \Phi_k = r_k - P_{B(\mu_k (r_N)_+ + \rho_k)}(r_k - \rho_k u_k): $$
/// as Alart–Curnier, with the radius of the discs taken from r alone; every unilateral cone.
///
/// # Reference
/// Jean & Moreau 1987; Christensen et al. 1998; [D, NSN-MJ].
#[inline(always)]
pub(super) fn linearise<const D: usize>(cone: &Cone, rho: &[f64; D], r: &[f64; D], u: &[f64; D]) -> Linearised<D> {
    linearise_under(cone, rho, r, u, Pressure { value: r[0], by_u: 0.0, by_r: 1.0 })
}
