//! From the global problem to the reduced one: `W = H^T M^-1 H`, `q = H^T M^-1 f + w` [D, "Relation with the general problem"].

use super::{GlobalProblem, LocalProblem, Notice, ProblemError};
use crate::block::Block;
use crate::cholesky::Cholesky;
use crate::mass::{Mass, MassBlocks};
use crate::matrix::Csr;
use crate::operator::BlockCsr;

/// Largest condensed W that is built, in bytes.
pub const CONDENSED_LIMIT: f64 = 8e9;

impl<const D: usize> GlobalProblem<D> {
    /// Eliminates v with a factorisation of M and assembles W by blocks.
    ///
    /// A block-diagonal M (rigid bodies) keeps W sparse: two contacts couple when they share a body. Any other M
    /// (finite elements) couples all contacts of a connected solid.
    pub fn condense(&self) -> Result<(LocalProblem<D>, Vec<Notice>), ProblemError> {
        self.condense_with(&self.factor_mass()?)
    }

    /// The same, with M already factored.
    pub fn condense_with(&self, mass: &Mass) -> Result<(LocalProblem<D>, Vec<Notice>), ProblemError> {
        let w = condensed_blocks::<D>(mass, &self.h)?;
        LocalProblem::assembled(w, self.free_velocity(mass), self.cones.clone())
    }

    /// Factors M, or says why it cannot be.
    pub fn factor_mass(&self) -> Result<Mass, ProblemError> {
        Mass::new(&self.m).map_err(|e| ProblemError::Mass { dof: e.row })
    }

    /// `q = H^T M^-1 f + w`.
    pub fn free_velocity(&self, mass: &Mass) -> Vec<[f64; D]> {
        self.relative_velocity(&self.body_velocity(mass))
    }

    /// `v = M^-1 f`: the bodies without impulses.
    pub fn body_velocity(&self, mass: &Mass) -> Vec<f64> {
        let mut v = self.f.clone();
        mass.solve_in_place(&mut v);
        v
    }

    /// `v = M^-1 (H r + f)`.
    pub fn velocity(&self, mass: &Mass, r: &[[f64; D]]) -> Vec<f64> {
        let mut v = self.h.mul(r.as_flattened());
        for (v, f) in v.iter_mut().zip(&self.f) {
            *v += f;
        }
        mass.solve_in_place(&mut v);
        v
    }

    /// `u = H^T v + w`.
    pub fn relative_velocity(&self, v: &[f64]) -> Vec<[f64; D]> {
        let u = self.h.mul_transposed(v);
        u.as_chunks::<D>().0.iter().zip(&self.w).map(|(u, w)| crate::block::add(u, w)).collect()
    }
}

/// `H^T M^-1 H` as blocks.
pub fn condensed_blocks<const D: usize>(mass: &Mass, h: &Csr) -> Result<BlockCsr<D>, ProblemError> {
    let rows = match mass {
        Mass::Connected(factor) => all_with_all(factor, h)?,
        Mass::BlockDiagonal(bodies) => by_bodies(bodies, h)?,
    };
    BlockCsr::new(rows.ptr, rows.col, rows.blocks).map_err(|e| ProblemError::Size {
        what: format!("condensed W ({e})"),
        found: 0,
        expected: h.cols() / D,
    })
}

struct Rows<const D: usize> {
    ptr: Vec<usize>,
    col: Vec<u32>,
    blocks: Vec<Block<D>>,
}

/// Contacts whose columns are solved for together: enough for a factor to be read once for many.
const TOGETHER: usize = 32;

