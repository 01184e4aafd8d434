//! Alternating directions: with a factor and with a cycle, in every number of rows, cold and warm, and inside other
//! methods.

use std::time::Duration;
use stickslip_contact::block::{norm_all, sub};
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::{BoxWall, RandomSparse, SphereLattice};
use stickslip_contact::operator::MatrixFree;
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{
    AclmOptions, AdmmOptions, Compiled, ConvexMethod, Nsgs, NsgsOptions, Order, PanagiotopoulosOptions, Report,
    ShiftUpdate, Solver, SolverSpec, Status, Stop, TrescaOptions, Unknowns, unwatched,
};

fn solve<const D: usize, W: Compiled<D>>(
    problem: &LocalProblem<D, W>,
    spec: &SolverSpec,
    stop: &Stop,
) -> (Unknowns<D>, Report) {
    let mut x = Unknowns::zeros(problem);
    let report = spec.build::<D, W>().solve(problem, &mut x, stop, &mut unwatched());
    assert_eq!(problem.certify(&x.r, stop.measure).0, report.certificate);
    (x, report)
}

/// Converges, to the velocity of Gauss-Seidel.
fn agrees<const D: usize, W: Compiled<D>>(problem: &LocalProblem<D, W>, spec: &SolverSpec, tolerance: f64) {
    let stop = Stop { tolerance, ..Stop::default() };
    let (x, report) = solve(problem, spec, &stop);
    assert!(report.converged(), "{spec:?}: {report:?}");
    let mut y = Unknowns::zeros(problem);
    let finer = Stop { tolerance: 0.01 * tolerance, ..stop };
    assert!(Nsgs::default().solve(problem, &mut y, &finer, &mut unwatched()).converged());
    let off: Vec<[f64; D]> = x.u.iter().zip(&y.u).map(|(a, b)| sub(a, b)).collect();
    assert!(norm_all(&off) < 100.0 * tolerance * norm_all(&problem.q), "{spec:?}");
}

fn both() -> [SolverSpec; 2] {
    [SolverSpec::Admm(AdmmOptions::default()), SolverSpec::MgAdmm(AdmmOptions::default())]
}

fn free<const D: usize>(random: &RandomSparse) -> LocalProblem<D, MatrixFree<D>> {
    LocalProblem::matrix_free(&random.global::<D>().unwrap()).unwrap().unwrap()
}

fn wall(n: usize) -> LocalProblem<3, MatrixFree<3>> {
    let wall = BoxWall { columns: n, courses: n, ..BoxWall::default() }.generate().unwrap();
    LocalProblem::matrix_free(&wall).unwrap().unwrap()
}

#[test]
fn in_two_three_and_five_rows_from_the_bodies() {
    let random = RandomSparse { contacts: 40, bodies: 40, mu: [0.1, 0.5], ..RandomSparse::default() };
    for spec in both() {
        agrees(&free::<2>(&random), &spec, 1e-7);
        agrees(&free::<3>(&random), &spec, 1e-7);
        agrees(&free::<5>(&random), &spec, 1e-7);
    }
}

#[test]
fn a_wall_and_a_packing_take_few_iterations_whatever_their_size() {
    let stop = Stop { tolerance: 1e-4, ..Stop::default() };
    for spec in both() {
        for n in [4, 8, 14] {
            let cube = SphereLattice { nx: n, ny: n, nz: n, ..SphereLattice::default() }.spheres().unwrap();
            let (_, report) = solve(&cube, &spec, &stop);
            assert!(report.converged() && report.iterations <= 100, "{n}: {report:?}");
        }
        for n in [5, 10, 20] {
            let (_, report) = solve(&wall(n), &spec, &stop);
            assert!(report.converged() && report.iterations <= 200, "{n}: {report:?}");
        }
    }
}

#[test]
fn a_wall_comes_to_a_millionth() {
    for spec in both() {
        let (_, report) = solve(&wall(10), &spec, &Stop { tolerance: 1e-6, ..Stop::default() });
        assert!(report.converged() && report.iterations <= 400, "{report:?}");
    }
}

