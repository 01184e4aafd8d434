//! One level: its smoother, and the way down and up.
//!
//! The matrix is symmetric and only its lower triangle is kept: a sweep takes row i of L to gather what its neighbours
//! do to node i, solves for the node, and takes the same row, still at hand, to scatter what the node does to them.

use super::galerkin::Prolongation;
use super::mass::{Mass, sum};
use super::small::{Small, inverse, mul_add, mul_sub, transposed_mul, zero};
use super::stiffness::Pattern;

/// `K = A + M / rho` as `L + D + L^T`.
#[derive(Debug, Clone)]
pub(super) struct Level<const B: usize> {
    /// Where the rows of L begin, and their columns.
    ptr: Vec<usize>,
    col: Vec<u32>,
    /// L of K.
    lower: Vec<Small<B>>,
    /// L of A and of M, where both are needed for another rho; empty on the finest level, whose M is diagonal.
    parts: Vec<[Small<B>; 2]>,
    /// D of A and of M.
    diagonal: Vec<[Small<B>; 2]>,
    /// The inverses of D of K.
    inverse: Vec<Small<B>>,
    /// `1 / rho`.
    scale: f32,
    p: Prolongation<B>,
    /// Right-hand side.
    pub b: Vec<[f32; B]>,
    /// Solution.
    pub x: Vec<[f32; B]>,
    /// `-L^T x` of the nodes passed.
    scattered: Vec<[f32; B]>,
}

impl<const B: usize> Level<B> {
    pub fn new(pattern: &Pattern, a: &[Small<B>], m: &Mass<B>, p: Prolongation<B>, rho: f64) -> Self {
        let n = pattern.rows();
        let below = || (0..n).flat_map(|i| pattern.ptr[i]..pattern.diag[i]);
        let ends = pattern.diag.iter().zip(&pattern.ptr).scan(0, |end, (d, p)| {
            *end += d - p;
            Some(*end)
        });
        let zeros = || vec![[0.0; B]; n];
        let mut level = Self {
            ptr: std::iter::once(0).chain(ends).collect(),
            col: below().map(|k| pattern.col[k]).collect(),
            lower: below().map(|k| a[k]).collect(),
            parts: if m.blocks.is_empty() { Vec::new() } else { below().map(|k| [a[k], m.blocks[k]]).collect() },
            diagonal: pattern.diag.iter().zip(&m.diagonal).map(|(&k, m)| [a[k], *m]).collect(),
            inverse: vec![zero(); n],
            scale: 1.0,
            p,
            b: zeros(),
            x: zeros(),
            scattered: zeros(),
        };
        level.set_rho(rho);
        level
    }

    pub fn nodes(&self) -> usize {
        self.inverse.len()
    }

    /// Makes the matrix that of a new rho.
    pub fn set_rho(&mut self, rho: f64) {
        let scale = (1.0 / rho) as f32;
        self.scale = scale;
        for (lower, [a, m]) in self.lower.iter_mut().zip(&self.parts) {
            *lower = sum(a, scale, m);
        }
        for (inv, [a, m]) in self.inverse.iter_mut().zip(&self.diagonal) {
            *inv = inverse(&sum(a, scale, m));
        }
    }

    /// Hands out the blocks of L and D with their rows and columns.
    pub fn lower_triangle(&self, mut block: impl FnMut(usize, usize, &Small<B>)) {
        for (i, [a, m]) in self.diagonal.iter().enumerate() {
            block(i, i, &sum(a, self.scale, m));
            for k in self.ptr[i]..self.ptr[i + 1] {
                block(i, self.col[k] as usize, &self.lower[k]);
            }
        }
    }

    /// A forward sweep from zero, which no node sees before it is visited; what it leaves, `-L^T x`, goes to the right-hand side of the next level.
    pub fn descend(&mut self, below: &mut [[f32; B]]) {
        self.forward();
        below.fill([0.0; B]);
        for (i, left) in self.scattered.iter().enumerate() {
            for (c, p) in self.p.row(i) {
                let part = transposed_mul(p, left);
                (0..B).for_each(|d| below[c][d] += part[d]);
            }
        }
    }

    /// Adds the correction from below and sweeps backwards.
    pub fn ascend(&mut self, below: &[[f32; B]]) {
        for (i, x) in self.x.iter_mut().enumerate() {
            for (c, p) in self.p.row(i) {
                mul_add(p, &below[c], x);
            }
        }
        self.backward();
    }

    /// Both sweeps from zero, where there is nothing below.
    pub fn smooth(&mut self) {
        self.forward();
        self.backward();
    }

    fn forward(&mut self) {
        self.scattered.fill([0.0; B]);
        for i in 0..self.nodes() {
            self.visit(i, |row| row);
        }
    }

    fn backward(&mut self) {
        self.scattered.fill([0.0; B]);
        for i in (0..self.nodes()).rev() {
            // memory is read in one direction
            self.visit(i, Iterator::rev);
        }
    }

    /// Solves for node i: the nodes before it act through x, those after it through what they scattered; forwards from
    /// x = 0 those have done nothing yet.
    #[inline(always)]
    fn visit<I: Iterator<Item = usize>>(&mut self, i: usize, way: impl Fn(std::ops::Range<usize>) -> I) {
        let span = self.ptr[i]..self.ptr[i + 1];
        let (col, lower) = (&self.col[span.clone()], &self.lower[span]);
        let mut left = self.b[i];
        for k in way(0..lower.len()) {
            mul_sub(&lower[k], &self.x[col[k] as usize], &mut left);
        }
        let scattered = self.scattered[i];
        (0..B).for_each(|d| left[d] += scattered[d]);
        let mut x = [0.0; B];
        mul_add(&self.inverse[i], &left, &mut x);
        self.x[i] = x;
        for k in way(0..lower.len()) {
            let part = transposed_mul(&lower[k], &x);
            let to = &mut self.scattered[col[k] as usize];
            (0..B).for_each(|d| to[d] -= part[d]);
        }
    }
}
