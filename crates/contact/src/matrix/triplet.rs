//! Coordinate storage.

use super::{Csr, MatrixError, check_size};

/// A matrix as (row, column, value) triplets in any order; repeated entries add up.
#[derive(Debug, Clone, PartialEq)]
pub struct Triplet {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) i: Vec<u32>,
    pub(crate) j: Vec<u32>,
    pub(crate) x: Vec<f64>,
}

impl Triplet {
    /// Checks lengths and indices.
    pub fn new(rows: usize, cols: usize, i: Vec<u32>, j: Vec<u32>, x: Vec<f64>) -> Result<Self, MatrixError> {
        check_size(rows.max(cols))?;
        for (what, found) in [("row indices", i.len()), ("column indices", j.len())] {
            if found != x.len() {
                return Err(MatrixError::Length { what, found, expected: x.len() });
            }
        }
        for (axis, index, limit) in [("row", &i, rows), ("column", &j, cols)] {
            if let Some(entry) = index.iter().position(|&k| k as usize >= limit) {
                return Err(MatrixError::Index { entry, axis, index: index[entry].into(), limit });
            }
        }
        Ok(Self { rows, cols, i, j, x })
    }

    /// An empty matrix to [`push`](Self::push) into.
    pub fn empty(rows: usize, cols: usize) -> Self {
        Self { rows, cols, i: Vec::new(), j: Vec::new(), x: Vec::new() }
    }

    /// Adds one entry.
    ///
    /// # Panics
    /// When the entry lies outside the matrix: this is for code that builds matrices, not for input.
    pub fn push(&mut self, i: usize, j: usize, x: f64) {
        assert!(i < self.rows && j < self.cols, "entry ({i}, {j}) outside {} x {}", self.rows, self.cols);
        self.i.push(i as u32);
        self.j.push(j as u32);
        self.x.push(x);
    }

    /// Number of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// The entries in stored order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.i.iter().zip(&self.j).zip(&self.x).map(|((&i, &j), &x)| (i as usize, j as usize, x))
    }
}

impl From<&Csr> for Triplet {
    fn from(a: &Csr) -> Self {
        let mut t = Triplet::empty(a.rows(), a.cols());
        for i in 0..a.rows() {
            for (j, x) in a.row(i) {
                t.push(i, j, x);
            }
        }
        t
    }
}