#[test]
fn a_warm_start_takes_fewer_iterations() {
    let cube = |noise| SphereLattice { nx: 8, ny: 8, nz: 8, noise, ..SphereLattice::default() }.spheres().unwrap();
    let (before, after) = (cube(0.01), cube(0.0101));
    let stop = Stop { tolerance: 1e-5, ..Stop::default() };
    for spec in both() {
        let (mut x, cold) = solve(&before, &spec, &stop);
        let warm = spec.build().solve(&after, &mut x, &stop, &mut unwatched());
        assert!(warm.converged() && warm.iterations < cold.iterations, "{warm:?} {cold:?}");
    }
}

#[test]
fn multigrid_without_bodies_says_what_it_needs() {
    let (problem, _) = BoxWall::default().generate().unwrap().condense().unwrap();
    let (x, report) = solve(&problem, &both()[1], &Stop::default());
    assert_eq!((report.status, report.iterations), (Status::Unsupported, 0));
    assert!(report.why.mentions("M and H"), "{:?}", report.why);
    assert!(x.r.iter().flatten().all(|r| *r == 0.0));
    // bodies of another size than its own
    let mut random = RandomSparse { contacts: 10, bodies: 5, ..RandomSparse::default() }.global::<3>().unwrap();
    random.m = {
        let mut t = stickslip_contact::matrix::Triplet::from(&*random.m);
        t.push(2, 8, 0.01);
        t.push(8, 2, 0.01);
        stickslip_contact::matrix::Csr::from(&t).into()
    };
    let coupled = LocalProblem::matrix_free(&random).unwrap().unwrap();
    let (_, report) = solve(&coupled, &both()[1], &Stop::default());
    assert_eq!(report.status, Status::Unsupported);
    assert!(report.why.mentions("couples no two bodies"), "{:?}", report.why);
}

#[test]
fn a_singular_w_gives_numbers() {
    // twice the same contact, a joint with padding, no weight at all
    let mut problem = wall(2);
    problem.cones[3] = Cone::Bilateral;
    for c in 8..problem.contacts() {
        problem.cones[c] = Cone::Frictionless;
    }
    for (spec, q) in both().iter().flat_map(|s| [(s, problem.q.clone()), (s, vec![[0.0; 3]; problem.contacts()])]) {
        let problem = LocalProblem::new(problem.w.clone(), q, problem.cones.clone()).unwrap();
        let (x, report) = solve(&problem, spec, &Stop { max_iterations: 500, ..Stop::default() });
        assert!(x.r.iter().chain(&x.u).flatten().all(|x| x.is_finite()), "{report:?}");
    }
}

#[test]
fn a_collapse_ends_in_time_with_the_best_iterate() {
    let lattice =
        SphereLattice { nx: 5, ny: 5, nz: 5, walls: false, tilt: 0.5, noise: 0.3, ..SphereLattice::default() };
    let problem = lattice.spheres().unwrap();
    let start = problem.certify(&vec![[0.0; 3]; problem.contacts()], Default::default()).0.error;
    for spec in both() {
        let (_, report) = solve(&problem, &spec, &Stop { tolerance: 1e-12, max_iterations: 300, ..Stop::default() });
        assert_eq!((report.status, report.iterations), (Status::IterationLimit, 300));
        assert!(report.certificate.error < 0.5 * start, "{report:?}");
        let time_limit = Some(Duration::from_millis(2));
        let (_, report) = solve(&problem, &spec, &Stop { tolerance: 1e-12, time_limit, ..Stop::default() });
        assert_eq!(report.status, Status::TimeLimit);
    }
}

/// ACLM, Tresca and Panagiotopoulos with ADMM inside, and every way to update the shift.
fn nested() -> Vec<SolverSpec> {
    let method = ConvexMethod::Admm;
    let aclm = |update, method| SolverSpec::Aclm(AclmOptions { update, method, ..AclmOptions::default() });
    vec![
        aclm(ShiftUpdate::FixedPoint, method),
        aclm(ShiftUpdate::Newton, method),
        aclm(ShiftUpdate::Secant, method),
        SolverSpec::Tresca(TrescaOptions { method, ..TrescaOptions::default() }),
        SolverSpec::Panagiotopoulos(PanagiotopoulosOptions { method, ..PanagiotopoulosOptions::default() }),
    ]
}

