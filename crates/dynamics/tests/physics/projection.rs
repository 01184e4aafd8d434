//! Positions projected after the step: a stack of boxes that falls down comes to rest without overlap.

use stickslip_dynamics::geometry::{plane, space};
use stickslip_dynamics::{Activation, Body, Options, Stabilisation, World};

const H: f64 = 2e-3;

fn options(activation: Activation) -> Options {
    Options { h: H, activation, stabilisation: Stabilisation::Project, ..Options::default() }
}

/// The deepest overlap and the largest kinetic energy over the last steps of two seconds.
fn settled<const N: usize, const V: usize>(mut world: World<N, V>) -> (f64, f64)
where
    stickslip_dynamics::Rigid: stickslip_dynamics::Space<N, V>,
{
    let (mut overlap, mut kinetic) = (0.0_f64, 0.0_f64);
    for k in 0..1000 {
        let r = world.step();
        assert!(r.certified);
        if k > 500 {
            overlap = overlap.max(r.penetration);
            kinetic = kinetic.max(r.ledger.kinetic);
        }
    }
    (overlap, kinetic / world.bodies().mass.iter().filter(|m| m.is_finite()).sum::<f64>())
}

fn both() -> [Activation; 2] {
    [Activation::Speculative, Activation::Predicted { gamma: 0.5 }]
}

#[test]
fn boxes_of_the_plane() {
    for activation in both() {
        let mut world = World::<2, 3>::new(options(activation)).unwrap();
        world.add(Body::new(plane::Shape::HalfPlane).fixed()).unwrap();
        for k in 0..4 {
            let shape = plane::Shape::Box { half: [0.1, 0.1] };
            world.add(Body::new(shape).at([0.0, 0.12 + 0.22 * k as f64])).unwrap();
        }
        let (overlap, kinetic) = settled(world);
        // a body at rest that nothing held would fall by g h^2 / 2 in a step, and have g h of speed
        assert!(overlap < 0.1 * 0.5 * 9.81 * H * H, "{activation:?}: {overlap:e} m");
        assert!(kinetic < 1e-2 * 0.5 * (9.81 * H).powi(2), "{activation:?}: {kinetic:e} J/kg");
    }
}

#[test]
fn boxes_in_space() {
    for activation in both() {
        let mut world = World::<3, 6>::new(options(activation)).unwrap();
        world.add(Body::new(space::Shape::HalfSpace).fixed()).unwrap();
        for k in 0..3 {
            let shape = space::Shape::Box { half: [0.1, 0.1, 0.1] };
            world.add(Body::new(shape).at([0.0, 0.01 * k as f64, 0.12 + 0.22 * k as f64])).unwrap();
        }
        let (overlap, kinetic) = settled(world);
        assert!(overlap < 0.1 * 0.5 * 9.81 * H * H, "{activation:?}: {overlap:e} m");
        assert!(kinetic < 1e-2 * 0.5 * (9.81 * H).powi(2), "{activation:?}: {kinetic:e} J/kg");
    }
}
