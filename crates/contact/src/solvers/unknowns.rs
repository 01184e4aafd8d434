//! The unknowns r and u.

use crate::operator::Delassus;
use crate::problem::LocalProblem;

/// Impulses and relative velocities, one vector a contact.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Unknowns<const D: usize> {
    /// Impulses r: the start on entry, the answer on return.
    pub r: Vec<[f64; D]>,
    /// Relative velocities `u = W r + q`, set on return.
    pub u: Vec<[f64; D]>,
}

/// Why a start cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StartError {
    /// Wrong length.
    #[error("the starting r has {found} entries, the problem has {expected}")]
    Length {
        /// Entries given.
        found: usize,
        /// Entries needed.
        expected: usize,
    },
    /// NaN or infinity.
    #[error("the starting r holds a number that is not finite at entry {index}")]
    NotFinite {
        /// Where.
        index: usize,
    },
}

impl<const D: usize> Unknowns<D> {
    /// The cold start r = 0.
    pub fn zeros<W: Delassus<D> + ?Sized>(problem: &LocalProblem<D, W>) -> Self {
        let n = problem.contacts();
        Self { r: vec![[0.0; D]; n], u: vec![[0.0; D]; n] }
    }

    /// A warm start from a flat r.
    pub fn from_flat<W: Delassus<D> + ?Sized>(problem: &LocalProblem<D, W>, r: &[f64]) -> Result<Self, StartError> {
        let expected = problem.contacts() * D;
        if r.len() != expected {
            return Err(StartError::Length { found: r.len(), expected });
        }
        if let Some(index) = r.iter().position(|x| !x.is_finite()) {
            return Err(StartError::NotFinite { index });
        }
        let mut x = Self::zeros(problem);
        x.r.as_flattened_mut().copy_from_slice(r);
        Ok(x)
    }
}
