//! The global problem FC/I.

use super::check::{self, Notice, ProblemError};
use crate::cone::Cone;
use crate::matrix::Csr;
use std::sync::Arc;

/// Find `v, u, r` with `M v = H r + f`, `u = H^T v + w` and the law of each contact's cone [D, eq. 8].
#[derive(Debug, Clone, PartialEq)]
pub struct GlobalProblem<const D: usize> {
    /// Mass or iteration matrix M, n x n, symmetric positive definite; operators share it.
    pub m: Arc<Csr>,
    /// H, n x m: its columns are the contact rows.
    pub h: Csr,
    /// Generalised free impulse f, n entries.
    pub f: Vec<f64>,
    /// Prescribed relative velocity w, one vector a contact.
    pub w: Vec<[f64; D]>,
    /// The law of each contact.
    pub cones: Vec<Cone>,
}

impl<const D: usize> GlobalProblem<D> {
    /// Checks sizes and numbers; a stored triangle of M is reflected, with a notice.
    ///
    /// That M is positive definite shows when it is factored, by
    /// [`condense`](Self::condense) or [`MatrixFree`](crate::operator::MatrixFree).
    pub fn new(
        m: Csr,
        h: Csr,
        f: Vec<f64>,
        w: Vec<[f64; D]>,
        cones: Vec<Cone>,
    ) -> Result<(Self, Vec<Notice>), ProblemError> {
        let n = m.rows();
        check::length("columns of M", m.cols(), n)?;
        check::length("rows of H", h.rows(), n)?;
        check::length("columns of H", h.cols(), D * w.len())?;
        check::length("f", f.len(), n)?;
        check::sizes(w.len(), &w, &cones)?;
        check::finite("M", m.values())?;
        check::finite("H", h.values())?;
        check::finite("f", &f)?;
        check::finite("w", w.as_flattened())?;
        check::cones(&cones)?;
        let mut notices = Vec::new();
        let m = if m.is_one_triangle() {
            notices.push(Notice::TriangleReflected { matrix: "M" });
            m.reflected()
        } else {
            notices.extend(check::asymmetry_notice("M", m.asymmetry())?);
            m
        };
        Ok((Self { m: Arc::new(m), h, f, w, cones }, notices))
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.w.len()
    }

    /// Number of degrees of freedom.
    pub fn dofs(&self) -> usize {
        self.f.len()
    }
}
