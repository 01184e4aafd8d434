//! Truncated nonsmooth Newton multigrid: packings, towers and walls at rest, in the plane too, against Gauss-Seidel; what
//! it needs and what it does without.

use stickslip_contact::block::{norm_all, sub};
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::{BoxWall, RandomSparse, SphereLattice};
use stickslip_contact::operator::{
    Bodies, Delassus, DiscContact, DiscContacts, MatrixFree, SphereContact, SphereContacts,
};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{
    Compiled, Flow, Nsgs, Report, Solver, SolverSpec, Status, Stop, TnnmgOptions, Unknowns, unwatched,
};

fn spec() -> SolverSpec {
    SolverSpec::Tnnmg(TnnmgOptions::default())
}

fn solve<const D: usize, W: Compiled<D>>(problem: &LocalProblem<D, W>, tolerance: f64) -> (Unknowns<D>, Report) {
    let (mut x, stop) = (Unknowns::zeros(problem), Stop { tolerance, ..Stop::default() });
    let report = spec().build::<D, W>().solve(problem, &mut x, &stop, &mut unwatched());
    assert_eq!(problem.certify(&x.r, stop.measure).0, report.certificate);
    (x, report)
}

/// Converges, to the velocity of Gauss-Seidel.
fn agrees<const D: usize, W: Compiled<D>>(problem: &LocalProblem<D, W>, tolerance: f64) {
    let (x, report) = solve(problem, tolerance);
    assert!(report.converged(), "{report:?}");
    let (mut y, stop) = (Unknowns::zeros(problem), Stop { tolerance: 0.01 * tolerance, ..Stop::default() });
    assert!(Nsgs::default().solve(problem, &mut y, &stop, &mut unwatched()).converged());
    let off: Vec<[f64; D]> = x.u.iter().zip(&y.u).map(|(a, b)| sub(a, b)).collect();
    assert!(norm_all(&off) < 100.0 * tolerance * norm_all(&problem.q));
}

fn cube(n: usize) -> SphereLattice {
    SphereLattice { nx: n, ny: n, nz: n, ..SphereLattice::default() }
}

fn wall(n: usize) -> LocalProblem<3, MatrixFree<3>> {
    let wall = BoxWall { columns: n, courses: n, ..BoxWall::default() }.generate().unwrap();
    LocalProblem::matrix_free(&wall).unwrap().unwrap()
}

/// A pyramid of discs on the ground between two walls, layer on layer, that falls with velocity 1.
fn pyramid(layers: u32) -> LocalProblem<2, DiscContacts> {
    let (first, root) = (|layer: u32| layer * layers - layer * layer.saturating_sub(1) / 2, 3f64.sqrt() / 2.0);
    let ground = first(layers);
    let mut discs = DiscContacts::default();
    discs.reset(ground as usize + 1);
    let mut push = |a, b, normal: [f64; 2]| {
        let inv_mass_b = f64::from(u8::from(b < ground));
        discs.push_contact(DiscContact { normal, a, b, inv_mass_a: 1.0, inv_mass_b });
    };
    push(0, ground, [1.0, 0.0]);
    push(layers - 1, ground, [-1.0, 0.0]);
    (0..layers).for_each(|a| push(a, ground, [0.0, 1.0]));
    (1..layers).for_each(|a| push(a, a - 1, [1.0, 0.0]));
    for (layer, i) in (1..layers).flat_map(|layer| (0..layers - layer).map(move |i| (layer, i))) {
        push(first(layer) + i, first(layer - 1) + i, [0.5, root]);
        push(first(layer) + i, first(layer - 1) + i + 1, [-0.5, root]);
    }
    discs.arrange(&mut Vec::new());
    let v_free: Vec<f64> = (0..3 * (ground + 1)).map(|i| -f64::from(u8::from(i % 3 == 1 && i < 3 * ground))).collect();
    let mut q = vec![[0.0; 2]; discs.contacts()];
    discs.relative_velocity(&v_free, &mut q);
    let cones = vec![Cone::Coulomb { mu: 0.6 }; q.len()];
    LocalProblem::new(discs, q, cones).unwrap().with_v_free(v_free)
}

/// Sweeps after a start from r = 0 in which every body rests on its supports: half of those between two corrections.
const FIRST_SWEEPS: usize = 2;

