//! W assembled as compressed rows of dense blocks.

use super::{Delassus, Numbers, Sweep};
use crate::block::{Block, mul_add_entries, row_sums, zero};
use crate::matrix::{Csr, MatrixError, Triplet, check_pointers};
use std::borrow::Cow;

/// Compressed rows of `D x D` blocks; every row has its diagonal block.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockCsr<const D: usize> {
    ptr: Vec<usize>,
    col: Vec<u32>,
    blocks: Vec<Block<D>>,
    diag: Vec<usize>,
}

impl<const D: usize> BlockCsr<D> {
    /// From sorted block rows, each given with its diagonal block.
    pub fn new(ptr: Vec<usize>, col: Vec<u32>, blocks: Vec<Block<D>>) -> Result<Self, MatrixError> {
        let n = ptr.len().saturating_sub(1);
        if col.len() != blocks.len() {
            return Err(MatrixError::Length { what: "blocks", found: blocks.len(), expected: col.len() });
        }
        check_pointers(&ptr, n, col.len())?;
        let mut diag = Vec::with_capacity(n);
        for c in 0..n {
            let row = &col[ptr[c]..ptr[c + 1]];
            if let Some(&j) = row.iter().find(|&&j| j as usize >= n) {
                return Err(MatrixError::Index { entry: ptr[c], axis: "column", index: j.into(), limit: n });
            }
            if row.windows(2).any(|w| w[0] >= w[1]) {
                return Err(MatrixError::Pointers(format!("block columns of row {c} are not sorted")));
            }
            match row.binary_search(&(c as u32)) {
                Ok(k) => diag.push(ptr[c] + k),
                Err(_) => return Err(MatrixError::Pointers(format!("block row {c} has no diagonal block"))),
            }
        }
        Ok(Self { ptr, col, blocks, diag })
    }

    /// Without rows.
    fn empty() -> Self {
        Self { ptr: vec![0], col: Vec::new(), blocks: Vec::new(), diag: Vec::new() }
    }

    /// Drops all rows, keeping their memory.
    fn clear(&mut self) {
        self.ptr.truncate(1);
        self.col.clear();
        self.blocks.clear();
        self.diag.clear();
    }

    /// Gathers the entries of a square matrix into blocks. The size must be a multiple of D.
    pub fn from_csr(a: &Csr) -> Result<Self, MatrixError> {
        if a.rows() != a.cols() || !a.rows().is_multiple_of(D) {
            let expected = a.rows().div_ceil(D) * D;
            return Err(MatrixError::Length { what: "matrix", found: a.cols().max(a.rows()), expected });
        }
        let n = a.rows() / D;
        let (mut ptr, mut col, mut blocks) = (vec![0], Vec::new(), Vec::new());
        let mut slot = vec![usize::MAX; n];
        for c in 0..n {
            let start = col.len();
            // columns present in any of the D rows, and the diagonal
            let mut present: Vec<u32> = (0..D).flat_map(|d| a.row(c * D + d).map(|(j, _)| (j / D) as u32)).collect();
            present.push(c as u32);
            present.sort_unstable();
            present.dedup();
            for (k, &j) in present.iter().enumerate() {
                slot[j as usize] = start + k;
            }
            blocks.resize(start + present.len(), zero::<D>());
            col.extend(present);
            for d in 0..D {
                for (j, x) in a.row(c * D + d) {
                    blocks[slot[j / D]][d][j % D] = x;
                }
            }
            ptr.push(col.len());
        }
        Self::new(ptr, col, blocks)
    }

    /// `W + alpha I` in place.
    pub fn add_to_diagonal(&mut self, alpha: f64) {
        for &k in &self.diag {
            (0..D).for_each(|d| self.blocks[k][d][d] += alpha);
        }
    }

    /// The same matrix entry by entry; zeros inside blocks are left out.
    pub fn to_csr(&self) -> Csr {
        let n = self.contacts() * D;
        let mut t = Triplet::empty(n, n);
        for c in 0..self.contacts() {
            for d in 0..D {
                for (j, b) in self.block_row(c) {
                    for e in (0..D).filter(|&e| b[d][e] != 0.0) {
                        t.push(c * D + d, j * D + e, b[d][e]);
                    }
                }
            }
        }
        Csr::from(&t)
    }

    /// The blocks (column, block) of row `c`.
    #[inline(always)]
    pub fn block_row(&self, c: usize) -> impl Iterator<Item = (usize, &Block<D>)> {
        let span = self.ptr[c]..self.ptr[c + 1];
        self.col[span.clone()].iter().map(|&j| j as usize).zip(&self.blocks[span])
    }

    /// All blocks, row after row.
    pub fn blocks(&self) -> &[Block<D>] {
        &self.blocks
    }

    /// All blocks, row after row, to be given new values.
    pub fn blocks_mut(&mut self) -> &mut [Block<D>] {
        &mut self.blocks
    }

    /// Number of stored blocks.
    pub fn stored_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The block (c, j), if it is stored.
    pub fn block(&self, c: usize, j: usize) -> Option<&Block<D>> {
        self.index(c, j).map(|k| &self.blocks[k])
    }

    /// Where the block (c, j) is among [all blocks](Self::blocks), if it is stored.
    pub fn index(&self, c: usize, j: usize) -> Option<usize> {
        let start = self.ptr[c];
        self.col[start..self.ptr[c + 1]].binary_search(&(j as u32)).ok().map(|k| start + k)
    }

