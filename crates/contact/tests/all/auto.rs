//! The automatic choice: it certifies, it says why, and it keeps to its limits.

use std::time::{Duration, Instant};
use stickslip_contact::certificate::Measure;
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::{BoxWall, RandomSparse, SphereLattice};
use stickslip_contact::operator::Delassus;
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
fn a_wall_at_1e8_is_taken_by_truncated_newton_and_without_bodies_by_the_interior_point() {
    let (stop, known) = (Stop { tolerance: 1e-8, ..Stop::default() }, wall());
    let (_, report) = solve(&known, &stop);
    assert!(report.converged(), "{report:?}");
    assert!(report.why.iter().all(|w| w.starts_with("truncated newton multigrid")), "{:?}", report.why);
    let w = known.w.assemble().unwrap().into_owned();
    let (_, report) = solve(&LocalProblem::new(w, known.q, known.cones).unwrap(), &stop);
    assert!(report.converged(), "{report:?}");
    assert!(report.why.iter().any(|w| w.starts_with("interior point")), "{:?}", report.why);
}

/// Structures at rest end in the first stage, whatever their size: walls, and packings that are large.
#[test]
fn what_comes_to_rest_is_taken_by_truncated_newton_alone() {
    let alone = |report: &Report| {
        assert!(report.converged(), "{report:?}");
        assert!(report.why.iter().all(|w| w.starts_with("truncated newton multigrid")), "{:?}", report.why);
    };
    let stop = Stop { tolerance: 1e-4, ..Stop::default() };
    let cube = SphereLattice { nx: 18, ny: 18, nz: 18, ..SphereLattice::default() };
    let tower = SphereLattice { nx: 10, ny: 10, nz: 60, ..SphereLattice::default() };
    [cube, tower].iter().for_each(|lattice| alone(&solve(&lattice.spheres().unwrap(), &stop).1));
    for n in [12, 50] {
        let wall = BoxWall { columns: n, courses: n, ..BoxWall::default() }.generate().unwrap();
        alone(&solve(&LocalProblem::matrix_free(&wall).unwrap().unwrap(), &stop).1);
    }
}

/// Four contacts a body, as balls have them: that faces meet is told from the bodies that contacts share.
#[test]
fn a_small_stack_at_rest_is_taken_by_truncated_newton_too() {
    let stack = BoxWall { columns: 1, courses: 8, ..BoxWall::default() }.generate().unwrap();
    let stack = LocalProblem::matrix_free(&stack).unwrap().unwrap();
    for tolerance in [1e-4, 1e-8] {
        let (_, report) = solve(&stack, &Stop { tolerance, ..Stop::default() });
        assert!(report.converged(), "{report:?}");
        assert!(report.why.iter().all(|w| w.starts_with("truncated newton multigrid")), "{:?}", report.why);
    }
}

/// A wall hit hard: an interior point from where sweeps end would jam more often than not.
#[test]
fn faces_in_motion_are_certified_by_interior_points_that_begin_afar() {
    let wall = BoxWall { columns: 5, courses: 15, noise: 1.0, mu: 0.3, ..BoxWall::default() }.generate().unwrap();
    let wall = LocalProblem::matrix_free(&wall).unwrap().unwrap();
    let (_, report) = solve(&wall, &Stop { tolerance: 1e-8, ..Stop::default() });
    assert!(report.converged(), "{report:?}");
    assert!(!report.why.iter().any(|w| w.starts_with("interior point from here")), "{:?}", report.why);
    assert!(report.why.iter().any(|w| w.starts_with("interior point: ")), "{:?}", report.why);
}

/// A wall hit hard in which the first start of the interior point jams and gradients creep.
#[test]
fn no_start_of_an_interior_point_is_tried_twice() {
    let wall = BoxWall { columns: 4, courses: 8, noise: 1.0, mu: 0.3, seed: 8, ..BoxWall::default() };
    let wall = LocalProblem::matrix_free(&wall.generate().unwrap()).unwrap().unwrap();
    let (_, report) = solve(&wall, &Stop { tolerance: 1e-8, ..Stop::default() });
    assert!(report.converged(), "{report:?}");
    let starts: Vec<_> = report.why.iter().filter(|w| w.starts_with("interior point: ")).map(String::from).collect();
    assert!(starts.len() > 1 && starts[0] != starts[1], "{:?}", report.why);
}

