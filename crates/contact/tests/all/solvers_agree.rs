//! Every solver of the catalogue on the same problems: it certifies, it agrees with Gauss-Seidel, it keeps its limits.

use std::time::Duration;
use stickslip_contact::block::{norm_all, sub};
use stickslip_contact::certificate::Measure;
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::{RandomSparse, SingleContact, SphereLattice};
use stickslip_contact::operator::{Factored, Sweep};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{
    Aclm, Catalogued, Compiled, Extragradient, FixedPoint, FixedPointOptions, FixedPointVi, Flow, Hyperplane, Nsgs,
    Progress, Report, SelfAdaptive, Solver, SolverSpec, Status, StepRule, Stop, Unknowns, unwatched,
};

/// The relaxation is Coulomb's law only where nothing slides.
const RELAXATION: &str = "apgd-relaxation";

/// These treat contacts of two rows alone; tests/plane_solvers.rs has their limits and starts.
const PLANE: [&str; 3] = ["lemke-2d", "cpg-2d", "enumeration-2d"];

/// The solvers that contacts of any dimension may be given to.
fn everywhere() -> impl Iterator<Item = Catalogued> {
    SolverSpec::catalogue().into_iter().filter(|s| !PLANE.contains(&s.name))
}

/// Whether a solver has said, rightly, that it does not treat this problem.
fn declines<const D: usize, W: Sweep<D>>(name: &str, problem: &LocalProblem<D, W>, report: &Report) -> bool {
    let foreign = |c: &Cone| matches!(c, Cone::Tresca { .. } | Cone::Rolling { .. });
    let right = match report.status {
        Status::Unsupported if PLANE.contains(&name) => D != 2 && report.why.mentions("plane"),
        // multigrid needs the bodies
        Status::Unsupported if name == "mg-admm" => problem.w.bodies().is_none() && report.why.mentions("M and H"),
        Status::Unsupported if name == "tnnmg" => {
            let unknown = problem.v_free.is_empty() && report.why.mentions("free velocities");
            unknown || (problem.cones.iter().any(foreign) && report.why.mentions("roll"))
        }
        Status::Unsupported => ["ipm", "nsn-fb"].contains(&name) && problem.cones.iter().any(foreign),
        // 4^n combinations are for a handful of contacts
        Status::Stalled => name == "enumeration-2d" && report.why.mentions("more than"),
        _ => return false,
    };
    assert!(right || report.status == Status::Stalled, "{name}: {report:?}");
    right
}

fn solve<const D: usize, W: Compiled<D>>(
    problem: &LocalProblem<D, W>,
    spec: &SolverSpec,
    stop: &Stop,
    watch: &mut dyn FnMut(&Progress) -> Flow,
) -> (Unknowns<D>, Report) {
    let mut x = Unknowns::zeros(problem);
    let report = spec.build::<D, W>().solve(problem, &mut x, stop, watch);
    // the report is not taken on trust
    let (certificate, u) = problem.certify(&x.r, stop.measure);
    assert_eq!(certificate, report.certificate, "{}", spec.name());
    assert_eq!(u, x.u);
    if report.status != Status::Unsupported {
        assert_eq!(report.converged(), certificate.error <= stop.tolerance, "{}: {report:?}", spec.name());
    }
    (x, report)
}

/// All solvers but the relaxation converge at 1e-6 and 1e-8, to the velocity that Gauss-Seidel finds at 1e-10.
fn all_agree<const D: usize, W: Compiled<D>>(name: &str, problem: &LocalProblem<D, W>) {
    let mut reference = Unknowns::zeros(problem);
    let stop = Stop { tolerance: 1e-10, ..Stop::default() };
    assert!(Nsgs::default().solve(problem, &mut reference, &stop, &mut unwatched()).converged());
    for solver in SolverSpec::catalogue() {
        for tolerance in [1e-6, 1e-8] {
            let stop = Stop { tolerance, ..Stop::default() };
            let (x, report) = solve(problem, &solver.spec, &stop, &mut unwatched());
            if solver.name == RELAXATION && report.status == Status::Stalled {
                continue;
            }
            if declines(solver.name, problem, &report) {
                continue;
            }
            assert!(report.converged(), "{name}, {}: {report:?}", solver.name);
            let off: Vec<[f64; D]> = x.u.iter().zip(&reference.u).map(|(a, b)| sub(a, b)).collect();
            let distance = norm_all(&off) / norm_all(&problem.q);
            assert!(distance < 100.0 * tolerance, "{name}, {} at {tolerance:e}: {distance:e}", solver.name);
        }
    }
}

