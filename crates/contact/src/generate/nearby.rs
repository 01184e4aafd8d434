//! A problem near another one: what the next time step asks, for warm starts.

use super::Random;
use crate::block::norm_all;
use crate::operator::Delassus;
use crate::problem::LocalProblem;

/// Moves a problem by random impulses at its contacts, $q \leftarrow q + s W \delta$ with $\delta_i = \xi_i q_i / W_{ii}$, $\xi_i$ uniform in
/// $[-1, 1)$, and s such that $\lVert s W \delta \rVert$ is `size` $\lVert q \rVert$; the free velocities follow. The same seed gives the same problem.
///
/// Bodies that were pushed have an answer if they had one before: there is one where $q + W x$ is inside the dual cones for some x, and a change
/// by $W \delta$ only moves x. Entries of q changed one by one leave the range of a singular W, and packings and walls then often
/// have none.
///
/// # Reference
/// Acary, Cadoux, Lemaréchal, Malick, *A formulation of the linear discrete Coulomb friction problem via convex optimization*, 2011, for
/// the criterion.
pub fn nearby<const D: usize, W: Delassus<D>>(problem: &mut LocalProblem<D, W>, size: f64, seed: u64) {
    let mut random = Random::new(seed);
    let push = |(c, q): (usize, &[f64; D])| {
        let w = problem.w.diagonal(c);
        std::array::from_fn(|i| {
            let xi = random.between(-1.0, 1.0);
            if w[i][i] > 0.0 { xi * q[i] / w[i][i] } else { 0.0 }
        })
    };
    let delta: Vec<[f64; D]> = problem.q.iter().enumerate().map(push).collect();
    let (mut u, mut v) = (vec![[0.0; D]; delta.len()], vec![0.0; problem.w.state_len()]);
    problem.w.apply(&delta, &mut u, &mut v);
    let moved = norm_all(&u);
    let s = if moved > 0.0 { size * norm_all(&problem.q) / moved } else { 0.0 };
    problem.q.as_flattened_mut().iter_mut().zip(u.as_flattened()).for_each(|(q, u)| *q += s * u);
    problem.v_free.iter_mut().zip(&v).for_each(|(free, v)| *free += s * v);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::sub;
    use crate::generate::SphereLattice;
    use crate::operator::Bodies;
    use crate::solvers::{Auto, Solver, Stop, Unknowns, unwatched};

    #[test]
    fn it_is_small_the_same_every_time_and_keeps_w() {
        let problem = SphereLattice::default().spheres().unwrap();
        let [mut a, mut b, mut c] = [problem.clone(), problem.clone(), problem.clone()];
        nearby(&mut a, 0.01, 1);
        nearby(&mut b, 0.01, 1);
        nearby(&mut c, 0.01, 2);
        assert!(a == b && a.q != c.q);
        let difference: Vec<_> = a.q.iter().zip(&problem.q).map(|(a, b)| sub(a, b)).collect();
        assert!((norm_all(&difference) / norm_all(&problem.q) - 0.01).abs() < 1e-12);
        // what q has beside the free velocities is as it was
        for problem in [&problem, &a] {
            let mut u = vec![[0.0; 3]; problem.contacts()];
            problem.w.relative_velocity(&problem.v_free, &mut u);
            let w: Vec<_> = u.iter().zip(&problem.q).map(|(u, q)| sub(u, q)).collect();
            assert!(norm_all(&w) < 1e-12 * norm_all(&problem.q));
        }
    }

    /// 91 contacts of 27 balls: what they answer is in a space of fewer dimensions.
    #[test]
    fn a_packing_still_has_an_answer() {
        let lattice = SphereLattice { nx: 3, ny: 3, nz: 3, ..SphereLattice::default() };
        for seed in 0..20 {
            let mut problem = lattice.spheres().unwrap();
            nearby(&mut problem, 0.01, seed);
            let stop = Stop { tolerance: 1e-8, max_iterations: 2000, ..Stop::default() };
            let mut x = Unknowns::zeros(&problem);
            let report = Auto::default().solve(&problem, &mut x, &stop, &mut unwatched());
            assert!(report.converged(), "{seed}: {report:?}");
        }
    }
}
