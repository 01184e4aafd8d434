//! The reduced problem of a global one, in the form that the structure of M asks for.

use super::{GlobalProblem, LocalProblem, Notice, ProblemError};
use crate::mass::Mass;
use crate::operator::{MatrixFree, body_dofs};

/// A reduced problem.
pub enum Reduced<const D: usize> {
    /// Rigid bodies: `H^T M^-1 H` is not formed.
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
        self.condensed(mass)
    }

    fn condensed(&self, mass: &Mass) -> Result<Reduced<D>, ProblemError> {
        self.condense_with(mass).map(|(p, notices)| Reduced::Condensed(p, notices))
    }

    /// The same as [`reduce`](Self::reduce) for a method that does not ask for the bodies behind W: where few contacts are scattered among many bodies, W has
    /// few blocks, and a sweep over them takes less than one over bodies.
    pub fn reduce_without_bodies(&self, mass: &Mass) -> Result<Reduced<D>, ProblemError> {
        let (contacts, bodies) = (self.contacts(), self.dofs() as f64 / body_dofs::<D>() as f64);
        let scattered = contacts < FORMED && contacts as f64 <= SCATTERED * bodies;
        if scattered { self.condensed(mass) } else { self.reduce(mass) }
    }
}

/// So many contacts are solved with W formed at most: what its rows take from memory grows faster than what bodies do.
const FORMED: usize = 1000;
/// Contacts a body up to which they are scattered.
const SCATTERED: f64 = 0.5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::RandomSparse;

    #[test]
    fn scattered_contacts_are_condensed_for_who_does_not_ask_for_bodies() {
        let formed = |contacts: usize, bodies: usize| {
            let problem = RandomSparse { contacts, bodies, ..RandomSparse::default() }.global::<3>().unwrap();
            let mass = problem.factor_mass().unwrap();
            assert!(matches!(problem.reduce(&mass).unwrap(), Reduced::MatrixFree(_)));
            matches!(problem.reduce_without_bodies(&mass).unwrap(), Reduced::Condensed(..))
        };
        assert!(formed(20, 60) && !formed(60, 60) && !formed(1200, 3000));
    }
}
