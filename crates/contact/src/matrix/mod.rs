//! General matrices in the formats that files and solvers use, and the conversions between them.
//!
//! | type | stores | used for |
//! |---|---|---|
//! | [`Dense`] | every entry, by rows | small or full matrices, references in tests |
//! | [`Triplet`] | (row, column, value), repeated entries add up | files, assembly |
//! | [`Csr`] | compressed rows | products, the hub of all conversions |
//! | [`Csc`] | compressed columns | files, factorisations |
//!
//! The block form that contact solvers sweep over is [`crate::operator::BlockCsr`].

mod csc;
mod csr;
mod dense;
mod lu;
mod triplet;

pub use csc::Csc;
pub use csr::Csr;
pub use dense::Dense;
pub use lu::DenseLu;
pub use triplet::Triplet;

/// Why arrays do not describe a matrix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MatrixError {
    /// An index points outside the matrix.
    #[error("entry {entry}: {axis} index {index} is outside 0..{limit}")]
    Index {
        /// Position of the entry in the arrays.
        entry: usize,
        /// `row` or `column`.
        axis: &'static str,
        /// The offending index.
        index: i64,
        /// Number of rows or columns.
        limit: usize,
    },
    /// The pointer array is not `0 = p[0] <= p[1] <= ... = number of entries`.
    #[error("pointer array: {0}")]
    Pointers(String),
    /// Two arrays that belong together differ in length.
    #[error("{what} has {found} entries, {expected} were expected")]
    Length {
        /// The array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length the other arrays ask for.
        expected: usize,
    },
    /// More rows or columns than 32-bit indices can name.
    #[error("{0} rows or columns are more than 32-bit indices can name")]
    TooLarge(usize),
}

pub(crate) fn check_size(n: usize) -> Result<(), MatrixError> {
    if n > u32::MAX as usize { Err(MatrixError::TooLarge(n)) } else { Ok(()) }
}

/// Checks a compressed pointer array against the number of lines and entries.
pub(crate) fn check_pointers(ptr: &[usize], lines: usize, entries: usize) -> Result<(), MatrixError> {
    if ptr.len() != lines + 1 {
        return Err(MatrixError::Length { what: "pointer array", found: ptr.len(), expected: lines + 1 });
    }
    if ptr[0] != 0 {
        return Err(MatrixError::Pointers(format!("starts at {} instead of 0", ptr[0])));
    }
    if let Some(k) = ptr.windows(2).position(|w| w[1] < w[0]) {
        return Err(MatrixError::Pointers(format!("decreases after line {k}")));
    }
    if ptr[lines] != entries {
        return Err(MatrixError::Pointers(format!("ends at {} but there are {entries} entries", ptr[lines])));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Triplet {
        // a repeated entry and an explicit zero, as genuine files have them
        let i = vec![0, 2, 1, 0, 2, 0];
        let j = vec![1, 0, 2, 1, 3, 0];
        let x = vec![1.0, 2.0, 3.0, 0.5, -1.0, 0.0];
        Triplet::new(3, 4, i, j, x).unwrap()
    }

    #[test]
    fn every_conversion_gives_the_same_product() {
        let t = sample();
        let x = [1.0, -2.0, 0.25, 3.0];
        let expected = [-3.0, 0.75, -1.0];
        let csr = Csr::from(&t);
        let csc = Csc::from(&csr);
        let dense = Dense::from(&csr);
        assert_eq!(csr.mul(&x), expected);
        assert_eq!(Csr::from(&csc), csr);
        assert_eq!(dense.mul(&x), expected);
        assert_eq!(Csr::from(&Triplet::from(&csr)), csr);
        assert_eq!(csr.transpose().transpose(), csr);
        assert_eq!(Dense::from(&Csr::from(&dense)), dense);
    }

    #[test]
    fn transposed_product_is_the_product_with_the_transpose() {
        let csr = Csr::from(&sample());
        let y = [1.0, 2.0, -3.0];
        assert_eq!(csr.mul_transposed(&y), csr.transpose().mul(&y));
    }

    #[test]
    fn bad_arrays_are_refused_by_name() {
        assert!(matches!(
            Triplet::new(2, 2, vec![2], vec![0], vec![1.0]),
            Err(MatrixError::Index { axis: "row", index: 2, .. })
        ));
        assert!(matches!(Csr::new(2, 2, vec![0, 2, 1], vec![0], vec![1.0]), Err(MatrixError::Pointers(_))));
        assert!(matches!(Csr::new(2, 2, vec![0, 1], vec![0], vec![1.0]), Err(MatrixError::Length { .. })));
        assert!(matches!(Csc::new(2, 2, vec![0, 1, 1], vec![5], vec![1.0]), Err(MatrixError::Index { .. })));
    }
}
