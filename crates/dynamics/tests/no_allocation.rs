//! A warm step allocates nothing.

#![allow(unsafe_code)]

#[path = "../../contact/tests/counting/mod.rs"]
mod counting;
use counting::ALLOCATIONS;
use stickslip_contact::solvers::{NsgsOptions, SolverSpec};
use stickslip_dynamics::geometry::space::Shape;
use stickslip_dynamics::{Body, Options, World};

fn check(solver: SolverSpec, shape: impl Fn(usize) -> Shape) {
    let mut world = World::<3, 6>::new(Options { solver, ..Options::default() }).unwrap();
    world.add(Body::new(Shape::HalfSpace).fixed()).unwrap();
    for k in 0..60usize {
        let x = [0.25 * (k % 4) as f64, 0.25 * ((k / 4) % 4) as f64, 0.11 + 0.21 * (k / 16) as f64];
        world.add(Body::new(shape(k)).at(x)).unwrap();
    }
    for _ in 0..300 {
        world.step();
    }
    // contacts come and go: buffers grow to the most there were, then no more
    let mut allocations = 0;
    let mut contacts = 0;
    for _ in 0..50 {
        let before = ALLOCATIONS.get();
        let report = world.step();
        allocations += ALLOCATIONS.get() - before;
        contacts = contacts.max(report.contacts);
    }
    assert!(contacts > 20);
    assert_eq!(allocations, 0);
}

#[test]
fn a_warm_step_allocates_nothing() {
    let before = ALLOCATIONS.get();
    drop(std::hint::black_box(vec![1.0; 10]));
    assert!(ALLOCATIONS.get() > before);
    // the default solver, and sweeps alone
    for solver in [Options::default().solver, SolverSpec::Nsgs(NsgsOptions::default())] {
        check(solver.clone(), |_| Shape::Sphere { radius: 0.1 });
        check(solver, |k| if k % 2 == 0 { Shape::Sphere { radius: 0.1 } } else { Shape::Box { half: [0.1; 3] } });
    }
}
