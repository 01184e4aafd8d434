//! The projected conjugate gradient for contact in the plane.

use super::judge::Judge;
use super::{Report, Solver, Status, Stop, Unknowns, Watch};
use crate::cone::{Cone, Disc};
use crate::operator::Delassus;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};

/// The options of [`Cpg2d`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cpg2dOptions {
    /// Divide each row by its diagonal entry of W; pays with unequal masses.
    pub preconditioned: bool,
    /// The friction limits follow r_N when the energy still to gain (squared projected gradient) has come down to this
    /// part since they last did.
    pub settle: f64,
    /// How far the limits go towards `mu r_N` each time, in (0, 1]: less damps an alternation.
    pub relaxation: f64,
    /// Iterations after which the limits follow r_N in any case.
    pub max_inner: usize,
    /// Iterations without a better certificate after which it is `Stalled`.
    pub patience: usize,
}

impl Default for Cpg2dOptions {
    fn default() -> Self {
        Self { preconditioned: true, settle: 1e-4, relaxation: 0.1, max_inner: 1000, patience: 10_000 }
    }
}

/// Conjugate gradients on the faces of the cylinder $C(\mu r_N)$, whose friction limit follows r_N from time to time:
/// a sequence of minimisations with given limits, none of them solved further than it deserves.
///
/// Costs two products with W an iteration, more where a step meets bounds, like a sweep of Gauss-Seidel, but in parallel over the contacts.
/// Converges without friction and with a given limit (Tresca). With Coulomb's law it is a fixed point in the limits,
/// a contraction for small mu only; limits that follow r_N at every iteration (`settle` = 1) are the published form
/// and cycle more often. Measured on random problems of 200 contacts with friction it stops at 1e-4 to 1e-6 and says
/// `Stalled`; five contacts are solved to 1e-10. Joints are contacts without bounds.
///
/// # Reference
/// Renouf & Alart 2005, "Conjugate gradient type algorithms for frictional multi-contact problems: applications to
/// granular materials", algorithm CPG; Renouf, Dubois & Alart 2006 for the preconditioner.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cpg2d {
    options: Cpg2dOptions,
}

/// The friction disc; `None` for a joint.
fn disc(cone: &Cone) -> Option<Disc> {
    (!matches!(cone, Cone::Bilateral)).then(|| cone.discs::<2>()[0])
}

/// The nearest r with `r_N >= 0` and friction within the given limit.
fn project(cone: &Cone, limit: f64, r: &mut [f64; 2]) {
    if disc(cone).is_some() {
        r[0] = r[0].max(0.0);
        r[1] = r[1].clamp(-limit, limit);
    }
}

/// Takes out of p what leads out of the cylinder at r at once.
fn to_tangent(cone: &Cone, limit: f64, r: &[f64; 2], p: &mut [f64; 2]) {
    if disc(cone).is_some() {
        if r[0] <= 0.0 {
            p[0] = p[0].max(0.0);
        }
        if r[1] >= limit {
            p[1] = p[1].min(0.0);
        }
        if r[1] <= -limit {
            p[1] = p[1].max(0.0);
        }
    }
}

/// Moves the limits by `part` of the way to those of r; true when one of them moved.
fn follow(cones: &[Cone], r: &[[f64; 2]], limits: &mut [f64], part: f64) -> bool {
    let mut moved = false;
    for ((cone, r), limit) in cones.iter().zip(r).zip(limits) {
        let new = *limit + part * (disc(cone).map_or(0.0, |d| d.limit(r[0])) - *limit);
        moved |= new != *limit;
        *limit = new;
    }
    moved
}

fn dot(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a[0] * b[0] + a[1] * b[1]).sum()
}

/// The set of impulses at given limits.
struct Cylinder<'a> {
    cones: &'a [Cone],
    limits: &'a [f64],
}

impl Cylinder<'_> {
    /// `P(r + t p)`, and whether the projection did anything.
    fn step(&self, r: &[[f64; 2]], p: &[[f64; 2]], t: f64) -> (Vec<[f64; 2]>, bool) {
        let mut clipped = false;
        let mut next = r.to_vec();
        for c in 0..r.len() {
            let straight = [r[c][0] + t * p[c][0], r[c][1] + t * p[c][1]];
            next[c] = straight;
            project(&self.cones[c], self.limits[c], &mut next[c]);
            clipped |= next[c] != straight;
        }
        (next, clipped)
    }

    /// A step along the gradient, halved until the energy falls; `None` when it never does.
    fn descend<W: Delassus<2>>(
        &self,
        judge: &mut Judge<'_, 2, W>,
        x: &Unknowns<2>,
        w: &[[f64; 2]],
        gain: f64,
    ) -> Option<Vec<[f64; 2]>> {
        let mut ww = vec![[0.0; 2]; w.len()];
        judge.apply(w, &mut ww);
        let mut t = gain / dot(w, &ww);
        for _ in 0..40 {
            let (r, _) = self.step(&x.r, w, t);
            if falls(judge, x, &r) {
                return Some(r);
            }
            t *= 0.5;
        }
        None
    }
}

