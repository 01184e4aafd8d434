//! A ball that spins on the spot: spinning friction slows it at the rate mu_s m g / I, and then holds it.

use stickslip_dynamics::geometry::space::Shape;
use stickslip_dynamics::laws::Rolling;
use stickslip_dynamics::{Body, BodyId, Drive, Force, Law, Options, World};

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

/// The ledger of a ball of this spin on a slab, after 100 steps.
fn closes(slab: Body<3, 6>, ball: Body<3, 6>, spin: [f64; 3], damping: Option<f64>) -> World<3, 6> {
    let mut world = World::<3, 6>::new(Options { tolerance: 1e-8, ..Options::default() }).unwrap();
    world.set_law(Law::Rolling(Rolling { mu: 0.5, mu_r: 1e-3, mu_s: 1e-3, ..Rolling::default() })).unwrap();
    world.add(slab).unwrap();
    world.add(ball.moving([0.0, 0.0, 0.0, spin[0], spin[1], spin[2]])).unwrap();
    if let Some(angular) = damping {
        world.add_force(Force::Damping { linear: 0.5, angular }).unwrap();
    }
    for _ in 0..100 {
        assert!(world.step().alarm.is_none());
        let l = world.ledger();
        assert!(l.closure.abs() <= 1e-13 * (l.turnover + l.kinetic + l.potential.abs()), "{l:?}");
    }
    assert!(world.ledger().rolling > 0.0);
    world
}

#[test]
fn the_ledger_closes_when_a_driven_slab_spins_a_body() {
    let slab = || Body::new(Shape::Box { half: [0.5, 0.5, 0.1] }).at([0.0, 0.0, -0.1]);
    let ball = || Body::new(Shape::Sphere { radius: RADIUS }).at([0.0, 0.0, RADIUS]);
    let turning = slab().driven(Drive::constant([0.0, 0.0, 0.0, 0.0, 0.0, 10.0]));
    let world = closes(turning.clone(), ball(), [0.0; 3], None);
    // the drive brings what the ball takes up and what friction turns into heat
    let l = world.ledger();
    assert!(l.kinetic > 0.0 && l.work_driven >= l.kinetic + l.rolling - 1e-9, "{l:?}");
    // a box has different moments: the gyroscopic term meets the jump of the spin
    let block = Body::new(Shape::Box { half: [0.1, 0.05, 0.08] }).at([0.0, 0.0, 0.08]);
    closes(turning, block.clone(), [0.0, 0.0, -3.0], Some(1.0));
    closes(slab().fixed(), block, [0.1, 0.2, 6.0], Some(2.0));
}

#[test]
fn the_ledger_closes_when_drag_slows_a_spinning_ball() {
    let slab = Body::new(Shape::Box { half: [0.5, 0.5, 0.1] }).at([0.0, 0.0, -0.1]).fixed();
    let ball = Body::new(Shape::Sphere { radius: RADIUS }).at([0.0, 0.0, RADIUS]);
    let world = closes(slab, ball, [0.0, 0.0, 5.0], Some(1.0));
    assert!(world.ledger().work_external < 0.0);
}
