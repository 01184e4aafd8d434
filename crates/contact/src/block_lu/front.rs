//! The dense part: eliminating the first columns of one front.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, Par};

/// Columns eliminated between two updates of what remains.
const PANEL: usize = 32;
/// From this many multiplications on, an update goes to the blocked product.
const LARGE: usize = 60_000;

/// Eliminates the first `p` columns of the `m x m` front `a`, stored by columns: `P A = L U` there, L with unit diagonal,
/// and the Schur complement in the rest. Rows are exchanged among the first p only; `swaps` tells which.
///
/// False when a pivot vanishes or is not finite.
#[inline(always)]
pub(super) fn eliminate(a: &mut [f64], m: usize, p: usize, swaps: &mut [u32]) -> bool {
    for start in (0..p).step_by(PANEL) {
        let end = (start + PANEL).min(p);
        for k in start..end {
            if !pivot(a, m, p, k, &mut swaps[k]) {
                return false;
            }
            let (left, right) = a.split_at_mut((k + 1) * m);
            let below = &left[k * m + k + 1..];
            for column in right[..(end - k - 1) * m].chunks_exact_mut(m) {
                let u = column[k];
                subtract(&mut column[k + 1..], u, below);
            }
        }
        finish_panel(a, m, start, end);
    }
    true
}

/// Brings the largest entry of column k among the first p rows to the diagonal and divides by it below.
#[inline(always)]
fn pivot(a: &mut [f64], m: usize, p: usize, k: usize, swap: &mut u32) -> bool {
    let column = &a[k * m..(k + 1) * m];
    let (mut at, mut largest) = (k, column[k].abs());
    for (i, x) in column.iter().enumerate().take(p).skip(k + 1) {
        if x.abs() > largest {
            (at, largest) = (i, x.abs());
        }
    }
    if !(largest > 0.0 && largest.is_finite()) {
        return false;
    }
    *swap = at as u32;
    if at != k {
        a.chunks_exact_mut(m).for_each(|column| column.swap(k, at));
    }
    let inverse = 1.0 / a[k * m + k];
    a[k * m + k + 1..(k + 1) * m].iter_mut().for_each(|x| *x *= inverse);
    true
}

/// The rows of U of this panel, and the update of all later columns.
#[inline(always)]
fn finish_panel(a: &mut [f64], m: usize, start: usize, end: usize) {
    let (left, right) = a.split_at_mut(end * m);
    for column in right.chunks_exact_mut(m) {
        for k in start..end {
            let u = column[k];
            subtract(&mut column[k + 1..end], u, &left[k * m + k + 1..k * m + end]);
        }
    }
    let rest = m - end;
    if rest * rest * (end - start) >= LARGE {
        let whole = MatMut::from_column_major_slice_mut(a, m, m);
        let corner = whole.submatrix_mut(start, start, m - start, m - start);
        let (_, u, l, schur) = corner.split_at_mut(end - start, end - start);
        matmul(schur, Accum::Add, l.as_ref(), u.as_ref(), -1.0, Par::Seq);
        return;
    }
    for column in right.chunks_exact_mut(m) {
        let (head, tail) = column.split_at_mut(end);
        let mut k = start;
        while k + 4 <= end {
            let l: [&[f64]; 4] = std::array::from_fn(|i| &left[(k + i) * m + end..(k + i + 1) * m]);
            let u: [f64; 4] = std::array::from_fn(|i| head[k + i]);
            subtract_four(tail, &u, &l);
            k += 4;
        }
        for k in k..end {
            subtract(tail, head[k], &left[k * m + end..(k + 1) * m]);
        }
    }
}

/// `y -= a x`.
#[inline(always)]
pub(super) fn subtract(y: &mut [f64], a: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= a * x;
    }
}

/// `y -= sum_k a_k x_k`.
#[inline(always)]
fn subtract_four(y: &mut [f64], a: &[f64; 4], x: &[&[f64]; 4]) {
    let n = y.len();
    let x: [&[f64]; 4] = x.map(|x| &x[..n]);
    for i in 0..n {
        y[i] -= (a[0] * x[0][i] + a[1] * x[1][i]) + (a[2] * x[2][i] + a[3] * x[3][i]);
    }
}
