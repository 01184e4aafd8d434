//! A block on an incline, and a sliding block brought to rest: Coulomb's law to the letter.

use stickslip_dynamics::geometry::{plane, space};
use stickslip_dynamics::{Body, BodyId, Law, Options, World};

const G: f64 = 9.81;
const MU: f64 = 0.5;

fn tilted(slope: f64) -> (World<3, 6>, BodyId) {
    let mut world = World::<3, 6>::new(Options { h: 1e-3, tolerance: 1e-8, ..Options::default() }).unwrap();
    world.set_law(Law::coulomb(MU)).unwrap();
    let angle = slope.atan();
    world.set_gravity([G * angle.sin(), 0.0, -G * angle.cos()]).unwrap();
    world.add(Body::new(space::Shape::HalfSpace).fixed()).unwrap();
    let block = world.add(Body::new(space::Shape::Box { half: [0.1; 3] }).at([0.0, 0.0, 0.1])).unwrap();
    (world, block)
}

#[test]
fn below_the_angle_of_friction_it_sticks() {
    let (mut world, block) = tilted(0.495);
    for _ in 0..2000 {
        assert!(world.step().certified);
    }
    let x = world.position(block).unwrap();
    assert!(x[0].abs() < 1e-9 && (x[2] - 0.1).abs() < 1e-9, "{x:?}");
}

#[test]
fn above_it_slides_with_the_exact_acceleration() {
    let (mut world, block) = tilted(0.505);
    let steps = 2000;
    for _ in 0..steps {
        assert!(world.step().certified);
    }
    let angle = 0.505f64.atan();
    let expected = G * (angle.sin() - MU * angle.cos());
    let v = world.velocity(block).unwrap();
    let a = v[0] / (steps as f64 * 1e-3);
    assert!((a / expected - 1.0).abs() < 1e-6, "{a} {expected}");
    assert!((world.position(block).unwrap()[2] - 0.1).abs() < 1e-9);
    let l = world.ledger();
    assert!(l.closure.abs() < 1e-10 * l.turnover, "{l:?}");
}

#[test]
fn a_sliding_block_stops_where_it_should_without_lifting() {
    let stop = |h: f64| {
        let mut world = World::<2, 3>::new(Options { h, tolerance: 1e-10, ..Options::default() }).unwrap();
        world.set_law(Law::coulomb(MU)).unwrap();
        world.add(Body::new(plane::Shape::HalfPlane).fixed()).unwrap();
        let block =
            world.add(Body::new(plane::Shape::Box { half: [0.1; 2] }).at([0.0, 0.1]).moving([6.0, 0.0, 0.0])).unwrap();
        let mut lift: f64 = 0.0;
        for _ in 0..(2.0 / h) as usize {
            assert!(world.step().certified);
            lift = lift.max((world.position(block).unwrap()[1] - 0.1).abs());
        }
        assert!(lift < 1e-9, "{lift:e}");
        assert!(world.velocity(block).unwrap()[0].abs() < 1e-9);
        world.position(block).unwrap()[0]
    };
    let exact = 36.0 / (2.0 * MU * G);
    let errors = [1e-2, 1e-3].map(|h| (stop(h) / exact - 1.0).abs());
    // first order: ten times smaller steps, ten times smaller error
    assert!(errors[1] < 2e-3 && errors[1] < 0.15 * errors[0], "{errors:?}");
}
