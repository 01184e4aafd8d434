//! Solvers that see their operator through its trait.

use super::{Report, Solver, Stop, Unknowns, Watch};
use crate::operator::Sweep;
use crate::problem::LocalProblem;

/// A solver that takes any operator by a virtual call, and so is compiled once for all of them.
#[derive(Debug, Clone, Default)]
pub struct Erased<S>(pub S);

impl<const D: usize, W: Sweep<D> + 'static, S: Solver<D, dyn Sweep<D>>> Solver<D, W> for Erased<S> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        self.0.solve(problem, x, stop, watch)
    }
}
