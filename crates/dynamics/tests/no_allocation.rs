//! A warm step allocates nothing.

#![allow(unsafe_code)]

#[path = "../../contact/tests/counting/mod.rs"]
mod counting;
use counting::ALLOCATIONS;
use std::sync::Arc;
use stickslip_contact::solvers::{AndersonOptions, NsgsOptions, SolverSpec};
use stickslip_dynamics::geometry::{plane, space::Shape};
use stickslip_dynamics::laws::Rolling;
use stickslip_dynamics::{Anchor, Body, Engine, Force, Law, Options, Rigid, SoftSphere, Space, Stabilisation, World};

/// Allocations in fifty steps after many others, and the most contacts of one of them.
fn warm<const N: usize, const V: usize>(mut world: World<N, V>, settle: usize) -> (usize, usize)
where
    Rigid: Space<N, V>,
{
    for _ in 0..settle {
        world.step();
    }
    // contacts come and go: buffers grow to the most there were, then no more
    let (mut allocations, mut contacts) = (0, 0);
    for _ in 0..50 {
        let before = ALLOCATIONS.get();
        let report = world.step();
        allocations += ALLOCATIONS.get() - before;
        contacts = contacts.max(report.contacts);
    }
    (allocations, contacts)
}

/// Sixty bodies on a floor.
fn floor(options: Options, law: Law, shape: impl Fn(usize) -> Shape) -> World<3, 6> {
    let mut world = World::<3, 6>::new(options).unwrap();
    world.set_law(law).unwrap();
    world.add(Body::new(Shape::HalfSpace).fixed()).unwrap();
    for k in 0..60usize {
        let x = [0.25 * (k % 4) as f64, 0.25 * ((k / 4) % 4) as f64, 0.11 + 0.21 * (k / 16) as f64];
        world.add(Body::new(shape(k)).at(x)).unwrap();
    }
    world
}

/// Rows of discs in a trough, close enough to press on each other.
fn discs(options: Options, wide: usize, high: usize) -> World<2, 3> {
    let mut world = World::<2, 3>::new(options).unwrap();
    world.add(Body::new(plane::Shape::HalfPlane).fixed()).unwrap();
    let r = 0.05;
    for side in [-1.0, 1.0] {
        let x = 0.5 * (wide as f64 - 1.0) * 2.0 * r + side * (wide as f64 * r + 0.1 + r);
        let wall = plane::Shape::Box { half: [0.1, high as f64] };
        world.add(Body::new(wall).at([x, 0.0]).fixed()).unwrap();
    }
    for k in 0..wide * high {
        let (i, j) = (k % wide, k / wide);
        let x = [2.0 * r * i as f64 + if j % 2 == 0 { 0.0 } else { r }, r + 1.74 * r * j as f64];
        world.add(Body::new(plane::Shape::Disc { radius: r * (1.0 - 1e-3 * ((i * 7 + j) % 5) as f64) }).at(x)).unwrap();
    }
    world
}

fn ball(_: usize) -> Shape {
    Shape::Sphere { radius: 0.1 }
}

fn mixed(k: usize) -> Shape {
    if k.is_multiple_of(2) { ball(k) } else { Shape::Box { half: [0.1; 3] } }
}

#[test]
fn a_warm_step_allocates_nothing() {
    let before = ALLOCATIONS.get();
    drop(std::hint::black_box(vec![1.0; 10]));
    assert!(ALLOCATIONS.get() > before);
    // the default solver, and sweeps alone
    for solver in [Options::default().solver, SolverSpec::Nsgs(NsgsOptions::default())] {
        let options = || Options { solver: solver.clone(), ..Options::default() };
        for shape in [ball, mixed] {
            let (allocations, contacts) = warm(floor(options(), Law::default(), shape), 300);
            assert!(allocations == 0 && contacts > 20, "{allocations} {contacts}");
        }
    }
}

/// Sweeps, plain and accelerated. A packing that jams is analysed and factored by the default solver, which allocates.
fn sweeping() -> [Options; 2] {
    let solvers = [SolverSpec::Nsgs(NsgsOptions::default()), SolverSpec::Anderson(AndersonOptions::default())];
    solvers.map(|solver| Options { solver, ..Options::default() })
}

