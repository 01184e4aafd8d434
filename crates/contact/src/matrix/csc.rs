//! Compressed sparse columns.

use super::{Csr, MatrixError};

/// Compressed columns, rows sorted within each column: the rows of the transpose.
#[derive(Debug, Clone, PartialEq)]
pub struct Csc {
    transposed: Csr,
}

impl Csc {
    /// Checks the arrays, sorts each column and adds up repeated entries.
    pub fn new(rows: usize, cols: usize, ptr: Vec<usize>, row: Vec<u32>, val: Vec<f64>) -> Result<Self, MatrixError> {
        let transposed = Csr::new(cols, rows, ptr, row, val).map_err(|e| match e {
            // the transpose calls rows columns
            MatrixError::Index { entry, index, limit, .. } => MatrixError::Index { entry, axis: "row", index, limit },
            MatrixError::Length { what: "column indices", found, expected } => {
                MatrixError::Length { what: "row indices", found, expected }
            }
            other => other,
        })?;
        Ok(Self { transposed })
    }

    /// Number of rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.transposed.cols(), self.transposed.rows())
    }

    /// Column pointers.
    pub fn pointers(&self) -> &[usize] {
        self.transposed.pointers()
    }

    /// Row index of every entry, column after column.
    pub fn row_indices(&self) -> &[u32] {
        self.transposed.columns()
    }

    /// Every value, column after column.
    pub fn values(&self) -> &[f64] {
        self.transposed.values()
    }

    /// The same arrays read as the rows of the transpose.
    pub fn as_transposed_rows(&self) -> &Csr {
        &self.transposed
    }
}

impl From<&Csr> for Csc {
    fn from(a: &Csr) -> Self {
        Self { transposed: a.transpose() }
    }
}