#[test]
fn inside_methods_that_freeze_part_of_the_law() {
    let random = RandomSparse { contacts: 40, bodies: 40, mu: [0.1, 0.5], ..RandomSparse::default() };
    let own = |update| SolverSpec::Aclm(AclmOptions { update, ..AclmOptions::default() });
    for spec in nested().into_iter().chain([own(ShiftUpdate::Newton), own(ShiftUpdate::Secant)]) {
        agrees(&free::<2>(&random), &spec, 1e-7);
        agrees(&free::<3>(&random), &spec, 1e-7);
        agrees(&random.local::<3>().unwrap(), &spec, 1e-7);
        agrees(&random.local::<5>().unwrap(), &spec, 1e-7);
    }
}

#[test]
fn inside_them_on_a_packing_and_a_wall() {
    let packing = SphereLattice { nx: 4, ny: 4, nz: 4, ..SphereLattice::default() }.spheres().unwrap();
    let (wall, _) = BoxWall { columns: 3, courses: 3, ..BoxWall::default() }.generate().unwrap().condense().unwrap();
    for spec in nested() {
        let stop = Stop { tolerance: 1e-6, max_iterations: 10_000, ..Stop::default() };
        let (_, report) = solve(&packing, &spec, &stop);
        assert!(report.converged(), "packing, {spec:?}: {report:?}");
        // normal and tangential problems in turn are not made for walls
        if spec.name() != "panagiotopoulos" {
            let (_, report) = solve(&wall, &spec, &stop);
            assert!(report.converged(), "wall, {spec:?}: {report:?}");
        }
    }
}

#[test]
fn newton_on_the_shift_takes_fewer_updates_than_the_fixed_point() {
    // solved inner problems, so that only the updates differ
    let random = RandomSparse { contacts: 30, bodies: 40, mu: [0.6, 0.9], ..RandomSparse::default() };
    let problem = random.local::<3>().unwrap();
    let stop = Stop { tolerance: 1e-10, ..Stop::default() };
    let iterations = |update| {
        let options = AclmOptions { update, inner: Some(1e-3), ..AclmOptions::default() };
        let (_, report) = solve(&problem, &SolverSpec::Aclm(options), &stop);
        assert!(report.converged(), "{update:?}: {report:?}");
        report.iterations
    };
    let (newton, plain) = (iterations(ShiftUpdate::Newton), iterations(ShiftUpdate::FixedPoint));
    assert!(2 * newton < plain, "{newton} against {plain}");
}

#[test]
fn a_windowed_order_visits_every_contact_and_has_the_same_bits_twice() {
    let lattice = SphereLattice { nx: 6, ny: 6, nz: 6, window: 0, ..SphereLattice::default() };
    let plain = lattice.spheres().unwrap();
    let coloured = SphereLattice { window: 64, ..lattice }.spheres().unwrap();
    let order = Order::Windowed { window: 64 };
    let spec = SolverSpec::Nsgs(NsgsOptions { order, ..NsgsOptions::default() });
    let stop = Stop { tolerance: 1e-6, ..Stop::default() };
    let (a, first) = solve(&plain, &spec, &stop);
    let (b, _) = solve(&plain, &spec, &stop);
    assert_eq!(a, b);
    // the order of the generator's own windows
    let (_, second) = solve(&coloured, &SolverSpec::Nsgs(NsgsOptions::default()), &stop);
    assert!(first.converged());
    assert_eq!(first.iterations, second.iterations);
    // without bodies as numbered
    let (condensed, _) =
        BoxWall { columns: 3, courses: 3, ..BoxWall::default() }.generate().unwrap().condense().unwrap();
    let natural = SolverSpec::Nsgs(NsgsOptions::default());
    assert_eq!(solve(&condensed, &spec, &stop).0, solve(&condensed, &natural, &stop).0);
}
