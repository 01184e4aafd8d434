//! The operators whose solvers are compiled in this crate.

use super::{Solver, SolverSpec};
use crate::operator::{BlockCsr, DiscContacts, MatrixFree, RigidContacts, SphereContacts, Sweep};

/// An operator for which the whole catalogue is compiled here, once.
///
/// Solvers are generic over the operator. Without this, every program and every test that names one would compile
/// all of them again. An operator of your own works with [`SolverSpec::build_for`].
pub trait Compiled<const D: usize>: Sweep<D> + Sized + Send + 'static {
    /// The solver that the options describe.
    fn solver(spec: &SolverSpec) -> Box<dyn Solver<D, Self> + Send>;
}

macro_rules! compiled {
    ($($d:literal, $w:ty;)*) => {$(
        impl Compiled<$d> for $w {
            #[inline(never)]
            fn solver(spec: &SolverSpec) -> Box<dyn Solver<$d, Self> + Send> {
                spec.build_for()
            }
        }
    )*};
}

compiled! {
    2, BlockCsr<2>;
    3, BlockCsr<3>;
    5, BlockCsr<5>;
    2, MatrixFree<2>;
    3, MatrixFree<3>;
    5, MatrixFree<5>;
    3, SphereContacts;
    2, DiscContacts;
    2, RigidContacts<2, 3, 2>;
    3, RigidContacts<2, 3, 3>;
    3, RigidContacts<3, 6, 3>;
    5, RigidContacts<3, 6, 5>;
}

impl SolverSpec {
    /// Builds the solver for one dimension and operator.
    pub fn build<const D: usize, W: Compiled<D>>(&self) -> Box<dyn Solver<D, W> + Send> {
        W::solver(self)
    }
}
