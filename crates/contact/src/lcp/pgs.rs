//! Projected Gauss-Seidel and over-relaxation.

use super::{Halt, LcpProblem, LcpSolution, LcpStatus};
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// The options of [`Pgs`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct PgsOptions {
    /// Relaxation $\omega$ in (0, 2); 1 is Gauss-Seidel.
    pub omega: f64,
    /// The certificate's error must come down to this.
    pub tolerance: f64,
    /// Most sweeps.
    pub max_sweeps: usize,
}

/// What is wrong with any other omega.
pub(super) const OMEGA: &str = "omega must lie between 0 and 2: beyond, sweeps diverge for every M";

/// Written so that NaN is refused too.
pub(super) fn allowed(omega: f64) -> bool {
    omega > 0.0 && omega < 2.0
}

impl Default for PgsOptions {
    fn default() -> Self {
        Self { omega: 1.0, tolerance: 1e-10, max_sweeps: 10_000 }
    }
}

/// $z_i \leftarrow (z_i - \omega w_i / M_{ii})_+$, one row after the other.
///
/// Converges for symmetric positive definite M and $0 < \omega < 2$, and for strictly diagonally dominant M with
/// positive diagonal and $\omega \le 1$. A diagonal entry that is not positive ends it as `Diverged` at once.
///
/// # Reference
/// Cryer 1971; CPS, section 5.3 and theorem 5.3.12.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pgs {
    options: PgsOptions,
}

impl Pgs {
    /// A solver with these options.
    pub fn new(options: PgsOptions) -> Self {
        Self { options }
    }

    /// Sweeps from z = 0.
    pub fn solve(&self, problem: &LcpProblem) -> LcpSolution {
        self.solve_until(problem, &mut |_| false)
    }

    /// The same, asking after every sweep whether to stop.
    pub fn solve_until(&self, problem: &LcpProblem, halt: &mut Halt<'_>) -> LcpSolution {
        let n = problem.size();
        let PgsOptions { omega, tolerance, max_sweeps } = self.options;
        let mut z = vec![0.0; n];
        let diagonal: Vec<f64> = (0..n).map(|i| problem.m().row(i)[i]).collect();
        if diagonal.iter().any(|d| *d <= 0.0) || !allowed(omega) {
            return problem.solution(z, LcpStatus::Diverged, 0);
        }
        for sweep in 0..=max_sweeps {
            let certificate = problem.certify(&z);
            if certificate.holds(tolerance) {
                return problem.solution(z, LcpStatus::Solved, sweep);
            }
            if !certificate.error.is_finite() {
                return problem.solution(vec![0.0; n], LcpStatus::Diverged, sweep);
            }
            if sweep == max_sweeps {
                break;
            }
            for i in 0..n {
                let w: f64 = problem.m().row(i).iter().zip(&z).map(|(a, z)| a * z).sum::<f64>() + problem.q()[i];
                z[i] = (z[i] - omega * w / diagonal[i]).max(0.0);
            }
            if halt(sweep + 1) {
                return problem.solution(z, LcpStatus::Interrupted, sweep + 1);
            }
        }
        problem.solution(z, LcpStatus::IterationLimit, max_sweeps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Dense;

    #[test]
    fn limits_are_statuses() {
        let m = Dense::from_rows(&[&[2.0, 1.0], &[1.0, 2.0]]).unwrap();
        let p = LcpProblem::new(m, vec![-5.0, -6.0]).unwrap();
        assert_eq!(Pgs::default().solve(&p).status, LcpStatus::Solved);
        let short = PgsOptions { max_sweeps: 2, ..PgsOptions::default() };
        assert_eq!(Pgs::new(short).solve(&p).status, LcpStatus::IterationLimit);
        let wild = PgsOptions { omega: f64::NAN, ..PgsOptions::default() };
        assert_eq!(Pgs::new(wild).solve(&p).status, LcpStatus::Diverged);
        let flat = LcpProblem::new(Dense::zeros(1, 1), vec![-1.0]).unwrap();
        assert_eq!(Pgs::default().solve(&flat).status, LcpStatus::Diverged);
    }
}
