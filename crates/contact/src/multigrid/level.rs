//! One level: its matrix, its smoother, and the way down and up.

use super::aggregate::{ALONE, aggregate};
use super::galerkin::Prolongation;
use super::small::{Small, inverse, mul_add, mul_sub, transposed_mul, zero};
use super::stiffness::Pattern;
use faer::linalg::solvers::Solve;

/// Power steps for the largest eigenvalue of `D^-1 A`.
const POWER_STEPS: usize = 8;
/// A level that shrinks by less is not worth having.
const SHRINK: f64 = 0.8;

/// `A + M / rho` by blocks.
#[derive(Debug, Clone)]
pub(super) struct Level<const B: usize> {
    pattern: Pattern,
    /// A; with M where the two are not kept apart.
    a: Vec<Small<B>>,
    m: Mass<B>,
    /// `A + M / rho` on coarse levels; empty on the finest, whose off-diagonal blocks are those of A.
    k: Vec<Small<B>>,
    /// The inverses of the diagonal blocks of `A + M / rho`.
    inverse: Vec<Small<B>>,
    /// `1 / rho`.
    scale: f32,
    p: Prolongation<B>,
    /// Right-hand side.
    pub b: Vec<[f32; B]>,
    /// Solution.
    pub x: Vec<[f32; B]>,
}

/// M of a level.
#[derive(Debug, Clone)]
enum Mass<const B: usize> {
    Diagonal(Vec<Small<B>>),
    Blocks(Vec<Small<B>>),
}

/// The inverse of the last level, dense by rows; empty when that is too large.
#[derive(Debug, Clone, Default)]
pub(super) struct Coarsest {
    inverse: Vec<f32>,
}

/// `a + scale m`.
fn sum<const B: usize>(a: &Small<B>, scale: f32, m: &Small<B>) -> Small<B> {
    std::array::from_fn(|j| std::array::from_fn(|i| a[j][i] + scale * m[j][i]))
}

impl<const B: usize> Level<B> {
    fn new(pattern: Pattern, a: Vec<Small<B>>, m: Mass<B>) -> Self {
        let n = pattern.rows();
        let (b, x) = (vec![[0.0; B]; n], vec![[0.0; B]; n]);
        Self { pattern, a, m, k: Vec::new(), inverse: vec![zero(); n], scale: 1.0, p: Prolongation::default(), b, x }
    }

    /// The level of the bodies themselves.
    pub fn finest(pattern: Pattern, a: Vec<Small<B>>, mass: Vec<Small<B>>) -> Self {
        Self::new(pattern, a, Mass::Diagonal(mass))
    }

    pub fn nodes(&self) -> usize {
        self.pattern.rows()
    }

    /// Makes the matrix that of a new rho.
    pub fn set_rho(&mut self, rho: f64) {
        self.scale = (1.0 / rho) as f32;
        let scale = self.scale;
        match &self.m {
            Mass::Diagonal(m) => {
                for ((inv, m), &k) in self.inverse.iter_mut().zip(m).zip(&self.pattern.diag) {
                    *inv = inverse(&sum(&self.a[k], scale, m));
                }
            }
            Mass::Blocks(m) => {
                self.k.clear();
                self.k.extend(self.a.iter().zip(m).map(|(a, m)| sum(a, scale, m)));
                for (inv, &k) in self.inverse.iter_mut().zip(&self.pattern.diag) {
                    *inv = inverse(&self.k[k]);
                }
            }
        }
    }

    /// The matrix off its diagonal.
    #[inline(always)]
    fn off_diagonal(&self) -> &[Small<B>] {
        if self.k.is_empty() { &self.a } else { &self.k }
    }

    /// The diagonal block of `A + M / rho`.
    fn diagonal(&self, i: usize) -> Small<B> {
        let k = self.pattern.diag[i];
        match &self.m {
            Mass::Diagonal(m) => sum(&self.a[k], self.scale, &m[i]),
            Mass::Blocks(_) => self.k[k],
        }
    }

    /// The next level and the centres of its nodes; `None` when it would hardly be smaller.
    pub fn coarsen(&mut self, x: &[[f64; 3]]) -> Option<(Self, Vec<[f64; 3]>)> {
        let (of, coarse) = aggregate(&self.pattern, self.off_diagonal());
        if coarse == 0 || coarse as f64 > SHRINK * self.nodes() as f64 {
            return None;
        }
        let (mut centres, mut count) = (vec![[0.0; 3]; coarse], vec![0.0; coarse]);
        for (x, &c) in x.iter().zip(&of).filter(|(_, c)| **c != ALONE) {
            (0..3).for_each(|i| centres[c as usize][i] += x[i]);
            count[c as usize] += 1.0;
        }
        for (x, n) in centres.iter_mut().zip(&count) {
            x.iter_mut().for_each(|x| *x /= n);
        }
        // A alone is smoothed and carried down, so that rho can change later
        let omega = 4.0 / 3.0 / (1.05 * self.largest_eigenvalue());
        let at = (x, &centres[..]);
        self.p = Prolongation::smoothed(&self.pattern, &self.a, &self.inverse, omega, (&of, coarse), at);
        let pattern = self.p.coarse_pattern(&self.pattern);
        let a = self.p.galerkin(&self.pattern, &self.a, &pattern);
        let m = match &self.m {
            Mass::Diagonal(m) => self.p.galerkin_diagonal(m, &pattern),
            Mass::Blocks(m) => self.p.galerkin(&self.pattern, m, &pattern),
        };
        Some((Self::new(pattern, a, Mass::Blocks(m)), centres))
    }

