//! Smoothed prolongation and the matrices of the next level.

use super::aggregate::ALONE;
use super::small::{Small, product_add, transposed, zero};
use super::stiffness::Pattern;

/// P by rows of the finer level.
#[derive(Debug, Clone, Default)]
pub(super) struct Prolongation<const B: usize> {
    pub ptr: Vec<usize>,
    pub col: Vec<u32>,
    pub blocks: Vec<Small<B>>,
    pub coarse: usize,
}

/// How a node at `x` follows the rigid motion of an aggregate about `centre`: `[I, -[x - X] cross; 0, I]`.
fn follow<const B: usize>(x: &[f64; 3], centre: &[f64; 3]) -> Small<B> {
    let mut block = zero::<B>();
    (0..B).for_each(|i| block[i][i] = 1.0);
    let [dx, dy, dz] = [0, 1, 2].map(|i| (x[i] - centre[i]) as f32);
    if B == 3 {
        (block[2][0], block[2][1]) = (-dy, dx);
    } else {
        // omega x d, column by column
        (block[3][1], block[3][2]) = (-dz, dy);
        (block[4][0], block[4][2]) = (dz, -dx);
        (block[5][0], block[5][1]) = (-dy, dx);
    }
    block
}

impl<const B: usize> Prolongation<B> {
    /// `P = (I - omega D^-1 A) P_0`, P_0 the rigid motions of the aggregates about their centres.
    pub fn smoothed(
        pattern: &Pattern,
        a: &[Small<B>],
        inverse: &[Small<B>],
        omega: f32,
        (of, coarse): (&[u32], usize),
        (x, centres): (&[[f64; 3]], &[[f64; 3]]),
    ) -> Self {
        let mut p = Self { ptr: vec![0], coarse, ..Self::default() };
        let mut slot = vec![usize::MAX; coarse];
        for i in 0..pattern.rows() {
            let start = p.col.len();
            for k in pattern.row(i).filter(|_| of[i] != ALONE) {
                let j = pattern.col[k] as usize;
                if of[j] == ALONE {
                    continue;
                }
                let at = p.slot(&mut slot, of[j]);
                let t = follow(&x[j], &centres[of[j] as usize]);
                // D^-1 (A T), the smaller product first
                let mut at_j = zero();
                product_add(1.0, &a[k], &t, &mut at_j);
                product_add(-omega, &inverse[i], &at_j, &mut p.blocks[at]);
                if j == i {
                    (0..B).for_each(|c| (0..B).for_each(|r| p.blocks[at][c][r] += t[c][r]));
                }
            }
            p.col[start..].iter().for_each(|&c| slot[c as usize] = usize::MAX);
            p.ptr.push(p.col.len());
        }
        p
    }

    fn slot(&mut self, slot: &mut [usize], column: u32) -> usize {
        if slot[column as usize] == usize::MAX {
            slot[column as usize] = self.col.len();
            self.col.push(column);
            self.blocks.push(zero());
        }
        slot[column as usize]
    }

    #[inline(always)]
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, &Small<B>)> {
        let span = self.ptr[i]..self.ptr[i + 1];
        self.col[span.clone()].iter().map(|&c| c as usize).zip(&self.blocks[span])
    }

    /// Fine rows of each coarse column.
    fn columns(&self) -> (Vec<usize>, Vec<u32>) {
        let mut start = vec![0; self.coarse + 1];
        self.col.iter().for_each(|&c| start[c as usize + 1] += 1);
        (0..self.coarse).for_each(|c| start[c + 1] += start[c]);
        let (mut at, mut rows) = (start.clone(), vec![0u32; self.col.len()]);
        for i in 0..self.ptr.len() - 1 {
            for &c in &self.col[self.ptr[i]..self.ptr[i + 1]] {
                rows[at[c as usize]] = i as u32;
                at[c as usize] += 1;
            }
        }
        (start, rows)
    }

    /// The pattern of `P^T A P`.
    pub fn coarse_pattern(&self, fine: &Pattern) -> Pattern {
        let (start, rows) = self.columns();
        let mut seen = vec![u32::MAX; self.coarse];
        Pattern::from_rows(self.coarse, |c, list| {
            for &i in &rows[start[c]..start[c + 1]] {
                for k in fine.row(i as usize) {
                    let j = fine.col[k] as usize;
                    for &d in &self.col[self.ptr[j]..self.ptr[j + 1]] {
                        if std::mem::replace(&mut seen[d as usize], c as u32) != c as u32 {
                            list.push(d);
                        }
                    }
                }
            }
        })
    }

    /// `P^T A P` on its pattern.
    pub fn galerkin(&self, fine: &Pattern, a: &[Small<B>], coarse: &Pattern) -> Vec<Small<B>> {
        self.triple(fine.rows(), coarse, |i| fine.row(i).map(|k| (fine.col[k] as usize, &a[k])))
    }

    /// `P^T M P` with a block-diagonal M.
    pub fn galerkin_diagonal(&self, m: &[Small<B>], coarse: &Pattern) -> Vec<Small<B>> {
        self.triple(m.len(), coarse, |i| std::iter::once((i, &m[i])))
    }

    fn triple<'a, I: Iterator<Item = (usize, &'a Small<B>)>>(
        &self,
        rows: usize,
        coarse: &Pattern,
        row: impl Fn(usize) -> I,
    ) -> Vec<Small<B>> {
        let mut out = vec![zero(); coarse.col.len()];
        let mut slot = vec![usize::MAX; self.coarse];
        let (mut cols, mut ap): (Vec<u32>, Vec<Small<B>>) = (Vec::new(), Vec::new());
        for i in (0..rows).filter(|&i| self.ptr[i] < self.ptr[i + 1]) {
            cols.clear();
            ap.clear();
            // row i of A P
            for (j, a) in row(i) {
                for (d, p) in self.row(j) {
                    if slot[d] == usize::MAX {
                        slot[d] = cols.len();
                        cols.push(d as u32);
                        ap.push(zero());
                    }
                    product_add(1.0, a, p, &mut ap[slot[d]]);
                }
            }
            // to every coarse row that moves i
            for (c, p) in self.row(i) {
                let pt = transposed(p);
                for (d, ap) in cols.iter().zip(&ap) {
                    product_add(1.0, &pt, ap, &mut out[coarse.find(c, *d as usize)]);
                }
            }
            cols.iter().for_each(|&d| slot[d as usize] = usize::MAX);
        }
        out
    }
}
