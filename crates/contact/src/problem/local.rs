//! The reduced problem FC/II.

use super::check::{self, Notice, ProblemError};
use crate::cone::Cone;
use crate::operator::{BlockCsr, Delassus};

/// Find `u, r` with `u = W r + q` and the law of each contact's cone [D, eq. 9].
///
/// W may be any [`Delassus`] operator: assembled, or matrix-free.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalProblem<const D: usize, W: ?Sized = BlockCsr<D>> {
    /// Free relative velocity q, one vector a contact.
    pub q: Vec<[f64; D]>,
    /// The law of each contact.
    pub cones: Vec<Cone>,
    /// The Delassus operator W; last, so that a problem can be passed on with its operator's type erased.
    pub w: W,
}

impl<const D: usize, W: Delassus<D>> LocalProblem<D, W> {
    /// Checks sizes, numbers and diagonal blocks, so that solvers need not.
    pub fn new(w: W, q: Vec<[f64; D]>, cones: Vec<Cone>) -> Result<Self, ProblemError> {
        check::sizes(w.contacts(), &q, &cones)?;
        check::free_velocity(&q)?;
        check::cones(&cones)?;
        check::diagonal(&w, &q, &cones)?;
        Ok(Self { q, cones, w })
    }
}

impl<const D: usize, W: ?Sized> LocalProblem<D, W> {
    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.q.len()
    }
}

impl<const D: usize> LocalProblem<D> {
    /// As [`new`](Self::new) for an assembled W, with its entries checked too and what is odd about it noticed.
    pub fn assembled(w: BlockCsr<D>, q: Vec<[f64; D]>, cones: Vec<Cone>) -> Result<(Self, Vec<Notice>), ProblemError> {
        check::sizes(w.contacts(), &q, &cones)?;
        check::entries(&w)?;
        let asymmetry = w.asymmetry();
        let problem = Self::new(w, q, cones)?;
        Ok((problem, check::asymmetry_notice("W", asymmetry)?.into_iter().collect()))
    }
}
