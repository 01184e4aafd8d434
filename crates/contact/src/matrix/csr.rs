//! Compressed sparse rows.

use super::{Csc, Dense, MatrixError, Triplet, check_pointers, check_size};

/// Compressed rows, columns sorted within each row, no repeated entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Csr {
    rows: usize,
    cols: usize,
    ptr: Vec<usize>,
    col: Vec<u32>,
    val: Vec<f64>,
}

impl Csr {
    /// Checks the arrays, sorts each row and adds up repeated entries.
    pub fn new(rows: usize, cols: usize, ptr: Vec<usize>, col: Vec<u32>, val: Vec<f64>) -> Result<Self, MatrixError> {
        check_size(rows.max(cols))?;
        if col.len() != val.len() {
            return Err(MatrixError::Length { what: "column indices", found: col.len(), expected: val.len() });
        }
        check_pointers(&ptr, rows, col.len())?;
        if let Some(entry) = col.iter().position(|&j| j as usize >= cols) {
            return Err(MatrixError::Index { entry, axis: "column", index: col[entry].into(), limit: cols });
        }
        let a = Self { rows, cols, ptr, col, val };
        let tidy = (0..rows).all(|i| a.col[a.ptr[i]..a.ptr[i + 1]].windows(2).all(|w| w[0] < w[1]));
        Ok(if tidy { a } else { Csr::from(&Triplet::from(&a)) })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Number of stored entries.
    pub fn nnz(&self) -> usize {
        self.val.len()
    }

    /// Row pointers, `rows + 1` of them.
    pub fn pointers(&self) -> &[usize] {
        &self.ptr
    }

    /// Column index of every entry.
    pub fn columns(&self) -> &[u32] {
        &self.col
    }

    /// Every value, row after row.
    pub fn values(&self) -> &[f64] {
        &self.val
    }

    /// The entries (column, value) of row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        let span = self.ptr[i]..self.ptr[i + 1];
        self.col[span.clone()].iter().zip(&self.val[span]).map(|(&j, &x)| (j as usize, x))
    }