#[test]
fn packings_and_towers_take_few_iterations_whatever_their_size() {
    for n in [4, 8, 16] {
        let (_, report) = solve(&cube(n).spheres().unwrap(), 1e-4);
        assert!(report.converged() && report.iterations <= 40, "{n}: {report:?}");
    }
    for nz in [8, 40, 120] {
        let (_, report) = solve(&SphereLattice { nz, ..cube(6) }.spheres().unwrap(), 1e-4);
        assert!(report.converged() && report.iterations <= 50, "{nz}: {report:?}");
    }
}

#[test]
fn walls_take_few_iterations_to_many_digits() {
    for n in [6, 12, 24] {
        let (_, report) = solve(&wall(n), 1e-7);
        assert!(report.converged() && report.iterations <= 80, "{n}: {report:?}");
    }
}

/// A wall of bricks a tenth of a millimetre long takes as many iterations as one of metres.
#[test]
fn units_of_length_make_no_difference() {
    let of = |length: f64| {
        let wall = BoxWall { columns: 8, courses: 8, size: [length, 0.4 * length, 0.5 * length], ..BoxWall::default() };
        let problem = LocalProblem::matrix_free(&wall.generate().unwrap()).unwrap().unwrap();
        let (_, report) = solve(&problem, 1e-6);
        assert!(report.converged(), "{length}: {report:?}");
        report.iterations
    };
    assert!(of(1e-4).abs_diff(of(1.0)) <= 12, "{} {}", of(1e-4), of(1.0));
}

#[test]
fn agrees_with_gauss_seidel() {
    agrees(&cube(5).spheres().unwrap(), 1e-6);
    agrees(&LocalProblem::matrix_free(&cube(5).global().unwrap()).unwrap().unwrap(), 1e-6);
    agrees(&wall(4), 1e-4);
    agrees(&pyramid(6), 1e-6);
}

#[test]
fn contacts_without_friction_and_joints_take_part() {
    let mut smooth = cube(4).spheres().unwrap();
    smooth.cones.iter_mut().step_by(3).for_each(|c| *c = Cone::Frictionless);
    // there are several answers: Gauss-Seidel finds one that still moves (2e-4 of q), this the one at rest, as the interior point does
    let (x, report) = solve(&smooth, 1e-8);
    assert!(report.converged() && norm_all(&x.u) < 1e-6 * norm_all(&smooth.q), "{report:?}");
    let mut joined = pyramid(5);
    joined.cones.iter_mut().step_by(4).for_each(|c| *c = Cone::Bilateral);
    agrees(&joined, 1e-6);
}

#[test]
fn what_slides_flies_or_is_pushed_about_ends_as_gauss_seidel_does() {
    let tilted = SphereLattice { tilt: 0.3, walls: false, mu: 0.2, ..cube(3) };
    agrees(&tilted.spheres().unwrap(), 1e-5);
    let random = RandomSparse { contacts: 40, bodies: 40, mu: [0.1, 0.5], ..RandomSparse::default() };
    agrees(&LocalProblem::matrix_free(&random.global::<3>().unwrap()).unwrap().unwrap(), 1e-6);
    agrees(&LocalProblem::matrix_free(&random.global::<2>().unwrap()).unwrap().unwrap(), 1e-6);
}

#[test]
fn a_start_that_rests_on_its_supports_is_nearly_the_answer() {
    // balls one on the other; the last body is the ground
    let n = 30;
    let inv_mass = |b: u32| f64::from(u8::from(b < n));
    let on = |a: u32| SphereContact {
        normal: [0.0, 0.0, 1.0],
        a,
        b: if a == 0 { n } else { a - 1 },
        inv_mass_a: 1.0,
        inv_mass_b: if a == 0 { 0.0 } else { inv_mass(a - 1) },
    };
    let column = SphereContacts::new(n as usize + 1, (0..n).map(on).collect());
    let q = (0..n).map(|a| [if a == 0 { -1.0 } else { 0.0 }, 0.0, 0.0]).collect();
    let v_free = (0..6 * (n + 1)).map(|i| if i % 6 == 2 { -inv_mass(i / 6) } else { 0.0 }).collect();
    let problem =
        LocalProblem::new(column, q, vec![Cone::Coulomb { mu: 0.5 }; n as usize]).unwrap().with_v_free(v_free);
    // one pass from above to below carries all; the first sweeps are certified
    let (x, report) = solve(&problem, 1e-6);
    assert!(report.converged() && report.iterations == FIRST_SWEEPS, "{report:?}");
    assert!((0..30).all(|a| (x.r[a][0] - (30 - a) as f64).abs() < 1e-4), "{:?}", x.r);
}

