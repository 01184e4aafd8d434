//! The last level, solved by its inverse.

use super::level::Level;
use crate::wide::through_faer;
use faer::linalg::solvers::Solve;

/// The inverse of the last level, dense by rows; empty when that is too large.
#[derive(Debug, Clone, Default)]
pub(super) struct Coarsest {
    inverse: Vec<f32>,
}

impl Coarsest {
    /// The inverse of a level's matrix, if it has at most `nodes` nodes and is positive definite.
    pub fn of<const B: usize>(level: &Level<B>, nodes: usize) -> Self {
        let n = B * level.nodes();
        if level.nodes() > nodes || n == 0 {
            return Self::default();
        }
        let mut dense = faer::Mat::<f64>::zeros(n, n);
        level.lower_triangle(|i, j, block| {
            for c in 0..B {
                for r in 0..B {
                    let x = f64::from(block[c][r]);
                    (dense[(i * B + r, j * B + c)], dense[(j * B + c, i * B + r)]) = (x, x);
                }
            }
        });
        // rounding in single precision must not make it indefinite
        let largest = (0..n).fold(0.0, |m: f64, i| m.max(dense[(i, i)]));
        (0..n).for_each(|i| dense[(i, i)] += 1e-6 * largest * f64::EPSILON.sqrt());
        let inverted = || dense.llt(faer::Side::Lower).map(|factor| factor.solve(faer::Mat::<f64>::identity(n, n)));
        let Ok(inverse) = through_faer(inverted) else { return Self::default() };
        let inverse: Vec<f32> = (0..n * n).map(|k| inverse[(k / n, k % n)] as f32).collect();
        if inverse.iter().all(|x| x.is_finite()) { Self { inverse } } else { Self::default() }
    }

    /// Solves the last level; false where it was not factored.
    pub fn solve<const B: usize>(&self, level: &mut Level<B>) -> bool {
        if self.inverse.is_empty() {
            return false;
        }
        let (b, x) = (level.b.as_flattened(), level.x.as_flattened_mut());
        for (x, row) in x.iter_mut().zip(self.inverse.chunks_exact(b.len())) {
            // eight sums side by side
            let mut sums = [0.0f32; 8];
            for (r, b) in row.chunks(8).zip(b.chunks(8)) {
                for ((s, r), b) in sums.iter_mut().zip(r).zip(b) {
                    *s += r * b;
                }
            }
            *x = sums.iter().sum();
        }
        true
    }
}
