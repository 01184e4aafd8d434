//! Comparison of floating-point numbers by their bits: a NaN equals itself, zero differs from minus zero.

/// Whether two arrays hold the same bits.
pub(crate) fn same(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.to_bits() == y.to_bits())
}

/// Whether two optional arrays are both absent or hold the same bits.
pub(crate) fn same_option(a: Option<&[f64]>, b: Option<&[f64]>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        _ => false,
    }
}