    /// `||W - W^T||_F / ||W||_F`, zero for the zero matrix.
    pub fn asymmetry(&self) -> f64 {
        let (mut difference, mut total) = (0.0, 0.0);
        for c in 0..self.contacts() {
            for (j, b) in self.block_row(c) {
                let opposite = self.block(j, c);
                for d in 0..D {
                    for e in 0..D {
                        let x = b[d][e];
                        let y = opposite.map_or(0.0, |b| b[e][d]);
                        difference += (x - y) * (x - y);
                        // an entry whose opposite is not stored is missed from the other side
                        if opposite.is_none() {
                            difference += x * x;
                        }
                        total += x * x;
                    }
                }
            }
        }
        if total > 0.0 { (difference / total).sqrt() } else { 0.0 }
    }

    /// The first entry that is not a finite number, as (contact row, contact column).
    pub fn first_not_finite(&self) -> Option<(usize, usize)> {
        (0..self.contacts())
            .flat_map(|c| self.block_row(c).map(move |(j, b)| (c, j, b)))
            .find(|(_, _, b)| b.iter().flatten().any(|x| !x.is_finite()))
            .map(|(c, j, _)| (c, j))
    }
}

impl<const D: usize> Delassus<D> for BlockCsr<D> {
    fn contacts(&self) -> usize {
        self.diag.len()
    }

    fn state_len(&self) -> usize {
        0
    }

    #[inline(always)]
    fn diagonal(&self, c: usize) -> Block<D> {
        self.blocks[self.diag[c]]
    }

    fn assemble(&self) -> Option<Cow<'_, BlockCsr<D>>> {
        Some(Cow::Borrowed(self))
    }

    fn apply(&self, r: &[[f64; D]], out: &mut [[f64; D]], v: &mut [f64]) {
        for (c, o) in out.iter_mut().enumerate() {
            *o = self.row(c, r, v);
        }
    }
}

impl<const D: usize> Sweep<D> for BlockCsr<D> {
    #[inline(always)]
    fn row(&self, c: usize, r: &[[f64; D]], _v: &[f64]) -> [f64; D] {
        let mut u = zero();
        for (j, b) in self.block_row(c) {
            mul_add_entries(b, &r[j], &mut u);
        }
        row_sums(&u)
    }

    /// The blocks before and after the diagonal, so that no rounding of the own part is left behind.
    #[inline(always)]
    fn row_of_others(&self, c: usize, r: &[[f64; D]], _v: &[f64]) -> [f64; D] {
        let mut u = zero();
        let d = self.diag[c];
        for span in [self.ptr[c]..d, d + 1..self.ptr[c + 1]] {
            for (j, b) in self.col[span.clone()].iter().zip(&self.blocks[span]) {
                mul_add_entries(b, &r[*j as usize], &mut u);
            }
        }
        row_sums(&u)
    }

    #[inline(always)]
    fn push(&self, _c: usize, _dr: &[f64; D], _v: &mut [f64]) {}

    fn load(&self, _r: &[[f64; D]], _v: &mut [f64]) {}

    fn blocks_a_visit(&self) -> Option<f64> {
        Some(self.stored_blocks() as f64 / self.contacts().max(1) as f64)
    }

    fn nodes(&self) -> usize {
        self.contacts()
    }

    fn meets(&self, c: usize, meet: impl FnMut(usize)) {
        self.col[self.ptr[c]..self.ptr[c + 1]].iter().map(|&j| j as usize).for_each(meet);
    }

    fn part(&self, contacts: &mut [u32], numbers: &mut Numbers, room: Option<Self>) -> Option<Self> {
        let mut part = room.unwrap_or_else(Self::empty);
        part.clear();
        numbers.begin(self.contacts());
        // sorted contacts keep their order: so do the columns
        contacts.iter().for_each(|&c| {
            numbers.of(c);
        });
        for &c in &*contacts {
            let span = self.ptr[c as usize]..self.ptr[c as usize + 1];
            part.diag.push(part.col.len() + self.diag[c as usize] - span.start);
            part.col.extend(self.col[span.clone()].iter().map(|&j| numbers.of(j)));
            part.blocks.extend_from_slice(&self.blocks[span]);
            part.ptr.push(part.col.len());
        }
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gathers_blocks_and_gives_the_entries_back() {
        let mut t = Triplet::empty(4, 4);
        for (i, j, x) in [(0, 0, 2.0), (1, 1, 3.0), (0, 3, -1.0), (3, 0, -1.0), (2, 2, 5.0), (3, 3, 6.0)] {
            t.push(i, j, x);
        }
        let a = Csr::from(&t);
        let w = BlockCsr::<2>::from_csr(&a).unwrap();
        assert_eq!((w.contacts(), w.stored_blocks()), (2, 4));
        assert_eq!(w.to_csr(), a);
        let r = [[1.0, 2.0], [3.0, 4.0]];
        let mut u = [[0.0; 2]; 2];
        w.apply(&r, &mut u, &mut []);
        assert_eq!(u.as_flattened(), a.mul(r.as_flattened()));
        assert!(BlockCsr::<3>::from_csr(&a).is_err());
        assert_eq!(w.asymmetry(), 0.0);
        t.push(0, 1, 0.5);
        t.push(0, 2, 0.25);
        let a = Csr::from(&t);
        assert!((BlockCsr::<2>::from_csr(&a).unwrap().asymmetry() - a.asymmetry()).abs() < 1e-15);
    }

    #[test]
    fn a_row_without_diagonal_block_gets_one() {
        let a = Csr::from(&Triplet::new(4, 4, vec![0], vec![0], vec![1.0]).unwrap());
        let w = BlockCsr::<2>::from_csr(&a).unwrap();
        assert_eq!(w.diagonal(1), [[0.0; 2]; 2]);
    }
}
