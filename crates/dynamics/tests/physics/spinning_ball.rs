//! A ball that spins on the spot: spinning friction slows it at the rate mu_s m g / I, and then holds it.

use stickslip_dynamics::geometry::space::Shape;
use stickslip_dynamics::laws::Rolling;
use stickslip_dynamics::{Body, BodyId, Law, Options, World};

const RADIUS: f64 = 0.1;

fn spinning(mu_r: f64, mu_s: f64, spin: f64) -> (World<3, 6>, BodyId) {
    let mut world = World::<3, 6>::new(Options { tolerance: 1e-10, ..Options::default() }).unwrap();
    world.set_law(Law::Rolling(Rolling { mu: 0.5, mu_r, mu_s, ..Rolling::default() })).unwrap();
    world.add(Body::new(Shape::HalfSpace).fixed()).unwrap();
    let ball = Body::new(Shape::Sphere { radius: RADIUS }).at([0.0, 0.0, RADIUS]);
    let ball = world.add(ball.moving([0.0, 0.0, 0.0, 0.0, 0.0, spin])).unwrap();
    (world, ball)
}

#[test]
fn spinning_friction_slows_a_ball_at_the_exact_rate() {
    let (mu_s, spin) = (1e-3, -1.0);
    // I = 2/5 m R^2
    let rate = mu_s * 9.81 / (0.4 * RADIUS * RADIUS);
    // with rolling rows and without
    for mu_r in [0.0, 1e-3] {
        let (mut world, ball) = spinning(mu_r, mu_s, spin);
        for k in 1..=300 {
            assert!(world.step().certified);
            let expected = spin + rate * k as f64 * 1e-3;
            let v = world.velocity(ball).unwrap();
            assert!((v[5] - expected).abs() < 1e-8, "mu_r {mu_r}, step {k}: {v:?}, expected {expected}");
        }
        for _ in 0..300 {
            world.step();
        }
        // it rests, and the energy of its spin is in the ledger
        assert!(world.velocity(ball).unwrap()[5].abs() < 1e-12);
        let energy = 0.5 * world.bodies().inertia[1][2] * spin * spin;
        let l = world.ledger();
        assert!((l.rolling / energy - 1.0).abs() < 1e-6, "{l:?} {energy}");
        assert!(l.closure.abs() < 1e-12 * l.turnover, "{l:?}");
    }
}

#[test]
fn without_spinning_friction_a_ball_spins_on() {
    let (mut world, ball) = spinning(0.0, 0.0, 1.0);
    for _ in 0..300 {
        world.step();
    }
    assert_eq!(world.velocity(ball).unwrap()[5], 1.0);
}
