//! Sparse LU by fronts: a symmetric pattern of small dense blocks, values that need no symmetry.
//!
//! Made for `W + G` over contacts and `M + H D H^T` over bodies, whose pivots stay healthy because every diagonal block
//! carries its own barrier, proximal or mass term. The order is an approximate minimum degree on the graph of blocks;
//! blocks with like neighbourhoods are eliminated together as one dense front, with pivoting inside the front and none
//! between fronts. What rounding that costs, iterative refinement pays back (see [`crate::contact_system`]).
//!
//! The analysis is made once for a pattern; a factorisation then allocates nothing.
//!
//! # Reference
//! Duff & Reid 1983 (multifrontal elimination); Amestoy, Davis & Duff 1996 (the order); Liu 1990 (the tree).

mod analysis;
mod front;

use crate::block::Block;
use crate::operator::BlockCsr;
use crate::wide::{through_faer, wide};
use analysis::Analysis;
use front::{eliminate, subtract};
use pulp::Arch;

/// Largest pair of factors that is formed, in bytes.
const MOST_BYTES: usize = 6_000_000_000;

/// Pattern and values of `P K Q = L U`.
pub struct BlockLu<const D: usize> {
    analysis: Analysis,
    arch: Arch,
    /// Front by front: the columns of L with U on and above the diagonal, then the rest of the rows of U by columns.
    values: Vec<f64>,
    /// Rows exchanged inside each front.
    swaps: Vec<u32>,
    /// The front in work, and the updates that wait for their parents.
    front: Vec<f64>,
    stack: Vec<f64>,
    waiting: Vec<u32>,
    /// A vector in the order of elimination, and the part of it that a front reaches.
    y: Vec<f64>,
    reached: Vec<f64>,
}

impl<const D: usize> BlockLu<D> {
    /// Orders and analyses the pattern of W; `None` when the factor would not fit in memory.
    pub fn analyse(w: &BlockCsr<D>) -> Option<Self> {
        let analysis = Analysis::new(w, MOST_BYTES / (2 * size_of::<Block<D>>()))?;
        let rows = analysis.order.len() * D;
        // the values stay empty until something is factored: an analysis may be wanted for its count of operations alone
        let (values, front, stack) = (Vec::new(), Vec::new(), Vec::new());
        let (swaps, y, waiting, reached) = (vec![0; rows], vec![0.0; rows], Vec::new(), Vec::new());
        Some(Self { analysis, arch: Arch::new(), values, swaps, front, stack, waiting, y, reached })
    }

    /// Multiplications and additions of one factorisation.
    pub fn flops(&self) -> f64 {
        let square_sum = |n: usize| (n * (n + 1) * (2 * n + 1) / 6) as f64;
        let front = |f: &analysis::Front| square_sum(D * f.nodes()) - square_sum(D * f.rest);
        2.0 * self.analysis.fronts.iter().map(front).sum::<f64>()
    }

    /// Factors `W + diag(g)`; false when a pivot vanishes or is not finite.
    pub fn factor(&mut self, w: &BlockCsr<D>, g: &[Block<D>]) -> bool {
        let arch = self.arch;
        through_faer(|| {
            wide(
                arch,
                #[inline(always)]
                || self.factor_fronts(w, g),
            )
        })
    }

    #[inline(always)]
    fn factor_fronts(&mut self, w: &BlockCsr<D>, g: &[Block<D>]) -> bool {
        self.values.clear();
        self.stack.clear();
        self.waiting.clear();
        let blocks = w.blocks();
        for k in 0..self.analysis.fronts.len() {
            let f = self.analysis.fronts[k];
            let (m, p) = (D * f.nodes(), D * f.own);
            self.front.clear();
            self.front.resize(m * m, 0.0);
            let entries = self.analysis.scatter_ptr[k]..self.analysis.scatter_ptr[k + 1];
            for s in &self.analysis.scatter[entries] {
                add_block(&mut self.front, m, s.row as usize * D, s.col as usize * D, &blocks[s.block as usize]);
            }
            if !g.is_empty() {
                for (i, &c) in self.analysis.order[f.first..f.first + f.own].iter().enumerate() {
                    add_block(&mut self.front, m, i * D, i * D, &g[c as usize]);
                }
            }
            self.add_children(k, m);
            if !eliminate(&mut self.front, m, p, &mut self.swaps[f.first * D..f.first * D + p]) {
                return false;
            }
            self.values.extend_from_slice(&self.front[..m * p]);
            for column in self.front[m * p..].chunks_exact(m) {
                self.values.extend_from_slice(&column[..p]);
            }
            for column in self.front[m * p..].chunks_exact(m) {
                self.stack.extend_from_slice(&column[p..]);
            }
            if m > p {
                self.waiting.push(k as u32);
            }
        }
        true
    }

    /// Adds the updates of the children of front k, the last ones on the stack.
    #[inline(always)]
    fn add_children(&mut self, k: usize, m: usize) {
        for _ in 0..self.analysis.fronts[k].children {
            let child = self.waiting.pop().expect("every child waits");
            let c = self.analysis.fronts[child as usize];
            let n = D * c.rest;
            let start = self.stack.len() - n * n;
            let places = &self.analysis.in_parent[c.at..c.at + c.rest];
            for (column, values) in self.stack[start..].chunks_exact(n).enumerate() {
                let to = (places[column / D] as usize * D + column % D) * m;
                for (&i, x) in places.iter().zip(values.as_chunks::<D>().0) {
                    let at = to + i as usize * D;
                    self.front[at..at + D].iter_mut().zip(x).for_each(|(y, x)| *y += x);
                }
            }
            self.stack.truncate(start);
        }
    }

