//! Gauss-Seidel by problem class: it certifies, it agrees with itself over every operator and option, and it repeats.

use std::time::Duration;
use stickslip_contact::block::{add, norm_all, sub};
use stickslip_contact::certificate::{Measure, relative_distance};
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::{BoxWall, ElasticBlock, RandomSparse, SingleContact, SphereLattice};
use stickslip_contact::one_contact::OneContactKind;
use stickslip_contact::operator::{Delassus, Factored, Sweep};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{
    Flow, Freezing, Nsgs, NsgsOptions, Order, Progress, Report, Solver, Status, Stop, StopTest, Unknowns, unwatched,
};

fn solve<const D: usize, W: Sweep<D>>(
    problem: &LocalProblem<D, W>,
    options: NsgsOptions,
    tolerance: f64,
) -> (Unknowns<D>, Report) {
    let mut x = Unknowns::zeros(problem);
    let stop = Stop { tolerance, ..Stop::default() };
    let report = Nsgs::new(options).solve(problem, &mut x, &stop, &mut unwatched());
    // the report is not taken on trust
    let (certificate, u) = problem.certify(&x.r, Measure::Scaled);
    assert_eq!(certificate, report.certificate);
    assert_eq!(u, x.u);
    assert_eq!(report.converged(), certificate.error <= tolerance);
    (x, report)
}

fn lattice() -> SphereLattice {
    SphereLattice { nx: 4, ny: 4, nz: 5, ..SphereLattice::default() }
}

#[test]
fn every_operator_gives_the_same_answer() {
    let global = lattice().global().unwrap();
    let (assembled, _) = global.condense().unwrap();
    let free = LocalProblem::matrix_free(&global).unwrap().expect("rigid bodies");
    let spheres = lattice().spheres().unwrap();
    let (a, report) = solve(&assembled, NsgsOptions::default(), 1e-10);
    assert!(report.converged());
    let (b, report) = solve(&free, NsgsOptions::default(), 1e-10);
    assert!(report.converged());
    let (c, report) = solve(&spheres, NsgsOptions::default(), 1e-10);
    assert!(report.converged());
    assert!(relative_distance(&a.r, &b.r) < 1e-7);
    assert!(relative_distance(&a.r, &c.r) < 1e-7);
    // every operator forms the same W
    for formed in [free.w.assemble().unwrap(), spheres.w.assemble().unwrap()] {
        let mut u = vec![[0.0; 3]; a.r.len()];
        formed.apply(&a.r, &mut u, &mut []);
        let q = norm_all(&assembled.q);
        let off = u.iter().zip(&assembled.q).zip(&a.u).map(|((wr, q), u)| sub(&add(wr, q), u)).collect::<Vec<_>>();
        assert!(norm_all(&off) < 1e-9 * q);
    }
    // the factored operator has no rows to sweep over, but it certifies
    let factored = LocalProblem::new(Factored::new(&global).unwrap(), assembled.q.clone(), assembled.cones.clone());
    assert!(factored.unwrap().certify(&a.r, Measure::Scaled).0.holds(1.1e-10));
}

#[test]
fn every_option_reaches_the_same_velocity() {
    let (problem, _) = lattice().global().unwrap().condense().unwrap();
    let (reference, _) = solve(&problem, NsgsOptions::default(), 1e-11);
    let default = NsgsOptions::default;
    for options in [
        NsgsOptions { order: Order::Symmetric, ..default() },
        NsgsOptions { order: Order::Shuffled { seed: 3 }, ..default() },
        NsgsOptions { omega: 1.3, ..default() },
        NsgsOptions { omega: 0.7, ..default() },
        NsgsOptions { stop_test: StopTest::Exact { every: 3 }, ..default() },
        NsgsOptions { freezing: Some(Freezing::default()), ..default() },
        NsgsOptions { one_contact: OneContactKind::Guarded, ..default() },
        NsgsOptions { one_contact: OneContactKind::Ac(Default::default()), ..default() },
        NsgsOptions { one_contact: OneContactKind::Projection(Default::default()), ..default() },
    ] {
        let (x, report) = solve(&problem, options.clone(), 1e-9);
        assert!(report.converged(), "{options:?}: {report:?}");
        // the packing comes to rest: velocities are compared with those it started from
        let difference: Vec<[f64; 3]> = x.u.iter().zip(&reference.u).map(|(a, b)| sub(a, b)).collect();
        let distance = norm_all(&difference) / norm_all(&problem.q);
        assert!(distance < 1e-7, "{options:?}: {distance:e}");
    }
}

