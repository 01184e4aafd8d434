//! Conjugate gradients and gradient projection in turn.

use super::projected_gradient::{arc_step, falls_for_ever};
use super::{BoxQp, Halt, QpOptions, QpSolution, QpStatus, dot, norm};

/// Conjugate gradients minimise on a face; a gradient projection leads to a smaller face where they run into a bound, and a
/// step along the gradient to a larger one where bounds hold back more than the face has left to give.
///
/// The three steps of every iteration: with phi the gradient on the free unknowns, its part that the bounds let through
/// phi', and beta the gradient that a bound ought to let go, an iterate with $\|\beta\|^2 \le \varphi' \cdot \varphi$ is worth
/// another step on its face. Converges at a rate that depends on the conditioning of A alone, and ends after finitely many
/// steps (up to rounding) where A is positive definite, degenerate bounds or not.
///
/// # Reference
/// Dostál & Schöberl 2005, "Minimizing quadratic functions subject to bound constraints with the rate of convergence and
/// finite termination", algorithm MPRGP; the idea: Moré & Toraldo 1991.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ProjectedCg {
    options: QpOptions,
}

/// Products spent on an estimate of the largest eigenvalue.
const POWER_STEPS: usize = 20;
/// The step of the projections over the inverse of that estimate; below 2.
const STEP: f64 = 1.8;

impl ProjectedCg {
    /// A solver with these options.
    pub fn new(options: QpOptions) -> Self {
        Self { options }
    }

    /// Steps from zero, or the point between the bounds that is nearest to it.
    pub fn solve(&self, qp: &BoxQp) -> QpSolution {
        self.solve_until(qp, &mut |_| false)
    }

    /// The same, asking after every iteration whether to stop. What comes back is the best iterate.
    pub fn solve_until(&self, qp: &BoxQp, halt: &mut Halt<'_>) -> QpSolution {
        let mut walk = Walk::new(qp);
        let (mut best, mut best_error) = (walk.x.clone(), f64::INFINITY);
        let mut steps = 0;
        let status = loop {
            let error = qp.error(&walk.x, &walk.g);
            if error <= self.options.tolerance {
                // the gradient is carried along: what counts is a fresh one
                walk.restart();
                if qp.certify(&walk.x).holds(self.options.tolerance) {
                    return qp.solution(walk.x, QpStatus::Solved, steps);
                }
            }
            if error < best_error {
                best_error = error;
                best.copy_from_slice(&walk.x);
            }
            if steps >= self.options.max_iterations {
                break QpStatus::IterationLimit;
            }
            if steps > 0 && halt(steps) {
                break QpStatus::Interrupted;
            }
            if let Some(end) = walk.step() {
                break end;
            }
            steps += 1;
        };
        qp.solution(best, status, steps)
    }
}

/// An iterate with its gradient and the direction of the conjugate gradients.
struct Walk<'a> {
    qp: &'a BoxQp,
    x: Vec<f64>,
    g: Vec<f64>,
    p: Vec<f64>,
    /// The step of the projections.
    alpha: f64,
    /// Whether the gradient was computed from x, and not carried along.
    fresh: bool,
}

impl<'a> Walk<'a> {
    fn new(qp: &'a BoxQp) -> Self {
        let x = qp.start();
        let mut walk = Self { qp, x, g: Vec::new(), p: Vec::new(), alpha: STEP / largest_eigenvalue(qp), fresh: true };
        walk.restart();
        walk
    }

    /// A fresh gradient, and conjugate gradients from it.
    fn restart(&mut self) {
        self.g = self.qp.gradient(&self.x);
        self.p = self.free();
        self.fresh = true;
    }

    fn at_low(&self, i: usize) -> bool {
        self.x[i] <= self.qp.lo[i]
    }

    fn at_high(&self, i: usize) -> bool {
        self.x[i] >= self.qp.hi[i]
    }

    /// phi: the gradient on the unknowns that no bound holds.
    fn free(&self) -> Vec<f64> {
        (0..self.x.len()).map(|i| if self.at_low(i) || self.at_high(i) { 0.0 } else { self.g[i] }).collect()
    }

    /// beta: the gradient that bounds ought to let go.
    fn chopped(&self) -> Vec<f64> {
        let part = |i: usize| match (self.at_low(i), self.at_high(i)) {
            (true, false) => self.g[i].min(0.0),
            (false, true) => self.g[i].max(0.0),
            _ => 0.0,
        };
        (0..self.x.len()).map(part).collect()
    }

