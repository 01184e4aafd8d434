//! The solvers that are exact in the plane, against each other and against Gauss-Seidel.

use std::time::Duration;
use stickslip_contact::block::{norm_all, sub};
use stickslip_contact::certificate::Measure;
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::{RandomSparse, SingleContact};
use stickslip_contact::operator::{BlockCsr, Delassus};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{
    Cpg2d, Cpg2dOptions, Enumeration2d, Flow, Lemke2d, MAX_LEMKE_UNKNOWNS, Nsgs, Progress, Report, Solver, SolverSpec,
    Status, Stop, Unknowns, unwatched,
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
        let (b, report) = solve(&mut Enumeration2d::default(), &p, 1e-10);
        assert!(report.converged(), "seed {seed}: {report:?}");
        let (c, report) = solve(&mut Nsgs::default(), &p, 1e-10);
        assert!(report.converged(), "seed {seed}: {report:?}");
        let (d, report) = solve(&mut Cpg2d::default(), &p, 1e-10);
        assert!(report.converged(), "seed {seed}: {report:?}");
        // moderate friction and few contacts for the bodies: one solution
        for other in [&b, &c, &d] {
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
    assert_eq!(solve(&mut Enumeration2d::default(), &p, 1e-8).1.status, Status::Stalled);
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

/// Where sweeps converge so do the conjugate gradients, with and without friction, joints and a preconditioner.
#[test]
fn conjugate_gradients_converge_where_sweeps_do() {
    for (contacts, bodies) in [(200, 200), (200, 120)] {
        for mu in [[0.0, 0.0], [0.1, 0.3], [0.3, 0.6]] {
            for preconditioned in [true, false] {
                let mut p = problem(contacts, bodies, mu, 5);
                p.cones[7] = Cone::Bilateral;
                p.cones[9] = Cone::Tresca { radius: 0.1 };
                let (_, sweeps) = solve(&mut Nsgs::default(), &p, 1e-8);
                let options = Cpg2dOptions { preconditioned, ..Cpg2dOptions::default() };
                let (_, report) = solve(&mut Cpg2d::new(options), &p, 1e-8);
                println!(
                    "{contacts}/{bodies}, mu {mu:?}, {preconditioned}: {} against {} sweeps",
                    report.iterations, sweeps.iterations
                );
                assert!(sweeps.converged() && report.converged(), "mu {mu:?}: {report:?}");
            }
        }
    }
}

/// The solvers of the plane as the catalogue builds them: limits, watchers, warm starts, bad starts, other dimensions.
#[test]
fn in_the_catalogue_they_keep_its_promises() {
    let specs: Vec<SolverSpec> =
        ["lemke-2d", "cpg-2d", "enumeration-2d"].map(|n| SolverSpec::named(n).unwrap().spec).to_vec();
    let p = problem(8, 8, [0.1, 0.5], 3);
    let hard = Stop { tolerance: 1e-17, ..Stop::default() };
    let run = |spec: &SolverSpec, x: &mut Unknowns<2>, stop: &Stop, watch: &mut dyn FnMut(&Progress) -> Flow| {
        spec.build::<2, BlockCsr<2>>().solve(&p, x, stop, watch)
    };
    for spec in &specs {
        let name = spec.name();
        let mut x = Unknowns::zeros(&p);
        let report = run(spec, &mut x, &Stop::default(), &mut unwatched());
        assert!(report.converged(), "{name}: {report:?}");
        // at the answer there is nothing to do
        assert_eq!(run(spec, &mut x, &Stop::default(), &mut unwatched()).iterations, 0, "{name}");
        let limited = run(spec, &mut Unknowns::zeros(&p), &Stop { max_iterations: 3, ..hard }, &mut unwatched());
        assert_eq!((limited.status, limited.iterations), (Status::IterationLimit, 3), "{name}");
        let mut seen = Vec::new();
        let report = run(spec, &mut Unknowns::zeros(&p), &hard, &mut |p| {
            seen.push(p.iteration);
            if p.iteration == 3 { Flow::Stop } else { Flow::Continue }
        });
        assert_eq!((report.status, report.iterations), (Status::Interrupted, 3), "{name}");
        assert_eq!(seen, [0, 1, 2, 3], "{name}");
        // a bad start is never returned
        let mut x = Unknowns::zeros(&p);
        x.r[3][1] = f64::NAN;
        assert_eq!(run(spec, &mut x, &Stop::default(), &mut unwatched()).status, Status::Diverged, "{name}");
        assert!(x.r.as_flattened().iter().all(|x| x.is_finite()), "{name}");
        // in space they say what they are for
        let mut space = SingleContact::default().generate::<3>().unwrap();
        space.q[0][0] = -1.0;
        let report =
            spec.build::<3, BlockCsr<3>>().solve(&space, &mut Unknowns::zeros(&space), &hard, &mut unwatched());
        assert_eq!(report.status, Status::Unsupported, "{name}");
        assert!(report.why.mentions("plane"), "{report:?}");
    }
}

/// Time is looked at after every pivot and every combination, not only at the end.
#[test]
fn the_time_limit_holds_while_pivoting() {
    let p = problem(400, 300, [0.3, 0.6], 1);
    let limit = Duration::from_millis(5);
    let stop = Stop { tolerance: 1e-8, time_limit: Some(limit), ..Stop::default() };
    let mut pivots = 0;
    let report = Lemke2d::default().solve(&p, &mut Unknowns::zeros(&p), &stop, &mut |p| {
        pivots = p.iteration;
        Flow::Continue
    });
    assert_eq!(report.status, Status::TimeLimit, "{report:?}");
    // the last thing it did was the pivot in which the time ran out
    assert_eq!(report.iterations, pivots);
    let stop = Stop { tolerance: 1e-17, ..stop };
    let p = problem(8, 8, [0.3, 0.6], 1);
    let report = Enumeration2d::default().solve(&p, &mut Unknowns::zeros(&p), &stop, &mut unwatched());
    assert_eq!(report.status, Status::TimeLimit, "{report:?}");
}
