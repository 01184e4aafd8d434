//! Every complementary basis in turn.

use super::basis::solve_basis;
use super::{Halt, LcpProblem, LcpSolution, LcpStatus};
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// The most unknowns that are enumerated: a million bases.
pub const MAX_ENUMERATED: usize = 20;

/// Tries all $2^n$ sets a of basic z: $M_{aa} z_a = -q_a$, $z_a \ge 0$, $w \ge 0$.
///
/// Finds a solution whenever one lies on a nonsingular basis, whatever M: every isolated solution does. A solution set
/// of positive dimension is met in those of its vertices that have a nonsingular basis.
///
/// # Reference
/// CPS, section 1.2 (complementary cones).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Enumeration {
    /// The certificate that makes a basis a solution.
    pub tolerance: f64,
}

impl Default for Enumeration {
    fn default() -> Self {
        Self { tolerance: 1e-10 }
    }
}

impl Enumeration {
    /// The first solution in the order of the bases, or the statuses `NoSolution` and `TooLarge` with z = 0.
    pub fn solve(&self, problem: &LcpProblem) -> LcpSolution {
        self.solve_until(problem, &mut |_| false)
    }

    /// The same, asking after every basis whether to stop.
    pub fn solve_until(&self, problem: &LcpProblem, halt: &mut Halt<'_>) -> LcpSolution {
        let (mut tried, mut found, mut halted) = (0, None, false);
        for basis in self.bases(problem) {
            tried += 1;
            found = basis;
            halted = found.is_none() && halt(tried);
            if found.is_some() || halted {
                break;
            }
        }
        let status = match found {
            Some(_) => LcpStatus::Solved,
            None if halted => LcpStatus::Interrupted,
            None if problem.size() > MAX_ENUMERATED => LcpStatus::TooLarge,
            None => LcpStatus::NoSolution,
        };
        problem.solution(found.unwrap_or_else(|| vec![0.0; problem.size()]), status, tried)
    }

    /// All solutions, each once; `None` beyond [`MAX_ENUMERATED`] unknowns.
    pub fn all(&self, problem: &LcpProblem) -> Option<Vec<Vec<f64>>> {
        if problem.size() > MAX_ENUMERATED {
            return None;
        }
        let mut found: Vec<Vec<f64>> = Vec::new();
        for z in self.bases(problem).flatten() {
            let size = z.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            // a degenerate solution shows on several bases
            let same = |y: &Vec<f64>| y.iter().zip(&z).all(|(a, b)| (a - b).abs() <= 1e-9 * size);
            if !found.iter().any(same) {
                found.push(z);
            }
        }
        Some(found)
    }

    /// Each basis: its z where that is a solution.
    fn bases<'a>(&'a self, problem: &'a LcpProblem) -> impl Iterator<Item = Option<Vec<f64>>> + 'a {
        let n = problem.size();
        let count = if n <= MAX_ENUMERATED { 1u32 << n } else { 0 };
        (0..count).map(move |mask| {
            let basic: Vec<usize> = (0..n).filter(|i| mask >> i & 1 == 1).collect();
            let z = solve_basis(problem, &basic)?;
            problem.certify(&z).holds(self.tolerance).then_some(z)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Dense;

    #[test]
    fn two_solutions_one_or_none() {
        // M = -1 has z = 0 and z = q for q > 0
        let p = LcpProblem::new(Dense::from_rows(&[&[-1.0]]).unwrap(), vec![2.0]).unwrap();
        assert_eq!(Enumeration::default().all(&p).unwrap(), [[0.0], [2.0]]);
        // 0 z - 1 >= 0 has none
        let p = LcpProblem::new(Dense::zeros(1, 1), vec![-1.0]).unwrap();
        assert_eq!(Enumeration::default().solve(&p).status, LcpStatus::NoSolution);
        assert_eq!(Enumeration::default().all(&p).unwrap().len(), 0);
        let p = LcpProblem::new(Dense::zeros(21, 21), vec![1.0; 21]).unwrap();
        assert_eq!(Enumeration::default().solve(&p).status, LcpStatus::TooLarge);
        assert!(Enumeration::default().all(&p).is_none());
    }
}
