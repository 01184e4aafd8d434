//! The automatic choice: it certifies, it says why, and it keeps to its limits.

use std::time::Duration;
use stickslip_contact::certificate::Measure;
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::{BoxWall, RandomSparse, SphereLattice};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{AutoOptions, Compiled, Flow, Report, SolverSpec, Status, Stop, Unknowns, unwatched};

fn solve<const D: usize, W: Compiled<D>>(problem: &LocalProblem<D, W>, stop: &Stop) -> (Unknowns<D>, Report) {
    let mut x = Unknowns::zeros(problem);
    let report = SolverSpec::Auto(AutoOptions::default()).build().solve(problem, &mut x, stop, &mut unwatched());
    assert_eq!(problem.certify(&x.r, stop.measure).0, report.certificate);
    assert_eq!(report.converged(), report.certificate.error <= stop.tolerance);
    (x, report)
}

fn wall() -> LocalProblem<3, stickslip_contact::operator::MatrixFree<3>> {
    let wall = BoxWall { columns: 5, courses: 10, ..BoxWall::default() }.generate().unwrap();
    LocalProblem::matrix_free(&wall).unwrap().unwrap()
}

#[test]
fn it_is_the_default() {
    assert_eq!(SolverSpec::default().name(), "auto");
}

#[test]
fn an_easy_problem_needs_sweeps_alone() {
    let problem = SphereLattice { nx: 3, ny: 3, nz: 2, ..SphereLattice::default() }.spheres().unwrap();
    let (_, report) = solve(&problem, &Stop { tolerance: 1e-4, ..Stop::default() });
    assert!(report.converged(), "{report:?}");
    assert!(report.why.iter().all(|w| !w.contains("interior point")), "{:?}", report.why);
}

#[test]
fn a_wall_at_1e8_is_taken_by_the_interior_point() {
    let (_, report) = solve(&wall(), &Stop { tolerance: 1e-8, ..Stop::default() });
    assert!(report.converged(), "{report:?}");
    assert!(report.why.iter().any(|w| w.starts_with("interior point")), "{:?}", report.why);
}

#[test]
fn what_the_interior_point_does_not_know_is_swept() {
    let mut problem = RandomSparse { contacts: 40, bodies: 30, ..RandomSparse::default() }.local::<3>().unwrap();
    problem.cones[3] = Cone::Tresca { radius: 0.1 };
    let (_, report) = solve(&problem, &Stop { tolerance: 1e-9, ..Stop::default() });
    assert!(report.converged(), "{report:?}");
}

#[test]
fn limits_hold_for_the_whole_portfolio() {
    let problem = wall();
    let hard = Stop { tolerance: 1e-17, measure: Measure::Scaled, ..Stop::default() };
    let (_, report) = solve(&problem, &Stop { max_iterations: 100, ..hard });
    assert_eq!((report.status, report.iterations), (Status::IterationLimit, 100));
    let (_, report) = solve(&problem, &Stop { time_limit: Some(Duration::from_millis(1)), ..hard });
    assert_eq!(report.status, Status::TimeLimit);
    let mut x = Unknowns::zeros(&problem);
    let mut seen = Vec::new();
    let mut watch = |p: &stickslip_contact::solvers::Progress| {
        seen.push(p.iteration);
        if p.iteration >= 90 { Flow::Stop } else { Flow::Continue }
    };
    let report = SolverSpec::Auto(AutoOptions::default()).build().solve(&problem, &mut x, &hard, &mut watch);
    assert_eq!((report.status, report.iterations), (Status::Interrupted, 90));
    // one count over all stages
    assert!(seen.is_sorted());
}

#[test]
fn same_bits_on_every_run() {
    let problem = wall();
    let stop = Stop { tolerance: 1e-8, ..Stop::default() };
    let ((a, first), (b, second)) = (solve(&problem, &stop), solve(&problem, &stop));
    assert_eq!((a, first.why, first.iterations), (b, second.why, second.iterations));
}
