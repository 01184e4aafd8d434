//! Gradient projection.

use super::{BoxQp, Halt, QpOptions, QpSolution, QpStatus, dot};

/// $x \leftarrow P(x - \alpha (A x + b))$, the step $\alpha$ halved until the objective falls enough along the
/// projected arc.
///
/// Every limit point is a minimum of a convex problem, and the bounds that hold there strictly are found after finitely
/// many steps. The first trial step is that of Barzilai and Borwein, which spares most halvings.
///
/// # Reference
/// Calamai & Moré 1987, "Projected gradient methods for linearly constrained problems", algorithm 2.2 and eq. 2.4.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ProjectedGradient {
    options: QpOptions,
}

/// Sufficient decrease: `f(x+) <= f(x) + MU g.(x+ - x)`.
const MU: f64 = 1e-4;

/// One step along the projected arc; `None` when no step lowers the objective.
pub(super) fn arc_step(qp: &BoxQp, x: &[f64], g: &[f64], mut alpha: f64) -> Option<Vec<f64>> {
    for _ in 0..60 {
        let mut y: Vec<f64> = x.iter().zip(g).map(|(x, g)| x - alpha * g).collect();
        qp.project(&mut y);
        let d: Vec<f64> = y.iter().zip(x).map(|(y, x)| y - x).collect();
        let slope = dot(g, &d);
        // f(x + d) - f(x) = g.d + 1/2 d.A d, without the cancellation of two objectives
        if d.iter().all(|d| d.is_finite()) && slope + 0.5 * dot(&d, &qp.a.mul(&d)) <= MU * slope {
            return (slope < 0.0).then_some(y);
        }
        alpha *= 0.5;
    }
    None
}

/// Whether the projected gradient p is a way down without curvature and without a bound in front.
pub(super) fn falls_for_ever(qp: &BoxQp, p: &[f64]) -> bool {
    let open = |i: usize| p[i] == 0.0 || if p[i] > 0.0 { qp.hi[i].is_infinite() } else { qp.lo[i].is_infinite() };
    dot(p, p) > 0.0 && (0..p.len()).all(open) && dot(p, &qp.a.mul(p)) <= 1e-14 * qp.scale * dot(p, p)
}

impl ProjectedGradient {
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
        let mut g = qp.gradient(&x);
        let mut alpha = 1.0 / qp.scale;
        for iteration in 0..self.options.max_iterations {
            if qp.certify(&x).holds(self.options.tolerance) {
                return qp.solution(x, QpStatus::Solved, iteration);
            }
            if iteration > 0 && halt(iteration) {
                return qp.solution(x, QpStatus::Interrupted, iteration);
            }
            if falls_for_ever(qp, &qp.projected_gradient(&x, &g)) {
                return qp.solution(x, QpStatus::Unbounded, iteration);
            }
            let Some(y) = arc_step(qp, &x, &g, alpha) else {
                return qp.solution(x, QpStatus::Stalled, iteration);
            };
            let s: Vec<f64> = y.iter().zip(&x).map(|(y, x)| y - x).collect();
            let curvature = dot(&s, &qp.a.mul(&s));
            alpha = if curvature > 0.0 { dot(&s, &s) / curvature } else { 2.0 * alpha };
            x = y;
            g = qp.gradient(&x);
        }
        let solved = qp.certify(&x).holds(self.options.tolerance);
        let status = if solved { QpStatus::Solved } else { QpStatus::IterationLimit };
        qp.solution(x, status, self.options.max_iterations)
    }
}
