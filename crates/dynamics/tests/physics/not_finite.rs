//! A state that ceases to be numbers ends the run, and is undone.

use std::sync::Arc;
use stickslip_dynamics::geometry::space::Shape;
use stickslip_dynamics::{Body, BodyId, Force, Options, World};

fn world(velocity: f64) -> (World<3, 6>, BodyId) {
    let mut world = World::<3, 6>::new(Options::default()).unwrap();
    world.add(Body::new(Shape::HalfSpace).fixed()).unwrap();
    world.add(Body::new(Shape::Sphere { radius: 0.1 }).at([9.0, 0.0, 0.1])).unwrap();
    let ball = Body::new(Shape::Sphere { radius: 0.1 }).at([0.0, 0.0, 1.0]);
    let id = world.add(ball.moving([velocity, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    (world, id)
}

fn refuses(world: &mut World<3, 6>, id: BodyId, step: u64) {
    let before = (world.bodies().x.clone(), world.bodies().v.clone(), world.time());
    for _ in 0..2 {
        let r = world.step();
        assert!(!r.certified && r.step == step && world.is_stopped(), "{r:?}");
        assert_eq!((world.lost(), world.steps()), (Some(id), step - 1));
        assert_eq!((world.bodies().x.clone(), world.bodies().v.clone(), world.time()), before);
    }
}

#[test]
fn a_kinetic_energy_beyond_all_numbers() {
    let (mut world, id) = world(1e200);
    refuses(&mut world, id, 1);
}

#[test]
fn gravity_beyond_all_numbers() {
    let (mut world, _) = world(0.0);
    world.set_gravity([0.0, 0.0, -1e307]).unwrap();
    // the first body that falls, or that the contact holds against such a weight
    refuses(&mut world, BodyId(1), 1);
}

#[test]
fn a_force_that_is_no_number_from_some_time_on() {
    let (mut world, id) = world(0.0);
    let fails = |t: f64| [if t > 0.05 { f64::NAN } else { 0.0 }, 0.0, 0.0, 0.0, 0.0, 0.0];
    world.add_force(Force::Function { body: id, force: Arc::new(fails) }).unwrap();
    for _ in 0..50 {
        let r = world.step();
        assert!(r.certified && r.lost.is_none());
    }
    refuses(&mut world, id, 51);
}
