//! The interior point by problem class: what sweeps are slow on, it takes in a few dozen factorisations.

use std::time::Duration;
use stickslip_contact::block::{norm_all, sub};
use stickslip_contact::certificate::Measure;
use stickslip_contact::cone::Cone;
use stickslip_contact::contact_system::Form;
use stickslip_contact::generate::{BoxWall, ElasticBlock, RandomSparse, SingleContact, SphereLattice};
use stickslip_contact::operator::{Delassus, Factored, Sweep};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{
    Flow, Ipm, IpmOptions, Nsgs, Ppn, PpnOptions, Progress, Report, Solver, Status, Stop, Unknowns, unwatched,
};

fn solve<const D: usize, W: Sweep<D>>(problem: &LocalProblem<D, W>, tolerance: f64) -> (Unknowns<D>, Report) {
    let mut x = Unknowns::zeros(problem);
    let stop = Stop { tolerance, ..Stop::default() };
    let report = Ipm::default().solve(problem, &mut x, &stop, &mut unwatched());
    // the report is not taken on trust
    assert_eq!(problem.certify(&x.r, Measure::Scaled).0, report.certificate);
    assert_eq!(report.converged(), report.certificate.error <= tolerance);
    (x, report)
}

#[test]
fn walls_of_any_height_take_a_few_dozen_iterations() {
    for courses in [4, 12] {
        let wall = BoxWall { columns: 4, courses, ..BoxWall::default() }.generate().unwrap();
        let problem = LocalProblem::matrix_free(&wall).unwrap().unwrap();
        let (_, report) = solve(&problem, 1e-8);
        assert!(report.converged() && report.iterations < 60, "{report:?}");
    }
}

#[test]
fn agrees_with_gauss_seidel_on_the_velocity() {
    let problem = SphereLattice { nx: 4, ny: 4, nz: 4, ..SphereLattice::default() }.spheres().unwrap();
    let (x, report) = solve(&problem, 1e-8);
    assert!(report.converged(), "{report:?}");
    let mut reference = Unknowns::zeros(&problem);
    let stop = Stop { tolerance: 1e-11, ..Stop::default() };
    assert!(Nsgs::default().solve(&problem, &mut reference, &stop, &mut unwatched()).converged());
    let difference: Vec<[f64; 3]> = x.u.iter().zip(&reference.u).map(|(a, b)| sub(a, b)).collect();
    assert!(norm_all(&difference) < 1e-6 * norm_all(&problem.q));
}

#[test]
fn every_dimension_and_class_certifies() {
    for seed in 0..3 {
        let random = RandomSparse { seed, ..RandomSparse::default() };
        for (name, report) in [
            ("plane", solve(&random.local::<2>().unwrap(), 1e-8).1),
            ("space", solve(&random.local::<3>().unwrap(), 1e-8).1),
            ("rolling", solve(&random.local::<5>().unwrap(), 1e-8).1),
        ] {
            assert!(report.converged(), "{name} {seed}: {report:?}");
        }
    }
    let block = ElasticBlock { elements: [3, 3, 2], ..ElasticBlock::default() }.generate().unwrap();
    let (_, report) = solve(&block.condense().unwrap().0, 1e-8);
    assert!(report.converged(), "{report:?}");
    let single = SingleContact { condition: 1e6, ..SingleContact::default() }.generate::<3>().unwrap();
    assert!(solve(&single, 1e-8).1.converged());
}

#[test]
fn joints_and_frictionless_contacts_live_beside_coulomb() {
    let mut problem = RandomSparse { contacts: 40, bodies: 30, ..RandomSparse::default() }.local::<3>().unwrap();
    for (c, cone) in problem.cones.iter_mut().enumerate() {
        match c % 5 {
            0 => *cone = Cone::Frictionless,
            1 if c < 12 => *cone = Cone::Bilateral,
            _ => {}
        }
    }
    let (x, report) = solve(&problem, 1e-8);
    assert!(report.converged(), "{report:?}");
    assert!(x.u[1].iter().all(|u| u.abs() < 1e-6));
}

#[test]
fn what_it_does_not_know_it_says() {
    let mut problem = SingleContact::default().generate::<3>().unwrap();
    problem.cones[0] = Cone::Tresca { radius: 1.0 };
    let (_, report) = solve(&problem, 1e-12);
    assert!(report.converged() || report.status == Status::Unsupported);
    assert_eq!(report.iterations, 0);
}

#[test]
fn limits_are_statuses_and_bits_repeat() {
    let problem = SphereLattice { nx: 4, ny: 4, nz: 4, ..SphereLattice::default() }.spheres().unwrap();
    let run = |stop: Stop, watch: &mut dyn FnMut(&Progress) -> Flow| {
        let mut x = Unknowns::zeros(&problem);
        let report = Ipm::default().solve(&problem, &mut x, &stop, watch);
        assert_eq!(problem.certify(&x.r, Measure::Scaled).0, report.certificate);
        (x, report)
    };
    let hard = Stop { tolerance: 1e-16, ..Stop::default() };
    let (_, report) = run(Stop { max_iterations: 3, ..hard }, &mut unwatched());
    assert_eq!((report.status, report.iterations), (Status::IterationLimit, 3));
    let (_, report) = run(Stop { time_limit: Some(Duration::ZERO), ..hard }, &mut unwatched());
    assert_eq!(report.status, Status::TimeLimit);
    let (_, report) = run(hard, &mut |p| if p.iteration >= 5 { Flow::Stop } else { Flow::Continue });
    assert_eq!((report.status, report.iterations), (Status::Interrupted, 5));
    let (a, _) = run(Stop::default(), &mut unwatched());
    let (b, _) = run(Stop::default(), &mut unwatched());
    assert_eq!(a, b);
}

