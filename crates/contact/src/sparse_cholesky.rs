//! The sparse Cholesky factorisation of a symmetric positive definite matrix, behind one door.

use crate::matrix::Csr;
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::cholesky::{SymmetricOrdering, factorize_symbolic_cholesky};
use faer::sparse::linalg::solvers::Llt;
use faer::sparse::{SparseColMat, Triplet};

/// A factor of M that solves `M x = b`.
pub struct SparseCholesky {
    n: usize,
    factor: Llt<usize, f64>,
}

impl std::fmt::Debug for SparseCholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SparseCholesky({0} x {0})", self.n)
    }
}

impl SparseCholesky {
    /// Factors the lower triangle of `m`; `None` when it is not positive definite.
    pub fn new(m: &Csr) -> Option<Self> {
        Self::within(m, usize::MAX)
    }

    /// The same, and `None` too when the factor would have more than `entries` entries.
    pub fn within(m: &Csr, entries: usize) -> Option<Self> {
        let lower: Vec<Triplet<usize, usize, f64>> = (0..m.rows())
            .flat_map(|i| m.row(i).filter(move |e| e.0 <= i).map(move |(j, x)| Triplet::new(i, j, x)))
            .collect();
        if lower.iter().any(|t| !t.val.is_finite()) {
            return None;
        }
        let a = SparseColMat::try_new_from_triplets(m.rows(), m.rows(), &lower).ok()?;
        if entries < usize::MAX {
            let (symbolic, order) = (a.symbolic(), SymmetricOrdering::Amd);
            let predicted = factorize_symbolic_cholesky(symbolic, faer::Side::Lower, order, Default::default()).ok()?;
            if predicted.len_val() > entries {
                return None;
            }
        }
        let factor = a.sp_cholesky(faer::Side::Lower).ok()?;
        Some(Self { n: m.rows(), factor })
    }

    /// Solves `M x = b` in place for several right-hand sides stored one after another.
    pub fn solve_in_place(&self, b: &mut [f64]) {
        let columns = b.len() / self.n.max(1);
        let mut mat = faer::Mat::from_fn(self.n, columns, |i, j| b[j * self.n + i]);
        self.factor.solve_in_place(&mut mat);
        for j in 0..columns {
            for i in 0..self.n {
                b[j * self.n + i] = mat[(i, j)];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Triplet;

    #[test]
    fn solves_and_refuses() {
        let mut t = Triplet::empty(3, 3);
        for (i, j, x) in [(0, 0, 4.0), (1, 1, 3.0), (2, 2, 2.0), (0, 2, 1.0), (2, 0, 1.0)] {
            t.push(i, j, x);
        }
        let m = Csr::from(&t);
        let x = [1.0, -2.0, 3.0];
        let mut b = m.mul(&x);
        SparseCholesky::new(&m).unwrap().solve_in_place(&mut b);
        assert!(b.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-14));
        t.push(1, 1, -5.0);
        assert!(SparseCholesky::new(&Csr::from(&t)).is_none());
        t.push(1, 1, f64::NAN);
        assert!(SparseCholesky::new(&Csr::from(&t)).is_none());
    }
}