/// A factor couples every contact with every other: `M X = H` by groups of columns, then `W = H^T X`.
fn all_with_all<const D: usize>(factor: &Cholesky, h: &Csr) -> Result<Rows<D>, ProblemError> {
    let (dofs, contacts) = (h.rows(), h.cols() / D);
    let bytes = contacts as f64 * contacts as f64 * size_of::<Block<D>>() as f64;
    if bytes > CONDENSED_LIMIT {
        return Err(ProblemError::TooLarge { gigabytes: bytes / 1e9 });
    }
    let ht = h.transpose();
    let touched: Vec<usize> = (0..dofs).filter(|&i| h.row(i).next().is_some()).collect();
    let mut blocks = vec![[[0.0; D]; D]; contacts * contacts];
    let mut x = Vec::new();
    for first in (0..contacts).step_by(TOGETHER) {
        let columns = first * D..(first + TOGETHER).min(contacts) * D;
        x.clear();
        x.resize(columns.len() * dofs, 0.0);
        for (column, x) in columns.clone().zip(x.chunks_exact_mut(dofs)) {
            ht.row(column).for_each(|(i, value)| x[i] = value);
        }
        factor.solve_in_place(&mut x);
        for (column, x) in columns.zip(x.chunks_exact(dofs)) {
            let (row, d) = (&mut blocks[column / D * contacts..][..contacts], column % D);
            for &i in &touched {
                h.row(i).for_each(|(j, value)| row[j / D][d][j % D] += x[i] * value);
            }
        }
    }
    let ptr = (0..=contacts).map(|c| c * contacts).collect();
    let col = (0..contacts).flat_map(|_| 0..contacts as u32).collect();
    Ok(Rows { ptr, col, blocks })
}

/// Bodies of their own: contacts couple when they share one.
fn by_bodies<const D: usize>(bodies: &MassBlocks, h: &Csr) -> Result<Rows<D>, ProblemError> {
    let contacts = h.cols() / D;
    let ht = h.transpose();
    let mut rows = Rows { ptr: vec![0], col: Vec::new(), blocks: Vec::new() };
    let mut row: Vec<Block<D>> = vec![[[0.0; D]; D]; contacts];
    let mut touched: Vec<u32> = Vec::new();
    let mut seen = vec![false; contacts];
    let mut column = Column::new(h.rows());
    for c in 0..contacts {
        // row block c of W is the transpose of column block c of W^T: solve M^T y = H_c, then W_c = y^T H
        for d in 0..D {
            column.solve(bodies, ht.row(c * D + d));
            for &i in &column.support {
                let y = column.y[i as usize];
                for (j, x) in h.row(i as usize) {
                    let k = j / D;
                    if !seen[k] {
                        seen[k] = true;
                        touched.push(k as u32);
                    }
                    row[k][d][j % D] += y * x;
                }
            }
            column.clear();
        }
        if !seen[c] {
            seen[c] = true;
            touched.push(c as u32);
        }
        touched.sort_unstable();
        for &k in &touched {
            rows.col.push(k);
            rows.blocks.push(std::mem::replace(&mut row[k as usize], [[0.0; D]; D]));
            seen[k as usize] = false;
        }
        touched.clear();
        rows.ptr.push(rows.col.len());
        let bytes = (rows.blocks.len() * size_of::<Block<D>>()) as f64;
        let forecast = bytes / (c + 1) as f64 * contacts as f64;
        if bytes > CONDENSED_LIMIT || (c > 1000 && forecast > 4.0 * CONDENSED_LIMIT) {
            return Err(ProblemError::TooLarge { gigabytes: forecast / 1e9 });
        }
    }
    Ok(rows)
}

/// One solution of `M^T y = h` with the list of its nonzero rows.
struct Column {
    y: Vec<f64>,
    support: Vec<u32>,
    in_support: Vec<bool>,
}

impl Column {
    fn new(dofs: usize) -> Self {
        Self { y: vec![0.0; dofs], support: Vec::new(), in_support: vec![false; dofs] }
    }

    fn solve(&mut self, bodies: &MassBlocks, h: impl Iterator<Item = (usize, f64)>) {
        for (i, x) in h.filter(|e| e.1 != 0.0) {
            let b = bodies.get(bodies.of(i));
            let n = b.dofs.len();
            let k = b.dofs.binary_search(&(i as u32)).unwrap_or(0);
            for (l, &dof) in b.dofs.iter().enumerate() {
                // row k of M^-1 is column k of M^-T
                self.y[dof as usize] += b.inverse[k * n + l] * x;
                if !self.in_support[dof as usize] {
                    self.in_support[dof as usize] = true;
                    self.support.push(dof);
                }
            }
        }
        self.support.sort_unstable();
    }

    fn clear(&mut self) {
        for i in self.support.drain(..) {
            self.y[i as usize] = 0.0;
            self.in_support[i as usize] = false;
        }
    }
}
