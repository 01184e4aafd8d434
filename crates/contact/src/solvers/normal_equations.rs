//! The small least squares of Anderson's acceleration.

/// Solves `(A + damping mean(diag A) I) x = b` on the leading m rows, x in the place of b; whether all pivots were positive
/// and x is finite. A is eliminated in.
pub(super) fn solve_damped<const N: usize>(a: &mut [[f64; N]], b: &mut [f64; N], m: usize, damping: f64) -> bool {
    let mean = (0..m).map(|i| a[i][i]).sum::<f64>() / m.max(1) as f64;
    (0..m).for_each(|i| a[i][i] += damping * mean);
    for k in 0..m {
        if a[k][k] <= 0.0 || a[k][k].is_nan() {
            return false;
        }
        for i in k + 1..m {
            let factor = a[i][k] / a[k][k];
            (k..m).for_each(|j| a[i][j] -= factor * a[k][j]);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..m).rev() {
        let known: f64 = (k + 1..m).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    b[..m].iter().all(|x| x.is_finite())
}
