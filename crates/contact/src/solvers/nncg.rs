//! Nonsmooth nonlinear conjugate gradients over Gauss-Seidel.

use super::course::{Course, Memory, Step};
use super::{Report, Solver, Status, Stop, Unknowns, Watch};
use crate::one_contact::OneContactKind;
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};

/// The options of [`Nncg`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct NncgOptions {
    /// The solver of one contact in the sweeps: a name, or a table as `{sbp={relative=0.5}}`.
    pub one_contact: OneContactKind,
}

/// Reads the move of a Gauss-Seidel sweep as minus a gradient and adds Fletcher-Reeves directions to it.
///
/// $$ \nabla_k = r_k - \mathrm{sweep}(r_k), \quad \beta_k = \|\nabla_k\|^2 / \|\nabla_{k-1}\|^2, \quad
/// r_{k+1} = P_K(\mathrm{sweep}(r_k) + \beta_k p_{k-1}), \quad p_k = \beta_k p_{k-1} - \nabla_k, $$
/// restarting with a plain sweep where $\beta_k > 1$. No proof of convergence, but where Gauss-Seidel is slow and
/// steady it takes several times fewer sweeps. An iteration costs a sweep and a product.
///
/// # Reference
/// Silcowitz-Hansen, Niebe, Erleben, A nonsmooth nonlinear conjugate gradient method for interactive contact force
/// problems, Visual Computer 26, 2010; the projection is ours.
#[derive(Debug, Clone, Default)]
pub struct Nncg<const D: usize> {
    options: NncgOptions,
    memory: Memory<D>,
    /// The search direction.
    p: Vec<[f64; D]>,
    swept: Vec<[f64; D]>,
}

impl<const D: usize> Nncg<D> {
    /// A solver with these options.
    pub fn new(options: NncgOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

impl<const D: usize, W: Sweep<D> + ?Sized> Solver<D, W> for Nncg<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let Self { options, memory, p, swept } = self;
        let one = options.one_contact;
        let n = problem.contacts();
        p.clear();
        p.resize(n, [0.0; D]);
        swept.resize(n, [0.0; D]);
        let mut before = 0.0;
        let course = Course::begin(problem, stop, memory, x);
        if let Some(why) = one.refusal(problem) {
            return Report { why: why.into(), ..course.finish(x, Status::Unsupported) };
        }
        course.run(x, watch, |course, x, _| {
            // 1. the sweep, whose move is minus the gradient
            swept.copy_from_slice(&x.r);
            let moved = course.sweep_by(one, swept);
            // 2. the ratio of gradients; a growing one restarts
            let beta = (moved / before).powi(2);
            let beta = if beta <= 1.0 { beta } else { 0.0 };
            before = moved;
            // 3. the direction, and the next r
            for c in 0..n {
                let kept = p[c].map(|p| beta * p);
                p[c] = std::array::from_fn(|d| kept[d] + swept[c][d] - x.r[c][d]);
                x.r[c] = match beta {
                    0.0 => swept[c],
                    _ => problem.cones[c].project(&std::array::from_fn(|d| swept[c][d] + kept[d])),
                };
            }
            course.velocity(&x.r, &mut x.u);
            Step::by(moved)
        })
    }
}
