//! A sliding ball that friction sets rolling: 5/7 of its speed is left (a disc: 2/3).

use stickslip_dynamics::geometry::{plane, space};
use stickslip_dynamics::laws::Rolling;
use stickslip_dynamics::{Body, Law, Options, World};

#[test]
fn a_sphere_rolls_at_five_sevenths() {
    let mut world = World::<3, 6>::new(Options { tolerance: 1e-10, ..Options::default() }).unwrap();
    world.set_law(Law::coulomb(0.3)).unwrap();
    world.add(Body::new(space::Shape::HalfSpace).fixed()).unwrap();
    let ball =
        Body::new(space::Shape::Sphere { radius: 0.2 }).at([0.0, 0.0, 0.2]).moving([3.0, 4.0, 0.0, 0.0, 0.0, 0.0]);
    let ball = world.add(ball).unwrap();
    for _ in 0..1000 {
        assert!(world.step().certified);
    }
    let v = world.velocity(ball).unwrap();
    let expected = [15.0 / 7.0, 20.0 / 7.0];
    assert!((v[0] - expected[0]).abs() < 1e-9 && (v[1] - expected[1]).abs() < 1e-9, "{v:?}");
    // it rolls: omega x r
    assert!((v[4] - v[0] / 0.2).abs() < 1e-8 && (v[3] + v[1] / 0.2).abs() < 1e-8);
    let l = world.ledger();
    assert!(l.closure.abs() < 1e-12 * l.turnover, "{l:?}");
    // friction took 2/7 of the energy
    let mass = world.bodies().mass[1];
    assert!((l.friction / (0.5 * mass * 25.0 * 2.0 / 7.0) - 1.0).abs() < 1e-6, "{l:?}");
}

#[test]
fn a_disc_rolls_at_two_thirds() {
    let mut world = World::<2, 3>::new(Options { tolerance: 1e-10, ..Options::default() }).unwrap();
    world.set_law(Law::coulomb(0.3)).unwrap();
    world.add(Body::new(plane::Shape::HalfPlane).fixed()).unwrap();
    let disc = Body::new(plane::Shape::Disc { radius: 0.2 }).at([0.0, 0.2]).moving([3.0, 0.0, 0.0]);
    let disc = world.add(disc).unwrap();
    for _ in 0..1000 {
        assert!(world.step().certified);
    }
    let v = world.velocity(disc).unwrap();
    assert!((v[0] - 2.0).abs() < 1e-9 && (v[2] + 10.0).abs() < 1e-8, "{v:?}");
}

#[test]
fn rolling_resistance_stops_a_rolling_ball() {
    // mu_r r_N opposes: m a = f_T, I a/R = mu_r m g - f_T R, so a = (5/7) g mu_r / R
    let (radius, mu_r, v0, g) = (0.2, 0.01, 1.0, 9.81);
    let a = 5.0 / 7.0 * g * mu_r / radius;
    let time = 0.5 * v0 / a;
    let mut world = World::<3, 6>::new(Options { tolerance: 1e-10, ..Options::default() }).unwrap();
    world.set_law(Law::Rolling(Rolling { mu: 0.5, mu_r, ..Rolling::default() })).unwrap();
    world.add(Body::new(space::Shape::HalfSpace).fixed()).unwrap();
    let rolling = [v0, 0.0, 0.0, 0.0, v0 / radius, 0.0];
    let ball = world.add(Body::new(space::Shape::Sphere { radius }).at([0.0, 0.0, radius]).moving(rolling)).unwrap();
    let steps = (time / 1e-3).round() as usize;
    for _ in 0..steps {
        assert!(world.step().certified);
    }
    let expected = v0 - a * steps as f64 * 1e-3;
    let v = world.velocity(ball).unwrap();
    assert!((v[0] - expected).abs() < 1e-6, "{v:?} {expected}");
    for _ in 0..2 * steps {
        world.step();
    }
    assert!(world.velocity(ball).unwrap()[0].abs() < 1e-9);
    let l = world.ledger();
    assert!(l.closure.abs() < 1e-10 * l.turnover && l.rolling > 0.9 * 0.7 * world.bodies().mass[1] * v0 * v0, "{l:?}");
}