fn lattice() -> SphereLattice {
    SphereLattice { nx: 3, ny: 3, nz: 3, ..SphereLattice::default() }
}

/// As many bodies as contacts: weakly coupled.
fn weak() -> RandomSparse {
    RandomSparse { contacts: 40, bodies: 40, mu: [0.1, 0.5], ..RandomSparse::default() }
}

fn mixed() -> LocalProblem<3> {
    let mut problem = weak().local::<3>().unwrap();
    for (c, cone) in problem.cones.iter_mut().enumerate() {
        *cone = match c % 4 {
            0 => Cone::Frictionless,
            1 => Cone::Tresca { radius: 0.1 },
            2 if c < 12 => Cone::Bilateral,
            _ => *cone,
        };
    }
    problem
}

#[test]
fn on_spheres() {
    all_agree("lattice", &lattice().spheres().unwrap());
}

#[test]
fn on_random_problems() {
    all_agree("plane", &weak().local::<2>().unwrap());
    all_agree("space", &weak().local::<3>().unwrap());
    all_agree("rolling", &weak().local::<5>().unwrap());
}

#[test]
fn on_mixed_cones() {
    all_agree("mixed", &mixed());
}

#[test]
fn on_one_contact() {
    for seed in 0..10 {
        let single = SingleContact { seed, ..SingleContact::default() };
        all_agree(&format!("plane {seed}"), &single.generate::<2>().unwrap());
        all_agree(&format!("space {seed}"), &single.generate::<3>().unwrap());
        all_agree(&format!("rolling {seed}"), &single.generate::<5>().unwrap());
    }
}

fn every_step_rule<const D: usize, W: Compiled<D>>(name: &str, problem: &LocalProblem<D, W>) {
    let stop = Stop { tolerance: 1e-6, max_iterations: 20_000, ..Stop::default() };
    for rule in [StepRule::Khobotov, StepRule::SolodovTseng, StepRule::HanSun] {
        let options = SelfAdaptive { rule, ..SelfAdaptive::default() };
        for spec in [SolverSpec::FpVi(options.clone()), SolverSpec::EgVi(options.clone())] {
            let (_, report) = solve(problem, &spec, &stop, &mut unwatched());
            assert!(report.converged(), "{name}, {spec:?}: {report:?}");
        }
    }
}

#[test]
fn every_step_rule_converges() {
    every_step_rule("packing", &lattice().spheres().unwrap());
    for seed in 0..3 {
        let random = RandomSparse { seed, ..weak() };
        every_step_rule("plane", &random.local::<2>().unwrap());
        every_step_rule("space", &random.local::<3>().unwrap());
        every_step_rule("rolling", &random.local::<5>().unwrap());
    }
}

#[test]
fn the_relaxation_is_exact_without_sliding_and_says_so_with_it() {
    let (relaxation, stop) = (SolverSpec::named(RELAXATION).unwrap().spec, Stop::default());
    let mut problem = weak().local::<3>().unwrap();
    let (_, report) = solve(&problem, &relaxation, &stop, &mut unwatched());
    assert_eq!(report.status, Status::Stalled);
    for (c, cone) in problem.cones.iter_mut().enumerate() {
        *cone = if c % 2 == 0 { Cone::Frictionless } else { Cone::Tresca { radius: 0.1 } };
    }
    assert!(solve(&problem, &relaxation, &stop, &mut unwatched()).1.converged());
    // a packing that comes to rest
    assert!(solve(&lattice().spheres().unwrap(), &relaxation, &stop, &mut unwatched()).1.converged());
}

#[test]
fn gradient_methods_need_products_alone() {
    let global = weak().global::<3>().unwrap();
    let (condensed, _) = global.condense().unwrap();
    let problem = LocalProblem::new(Factored::new(&global).unwrap(), condensed.q, condensed.cones).unwrap();
    let solvers: [Box<dyn Solver<3, _>>; 5] = [
        Box::new(FixedPoint::default()),
        Box::new(FixedPointVi::default()),
        Box::new(Extragradient::default()),
        Box::new(Hyperplane::default()),
        Box::new(Aclm::default()),
    ];
    for mut solver in solvers {
        let mut x = Unknowns::zeros(&problem);
        let report = solver.solve(&problem, &mut x, &Stop::default(), &mut unwatched());
        assert!(report.converged(), "{report:?}");
    }
}