/// A tower that moves with its floor, sideways and upwards: nothing that contacts see is different from one at rest.
#[test]
fn a_tower_that_rides_on_its_floor_is_at_rest() {
    let still = BoxWall { columns: 1, courses: 30, ..BoxWall::default() }.generate().unwrap();
    let mut riding = still.clone();
    let velocity = [0.3, 0.1, 0.2];
    for brick in 0..30 {
        (0..3).for_each(|i| riding.f[6 * brick + i] += velocity[i]);
    }
    let [x, y, z] = velocity;
    riding.w[..4].fill([-z, -x, -y]);
    for tolerance in [1e-3, 1e-4] {
        let [of_still, of_riding] = [&still, &riding].map(|tower| {
            let tower = LocalProblem::matrix_free(tower).unwrap().unwrap();
            let (_, report) = solve(&tower, &Stop { tolerance, ..Stop::default() });
            assert!(report.converged() && report.certificate.stick > 0, "{report:?}");
            assert!(report.why.iter().all(|w| w.starts_with("truncated newton multigrid")), "{:?}", report.why);
            report.iterations
        });
        assert_eq!(of_still, of_riding);
    }
}

/// Few bodies of very different mass in the plane: an interior point whose error does not fall makes room for sweeps and gradients, each
/// from its own last point, which end it where few digits are asked for; for many it goes on.
#[test]
fn an_interior_point_that_jams_makes_room_for_others() {
    let sparse = RandomSparse { contacts: 500, bodies: 200, mass_ratio: 1000.0, seed: 3, ..RandomSparse::default() };
    let problem = LocalProblem::matrix_free(&sparse.global::<2>().unwrap()).unwrap().unwrap();
    for (tolerance, after) in
        [(1e-4, &["more accelerated sweeps: ", "accelerated gradients: "][..]), (1e-6, &["interior point: "][..])]
    {
        let (_, report) = solve(&problem, &Stop { tolerance, ..Stop::default() });
        assert!(report.converged(), "{report:?}");
        let told: Vec<_> = report.why.iter().map(|w| w.to_string()).collect();
        let jammed = told.iter().position(|w| w.starts_with("interior point: ")).unwrap();
        let then = &told[jammed + 1..];
        assert!(then.len() == after.len() && then.iter().zip(after).all(|(w, a)| w.starts_with(a)), "{told:?}");
    }
}

/// Unknowns of a problem of another size are as good as new ones.
#[test]
fn room_of_another_problem_is_brought_to_size() {
    let (problem, stop) = (wall(), Stop { tolerance: 1e-6, ..Stop::default() });
    let (new, _) = solve(&problem, &stop);
    for contacts in [0, 2 * problem.contacts()] {
        let mut x = Unknowns::zeros(&problem);
        x.r.resize(contacts, [0.0; 3]);
        x.u.resize(contacts, [0.0; 3]);
        let report = SolverSpec::default().build().solve(&problem, &mut x, &stop, &mut unwatched());
        assert!(report.converged() && x.r == new.r, "{report:?}");
    }
}

#[test]
fn a_tilted_wall_that_slides_leaves_truncated_newton_behind() {
    let wall = BoxWall { columns: 5, courses: 6, mu: 0.3, tilt: 0.5, ..BoxWall::default() }.generate().unwrap();
    let problem = LocalProblem::matrix_free(&wall).unwrap().unwrap();
    let (_, report) = solve(&problem, &Stop { tolerance: 1e-6, ..Stop::default() });
    assert!(report.converged() && report.certificate.slip > 0, "{report:?}");
}

