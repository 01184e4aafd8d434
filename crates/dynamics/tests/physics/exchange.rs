//! Bodies that come and go, drives, springs, dumps, and states restored.

use stickslip_contact::solvers::{Nsgs, Solver, Stop, Unknowns, unwatched};
use stickslip_dynamics::dump::Dump;
use stickslip_dynamics::geometry::{plane, space};
use stickslip_dynamics::{
    Anchor, Body, Drive, Engine, Force, Law, Options, Profile, Region, SoftSphere, Stabilisation, World,
};

/// A belt that carries discs from an inlet to an outlet.
fn belt() -> World<2, 3> {
    let mut world = World::<2, 3>::new(Options::default()).unwrap();
    world.set_law(Law::coulomb(0.6)).unwrap();
    let drive = Drive::constant([1.0, 0.0, 0.0]);
    world.add(Body::new(plane::Shape::Box { half: [50.0, 0.1] }).at([0.0, -0.1]).driven(drive)).unwrap();
    for k in 0..10 {
        let body = Body::new(plane::Shape::Box { half: [0.03, 0.02] }).at([0.0, 0.05]);
        world.add_at(0.1 * k as f64, body).unwrap();
    }
    world.keep_within(Region { low: [-1.0, -1.0], high: [0.5, 1.0] }).unwrap();
    world
}

fn bits(world: &World<2, 3>) -> Vec<u64> {
    let b = world.bodies();
    let all = b.x.as_flattened().iter().chain(b.v.as_flattened()).chain(b.orientation.as_flattened());
    all.map(|x| x.to_bits()).collect()
}

#[test]
fn bodies_appear_ride_and_leave() {
    let mut world = belt();
    let mut most = 0;
    for _ in 0..2500 {
        let report = world.step();
        assert!(report.certified);
        most = most.max(report.bodies);
    }
    assert!(most > 4, "{most}");
    assert_eq!(world.bodies().len(), 1);
    let l = world.ledger();
    assert!(l.closure.abs() < 1e-10 * l.turnover && l.work_driven > 0.0, "{l:?}");
}

#[test]
fn a_restored_state_goes_on_with_the_same_bits() {
    let mut whole = belt();
    for _ in 0..700 {
        whole.step();
    }
    for at in [1, 350, 699] {
        let mut first = belt();
        for _ in 0..at {
            first.step();
        }
        let mut second = belt();
        second.restore(&first.snapshot()).unwrap();
        for _ in at..700 {
            second.step();
        }
        assert_eq!(bits(&whole), bits(&second));
        assert_eq!(whole.ledger(), second.ledger());
        assert_eq!(whole.snapshot(), second.snapshot());
    }
    let mut wrong = whole.snapshot();
    wrong.x.pop();
    assert!(belt().restore(&wrong).is_err());
}

#[test]
fn a_spring_swings_with_its_period_and_the_ledger_closes() {
    let mut world = World::<3, 6>::new(Options { h: 1e-3, ..Options::default() }).unwrap();
    world.set_gravity([0.0; 3]).unwrap();
    let ball = world.add(Body::new(space::Shape::Sphere { radius: 0.1 }).at([1.2, 0.0, 0.0]).mass(2.0)).unwrap();
    let (from, to) = (Anchor::Body(ball, [0.0; 3]), Anchor::Ground([0.0; 3]));
    world.add_force(Force::Spring { from, to, stiffness: 50.0, rest: 1.0, damping: 0.0 }).unwrap();
    let period = std::f64::consts::TAU * (2.0f64 / 50.0).sqrt();
    for _ in 0..(period / 1e-3).round() as usize {
        world.step();
    }
    let x = world.position(ball).unwrap()[0];
    assert!((x - 1.2).abs() < 2e-4, "{x}");
    let l = world.ledger();
    assert!(l.closure.abs() < 1e-12 && l.scheme.abs() < 1e-3, "{l:?}");
}

