//! Full storage.

use super::{Csr, MatrixError};

/// A full matrix stored by rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl Dense {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self { rows, cols, data: vec![0.0; rows * cols] }
    }

    /// From its rows, which must be equally long.
    pub fn from_rows(rows: &[&[f64]]) -> Result<Self, MatrixError> {
        let cols = rows.first().map_or(0, |r| r.len());
        if let Some(row) = rows.iter().find(|r| r.len() != cols) {
            return Err(MatrixError::Length { what: "row", found: row.len(), expected: cols });
        }
        Ok(Self { rows: rows.len(), cols, data: rows.concat() })
    }

    /// The matrix of the entries `f(row, column)`.
    pub fn from_fn(rows: usize, cols: usize, f: impl Fn(usize, usize) -> f64) -> Self {
        let data = (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))).map(|(i, j)| f(i, j)).collect();
        Self { rows, cols, data }
    }

    /// The rows `rows` of the columns `cols`.
    pub fn part(&self, rows: &[usize], cols: &[usize]) -> Self {
        Self::from_fn(rows.len(), cols.len(), |i, j| self.row(rows[i])[cols[j]])
    }

    /// The largest entry in size; NaN where there is one.
    pub fn max_abs(&self) -> f64 {
        self.data.iter().fold(0.0, |m: f64, x| if x.is_nan() || m.is_nan() { f64::NAN } else { m.max(x.abs()) })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }

    /// Row `i`, to write.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.data[i * self.cols..(i + 1) * self.cols]
    }

    /// `A x`.
    pub fn mul(&self, x: &[f64]) -> Vec<f64> {
        (0..self.rows).map(|i| self.row(i).iter().zip(x).map(|(a, b)| a * b).sum()).collect()
    }
}

impl From<&Csr> for Dense {
    fn from(a: &Csr) -> Self {
        let mut d = Dense::zeros(a.rows(), a.cols());
        for i in 0..a.rows() {
            for (j, x) in a.row(i) {
                d.row_mut(i)[j] = x;
            }
        }
        d
    }
}
