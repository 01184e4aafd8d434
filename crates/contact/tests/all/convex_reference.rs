//! Frictionless and Tresca contact are convex: Gauss-Seidel against an interior-point solver of its own kind.
//!
//! With a fixed bound, r minimises `1/2 r.W r + q.r` over `r_N >= 0, |r_T| <= radius`, and u = W r + q is unique.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus, ZeroConeT,
};
use stickslip_contact::block::{norm_all, sub};
use stickslip_contact::certificate::Measure;
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::RandomSparse;
use stickslip_contact::matrix::{Csc, Csr, Triplet};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{Nsgs, Solver, Stop, Unknowns, unwatched};

fn clarabel_matrix(a: &Csr) -> CscMatrix<f64> {
    let a = Csc::from(a);
    let (rows, cols) = a.shape();
    let index = a.row_indices().iter().map(|&i| i as usize).collect();
    CscMatrix::new(rows, cols, a.pointers().to_vec(), index, a.values().to_vec())
}

/// The convex reference: s = b - A x in the cones.
fn reference(problem: &LocalProblem<3>) -> Vec<[f64; 3]> {
    let n = problem.contacts();
    let w = problem.w.to_csr();
    let mut upper = Triplet::empty(3 * n, 3 * n);
    for i in 0..3 * n {
        w.row(i).filter(|e| e.0 >= i).for_each(|(j, x)| upper.push(i, j, x));
    }
    let mut a = Triplet::empty(4 * n, 3 * n);
    let (mut b, mut cones) = (vec![0.0; 4 * n], Vec::new());
    for (c, cone) in problem.cones.iter().enumerate() {
        a.push(4 * c, 3 * c, -1.0);
        cones.push(NonnegativeConeT(1));
        a.push(4 * c + 2, 3 * c + 1, -1.0);
        a.push(4 * c + 3, 3 * c + 2, -1.0);
        match cone {
            Cone::Tresca { radius } => {
                b[4 * c + 1] = *radius;
                cones.push(SecondOrderConeT(3));
            }
            _ => cones.push(ZeroConeT(3)),
        }
    }
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .tol_gap_abs(1e-11)
        .tol_gap_rel(1e-11)
        .tol_feas(1e-11)
        .build()
        .unwrap();
    let (p, a) = (clarabel_matrix(&Csr::from(&upper)), clarabel_matrix(&Csr::from(&a)));
    let mut solver = DefaultSolver::new(&p, problem.q.as_flattened(), &a, &b, &cones, settings).unwrap();
    solver.solve();
    assert!(matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved));
    solver.solution.x.as_chunks::<3>().0.to_vec()
}

fn compare(cone: impl Fn(usize) -> Cone) {
    for seed in 0..5 {
        let mut problem =
            RandomSparse { contacts: 60, bodies: 40, seed, ..RandomSparse::default() }.local::<3>().unwrap();
        problem.cones = (0..problem.contacts()).map(&cone).collect();
        let mut x = Unknowns::zeros(&problem);
        let stop = Stop { tolerance: 1e-10, ..Stop::default() };
        let report = Nsgs::default().solve(&problem, &mut x, &stop, &mut unwatched());
        assert!(report.converged(), "{report:?}");
        let (certificate, u) = problem.certify(&reference(&problem), Measure::Scaled);
        assert!(certificate.error < 1e-6, "the reference itself: {certificate:?}");
        let difference: Vec<[f64; 3]> = x.u.iter().zip(&u).map(|(a, b)| sub(a, b)).collect();
        let distance = norm_all(&difference) / norm_all(&problem.q);
        assert!(distance < 1e-5, "seed {seed}: u differs by {distance:e} of |q|");
    }
}

#[test]
fn frictionless() {
    compare(|_| Cone::Frictionless);
}

#[test]
fn tresca() {
    compare(|c| Cone::Tresca { radius: 0.05 * (1 + c % 7) as f64 });
}

#[test]
fn both_in_one_problem() {
    compare(|c| if c % 2 == 0 { Cone::Frictionless } else { Cone::Tresca { radius: 0.2 } });
}
