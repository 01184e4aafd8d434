//! Sparse LU by blocks, without pivoting between blocks.
//!
//! Made for `W + G` of contact problems: a symmetric pattern of small dense blocks, values that need no symmetry, and
//! pivots that stay healthy because every diagonal block carries its own barrier or proximal term. The order is an
//! approximate minimum degree on the graph of contacts, analysed once; what rounding the missing pivoting costs,
//! iterative refinement pays back (see [`crate::block_system`]).

use crate::block::{Block, sub, zero};
use crate::operator::{BlockCsr, Delassus};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::amd;

/// Largest pair of factors that is formed, in bytes.
const MOST_BYTES: usize = 6_000_000_000;

/// Pattern and values of `P K P^T = L U`, L with unit diagonal.
pub struct BlockLu<const D: usize> {
    /// Contact at each place of the order, and the place of each contact.
    order: Vec<u32>,
    place: Vec<u32>,
    /// Rows of L below the diagonal, columns sorted.
    l: Rows<D>,
    /// Rows of U above the diagonal, columns sorted.
    u: Rows<D>,
    /// Inverses of the pivots.
    pivots: Vec<Block<D>>,
    /// One row being eliminated, by column.
    work: Vec<Block<D>>,
}

struct Rows<const D: usize> {
    ptr: Vec<usize>,
    col: Vec<u32>,
    blocks: Vec<Block<D>>,
}

impl<const D: usize> Rows<D> {
    fn row(&self, i: usize) -> impl Iterator<Item = (usize, &Block<D>)> {
        let span = self.ptr[i]..self.ptr[i + 1];
        self.col[span.clone()].iter().map(|&j| j as usize).zip(&self.blocks[span])
    }
}

impl<const D: usize> BlockLu<D> {
    /// Orders and analyses the pattern of W; `None` when the factor would not fit in memory.
    pub fn analyse(w: &BlockCsr<D>) -> Option<Self> {
        let n = w.contacts();
        let graph = symmetric_graph(w);
        let (order, place) = minimum_degree(&graph)?;
        let rows = elimination_rows(&graph, &order, &place, MOST_BYTES / (2 * size_of::<Block<D>>()))?;
        let entries: usize = rows.iter().map(Vec::len).sum();
        // row i of L is rows[i]; row k of U holds the i whose row has k
        let (mut l_ptr, mut u_ptr) = (vec![0; n + 1], vec![0; n + 1]);
        for (i, row) in rows.iter().enumerate() {
            l_ptr[i + 1] = l_ptr[i] + row.len();
            row.iter().for_each(|&k| u_ptr[k as usize + 1] += 1);
        }
        for i in 0..n {
            u_ptr[i + 1] += u_ptr[i];
        }
        let (mut next, mut u_col) = (u_ptr.clone(), vec![0; entries]);
        for (i, row) in rows.iter().enumerate() {
            for &k in row {
                u_col[next[k as usize]] = i as u32;
                next[k as usize] += 1;
            }
        }
        let l = Rows { ptr: l_ptr, col: rows.concat(), blocks: vec![zero(); entries] };
        let u = Rows { ptr: u_ptr, col: u_col, blocks: vec![zero(); entries] };
        Some(Self { order, place, l, u, pivots: vec![zero(); n], work: vec![zero(); n] })
    }

    /// Multiplications and additions of one factorisation.
    pub fn flops(&self) -> f64 {
        let update = |k: usize| ((self.u.ptr[k + 1] - self.u.ptr[k]) as f64).powi(2);
        2.0 * (D * D * D) as f64 * (0..self.order.len()).map(update).sum::<f64>()
    }

    /// Factors `W + diag(g)`; false when a pivot block is singular or not finite.
    pub fn factor(&mut self, w: &BlockCsr<D>, g: &[Block<D>]) -> bool {
        for i in 0..self.order.len() {
            let c = self.order[i] as usize;
            for (j, b) in w.block_row(c) {
                self.work[self.place[j] as usize] = *b;
            }
            for d in 0..D {
                for e in 0..D {
                    self.work[i][d][e] += g[c][d][e];
                }
            }
            // eliminate the columns before the diagonal in order: L_ik = K_ik U_kk^-1, K_i -= L_ik U_k
            for at in self.l.ptr[i]..self.l.ptr[i + 1] {
                let k = self.l.col[at] as usize;
                let multiplier = product(&self.work[k], &self.pivots[k]);
                self.work[k] = zero();
                for (j, u) in self.u.row(k) {
                    subtract_product(&multiplier, u, &mut self.work[j]);
                }
                self.l.blocks[at] = multiplier;
            }
            let Some(pivot) = inverse(&self.work[i]) else {
                self.work.fill(zero());
                return false;
            };
            self.pivots[i] = pivot;
            self.work[i] = zero();
            for at in self.u.ptr[i]..self.u.ptr[i + 1] {
                self.u.blocks[at] = std::mem::replace(&mut self.work[self.u.col[at] as usize], zero());
            }
        }
        true
    }