    /// `x = K^-1 b` with the last factors.
    pub fn solve(&mut self, b: &[[f64; D]], x: &mut [[f64; D]]) {
        for (y, &c) in self.y.as_chunks_mut::<D>().0.iter_mut().zip(&self.analysis.order) {
            *y = b[c as usize];
        }
        let arch = self.arch;
        arch.dispatch(
            #[inline(always)]
            || self.substitute(),
        );
        for (y, &c) in self.y.as_chunks::<D>().0.iter().zip(&self.analysis.order) {
            x[c as usize] = *y;
        }
    }

    #[inline(always)]
    fn substitute(&mut self) {
        let Self { analysis, values, swaps, y, reached, .. } = self;
        let mut at = 0;
        for f in &analysis.fronts {
            let (m, p, s) = (D * f.nodes(), D * f.own, D * f.first);
            let own = &mut y[s..s + p];
            swaps[s..s + p].iter().enumerate().for_each(|(k, &i)| own.swap(k, i as usize));
            reached.clear();
            reached.resize(m - p, 0.0);
            for k in 0..p {
                let column = &values[at + k * m..at + (k + 1) * m];
                let u = own[k];
                subtract(&mut own[k + 1..], u, &column[k + 1..p]);
                subtract(reached, u, &column[p..]);
            }
            for (&i, x) in analysis.rest(f).iter().zip(reached.as_chunks::<D>().0) {
                y[i as usize * D..(i as usize + 1) * D].iter_mut().zip(x).for_each(|(y, x)| *y += x);
            }
            at += m * p + p * (m - p);
        }
        for f in analysis.fronts.iter().rev() {
            let (m, p, s) = (D * f.nodes(), D * f.own, D * f.first);
            at -= m * p + p * (m - p);
            let (before, after) = y.split_at_mut(s + p);
            let own = &mut before[s..];
            let rows = &values[at + m * p..at + m * p + p * (m - p)];
            for (k, column) in rows.chunks_exact(p).enumerate() {
                let i = analysis.rest(f)[k / D] as usize * D + k % D - s - p;
                subtract(own, after[i], column);
            }
            for k in (0..p).rev() {
                let column = &values[at + k * m..at + k * m + p];
                own[k] /= column[k];
                let u = own[k];
                subtract(&mut own[..k], u, &column[..k]);
            }
        }
    }
}

#[inline(always)]
fn add_block<const D: usize>(front: &mut [f64], m: usize, row: usize, col: usize, block: &Block<D>) {
    for j in 0..D {
        let column = &mut front[(col + j) * m + row..(col + j) * m + row + D];
        for i in 0..D {
            column[i] += block[i][j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{mul, norm_all, sub};
    use crate::generate::{BoxWall, RandomSparse, SphereLattice};
    use crate::operator::Delassus;
    use crate::problem::LocalProblem;

    /// Factors W + G for an unsymmetric G and looks at the residual.
    fn check<const D: usize>(w: &BlockCsr<D>) {
        let mut lu = BlockLu::analyse(w).unwrap();
        let mean = (0..w.contacts()).map(|c| w.diagonal(c)[0][0]).sum::<f64>() / w.contacts() as f64;
        let g: Vec<Block<D>> = (0..w.contacts())
            .map(|c| {
                let entry = |i: usize, j: usize| if i == j { 1.0 } else { 0.3 * ((c + 2 * i + 5 * j) as f64).sin() };
                std::array::from_fn(|i| std::array::from_fn(|j| mean * entry(i, j)))
            })
            .collect();
        let b: Vec<[f64; D]> =
            (0..w.contacts()).map(|c| std::array::from_fn(|d| (c + 3 * d) as f64).map(f64::sin)).collect();
        let (mut x, mut wx) = (vec![[0.0; D]; b.len()], vec![[0.0; D]; b.len()]);
        // twice: the second factorisation reuses everything
        for _ in 0..2 {
            assert!(lu.factor(w, &g));
            lu.solve(&b, &mut x);
            w.apply(&x, &mut wx, &mut []);
            let left: Vec<[f64; D]> = (0..b.len()).map(|c| sub(&sub(&b[c], &wx[c]), &mul(&g[c], &x[c]))).collect();
            assert!(norm_all(&left) < 1e-11 * norm_all(&b), "{:e}", norm_all(&left) / norm_all(&b));
        }
        assert!(lu.flops() > 0.0);
        let nan = vec![[[f64::NAN; D]; D]; b.len()];
        assert!(!lu.factor(w, &nan));
    }

    #[test]
    fn systems_of_every_dimension_and_density_solve() {
        check(&SphereLattice { nx: 6, ny: 5, nz: 6, ..Default::default() }.spheres().unwrap().w.assemble().unwrap());
        let wall = BoxWall { columns: 4, courses: 6, ..BoxWall::default() }.generate().unwrap();
        check(&wall.condense().unwrap().0.w);
        for (contacts, bodies) in [(1, 2), (40, 6), (300, 200)] {
            let random = RandomSparse { contacts, bodies, ..RandomSparse::default() };
            check(&random.local::<2>().unwrap().w);
            check(&LocalProblem::matrix_free(&random.global::<5>().unwrap()).unwrap().unwrap().w.assemble().unwrap());
        }
    }

    #[test]
    fn a_matrix_of_nothing_is_refused_and_one_without_rows_is_not() {
        let zero = BlockCsr::new(vec![0, 1, 2], vec![0, 1], vec![[[0.0; 3]; 3]; 2]).unwrap();
        assert!(!BlockLu::analyse(&zero).unwrap().factor(&zero, &[]));
        let empty = BlockCsr::<3>::new(vec![0], vec![], vec![]).unwrap();
        let mut lu = BlockLu::analyse(&empty).unwrap();
        assert!(lu.factor(&empty, &[]));
        lu.solve(&[], &mut []);
    }
}