#[test]
fn a_shaken_plate_works_and_the_ledger_closes() {
    let mut world = World::<3, 6>::new(Options::default()).unwrap();
    world.set_law(Law::coulomb(0.3)).unwrap();
    let shake = Profile::Sine { amplitude: 0.02, frequency: 3.0, phase: 0.0 };
    let half = [1.0, 1.0, 0.1];
    world.add(Body::new(space::Shape::Box { half }).at([0.0, 0.0, -0.1]).driven(Drive::along::<6>(0, shake))).unwrap();
    world.add(Body::new(space::Shape::Box { half: [0.1; 3] }).at([0.0, 0.0, 0.1])).unwrap();
    for _ in 0..1000 {
        assert!(world.step().certified);
    }
    let l = world.ledger();
    assert!(l.closure.abs() < 1e-10 * l.turnover, "{l:?}");
    // the box slips on the plate: what the plate gives, friction takes
    assert!(
        l.friction > 0.0 && (l.work_driven - l.friction - l.kinetic - l.impact - l.scheme).abs() < 1e-3 * l.friction,
        "{l:?}"
    );
}

#[test]
fn a_dumped_problem_has_the_impulses_of_the_step_as_its_answer() {
    let mut world = World::<3, 6>::new(Options { tolerance: 1e-8, ..Options::default() }).unwrap();
    world.add(Body::new(space::Shape::HalfSpace).fixed()).unwrap();
    for k in 0..3 {
        world
            .add(Body::new(space::Shape::Box { half: [0.1; 3] }).at([0.02 * k as f64, 0.0, 0.1 + 0.2 * k as f64]))
            .unwrap();
    }
    for _ in 0..10 {
        assert!(world.step().certified);
    }
    let dumped = world.dump().unwrap();
    let Dump::Three(global) = dumped.problem else { panic!("three rows") };
    let (local, _) = global.condense().unwrap();
    let x = Unknowns::from_flat(&local, &dumped.r).unwrap();
    let (certificate, _) = local.certify(&x.r, Default::default());
    assert!(certificate.error < 1e-7, "{}", certificate.error);
    let mut fresh = Unknowns::zeros(&local);
    assert!(Nsgs::default().solve(&local, &mut fresh, &Stop::default(), &mut unwatched()).converged());
}

#[test]
fn projection_takes_an_overlap_away_without_giving_speed() {
    let options = Options { stabilisation: Stabilisation::Project, ..Options::default() };
    let mut world = World::<3, 6>::new(options).unwrap();
    world.add(Body::new(space::Shape::HalfSpace).fixed()).unwrap();
    let ball = world.add(Body::new(space::Shape::Sphere { radius: 0.1 }).at([0.0, 0.0, 0.09])).unwrap();
    for _ in 0..10 {
        assert!(world.step().certified);
    }
    assert!((world.position(ball).unwrap()[2] - 0.1).abs() < 1e-6);
    assert!(world.velocity(ball).unwrap()[2].abs() < 1e-9);
    assert!(world.ledger().closure.abs() < 1e-12 * world.ledger().turnover);
}

#[test]
fn soft_spheres_bounce_rest_and_slide_as_hard_ones_do() {
    let soft = SoftSphere { k_n: 1e6, k_t: 3e5 };
    let options = Options { engine: Engine::SoftSphere(soft), h: 1e-5, ..Options::default() };
    let mut world = World::<3, 6>::new(options).unwrap();
    world.set_law(Law::bouncing(0.3, 0.5)).unwrap();
    world.add(Body::new(space::Shape::HalfSpace).fixed()).unwrap();
    let v = [3.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let ball = world.add(Body::new(space::Shape::Sphere { radius: 0.1 }).at([0.0, 0.0, 0.1]).moving(v)).unwrap();
    for _ in 0..100_000 {
        world.step();
    }
    let v = world.velocity(ball).unwrap();
    assert!((v[0] - 15.0 / 7.0).abs() < 1e-2, "{v:?}");
    // it sinks in by its weight over the stiffness
    let sunk = 0.1 - world.position(ball).unwrap()[2];
    let weight = world.bodies().mass[1] * 9.81;
    assert!((sunk / (weight / soft.k_n) - 1.0).abs() < 1e-2, "{sunk:e}");
    assert!(world.ledger().closure.abs() < 1e-9 * world.ledger().turnover);
}
