//! Cholesky in the order of the rows, inside the envelope of the matrix.

use crate::matrix::Csr;

/// $M = L L^\top$ with row i of L kept from its first entry on: what fills in lies behind it. Of the diagonal the
/// inverse is kept.
///
/// Finite elements numbered along a solid have short rows. No ordering and no blocks: for small matrices, where these
/// would take longer than the factor itself.
///
/// # Reference
/// George & Liu, Computer solution of large sparse positive definite systems, 1981, chapter 4.
pub struct Envelope {
    /// The first column of each row, and where the row begins in `l`.
    rows: Vec<(usize, usize)>,
    l: Vec<f64>,
}

impl Envelope {
    /// Factors the lower triangle of `m`; `None` when it is not positive definite.
    pub fn new(m: &Csr) -> Option<Self> {
        let mut this = Self { rows: Vec::with_capacity(m.rows()), l: Vec::new() };
        for i in 0..m.rows() {
            let first = m.row(i).map(|e| e.0).filter(|j| *j < i).min().unwrap_or(i);
            let begin = this.l.len();
            this.l.resize(begin + i + 1 - first, 0.0);
            for (j, x) in m.row(i).filter(|e| e.0 <= i) {
                this.l[begin + j - first] += x;
            }
            this.rows.push((first, begin));
            this.factor_row(i)?;
        }
        Some(this)
    }

    /// `l_ij = (m_ij - l_i . l_j) / l_jj`, j < i, then `1 / l_ii`.
    fn factor_row(&mut self, i: usize) -> Option<()> {
        let (first, begin) = self.rows[i];
        let (above, row) = self.l.split_at_mut(begin);
        for j in first..i {
            let (first_j, begin_j) = self.rows[j];
            let common = first.max(first_j);
            let other = &above[begin_j..begin_j + j + 1 - first_j];
            let product = dot(&row[common - first..j - first], &other[common - first_j..j - first_j]);
            row[j - first] = (row[j - first] - product) * other[j - first_j];
        }
        let (left, diagonal) = row.split_at_mut(i - first);
        let pivot = diagonal[0] - dot(left, left);
        diagonal[0] = 1.0 / pivot.sqrt();
        (pivot > 0.0 && pivot.is_finite()).then_some(())
    }

    /// The entries of row i, and its first column.
    fn row(&self, i: usize) -> (usize, &[f64]) {
        let (first, begin) = self.rows[i];
        (first, &self.l[begin..begin + i + 1 - first])
    }

    /// Solves `M x = b` in place.
    pub fn solve_in_place(&self, b: &mut [f64]) {
        let n = self.rows.len();
        // rows above the first entry of b stay zero
        let start = b.iter().position(|x| *x != 0.0).unwrap_or(n);
        for i in start..n {
            let (first, row) = self.row(i);
            let from = first.max(start);
            let (left, diagonal) = row.split_at(i - first);
            b[i] = (b[i] - dot(&left[from - first..], &b[from..i])) * diagonal[0];
        }
        for i in (0..n).rev() {
            let (first, row) = self.row(i);
            let (left, diagonal) = row.split_at(i - first);
            let x = b[i] * diagonal[0];
            b[i] = x;
            for (b, l) in b[first..i].iter_mut().zip(left) {
                *b -= l * x;
            }
        }
    }
}

/// Eight sums at a time, then four, added up in pairs: the processor need not wait for each.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    let mut eight = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        (0..8).for_each(|k| eight[k] += a[k] * b[k]);
    }
    let mut four: [f64; 4] = std::array::from_fn(|k| eight[k] + eight[k + 4]);
    let (a, a_rest) = a_rest.as_chunks::<4>();
    let (b, b_rest) = b_rest.as_chunks::<4>();
    for (a, b) in a.iter().zip(b) {
        (0..4).for_each(|k| four[k] += a[k] * b[k]);
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (four[0] + four[2]) + (four[1] + four[3]) + rest
}
