//! The Newton solvers by problem class: digits to 1e-10, agreement with Gauss-Seidel, quadratic tails, honest endings.

use std::time::Duration;
use stickslip_contact::block::{norm_all, sub};
use stickslip_contact::cone::Cone;
use stickslip_contact::contact_system::Form;
use stickslip_contact::generate::{BoxWall, ElasticBlock, RandomSparse, SingleContact, SphereLattice};
use stickslip_contact::operator::BlockCsr;
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{
    Compiled, Erased, Flow, Formulation, LineSearch, Nsgs, Nsn, NsnOptions, Ppn, PpnOptions, Progress, Report, Solver,
    SolverSpec, Status, Stop, Unknowns, unwatched,
};

const NEWTON: [&str; 5] = ["nsn-ac", "nsn-mj", "nsn-nm", "nsn-fb", "ppn"];

/// Solves cold with default options.
fn solve<const D: usize, W: Compiled<D>>(
    name: &str,
    problem: &LocalProblem<D, W>,
    stop: &Stop,
) -> (Unknowns<D>, Report, Vec<f64>) {
    solve_by(&SolverSpec::named(name).unwrap().spec, problem, stop)
}

/// The solver of a name with so many sweeps before Newton, and none later.
fn after_sweeps(name: &str, sweeps: usize) -> SolverSpec {
    let nsn = NsnOptions { hybrid_sweeps: sweeps, rescue_sweeps: 0, ..NsnOptions::default() };
    match SolverSpec::named(name).unwrap().spec {
        SolverSpec::NsnAc(_) => SolverSpec::NsnAc(nsn),
        SolverSpec::NsnMj(_) => SolverSpec::NsnMj(nsn),
        SolverSpec::NsnNm(_) => SolverSpec::NsnNm(nsn),
        SolverSpec::NsnFb(_) => SolverSpec::NsnFb(nsn),
        _ => SolverSpec::Ppn(PpnOptions { hybrid_sweeps: sweeps, rescues: 0, ..PpnOptions::default() }),
    }
}

/// Solves cold; the report is not taken on trust. Also the errors seen on the way.
fn solve_by<const D: usize, W: Compiled<D>>(
    spec: &SolverSpec,
    problem: &LocalProblem<D, W>,
    stop: &Stop,
) -> (Unknowns<D>, Report, Vec<f64>) {
    let name = spec.name();
    let mut x = Unknowns::zeros(problem);
    let mut errors = Vec::new();
    let mut watch = |p: &Progress| {
        errors.extend(p.error);
        Flow::Continue
    };
    let report = spec.build::<D, W>().solve(problem, &mut x, stop, &mut watch);
    let (certificate, u) = problem.certify(&x.r, stop.measure);
    assert_eq!(certificate, report.certificate, "{name}");
    assert_eq!(u, x.u, "{name}");
    assert_eq!(report.converged(), certificate.error <= stop.tolerance, "{name}: {report:?}");
    assert!(x.r.iter().flatten().all(|r| r.is_finite()), "{name}");
    (x, report, errors)
}

fn stop(tolerance: f64) -> Stop {
    Stop { tolerance, max_iterations: 2000, ..Stop::default() }
}

/// Distance of two velocities, relative to the free one.
fn apart<const D: usize, W>(problem: &LocalProblem<D, W>, a: &[[f64; D]], b: &[[f64; D]]) -> f64 {
    let difference: Vec<[f64; D]> = a.iter().zip(b).map(|(a, b)| sub(a, b)).collect();
    norm_all(&difference) / norm_all(&problem.q)
}

/// Every solver reaches 1e-10 and the velocity of Gauss-Seidel.
fn all_agree<const D: usize, W: Compiled<D>>(what: &str, problem: &LocalProblem<D, W>, names: &[&str]) {
    let specs: Vec<SolverSpec> = names.iter().map(|n| SolverSpec::named(n).unwrap().spec).collect();
    agree(what, problem, &specs);
}

fn agree<const D: usize, W: Compiled<D>>(what: &str, problem: &LocalProblem<D, W>, specs: &[SolverSpec]) {
    let mut reference = Unknowns::zeros(problem);
    let fine = Stop { tolerance: 1e-11, ..Stop::default() };
    let report = Nsgs::default().solve(problem, &mut reference, &fine, &mut unwatched());
    for spec in specs {
        let (x, r, _) = solve_by(spec, problem, &stop(1e-10));
        let name = spec.name();
        println!("{what:>20} {name:>7}: {:>4} iterations {:.1e} {:?}", r.iterations, r.certificate.error, r.elapsed);
        assert!(r.converged(), "{what} {name}: {r:?}");
        if report.converged() {
            let distance = apart(problem, &x.u, &reference.u);
            assert!(distance < 1e-6, "{what} {name}: {distance:e}");
        }
    }
}