#[test]
fn limits_are_statuses_and_the_best_iterate_comes_back() {
    let problem = SphereLattice { nx: 6, ny: 6, nz: 6, ..SphereLattice::default() }.spheres().unwrap();
    let start = problem.certify(&vec![[0.0; 3]; problem.contacts()], Measure::Scaled).0.error;
    let hard = Stop { tolerance: 1e-16, ..Stop::default() };
    for solver in everywhere() {
        let (name, spec) = (solver.name, &solver.spec);
        let (_, report) = solve(&problem, spec, &Stop { max_iterations: 7, ..hard }, &mut unwatched());
        assert_eq!((report.status, report.iterations), (Status::IterationLimit, 7), "{name}");
        // alternating directions are still far away after seven, and hand back the start
        let slow = name.ends_with("admm") && report.certificate.error == start;
        assert!(report.certificate.error < start || slow, "{name}");
        for limit in [Duration::ZERO, Duration::from_micros(50)] {
            let (_, report) = solve(&problem, spec, &Stop { time_limit: Some(limit), ..hard }, &mut unwatched());
            assert_eq!(report.status, Status::TimeLimit, "{name}");
            assert!(limit > Duration::ZERO || report.iterations <= 1, "{name}: {}", report.iterations);
        }
        // a watcher that asks once is heard, and it sees every iteration
        let mut seen = Vec::new();
        let (_, report) = solve(&problem, spec, &hard, &mut |p| {
            let first = seen.last() != Some(&5) && p.iteration == 5;
            seen.push(p.iteration);
            if first { Flow::Stop } else { Flow::Continue }
        });
        assert_eq!((report.status, report.iterations), (Status::Interrupted, 5), "{name}");
        seen.dedup();
        assert_eq!(seen, [0, 1, 2, 3, 4, 5], "{name}");
    }
}

#[test]
fn same_bits_on_every_run_and_after_another_problem() {
    let (problem, other) = (mixed(), weak().local::<3>().unwrap());
    for solver in everywhere() {
        let (a, first) = solve(&problem, &solver.spec, &Stop::default(), &mut unwatched());
        let mut used = solver.spec.build();
        used.solve(&other, &mut Unknowns::zeros(&other), &Stop::default(), &mut unwatched());
        let mut b = Unknowns::zeros(&problem);
        let second = used.solve(&problem, &mut b, &Stop::default(), &mut unwatched());
        assert_eq!(a, b, "{}", solver.name);
        assert_eq!((first.status, first.iterations), (second.status, second.iterations), "{}", solver.name);
    }
}

#[test]
fn a_warm_start_at_the_answer_needs_no_iteration() {
    let problem = lattice().spheres().unwrap();
    let mut x = Unknowns::zeros(&problem);
    assert!(Nsgs::default().solve(&problem, &mut x, &Stop::default(), &mut unwatched()).converged());
    for solver in everywhere() {
        let report = solver.spec.build().solve(&problem, &mut x, &Stop::default(), &mut unwatched());
        assert_eq!((report.status, report.iterations), (Status::Converged, 0), "{}", solver.name);
    }
}

#[test]
fn what_is_not_a_number_is_reported_and_never_returned() {
    let problem = weak().local::<3>().unwrap();
    for solver in everywhere() {
        let mut x = Unknowns::zeros(&problem);
        x.r[3][1] = f64::NAN;
        let report = solver.spec.build().solve(&problem, &mut x, &Stop::default(), &mut unwatched());
        // the automatic choice goes on from rest
        let recovers = solver.name == "auto";
        let expected = if recovers { Status::Converged } else { Status::Diverged };
        assert!(report.status == expected || declines(solver.name, &problem, &report), "{}: {report:?}", solver.name);
        assert!(x.r.iter().chain(&x.u).flatten().all(|x| x.is_finite()), "{}", solver.name);
    }
    // a step far too long on a joint
    let mut problem = SingleContact::default().generate::<3>().unwrap();
    problem.cones[0] = Cone::Bilateral;
    let mut x = Unknowns::zeros(&problem);
    let mut solver = FixedPoint::new(FixedPointOptions { rho: Some(100.0) });
    let report = solver.solve(&problem, &mut x, &Stop::default(), &mut unwatched());
    assert_eq!(report.status, Status::Diverged);
    assert!(x.r.iter().flatten().all(|x| x.is_finite()));
}

#[test]
fn no_contacts_no_work() {
    let w = stickslip_contact::operator::BlockCsr::<3>::new(vec![0], vec![], vec![]).unwrap();
    let problem = LocalProblem::new(w, vec![], vec![]).unwrap();
    for solver in everywhere() {
        let (_, report) = solve(&problem, &solver.spec, &Stop::default(), &mut unwatched());
        assert_eq!((report.status, report.iterations), (Status::Converged, 0), "{}", solver.name);
    }
}
