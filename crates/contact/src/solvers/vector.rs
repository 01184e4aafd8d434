//! Operations on all contacts at once, summed in contact order so that they have the same bits on every run.

use crate::block::{dot, sub};
use crate::cone::Cone;
use crate::generate::Random;
use crate::operator::Delassus;

/// The scalar product over all contacts.
pub(crate) fn dot_all<const D: usize>(a: &[[f64; D]], b: &[[f64; D]]) -> f64 {
    a.iter().zip(b).map(|(a, b)| dot(a, b)).sum()
}

/// Sums that are added up side by side: the processor need not wait for one addition to begin the next.
const LANES: usize = 8;

/// The scalar product of two long vectors, in sums of every eighth product.
#[inline(always)]
pub(crate) fn dot_lanes(a: &[f64], b: &[f64]) -> f64 {
    sum_lanes(
        a,
        b,
        #[inline(always)]
        |a, b| a * b,
    )
}

/// `|a - b|` of two long vectors.
pub(crate) fn distance_lanes(a: &[f64], b: &[f64]) -> f64 {
    sum_lanes(
        a,
        b,
        #[inline(always)]
        |a, b| (a - b) * (a - b),
    )
    .sqrt()
}

/// `sum_i term(a_i, b_i)`. The lanes are added up one after the other at the end: pairs of them would lead the compiler to
/// work on pairs throughout.
#[inline(always)]
fn sum_lanes(a: &[f64], b: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    let ((lanes_a, rest_a), (lanes_b, rest_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [0.0; LANES];
    for (a, b) in lanes_a.iter().zip(lanes_b) {
        for k in 0..LANES {
            sums[k] += term(a[k], b[k]);
        }
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(a, b)| term(*a, *b)).sum();
    sums.iter().fold(rest, |sum, lane| sum + lane)
}

/// Columns one after another, in memory that grows and stays.
#[derive(Debug, Clone, Default)]
pub(crate) struct Columns {
    length: usize,
    entries: Vec<f64>,
}

impl Columns {
    /// Makes room for `columns` of this length; what is in them is left as it is.
    pub fn begin(&mut self, columns: usize, length: usize) {
        self.length = length;
        self.entries.resize(self.entries.len().max(columns * length), 0.0);
    }

    #[inline(always)]
    pub fn get(&self, k: usize) -> &[f64] {
        &self.entries[k * self.length..][..self.length]
    }

    #[inline(always)]
    pub fn get_mut(&mut self, k: usize) -> &mut [f64] {
        &mut self.entries[k * self.length..][..self.length]
    }

    /// Two different columns, the first to be written to.
    #[inline(always)]
    pub fn pair_mut(&mut self, k: usize, other: usize) -> (&mut [f64], &[f64]) {
        let length = self.length;
        let (low, high) = self.entries.split_at_mut(k.max(other) * length);
        let (low, high) = (&mut low[k.min(other) * length..][..length], &mut high[..length]);
        if k < other { (low, high) } else { (high, low) }
    }
}

/// `|a - b|` over all contacts.
pub(crate) fn distance<const D: usize>(a: &[[f64; D]], b: &[[f64; D]]) -> f64 {
    let square = |(a, b): (&[f64; D], &[f64; D])| (0..D).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>();
    a.iter().zip(b).map(square).sum::<f64>().sqrt()
}

/// `(a - b) . (c - d)` over all contacts, without the cancellation of multiplying out.
pub(crate) fn dot_moves<const D: usize>([a, b]: [&[[f64; D]]; 2], [c, d]: [&[[f64; D]]; 2]) -> f64 {
    (0..a.len()).map(|k| dot(&sub(&a[k], &b[k]), &sub(&c[k], &d[k]))).sum()
}

/// `out = u + g(u)`, the map of the variational inequality [D, eq. 10].
pub(crate) fn modified<const D: usize>(cones: &[Cone], u: &[[f64; D]], out: &mut [[f64; D]]) {
    for ((cone, u), out) in cones.iter().zip(u).zip(out) {
        *out = *u;
        out[0] += cone.shift(u);
    }
}

/// `out = P_K(r - rho f)`.
pub(crate) fn project_step<const D: usize>(
    cones: &[Cone],
    r: &[[f64; D]],
    rho: f64,
    f: &[[f64; D]],
    out: &mut [[f64; D]],
) {
    for (((cone, r), f), out) in cones.iter().zip(r).zip(f).zip(out) {
        *out = cone.project(&std::array::from_fn(|k| r[k] - rho * f[k]));
    }
}

/// Products spent on an estimate of the largest eigenvalue.
const POWER_STEPS: usize = 20;

/// The largest eigenvalue of W from below, by power iteration from a fixed random vector; 1 when W is zero.
///
/// `v` is the operator's state, `a` and `b` are scratch.
pub(crate) fn largest_eigenvalue<const D: usize, W: Delassus<D> + ?Sized>(
    w: &W,
    v: &mut [f64],
    a: &mut [[f64; D]],
    b: &mut [[f64; D]],
) -> f64 {
    let mut random = Random::new(1);
    a.as_flattened_mut().iter_mut().for_each(|x| *x = random.between(-1.0, 1.0));
    let mut lambda = 0.0;
    for _ in 0..POWER_STEPS {
        let length = dot_all(a, a).sqrt();
        a.as_flattened_mut().iter_mut().for_each(|x| *x /= length);
        w.apply(a, b, v);
        lambda = dot_all(b, b).sqrt();
        a.copy_from_slice(b);
    }
    if lambda > 0.0 && lambda.is_finite() { lambda } else { 1.0 }
}
