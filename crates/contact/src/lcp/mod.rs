//! Linear complementarity: find z and w with
//! $$ w = M z + q, \qquad 0 \le w \perp z \ge 0. $$
//!
//! | solver | for | ends |
//! |---|---|---|
//! | [`Lemke`] | copositive M and P-matrices, degenerate or not | after finitely many pivots |
//! | [`Pgs`] | symmetric positive definite or diagonally dominant M | in the limit |
//! | [`Enumeration`] | any M, n <= 20 | after 2^n bases, with every nondegenerate solution |
//! | the solvers of [`crate::qp`] | symmetric positive semidefinite M: $\min_{z \ge 0} \frac12 z \cdot M z + q \cdot z$ | see there |
//!
//! [`LcpSolverSpec`] names them all.
//!
//! # Reference
//! Cottle, Pang, Stone, The Linear Complementarity Problem, SIAM 2009 (cited as CPS).

mod basis;
mod catalog;
mod enumeration;
mod lemke;
mod pgs;

pub use catalog::{CataloguedLcp, LcpSolverSpec};
pub use enumeration::{Enumeration, MAX_ENUMERATED};
pub use lemke::{Lemke, LemkeOptions};
pub use pgs::{Pgs, PgsOptions};

use crate::block::norm;
use crate::matrix::Dense;
use serde::{Deserialize, Serialize};

/// Why arrays are no complementarity problem.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LcpError {
    /// M is not n x n for the n entries of q.
    #[error("M is {rows} x {cols}, but q has {expected} entries")]
    Size {
        /// Rows of M.
        rows: usize,
        /// Columns of M.
        cols: usize,
        /// Length of q.
        expected: usize,
    },
    /// NaN or infinity.
    #[error("{what} holds a number that is not finite in row {row}")]
    NotFinite {
        /// `M` or `q`.
        what: &'static str,
        /// The row.
        row: usize,
    },
}

/// The data M and q, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct LcpProblem {
    m: Dense,
    q: Vec<f64>,
}

impl LcpProblem {
    /// Checks sizes and numbers.
    pub fn new(m: Dense, q: Vec<f64>) -> Result<Self, LcpError> {
        let n = q.len();
        if m.rows() != n || m.cols() != n {
            return Err(LcpError::Size { rows: m.rows(), cols: m.cols(), expected: n });
        }
        if let Some(row) = (0..n).find(|&i| m.row(i).iter().any(|x| !x.is_finite())) {
            return Err(LcpError::NotFinite { what: "M", row });
        }
        if let Some(row) = q.iter().position(|x| !x.is_finite()) {
            return Err(LcpError::NotFinite { what: "q", row });
        }
        Ok(Self { m, q })
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// M.
    pub fn m(&self) -> &Dense {
        &self.m
    }

    /// q.
    pub fn q(&self) -> &[f64] {
        &self.q
    }

    /// `w = M z + q`.
    pub fn w(&self, z: &[f64]) -> Vec<f64> {
        self.m.mul(z).iter().zip(&self.q).map(|(a, b)| a + b).collect()
    }

    /// How good z is, whoever computed it.
    pub fn certify(&self, z: &[f64]) -> LcpCertificate {
        LcpCertificate::new(self, z, &self.w(z))
    }

    /// Closes a solve: w and the certificate are recomputed from z.
    fn solution(&self, z: Vec<f64>, status: LcpStatus, iterations: usize) -> LcpSolution {
        let w = self.w(&z);
        let certificate = LcpCertificate::new(self, &z, &w);
        LcpSolution { z, w, status, iterations, certificate }
    }
}

/// How good an answer is, recomputed from z alone.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LcpCertificate {
    /// `|min(m z, w)| / max(|q|, sqrt(eps) m |z|)` with m the largest entry of M in size: unit-free.
    pub error: f64,
    /// `max (-z)_+`.
    pub negative_z: f64,
    /// `max (-w)_+`.
    pub negative_w: f64,
    /// `max |z_i w_i|`.
    pub complementarity: f64,
}