    /// The largest eigenvalue of `D^-1 A`, by power iteration from a fixed vector.
    fn largest_eigenvalue(&mut self) -> f32 {
        let n = self.nodes();
        for (i, x) in self.x.iter_mut().enumerate() {
            *x = std::array::from_fn(|d| (((i * B + d) as f32) * 0.7).sin());
        }
        let mut lambda = 1.0;
        for _ in 0..POWER_STEPS {
            for i in 0..n {
                let mut y = [0.0; B];
                for k in self.pattern.row(i) {
                    mul_add(&self.a[k], &self.x[self.pattern.col[k] as usize], &mut y);
                }
                self.b[i] = [0.0; B];
                mul_add(&self.inverse[i], &y, &mut self.b[i]);
            }
            let square = |v: &[[f32; B]]| v.iter().flatten().map(|x| f64::from(*x).powi(2)).sum::<f64>();
            let (before, after) = (square(&self.x).sqrt(), square(&self.b).sqrt());
            lambda = after / before;
            for (x, b) in self.x.iter_mut().zip(&self.b) {
                *x = b.map(|b| b / after as f32);
            }
        }
        if lambda.is_finite() && lambda > 0.0 { lambda as f32 } else { 1.0 }
    }

    /// A forward sweep from zero; what it leaves, `-U x`, goes to the right-hand side of the next level.
    pub fn descend(&mut self, below: &mut [[f32; B]]) {
        self.forward();
        below.fill([0.0; B]);
        let a = self.off_diagonal();
        for i in 0..self.nodes() {
            let span = self.p.ptr[i]..self.p.ptr[i + 1];
            if span.is_empty() {
                continue;
            }
            let mut left = [0.0; B];
            for k in self.pattern.diag[i] + 1..self.pattern.ptr[i + 1] {
                mul_sub(&a[k], &self.x[self.pattern.col[k] as usize], &mut left);
            }
            for (c, p) in self.p.row(i) {
                let part = transposed_mul(p, &left);
                (0..B).for_each(|d| below[c][d] += part[d]);
            }
        }
    }

    fn forward(&mut self) {
        for i in 0..self.nodes() {
            let mut left = self.b[i];
            let a = self.off_diagonal();
            for k in self.pattern.ptr[i]..self.pattern.diag[i] {
                mul_sub(&a[k], &self.x[self.pattern.col[k] as usize], &mut left);
            }
            self.x[i] = [0.0; B];
            mul_add(&self.inverse[i], &left, &mut self.x[i]);
        }
    }

    /// Adds the correction from below and sweeps backwards.
    pub fn ascend(&mut self, below: &[[f32; B]]) {
        for i in 0..self.nodes() {
            let mut x = self.x[i];
            for (c, p) in self.p.row(i) {
                mul_add(p, &below[c], &mut x);
            }
            self.x[i] = x;
        }
        self.backward();
    }

    fn backward(&mut self) {
        for i in (0..self.nodes()).rev() {
            let mut left = self.b[i];
            let a = self.off_diagonal();
            for span in [self.pattern.ptr[i]..self.pattern.diag[i], self.pattern.diag[i] + 1..self.pattern.ptr[i + 1]] {
                for k in span {
                    mul_sub(&a[k], &self.x[self.pattern.col[k] as usize], &mut left);
                }
            }
            self.x[i] = [0.0; B];
            mul_add(&self.inverse[i], &left, &mut self.x[i]);
        }
    }

    /// The inverse of this level's matrix, if it has at most `nodes` nodes and is positive definite.
    pub fn factor(&self, nodes: usize) -> Coarsest {
        let n = B * self.nodes();
        if self.nodes() > nodes || n == 0 {
            return Coarsest::default();
        }
        let a = self.off_diagonal();
        let mut dense = faer::Mat::<f64>::zeros(n, n);
        for i in 0..self.nodes() {
            for k in self.pattern.row(i) {
                let j = self.pattern.col[k] as usize;
                let block = if i == j { self.diagonal(i) } else { a[k] };
                for c in 0..B {
                    for r in 0..B {
                        dense[(i * B + r, j * B + c)] = f64::from(block[c][r]);
                    }
                }
            }
        }
        // rounding in single precision must not make it indefinite
        let largest = (0..n).fold(0.0, |m: f64, i| m.max(dense[(i, i)]));
        (0..n).for_each(|i| dense[(i, i)] += 1e-6 * largest * f64::EPSILON.sqrt());
        let Ok(factor) = dense.llt(faer::Side::Lower) else { return Coarsest::default() };
        let inverse = factor.solve(faer::Mat::<f64>::identity(n, n));
        let inverse: Vec<f32> = (0..n * n).map(|k| inverse[(k / n, k % n)] as f32).collect();
        if inverse.iter().all(|x| x.is_finite()) { Coarsest { inverse } } else { Coarsest::default() }
    }

    /// Solves the coarsest level, or smooths it where it was not factored.
    pub fn solve(&mut self, coarsest: &mut Coarsest) {
        if coarsest.inverse.is_empty() {
            self.forward();
            self.backward();
            return;
        }
        let b = self.b.as_flattened();
        for (x, row) in self.x.as_flattened_mut().iter_mut().zip(coarsest.inverse.chunks_exact(b.len())) {
            // eight sums side by side
            let mut sums = [0.0f32; 8];
            for (r, b) in row.chunks(8).zip(b.chunks(8)) {
                for ((s, r), b) in sums.iter_mut().zip(r).zip(b) {
                    *s += r * b;
                }
            }
            *x = sums.iter().sum();
        }
    }
}
