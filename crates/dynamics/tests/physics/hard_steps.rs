//! Steps that do not certify, under each policy. A solver held to one sweep is what makes them.

use stickslip_contact::solvers::{NsgsOptions, SolverSpec, Status};
use stickslip_dynamics::geometry::plane::Shape;
use stickslip_dynamics::{Body, OnFailure, Options, World};

/// Boxes that fall onto each other, with no more than so many sweeps a step.
fn falling(on_failure: OnFailure, max_iterations: usize) -> World<2, 3> {
    let solver = SolverSpec::Nsgs(NsgsOptions::default());
    let options = Options { on_failure, solver, max_iterations, tolerance: 1e-12, ..Options::default() };
    let mut world = World::<2, 3>::new(options).unwrap();
    world.add(Body::new(Shape::HalfPlane).fixed()).unwrap();
    for k in 0..4 {
        world.add(Body::new(Shape::Box { half: [0.1, 0.1] }).at([0.03 * k as f64, 0.101 + 0.201 * k as f64])).unwrap();
    }
    world
}

/// Steps until one is not certified, at most so many.
fn first_hard(world: &mut World<2, 3>) -> stickslip_dynamics::StepReport {
    (0..200).map(|_| world.step()).find(|r| !r.certified).expect("one sweep is not enough")
}

#[test]
fn going_on_counts_them() {
    let mut world = falling(OnFailure::Continue, 1);
    let mut counted = 0;
    for k in 1..=200 {
        let r = world.step();
        counted += u64::from(!r.certified);
        assert_eq!((r.step, r.uncertified_steps), (k, counted));
        assert!(r.certified == (r.status == Status::Converged) && r.certified == (r.error <= 1e-12));
    }
    assert!(counted > 0 && counted < 200, "{counted}");
}

#[test]
fn stopping_undoes_the_step_and_names_it() {
    let mut world = falling(OnFailure::Stop, 1);
    let taken = loop {
        let before = (world.bodies().x.clone(), world.bodies().v.clone(), *world.ledger(), world.time());
        let r = world.step();
        if r.certified {
            assert_eq!(r.step, world.steps());
            continue;
        }
        assert_eq!((world.bodies().x.clone(), world.bodies().v.clone(), *world.ledger(), world.time()), before);
        assert_eq!((r.step, r.t, r.uncertified_steps), (world.steps() + 1, world.time(), 1));
        break world.steps();
    };
    assert!(taken > 0 && world.is_stopped() && world.dump().is_some());
    // it stays so
    let r = world.step();
    assert!(r.status == Status::Interrupted && !r.certified && world.steps() == taken);
    assert_eq!(r.uncertified_steps, 1);
}

#[test]
fn halving_takes_the_step_in_parts_and_keeps_each_that_fails() {
    let mut world = falling(OnFailure::Halve { times: 2 }, 1);
    world.keep_failures(true);
    let r = loop {
        let before = world.time();
        let r = world.step();
        assert!((world.time() - before - 1e-3).abs() < 1e-15);
        assert!(r.certified || r.parts > 1, "{r:?}");
        if r.parts > 1 {
            break r;
        }
        assert!(world.failures().is_empty());
    };
    let of: Vec<_> = world.failures().iter().map(|f| (f.part, f.parts)).collect();
    assert_eq!(of[0], (0, 1), "{of:?}");
    assert_eq!(of[1], (0, 2), "{of:?}");
    // a part that fails is halved or a quarter, and a step with a quarter that failed is not certified
    assert!(of.iter().all(|(part, parts)| part < parts && [1, 2, 4].contains(parts)), "{of:?}");
    assert_eq!(r.certified, of.iter().all(|f| f.1 < 4));
    let halves = of.iter().filter(|f| f.1 < 4).count() as u32;
    assert_eq!(r.parts, 1 + halves);
    // the parts are of their own length: impulses of a quarter are those of a quarter
    let problems: Vec<_> = world.failures().iter().map(|f| &f.problem).collect();
    assert!(problems.windows(2).all(|w| w[0] != w[1]));
}

#[test]
fn halving_can_save_a_step() {
    // enough sweeps for contacts that close one after the other, too few for all at once
    let saved = (2..40).any(|sweeps| {
        let mut world = falling(OnFailure::Halve { times: 3 }, sweeps);
        (0..60).any(|_| {
            let r = world.step();
            r.certified && r.parts > 1
        })
    });
    assert!(saved);
}

#[test]
fn what_fails_is_only_kept_on_demand() {
    let mut world = falling(OnFailure::Continue, 1);
    first_hard(&mut world);
    assert!(world.failures().is_empty());
    world.keep_failures(true);
    let r = first_hard(&mut world);
    let of: Vec<_> = world.failures().iter().map(|f| (f.part, f.parts)).collect();
    assert_eq!((of, r.parts), (vec![(0, 1)], 1));
}
