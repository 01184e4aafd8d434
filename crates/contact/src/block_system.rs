//! Systems `(W + diag(G_c)) x = b`: one pattern, factored anew for every G.

use crate::block::{Block, add, mul, norm, norm_all, sub};
use crate::block_lu::BlockLu;
use crate::operator::{BlockCsr, Delassus};
use faer::linalg::solvers::{PartialPivLu, Solve};
use std::borrow::Cow;

/// Below this many rows a dense factorisation is faster.
const DENSE_ROWS: usize = 150;

/// W, the last G, and a factor of their sum.
pub struct BlockSystem<'a, const D: usize> {
    w: Cow<'a, BlockCsr<D>>,
    g: Vec<Block<D>>,
    factor: Factor<D>,
}

enum Factor<const D: usize> {
    /// Partial pivoting on the full matrix; `None` before the first factorisation.
    Dense(Option<PartialPivLu<f64>>),
    /// Sparse, by blocks.
    Sparse(Box<BlockLu<D>>),
}

impl<'a, const D: usize> BlockSystem<'a, D> {
    /// Analyses the pattern of W; `None` when its factor would not fit in memory.
    pub fn new(w: Cow<'a, BlockCsr<D>>) -> Option<Self> {
        let factor = if w.contacts() * D <= DENSE_ROWS {
            Factor::Dense(None)
        } else {
            Factor::Sparse(Box::new(BlockLu::analyse(&w)?))
        };
        Some(Self { w, g: Vec::new(), factor })
    }

    /// W itself.
    pub fn w(&self) -> &BlockCsr<D> {
        &self.w
    }

    /// Factors `W + diag(g)`; false when it is singular to working accuracy.
    pub fn factor(&mut self, g: Vec<Block<D>>) -> bool {
        self.g = g;
        match &mut self.factor {
            Factor::Sparse(lu) => lu.factor(&self.w, &self.g),
            Factor::Dense(lu) => {
                let n = self.w.contacts() * D;
                let mut full = faer::Mat::<f64>::zeros(n, n);
                for c in 0..self.w.contacts() {
                    for (j, b) in self.w.block_row(c) {
                        for d in 0..D {
                            for e in 0..D {
                                full[(c * D + d, j * D + e)] = b[d][e] + if j == c { self.g[c][d][e] } else { 0.0 };
                            }
                        }
                    }
                }
                *lu = Some(full.partial_piv_lu());
                true
            }
        }
    }

    /// Solves with two steps of iterative refinement; `None` when the answer is not finite or does not satisfy the
    /// system to 1e-4, which is how a singular factor shows.
    pub fn solve(&self, b: &[[f64; D]]) -> Option<Vec<[f64; D]>> {
        let n = self.w.contacts();
        let (mut x, mut left, mut product) = (vec![[0.0; D]; n], b.to_vec(), vec![[0.0; D]; n]);
        for _ in 0..3 {
            for (x, step) in x.iter_mut().zip(self.solve_once(&left)?) {
                *x = add(x, &step);
            }
            self.w.apply(&x, &mut product, &mut []);
            for c in 0..n {
                left[c] = sub(&b[c], &add(&product[c], &mul(&self.g[c], &x[c])));
            }
            if norm_all(&left) <= 1e-14 * norm_all(b) {
                break;
            }
        }
        let solved = norm(left.as_flattened()) <= 1e-4 * norm(b.as_flattened());
        (solved && x.as_flattened().iter().all(|x| x.is_finite())).then_some(x)
    }

    fn solve_once(&self, b: &[[f64; D]]) -> Option<Vec<[f64; D]>> {
        match &self.factor {
            Factor::Sparse(lu) => Some(lu.solve(b)),
            Factor::Dense(lu) => {
                let flat = b.as_flattened();
                let mut x = faer::Mat::from_fn(flat.len(), 1, |i, _| flat[i]);
                lu.as_ref()?.solve_in_place(&mut x);
                Some((0..b.len()).map(|c| std::array::from_fn(|d| x[(c * D + d, 0)])).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::SphereLattice;

    fn check(n: usize) {
        let w = SphereLattice { nx: n, ny: n, nz: n, ..Default::default() }.spheres().unwrap().w;
        let w = w.assemble().unwrap();
        let mut system = BlockSystem::new(Cow::Borrowed(&*w)).unwrap();
        // an unsymmetric diagonal, as interior points have it
        let g: Vec<Block<3>> =
            (0..w.contacts()).map(|c| [[1.0 + c as f64 % 3.0, 0.2, -0.1], [0.0, 0.5, 0.1], [0.3, 0.0, 2.0]]).collect();
        assert!(system.factor(g.clone()));
        let b: Vec<[f64; 3]> = (0..w.contacts()).map(|c| [(c as f64).sin(), 1.0, (c as f64).cos()]).collect();
        let x = system.solve(&b).unwrap();
        let mut wx = vec![[0.0; 3]; w.contacts()];
        w.apply(&x, &mut wx, &mut []);
        for (c, (wx, x)) in wx.iter().zip(&x).enumerate() {
            let gx = crate::block::mul(&g[c], x);
            for d in 0..3 {
                assert!((wx[d] + gx[d] - b[c][d]).abs() < 1e-10);
            }
        }
        // W alone is singular: a refusal, not garbage
        let zero = vec![[[0.0; 3]; 3]; w.contacts()];
        assert!(!system.factor(zero) || system.solve(&b).is_none());
    }

    #[test]
    fn dense_and_sparse_systems_solve() {
        check(2);
        check(4);
    }
}
