//! Convex quadratic programs with bounds,
//! $$ \min_{lo \le x \le hi} \tfrac12 x \cdot A x + b \cdot x, $$
//! A symmetric positive semidefinite; and the nonsymmetric relative that friction makes of them.
//!
//! | solver | for | ends |
//! |---|---|---|
//! | [`ProjectedGradient`] | any convex problem | in the limit |
//! | [`ProjectedCg`] | any convex problem, large ones too | after finitely many steps, up to rounding |
//! | [`ActiveSet`] | A positive definite on the free faces | after finitely many factorisations |
//! | [`NonsymmetricQp`] | linear constraints, nonsymmetric A, constraint forces of their own direction | see there |

mod active_set;
mod nonsymmetric;
mod projected_cg;
mod projected_gradient;

pub use active_set::ActiveSet;
pub use nonsymmetric::{NonsymmetricOptions, NonsymmetricQp, NonsymmetricSolution};
pub use projected_cg::ProjectedCg;
pub use projected_gradient::ProjectedGradient;

use crate::block::norm;
use crate::matrix::Dense;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// Why arrays are no quadratic program.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum QpError {
    /// Two parts disagree about a size.
    #[error("{what}: {found} found, {expected} expected")]
    Size {
        /// The part.
        what: &'static str,
        /// Its size.
        found: usize,
        /// The size that b asks for.
        expected: usize,
    },
    /// NaN, or infinity where there must be a number.
    #[error("{what} holds a number that is not finite in row {row}")]
    NotFinite {
        /// The part.
        what: &'static str,
        /// The row.
        row: usize,
    },
    /// No x lies between the bounds.
    #[error("bounds of x[{row}]: {lo} above {hi}")]
    Bounds {
        /// The unknown.
        row: usize,
        /// Its lower bound.
        lo: f64,
        /// Its upper bound.
        hi: f64,
    },
    /// A is not symmetric; [`NonsymmetricQp`] takes such an A.
    #[error("A is not symmetric in row {row}; use the nonsymmetric solver")]
    Unsymmetric {
        /// A row that differs from its column by more than rounding.
        row: usize,
    },
}

/// A, b and the bounds, checked. Bounds may be infinite.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxQp {
    a: Dense,
    b: Vec<f64>,
    lo: Vec<f64>,
    hi: Vec<f64>,
    /// Largest entry of A in size, 1 for A = 0: turns a length into a gradient.
    scale: f64,
}

/// Checks that `a` is n x n and finite.
fn check_square(a: &Dense, n: usize) -> Result<(), QpError> {
    for (what, found) in [("rows of A", a.rows()), ("columns of A", a.cols())] {
        if found != n {
            return Err(QpError::Size { what, found, expected: n });
        }
    }
    match (0..n).find(|&i| a.row(i).iter().any(|x| !x.is_finite())) {
        Some(row) => Err(QpError::NotFinite { what: "A", row }),
        None => Ok(()),
    }
}

impl BoxQp {
    /// Checks sizes, numbers, symmetry and bounds. That A is positive semidefinite is not checked.
    pub fn new(a: Dense, b: Vec<f64>, lo: Vec<f64>, hi: Vec<f64>) -> Result<Self, QpError> {
        let n = b.len();
        check_square(&a, n)?;
        for (what, found) in [("lo", lo.len()), ("hi", hi.len())] {
            if found != n {
                return Err(QpError::Size { what, found, expected: n });
            }
        }
        if let Some(row) = b.iter().position(|x| !x.is_finite()) {
            return Err(QpError::NotFinite { what: "b", row });
        }
        for row in 0..n {
            let (lo, hi) = (lo[row], hi[row]);
            if lo.is_nan() || hi.is_nan() || lo == f64::INFINITY || hi == f64::NEG_INFINITY {
                return Err(QpError::NotFinite { what: "a bound", row });
            }
            if lo > hi {
                return Err(QpError::Bounds { row, lo, hi });
            }
        }
        let scale = if a.max_abs() > 0.0 { a.max_abs() } else { 1.0 };
        if let Some(row) = (0..n).find(|&i| (0..i).any(|j| (a.row(i)[j] - a.row(j)[i]).abs() > 1e-10 * scale)) {
            return Err(QpError::Unsymmetric { row });
        }
        Ok(Self { a, b, lo, hi, scale })
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.b.len()
    }

    /// `A x + b`.
    pub fn gradient(&self, x: &[f64]) -> Vec<f64> {
        self.a.mul(x).iter().zip(&self.b).map(|(a, b)| a + b).collect()
    }

    /// `1/2 x.A x + b.x`.
    pub fn objective(&self, x: &[f64]) -> f64 {
        let ax = self.a.mul(x);
        x.iter().zip(ax.iter().zip(&self.b)).map(|(x, (a, b))| x * (0.5 * a + b)).sum()
    }

    /// The nearest point between the bounds.
    fn project(&self, x: &mut [f64]) {
        for i in 0..x.len() {
            x[i] = x[i].max(self.lo[i]).min(self.hi[i]);
        }
    }

    /// A start: zero, moved between the bounds.
    fn start(&self) -> Vec<f64> {
        let mut x = vec![0.0; self.size()];
        self.project(&mut x);
        x
    }