#[test]
fn contacts_that_roll_begin_with_half_sweeps_where_few_digits_are_asked_for() {
    let problem = RandomSparse { contacts: 12, bodies: 30, ..RandomSparse::default() }.local::<5>().unwrap();
    for tolerance in [1e-3, 1e-8] {
        let (_, report) = solve(&problem, &Stop { tolerance, ..Stop::default() });
        assert!(report.converged(), "{report:?}");
        let halves = report.why.iter().any(|w| w.starts_with("alternating"));
        assert!(!halves || tolerance > 1e-5, "{:?}", report.why);
    }
}

/// An interior point would take fifty times as long.
#[test]
fn contacts_that_roll_go_on_with_gradients_where_a_factor_is_dear() {
    let sparse = RandomSparse { contacts: 300, bodies: 150, seed: 143, ..RandomSparse::default() };
    let (_, report) = solve(&sparse.local::<5>().unwrap(), &Stop { tolerance: 1e-4, ..Stop::default() });
    assert!(report.converged(), "{report:?}");
    assert!(!report.why.mentions("interior point"), "{:?}", report.why);
}

#[test]
fn contacts_that_open_by_themselves_need_nothing_else() {
    let mut problem = wall();
    problem.q.iter_mut().for_each(|q| q[0] = q[0].abs());
    // what a tolerance allows is no reason to begin
    problem.q[3][0] = -1e-12;
    let (x, report) = solve(&problem, &Stop { tolerance: 1e-8, ..Stop::default() });
    assert!(report.converged() && report.iterations == 0 && x.r.iter().all(|r| *r == [0.0; 3]), "{report:?}");
    assert_eq!(report.why.iter().collect::<Vec<_>>(), ["the start is the answer"]);
}

#[test]
fn a_few_hard_contacts_are_tried_by_newton_before_the_interior_point() {
    let mut tried = 0;
    for seed in 0..10 {
        let sparse = RandomSparse { contacts: 60, bodies: 8, mass_ratio: 1000.0, seed, ..RandomSparse::default() };
        let (_, report) = solve(&sparse.local::<3>().unwrap(), &Stop { tolerance: 1e-10, ..Stop::default() });
        assert!(report.converged(), "{seed}: {report:?}");
        let place = |what: &str| report.why.iter().position(|w| w.starts_with(what));
        // it is not tried where sweeps have come to nothing yet
        let Some(newton) = place("newton:") else { continue };
        for interior in ["interior point:", "interior point from here:"] {
            assert!(place(interior).is_none_or(|i| newton < i), "{seed}: {:?}", report.why);
        }
        tried += 1;
    }
    assert!(tried > 0);
}

