//! Discrete frictional contact problems, as the literature states them and FCLIB stores them.
//!
//! - [`LocalProblem`]: FC/II(W, q, mu) [D, problem 2];
//! - [`GlobalProblem`]: FC/I(M, H, f, w, mu) [D, problem 1], which [`GlobalProblem::reduce`] reduces to the former.

mod check;
mod condense;
mod global;
mod local;
mod reduce;

pub use check::{Notice, ProblemError};
pub use condense::{CONDENSED_LIMIT, condensed_blocks};
pub use global::GlobalProblem;
pub use local::LocalProblem;
pub use reduce::Reduced;
