//! The reduced problem of a global one, in the form that the structure of M asks for.

use super::{GlobalProblem, LocalProblem, Notice, ProblemError};
use crate::mass::Mass;
use crate::operator::MatrixFree;

/// A reduced problem.
pub enum Reduced<const D: usize> {
    /// Rigid bodies: `H^T M^-1 H` is never formed.
    MatrixFree(LocalProblem<D, MatrixFree<D>>),
    /// Anything else: W condensed, and what was noticed.
    Condensed(LocalProblem<D>, Vec<Notice>),
}

impl<const D: usize> GlobalProblem<D> {
    /// Eliminates v with M already factored, so that it is factored once.
    pub fn reduce(&self, mass: &Mass) -> Result<Reduced<D>, ProblemError> {
        if let Some(p) = LocalProblem::matrix_free_with(self, mass)? {
            return Ok(Reduced::MatrixFree(p));
        }
        self.condense_with(mass).map(|(p, notices)| Reduced::Condensed(p, notices))
    }
}
