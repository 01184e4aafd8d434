//! Forming W from the rows of H^T and of (M^-1 H)^T.

use super::BlockCsr;
use crate::block::{Block, zero};

/// What one contact has at one degree of freedom: a column of its rows of H^T, and of (M^-1 H)^T.
struct Entry<const D: usize> {
    dof: u32,
    h: [f64; D],
    response: [f64; D],
}

/// The rows of H^T and of (M^-1 H)^T, contact after contact.
pub(super) struct Gram<const D: usize> {
    dofs: usize,
    /// Where the entries of each contact begin, and the end of the last.
    ptr: Vec<usize>,
    entries: Vec<Entry<D>>,
}

impl<const D: usize> Gram<D> {
    /// Over so many degrees of freedom, without contacts yet.
    pub fn new(dofs: usize) -> Self {
        Self { dofs, ptr: vec![0], entries: Vec::new() }
    }

    /// Adds what the next contact has at one degree of freedom.
    pub fn push(&mut self, dof: usize, h: [f64; D], response: [f64; D]) {
        self.entries.push(Entry { dof: dof as u32, h, response });
    }

    /// Ends this contact.
    pub fn end_contact(&mut self) {
        self.ptr.push(self.entries.len());
    }

    /// `W = H^T (M^-1 H)` by blocks.
    pub fn form(&self) -> BlockCsr<D> {
        let contacts = self.ptr.len() - 1;
        let (at, responses) = self.responses();
        let (mut ptr, mut col, mut blocks) = (vec![0], Vec::new(), Vec::new());
        let mut row: Vec<Block<D>> = vec![zero(); contacts];
        let mut seen = vec![false; contacts];
        let mut touched: Vec<u32> = Vec::new();
        for c in 0..contacts {
            seen[c] = true;
            touched.push(c as u32);
            for Entry { dof, h, .. } in self.of(c).iter().filter(|e| e.h != [0.0; D]) {
                let dof = *dof as usize;
                for (k, y) in &responses[at[dof]..at[dof + 1]] {
                    if !std::mem::replace(&mut seen[*k as usize], true) {
                        touched.push(*k);
                    }
                    let block = &mut row[*k as usize];
                    for d in 0..D {
                        (0..D).for_each(|e| block[d][e] += h[d] * y[e]);
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

    fn of(&self, c: usize) -> &[Entry<D>] {
        &self.entries[self.ptr[c]..self.ptr[c + 1]]
    }

    /// Contacts and columns of (M^-1 H)^T by degrees of freedom, and where those of each begin.
    fn responses(&self) -> (Vec<usize>, Vec<(u32, [f64; D])>) {
        let moved = |c: usize| self.of(c).iter().filter(|e| e.response != [0.0; D]);
        let contacts = self.ptr.len() - 1;
        let mut at = vec![0; self.dofs + 1];
        (0..contacts).flat_map(moved).for_each(|e| at[e.dof as usize + 1] += 1);
        (0..self.dofs).for_each(|i| at[i + 1] += at[i]);
        let (mut next, mut responses) = (at.clone(), vec![(0, [0.0; D]); at[self.dofs]]);
        for c in 0..contacts {
            for e in moved(c) {
                let place = &mut next[e.dof as usize];
                responses[*place] = (c as u32, e.response);
                *place += 1;
            }
        }
        (at, responses)
    }
}
