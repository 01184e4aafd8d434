//! The fixed point of Acary, Cadoux, Lemaréchal and Malick.

use super::apgd::Accelerated;
use super::course::{Course, Memory, Step};
use super::{Report, Solver, Stop, Unknowns, Watch};
use crate::cone::Cone;
use crate::operator::Delassus;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};

/// The options of [`Aclm`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct AclmOptions {
    /// s is updated when the residual of the inner problem is below this times `|g(u) - s|`; 10.
    ///
    /// 0.1 nests the two loops cleanly; 10 lets them go hand in hand, which takes a fraction of the iterations.
    pub inner: f64,
    /// And after so many inner iterations at the latest; 1000.
    pub iterations: usize,
}

impl Default for AclmOptions {
    fn default() -> Self {
        Self { inner: 10.0, iterations: 1000 }
    }
}

/// Fixes the shift `s = mu |u_T|`, solves the convex problem that is left by accelerated projected gradients, repeats.
///
/// $$ s = g(u), \qquad \min_r \tfrac12 r^\top W r + (q + s N)^\top r, \quad r \in K $$ [D, eq. 13].
/// Solutions of the outer equation exist under a checkable condition (Slater's), and every inner problem is convex;
/// that the fixed point contracts is proven for small friction, and seen far beyond it. The momentum of the inner
/// iteration is kept when s changes. Iterations are inner ones, of one product each.
///
/// # Reference
/// Acary, Cadoux, Lemaréchal, Malick, A formulation of the linear discrete Coulomb friction problem via convex
/// optimization, ZAMM 91, 2011; [D, ACLM-*].
#[derive(Debug, Clone, Default)]
pub struct Aclm<const D: usize> {
    options: AclmOptions,
    memory: Memory<D>,
    inner: Accelerated<D>,
    s: Vec<f64>,
}

impl<const D: usize> Aclm<D> {
    /// A solver with these options.
    pub fn new(options: AclmOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

/// `|g(u) - s|`.
fn outer_residual<const D: usize>(cones: &[Cone], u: &[[f64; D]], s: &[f64]) -> f64 {
    cones.iter().zip(u).zip(s).map(|((cone, u), s)| (cone.shift(u) - s).powi(2)).sum::<f64>().sqrt()
}

impl<const D: usize, W: Delassus<D>> Solver<D, W> for Aclm<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let Self { options, memory, inner, s } = self;
        let mut course = Course::begin(problem, stop, memory, x);
        inner.begin(&mut course, x);
        s.clear();
        s.extend(problem.cones.iter().zip(&x.u).map(|(cone, u)| cone.shift(u)));
        let mut since = 0;
        course.run(x, watch, |course, x, _| {
            // 1. one step of the inner problem
            let residual = inner.step(course, x, s);
            since += 1;
            // 2. once it is solved better than the outer one, a new s
            if residual <= options.inner * outer_residual(&problem.cones, &x.u, s) || since >= options.iterations {
                for ((s, cone), u) in s.iter_mut().zip(&problem.cones).zip(&x.u) {
                    *s = cone.shift(u);
                }
                since = 0;
            }
            Step::TAKEN
        })
    }
}
