//! A level while it is set up: all of its matrix, and the way to the next one.

use super::aggregate::{ALONE, aggregate};
use super::galerkin::Prolongation;
use super::level::Level;
use super::mass::{Mass, sum};
use super::small::{Small, inverse, mul_add};
use super::stiffness::Pattern;

/// Power steps for the largest eigenvalue of `D^-1 A`.
const POWER_STEPS: usize = 8;
/// A level that shrinks by less is not worth having.
const SHRINK: f64 = 0.8;

/// A and M by whole rows of blocks.
#[derive(Debug)]
pub(super) struct Assembled<const B: usize> {
    pattern: Pattern,
    a: Vec<Small<B>>,
    m: Mass<B>,
}

impl<const B: usize> Assembled<B> {
    /// The level of the bodies themselves.
    pub fn finest(pattern: Pattern, a: Vec<Small<B>>, mass: Vec<Small<B>>) -> Self {
        Self { pattern, a, m: Mass { diagonal: mass, blocks: Vec::new() } }
    }

    pub fn nodes(&self) -> usize {
        self.pattern.rows()
    }

    /// The level to cycle on, with its way to the next one.
    pub fn settle(self, p: Prolongation<B>, rho: f64) -> Level<B> {
        Level::new(&self.pattern, &self.a, &self.m, p, rho)
    }

    /// The next level, the centres of its nodes and the way to it; `None` when it would hardly be smaller.
    pub fn coarsen(&self, x: &[[f64; 3]], rho: f64) -> Option<(Self, Vec<[f64; 3]>, Prolongation<B>)> {
        let (of, coarse) = aggregate(&self.pattern, &self.a);
        if coarse == 0 || coarse as f64 > SHRINK * self.nodes() as f64 {
            return None;
        }
        let centres = centres(x, &of, coarse);
        let scale = (1.0 / rho) as f32;
        let diagonal = self.pattern.diag.iter().zip(&self.m.diagonal);
        let inverse: Vec<Small<B>> = diagonal.map(|(&k, m)| inverse(&sum(&self.a[k], scale, m))).collect();
        // A alone is smoothed and carried down, so that rho can change later
        let omega = 4.0 / 3.0 / (1.05 * self.largest_eigenvalue(&inverse));
        let p = Prolongation::smoothed(&self.pattern, &self.a, &inverse, omega, (&of, coarse), (x, &centres));
        let pattern = p.coarse_pattern(&self.pattern);
        let a = p.galerkin(&self.pattern, &self.a, &pattern);
        let m = self.m.coarsen(&p, &self.pattern, &pattern);
        Some((Self { pattern, a, m }, centres, p))
    }

    /// The largest eigenvalue of `D^-1 A`, by power iteration from a fixed vector.
    fn largest_eigenvalue(&self, inverse: &[Small<B>]) -> f32 {
        let start = |i: usize| std::array::from_fn(|d| (((i * B + d) as f32) * 0.7).sin());
        let mut x: Vec<[f32; B]> = (0..self.nodes()).map(start).collect();
        let mut next = x.clone();
        let mut lambda = 1.0;
        for _ in 0..POWER_STEPS {
            for (i, next) in next.iter_mut().enumerate() {
                let mut y = [0.0; B];
                for k in self.pattern.row(i) {
                    mul_add(&self.a[k], &x[self.pattern.col[k] as usize], &mut y);
                }
                *next = [0.0; B];
                mul_add(&inverse[i], &y, next);
            }
            let square = |v: &[[f32; B]]| v.iter().flatten().map(|x| f64::from(*x).powi(2)).sum::<f64>();
            let (before, after) = (square(&x).sqrt(), square(&next).sqrt());
            lambda = after / before;
            for (x, y) in x.iter_mut().zip(&next) {
                *x = y.map(|y| y / after as f32);
            }
        }
        if lambda.is_finite() && lambda > 0.0 { lambda as f32 } else { 1.0 }
    }
}

/// The mean position of every aggregate's nodes.
fn centres(x: &[[f64; 3]], of: &[u32], coarse: usize) -> Vec<[f64; 3]> {
    let (mut centres, mut count) = (vec![[0.0; 3]; coarse], vec![0.0; coarse]);
    for (x, &c) in x.iter().zip(of).filter(|(_, c)| **c != ALONE) {
        (0..3).for_each(|i| centres[c as usize][i] += x[i]);
        count[c as usize] += 1.0;
    }
    for (x, n) in centres.iter_mut().zip(&count) {
        x.iter_mut().for_each(|x| *x /= n);
    }
    centres
}