#[test]
fn packings_and_elastic_blocks() {
    let lattice = SphereLattice { nx: 3, ny: 3, nz: 3, ..SphereLattice::default() };
    all_agree("spheres", &lattice.spheres().unwrap(), &NEWTON);
    // one sweep only: more would solve it before Newton begins
    let block = ElasticBlock { elements: [3, 3, 2], tilt: 0.6, mu: 0.3, noise: 0.3, ..ElasticBlock::default() };
    let elastic = block.generate().unwrap().condense().unwrap().0;
    agree("elastic", &elastic, &NEWTON.map(|name| after_sweeps(name, 1)));
}

#[test]
fn random_problems_in_every_dimension() {
    for seed in 0..3 {
        let random = RandomSparse { contacts: 60, bodies: 60, seed, ..RandomSparse::default() };
        all_agree("plane", &random.local::<2>().unwrap(), &NEWTON);
        all_agree("space", &random.local::<3>().unwrap(), &NEWTON);
        all_agree("rolling", &random.local::<5>().unwrap(), &["nsn-ac", "nsn-mj", "ppn"]);
    }
}

#[test]
fn one_badly_conditioned_contact() {
    for seed in 0..20 {
        let single = SingleContact { condition: 1e6, seed, ..SingleContact::default() };
        all_agree("single", &single.generate::<2>().unwrap(), &NEWTON);
        all_agree("single", &single.generate::<3>().unwrap(), &NEWTON);
    }
}

#[test]
fn a_hyperstatic_wall_is_solved_by_the_proximal_iteration() {
    let wall = BoxWall { columns: 3, courses: 3, ..BoxWall::default() }.generate().unwrap();
    let problem = LocalProblem::matrix_free(&wall).unwrap().unwrap();
    all_agree("wall", &problem, &["ppn"]);
    // the others, with Gauss-Seidel's help and without, may stall; they must say so, and what they return is certified
    for name in NEWTON {
        for spec in [SolverSpec::named(name).unwrap().spec, after_sweeps(name, 10)] {
            let (_, r, _) = solve_by(&spec, &problem, &stop(1e-10));
            println!("wall {name}: {} after {} iterations, {:.1e}", r.status, r.iterations, r.certificate.error);
            assert!(matches!(r.status, Status::Converged | Status::Stalled | Status::IterationLimit), "{r:?}");
        }
    }
}

#[test]
fn mixed_cones_and_what_is_not_treated() {
    let mut problem = RandomSparse { contacts: 40, bodies: 40, ..RandomSparse::default() }.local::<3>().unwrap();
    for (c, cone) in problem.cones.iter_mut().enumerate() {
        match c % 4 {
            0 => *cone = Cone::Frictionless,
            1 if c < 12 => *cone = Cone::Bilateral,
            _ => {}
        }
    }
    all_agree("mixed", &problem, &NEWTON);
    problem.cones[3] = Cone::Tresca { radius: 0.1 };
    all_agree("with Tresca", &problem, &["nsn-ac", "nsn-mj", "nsn-nm", "ppn"]);
    let (_, report, _) = solve("nsn-fb", &problem, &stop(1e-10));
    assert_eq!((report.status, report.iterations), (Status::Unsupported, 0));
    let rolling = RandomSparse::default().local::<5>().unwrap();
    assert_eq!(solve("nsn-fb", &rolling, &stop(1e-10)).1.status, Status::Unsupported);
}

/// A sliding block and a random problem, where slip makes the equations curved.
#[test]
fn the_tail_is_quadratic() {
    let block = ElasticBlock { elements: [3, 3, 2], tilt: 0.6, mu: 0.3, noise: 0.3, ..ElasticBlock::default() };
    let elastic = block.generate().unwrap().condense().unwrap().0;
    let random = RandomSparse { contacts: 60, bodies: 60, ..RandomSparse::default() }.local::<3>().unwrap();
    for (what, problem) in [("elastic", elastic), ("random", random)] {
        for name in NEWTON {
            let (_, report, errors) = solve_by(&after_sweeps(name, 3), &problem, &stop(1e-12));
            let tail: Vec<String> = errors.iter().map(|e| format!("{e:.1e}")).collect();
            println!("{what} {name} {}: {}", report.status, tail.join(" "));
            assert!(report.converged(), "{what} {name}: {report:?}");
            assert!(errors.len() >= 5, "{what} {name}: solved before Newton began");
            // the last step gains more digits than a linear method ever would
            let [.., before, last] = errors[..] else { unreachable!() };
            assert!(last < 1e-3 * before, "{what} {name}: {errors:?}");
        }
    }
}

