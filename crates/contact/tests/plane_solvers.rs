//! The solvers that are exact in the plane, against each other and against Gauss-Seidel.

use stickslip_contact::block::{norm_all, sub};
use stickslip_contact::certificate::Measure;
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::RandomSparse;
use stickslip_contact::operator::Delassus;
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{
    Enumeration2d, Flow, Lemke2d, MAX_LEMKE_UNKNOWNS, Nsgs, Report, Solver, Status, Stop, Unknowns, unwatched,
};

fn problem(contacts: usize, bodies: usize, mu: [f64; 2], seed: u64) -> LocalProblem<2> {
    RandomSparse { contacts, bodies, mu, seed, ..RandomSparse::default() }.local::<2>().unwrap()
}

fn solve<W: Delassus<2>>(
    solver: &mut impl Solver<2, W>,
    problem: &LocalProblem<2, W>,
    tolerance: f64,
) -> (Unknowns<2>, Report) {
    let mut x = Unknowns::zeros(problem);
    let stop = Stop { tolerance, ..Stop::default() };
    let report = solver.solve(problem, &mut x, &stop, &mut unwatched());
    let (certificate, u) = problem.certify(&x.r, Measure::Scaled);
    assert_eq!((certificate, u), (report.certificate, x.u.clone()));
    assert_eq!(report.converged(), certificate.error <= tolerance, "{report:?}");
    (x, report)
}

/// Distance of two velocities, relative to q.
fn apart(a: &Unknowns<2>, b: &Unknowns<2>, problem: &LocalProblem<2>) -> f64 {
    let difference: Vec<[f64; 2]> = a.u.iter().zip(&b.u).map(|(a, b)| sub(a, b)).collect();
    norm_all(&difference) / norm_all(&problem.q)
}

#[test]
fn small_problems_of_every_law_agree() {
    for seed in 0..30 {
        let mut p = problem(5, 8, [0.1, 0.5], seed);
        if seed % 3 == 1 {
            p.cones =
                (0..5).map(|c| if c % 2 == 0 { Cone::Tresca { radius: 0.2 } } else { Cone::Frictionless }).collect();
        }
        if seed % 3 == 2 {
            p.cones[0] = Cone::Bilateral;
        }
        let (a, report) = solve(&mut Lemke2d::default(), &p, 1e-10);
        assert!(report.converged(), "seed {seed}: {report:?}");
        let (b, report) = solve(&mut Enumeration2d, &p, 1e-10);
        assert!(report.converged(), "seed {seed}: {report:?}");
        let (c, report) = solve(&mut Nsgs::default(), &p, 1e-10);
        assert!(report.converged(), "seed {seed}: {report:?}");
        // moderate friction and few contacts for the bodies: one solution
        for other in [&b, &c] {
            assert!(apart(&a, other, &p) < 1e-7, "seed {seed}: {:e}", apart(&a, other, &p));
        }
    }
}

#[test]
fn lemke_takes_any_friction_and_a_singular_w() {
    for (contacts, bodies) in [(20, 30), (40, 15), (120, 60)] {
        for mu in [[0.0, 0.1], [0.5, 0.9], [2.0, 5.0]] {
            for seed in 0..3 {
                let (_, report) = solve(&mut Lemke2d::default(), &problem(contacts, bodies, mu, seed), 1e-8);
                println!(
                    "{contacts} contacts, mu {mu:?}: {} pivots, {:.1e}",
                    report.iterations, report.certificate.error
                );
                assert!(report.converged(), "{contacts} contacts, mu {mu:?}, seed {seed}: {report:?}");
            }
        }
    }
}

#[test]
fn limits_and_sizes_are_statuses() {
    let p = problem(MAX_LEMKE_UNKNOWNS / 4 + 1, 900, [0.1, 0.3], 1);
    assert!(Lemke2d::unknowns(&p) > MAX_LEMKE_UNKNOWNS);
    assert_eq!(solve(&mut Lemke2d::default(), &p, 1e-8).1.status, Status::Stalled);
    assert_eq!(solve(&mut Enumeration2d, &p, 1e-8).1.status, Status::Stalled);
    let short = Stop { max_iterations: 3, ..Stop::default() };
    let mut halt = |_: &stickslip_contact::solvers::Progress| Flow::Stop;
    let report = Lemke2d::default().solve(
        &problem(5, 8, [0.1, 0.3], 1),
        &mut Unknowns { r: vec![], u: vec![] },
        &short,
        &mut halt,
    );
    assert_eq!(report.status, Status::Interrupted);
}
