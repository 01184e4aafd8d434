//! Balls that hit each other: Newton's cradle and a column of beads.

use stickslip_dynamics::geometry::{plane, space};
use stickslip_dynamics::laws::{Coulomb, Frictionless};
use stickslip_dynamics::{Body, Law, Options, World};

#[test]
fn a_cradle_hands_the_speed_to_the_last_ball() {
    let mut world = World::<3, 6>::new(Options { h: 1e-4, tolerance: 1e-10, ..Options::default() }).unwrap();
    world.set_gravity([0.0; 3]).unwrap();
    world.set_law(Law::Frictionless(Frictionless { e_n: 1.0 })).unwrap();
    let mut balls = Vec::new();
    for k in 0..5 {
        // a little apart, so that the collisions come one after the other
        let v = [if k == 0 { 1.0 } else { 0.0 }, 0.0, 0.0, 0.0, 0.0, 0.0];
        let x = [2.01 * 0.05 * k as f64 - if k == 0 { 0.02 } else { 0.0 }, 0.0, 0.0];
        balls.push(world.add(Body::new(space::Shape::Sphere { radius: 0.05 }).at(x).moving(v)).unwrap());
    }
    for _ in 0..1000 {
        assert!(world.step().certified);
    }
    let speeds: Vec<f64> = balls.iter().map(|b| world.velocity(*b).unwrap()[0]).collect();
    assert!(speeds[..4].iter().all(|v| v.abs() < 1e-9) && (speeds[4] - 1.0).abs() < 1e-9, "{speeds:?}");
    let l = world.ledger();
    assert!(l.impact.abs() < 1e-9 * l.kinetic && l.closure.abs() < 1e-12 * l.kinetic, "{l:?}");
}

#[test]
fn a_cradle_whose_balls_touch_shares_the_speed() {
    // Newton's law in all contacts at once: W p = (2 v, 0, ..., 0) with W = tridiag(-1, 2, -1) over the mass
    for balls in [3, 5] {
        let mut world = World::<3, 6>::new(Options { tolerance: 1e-12, ..Options::default() }).unwrap();
        world.set_gravity([0.0; 3]).unwrap();
        world.set_law(Law::Frictionless(Frictionless { e_n: 1.0 })).unwrap();
        for k in 0..balls {
            let v = [if k == 0 { 1.0 } else { 0.0 }, 0.0, 0.0, 0.0, 0.0, 0.0];
            let ball = Body::new(space::Shape::Sphere { radius: 0.0625 }).at([0.125 * k as f64, 0.0, 0.0]);
            world.add(ball.moving(v)).unwrap();
        }
        let r = world.step();
        assert!(r.certified && r.touching == balls - 1, "{r:?}");
        let n = balls as f64;
        for (k, v) in world.bodies().v.iter().enumerate() {
            let expected = if k == 0 { (2.0 - n) / n } else { 2.0 / n };
            assert!((v[0] - expected).abs() < 1e-9, "ball {k} of {balls}: {v:?}, expected {expected}");
        }
        let l = world.ledger();
        assert!(l.impact.abs() < 1e-9 * l.kinetic && l.closure.abs() < 1e-12 * l.kinetic, "{l:?}");
    }
}

#[test]
fn a_column_of_beads_comes_to_rest_on_itself() {
    let mut world = World::<2, 3>::new(Options::default()).unwrap();
    world.set_law(Law::Coulomb(Coulomb { mu: 0.3, e_n: 0.5, e_t: 0.0 })).unwrap();
    world.add(Body::new(plane::Shape::HalfPlane).fixed()).unwrap();
    let r = 0.01;
    for k in 0..10 {
        world.add(Body::new(plane::Shape::Disc { radius: r }).at([0.0, r + 2.2 * r * k as f64])).unwrap();
    }
    for _ in 0..4000 {
        assert!(world.step().certified);
    }
    let heights: Vec<f64> = world.bodies().x[1..].iter().map(|x| x[1]).collect();
    for (k, z) in heights.iter().enumerate() {
        assert!((z - r * (2 * k + 1) as f64).abs() < 2e-2 * r, "{heights:?}");
    }
    // the lowest contact carries the weight of all
    let c = world.contacts().iter().find(|c| c.a == 0 || c.b == 0).unwrap();
    let weight: f64 = world.bodies().mass.iter().sum::<f64>() * 9.81;
    assert!((c.rln().abs() / (weight * 1e-3) - 1.0).abs() < 1e-2, "{}", c.rln());
}
