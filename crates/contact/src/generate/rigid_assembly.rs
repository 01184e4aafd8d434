//! The global problem of rigid bodies, contact row by contact row.

use super::error::GenerateError;
use crate::cone::Cone;
use crate::matrix::Csr;
use crate::problem::GlobalProblem;

/// Bytes that one stored entry of H takes while H^T and H are both there.
pub(super) const ENTRY_BYTES: f64 = 24.0;

/// `a x b`.
pub(super) fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// What the velocity `e . (v + omega x arm)` of a point is made of: the coefficients `e` of v, `arm x e` of omega.
pub(super) fn point_row(e: &[f64; 3], arm: &[f64; 3]) -> [f64; 6] {
    let turn = cross(arm, e);
    [e[0], e[1], e[2], turn[0], turn[1], turn[2]]
}

/// A diagonal M and the rows of H^T so far.
pub(super) struct RigidAssembly {
    mass: Vec<f64>,
    ptr: Vec<usize>,
    col: Vec<u32>,
    val: Vec<f64>,
    row: Vec<(u32, f64)>,
}

impl RigidAssembly {
    /// From the diagonal of M: mass and principal inertias of one body after the other.
    pub(super) fn new(mass: Vec<f64>) -> Self {
        Self { mass, ptr: vec![0], col: Vec::new(), val: Vec::new(), row: Vec::new() }
    }

    /// Adds one row of H^T as (degree of freedom, coefficient); zeros are left out.
    pub(super) fn push_row(&mut self, entries: impl IntoIterator<Item = (usize, f64)>) {
        self.row.clear();
        self.row.extend(entries.into_iter().filter(|e| e.1 != 0.0).map(|(i, x)| (i as u32, x)));
        self.row.sort_by_key(|e| e.0);
        self.col.extend(self.row.iter().map(|e| e.0));
        self.val.extend(self.row.iter().map(|e| e.1));
        self.ptr.push(self.col.len());
    }

    /// The problem with `f = M v_free` and `w = 0`.
    pub(super) fn finish<const D: usize>(
        self,
        free: &[f64],
        cones: Vec<Cone>,
    ) -> Result<GlobalProblem<D>, GenerateError> {
        let n = self.mass.len();
        let f = self.mass.iter().zip(free).map(|(m, v)| m * v).collect();
        let h = Csr::new(self.ptr.len() - 1, n, self.ptr, self.col, self.val)?.transpose();
        let m = Csr::new(n, n, (0..=n).collect(), (0..n as u32).collect(), self.mass)?;
        let w = vec![[0.0; D]; cones.len()];
        Ok(GlobalProblem::new(m, h, f, w, cones)?.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_moves_with_its_body() {
        let (v, omega, arm, e) = ([1.0, -2.0, 0.5], [0.3, 0.7, -1.1], [0.2, -0.4, 0.9], [0.48, 0.6, 0.64]);
        let turn = cross(&omega, &arm);
        let expected: f64 = (0..3).map(|i| e[i] * (v[i] + turn[i])).sum();
        let row = point_row(&e, &arm);
        let found: f64 = (0..3).map(|i| row[i] * v[i] + row[3 + i] * omega[i]).sum();
        assert!((found - expected).abs() < 1e-15);
    }
}