#[test]
fn every_line_search_arrives() {
    let problem = RandomSparse { contacts: 60, bodies: 60, ..RandomSparse::default() }.local::<3>().unwrap();
    for line_search in
        [LineSearch::None, LineSearch::default(), LineSearch::GoldsteinPrice { m1: 0.1, m2: 0.9, trials: 20 }]
    {
        let options = NsnOptions { line_search, ..NsnOptions::default() };
        let mut x = Unknowns::zeros(&problem);
        let report =
            Nsn::new(Formulation::AlartCurnier, options).solve(&problem, &mut x, &stop(1e-10), &mut unwatched());
        println!("{line_search:?}: {} iterations {:.1e}", report.iterations, report.certificate.error);
        assert!(report.converged(), "{line_search:?}: {report:?}");
    }
}

#[test]
fn a_polish_gains_the_last_digits_in_a_few_factorisations() {
    let wall = BoxWall { columns: 3, courses: 3, ..BoxWall::default() }.generate().unwrap();
    let problem = LocalProblem::matrix_free(&wall).unwrap().unwrap();
    let mut x = Unknowns::zeros(&problem);
    let coarse =
        Nsgs::default().solve(&problem, &mut x, &Stop { tolerance: 1e-7, ..Stop::default() }, &mut unwatched());
    assert!(coarse.converged());
    let near = x.r.clone();
    let fine = Ppn::default().solve(&problem, &mut x, &stop(1e-12), &mut unwatched());
    println!("polish: {} factorisations to {:.1e}", fine.iterations, fine.certificate.error);
    assert!(fine.converged() && fine.iterations <= 25, "{fine:?}");
    // among the many solutions of a hyperstatic wall, one near the start
    let moved: Vec<[f64; 3]> = x.r.iter().zip(&near).map(|(a, b)| sub(a, b)).collect();
    assert!(norm_all(&moved) < 1e-2 * norm_all(&near));
    // and from the answer, none
    let again = Ppn::default().solve(&problem, &mut x, &stop(1e-12), &mut unwatched());
    assert_eq!((again.status, again.iterations), (Status::Converged, 0));
}

/// Two contacts that are one: W of rank one block, with and without a solution of the linear system.
#[test]
fn singular_systems_never_become_nan() {
    let one = [[1.0, 0.3, 0.0], [0.3, 2.0, 0.0], [0.0, 0.0, 1.5]];
    let w = BlockCsr::new(vec![0, 2, 4], vec![0, 1, 0, 1], vec![one; 4]).unwrap();
    for (q, mu) in [
        ([[-1.0, 0.2, 0.0], [-1.0, 0.2, 0.0]], 0.5),
        ([[-1.0, 0.2, 0.0], [-2.0, 0.7, 0.1]], 0.5),
        ([[-1.0, 5.0, 0.0], [-1.0, -5.0, 0.0]], 2.0),
        ([[0.0; 3]; 2], 0.5),
    ] {
        let problem = LocalProblem::new(w.clone(), q.to_vec(), vec![Cone::Coulomb { mu }; 2]).unwrap();
        for name in NEWTON {
            let (_, report, errors) = solve_by(&after_sweeps(name, 0), &problem, &stop(1e-10));
            println!("{name} {}: {:.1e}", report.status, report.certificate.error);
            assert!(errors[0].is_finite() && report.certificate.error.is_finite());
        }
    }
}

