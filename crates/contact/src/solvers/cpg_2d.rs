//! The projected conjugate gradient for contact in the plane.

use super::course::{Course, Memory, Step};
use super::vector::dot_all;
use super::{Report, Solver, Stop, Unknowns, Watch};
use crate::cone::Cone;
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// The options of [`Cpg2d`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Cpg2dOptions {
    /// Divide each row by its diagonal entry of W; pays with unequal masses.
    pub preconditioned: bool,
    /// Most conjugate gradient steps at one set of friction limits.
    pub max_inner: usize,
    /// They end when the energy still to gain, `-u . w` with w the projected gradient, has come down to this part.
    pub settle: f64,
    /// After conjugate gradients that gained nothing twice as many sweeps go by before the next ones, at most this many.
    pub max_sweeps: usize,
}

impl Default for Cpg2dOptions {
    fn default() -> Self {
        Self { preconditioned: true, max_inner: 20, settle: 1e-2, max_sweeps: 64 }
    }
}

/// Conjugate gradients on the cylinder $r_N \ge 0, |r_T| \le \mu r_N^k$ whose limits are frozen at the last sweep of
/// Gauss-Seidel, then a sweep, and so on.
///
/// With frozen limits the problem is a quadratic program with bounds, on which conjugate gradients descend. The limits
/// follow r_N through an exact sweep, and the certificate after it decides: where it is not lower than before the
/// conjugate gradients, their result is dropped and sweeps go on alone for a while. So it converges where
/// [`super::Nsgs`] does. Without the sweeps, and with limits that move at every step as published, it was found to cycle
/// with friction. Two products with W a step. Iterations are steps and sweeps.
///
/// # Reference
/// Renouf & Alart 2005, "Conjugate gradient type algorithms for frictional multi-contact problems: applications to
/// granular materials", algorithm CPG and its diagonalised form; Renouf, Dubois & Alart 2006 for the preconditioner.
#[derive(Debug, Clone, Default)]
pub struct Cpg2d {
    options: Cpg2dOptions,
    memory: Memory<2>,
    gradient: Conjugate,
    /// The last sweep before the conjugate gradients.
    before: Vec<[f64; 2]>,
}

/// What the next iteration is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Phase {
    /// A sweep, so many with this one until conjugate gradients.
    Sweep(usize),
    /// A conjugate gradient step.
    Gradient,
    /// The sweep that judges them.
    Judging,
}

