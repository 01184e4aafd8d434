//! The primal active set method for bounds.

use super::{BoxQp, Halt, QpOptions, QpSolution, QpStatus};
use crate::matrix::DenseLu;

/// Solves on the free unknowns, walks towards that point, holds the bound met first; at the minimum of a face it lets
/// go of the bound that pulls hardest.
///
/// The objective falls at every face, so none comes back: finite when A is positive definite on the faces visited and
/// no step has length zero. Unknowns that repeatedly enter and leave without a step are released by least index
/// (Bland), which ends cycling.
///
/// # Reference
/// Nocedal & Wright, Numerical Optimization, algorithm 16.3; Fletcher 1971.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ActiveSet {
    options: QpOptions,
}

impl ActiveSet {
    /// A solver with these options; `tolerance` also is what counts as a pulling bound.
    pub fn new(options: QpOptions) -> Self {
        Self { options }
    }

    /// Solves from zero, or the point between the bounds that is nearest to it.
    pub fn solve(&self, qp: &BoxQp) -> QpSolution {
        self.solve_until(qp, &mut |_| false)
    }

    /// The same, asking after every iteration whether to stop.
    pub fn solve_until(&self, qp: &BoxQp, halt: &mut Halt<'_>) -> QpSolution {
        let n = qp.size();
        let mut x = qp.start();
        let mut held: Vec<bool> = (0..n).map(|i| x[i] <= qp.lo[i] || x[i] >= qp.hi[i]).collect();
        let mut idle = 0;
        for iteration in 0..self.options.max_iterations {
            if qp.certify(&x).holds(self.options.tolerance) {
                return qp.solution(x, QpStatus::Solved, iteration);
            }
            if iteration > 0 && halt(iteration) {
                return qp.solution(x, QpStatus::Interrupted, iteration);
            }
            let free: Vec<usize> = (0..n).filter(|&i| !held[i]).collect();
            let Some(target) = face_minimum(qp, &x, &free) else {
                return qp.solution(x, QpStatus::Stalled, iteration);
            };
            let (t, blocking) = first_bound(qp, &x, &free, &target);
            let moved = free.iter().zip(&target).any(|(&i, y)| t * (y - x[i]) != 0.0);
            for (&i, y) in free.iter().zip(&target) {
                x[i] = (x[i] + t * (y - x[i])).max(qp.lo[i]).min(qp.hi[i]);
            }
            idle = if moved { 0 } else { idle + 1 };
            if let Some((i, bound)) = blocking {
                x[i] = bound;
                held[i] = true;
                continue;
            }
            // the minimum of this face: let go of a bound that pulls
            match release(qp, &x, &held, idle > n) {
                Some(i) => held[i] = false,
                None => {
                    let solved = qp.certify(&x).holds(self.options.tolerance);
                    let status = if solved { QpStatus::Solved } else { QpStatus::Stalled };
                    return qp.solution(x, status, iteration);
                }
            }
        }
        let solved = qp.certify(&x).holds(self.options.tolerance);
        let status = if solved { QpStatus::Solved } else { QpStatus::IterationLimit };
        qp.solution(x, status, self.options.max_iterations)
    }
}

/// `A_FF x_F = -b_F - A_FH x_H`; `None` when A_FF is singular.
fn face_minimum(qp: &BoxQp, x: &[f64], free: &[usize]) -> Option<Vec<f64>> {
    let a = qp.a.part(free, free);
    let mut others = x.to_vec();
    free.iter().for_each(|&i| others[i] = 0.0);
    let g = qp.gradient(&others);
    let rhs: Vec<f64> = free.iter().map(|&i| -g[i]).collect();
    Some(DenseLu::new(a.clone())?.solve_refined(&a, &rhs))
}

/// The part of the way to the target that the bounds allow, and the unknown that ends it with its bound.
fn first_bound(qp: &BoxQp, x: &[f64], free: &[usize], target: &[f64]) -> (f64, Option<(usize, f64)>) {
    let (mut t, mut blocking) = (1.0, None);
    for (&i, &y) in free.iter().zip(target) {
        let bound = if y > qp.hi[i] {
            qp.hi[i]
        } else if y < qp.lo[i] {
            qp.lo[i]
        } else {
            continue;
        };
        let room = ((bound - x[i]) / (y - x[i])).max(0.0);
        if room < t {
            (t, blocking) = (room, Some((i, bound)));
        }
    }
    (t, blocking)
}

/// The held unknown with the largest pull off its bound, or the first one; `None` when none pulls.
fn release(qp: &BoxQp, x: &[f64], held: &[bool], least_index: bool) -> Option<usize> {
    let p = qp.projected_gradient(x, &qp.gradient(x));
    let loosens = |i: &usize| held[*i] && qp.lo[*i] < qp.hi[*i] && p[*i] != 0.0;
    let mut pulling = (0..x.len()).filter(loosens);
    if least_index { pulling.next() } else { pulling.max_by(|&i, &j| p[i].abs().total_cmp(&p[j].abs())) }
}
