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
    /// The velocities `M^-1 f` of the bodies without impulses, of the length of the operator's state; empty where they are
    /// not known. What q has beside `H^T v_free` is w.
    pub v_free: Vec<f64>,
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
        Ok(Self { q, cones, v_free: Vec::new(), w })
    }

    /// Tells the velocities of the bodies without impulses, which load-carrying methods start from.
    ///
    /// # Panics
    /// When there are not as many as the operator's state has.
    pub fn with_v_free(self, v_free: Vec<f64>) -> Self {
        assert_eq!(v_free.len(), self.w.state_len(), "one free velocity for each degree of freedom");
        Self { v_free, ..self }
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