#[test]
fn limits_are_statuses() {
    let wall = BoxWall { columns: 4, courses: 4, ..BoxWall::default() }.generate().unwrap();
    let problem = LocalProblem::matrix_free(&wall).unwrap().unwrap();
    let hard = Stop { tolerance: 1e-30, ..Stop::default() };
    for name in NEWTON {
        let (_, report, _) = solve(name, &problem, &Stop { max_iterations: 12, ..hard });
        assert_eq!((report.status, report.iterations), (Status::IterationLimit, 12), "{name}");
        let limit = Duration::from_micros(100);
        let (_, report, _) = solve(name, &problem, &Stop { time_limit: Some(limit), ..hard });
        assert_eq!(report.status, Status::TimeLimit, "{name}");
        let mut x = Unknowns::zeros(&problem);
        let mut watch = |p: &Progress| if p.iteration >= 14 { Flow::Stop } else { Flow::Continue };
        let report = SolverSpec::named(name).unwrap().spec.build().solve(&problem, &mut x, &hard, &mut watch);
        assert_eq!((report.status, report.iterations), (Status::Interrupted, 14), "{name}");
        // what cannot be reached ends, and is not called converged
        assert!(!solve(name, &problem, &Stop { max_iterations: 400, ..hard }).1.converged());
        // a start that is not a number
        let mut x = Unknowns::zeros(&problem);
        x.r[0][0] = f64::NAN;
        let report = SolverSpec::named(name).unwrap().spec.build().solve(&problem, &mut x, &hard, &mut unwatched());
        assert_eq!(report.status, Status::Diverged, "{name}");
        assert!(x.r.iter().flatten().all(|r| r.is_finite()));
    }
    let empty = LocalProblem::new(BlockCsr::<3>::new(vec![0], vec![], vec![]).unwrap(), vec![], vec![]).unwrap();
    for name in NEWTON {
        assert_eq!(solve(name, &empty, &stop(1e-10)).1.status, Status::Converged);
    }
}

#[test]
fn same_bits_on_every_run() {
    let problem = RandomSparse { contacts: 200, bodies: 150, ..RandomSparse::default() }.local::<3>().unwrap();
    for name in NEWTON {
        assert_eq!(solve(name, &problem, &stop(1e-10)).0, solve(name, &problem, &stop(1e-10)).0, "{name}");
    }
}

#[test]
fn options_survive_serde_and_refuse_what_they_do_not_know() {
    let text = r#"{ "ppn": { "alpha_polish": 1e-4 } }"#;
    let expected = SolverSpec::Ppn(PpnOptions { alpha_polish: 1e-4, ..PpnOptions::default() });
    assert_eq!(serde_json::from_str::<SolverSpec>(text).unwrap(), expected);
    assert!(serde_json::from_str::<SolverSpec>(r#"{ "nsn-ac": { "line_serach": "none" } }"#).is_err());
}

/// All four functions with every line search in both forms of the system.
fn every_combination<const D: usize, W: Compiled<D>>(what: &str, problem: &LocalProblem<D, W>) {
    let functions =
        [Formulation::AlartCurnier, Formulation::JeanMoreau, Formulation::NaturalMap, Formulation::FischerBurmeister];
    let searches =
        [LineSearch::None, LineSearch::default(), LineSearch::GoldsteinPrice { m1: 0.1, m2: 0.9, trials: 20 }];
    for formulation in functions {
        for line_search in searches {
            for form in [Form::Local, Form::Global] {
                let options = NsnOptions { line_search, form, ..NsnOptions::default() };
                let mut x = Unknowns::zeros(problem);
                let report =
                    Erased(Nsn::new(formulation, options)).solve(problem, &mut x, &stop(1e-6), &mut unwatched());
                assert!(report.converged(), "{what}, {formulation:?}, {line_search:?}, {form:?}: {report:?}");
            }
        }
    }
}

#[test]
fn every_function_line_search_and_form() {
    let random = RandomSparse { contacts: 30, bodies: 40, mu: [0.1, 0.5], ..RandomSparse::default() };
    every_combination("packing", &SphereLattice { nx: 3, ny: 3, nz: 3, ..SphereLattice::default() }.spheres().unwrap());
    every_combination("local", &random.local::<3>().unwrap());
    every_combination("plane", &random.local::<2>().unwrap());
    let bodies = random.global::<3>().unwrap();
    every_combination("global", &LocalProblem::matrix_free(&bodies).unwrap().unwrap());
}

#[test]
fn a_law_without_a_function_is_named() {
    let problem = RandomSparse { contacts: 4, bodies: 6, ..RandomSparse::default() }.local::<5>().unwrap();
    let report = solve("nsn-fb", &problem, &stop(1e-6)).1;
    assert_eq!(report.status, Status::Unsupported);
    assert!(report.why.mentions("contact 0") && report.why.mentions("Rolling"), "{report:?}");
}
