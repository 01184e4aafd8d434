//! The sets that a contact impulse may live in, and the law that goes with each.
//!
//! Every unilateral cone of this crate has one shape: a normal part and at most two *discs*,
//! $$ K = \\{ r : r_N \ge 0,\ \|r_k\| \le \mu_k r_N + \rho_k,\ k = 1, 2 \\}, $$
//! where $r_1 = r_T$ is friction and $r_2 = r_R$ is rolling resistance. Coulomb, rolling, Tresca and frictionless
//! contact differ only in the numbers $\mu_k, \rho_k$ ([`Cone::discs`]), so projection, natural map and
//! one-contact solvers are written once. The law is
//! $$ K^* \ni u + g(u) \perp r \in K, \qquad g(u) = \sum_k \mu_k \|u_k\| N, $$
//! [D, eq. 5-6], with the dual cone read as the normal cone of $K$ where a Tresca radius makes $K$ a cylinder.

mod natural_map;
mod projection;
mod status;

pub use status::ContactStatus;

use serde::{Deserialize, Serialize};

/// The law of one contact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cone {
    /// Coulomb friction: `|r_T| <= mu r_N`.
    Coulomb {
        /// Coefficient of friction.
        mu: f64,
    },
    /// Coulomb friction and rolling resistance: `|r_T| <= mu r_N`, `|r_R| <= mu_r r_N`.
    Rolling {
        /// Coefficient of friction.
        mu: f64,
        /// Coefficient of rolling friction, a length.
        mu_r: f64,
    },
    /// Friction bounded by a given impulse: `|r_T| <= radius`, `r_N >= 0`.
    Tresca {
        /// Bound of the tangential impulse.
        radius: f64,
    },
    /// No friction: `r_T = 0`, `r_N >= 0`.
    Frictionless,
    /// A joint: `u = 0`, `r` free. Rows that are zero throughout W and q are padding.
    Bilateral,
}

/// One disc constraint `|r[start..start+len]| <= slope r_N + radius`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disc {
    /// First row of the disc.
    pub start: usize,
    /// Number of rows: 0 (absent), 1 or 2.
    pub len: usize,
    /// `mu_k`.
    pub slope: f64,
    /// `rho_k`.
    pub radius: f64,
}

impl Disc {
    /// The rows of the disc.
    #[inline(always)]
    pub fn rows(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.len
    }

    /// The largest `|r_k|` that the normal part allows.
    #[inline(always)]
    pub fn limit(&self, r_n: f64) -> f64 {
        self.slope * r_n.max(0.0) + self.radius
    }
}

/// Whether any contact rolls: one that does takes many times as long as one that does not.
pub fn rolls(cones: &[Cone]) -> bool {
    cones.iter().any(|c| matches!(c, Cone::Rolling { .. }))
}

impl Cone {
    /// The friction disc and the rolling disc of this cone in a contact of `D` rows.
    ///
    /// Rows: `N, T` (D = 2), `N, T1, T2` (D = 3), `N, T1, T2, R1, R2` (D = 5); in a contact of three rows
    /// [`Cone::Rolling`] means the plane one, `N, T, R`.
    #[inline(always)]
    pub fn discs<const D: usize>(&self) -> [Disc; 2] {
        let (mu, mu_r, radius, plane_rolling) = match *self {
            Cone::Coulomb { mu } => (mu, 0.0, 0.0, false),
            Cone::Rolling { mu, mu_r } => (mu, mu_r, 0.0, D == 3),
            Cone::Tresca { radius } => (0.0, 0.0, radius, false),
            Cone::Frictionless | Cone::Bilateral => (0.0, 0.0, 0.0, false),
        };
        let t_len = if D == 2 || plane_rolling { 1 } else { 2.min(D - 1) };
        let r_start = 1 + t_len;
        [
            Disc { start: 1, len: t_len, slope: mu, radius },
            Disc { start: r_start, len: D - r_start, slope: mu_r, radius: 0.0 },
        ]
    }

    /// The rows whose impulse may be nonzero: the leading part of W_cc that must be positive definite.
    pub fn live_rows<const D: usize>(&self) -> usize {
        if matches!(self, Cone::Bilateral) {
            return D;
        }
        let [t, r] = self.discs::<D>();
        let live = |d: &Disc| d.len > 0 && (d.slope > 0.0 || d.radius > 0.0);
        if live(&r) {
            D
        } else if live(&t) {
            1 + t.len
        } else {
            1
        }
    }

    /// The de Saxcé shift `g(u) = mu |u_T| + mu_r |u_R|`, to be added to the normal velocity [D, eq. 5].
    #[inline(always)]
    pub fn shift<const D: usize>(&self, u: &[f64; D]) -> f64 {
        let [t, r] = self.discs::<D>();
        let mut g = t.slope * crate::block::norm(&u[t.rows()]);
        if r.len > 0 {
            g += r.slope * crate::block::norm(&u[r.rows()]);
        }
        g
    }

    /// The same law with impulses multiplied by `impulse` and rotations multiplied by `length`.
    ///
    /// Used by the unit-free measure: a Tresca radius is an impulse, a rolling coefficient a length.
    pub fn rescaled(&self, impulse: f64, length: f64) -> Cone {
        match *self {
            Cone::Rolling { mu, mu_r } => Cone::Rolling { mu, mu_r: mu_r / length },
            Cone::Tresca { radius } => Cone::Tresca { radius: radius * impulse },
            other => other,
        }
    }

    /// What is wrong with the numbers of this cone, if anything.
    pub fn fault(&self) -> Option<String> {
        let bad = |name: &str, x: f64| {
            if x.is_nan() || x.is_infinite() {
                Some(format!("{name} = {x} is not a finite number"))
            } else if x < 0.0 {
                Some(format!("{name} = {x} is negative"))
            } else {
                None
            }
        };
        match *self {
            Cone::Coulomb { mu } => bad("mu", mu),
            Cone::Rolling { mu, mu_r } => bad("mu", mu).or_else(|| bad("mu_r", mu_r)),
            Cone::Tresca { radius } => bad("radius", radius),
            Cone::Frictionless | Cone::Bilateral => None,
        }
    }
}