#[test]
fn a_ball_that_would_slide_leans_on_what_stands_beside_it() {
    // on a slope of 45 degrees, against a ball on flat ground that a wall holds; hardly any friction
    let s = 0.5f64.sqrt();
    let contact = |normal, a, b, inv_mass_b| SphereContact { normal, a, b, inv_mass_a: 1.0, inv_mass_b };
    let contacts = vec![
        contact([s, 0.0, s], 0, 2, 0.0),
        contact([-1.0, 0.0, 0.0], 0, 1, 1.0),
        contact([0.0, 0.0, 1.0], 1, 2, 0.0),
        contact([-1.0, 0.0, 0.0], 1, 2, 0.0),
    ];
    let spheres = SphereContacts::new(3, contacts);
    let v_free: Vec<f64> = (0..18).map(|i| if i == 2 || i == 8 { -1.0 } else { 0.0 }).collect();
    let q = (0..4).map(|c| spheres.velocity(c, &v_free)).collect();
    let problem = LocalProblem::new(spheres, q, vec![Cone::Coulomb { mu: 0.05 }; 4]).unwrap().with_v_free(v_free);
    let (x, report) = solve(&problem, 1e-4);
    assert!(report.converged() && report.iterations == FIRST_SWEEPS, "{report:?}");
    // friction takes up to a twentieth of each
    assert!((x.r[0][0] - 2.0f64.sqrt()).abs() < 0.15 && (x.r[1][0] - 1.0).abs() < 0.15, "{:?}", x.r);
}

#[test]
fn warm_starts_are_kept_and_the_answer_is_left_alone() {
    let problem = cube(8).spheres().unwrap();
    let (mut x, cold) = solve(&problem, 1e-4);
    let (r, stop) = (x.r.clone(), Stop { tolerance: 1e-4, ..Stop::default() });
    let again = spec().build().solve(&problem, &mut x, &stop, &mut unwatched());
    assert!(again.converged() && again.iterations == 0 && x.r == r);
    let tighter = spec().build().solve(&problem, &mut x, &Stop { tolerance: 1e-5, ..stop }, &mut unwatched());
    assert!(tighter.converged() && tighter.iterations < cold.iterations, "{tighter:?}");
}

#[test]
fn what_is_missing_is_said() {
    let problem = cube(3).spheres().unwrap();
    let said = |report: &Report| report.why.iter().map(|w| w.to_string()).collect::<String>();
    let (_, unknown) = solve(&LocalProblem { v_free: Vec::new(), ..problem.clone() }, 1e-4);
    assert!(unknown.status == Status::Unsupported && said(&unknown).contains("free velocities"), "{unknown:?}");
    let (assembled, _) = cube(3).global().unwrap().condense().unwrap();
    assert_eq!(solve(&assembled, 1e-4).1.status, Status::Unsupported);
    let mut rolling = problem;
    rolling.cones[0] = Cone::Rolling { mu: 0.5, mu_r: 0.1 };
    assert!(said(&solve(&rolling, 1e-4).1).contains("roll"));
}

#[test]
fn limits_and_the_watcher_are_kept() {
    let problem = cube(8).spheres().unwrap();
    for max_iterations in [1, 3, 7, 20] {
        let (mut x, stop) = (Unknowns::zeros(&problem), Stop { tolerance: 1e-12, max_iterations, ..Stop::default() });
        let report = spec().build().solve(&problem, &mut x, &stop, &mut unwatched());
        assert_eq!((report.status, report.iterations), (Status::IterationLimit, max_iterations));
    }
    let (mut x, stop) = (Unknowns::zeros(&problem), Stop { tolerance: 1e-12, ..Stop::default() });
    let mut watch =
        |p: &stickslip_contact::solvers::Progress| if p.iteration > 4 { Flow::Stop } else { Flow::Continue };
    assert_eq!(spec().build().solve(&problem, &mut x, &stop, &mut watch).status, Status::Interrupted);
}

#[test]
fn same_bits_twice() {
    let problem = cube(9).spheres().unwrap();
    assert_eq!(solve(&problem, 1e-5).0.r, solve(&problem, 1e-5).0.r);
}