impl Cpg2d {
    /// A solver with these options.
    pub fn new(options: Cpg2dOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

impl<W: Sweep<2>> Solver<2, W> for Cpg2d {
    fn solve(
        &mut self,
        problem: &LocalProblem<2, W>,
        x: &mut Unknowns<2>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let Self { options, memory, gradient, before } = self;
        gradient.prepare(problem, options.preconditioned);
        let (mut phase, mut pause, mut error_before) = (Phase::Sweep(1), 1, f64::INFINITY);
        Course::begin(problem, stop, memory, x).run(x, watch, |course, x, _| {
            if phase == Phase::Gradient {
                // 3. conjugate gradients at frozen limits, until little is left to gain
                if !gradient.step(course, x, options) {
                    phase = Phase::Judging;
                }
                return Step::TAKEN;
            }
            // 1. a sweep
            let moved = course.sweep(&mut x.r);
            course.velocity(&x.r, &mut x.u);
            let error = course.error_of(&x.r, &x.u);
            let judging = phase == Phase::Judging;
            // 4. the sweep after conjugate gradients says whether they were worth it
            let lower = error < error_before;
            if judging && !lower {
                x.r.copy_from_slice(before);
                course.velocity(&x.r, &mut x.u);
                pause = (2 * pause).min(options.max_sweeps.max(1));
                phase = Phase::Sweep(pause);
                return Step::TAKEN;
            }
            pause = if judging { 1 } else { pause };
            phase = match phase {
                Phase::Sweep(left) if left > 1 => Phase::Sweep(left - 1),
                _ => {
                    // 2. freeze the limits
                    before.clone_from(&x.r);
                    error_before = error;
                    gradient.freeze(&problem.cones, &x.r);
                    Phase::Gradient
                }
            };
            Step::by(moved)
        })
    }
}

/// Conjugate gradients on the cylinder.
#[derive(Debug, Clone, Default)]
struct Conjugate {
    /// The inverse of the preconditioner's diagonal.
    weights: Vec<[f64; 2]>,
    /// Friction limits; infinite for a joint, whose normal part is not bounded either.
    limits: Vec<f64>,
    w: Vec<[f64; 2]>,
    p: Vec<[f64; 2]>,
    wp: Vec<[f64; 2]>,
    next: Vec<[f64; 2]>,
    /// `p . W p` of the last direction; 0 where conjugacy was lost.
    pwp: f64,
    /// What there was to gain at the first step.
    first: f64,
    steps: usize,
}

/// Takes out of p what leads out of the bounds at r at once.
fn to_tangent(limit: f64, r: &[f64; 2], p: &mut [f64; 2]) {
    if limit.is_finite() && r[0] <= 0.0 {
        p[0] = p[0].max(0.0);
    }
    if r[1] >= limit {
        p[1] = p[1].min(0.0);
    }
    if r[1] <= -limit {
        p[1] = p[1].max(0.0);
    }
}

impl Conjugate {
    fn prepare<W: Sweep<2>>(&mut self, problem: &LocalProblem<2, W>, preconditioned: bool) {
        let n = problem.contacts();
        let over = |x: f64| if preconditioned && x > 0.0 { 1.0 / x } else { 1.0 };
        self.weights.clear();
        self.weights.extend((0..n).map(|c| {
            let w = problem.w.diagonal(c);
            [over(w[0][0]), over(w[1][1])]
        }));
        self.limits.resize(n, 0.0);
        for scratch in [&mut self.w, &mut self.p, &mut self.wp, &mut self.next] {
            scratch.resize(n, [0.0; 2]);
        }
    }

    /// Sets the limits to those of r and forgets the last direction.
    fn freeze(&mut self, cones: &[Cone], r: &[[f64; 2]]) {
        for ((limit, cone), r) in self.limits.iter_mut().zip(cones).zip(r) {
            *limit = if matches!(cone, Cone::Bilateral) { f64::INFINITY } else { cone.discs::<2>()[0].limit(r[0]) };
        }
        self.p.fill([0.0; 2]);
        (self.pwp, self.first, self.steps) = (0.0, f64::NAN, 0);
    }

    /// One step; false when it was the last at these limits.
    fn step<W: Sweep<2>>(&mut self, course: &mut Course<'_, 2, W>, x: &mut Unknowns<2>, o: &Cpg2dOptions) -> bool {
        let n = x.r.len();
        // the gradient and the old direction, both held to the bounds that r meets
        for c in 0..n {
            self.w[c] = [0, 1].map(|d| -self.weights[c][d] * x.u[c][d]);
            to_tangent(self.limits[c], &x.r[c], &mut self.w[c]);
            to_tangent(self.limits[c], &x.r[c], &mut self.p[c]);
        }
        let gain = -dot_all(&x.u, &self.w);
        if self.first.is_nan() {
            self.first = gain;
        }
        self.steps += 1;
        // conjugate to the last direction; one that does not lead down is given up for the gradient
        let beta = if self.pwp > 0.0 { -dot_all(&self.w, &self.wp) / self.pwp } else { 0.0 };
        for c in 0..n {
            self.p[c] = [0, 1].map(|d| self.w[c][d] + beta * self.p[c][d]);
        }
        if dot_all(&x.u, &self.p) >= 0.0 {
            self.p.copy_from_slice(&self.w);
        }
        course.product(&self.p, &mut self.wp);
        self.pwp = dot_all(&self.p, &self.wp);
        if !(self.pwp > 0.0 && gain > 0.0) {
            return false;
        }
        let lower = self.search(course, x, -dot_all(&x.u, &self.p) / self.pwp);
        course.velocity(&x.r, &mut x.u);
        lower && gain > o.settle * self.first && self.steps < o.max_inner.max(1)
    }

    /// Moves to `P(r + t p)`, t halved until the energy `1/2 r.W r + q.r` falls; false when it never does.
    fn search<W: Sweep<2>>(&mut self, course: &mut Course<'_, 2, W>, x: &mut Unknowns<2>, mut t: f64) -> bool {
        for _ in 0..8 {
            let mut clipped = false;
            for c in 0..x.r.len() {
                let straight = [0, 1].map(|d| x.r[c][d] + t * self.p[c][d]);
                let limit = self.limits[c];
                let normal = if limit.is_finite() { straight[0].max(0.0) } else { straight[0] };
                self.next[c] = [normal, straight[1].clamp(-limit, limit)];
                clipped |= self.next[c] != straight;
            }
            // the best step along a free direction needs no trial
            if !clipped || self.falls(course, x) {
                // a bound that was met ends conjugacy
                self.pwp = if clipped { 0.0 } else { self.pwp };
                x.r.copy_from_slice(&self.next);
                return true;
            }
            t *= 0.5;
        }
        false
    }

    /// Whether the energy is enough lower at `next` than at x; uses up `w` and `wp`.
    fn falls<W: Sweep<2>>(&mut self, course: &mut Course<'_, 2, W>, x: &Unknowns<2>) -> bool {
        for c in 0..x.r.len() {
            self.w[c] = [0, 1].map(|d| self.next[c][d] - x.r[c][d]);
        }
        course.product(&self.w, &mut self.wp);
        let slope = dot_all(&x.u, &self.w);
        slope < 0.0 && slope + 0.5 * dot_all(&self.w, &self.wp) <= 1e-4 * slope
    }
}
