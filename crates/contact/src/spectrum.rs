//! The eigenvalues of W: rank, conditioning, and a square root of it.

use crate::matrix::{Csr, Dense};
use crate::wide::through_faer;
use faer::{Mat, Side};

/// An eigenvalue below this part of the largest counts as zero.
pub const RANK_THRESHOLD: f64 = 1e-8;

/// The eigenvalues and eigenvectors of the symmetric part of a matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    /// Eigenvalues, ascending.
    pub values: Vec<f64>,
    /// Eigenvectors, one a row, in the order of the values.
    pub vectors: Dense,
}

impl Spectrum {
    /// Dense, n^3: for matrices of up to a few thousand rows. `None` when the iteration fails.
    pub fn new(a: &Csr) -> Option<Self> {
        let n = a.rows();
        let d = Dense::from(a);
        let sym = Mat::from_fn(n, n, |i, j| 0.5 * (d.row(i)[j] + d.row(j)[i]));
        let eigen = through_faer(|| sym.self_adjoint_eigen(Side::Lower)).ok()?;
        let values = (0..n).map(|k| eigen.S()[k]).collect();
        let mut vectors = Dense::zeros(n, n);
        for k in 0..n {
            for (i, x) in vectors.row_mut(k).iter_mut().enumerate() {
                *x = eigen.U()[(i, k)];
            }
        }
        Some(Self { values, vectors })
    }

    /// The largest eigenvalue, 0 of an empty matrix.
    pub fn largest(&self) -> f64 {
        self.values.last().copied().unwrap_or(0.0)
    }

    /// The eigenvalues that count.
    fn nonzero(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let threshold = RANK_THRESHOLD * self.largest();
        self.values.iter().copied().enumerate().filter(move |e| e.1 > threshold)
    }

    /// Number of eigenvalues above the threshold.
    pub fn rank(&self) -> usize {
        self.nonzero().count()
    }

    /// Largest over smallest eigenvalue that counts; `None` of a zero matrix.
    pub fn condition(&self) -> Option<f64> {
        self.nonzero().next().map(|(_, smallest)| self.largest() / smallest)
    }

    /// H of rank x n with `H^T H = A`, from the eigenvalues that are not rounding (above 1e-15 of the largest).
    pub fn square_root(&self) -> Dense {
        let kept: Vec<usize> = (0..self.values.len()).filter(|&k| self.values[k] > 1e-15 * self.largest()).collect();
        let mut h = Dense::zeros(kept.len(), self.values.len());
        for (row, &k) in kept.iter().enumerate() {
            let s = self.values[k].sqrt();
            for (x, v) in h.row_mut(row).iter_mut().zip(self.vectors.row(k)) {
                *x = s * v;
            }
        }
        h
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::SphereLattice;

    #[test]
    fn the_square_root_squares_to_the_matrix() {
        let lattice = SphereLattice { nx: 2, ny: 2, nz: 2, ..SphereLattice::default() };
        let w = lattice.global().unwrap().condense().unwrap().0.w.to_csr();
        let spectrum = Spectrum::new(&w).unwrap();
        // eight free spheres: at most 48 independent rows
        assert!(spectrum.rank() <= 48 && spectrum.rank() < w.rows());
        let h = Csr::from(&spectrum.square_root());
        let x: Vec<f64> = (0..w.rows()).map(|i| (i as f64).cos()).collect();
        let (a, b) = (w.mul(&x), h.mul_transposed(&h.mul(&x)));
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn condition_of_a_diagonal() {
        let mut t = crate::matrix::Triplet::empty(3, 3);
        t.push(0, 0, 4.0);
        t.push(1, 1, 1e-12);
        t.push(2, 2, 0.5);
        let spectrum = Spectrum::new(&Csr::from(&t)).unwrap();
        assert_eq!((spectrum.rank(), spectrum.condition()), (2, Some(8.0)));
    }
}