#[test]
fn walls_elastic_blocks_and_random_problems_certify() {
    let wall = BoxWall { columns: 4, courses: 4, ..BoxWall::default() }.generate().unwrap();
    let (x, report) = solve(&LocalProblem::matrix_free(&wall).unwrap().unwrap(), NsgsOptions::default(), 1e-6);
    assert!(report.converged(), "{report:?}");
    assert!(x.r.iter().all(|r| r[0] >= 0.0));
    let block = ElasticBlock { elements: [3, 3, 2], ..ElasticBlock::default() }.generate().unwrap();
    let (_, report) = solve(&block.condense().unwrap().0, NsgsOptions::default(), 1e-8);
    assert!(report.converged(), "{report:?}");
    for seed in 0..5 {
        let random = RandomSparse { seed, ..RandomSparse::default() };
        let (_, report) = solve(&random.local::<2>().unwrap(), NsgsOptions::default(), 1e-8);
        assert!(report.converged(), "2D seed {seed}: {report:?}");
        let (_, report) = solve(&random.local::<3>().unwrap(), NsgsOptions::default(), 1e-8);
        assert!(report.converged(), "3D seed {seed}: {report:?}");
        let (_, report) = solve(&random.local::<5>().unwrap(), NsgsOptions::default(), 1e-8);
        assert!(report.converged(), "rolling seed {seed}: {report:?}");
    }
}

#[test]
fn mixed_cones_live_in_one_problem() {
    let mut problem = RandomSparse { contacts: 60, bodies: 40, ..RandomSparse::default() }.local::<3>().unwrap();
    for (c, cone) in problem.cones.iter_mut().enumerate() {
        *cone = match c % 4 {
            0 => Cone::Frictionless,
            1 => Cone::Tresca { radius: 0.1 },
            2 if c < 12 => Cone::Bilateral,
            _ => *cone,
        };
    }
    let (x, report) = solve(&problem, NsgsOptions::default(), 1e-9);
    assert!(report.converged(), "{report:?}");
    for (c, cone) in problem.cones.iter().enumerate() {
        match cone {
            Cone::Frictionless => assert_eq!(x.r[c][1..], [0.0, 0.0]),
            Cone::Bilateral => assert!(x.u[c].iter().all(|u| u.abs() < 1e-6)),
            Cone::Tresca { radius } => assert!(x.r[c][1].hypot(x.r[c][2]) <= radius * (1.0 + 1e-12)),
            _ => {}
        }
    }
}

#[test]
fn one_contact_is_one_sweep() {
    let problem = SingleContact::default().generate::<3>().unwrap();
    let (_, report) = solve(&problem, NsgsOptions::default(), 1e-12);
    assert!(report.converged() && report.iterations <= 2, "{report:?}");
}

#[test]
fn a_warm_start_at_the_answer_needs_no_sweep() {
    let problem = lattice().spheres().unwrap();
    let (mut x, cold) = solve(&problem, NsgsOptions::default(), 1e-8);
    assert!(cold.iterations > 5);
    let warm = Nsgs::default().solve(&problem, &mut x, &Stop::default(), &mut unwatched());
    assert_eq!((warm.status, warm.iterations), (Status::Converged, 0));
    // and near it, fewer
    x.r.iter_mut().flatten().for_each(|r| *r *= 1.0 + 1e-5);
    let near = Nsgs::default().solve(&problem, &mut x, &Stop::default(), &mut unwatched());
    assert!(near.converged() && near.iterations < cold.iterations);
}