impl LcpCertificate {
    fn new(problem: &LcpProblem, z: &[f64], w: &[f64]) -> Self {
        let scale = match problem.m.max_abs() {
            m if m > 0.0 => m,
            _ => 1.0,
        };
        // written so that NaN stays NaN: f64::min would drop it
        let least = |z: f64, w: f64| if z.is_nan() || scale * z < w { scale * z } else { w };
        let map: Vec<f64> = z.iter().zip(w).map(|(&z, &w)| least(z, w)).collect();
        let size = norm(&problem.q).max(f64::EPSILON.sqrt() * scale * norm(z));
        let map = norm(&map);
        let largest = |x: &mut dyn Iterator<Item = f64>| x.fold(0.0, f64::max);
        Self {
            error: if size > 0.0 { map / size } else { map },
            negative_z: largest(&mut z.iter().map(|z| -z)),
            negative_w: largest(&mut w.iter().map(|w| -w)),
            complementarity: largest(&mut z.iter().zip(w).map(|(z, w)| (z * w).abs())),
        }
    }

    /// Whether the error is a number at or below the tolerance.
    pub fn holds(&self, tolerance: f64) -> bool {
        self.error <= tolerance
    }
}

/// Asked after every iteration, with the number of them: true ends the solve as [`LcpStatus::Interrupted`].
pub type Halt<'a> = dyn FnMut(usize) -> bool + 'a;

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LcpStatus {
    /// A solution, certified to the solver's tolerance.
    Solved,
    /// Lemke's path ran off along a ray: for copositive-plus M there is no solution, for others nothing is known.
    RayTermination,
    /// Every basis was tried: there is none (up to solutions on singular bases alone).
    NoSolution,
    /// Pivots or sweeps ran out.
    IterationLimit,
    /// A zero or negative diagonal entry, or iterates that grow without bound.
    Diverged,
    /// A basis was found but rounding keeps it from its certificate.
    Inaccurate,
    /// More unknowns than the method can bear; nothing was tried.
    TooLarge,
    /// The iterates no longer move, or a matrix met on the way is singular: short of the tolerance.
    Stalled,
    /// Whoever watched asked to stop, or the time was up.
    Interrupted,
    /// M is not symmetric, as the quadratic programs need it; nothing was tried.
    Unsupported,
}

impl std::fmt::Display for LcpStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LcpStatus::Solved => "solved",
            LcpStatus::RayTermination => "ended on a ray",
            LcpStatus::NoSolution => "no solution",
            LcpStatus::IterationLimit => "iteration limit reached",
            LcpStatus::Diverged => "diverged",
            LcpStatus::Inaccurate => "short of the tolerance by rounding",
            LcpStatus::TooLarge => "not tried: too many unknowns for this method",
            LcpStatus::Stalled => "stalled: the iterates no longer move",
            LcpStatus::Interrupted => "interrupted",
            LcpStatus::Unsupported => "not tried: M is not symmetric",
        })
    }
}

/// The end of a solve.
#[derive(Debug, Clone, PartialEq)]
pub struct LcpSolution {
    /// z, the best there is.
    pub z: Vec<f64>,
    /// `w = M z + q`, recomputed.
    pub w: Vec<f64>,
    /// How it ended.
    pub status: LcpStatus,
    /// Pivots, sweeps or bases.
    pub iterations: usize,
    /// How good z is.
    pub certificate: LcpCertificate,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_certificate_sees_each_part() {
        let m = Dense::from_rows(&[&[2.0, 1.0], &[1.0, 2.0]]).unwrap();
        let p = LcpProblem::new(m, vec![-5.0, -6.0]).unwrap();
        let c = p.certify(&[4.0 / 3.0, 7.0 / 3.0]);
        assert!(c.error < 1e-15 && c.complementarity < 1e-14);
        assert!(p.certify(&[-1.0, 4.0]).negative_z == 1.0 && p.certify(&[0.0, 0.0]).negative_w == 6.0);
        assert!(!p.certify(&[f64::NAN, 0.0]).holds(1e9) && !p.certify(&[0.0, f64::NAN]).holds(1e9));
    }

    #[test]
    fn bad_data_are_refused_by_name() {
        let bad = Dense::from_rows(&[&[1.0, f64::NAN], &[0.0, 1.0]]).unwrap();
        assert_eq!(LcpProblem::new(bad, vec![0.0; 2]).unwrap_err(), LcpError::NotFinite { what: "M", row: 0 });
        let m = Dense::zeros(2, 2);
        let infinite = LcpProblem::new(m.clone(), vec![0.0, f64::INFINITY]).unwrap_err();
        assert_eq!(infinite, LcpError::NotFinite { what: "q", row: 1 });
        assert!(matches!(LcpProblem::new(m, vec![0.0; 3]), Err(LcpError::Size { .. })));
        assert!(matches!(LcpProblem::new(Dense::zeros(1, 2), vec![0.0]), Err(LcpError::Size { .. })));
    }
}