/// Whether `1/2 r.W r + q.r` is enough lower at r than at x.
fn falls<W: Delassus<2>>(judge: &mut Judge<'_, 2, W>, x: &Unknowns<2>, r: &[[f64; 2]]) -> bool {
    let s: Vec<[f64; 2]> = r.iter().zip(&x.r).map(|(a, b)| [a[0] - b[0], a[1] - b[1]]).collect();
    let mut ws = vec![[0.0; 2]; s.len()];
    judge.apply(&s, &mut ws);
    let slope = dot(&x.u, &s);
    slope < 0.0 && slope + 0.5 * dot(&s, &ws) <= 1e-4 * slope
}

impl Cpg2d {
    /// A solver with these options.
    pub fn new(options: Cpg2dOptions) -> Self {
        Self { options }
    }

    /// The inverse of the preconditioner's diagonal.
    fn weights<W: Delassus<2>>(&self, problem: &LocalProblem<2, W>) -> Vec<[f64; 2]> {
        let over = |x: f64| if self.options.preconditioned && x > 0.0 { 1.0 / x } else { 1.0 };
        (0..problem.contacts())
            .map(|c| {
                let w = problem.w.diagonal(c);
                [over(w[0][0]), over(w[1][1])]
            })
            .collect()
    }
}

impl<W: Delassus<2>> Solver<2, W> for Cpg2d {
    fn solve(
        &mut self,
        problem: &LocalProblem<2, W>,
        x: &mut Unknowns<2>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let n = problem.contacts();
        let mut judge = Judge::new(problem, x, stop);
        let weights = self.weights(problem);
        let mut p = vec![[0.0; 2]; n];
        let mut wp = vec![[0.0; 2]; n];
        let mut limits = vec![0.0; n];
        follow(&problem.cones, &x.r, &mut limits, 1.0);
        let (mut pwp, mut settled, mut inner) = (0.0, f64::NAN, 0);
        let (mut iteration, mut improved, mut best) = (0, 0, f64::INFINITY);
        let status = loop {
            // 1. the velocity, the certificate
            let error = judge.error(x);
            if let Some(status) = judge.verdict(error, iteration, watch) {
                break status;
            }
            if judge.best_error < best {
                (best, improved) = (judge.best_error, iteration);
            }
            if iteration - improved > self.options.patience {
                break Status::Stalled;
            }
            // 2. the gradient and the old direction, both held to the face of r
            let mut w: Vec<[f64; 2]> = x.u.iter().zip(&weights).map(|(u, s)| [-s[0] * u[0], -s[1] * u[1]]).collect();
            for c in 0..n {
                to_tangent(&problem.cones[c], limits[c], &x.r[c], &mut w[c]);
                to_tangent(&problem.cones[c], limits[c], &x.r[c], &mut p[c]);
            }
            iteration += 1;
            inner += 1;
            let gain = -dot(&x.u, &w);
            if settled.is_nan() {
                settled = gain;
            }
            // 3. near the minimum for these limits they follow r_N; other limits are another minimisation
            if gain <= self.options.settle * settled || inner > self.options.max_inner {
                (settled, inner) = (gain, 0);
                if follow(&problem.cones, &x.r, &mut limits, self.options.relaxation) {
                    (pwp, settled) = (0.0, f64::NAN);
                    (0..n).for_each(|c| project(&problem.cones[c], limits[c], &mut x.r[c]));
                    continue;
                }
            }
            // 4. conjugate to the last direction; one that does not lead down is given up for the gradient
            let beta = if pwp > 0.0 { -dot(&w, &wp) / pwp } else { 0.0 };
            for c in 0..n {
                p[c] = [w[c][0] + beta * p[c][0], w[c][1] + beta * p[c][1]];
            }
            if dot(&x.u, &p) >= 0.0 {
                p.copy_from_slice(&w);
            }
            judge.apply(&p, &mut wp);
            pwp = dot(&p, &wp);
            if pwp.is_nan() || pwp <= 0.0 {
                break Status::Stalled;
            }
            // 5. the best step along the direction; one that meets a bound must still lead down, and ends conjugacy
            let alpha = -dot(&x.u, &p) / pwp;
            let cylinder = Cylinder { cones: &problem.cones, limits: &limits };
            let (r, clipped) = cylinder.step(&x.r, &p, alpha);
            if !clipped {
                x.r = r;
                continue;
            }
            pwp = 0.0;
            match falls(&mut judge, x, &r).then_some(r).or_else(|| cylinder.descend(&mut judge, x, &w, gain)) {
                Some(r) => x.r = r,
                None => settled = f64::INFINITY,
            }
        };
        judge.finish(x, status, iteration)
    }
}
