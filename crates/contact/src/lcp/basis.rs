//! The z of a complementary basis.

use super::LcpProblem;
use crate::matrix::DenseLu;

/// `M_aa z_a = -q_a`, zero elsewhere, for the basic indices a; `None` when M_aa is singular.
pub(super) fn solve_basis(problem: &LcpProblem, basic: &[usize]) -> Option<Vec<f64>> {
    let mut z = vec![0.0; problem.size()];
    let part = problem.m().part(basic, basic);
    let rhs: Vec<f64> = basic.iter().map(|&i| -problem.q()[i]).collect();
    let lu = DenseLu::new(part.clone())?;
    for (&i, x) in basic.iter().zip(lu.solve_refined(&part, &rhs)) {
        z[i] = x;
    }
    Some(z)
}