    /// The entry (i, j), zero when it is not stored.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let span = self.ptr[i]..self.ptr[i + 1];
        match self.col[span.clone()].binary_search(&(j as u32)) {
            Ok(k) => self.val[span.start + k],
            Err(_) => 0.0,
        }
    }

    /// These rows and columns alone, sorted.
    pub fn principal(&self, kept: &[u32]) -> Csr {
        let mut number = vec![u32::MAX; self.cols];
        kept.iter().enumerate().for_each(|(new, &old)| number[old as usize] = new as u32);
        let (mut ptr, mut col, mut val) = (vec![0], Vec::new(), Vec::new());
        for &i in kept {
            for (j, x) in self.row(i as usize).filter(|(j, _)| number[*j] != u32::MAX) {
                col.push(number[j]);
                val.push(x);
            }
            ptr.push(col.len());
        }
        Csr { rows: kept.len(), cols: kept.len(), ptr, col, val }
    }

    /// `A x`.
    pub fn mul(&self, x: &[f64]) -> Vec<f64> {
        (0..self.rows).map(|i| self.row(i).map(|(j, a)| a * x[j]).sum()).collect()
    }

    /// `A^T x`.
    pub fn mul_transposed(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.cols];
        for i in 0..self.rows {
            for (j, a) in self.row(i) {
                y[j] += a * x[i];
            }
        }
        y
    }

    /// `A^T`, rows sorted.
    pub fn transpose(&self) -> Csr {
        let mut ptr = vec![0; self.cols + 1];
        for &j in &self.col {
            ptr[j as usize + 1] += 1;
        }
        for j in 0..self.cols {
            ptr[j + 1] += ptr[j];
        }
        let mut next = ptr.clone();
        let mut col = vec![0; self.nnz()];
        let mut val = vec![0.0; self.nnz()];
        for i in 0..self.rows {
            for (j, x) in self.row(i) {
                col[next[j]] = i as u32;
                val[next[j]] = x;
                next[j] += 1;
            }
        }
        Csr { rows: self.cols, cols: self.rows, ptr, col, val }
    }

    /// `||A - A^T||_F / ||A||_F`, zero for the zero matrix.
    pub fn asymmetry(&self) -> f64 {
        let t = self.transpose();
        let (mut diff, mut total) = (0.0, 0.0);
        for i in 0..self.rows {
            let (mut a, mut b) = (self.row(i).peekable(), t.row(i).peekable());
            // merge the two sorted rows: an entry missing on one side counts as zero
            while let Some(j) = [a.peek(), b.peek()].into_iter().flatten().map(|e| e.0).min() {
                let x = a.next_if(|e| e.0 == j).map_or(0.0, |e| e.1);
                let y = b.next_if(|e| e.0 == j).map_or(0.0, |e| e.1);
                diff += (x - y) * (x - y);
                total += x * x;
            }
        }
        if total > 0.0 { (diff / total).sqrt() } else { 0.0 }
    }

    /// Whether every entry off the diagonal lies on one side of it, and there is at least one.
    pub fn is_one_triangle(&self) -> bool {
        let (mut upper, mut lower) = (false, false);
        for i in 0..self.rows {
            for (j, x) in self.row(i) {
                upper |= j > i && x != 0.0;
                lower |= j < i && x != 0.0;
            }
        }
        upper != lower
    }

    /// `A + A^T - diag(A)`: the symmetric matrix of which one triangle was stored.
    pub fn reflected(&self) -> Csr {
        let mut t = Triplet::from(self);
        for i in 0..self.rows {
            for (j, x) in self.row(i).filter(|e| e.0 != i) {
                t.push(j, i, x);
            }
        }
        Csr::from(&t)
    }
}

impl From<&Triplet> for Csr {
    fn from(t: &Triplet) -> Self {
        // bucket by row, then sort each row by column; stable, so repeated entries add up in stored order
        let mut ptr = vec![0usize; t.rows + 1];
        for &i in &t.i {
            ptr[i as usize + 1] += 1;
        }
        for i in 0..t.rows {
            ptr[i + 1] += ptr[i];
        }
        let mut next = ptr.clone();
        let mut entry = vec![(0u32, 0.0f64); t.x.len()];
        for ((&i, &j), &x) in t.i.iter().zip(&t.j).zip(&t.x) {
            entry[next[i as usize]] = (j, x);
            next[i as usize] += 1;
        }
        let (mut out_ptr, mut col, mut val) =
            (vec![0], Vec::with_capacity(entry.len()), Vec::with_capacity(entry.len()));
        for i in 0..t.rows {
            let row = &mut entry[ptr[i]..ptr[i + 1]];
            row.sort_by_key(|e| e.0);
            let start = col.len();
            for &(j, x) in row.iter() {
                if col.len() > start && col.last() == Some(&j) {
                    *val.last_mut().expect("a value for every column") += x;
                } else {
                    col.push(j);
                    val.push(x);
                }
            }
            out_ptr.push(col.len());
        }
        Csr { rows: t.rows, cols: t.cols, ptr: out_ptr, col, val }
    }
}

impl From<&Csc> for Csr {
    fn from(a: &Csc) -> Self {
        a.as_transposed_rows().transpose()
    }
}

impl From<&Dense> for Csr {
    fn from(a: &Dense) -> Self {
        let (mut ptr, mut col, mut val) = (vec![0], Vec::new(), Vec::new());
        for i in 0..a.rows() {
            for (j, &x) in a.row(i).iter().enumerate().filter(|(_, x)| **x != 0.0) {
                col.push(j as u32);
                val.push(x);
            }
            ptr.push(col.len());
        }
        Csr { rows: a.rows(), cols: a.cols(), ptr, col, val }
    }
}
