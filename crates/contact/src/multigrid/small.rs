//! Blocks of one body in single precision, stored by columns: half the bytes, and a product is straight vector code.
//!
//! A cycle is only ever a preconditioner, so that seven digits are more than it needs.

/// A `B x B` block by columns.
pub(crate) type Small<const B: usize> = [[f32; B]; B];

/// The zero block.
pub(crate) const fn zero<const B: usize>() -> Small<B> {
    [[0.0; B]; B]
}

/// `y += a x`.
#[inline(always)]
pub(crate) fn mul_add<const B: usize>(a: &Small<B>, x: &[f32; B], y: &mut [f32; B]) {
    for j in 0..B {
        for i in 0..B {
            y[i] += a[j][i] * x[j];
        }
    }
}

/// `y -= a x`.
#[inline(always)]
pub(crate) fn mul_sub<const B: usize>(a: &Small<B>, x: &[f32; B], y: &mut [f32; B]) {
    for j in 0..B {
        for i in 0..B {
            y[i] -= a[j][i] * x[j];
        }
    }
}

/// `a^T x`.
#[inline(always)]
pub(crate) fn transposed_mul<const B: usize>(a: &Small<B>, x: &[f32; B]) -> [f32; B] {
    std::array::from_fn(|j| {
        let mut s = a[j][0] * x[0];
        for i in 1..B {
            s += a[j][i] * x[i];
        }
        s
    })
}

/// `c += scale a b`.
#[inline(always)]
pub(crate) fn product_add<const B: usize>(scale: f32, a: &Small<B>, b: &Small<B>, c: &mut Small<B>) {
    for j in 0..B {
        for k in 0..B {
            let x = scale * b[j][k];
            for i in 0..B {
                c[j][i] += a[k][i] * x;
            }
        }
    }
}

/// `a^T`.
#[inline(always)]
pub(crate) fn transposed<const B: usize>(a: &Small<B>) -> Small<B> {
    std::array::from_fn(|j| std::array::from_fn(|i| a[i][j]))
}

/// What must be left of a diagonal entry by elimination: below it is rounding.
const PIVOT: f64 = 1e-6;

/// The inverse of a symmetric positive definite block; a pivot that is not positive is taken out of the solve.
#[inline(always)]
pub(crate) fn inverse<const B: usize>(a: &Small<B>) -> Small<B> {
    if is_diagonal(a) {
        let inverse = |x: f32| if x > 0.0 && x.is_finite() { 1.0 / x } else { 0.0 };
        return std::array::from_fn(|j| std::array::from_fn(|i| if i == j { inverse(a[j][j]) } else { 0.0 }));
    }
    // rows of eight are two wide registers each
    const { assert!(B <= 8) };
    let mut m: [[f64; 8]; B] =
        std::array::from_fn(|i| std::array::from_fn(|j| if j < B { f64::from(a[j][i]) } else { 0.0 }));
    // Gauss-Jordan in place, row by row
    for k in 0..B {
        let pivot = m[k][k];
        if !(pivot > PIVOT * f64::from(a[k][k]) && pivot.is_finite()) {
            for i in 0..B {
                m[i][k] = 0.0;
                m[k][i] = 0.0;
            }
            continue;
        }
        let part = 1.0 / pivot;
        m[k][k] = 1.0;
        m[k].iter_mut().for_each(|x| *x *= part);
        let row = m[k];
        for i in 0..B {
            if i != k {
                let f = std::mem::replace(&mut m[i][k], 0.0);
                (0..8).for_each(|j| m[i][j] -= f * row[j]);
            }
        }
    }
    std::array::from_fn(|j| std::array::from_fn(|i| m[i][j] as f32))
}

/// Whether there is nothing but the diagonal.
#[inline(always)]
pub(crate) fn is_diagonal<const B: usize>(a: &Small<B>) -> bool {
    (0..B).all(|j| (0..B).all(|i| i == j || a[j][i] == 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_transposes_and_inverses() {
        let a: Small<3> = [[4.0, 1.0, 0.5], [1.0, 3.0, -0.25], [0.5, -0.25, 2.0]];
        let mut c = zero();
        product_add(1.0, &a, &inverse(&a), &mut c);
        for j in 0..3 {
            for i in 0..3 {
                assert!((c[j][i] - f32::from(u8::from(i == j))).abs() < 1e-6);
            }
        }
        let (b, x): (Small<3>, _) = ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], [1.0, -1.0, 2.0]);
        let mut y = [0.0; 3];
        mul_add(&transposed(&b), &x, &mut y);
        assert_eq!(y, transposed_mul(&b, &x));
        mul_sub(&transposed(&b), &x, &mut y);
        assert_eq!(y, [0.0; 3]);
    }

    #[test]
    fn a_direction_without_stiffness_is_left_alone() {
        assert_eq!(inverse(&[[2.0, 0.0], [0.0, 0.0]]), [[0.5, 0.0], [0.0, 0.0]]);
        assert_eq!(inverse(&[[2.0, 2.0], [2.0, 2.0]]), [[0.5, 0.0], [0.0, 0.0]]);
        // in any unit
        assert_eq!(inverse(&[[2.0, 0.0, 0.0], [0.0, 2e-9, 1e-9], [0.0, 1e-9, 2e-9]])[1][2], -1.0 / 3e-9);
    }
}
