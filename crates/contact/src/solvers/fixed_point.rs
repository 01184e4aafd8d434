//! Fixed-point projection with a constant step: Uzawa's algorithm of de Saxcé and Feng.

use super::course::{Course, Memory, Step};
use super::vector::{distance, modified, project_step};
use super::{Report, Solver, Stop, Unknowns, Watch};
use crate::operator::Delassus;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};

/// The options of [`FixedPoint`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct FixedPointOptions {
    /// The step rho, an inverse of W; none by default: `1 / lambda_max(W)`, estimated by power iteration.
    pub rho: Option<f64>,
}

/// `r <- P_K(r - rho F(r))` with `F(r) = u + g(u)`, `u = W r + q` [D, sl. "VI based methods", FP-DS].
///
/// Converges without friction for `rho < 2 / lambda_max`, and for small friction; with Coulomb's law F is not
/// monotone and there is no general proof. One product an iteration, linear convergence: slow when W is
/// ill-conditioned.
///
/// # Reference
/// de Saxcé & Feng, The bipotential method, Math. Comput. Modelling 28, 1998.
#[derive(Debug, Clone, Default)]
pub struct FixedPoint<const D: usize> {
    options: FixedPointOptions,
    memory: Memory<D>,
    f: Vec<[f64; D]>,
    next: Vec<[f64; D]>,
}

impl<const D: usize> FixedPoint<D> {
    /// A solver with these options.
    pub fn new(options: FixedPointOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

impl<const D: usize, W: Delassus<D> + ?Sized> Solver<D, W> for FixedPoint<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let Self { options, memory, f, next } = self;
        let n = problem.contacts();
        f.resize(n, [0.0; D]);
        next.resize(n, [0.0; D]);
        let mut course = Course::begin(problem, stop, memory, x);
        let rho = options.rho.unwrap_or_else(|| course.natural_rho(f, next));
        course.run(x, watch, |course, x, _| {
            modified(&problem.cones, &x.u, f);
            project_step(&problem.cones, &x.r, rho, f, next);
            let moved = distance(next, &x.r);
            std::mem::swap(&mut x.r, next);
            course.velocity(&x.r, &mut x.u);
            Step::by(moved)
        })
    }
}