    /// The negative gradient without the parts that a bound takes up: zero exactly at a minimum.
    fn projected_gradient(&self, x: &[f64], g: &[f64]) -> Vec<f64> {
        let held = |i: usize| (x[i] <= self.lo[i] && g[i] > 0.0) || (x[i] >= self.hi[i] && g[i] < 0.0);
        (0..x.len()).map(|i| if held(i) { 0.0 } else { -g[i] }).collect()
    }

    /// How good x is, whoever computed it.
    pub fn certify(&self, x: &[f64]) -> QpCertificate {
        let g = self.gradient(x);
        let outside = (0..x.len()).map(|i| (self.lo[i] - x[i]).max(x[i] - self.hi[i])).fold(0.0, f64::max);
        let stationarity = self.projected_gradient(x, &g).iter().fold(0.0, |m: f64, p| m.max(p.abs()));
        let (error, objective) = (self.error(x, &g), self.objective(x));
        QpCertificate { error, infeasibility: outside, stationarity, objective }
    }

    /// The error of x, whose gradient is g.
    fn error(&self, x: &[f64], g: &[f64]) -> f64 {
        let mut moved: Vec<f64> = x.iter().zip(g).map(|(x, g)| x - g / self.scale).collect();
        if moved.iter().any(|x| x.is_nan()) {
            return f64::NAN;
        }
        self.project(&mut moved);
        let map = norm(&x.iter().zip(&moved).map(|(x, y)| self.scale * (x - y)).collect::<Vec<_>>());
        let size = norm(&self.b).max(f64::EPSILON.sqrt() * self.scale * norm(x));
        if size > 0.0 { map / size } else { map }
    }

    fn solution(&self, x: Vec<f64>, status: QpStatus, iterations: usize) -> QpSolution {
        let certificate = self.certify(&x);
        QpSolution { x, status, iterations, certificate }
    }
}

/// The KKT conditions, recomputed from x alone and meaning the same for every solver.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct QpCertificate {
    /// `a |x - P(x - (A x + b) / a)| / max(|b|, sqrt(eps) a |x|)`, a the largest entry of A in size: unit-free.
    pub error: f64,
    /// Farthest that x leaves its bounds.
    pub infeasibility: f64,
    /// Largest part of the gradient that no bound takes up.
    pub stationarity: f64,
    /// `1/2 x.A x + b.x`.
    pub objective: f64,
}

impl QpCertificate {
    /// Whether the error is a number at or below the tolerance.
    pub fn holds(&self, tolerance: f64) -> bool {
        self.error <= tolerance
    }
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QpStatus {
    /// The certificate holds.
    Solved,
    /// The iterations ran out.
    IterationLimit,
    /// A direction was found along which the objective falls for ever.
    Unbounded,
    /// The matrix of a face is singular, or the iterates no longer move: short of the tolerance.
    Stalled,
    /// Whoever watched asked to stop, or the time was up.
    Interrupted,
}

/// Asked after every iteration, with the number of them: true ends the solve as [`QpStatus::Interrupted`].
pub type Halt<'a> = dyn FnMut(usize) -> bool + 'a;

/// Limits that all the solvers of bounds share.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct QpOptions {
    /// The certificate's error must come down to this.
    pub tolerance: f64,
    /// Most iterations.
    pub max_iterations: usize,
}

impl Default for QpOptions {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 10_000 }
    }
}

/// The end of a solve.
#[derive(Debug, Clone, PartialEq)]
pub struct QpSolution {
    /// The point.
    pub x: Vec<f64>,
    /// How it ended.
    pub status: QpStatus,
    /// Steps or factorisations.
    pub iterations: usize,
    /// How good x is.
    pub certificate: QpCertificate,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_data_are_refused_by_name() {
        let one = || Dense::from_rows(&[&[1.0]]).unwrap();
        let qp = |a, b: f64, lo: f64, hi: f64| BoxQp::new(a, vec![b], vec![lo], vec![hi]);
        assert!(qp(one(), 1.0, f64::NEG_INFINITY, f64::INFINITY).is_ok());
        assert!(matches!(qp(one(), f64::NAN, 0.0, 1.0), Err(QpError::NotFinite { what: "b", .. })));
        assert!(matches!(qp(one(), 0.0, f64::NAN, 1.0), Err(QpError::NotFinite { .. })));
        assert!(matches!(qp(one(), 0.0, 2.0, 1.0), Err(QpError::Bounds { .. })));
        assert!(matches!(qp(Dense::zeros(1, 2), 0.0, 0.0, 1.0), Err(QpError::Size { .. })));
        let skew = Dense::from_rows(&[&[1.0, 1.0], &[0.0, 1.0]]).unwrap();
        assert!(matches!(
            BoxQp::new(skew, vec![0.0; 2], vec![0.0; 2], vec![1.0; 2]),
            Err(QpError::Unsymmetric { row: 1 })
        ));
        let p = qp(one(), 1.0, 0.0, 1.0).unwrap();
        assert!(!p.certify(&[f64::NAN]).holds(1e9));
    }
}