#[test]
fn nor_does_one_of_discs() {
    for options in sweeping() {
        let (allocations, contacts) = warm(discs(options, 10, 6), 300);
        assert!(allocations == 0 && contacts > 60, "{allocations} {contacts}");
    }
}

#[test]
fn nor_does_one_with_rolling_and_spinning_friction() {
    let law = Law::Rolling(Rolling { mu_r: 1e-3, mu_s: 1e-3, ..Rolling::default() });
    let (allocations, contacts) = warm(floor(Options::default(), law, mixed), 300);
    assert!(allocations == 0 && contacts > 20, "{allocations} {contacts}");
}

#[test]
fn nor_does_one_with_forces() {
    let mut world = floor(Options::default(), Law::default(), mixed);
    let id = world.bodies().id.clone();
    world.add_force(Force::Damping { linear: 0.1, angular: 0.1 }).unwrap();
    world.add_force(Force::Constant { body: id[3], force: [0.1; 6] }).unwrap();
    let swing = |t: f64| [0.1 * t.sin(), 0.0, 0.0, 0.0, 0.0, 0.0];
    world.add_force(Force::Function { body: id[4], force: Arc::new(swing) }).unwrap();
    let (from, to) = (Anchor::Body(id[5], [0.05, 0.0, 0.0]), Anchor::Body(id[6], [0.0; 3]));
    world.add_force(Force::Spring { from, to, stiffness: 50.0, rest: 0.2, damping: 1.0 }).unwrap();
    let (allocations, contacts) = warm(world, 300);
    assert!(allocations == 0 && contacts > 20, "{allocations} {contacts}");
}

#[test]
fn nor_does_one_that_projects_positions() {
    let project = || Options { stabilisation: Stabilisation::Project, ..Options::default() };
    let mut world = floor(project(), Law::default(), mixed);
    // an overlap that stays while the world is warmed would not be projected any more
    for k in 0..4 {
        let x = [3.0 + 0.15 * k as f64, 0.0, 0.1];
        world.add(Body::new(Shape::Sphere { radius: 0.1 }).at(x)).unwrap();
    }
    let (allocations, contacts) = warm(world, 300);
    assert!(allocations == 0 && contacts > 20, "{allocations} {contacts}");
    let predicted = Options { activation: stickslip_dynamics::Activation::Predicted { gamma: 0.5 }, ..project() };
    let (allocations, contacts) = warm(floor(predicted, Law::bouncing(0.5, 0.8), ball), 300);
    assert!(allocations == 0 && contacts > 10, "{allocations} {contacts}");
}

#[test]
fn nor_does_one_of_soft_contacts() {
    let engine = Engine::SoftSphere(SoftSphere { k_n: 1e5, k_t: 3e4 });
    let (allocations, contacts) = warm(floor(Options { engine, ..Options::default() }, Law::default(), ball), 300);
    assert!(allocations == 0 && contacts > 15, "{allocations} {contacts}");
}

#[test]
fn nor_does_one_of_more_than_a_thousand_contacts() {
    for options in sweeping() {
        let (allocations, contacts) = warm(discs(options, 40, 16), 60);
        assert!(allocations == 0 && contacts > 1000, "{allocations} {contacts}");
    }
}

#[test]
fn nor_does_one_of_hundreds_of_islands() {
    // the default solver takes so many contacts apart at once: columns of balls that slide on the floor
    let mut world = World::<3, 6>::new(Options::default()).unwrap();
    world.add(Body::new(Shape::HalfSpace).fixed()).unwrap();
    for k in 0..1200usize {
        let (column, level) = (k / 3, k % 3);
        let x = [0.5 * (column % 20) as f64, 0.5 * (column / 20) as f64, 0.1 + 0.2 * level as f64];
        let v = [0.3 + 1e-3 * (column % 7) as f64, 0.0, 0.0, 0.0, 0.0, 0.0];
        world.add(Body::new(Shape::Sphere { radius: 0.1 }).at(x).moving(v)).unwrap();
    }
    let (allocations, contacts) = warm(world, 60);
    assert!(allocations == 0 && contacts > 1000, "{allocations} {contacts}");
}
