//! Small dense kernels on vectors `[f64; D]` and row-major blocks `[[f64; D]; D]`.
//!
//! A contact has two, three or five rows, known at compile time: plain arrays unroll to straight-line code.

use std::ops::{Div, Mul, Neg, Sub};

/// A `D x D` block, stored by rows.
pub type Block<const D: usize> = [[f64; D]; D];

/// The scalar product `a . b`.
#[inline(always)]
pub fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    // starting from the first product: adding to zero costs an addition that no compiler may leave out
    let mut s = a[0] * b[0];
    for k in 1..D {
        s += a[k] * b[k];
    }
    s
}

/// The Euclidean norm of any slice, without the guard against overflow that contact data never needs.
#[inline(always)]
pub fn norm(a: &[f64]) -> f64 {
    if let [x] = a { x.abs() } else { norm2(a).sqrt() }
}

/// The square of the Euclidean norm of any slice.
#[inline(always)]
pub fn norm2(a: &[f64]) -> f64 {
    let mut s = 0.0;
    for x in a {
        s += x * x;
    }
    s
}

/// The Euclidean norm over all contacts, summed in contact order so that it has the same bits on every run.
pub fn norm_all<const D: usize>(a: &[[f64; D]]) -> f64 {
    let mut s = 0.0;
    for x in a {
        s += dot(x, x);
    }
    s.sqrt()
}

/// `a + b`.
#[inline(always)]
pub fn add<const D: usize>(a: &[f64; D], b: &[f64; D]) -> [f64; D] {
    std::array::from_fn(|k| a[k] + b[k])
}

/// `a - b`.
#[inline(always)]
pub fn sub<const D: usize>(a: &[f64; D], b: &[f64; D]) -> [f64; D] {
    std::array::from_fn(|k| a[k] - b[k])
}

/// `w x`.
#[inline(always)]
pub fn mul<const D: usize>(w: &Block<D>, x: &[f64; D]) -> [f64; D] {
    std::array::from_fn(|i| dot(&w[i], x))
}

/// `y += w x`, before the sum over columns: `y[i][j] += w[i][j] x[j]`.
///
/// Entry by entry it is straight vector code without a chain of additions; [`row_sums`] ends it.
#[inline(always)]
pub fn mul_add_entries<const D: usize>(w: &Block<D>, x: &[f64; D], y: &mut Block<D>) {
    for i in 0..D {
        for j in 0..D {
            y[i][j] += w[i][j] * x[j];
        }
    }
}

/// The sum of each row.
#[inline(always)]
pub fn row_sums<const D: usize>(y: &Block<D>) -> [f64; D] {
    std::array::from_fn(|i| {
        let mut s = y[i][0];
        for j in 1..D {
            s += y[i][j];
        }
        s
    })
}

/// The zero block.
#[inline(always)]
pub fn zero<const D: usize>() -> Block<D> {
    [[0.0; D]; D]
}

/// The block with this diagonal.
pub fn diagonal<const D: usize>(d: &[f64; D]) -> Block<D> {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { d[i] } else { 0.0 }))
}

/// What elimination needs of a number: f64, or a wider type where digits are short.
pub trait Number:
    Copy + PartialOrd + From<f64> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
}

impl<T> Number for T where
    T: Copy + PartialOrd + From<f64> + Sub<Output = T> + Mul<Output = T> + Div<Output = T> + Neg<Output = T>
{
}

/// Solves `a x = b` by Gaussian elimination with partial pivoting; `None` when a pivot vanishes or is not finite.
#[inline]
pub fn solve<T: Number, const D: usize>(mut a: [[T; D]; D], mut b: [T; D]) -> Option<[T; D]> {
    let zero = T::from(0.0);
    let size = |x: T| if x < zero { -x } else { x };
    // neither infinity nor NaN times zero is zero
    let finite = |x: T| x * zero == zero;
    for k in 0..D {
        let mut p = k;
        for i in k + 1..D {
            if size(a[i][k]) > size(a[p][k]) {
                p = i;
            }
        }
        a.swap(k, p);
        b.swap(k, p);
        let pivot = a[k][k];
        if pivot == zero || !finite(pivot) {
            return None;
        }
        for i in k + 1..D {
            let f = a[i][k] / pivot;
            for j in k + 1..D {
                a[i][j] = a[i][j] - f * a[k][j];
            }
            b[i] = b[i] - f * b[k];
        }
    }
    for k in (0..D).rev() {
        let mut s = b[k];
        for j in k + 1..D {
            s = s - a[k][j] * b[j];
        }
        b[k] = s / a[k][k];
    }
    b.iter().all(|x| finite(*x)).then_some(b)
}

/// `a^-1` by Gaussian elimination with partial pivoting; `None` when a pivot vanishes or is not finite.
#[inline]
pub fn inverse<const D: usize>(a: &Block<D>) -> Option<Block<D>> {
    let mut inverse = zero();
    for j in 0..D {
        let mut e = [0.0; D];
        e[j] = 1.0;
        let x = solve(*a, e)?;
        for i in 0..D {
            inverse[i][j] = x[i];
        }
    }
    Some(inverse)
}

/// Whether the symmetric part of the leading `n x n` part of `a` is positive definite (Cholesky succeeds).
pub fn is_positive_definite<const D: usize>(a: &Block<D>, n: usize) -> bool {
    let mut l = zero::<D>();
    for i in 0..n {
        for j in 0..=i {
            let mut s = 0.5 * (a[i][j] + a[j][i]);
            for k in 0..j {
                s -= l[i][k] * l[j][k];
            }
            if i == j {
                // written so that NaN is refused too
                if !(s > 0.0 && s.is_finite()) {
                    return false;
                }
                l[i][i] = s.sqrt();
            } else {
                l[i][j] = s / l[j][j];
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solve_inverts_a_block_that_needs_pivoting() {
        let a = [[0.0, 2.0, 1.0], [1.0, 1.0, 0.0], [3.0, 0.0, 1.0]];
        let x = [1.0, -2.0, 0.5];
        let b = mul(&a, &x);
        let y = solve(a, b).unwrap();
        assert!(norm(&sub(&x, &y)) < 1e-15);
    }

    #[test]
    fn solve_refuses_a_singular_block() {
        assert!(solve([[1.0, 2.0], [2.0, 4.0]], [1.0, 1.0]).is_none());
        assert!(solve([[f64::NAN, 0.0], [0.0, 1.0]], [1.0, 1.0]).is_none());
    }

    #[test]
    fn positive_definite_looks_at_the_symmetric_part() {
        assert!(is_positive_definite(&[[1.0, 5.0], [-5.0, 1.0]], 2));
        assert!(!is_positive_definite(&[[1.0, 2.0], [2.0, 1.0]], 2));
        assert!(is_positive_definite(&[[1.0, 2.0], [2.0, 1.0]], 1));
        assert!(!is_positive_definite(&[[f64::NAN, 0.0], [0.0, 1.0]], 2));
    }
}
