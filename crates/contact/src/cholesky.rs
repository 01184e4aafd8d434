//! The Cholesky factorisation of a symmetric positive definite matrix, by rows or sparse, behind one door.

use crate::envelope::Envelope;
use crate::matrix::Csr;
use crate::wide::through_faer;
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::cholesky::{SymmetricOrdering, factorize_symbolic_cholesky};
use faer::sparse::linalg::solvers::Llt as SparseLlt;
use faer::sparse::{SparseColMat, SymbolicSparseColMat};

/// Why there is no factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoFactor {
    /// A pivot is not positive.
    NotDefinite,
    /// It would have more entries than allowed.
    TooLarge,
}

/// Up to this size a factor in the order of the rows is ready before a sparse one has found a better order.
const SMALL: usize = 200;

/// A factor of M that solves `M x = b`.
pub struct Cholesky {
    n: usize,
    factor: Factor,
}

enum Factor {
    Envelope(Envelope),
    Sparse(SparseLlt<usize, f64>),
}

impl std::fmt::Debug for Cholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cholesky({0} x {0})", self.n)
    }
}

impl Cholesky {
    /// Factors the lower triangle of `m`; `None` when it is not positive definite.
    pub fn new(m: &Csr) -> Option<Self> {
        Self::within(m, usize::MAX).ok()
    }

    /// The same, refused too when the factor would have more than `entries` entries.
    pub fn within(m: &Csr, entries: usize) -> Result<Self, NoFactor> {
        let n = m.rows();
        if (0..n).any(|i| m.row(i).any(|(_, x)| !x.is_finite())) {
            return Err(NoFactor::NotDefinite);
        }
        let factor = if n <= SMALL {
            Factor::Envelope(Envelope::new(m).ok_or(NoFactor::NotDefinite)?)
        } else {
            through_faer(|| Factor::sparse(m, entries))?
        };
        Ok(Self { n, factor })
    }

    /// Solves `M x = b` in place for several right-hand sides stored one after another.
    pub fn solve_in_place(&self, b: &mut [f64]) {
        let columns = b.len() / self.n.max(1);
        let b = &mut b[..columns * self.n];
        match &self.factor {
            Factor::Envelope(factor) => b.chunks_exact_mut(self.n.max(1)).for_each(|b| factor.solve_in_place(b)),
            Factor::Sparse(factor) => {
                let b = faer::MatMut::from_column_major_slice_mut(b, self.n, columns);
                through_faer(|| factor.solve_in_place(b));
            }
        }
    }
}

/// Entries of a factor of a symmetric matrix of n rows with entries on its diagonal and at these places below it, each given
/// once, in the order that fills in little; `None` when it cannot be told.
pub(crate) fn fill(n: usize, below: &[[u32; 2]]) -> Option<usize> {
    // a lower triangle by rows is an upper one by columns
    let mut by_row = vec![Vec::new(); n];
    below.iter().for_each(|&[i, j]| by_row[i as usize].push(j as usize));
    let (mut pointers, mut rows) = (vec![0], Vec::new());
    for (i, row) in by_row.iter_mut().enumerate() {
        row.sort_unstable();
        rows.extend(row.iter().copied().chain([i]));
        pointers.push(rows.len());
    }
    let pattern = SymbolicSparseColMat::new_checked(n, n, pointers, None, rows);
    factorize_symbolic_cholesky(pattern.as_ref(), faer::Side::Upper, SymmetricOrdering::Amd, Default::default())
        .ok()
        .map(|p| p.len_val())
}

impl Factor {
    fn sparse(m: &Csr, entries: usize) -> Result<Self, NoFactor> {
        let n = m.rows();
        // a lower triangle by rows is an upper one by columns
        let (mut pointers, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
        for i in 0..n {
            for (j, x) in m.row(i).filter(|e| e.0 <= i) {
                rows.push(j);
                values.push(x);
            }
            pointers.push(rows.len());
        }
        let a = SparseColMat::new(SymbolicSparseColMat::new_checked(n, n, pointers, None, rows), values);
        let side = faer::Side::Upper;
        if n.saturating_mul(n + 1) / 2 > entries {
            let order = SymmetricOrdering::Amd;
            let predicted = factorize_symbolic_cholesky(a.symbolic(), side, order, Default::default());
            if predicted.map_or(usize::MAX, |p| p.len_val()) > entries {
                return Err(NoFactor::TooLarge);
            }
        }
        a.sp_cholesky(side).map(Self::Sparse).map_err(|_| NoFactor::NotDefinite)
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
        Cholesky::new(&m).unwrap().solve_in_place(&mut b);
        assert!(b.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-14));
        t.push(1, 1, -5.0);
        assert!(Cholesky::new(&Csr::from(&t)).is_none());
        t.push(1, 1, f64::NAN);
        assert!(Cholesky::new(&Csr::from(&t)).is_none());
    }

    #[test]
    fn a_chain_does_not_fill_in_and_what_all_meet_does() {
        let chain: Vec<[u32; 2]> = (1..50).map(|i| [i, i - 1]).collect();
        assert_eq!(fill(50, &chain), Some(99));
        let all: Vec<[u32; 2]> = (0..20).flat_map(|i| (0..i).map(move |j| [i, j])).collect();
        assert!(fill(20, &all).is_some_and(|entries| entries >= 210));
        assert_eq!(fill(3, &[]), Some(3));
    }

    /// A chain on both sides of the size where sparse begins, with two right-hand sides.
    #[test]
    fn rows_and_sparse_agree_with_the_product() {
        for n in [SMALL, SMALL + 1, 3 * SMALL] {
            let mut t = Triplet::empty(n, n);
            for i in 0..n {
                t.push(i, i, 2.5);
                if i > 0 {
                    t.push(i, i - 1, -1.0);
                    t.push(i - 1, i, -1.0);
                }
            }
            let m = Csr::from(&t);
            let x: Vec<f64> = (0..2 * n).map(|i| (i as f64).sin()).collect();
            let mut b: Vec<f64> = x.chunks(n).flat_map(|x| m.mul(x)).collect();
            Cholesky::new(&m).unwrap().solve_in_place(&mut b);
            assert!(b.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-13), "{n}");
            t.push(n - 1, n - 1, -3.0);
            assert!(Cholesky::new(&Csr::from(&t)).is_none(), "{n}");
        }
    }
}
