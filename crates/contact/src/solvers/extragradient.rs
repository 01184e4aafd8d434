//! The extragradient method.

use super::course::{Course, Memory, Step};
use super::self_adaptive::{SelfAdaptive, Trial, Use};
use super::vector::project_step;
use super::{Report, Solver, Stop, Unknowns, Watch};
use crate::operator::Delassus;
use crate::problem::LocalProblem;

/// `rbar = P_K(r - rho_k F(r))`, then `r <- P_K(r - rho_k F(rbar))`, rho_k by a [rule](super::StepRule) [D, EG-VI].
///
/// Converges where F is monotone, strongly or not; with Coulomb's law that is not proven. Two products an iteration
/// at least: safer and several times slower than the fixed point.
///
/// # Reference
/// Korpelevich 1976; Khobotov, USSR Comput. Math. Math. Phys. 27, 1987; [D, sl. "VI based methods"].
#[derive(Debug, Clone, Default)]
pub struct Extragradient<const D: usize> {
    options: SelfAdaptive,
    memory: Memory<D>,
    trial: Trial<D>,
}

impl<const D: usize> Extragradient<D> {
    /// A solver with these options.
    pub fn new(options: SelfAdaptive) -> Self {
        Self { options, ..Self::default() }
    }
}

impl<const D: usize, W: Delassus<D> + ?Sized> Solver<D, W> for Extragradient<D> {
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
            // 1. predict
            let (rho, moved) = trial.find((options, Use::Predicts), course, x);
            // 2. correct with the map of the predicted point
            project_step(&problem.cones, &x.r, rho, &trial.f_bar, &mut trial.r);
            std::mem::swap(&mut x.r, &mut trial.r);
            course.velocity(&x.r, &mut x.u);
            Step::by(moved)
        })
    }
}
