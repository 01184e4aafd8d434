//! LU factors of a full matrix.

use super::Dense;

/// `P A = L U` with partial pivoting.
///
/// # Reference
/// Golub & Van Loan, Matrix Computations, algorithm 3.4.1.
#[derive(Debug, Clone, PartialEq)]
pub struct DenseLu {
    lu: Dense,
    /// Row of A that became row k.
    order: Vec<usize>,
}

impl DenseLu {
    /// Factors a square matrix; `None` when a pivot falls to rounding (`8 n eps` of the largest entry of A) or is not
    /// a number.
    pub fn new(mut a: Dense) -> Option<Self> {
        let n = a.rows();
        if a.cols() != n {
            return None;
        }
        let largest = (0..n).flat_map(|i| a.row(i)).fold(0.0, |m: f64, x| m.max(x.abs()));
        let least = 8.0 * n as f64 * f64::EPSILON * largest;
        let mut order: Vec<usize> = (0..n).collect();
        let mut pivot_row = vec![0.0; n];
        for k in 0..n {
            let p = (k..n).max_by(|&i, &j| a.row(i)[k].abs().total_cmp(&a.row(j)[k].abs()))?;
            if !(a.row(p)[k].abs() > least && a.row(p)[k].is_finite()) {
                return None;
            }
            order.swap(k, p);
            pivot_row.copy_from_slice(a.row(p));
            if p != k {
                let row_k = a.row(k).to_vec();
                a.row_mut(p).copy_from_slice(&row_k);
                a.row_mut(k).copy_from_slice(&pivot_row);
            }
            for i in k + 1..n {
                let row = a.row_mut(i);
                let f = row[k] / pivot_row[k];
                row[k] = f;
                if f != 0.0 {
                    for j in k + 1..n {
                        row[j] -= f * pivot_row[j];
                    }
                }
            }
        }
        Some(Self { lu: a, order })
    }

    /// `A^-1 b`.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.order.len();
        let mut x: Vec<f64> = self.order.iter().map(|&i| b[i]).collect();
        for i in 0..n {
            let s: f64 = self.lu.row(i)[..i].iter().zip(&x).map(|(a, b)| a * b).sum();
            x[i] -= s;
        }
        for i in (0..n).rev() {
            let row = self.lu.row(i);
            let s: f64 = row[i + 1..].iter().zip(&x[i + 1..]).map(|(a, b)| a * b).sum();
            x[i] = (x[i] - s) / row[i];
        }
        x
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
