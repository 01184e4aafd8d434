//! One contact on a polygonal cone, by Lemke.

use super::{Exact, OneContact, residual};
use crate::block::Block;
use crate::cone::{Cone, Disc};
use crate::lcp::{LcpProblem, LcpStatus, Lemke};
use crate::matrix::Dense;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// The friction disc replaced by the inscribed regular polygon with `nu` corners $d_i$, $r_T = D \beta$:
/// $$ \begin{pmatrix} u_N \\\\ D^\top u_T + \lambda e \\\\ \mu r_N + \rho - e \cdot \beta \end{pmatrix} =
/// \begin{pmatrix} W_{NN} & W_{NT} D & 0 \\\\ D^\top W_{TN} & D^\top W_{TT} D & e \\\\ \mu & -e^\top & 0 \end{pmatrix}
/// \begin{pmatrix} r_N \\\\ \beta \\\\ \lambda \end{pmatrix} +
/// \begin{pmatrix} q_N \\\\ D^\top q_T \\\\ \rho \end{pmatrix}, $$
/// complementary and not negative: a copositive LCP of size nu + 2, which Lemke solves for any positive definite W_cc.
///
/// An approximation. The energy $\frac12 r \cdot W r + q \cdot r$ of friction at a given normal impulse is above the
/// exact one by $O(\nu^{-2})$. The impulse of a sliding contact mostly sits on a corner, up to half a corner angle off:
/// r itself, and with it the certificate of a sweep, stops at $O(\nu^{-1})$. Sticking and open contacts are exact.
///
/// In the plane the polygon is the disc and the answer is exact. Rolling and joints go to [`Exact`].
///
/// # Reference
/// [C, sections 3.2 and 4.2].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct LemkePolygon {
    /// Corners of the polygon, at least 3.
    pub nu: usize,
}

/// The number of corners unless told otherwise.
pub(super) const CORNERS: usize = 12;

/// The most corners: beyond it rounding weighs more than the polygon.
const MAX_CORNERS: usize = 4096;

impl Default for LemkePolygon {
    fn default() -> Self {
        Self { nu: CORNERS }
    }
}

/// The friction disc of a cone that a polygon can replace: friction, and nothing but.
pub(super) fn friction_disc<const D: usize>(cone: &Cone) -> Option<Disc> {
    let [t, r] = cone.discs::<D>();
    let alone = r.len == 0 || r.slope == 0.0;
    let rubs = t.slope > 0.0 || t.radius > 0.0;
    (!matches!(cone, Cone::Bilateral) && alone && rubs).then_some(t)
}

/// The unit vector at part `turn` of a full turn.
pub(super) fn direction(turn: f64) -> [f64; 2] {
    let (sin, cos) = (std::f64::consts::TAU * turn).sin_cos();
    [cos, sin]
}

/// A number of corners that makes a polygon.
pub(super) fn corners(nu: usize) -> usize {
    nu.clamp(3, MAX_CORNERS)
}

impl LemkePolygon {
    /// The polygon's corners: two points in the plane.
    fn corners(&self, disc: &Disc) -> Vec<[f64; 2]> {
        if disc.len == 1 {
            return vec![[1.0, 0.0], [-1.0, 0.0]];
        }
        let nu = corners(self.nu);
        (0..nu).map(|k| direction(k as f64 / nu as f64)).collect()
    }
}

impl<const D: usize> OneContact<D> for LemkePolygon {
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        let Some(disc) = friction_disc::<D>(cone) else { return Exact.solve(w, q, cone, r) };
        let corner = self.corners(&disc);
        let n = corner.len();
        // every unknown but the last is an impulse along one of these directions; impulses are scaled to velocities
        let scale = w[0][0];
        let mut along = vec![[0.0; D]; n + 1];
        along[0][0] = 1.0;
        for (a, d) in along[1..].iter_mut().zip(&corner) {
            a[disc.rows()].copy_from_slice(&d[..disc.len]);
        }
        let image: Vec<[f64; D]> = along.iter().map(|a| crate::block::mul(w, a)).collect();
        let m = Dense::from_fn(n + 2, n + 2, |i, j| match (i, j) {
            (i, j) if i <= n && j <= n => crate::block::dot(&along[i], &image[j]) / scale,
            (i, _) if i <= n => f64::from(u8::from(i > 0)),
            (_, 0) => disc.slope,
            (_, j) if j <= n => -1.0,
            _ => 0.0,
        });
        let rhs = along.iter().map(|a| crate::block::dot(a, q)).chain([disc.radius * scale]).collect();
        let Ok(problem) = LcpProblem::new(m, rhs) else { return false };
        let answer = Lemke::default().solve(&problem);
        if !matches!(answer.status, LcpStatus::Solved | LcpStatus::Inaccurate) {
            return false;
        }
        *r = [0.0; D];
        for (a, z) in along.iter().zip(&answer.z) {
            (0..D).for_each(|d| r[d] += a[d] * z / scale);
        }
        residual(w, q, cone, r).is_rounding()
    }
}