#[test]
fn same_bits_on_every_run() {
    let problem = lattice().spheres().unwrap();
    for order in [Order::Natural, Order::Symmetric, Order::Shuffled { seed: 1 }] {
        let options = NsgsOptions { order, freezing: Some(Freezing::default()), ..NsgsOptions::default() };
        let (a, _) = solve(&problem, options.clone(), 1e-8);
        let (b, _) = solve(&problem, options, 1e-8);
        assert_eq!(a, b);
    }
}

#[test]
fn limits_are_statuses_and_the_best_iterate_comes_back() {
    let problem = BoxWall::default().generate().unwrap();
    let problem = LocalProblem::matrix_free(&problem).unwrap().unwrap();
    let run = |stop: Stop, watch: &mut dyn FnMut(&Progress) -> Flow| {
        let mut x = Unknowns::zeros(&problem);
        let report = Nsgs::default().solve(&problem, &mut x, &stop, watch);
        assert_eq!(problem.certify(&x.r, Measure::Scaled).0, report.certificate);
        report
    };
    let hard = Stop { tolerance: 1e-14, ..Stop::default() };
    let report = run(Stop { max_iterations: 7, ..hard }, &mut unwatched());
    assert_eq!((report.status, report.iterations), (Status::IterationLimit, 7));
    let report = run(Stop { time_limit: Some(Duration::from_millis(1)), ..hard }, &mut unwatched());
    assert_eq!(report.status, Status::TimeLimit);
    let report = run(hard, &mut |p| if p.iteration >= 40 { Flow::Stop } else { Flow::Continue });
    assert_eq!((report.status, report.iterations), (Status::Interrupted, 40));
    let start = problem.certify(&vec![[0.0; 3]; problem.contacts()], Measure::Scaled).0.error;
    assert!(report.certificate.error < start);
}

#[test]
fn no_contacts_no_work() {
    let w = stickslip_contact::operator::BlockCsr::<3>::new(vec![0], vec![], vec![]).unwrap();
    assert_eq!(w.contacts(), 0);
    let problem = LocalProblem::new(w, vec![], vec![]).unwrap();
    let (_, report) = solve(&problem, NsgsOptions::default(), 1e-12);
    assert_eq!((report.status, report.iterations), (Status::Converged, 0));
}

#[test]
fn a_start_that_is_not_a_number_is_refused_or_reported() {
    let problem = SingleContact::default().generate::<3>().unwrap();
    assert!(Unknowns::from_flat(&problem, &[0.0, f64::NAN, 0.0]).is_err());
    assert!(Unknowns::from_flat(&problem, &[0.0]).is_err());
    let mut x = Unknowns::zeros(&problem);
    x.r[0][1] = f64::NAN;
    let report = Nsgs::default().solve(&problem, &mut x, &Stop::default(), &mut unwatched());
    assert_eq!(report.status, Status::Diverged);
}

/// One step of the active sets a visit may go to and fro for ever: then contacts are solved exactly, and it is said.
#[test]
fn active_sets_that_cycle_give_way_to_the_exact_contact() {
    let mut cycled = 0;
    for (seed, top) in (0..12).map(|seed| (seed, if seed % 2 == 0 { 0.9 } else { 1.5 })) {
        let random = RandomSparse { contacts: 40, bodies: 40, mu: [0.1, top], seed, ..RandomSparse::default() };
        let problem = random.local::<3>().unwrap();
        for entry in OneContactKind::catalogue().into_iter().filter(|e| e.name.ends_with("pdas")) {
            let (name, one_contact) = (entry.name, entry.kind);
            let (_, report) = solve(&problem, NsgsOptions { one_contact, ..NsgsOptions::default() }, 1e-4);
            assert!(report.converged(), "{name}, seed {seed}: {report:?}");
            cycled += usize::from(report.why.mentions("to and fro"));
        }
    }
    assert!(cycled > 0);
}
