//! Solvers of the whole problem. One file each; [`catalog`] names them all.
//!
//! Every solver takes a [`LocalProblem`], starts from the r it is given, stops by the one
//! [certificate](crate::certificate) and reports a [`Status`]. Running out of iterations is a status, not an error.

mod aclm;
mod admm;
mod anderson;
mod apgd;
mod auto;
pub mod catalog;
mod compiled;
mod course;
mod cpg_2d;
mod enumeration_2d;
mod erased;
mod extragradient;
mod fixed_point;
mod fixed_point_vi;
mod hyperplane;
mod ipm;
mod judge;
mod lemke_2d;
mod newton;
mod nncg;
mod normal_equations;
mod nsgs;
mod option_docs;
mod option_ranges;
mod panagiotopoulos;
mod plane;
mod prox;
mod report;
mod self_adaptive;
mod shift_newton;
mod stop;
mod sweeping;
mod tnnmg;
mod tresca;
mod unknowns;
mod vector;
mod why;

pub use aclm::{Aclm, AclmOptions, ShiftUpdate};
pub use admm::{Admm, AdmmOptions, ConvexMethod};
pub use anderson::{Anderson, AndersonOptions};
pub use apgd::{ApgdOptions, ApgdRelaxation};
pub use auto::{Auto, AutoOptions};
pub use catalog::{Catalogued, SolverSpec};
pub use compiled::Compiled;
pub use cpg_2d::{Cpg2d, Cpg2dOptions};
pub use enumeration_2d::{Enumeration2d, Enumeration2dOptions, MAX_ENUMERATED_CONTACTS};
pub use erased::Erased;
pub use extragradient::Extragradient;
pub use fixed_point::{FixedPoint, FixedPointOptions};
pub use fixed_point_vi::FixedPointVi;
pub use hyperplane::{Hyperplane, HyperplaneOptions};
use ipm::Paused;
pub use ipm::{Ipm, IpmOptions};
pub use lemke_2d::{Lemke2d, MAX_LEMKE_UNKNOWNS};
pub use newton::{Formulation, LineSearch, Nsn, NsnOptions, Ppn, PpnOptions};
pub use nncg::{Nncg, NncgOptions};
pub use nsgs::{Freezing, Nsgs, NsgsOptions, Order, StopTest};
pub(crate) use option_docs::docs;
pub(crate) use option_ranges::LEMKE;
pub use panagiotopoulos::{Panagiotopoulos, PanagiotopoulosOptions};
pub use prox::{Prox, ProxOptions};
pub use report::{Report, Status};
pub use self_adaptive::{SelfAdaptive, StepRule};
pub use stop::{Flow, Progress, Stop, Watch, unwatched};
pub use tnnmg::{Tnnmg, TnnmgOptions};
pub use tresca::{Tresca, TrescaOptions};
pub use unknowns::{StartError, Unknowns};
pub use why::Why;

use crate::problem::LocalProblem;

/// Something that solves a local problem whose operator is `W`.
pub trait Solver<const D: usize, W: ?Sized> {
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

    /// Whether it certifies the start before anything else, and returns it where it holds.
    fn certifies_start(&self) -> bool {
        false
    }
}
