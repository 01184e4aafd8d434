//! Forming W from the rows of H^T and of (M^-1 H)^T.

use super::BlockCsr;
use crate::block::{Block, zero};
use crate::matrix::{Csr, Triplet};

/// Rows of contacts over degrees of freedom, gathered entry by entry.
pub(super) struct ContactRows {
    entries: Triplet,
}

impl ContactRows {
    /// Room for `rows` rows over `dofs` columns.
    pub fn new(rows: usize, dofs: usize) -> Self {
        Self { entries: Triplet::empty(rows, dofs) }
    }

    /// Adds one entry, leaving zeros out.
    pub fn push(&mut self, row: usize, dof: usize, x: f64) {
        if x != 0.0 {
            self.entries.push(row, dof, x);
        }
    }
}

/// `W = J R^T` by blocks, J the rows of H^T and R those of (M^-1 H)^T.
pub(super) fn gram<const D: usize>(j: &ContactRows, r: &ContactRows) -> BlockCsr<D> {
    let (j, by_dof) = (Csr::from(&j.entries), Csr::from(&r.entries).transpose());
    let contacts = j.rows() / D;
    let (mut ptr, mut col, mut blocks) = (vec![0], Vec::new(), Vec::new());
    let mut row: Vec<Block<D>> = vec![zero(); contacts];
    let mut seen = vec![false; contacts];
    let mut touched: Vec<u32> = Vec::new();
    for c in 0..contacts {
        seen[c] = true;
        touched.push(c as u32);
        for d in 0..D {
            for (dof, x) in j.row(c * D + d) {
                for (k, y) in by_dof.row(dof) {
                    if !seen[k / D] {
                        seen[k / D] = true;
                        touched.push((k / D) as u32);
                    }
                    row[k / D][d][k % D] += x * y;
                }
            }
        }
        touched.sort_unstable();
        for &k in &touched {
            blocks.push(std::mem::replace(&mut row[k as usize], zero()));
            seen[k as usize] = false;
        }
        col.append(&mut touched);
        ptr.push(col.len());
    }
    BlockCsr::new(ptr, col, blocks).expect("rows are sorted and have their diagonal")
}
