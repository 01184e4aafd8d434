//! Systems `(W + diag(G_c)) x = b`: one pattern, factored anew for every G.

use crate::block::Block;
use crate::operator::{BlockCsr, Delassus};
use faer::linalg::solvers::{PartialPivLu, Solve};
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};

/// Below this many rows a dense factorisation is faster.
const DENSE_ROWS: usize = 250;

/// The pattern of W and a place for the values of `W + G`.
pub struct BlockSystem<const D: usize> {
    rows: usize,
    /// Pattern by columns.
    pattern: SymbolicSparseColMat<usize>,
    /// Analysed once; `None` for a dense system.
    symbolic: Option<SymbolicLu<usize>>,
    /// Where entry (d, e) of every stored block sits among the values.
    place: Vec<u32>,
    /// The blocks of W in storage order, entry by entry.
    w: Vec<f64>,
    /// The stored block of each diagonal.
    diagonal: Vec<usize>,
    values: Vec<f64>,
}

/// A factored system.
pub enum BlockFactor {
    /// Partial pivoting on the full matrix.
    Dense(PartialPivLu<f64>),
    /// Sparse LU.
    Sparse(Lu<usize, f64>),
}

impl<const D: usize> BlockSystem<D> {
    /// Reads the pattern and the values of W; `None` when it cannot be analysed.
    pub fn new(w: &BlockCsr<D>) -> Option<Self> {
        let contacts = w.contacts();
        let rows = contacts * D;
        let mut col_ptr = vec![0usize; rows + 1];
        for c in 0..contacts {
            for (j, _) in w.block_row(c) {
                (0..D).for_each(|e| col_ptr[j * D + e + 1] += D);
            }
        }
        for k in 0..rows {
            col_ptr[k + 1] += col_ptr[k];
        }
        let mut next = col_ptr.clone();
        let entries = w.stored_blocks() * D * D;
        let (mut row_idx, mut place) = (vec![0usize; entries], Vec::with_capacity(entries));
        let (mut values_of_w, mut diagonal) = (Vec::with_capacity(entries), Vec::with_capacity(contacts));
        let mut stored = 0;
        for c in 0..contacts {
            for (j, b) in w.block_row(c) {
                if j == c {
                    diagonal.push(stored);
                }
                stored += 1;
                for d in 0..D {
                    for e in 0..D {
                        // rows come in increasing order, so that every column is sorted
                        let at = &mut next[j * D + e];
                        row_idx[*at] = c * D + d;
                        place.push(u32::try_from(*at).ok()?);
                        values_of_w.push(b[d][e]);
                        *at += 1;
                    }
                }
            }
        }
        let pattern = SymbolicSparseColMat::new_checked(rows, rows, col_ptr, None, row_idx);
        let symbolic = if rows > DENSE_ROWS { Some(SymbolicLu::try_new(pattern.as_ref()).ok()?) } else { None };
        let values = vec![0.0; entries];
        Some(Self { rows, pattern, symbolic, place, w: values_of_w, diagonal, values })
    }

    /// Factors `W + diag(g)`; `None` when it is singular to working accuracy.
    pub fn factor(&mut self, g: &[Block<D>]) -> Option<BlockFactor> {
        for (x, &at) in self.w.iter().zip(&self.place) {
            self.values[at as usize] = *x;
        }
        for (block, &stored) in g.iter().zip(&self.diagonal) {
            for (x, at) in block.as_flattened().iter().zip(&self.place[stored * D * D..]) {
                self.values[*at as usize] += x;
            }
        }
        if self.values.iter().any(|x| !x.is_finite()) {
            return None;
        }
        let matrix = SparseColMatRef::new(self.pattern.as_ref(), &self.values);
        match &self.symbolic {
            None => Some(BlockFactor::Dense(matrix.to_dense().partial_piv_lu())),
            Some(s) => Lu::try_new_with_symbolic(s.clone(), matrix).ok().map(BlockFactor::Sparse),
        }
    }

    /// `out = (W + G) x` for the G of the last factorisation.
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let (ptr, idx) = (self.pattern.col_ptr(), self.pattern.row_idx());
        for j in 0..self.rows {
            for k in ptr[j]..ptr[j + 1] {
                out[idx[k]] += self.values[k] * x[j];
            }
        }
    }

    /// Solves with two steps of iterative refinement; `None` when the answer is not finite or does not satisfy the
    /// system to 1e-4, which is how a singular factor shows.
    pub fn solve(&self, factor: &BlockFactor, b: &[f64]) -> Option<Vec<f64>> {
        let mut x = vec![0.0; self.rows];
        let mut left = b.to_vec();
        let mut product = vec![0.0; self.rows];
        for _ in 0..3 {
            let step = factor.solve(&left);
            for (x, s) in x.iter_mut().zip(&step) {
                *x += s;
            }
            self.apply(&x, &mut product);
            for ((l, b), p) in left.iter_mut().zip(b).zip(&product) {
                *l = b - p;
            }
        }
        let size = crate::block::norm(b);
        (crate::block::norm(&left) <= 1e-4 * size).then_some(x).filter(|x| x.iter().all(|x| x.is_finite()))
    }
}

impl BlockFactor {
    fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = faer::Mat::from_fn(b.len(), 1, |i, _| b[i]);
        match self {
            BlockFactor::Dense(lu) => lu.solve_in_place(&mut x),
            BlockFactor::Sparse(lu) => lu.solve_in_place(&mut x),
        }
        (0..b.len()).map(|i| x[(i, 0)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::SphereLattice;

    fn check(n: usize) {
        let w = SphereLattice { nx: n, ny: n, nz: n, ..Default::default() }.spheres().unwrap().w;
        let w = w.assemble().unwrap();
        let mut system = BlockSystem::new(&w).unwrap();
        // an unsymmetric diagonal, as interior points have it
        let g: Vec<Block<3>> =
            (0..w.contacts()).map(|c| [[1.0 + c as f64 % 3.0, 0.2, -0.1], [0.0, 0.5, 0.1], [0.3, 0.0, 2.0]]).collect();
        let factor = system.factor(&g).unwrap();
        let b: Vec<f64> = (0..3 * w.contacts()).map(|i| (i as f64).sin()).collect();
        let x = system.solve(&factor, &b).unwrap();
        let blocks = x.as_chunks::<3>().0;
        let mut wx = vec![[0.0; 3]; w.contacts()];
        w.apply(blocks, &mut wx, &mut []);
        for (c, (wx, x)) in wx.iter().zip(blocks).enumerate() {
            let gx = crate::block::mul(&g[c], x);
            for d in 0..3 {
                assert!((wx[d] + gx[d] - b[3 * c + d]).abs() < 1e-10);
            }
        }
        // W alone is singular: a refusal, not garbage
        let zero = vec![[[0.0; 3]; 3]; w.contacts()];
        if let Some(factor) = system.factor(&zero) {
            assert!(system.solve(&factor, &b).is_none());
        }
    }

    #[test]
    fn dense_and_sparse_systems_solve() {
        check(2);
        check(4);
    }
}
