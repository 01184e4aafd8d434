//! The solvers that are exact in the plane, against each other and against Gauss-Seidel.

use stickslip_contact::block::{norm_all, sub};
use stickslip_contact::certificate::Measure;
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::RandomSparse;
use stickslip_contact::operator::{BlockCsr, Delassus};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{
    Cpg2d, Cpg2dOptions, Enumeration2d, Flow, Lemke2d, MAX_LEMKE_UNKNOWNS, Nsgs, Report, Solver, Status, Stop,
    Unknowns, unwatched,
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
        let (d, report) = solve(&mut Cpg2d::default(), &p, 1e-10);
        println!("conjugate gradients, seed {seed}: {} {}", report.status, report.iterations);
        // proven with given limits only
        assert!(report.converged() || seed % 3 != 1, "seed {seed}: {report:?}");
        let d = if report.converged() { &d } else { &c };
        // moderate friction and few contacts for the bodies: one solution
        for other in [&b, &c, d] {
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
fn conjugate_gradients_on_larger_problems() {
    for (mu, least) in [([0.0, 0.0], 20), ([0.1, 0.3], 0), ([0.3, 0.6], 0)] {
        let mut solved = 0;
        for seed in 0..10 {
            let p = problem(200, 150, mu, seed);
            for preconditioned in [true, false] {
                let options = Cpg2dOptions { preconditioned, ..Cpg2dOptions::default() };
                let (_, report) = solve(&mut Cpg2d::new(options), &p, 1e-8);
                solved += usize::from(report.converged());
                let error = report.certificate.error;
                println!("mu {mu:?} seed {seed} {preconditioned}: {} {} {error:.1e}", report.status, report.iterations);
            }
        }
        println!("mu {mu:?}: {solved} of 20");
        // with friction it is a fixed point without proof
        assert!(solved >= least, "mu {mu:?}: {solved} of 20");
    }
}

#[test]
fn limits_and_sizes_are_statuses() {
    let p = problem(MAX_LEMKE_UNKNOWNS / 4 + 1, 900, [0.1, 0.3], 1);
    assert!(Lemke2d::unknowns(&p) > MAX_LEMKE_UNKNOWNS);
    assert_eq!(solve(&mut Lemke2d::default(), &p, 1e-8).1.status, Status::Stalled);
    assert_eq!(solve(&mut Enumeration2d, &p, 1e-8).1.status, Status::Stalled);
    let mut x = Unknowns::zeros(&p);
    let short = Stop { max_iterations: 3, ..Stop::default() };
    assert_eq!(Cpg2d::default().solve(&p, &mut x, &short, &mut unwatched()).status, Status::IterationLimit);
    let mut halt = |_: &stickslip_contact::solvers::Progress| Flow::Stop;
    let report = Lemke2d::default().solve(
        &problem(5, 8, [0.1, 0.3], 1),
        &mut Unknowns { r: vec![], u: vec![] },
        &short,
        &mut halt,
    );
    assert_eq!(report.status, Status::Interrupted);
}

#[test]
fn not_a_number_is_refused_or_diverges() {
    let w = BlockCsr::new(vec![0, 1], vec![0], vec![[[1.0, 0.0], [0.0, 2.0]]]).unwrap();
    assert!(LocalProblem::new(w.clone(), vec![[f64::NAN, 0.0]], vec![Cone::Coulomb { mu: 0.5 }]).is_err());
    let p = LocalProblem::new(w, vec![[-1.0, 0.0]], vec![Cone::Coulomb { mu: 0.5 }]).unwrap();
    let mut x = Unknowns { r: vec![[f64::NAN, 0.0]], u: vec![] };
    let report = Cpg2d::default().solve(&p, &mut x, &Stop::default(), &mut unwatched());
    assert_eq!(report.status, Status::Diverged);
    assert_eq!(x.r, [[0.0, 0.0]]);
}