/// Two bodies throw the sweeps over all others to and fro.
#[test]
fn sweeps_that_stand_still_are_followed_by_gradients() {
    let sparse = RandomSparse { contacts: 2000, bodies: 1333, mass_ratio: 1000.0, seed: 2, ..RandomSparse::default() };
    let problem = LocalProblem::matrix_free(&sparse.global::<3>().unwrap()).unwrap().unwrap();
    let (_, report) = solve(&problem, &Stop { tolerance: 1e-4, ..Stop::default() });
    assert!(report.converged(), "{report:?}");
    assert!(report.why.iter().any(|w| w.starts_with("accelerated gradients")), "{:?}", report.why);
    assert!(report.why.iter().all(|w| !w.starts_with("interior point:")), "{:?}", report.why);
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

/// Many bodies and few contacts: most of them share no body with most others.
fn scattered() -> RandomSparse {
    RandomSparse { contacts: 240, bodies: 460, mass_ratio: 1e3, seed: 3, ..RandomSparse::default() }
}

fn auto(islands: bool) -> SolverSpec {
    SolverSpec::Auto(AutoOptions { islands, ..AutoOptions::default() })
}

/// Both ways certify, and their velocities agree.
fn islands_agree<const D: usize, W: Compiled<D>>(problem: &LocalProblem<D, W>, measure: Measure) {
    let stop = Stop { tolerance: 1e-11, measure, ..Stop::default() };
    let [apart, whole] = [true, false].map(|islands| {
        let mut x = Unknowns::zeros(problem);
        let report = auto(islands).build().solve(problem, &mut x, &stop, &mut unwatched());
        assert!(report.converged(), "{report:?}");
        assert_eq!(problem.certify(&x.r, measure).0, report.certificate);
        assert_eq!(report.why.mentions("islands"), islands, "{:?}", report.why);
        x
    });
    let scale = problem.q.as_flattened().iter().fold(0.0f64, |m, q| m.max(q.abs()));
    for (a, b) in apart.u.as_flattened().iter().zip(whole.u.as_flattened()) {
        assert!((a - b).abs() < 1e-7 * scale, "{a} {b}");
    }
}

#[test]
fn islands_are_solved_by_themselves_in_every_operator_and_measure() {
    islands_agree(&scattered().local::<2>().unwrap(), Measure::Scaled);
    for measure in [Measure::Scaled, Measure::Force, Measure::Fclib, Measure::Siconos] {
        islands_agree(&scattered().local::<3>().unwrap(), measure);
    }
    let global = scattered().global::<3>().unwrap();
    islands_agree(&LocalProblem::matrix_free(&global).unwrap().unwrap(), Measure::Scaled);
}

/// The time limit counts from a clock that was started before, and so does what the report says.
#[test]
fn a_clock_that_was_started_before_counts() {
    let (problem, since) = (wall(), Instant::now());
    std::thread::sleep(Duration::from_millis(5));
    let late =
        Stop { tolerance: 1e-17, time_limit: Some(Duration::from_millis(4)), since: Some(since), ..Stop::default() };
    for name in ["auto", "nsgs", "anderson", "ipm", "admm", "nsn-ac"] {
        let mut x = Unknowns::zeros(&problem);
        let report = SolverSpec::named(name).unwrap().spec.build().solve(&problem, &mut x, &late, &mut unwatched());
        assert_eq!(report.status, Status::TimeLimit, "{name}");
        assert!(report.iterations <= 1 && report.elapsed >= Duration::from_millis(5), "{name}: {report:?}");
    }
}

#[test]
fn limits_hold_on_islands() {
    let problem = scattered().local::<3>().unwrap();
    let hard = Stop { tolerance: 1e-30, ..Stop::default() };
    let (_, report) = solve(&problem, &Stop { max_iterations: 60, ..hard });
    assert_eq!((report.status, report.iterations), (Status::IterationLimit, 60), "{report:?}");
    let (_, report) = solve(&problem, &Stop { time_limit: Some(Duration::from_millis(3)), ..hard });
    assert_eq!(report.status, Status::TimeLimit);
    let (mut x, mut seen) = (Unknowns::zeros(&problem), Vec::new());
    let mut watch = |p: &stickslip_contact::solvers::Progress| {
        seen.push(p.iteration);
        if p.iteration >= 15 { Flow::Stop } else { Flow::Continue }
    };
    let report = auto(true).build().solve(&problem, &mut x, &hard, &mut watch);
    assert_eq!(report.status, Status::Interrupted);
    assert!(report.why.mentions("islands") && seen.is_sorted(), "{:?}", report.why);
    assert_eq!(problem.certify(&x.r, hard.measure).0, report.certificate);
}

#[test]
fn islands_have_the_same_bits_on_every_run() {
    let problem = scattered().local::<3>().unwrap();
    let stop = Stop { tolerance: 1e-10, ..Stop::default() };
    let ((a, first), (b, second)) = (solve(&problem, &stop), solve(&problem, &stop));
    assert_eq!((a, first.why, first.iterations), (b, second.why, second.iterations));
    // room of other problems leaves no trace
    let mut used = auto(true).build();
    let other = RandomSparse { seed: 9, ..scattered() }.local::<3>().unwrap();
    used.solve(&other, &mut Unknowns::zeros(&other), &stop, &mut unwatched());
    let mut x = Unknowns::zeros(&problem);
    used.solve(&problem, &mut x, &stop, &mut unwatched());
    assert_eq!(x, solve(&problem, &stop).0);
}
