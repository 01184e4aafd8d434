//! Coulomb friction with restitution.

use serde::{Deserialize, Serialize};

/// Coulomb's law on Moreau's formal velocity, $\tilde u = u^+ + e\,u^-$ row by row:
/// $$ K^* \ni \tilde u + \mu \|\tilde u_T\| N \perp r \in K. $$
///
/// # Reference
/// [B, eq. 2.25-2.26]; [E, eq. 31d]. The formal velocity of [A, eq. 21] is this one over $1 + e$.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Coulomb {
    /// Coefficient of friction.
    pub mu: f64,
    /// Newton's coefficient of normal restitution, 0 to 1.
    pub e_n: f64,
    /// Coefficient of tangential restitution, 0 to 1.
    pub e_t: f64,
}

impl Default for Coulomb {
    fn default() -> Self {
        Self { mu: 0.5, e_n: 0.0, e_t: 0.0 }
    }
}
