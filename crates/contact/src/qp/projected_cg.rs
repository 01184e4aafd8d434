//! Gradient projection and conjugate gradients in turn.

use super::projected_gradient::{arc_step, falls_for_ever};
use super::{BoxQp, Halt, QpOptions, QpSolution, QpStatus, dot};

/// Gradient projection finds the face, conjugate gradients minimise on it, a projected search brings the result back.
///
/// Both phases stop when their progress falls below a part of their best so far, so no face is solved more accurately
/// than it deserves. Finite (up to rounding) for strictly convex problems without degenerate bounds at the minimum.
///
/// # Reference
/// Moré & Toraldo 1991, "On the solution of large quadratic programming problems with bound constraints",
/// algorithm GPCG.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ProjectedCg {
    options: QpOptions,
}

/// Gradient projection ends when a step gains less than this part of the best one [GPCG, eq. 4.2].
const ETA_GRADIENT: f64 = 0.25;
/// Conjugate gradients end when a step gains less than this part of the best one [GPCG, eq. 4.4].
const ETA_CG: f64 = 0.1;

/// What conjugate gradients on a face came to.
enum Face {
    /// A direction down.
    Direction(Vec<f64>),
    /// A direction of no curvature: follow it to the bounds.
    Flat(Vec<f64>),
}

impl ProjectedCg {
    /// A solver with these options.
    pub fn new(options: QpOptions) -> Self {
        Self { options }
    }

    /// Steps from zero, or the point between the bounds that is nearest to it.
    pub fn solve(&self, qp: &BoxQp) -> QpSolution {
        self.solve_until(qp, &mut |_| false)
    }

    /// The same, asking after every iteration whether to stop.
    pub fn solve_until(&self, qp: &BoxQp, halt: &mut Halt<'_>) -> QpSolution {
        let mut x = qp.start();
        let mut steps = 0;
        loop {
            if qp.certify(&x).holds(self.options.tolerance) {
                return qp.solution(x, QpStatus::Solved, steps);
            }
            if steps >= self.options.max_iterations {
                return qp.solution(x, QpStatus::IterationLimit, steps);
            }
            if steps > 0 && halt(steps) {
                return qp.solution(x, QpStatus::Interrupted, steps);
            }
            let before = x.clone();
            self.find_face(qp, &mut x, &mut steps);
            let g = qp.gradient(&x);
            if falls_for_ever(qp, &qp.projected_gradient(&x, &g)) {
                return qp.solution(x, QpStatus::Unbounded, steps);
            }
            match self.on_face(qp, &x, &g, &mut steps) {
                Face::Direction(d) => search(qp, &mut x, &g, &d),
                Face::Flat(d) => {
                    if !to_the_bound(qp, &mut x, &d) {
                        return qp.solution(x, QpStatus::Unbounded, steps);
                    }
                }
            }
            if x == before && !qp.certify(&x).holds(self.options.tolerance) {
                return qp.solution(x, QpStatus::Stalled, steps);
            }
        }
    }

    /// Gradient projection until the face settles or the gain flags.
    fn find_face(&self, qp: &BoxQp, x: &mut Vec<f64>, steps: &mut usize) {
        let mut best = 0.0;
        let face = |x: &[f64]| (0..x.len()).map(|i| (x[i] <= qp.lo[i], x[i] >= qp.hi[i])).collect::<Vec<_>>();
        let mut old = face(x);
        // as many steps as there are unknowns settle any face that matters
        for _ in 0..qp.size().max(10) {
            let g = qp.gradient(x);
            let p = qp.projected_gradient(x, &g);
            let curvature = dot(&p, &qp.a.mul(&p));
            let alpha = if curvature > 0.0 { dot(&p, &p) / curvature } else { 1.0 / qp.scale };
            let Some(y) = arc_step(qp, x, &g, alpha) else { return };
            let gain = qp.objective(x) - qp.objective(&y);
            *x = y;
            *steps += 1;
            let new = face(x);
            if new == old || gain <= ETA_GRADIENT * best {
                return;
            }
            best = f64::max(best, gain);
            old = new;
        }
    }

    /// Conjugate gradients on the unknowns that no bound holds.
    fn on_face(&self, qp: &BoxQp, x: &[f64], g: &[f64], steps: &mut usize) -> Face {
        let n = qp.size();
        let free: Vec<bool> = (0..n).map(|i| x[i] > qp.lo[i] && x[i] < qp.hi[i]).collect();
        let restrict = |v: &[f64]| (0..n).map(|i| if free[i] { v[i] } else { 0.0 }).collect::<Vec<f64>>();
        let mut d = vec![0.0; n];
        let mut r: Vec<f64> = restrict(g).iter().map(|g| -g).collect();
        let mut p = r.clone();
        let mut rr = dot(&r, &r);
        let enough = 1e-28 * dot(&qp.b, &qp.b);
        let mut best = 0.0;
        for _ in 0..2 * n {
            if rr <= enough {
                break;
            }
            let ap = restrict(&qp.a.mul(&p));
            let curvature = dot(&p, &ap);
            *steps += 1;
            if curvature <= 1e-14 * qp.scale * dot(&p, &p) {
                return Face::Flat(p);
            }
            let alpha = rr / curvature;
            for i in 0..n {
                d[i] += alpha * p[i];
                r[i] -= alpha * ap[i];
            }
            let gain = 0.5 * alpha * rr;
            let next = dot(&r, &r);
            // a face that gradient projection is about to leave is not worth more steps
            if gain <= ETA_CG * best && (0..n).any(|i| x[i] + d[i] < qp.lo[i] || x[i] + d[i] > qp.hi[i]) {
                break;
            }
            best = f64::max(best, gain);
            for i in 0..n {
                p[i] = r[i] + next / rr * p[i];
            }
            rr = next;
        }
        Face::Direction(d)
    }
}

/// Moves to `P(x + t d)`, t halved until the objective falls enough.
fn search(qp: &BoxQp, x: &mut [f64], g: &[f64], d: &[f64]) {
    let mut t = 1.0;
    for _ in 0..60 {
        let mut y: Vec<f64> = x.iter().zip(d).map(|(x, d)| x + t * d).collect();
        qp.project(&mut y);
        let s: Vec<f64> = y.iter().zip(x.iter()).map(|(y, x)| y - x).collect();
        let slope = dot(g, &s);
        if slope + 0.5 * dot(&s, &qp.a.mul(&s)) <= 1e-4 * slope && slope <= 0.0 {
            x.copy_from_slice(&y);
            return;
        }
        t *= 0.5;
    }
}

/// Follows d to the first bound; false when there is none.
fn to_the_bound(qp: &BoxQp, x: &mut [f64], d: &[f64]) -> bool {
    let bound = |i: usize| if d[i] > 0.0 { qp.hi[i] } else { qp.lo[i] };
    let room: Vec<f64> =
        (0..x.len()).map(|i| if d[i] != 0.0 { (bound(i) - x[i]) / d[i] } else { f64::INFINITY }).collect();
    let t = room.iter().copied().fold(f64::INFINITY, f64::min);
    if !t.is_finite() {
        return false;
    }
    for i in 0..x.len() {
        // exactly onto the bound that stopped it
        x[i] = if room[i] <= t { bound(i) } else { x[i] + t * d[i] };
    }
    true
}
