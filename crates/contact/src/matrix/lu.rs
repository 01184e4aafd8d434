//! LU factors of a full matrix.

use super::Dense;
use crate::wide::through_faer;
use faer::Mat;
use faer::linalg::solvers::{PartialPivLu, Solve};

/// `P A = L U` with partial pivoting (faer), refused where A is singular up to rounding.
#[derive(Debug, Clone)]
pub struct DenseLu {
    lu: PartialPivLu<f64>,
}

impl DenseLu {
    /// Factors a square matrix; `None` when a pivot falls to rounding (`8 n eps` of the largest entry of A) or is not
    /// a number.
    pub fn new(a: Dense) -> Option<Self> {
        let n = a.rows();
        if a.cols() != n {
            return None;
        }
        let least = 8.0 * n as f64 * f64::EPSILON * a.max_abs();
        let lu = through_faer(|| Mat::from_fn(n, n, |i, j| a.row(i)[j]).partial_piv_lu());
        let regular = (0..n).all(|k| lu.U()[(k, k)].abs() > least && lu.U()[(k, k)].is_finite());
        regular.then_some(Self { lu })
    }

    /// `A^-1 b`.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let x = through_faer(|| self.lu.solve(Mat::from_fn(b.len(), 1, |i, _| b[i])));
        (0..b.len()).map(|i| x[(i, 0)]).collect()
    }

    /// `A^-1 b` with one step of iterative refinement against the matrix that was factored.
    pub fn solve_refined(&self, a: &Dense, b: &[f64]) -> Vec<f64> {
        let mut x = self.solve(b);
        let r: Vec<f64> = a.mul(&x).iter().zip(b).map(|(ax, b)| b - ax).collect();
        for (x, d) in x.iter_mut().zip(self.solve(&r)) {
            *x += d;
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverts_what_needs_pivoting_and_refuses_what_is_singular() {
        let a = Dense::from_rows(&[&[0.0, 2.0, 1.0], &[1.0, 1.0, 0.0], &[3.0, 0.0, 1.0]]).unwrap();
        let x = [1.0, -2.0, 0.5];
        let y = DenseLu::new(a.clone()).unwrap().solve_refined(&a, &a.mul(&x));
        assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-15));
        assert!(DenseLu::new(Dense::from_rows(&[&[1.0, 2.0], &[2.0, 4.0]]).unwrap()).is_none());
        assert!(DenseLu::new(Dense::from_rows(&[&[f64::NAN]]).unwrap()).is_none());
        assert!(DenseLu::new(Dense::zeros(0, 0)).unwrap().solve(&[]).is_empty());
    }
}
