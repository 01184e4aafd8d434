//! Solvers of the whole problem. One file each; [`catalog`] names them all.
//!
//! Every solver takes a [`LocalProblem`], starts from the r it is given, stops by the one
//! [certificate](crate::certificate) and reports a [`Status`]. Running out of iterations is a status, not an error.

pub mod catalog;
mod cpg_2d;
mod enumeration_2d;
mod judge;
mod lemke_2d;
mod nsgs;
mod report;
mod stop;
mod unknowns;

pub use catalog::{Catalogued, SolverSpec};
pub use cpg_2d::{Cpg2d, Cpg2dOptions};
pub use enumeration_2d::{Enumeration2d, MAX_ENUMERATED_CONTACTS};
pub use lemke_2d::{Lemke2d, MAX_LEMKE_UNKNOWNS};
pub use nsgs::{Freezing, Nsgs, NsgsOptions, Order, StopTest};
pub use report::{Report, Status};
pub use stop::{Flow, Progress, Stop, Watch, unwatched};
pub use unknowns::{StartError, Unknowns};

use crate::problem::LocalProblem;

/// Something that solves a local problem whose operator is `W`.
pub trait Solver<const D: usize, W> {
    /// Improves `x.r` until the certificate holds or a limit is met; `x.u` becomes `W r + q`.
    ///
    /// When it does not converge, `x` is the best iterate that was certified on the way.
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report;
}
