//! Second-order methods on a system that is analysed once for all of them.

use super::super::{Ipm, Nsn, Paused, Ppn, Report, Solver, Stop, Unknowns, Watch};
use super::costs::System;
use crate::operator::Sweep;
use crate::problem::LocalProblem;

/// The methods that share it.
pub(super) enum Method<'s, const D: usize> {
    Newton(Nsn),
    /// Goes on with the start that it was stopped in, if any.
    InteriorPoint(Ipm, &'s mut Paused<D>),
    ProximalNewton(Ppn),
}

/// A method on the system of `problem`, which must be the problem that it is asked to solve.
pub(super) struct Shared<'s, 'a, const D: usize> {
    pub method: Method<'s, D>,
    pub problem: &'a LocalProblem<D, dyn Sweep<D>>,
    pub system: &'s mut Option<System<'a, D>>,
}

impl<const D: usize, W: Sweep<D>> Solver<D, W> for Shared<'_, '_, D> {
    fn solve(&mut self, _: &LocalProblem<D, W>, x: &mut Unknowns<D>, stop: &Stop, watch: &mut Watch<'_>) -> Report {
        match &mut self.method {
            Method::Newton(nsn) => nsn.solve_on(self.problem, self.system, x, stop, watch),
            Method::InteriorPoint(ipm, paused) => ipm.solve_on(self.problem, (self.system, paused), x, stop, watch),
            Method::ProximalNewton(ppn) => ppn.solve_on(self.problem, self.system, x, stop, watch),
        }
    }
}
