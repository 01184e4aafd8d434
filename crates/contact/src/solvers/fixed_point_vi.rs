//! Fixed-point projection with a self-adaptive step.

use super::course::{Course, Memory, Step};
use super::self_adaptive::{SelfAdaptive, Trial, Use};
use super::{Report, Solver, Stop, Unknowns, Watch};
use crate::operator::Delassus;
use crate::problem::LocalProblem;

/// `r <- P_K(r - rho_k F(r))` with `F(r) = u + g(u)`, rho_k by a [rule](super::StepRule) [D, FP-VI with UPK].
///
/// Converges where F is strongly monotone: no friction or little of it, W definite. One or two products an
/// iteration; the step follows the local size of W where the constant one of FP-DS follows the largest.
///
/// # Reference
/// Acary, Brémond, Huber, On solving contact problems with Coulomb friction: formulations and numerical comparisons,
/// 2018; [D, sl. "VI based methods"].
#[derive(Debug, Clone, Default)]
pub struct FixedPointVi<const D: usize> {
    options: SelfAdaptive,
    memory: Memory<D>,
    trial: Trial<D>,
}

impl<const D: usize> FixedPointVi<D> {
    /// A solver with these options.
    pub fn new(options: SelfAdaptive) -> Self {
        Self { options, ..Self::default() }
    }
}

impl<const D: usize, W: Delassus<D> + ?Sized> Solver<D, W> for FixedPointVi<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let Self { options, memory, trial } = self;
        let mut course = Course::begin(problem, stop, memory, x);
        trial.begin(options, &mut course);
        course.run(x, watch, |course, x, _| {
            let (_, moved) = trial.find((options, Use::Taken), course, x);
            std::mem::swap(&mut x.r, &mut trial.r);
            std::mem::swap(&mut x.u, &mut trial.u);
            Step::by(moved)
        })
    }
}