    /// `phi' . phi`: what a projected step of the gradient on the face promises.
    fn promised(&self, phi: &[f64]) -> f64 {
        let kept = |i: usize| {
            let to = (self.x[i] - self.alpha * phi[i]).clamp(self.qp.lo[i], self.qp.hi[i]);
            (self.x[i] - to) / self.alpha
        };
        (0..phi.len()).map(|i| kept(i) * phi[i]).sum()
    }

    /// One iteration; says how the solve ends when it cannot go on.
    fn step(&mut self) -> Option<QpStatus> {
        let (phi, beta) = (self.free(), self.chopped());
        let p: Vec<f64> = phi.iter().zip(&beta).map(|(a, b)| -(a + b)).collect();
        if falls_for_ever(self.qp, &p) {
            return Some(QpStatus::Unbounded);
        }
        let proportional = dot(&beta, &beta) <= self.promised(&phi);
        let d = if proportional { self.p.clone() } else { beta };
        let before = self.x.clone();
        let down = dot(&self.g, &d);
        let ad = self.qp.a.mul(&d);
        let curvature = dot(&d, &ad);
        let flat = curvature <= 1e-14 * self.qp.scale * dot(&d, &d);
        let (wanted, room) = (if flat { f64::INFINITY } else { down / curvature }, self.room(&d));
        if flat && room == f64::INFINITY && down > 0.0 {
            return Some(QpStatus::Unbounded);
        }
        let t = wanted.min(room);
        if down > 0.0 && t.is_finite() {
            self.advance(t, &d, &ad);
        }
        match (proportional, wanted <= room) {
            (true, true) => self.conjugate(&ad, curvature),
            (true, false) => self.expand(),
            (false, _) => self.p = self.free(),
        }
        if self.x != before {
            return None;
        }
        // nothing moved: once more from a fresh gradient, then no more
        let stuck = self.fresh;
        self.restart();
        stuck.then_some(QpStatus::Stalled)
    }

    /// How far `x - t d` stays between the bounds.
    fn room(&self, d: &[f64]) -> f64 {
        let bound = |i: usize| if d[i] > 0.0 { self.qp.lo[i] } else { self.qp.hi[i] };
        let of = |i: usize| if d[i] == 0.0 { f64::INFINITY } else { (self.x[i] - bound(i)) / d[i] };
        (0..d.len()).map(of).fold(f64::INFINITY, f64::min)
    }

    /// `x <- x - t d`, with its gradient.
    fn advance(&mut self, t: f64, d: &[f64], ad: &[f64]) {
        for i in 0..d.len() {
            // exactly onto the bound that stopped it
            self.x[i] = (self.x[i] - t * d[i]).clamp(self.qp.lo[i], self.qp.hi[i]);
            self.g[i] -= t * ad[i];
        }
        self.fresh = false;
    }

    /// The next direction, conjugate to the last one.
    fn conjugate(&mut self, ap: &[f64], curvature: f64) {
        let phi = self.free();
        let gamma = dot(&phi, ap) / curvature;
        self.p.iter_mut().zip(phi).for_each(|(p, phi)| *p = phi - gamma * *p);
    }

    /// A gradient projection on the face, onto more bounds.
    fn expand(&mut self) {
        self.g = self.qp.gradient(&self.x);
        if let Some(y) = arc_step(self.qp, &self.x, &self.free(), self.alpha) {
            self.x = y;
        }
        self.restart();
    }
}

/// The largest eigenvalue of A from below; the largest entry where that says nothing.
fn largest_eigenvalue(qp: &BoxQp) -> f64 {
    // no symmetry of A makes this start orthogonal to its first eigenvector
    let mut v: Vec<f64> = (0..qp.size()).map(|i| 1.0 + 0.5 * (1.7 * i as f64).sin()).collect();
    let mut lambda = 0.0;
    for _ in 0..POWER_STEPS {
        let length = norm(&v);
        v.iter_mut().for_each(|x| *x /= length);
        v = qp.a.mul(&v);
        lambda = norm(&v);
    }
    if lambda > 0.0 && lambda.is_finite() { lambda } else { qp.scale }
}