    /// Solves with the last factors.
    pub fn solve(&self, b: &[[f64; D]]) -> Vec<[f64; D]> {
        let n = self.order.len();
        let mut y: Vec<[f64; D]> = self.order.iter().map(|&c| b[c as usize]).collect();
        for i in 0..n {
            let mut s = y[i];
            for (k, l) in self.l.row(i) {
                s = sub(&s, &crate::block::mul(l, &y[k]));
            }
            y[i] = s;
        }
        for i in (0..n).rev() {
            let mut s = y[i];
            for (j, u) in self.u.row(i) {
                s = sub(&s, &crate::block::mul(u, &y[j]));
            }
            y[i] = crate::block::mul(&self.pivots[i], &s);
        }
        let mut x = vec![[0.0; D]; n];
        for (i, y) in y.into_iter().enumerate() {
            x[self.order[i] as usize] = y;
        }
        x
    }
}

/// Neighbours of every contact, both ways, without itself, sorted.
fn symmetric_graph<const D: usize>(w: &BlockCsr<D>) -> Vec<Vec<u32>> {
    let mut graph = vec![Vec::new(); w.contacts()];
    for c in 0..w.contacts() {
        for (j, _) in w.block_row(c).filter(|e| e.0 != c) {
            graph[c].push(j as u32);
            if w.block(j, c).is_none() {
                graph[j].push(c as u32);
            }
        }
    }
    graph.iter_mut().for_each(|g| g.sort_unstable());
    graph
}

/// The order (contact at each place) and its inverse.
fn minimum_degree(graph: &[Vec<u32>]) -> Option<(Vec<u32>, Vec<u32>)> {
    let n = graph.len();
    let (mut ptr, mut idx) = (vec![0usize], Vec::new());
    for (j, neighbours) in graph.iter().enumerate() {
        idx.extend(neighbours.iter().map(|&i| i as usize).filter(|&i| i < j));
        ptr.push(idx.len());
    }
    let entries = idx.len();
    let pattern = SymbolicSparseColMat::new_checked(n, n, ptr, None, idx);
    let (mut perm, mut inverse) = (vec![0usize; n], vec![0usize; n]);
    let mut memory = MemBuffer::try_new(amd::order_scratch::<usize>(n, entries)).ok()?;
    let stack = MemStack::new(&mut memory);
    amd::order(&mut perm, &mut inverse, pattern.as_ref(), amd::Control::default(), stack).ok()?;
    let short = |v: Vec<usize>| v.into_iter().map(|i| i as u32).collect();
    Some((short(perm), short(inverse)))
}

/// The columns of every row of L, by the elimination tree: row i reaches up from its own entries. `None` when there
/// are more than `most` of them.
fn elimination_rows(graph: &[Vec<u32>], order: &[u32], place: &[u32], most: usize) -> Option<Vec<Vec<u32>>> {
    let mut entries = 0;
    let n = graph.len();
    let mut parent = vec![u32::MAX; n];
    let mut mark = vec![u32::MAX; n];
    let mut rows = Vec::with_capacity(n);
    for i in 0..n {
        mark[i] = i as u32;
        let mut row = Vec::new();
        for &j in &graph[order[i] as usize] {
            let mut k = place[j as usize] as usize;
            // climb until a node that this row has already met
            while k < i && mark[k] != i as u32 {
                mark[k] = i as u32;
                row.push(k as u32);
                if parent[k] == u32::MAX {
                    parent[k] = i as u32;
                }
                k = parent[k] as usize;
            }
        }
        row.sort_unstable();
        entries += row.len();
        if entries > most {
            return None;
        }
        rows.push(row);
    }
    Some(rows)
}

#[inline(always)]
fn product<const D: usize>(a: &Block<D>, b: &Block<D>) -> Block<D> {
    let mut c = zero();
    for i in 0..D {
        for k in 0..D {
            for j in 0..D {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

#[inline(always)]
fn subtract_product<const D: usize>(a: &Block<D>, b: &Block<D>, c: &mut Block<D>) {
    for i in 0..D {
        for k in 0..D {
            for j in 0..D {
                c[i][j] -= a[i][k] * b[k][j];
            }
        }
    }
}

fn inverse<const D: usize>(a: &Block<D>) -> Option<Block<D>> {
    let mut inverse = zero();
    for j in 0..D {
        let mut e = [0.0; D];
        e[j] = 1.0;
        let x = crate::block::solve(*a, e)?;
        for i in 0..D {
            inverse[i][j] = x[i];
        }
    }
    Some(inverse)
}
