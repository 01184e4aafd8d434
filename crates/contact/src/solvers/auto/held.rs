//! All contacts held: the guess that ends most structures at rest.

use super::super::course::{Course, Memory, Step};
use super::super::{Report, Solver, Status, Stop, Unknowns, Watch};
use crate::block::{add, diagonal, sub};
use crate::contact_system::{Accuracy, ContactSystem};
use crate::operator::Sweep;
use crate::problem::LocalProblem;

/// Regularisation of W, over its mean diagonal: small, so that few iterations are left where the guess is right.
const ALPHA: f64 = 1e-6;
/// Share of contacts whose held impulse may lie outside K; with more, the structure moves.
const OUTSIDE: f64 = 0.1;
/// Iterations at most: together they cost less than a factorisation.
const ITERATIONS: usize = 10;
const ACCURACY: Accuracy = Accuracy { target: 1e-10, gate: 1e-4 };

/// Alternating directions with so small a penalty $C = \alpha \bar W$ (the mean of its diagonal, row by row) that the first
/// iteration is the state of rest, $r = -(W + C)^{-1} q$: one factorisation. Where nearly all of it lies in K, a few more
/// iterations
/// $$ r = -(W + C)^{-1} (q + s - C (z - \xi)), \qquad z = P_K(r + \xi), \qquad \xi \leftarrow \xi + r - z $$
/// bring the rest in; where it does not, contacts open or slide in earnest, and the guess is given up.
pub(super) struct Held<'s, 'a, const D: usize, W: ?Sized> {
    pub system: &'s mut ContactSystem<'a, D, W>,
}

impl<const D: usize, W: Sweep<D> + ?Sized> Solver<D, W> for Held<'_, '_, D, W> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let n = problem.contacts();
        let (mut memory, zero) = (Memory::default(), vec![[0.0; D]; n]);
        let mean = |d: usize| (0..n).map(|c| problem.w.diagonal(c)[d][d]).sum::<f64>() / n as f64;
        let penalty: [f64; D] = std::array::from_fn(|d| ALPHA * mean(d));
        let factored = self.system.factor(&[], &vec![diagonal(&penalty); n]);
        let (mut r, mut z, mut xi, mut u, mut b) = (zero.clone(), zero.clone(), zero.clone(), zero.clone(), zero);
        let given_up = Step { iterations: 1, end: Some(Status::Stalled) };
        Course::begin(problem, stop, &mut memory, x).run(x, watch, |course, x, _| {
            let first = course.iteration == 0;
            if !factored {
                return given_up;
            }
            // what C gives way in the first iteration, the second takes back: without it, structures would creep
            let iterations = if first { 2 } else { 1 };
            for i in 0..iterations {
                let begun = first && i == 0;
                // 1. the linear system, with the shift s of the last velocities
                for c in 0..n {
                    b[c] = std::array::from_fn(|d| penalty[d] * (z[c][d] - xi[c][d]) - problem.q[c][d]);
                    b[c][0] -= if begun { 0.0 } else { problem.cones[c].shift(&u[c]) };
                }
                if !self.system.solve(&b, ACCURACY, &mut r) {
                    return given_up;
                }
                course.velocity(&r, &mut u);
                // 2. the projection
                let mut outside = 0;
                for c in 0..n {
                    let sum = add(&r[c], &xi[c]);
                    z[c] = problem.cones[c].project(&sum);
                    xi[c] = sub(&sum, &z[c]);
                    outside += usize::from(z[c] != sum);
                }
                if begun && outside as f64 > OUTSIDE * n as f64 {
                    return given_up;
                }
            }
            x.r.copy_from_slice(&z);
            course.velocity(&x.r, &mut x.u);
            Step { iterations, end: (course.iteration + iterations >= ITERATIONS).then_some(Status::Stalled) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::unwatched;
    use super::*;
    use crate::contact_system::Form;
    use crate::generate::BoxWall;
    use crate::operator::MatrixFree;
    use crate::problem::GlobalProblem;

    fn held(problem: &GlobalProblem<3>) -> Report {
        let problem: LocalProblem<3, MatrixFree<3>> = LocalProblem::matrix_free(problem).unwrap().unwrap();
        let mut system = ContactSystem::new(&problem.w, Form::Auto).unwrap();
        let (mut x, stop) = (Unknowns::zeros(&problem), Stop { tolerance: 1e-8, ..Stop::default() });
        let report = Held { system: &mut system }.solve(&problem, &mut x, &stop, &mut unwatched());
        assert_eq!(problem.certify(&x.r, stop.measure).0, report.certificate);
        report
    }

    #[test]
    fn a_tower_at_rest_takes_one_factorisation() {
        let tower = BoxWall { columns: 1, courses: 30, ..BoxWall::default() }.generate().unwrap();
        let report = held(&tower);
        assert_eq!((report.status, report.certificate.stick), (Status::Converged, tower.contacts()), "{report:?}");
        assert!(report.iterations <= ITERATIONS);
    }

    #[test]
    fn a_wall_whose_least_impulses_would_pull_is_given_up_at_once() {
        let report = held(&BoxWall { columns: 5, courses: 10, ..BoxWall::default() }.generate().unwrap());
        assert_eq!((report.status, report.iterations), (Status::Stalled, 1), "{report:?}");
    }
}
