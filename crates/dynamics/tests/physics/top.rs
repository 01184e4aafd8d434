//! A free body with three different moments of inertia.

use stickslip_dynamics::geometry::space::Shape;
use stickslip_dynamics::{Body, Options, World};

fn spin(h: f64, t: f64) -> ([f64; 4], [f64; 3], f64, f64) {
    let mut world = World::<3, 6>::new(Options { h, ..Options::default() }).unwrap();
    world.set_gravity([0.0; 3]).unwrap();
    // almost about the middle axis: it turns over and over
    let body = Body::new(Shape::Box { half: [0.1, 0.2, 0.3] }).moving([0.0, 0.0, 0.0, 0.05, 5.0, 0.05]);
    world.add(body).unwrap();
    let (l0, e0) = (world.bodies().angular_momentum(), world.bodies().kinetic_energy());
    let mut drift: f64 = 0.0;
    for _ in 0..(t / h).round() as usize {
        world.step();
        let l = world.bodies().angular_momentum();
        let off = (0..3).map(|i| (l[i] - l0[i]).powi(2)).sum::<f64>().sqrt();
        drift = drift.max(off / (0..3).map(|i| l0[i] * l0[i]).sum::<f64>().sqrt());
    }
    let energy = world.bodies().kinetic_energy() / e0 - 1.0;
    assert!(world.ledger().closure.abs() < 1e-10 * e0);
    (world.bodies().orientation[0], world.bodies().angular_momentum(), energy, drift)
}

#[test]
fn energy_to_rounding_and_momentum_to_second_order() {
    let runs: Vec<_> = [4e-3, 2e-3, 1e-3].iter().map(|&h| spin(h, 4.0)).collect();
    for run in &runs {
        assert!(run.2.abs() < 1e-11, "energy {:e}", run.2);
    }
    let order = (runs[0].3 / runs[2].3).log2() / 2.0;
    assert!(runs[2].3 < 1e-4 && order > 1.8, "{} {} {}: order {order}", runs[0].3, runs[1].3, runs[2].3);
}
