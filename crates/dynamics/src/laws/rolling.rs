//! Coulomb friction with resistance to rolling and to spinning.

use serde::{Deserialize, Serialize};

/// Coulomb's law with a moment that opposes rolling, $\|r_R\| \le \mu_r r_N$, and one that opposes spinning about the
/// normal, $|r_S| \le \mu_s r_N$.
///
/// Rolling is solved together with friction, in a contact of five rows (three in the plane). Spinning has a row of its
/// own after the solve, with the limit of the normal impulses just found.
///
/// # Reference
/// Acary & Bourrier, "Coulomb friction with rolling resistance as a cone complementarity problem", 2021; \[E\].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rolling {
    /// Coefficient of friction.
    pub mu: f64,
    /// Coefficient of rolling friction (m).
    pub mu_r: f64,
    /// Coefficient of spinning friction (m); nothing spins in the plane.
    pub mu_s: f64,
    /// Newton's coefficient of normal restitution, 0 to 1.
    pub e_n: f64,
    /// Coefficient of tangential restitution, 0 to 1.
    pub e_t: f64,
}

impl Default for Rolling {
    fn default() -> Self {
        Self { mu: 0.5, mu_r: 0.0, mu_s: 0.0, e_n: 0.0, e_t: 0.0 }
    }
}