/// Converges to 1e-8 in both forms of its system, to the same velocities.
fn both_forms<const D: usize, W: Delassus<D>>(problem: &LocalProblem<D, W>) {
    let stop = Stop { tolerance: 1e-8, ..Stop::default() };
    let answers = [Form::Local, Form::Global].map(|form| {
        let mut x = Unknowns::zeros(problem);
        let options = IpmOptions { form, ..IpmOptions::default() };
        let report = Ipm::new(options).solve(problem, &mut x, &stop, &mut unwatched());
        assert!(report.converged(), "{form:?}: {report:?}");
        x.u
    });
    let difference: Vec<[f64; D]> = answers[0].iter().zip(&answers[1]).map(|(a, b)| sub(a, b)).collect();
    assert!(norm_all(&difference) < 1e-5 * norm_all(&problem.q), "{:e}", norm_all(&difference));
}

#[test]
fn contacts_and_bodies_lead_to_the_same_answer() {
    both_forms(&SphereLattice { nx: 3, ny: 3, nz: 3, ..SphereLattice::default() }.spheres().unwrap());
    let wall = BoxWall { columns: 4, courses: 5, ..BoxWall::default() }.generate().unwrap();
    both_forms(&LocalProblem::matrix_free(&wall).unwrap().unwrap());
    let random = RandomSparse { contacts: 50, bodies: 30, ..RandomSparse::default() };
    both_forms(&LocalProblem::matrix_free(&random.global::<3>().unwrap()).unwrap().unwrap());
    both_forms(&LocalProblem::matrix_free(&random.global::<5>().unwrap()).unwrap().unwrap());
    // finite elements, without forming W
    let elastic = ElasticBlock { elements: [3, 3, 2], ..ElasticBlock::default() }.generate().unwrap();
    let mass = elastic.factor_mass().unwrap();
    let factored = Factored::new(&elastic).unwrap();
    both_forms(&LocalProblem::new(factored, elastic.free_velocity(&mass), elastic.cones.clone()).unwrap());
}

#[test]
fn a_joint_among_bodies_needs_no_barrier() {
    let random = RandomSparse { contacts: 30, bodies: 30, ..RandomSparse::default() };
    let mut problem = LocalProblem::matrix_free(&random.global::<3>().unwrap()).unwrap().unwrap();
    problem.cones[4] = Cone::Bilateral;
    both_forms(&problem);
}

#[test]
fn a_wall_is_polished_to_rounding_by_bodies() {
    let wall = BoxWall { columns: 5, courses: 6, ..BoxWall::default() }.generate().unwrap();
    let problem = LocalProblem::matrix_free(&wall).unwrap().unwrap();
    let (mut x, report) = solve(&problem, 1e-8);
    assert!(report.converged(), "{report:?}");
    let stop = Stop { tolerance: 1e-12, ..Stop::default() };
    let mut ppn = Ppn::new(PpnOptions { form: Form::Global, ..PpnOptions::default() });
    let report = ppn.solve(&problem, &mut x, &stop, &mut unwatched());
    assert!(report.converged() && report.iterations <= 10, "{report:?}");
}

#[test]
fn a_start_near_the_answer_saves_iterations_and_a_far_one_begins_anew() {
    let problem = SphereLattice { nx: 6, ny: 6, nz: 6, ..SphereLattice::default() }.spheres().unwrap();
    let stop = Stop { tolerance: 1e-8, ..Stop::default() };
    let from = |r: &[[f64; 3]], options: IpmOptions| {
        let mut x = Unknowns { r: r.to_vec(), ..Unknowns::zeros(&problem) };
        let report = Ipm::new(options).solve(&problem, &mut x, &stop, &mut unwatched());
        assert!(report.converged() && report.iterations > 0, "{report:?}");
        (report.iterations, x)
    };
    let mut near = Unknowns::zeros(&problem);
    let sweeps = Stop { tolerance: 1e-4, ..stop };
    assert!(Nsgs::default().solve(&problem, &mut near, &sweeps, &mut unwatched()).converged());
    let zero = Unknowns::<3>::zeros(&problem).r;
    let (cold, reference) = from(&zero, IpmOptions::default());
    let (warm, x) = from(&near.r, IpmOptions::default());
    assert!(warm < cold, "{warm} of {cold}");
    let difference: Vec<[f64; 3]> = x.u.iter().zip(&reference.u).map(|(a, b)| sub(a, b)).collect();
    assert!(norm_all(&difference) < 1e-6 * norm_all(&problem.q));
    // switched off, or too far away, the point given does not count
    assert_eq!(from(&near.r, IpmOptions { near: [0.0, 0.3], ..IpmOptions::default() }).0, cold);
    let far: Vec<[f64; 3]> = near.r.iter().map(|r| r.map(|x| 3.0 * x)).collect();
    assert_eq!(from(&far, IpmOptions::default()).0, cold);
}
