//! What happens where two materials meet. One law a file; [`Laws`] says which pair follows which.

mod coulomb;
mod frictionless;
mod glued;
mod rolling;
mod table;

pub use coulomb::Coulomb;
pub use frictionless::Frictionless;
pub use glued::Glued;
pub use rolling::Rolling;
pub use table::{Laws, Material};

use serde::{Deserialize, Serialize};
use stickslip_contact::cone::Cone;

/// The law of a contact. Normal behaviour is Signorini's with Newton's restitution in all but [`Glued`]:
/// $$ 0 \le u_N^+ + e_n u_N^- \perp r_N \ge 0. $$
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Law {
    /// No friction.
    Frictionless(Frictionless),
    /// Coulomb friction.
    Coulomb(Coulomb),
    /// Coulomb friction with resistance to rolling and spinning.
    Rolling(Rolling),
    /// No relative motion of the point of contact at all.
    Glued(Glued),
}

impl Default for Law {
    /// Coulomb friction with mu = 0.5 and no restitution.
    fn default() -> Self {
        Law::Coulomb(Coulomb::default())
    }
}

impl Law {
    /// Coulomb friction without restitution.
    pub fn coulomb(mu: f64) -> Self {
        Law::Coulomb(Coulomb { mu, ..Coulomb::default() })
    }

    /// Coulomb friction with Newton's coefficient of restitution.
    pub fn bouncing(mu: f64, e_n: f64) -> Self {
        Law::Coulomb(Coulomb { mu, e_n, ..Coulomb::default() })
    }

    /// The cone of the impulses.
    #[inline]
    pub fn cone(&self) -> Cone {
        match self {
            Law::Frictionless(_) => Cone::Frictionless,
            Law::Coulomb(l) => Cone::Coulomb { mu: l.mu },
            Law::Rolling(l) => Cone::Rolling { mu: l.mu, mu_r: l.mu_r },
            Law::Glued(_) => Cone::Bilateral,
        }
    }

    /// The coefficients of restitution `(e_n, e_t)`.
    #[inline]
    pub fn restitution(&self) -> (f64, f64) {
        match self {
            Law::Frictionless(l) => (l.e_n, 0.0),
            Law::Coulomb(l) => (l.e_n, l.e_t),
            Law::Rolling(l) => (l.e_n, l.e_t),
            Law::Glued(_) => (0.0, 0.0),
        }
    }

    /// The coefficient of friction.
    pub fn mu(&self) -> f64 {
        match self {
            Law::Frictionless(_) | Law::Glued(_) => 0.0,
            Law::Coulomb(l) => l.mu,
            Law::Rolling(l) => l.mu,
        }
    }

    /// The coefficient of spinning friction (m).
    #[inline(always)]
    pub fn mu_s(&self) -> f64 {
        if let Law::Rolling(l) = self { l.mu_s } else { 0.0 }
    }

    /// Whether the contact needs rows for rolling.
    pub fn rolls(&self) -> bool {
        matches!(self, Law::Rolling(l) if l.mu_r > 0.0)
    }

    /// What soft contacts cannot do of this law, if anything.
    pub fn too_hard(&self) -> Option<&'static str> {
        match self {
            Law::Glued(_) => Some("glue"),
            Law::Rolling(l) if l.mu_r > 0.0 || l.mu_s > 0.0 => Some("resistance to rolling and spinning"),
            law if law.restitution().1 > 0.0 => Some("tangential restitution e_t"),
            _ => None,
        }
    }

    /// What is wrong with the numbers, if anything.
    pub fn fault(&self) -> Option<String> {
        let (e_n, e_t) = self.restitution();
        for (name, e) in [("e_n", e_n), ("e_t", e_t)] {
            if !(0.0..=1.0).contains(&e) {
                return Some(format!("{name} = {e} is not a coefficient of restitution: take one from 0 to 1"));
            }
        }
        if let Law::Rolling(Rolling { mu_s, .. }) = self
            && !(mu_s.is_finite() && *mu_s >= 0.0)
        {
            return Some(format!("mu_s = {mu_s} is not a length of zero or more"));
        }
        self.cone().fault()
    }
}
