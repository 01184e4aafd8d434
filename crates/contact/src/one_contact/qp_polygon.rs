//! One contact on a polygonal cone, by a nonsymmetric quadratic program.

use super::lemke_polygon::{CORNERS, corners, direction, friction_disc};
use super::{Exact, LemkePolygon, OneContact, residual};
use crate::block::Block;
use crate::cone::{Cone, Disc};
use crate::matrix::Dense;
use crate::qp::{NonsymmetricOptions, NonsymmetricQp, QpStatus};
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// The problem of [`LemkePolygon`] with the normal impulse eliminated, as a [`NonsymmetricQp`] in two unknowns:
/// $$ S r_T + b + \sum_k \lambda_k n_k = 0, \qquad
///    0 \le \lambda_k \perp c (\mu r_N(r_T) + \rho) - n_k \cdot r_T \ge 0, $$
/// S and b the Schur complement of the normal row, $n_k$ the normals of the sides, $c = \cos(\pi/\nu)$ and
/// $r_N(r_T) = -(q_N + W_{NT} r_T) / W_{NN}$. The normal impulse tilts the constraints, not the forces: nonsymmetric.
///
/// The same approximation, with the same orders in nu. Where the active set method does not end in a solution,
/// [`LemkePolygon`] takes over. Contacts in the plane, rolling and joints go to [`Exact`].
///
/// # Reference
/// [C, sections 3.2 and 4.3].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct QpPolygon {
    /// Corners of the polygon, at least 3.
    pub nu: usize,
}

impl Default for QpPolygon {
    fn default() -> Self {
        Self { nu: CORNERS }
    }
}

/// Friction in two unknowns: `S t + b`, bounded by `|t|_polygon <= c0 + c . t`.
struct Sliding {
    s: [[f64; 2]; 2],
    b: [f64; 2],
    c0: f64,
    c: [f64; 2],
}

impl Sliding {
    /// Friction on the polygon; `None` when the active set method did not end in a solution.
    fn solve(&self, nu: usize) -> Option<[f64; 2]> {
        // velocities over the size of S, impulses over the size of the polygon: data of size one
        let size = self.s[0][0].abs().max(self.s[1][1].abs());
        let reach = self.c0;
        if !(size > 0.0 && reach > 0.0) {
            return None;
        }
        let apothem = (std::f64::consts::PI / nu as f64).cos();
        let normal: Vec<[f64; 2]> = (0..nu).map(|k| direction((k as f64 + 0.5) / nu as f64)).collect();
        let a = Dense::from_fn(2, 2, |i, j| self.s[i][j] / size);
        let b = self.b.iter().map(|b| b / (size * reach)).collect();
        let tilted = Dense::from_fn(nu, 2, |k, j| normal[k][j] - apothem * self.c[j]);
        let sides = Dense::from_fn(nu, 2, |k, j| normal[k][j]);
        let qp = NonsymmetricQp::new(a, b, tilted, vec![apothem; nu], sides).ok()?;
        // no friction at all is feasible
        let found = qp.solve(&[0.0; 2], &NonsymmetricOptions { tolerance: 1e-9, max_iterations: 8 * nu + 50 });
        (found.status == QpStatus::Solved).then(|| [found.x[0] * reach, found.x[1] * reach])
    }
}

/// `W_TT, q_T` at a given normal impulse of zero.
fn open<const D: usize>(w: &Block<D>, q: &[f64; D], disc: &Disc) -> Sliding {
    let t = disc.start;
    Sliding { s: [0, 1].map(|i| [0, 1].map(|j| w[t + i][t + j])), b: [q[t], q[t + 1]], c0: disc.radius, c: [0.0; 2] }
}

/// The Schur complement of the normal row.
fn closed<const D: usize>(w: &Block<D>, q: &[f64; D], disc: &Disc) -> Sliding {
    let (t, inv) = (disc.start, 1.0 / w[0][0]);
    Sliding {
        s: [0, 1].map(|i| [0, 1].map(|j| w[t + i][t + j] - w[t + i][0] * w[0][t + j] * inv)),
        b: [0, 1].map(|i| q[t + i] - w[t + i][0] * q[0] * inv),
        c0: disc.radius - disc.slope * q[0] * inv,
        c: [0, 1].map(|j| -disc.slope * w[0][t + j] * inv),
    }
}

impl QpPolygon {
    fn polygon<const D: usize>(&self, w: &Block<D>, q: &[f64; D], disc: &Disc) -> Option<[f64; D]> {
        let nu = corners(self.nu);
        let mut r = [0.0; D];
        let normal = |t: [f64; 2]| q[0] + w[0][disc.start] * t[0] + w[0][disc.start + 1] * t[1];
        // open: nothing for Coulomb, friction alone for Tresca
        let t = if disc.radius > 0.0 { open(w, q, disc).solve(nu)? } else { [0.0; 2] };
        if normal(t) >= 0.0 {
            r[disc.rows()].copy_from_slice(&t);
            return Some(r);
        }
        let t = closed(w, q, disc).solve(nu)?;
        r[0] = (-normal(t) / w[0][0]).max(0.0);
        r[disc.rows()].copy_from_slice(&t);
        Some(r)
    }
}

impl<const D: usize> OneContact<D> for QpPolygon {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        let Some(disc) = friction_disc::<D>(cone).filter(|d| d.len == 2) else { return Exact.solve(w, q, cone, r) };
        match self.polygon(w, q, &disc) {
            Some(answer) => *r = answer,
            None => return LemkePolygon { nu: self.nu }.solve(w, q, cone, r),
        }
        residual(w, q, cone, r).is_rounding()
    }
}
