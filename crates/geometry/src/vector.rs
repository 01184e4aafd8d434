//! Arithmetic of points and directions in two and three dimensions.

/// $a + b$.
#[inline(always)]
pub fn add<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| a[i] + b[i])
}

/// $a - b$.
#[inline(always)]
pub fn sub<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| a[i] - b[i])
}

/// $s a$.
#[inline(always)]
pub fn scale<const N: usize>(s: f64, a: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| s * a[i])
}

/// $a + s b$.
#[inline(always)]
pub fn add_scaled<const N: usize>(a: &[f64; N], s: f64, b: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| a[i] + s * b[i])
}

/// $-a$.
#[inline(always)]
pub fn neg<const N: usize>(a: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| -a[i])
}

/// $(a + b) / 2$.
#[inline(always)]
pub fn middle<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| 0.5 * (a[i] + b[i]))
}

/// $a + t (b - a)$.
#[inline(always)]
pub fn lerp<const N: usize>(a: &[f64; N], b: &[f64; N], t: f64) -> [f64; N] {
    std::array::from_fn(|i| a[i] + t * (b[i] - a[i]))
}

/// $a \cdot b$.
#[inline(always)]
pub fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let mut s = a[0] * b[0];
    for i in 1..N {
        s += a[i] * b[i];
    }
    s
}

/// $\|a\|^2$.
#[inline(always)]
pub fn norm2<const N: usize>(a: &[f64; N]) -> f64 {
    dot(a, a)
}

/// $\|a\|$.
#[inline(always)]
pub fn norm<const N: usize>(a: &[f64; N]) -> f64 {
    norm2(a).sqrt()
}

/// $a / \|a\|$, or `None` where $a$ has no direction.
#[inline]
pub fn unit<const N: usize>(a: &[f64; N]) -> Option<[f64; N]> {
    let n = norm(a);
    (n > 0.0 && n.is_finite()).then(|| std::array::from_fn(|i| a[i] / n))
}

/// $a \times b$ in space.
#[inline(always)]
pub fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// $a_1 b_2 - a_2 b_1$ in the plane.
#[inline(always)]
pub fn cross2(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// $R a$.
#[inline(always)]
pub fn rotate<const N: usize>(r: &[[f64; N]; N], a: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| dot(&r[i], a))
}

/// $R^\top a$.
#[inline(always)]
pub fn rotate_back<const N: usize>(r: &[[f64; N]; N], a: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|j| {
        let mut s = r[0][j] * a[0];
        for i in 1..N {
            s += r[i][j] * a[i];
        }
        s
    })
}

/// $A B$.
#[inline]
pub fn product<const N: usize>(a: &[[f64; N]; N], b: &[[f64; N]; N]) -> [[f64; N]; N] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..N).map(|k| a[i][k] * b[k][j]).sum()))
}

/// $A^\top B$.
#[inline(always)]
pub fn product_transposed<const N: usize>(a: &[[f64; N]; N], b: &[[f64; N]; N]) -> [[f64; N]; N] {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let mut s = a[0][i] * b[0][j];
            for k in 1..N {
                s += a[k][i] * b[k][j];
            }
            s
        })
    })
}

/// Column $j$ of a matrix: the axis $j$ of a body in the world.
#[inline(always)]
pub fn column<const N: usize>(r: &[[f64; N]; N], j: usize) -> [f64; N] {
    std::array::from_fn(|i| r[i][j])
}
