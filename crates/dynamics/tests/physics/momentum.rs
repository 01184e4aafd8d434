//! What contacts must leave alone.

use stickslip_dynamics::geometry::{plane, space::Shape};
use stickslip_dynamics::{Body, Law, Options, World};

/// A cloud of spheres and boxes flying into each other, without gravity.
fn cloud(e: f64, theta: f64) -> World<3, 6> {
    let options = Options { h: 1e-3, theta, tolerance: 1e-6, ..Options::default() };
    let mut world = World::<3, 6>::new(options).unwrap();
    world.set_gravity([0.0; 3]).unwrap();
    world.set_law(Law::bouncing(0.4, e)).unwrap();
    for k in 0..27usize {
        let (i, j, l) = (k % 3, (k / 3) % 3, k / 9);
        let x = [i, j, l].map(|c| c as f64 - 1.0);
        let shift = [0.03 * j as f64, -0.02 * l as f64, 0.01 * i as f64];
        let v = [-3.0 * x[0], -3.0 * x[1] + 0.2, -3.0 * x[2], 0.3 * x[1], 0.5, -0.2 * x[0]];
        let shape = if k % 2 == 0 { Shape::Sphere { radius: 0.3 } } else { Shape::Box { half: [0.2, 0.25, 0.22] } };
        world.add(Body::new(shape).at(std::array::from_fn(|c| x[c] + shift[c])).moving(v)).unwrap();
    }
    world
}

#[test]
fn linear_momentum_is_kept_to_rounding_and_the_ledger_closes() {
    for (e, theta) in [(0.0, 0.5), (0.7, 0.5), (0.0, 1.0)] {
        let mut world = cloud(e, theta);
        let p0 = world.bodies().momentum();
        let scale: f64 = world.bodies().mass.iter().sum::<f64>() * 3.0;
        let mut touched = 0;
        for _ in 0..400 {
            let report = world.step();
            touched += report.touching;
        }
        assert!(touched > 20, "{touched}");
        let p = world.bodies().momentum();
        assert!((0..3).all(|i| (p[i] - p0[i]).abs() < 1e-12 * scale), "{p:?} {p0:?}");
        let l = world.ledger();
        assert!(l.closure.abs() < 1e-12 * l.turnover, "{l:?}");
        assert!(l.friction > 0.0 && l.impact > 0.0);
    }
}

#[test]
fn angular_momentum_is_kept_to_first_order() {
    let drift = |h: f64| {
        let mut world = cloud(0.0, 1.0);
        world.set_options(Options { h, ..world.options().clone() }).unwrap();
        let l0 = world.bodies().angular_momentum();
        for _ in 0..(0.3 / h) as usize {
            world.step();
        }
        let l = world.bodies().angular_momentum();
        (0..3).map(|i| (l[i] - l0[i]).abs()).sum::<f64>() / (0..3).map(|i| l0[i].abs()).sum::<f64>()
    };
    let (coarse, fine) = (drift(2e-3), drift(2.5e-4));
    assert!(fine < 1e-2 && fine < 0.5 * coarse, "{coarse:e} {fine:e}");
}

/// Discs and boxes of the plane that fly into each other.
fn flat_cloud(e: f64) -> World<2, 3> {
    let mut world = World::<2, 3>::new(Options { theta: 1.0, tolerance: 1e-8, ..Options::default() }).unwrap();
    world.set_gravity([0.0, 0.0]).unwrap();
    world.set_law(Law::bouncing(0.4, e)).unwrap();
    for k in 0..16usize {
        let x = [(k % 4) as f64 - 1.5, (k / 4) as f64 - 1.5];
        let v = [-2.0 * x[0] + 0.5 * x[1], -2.0 * x[1] - 0.7, 0.3 * k as f64];
        let disc = plane::Shape::Disc { radius: 0.3 };
        let shape = if k % 3 == 0 { disc } else { plane::Shape::Box { half: [0.3, 0.2] } };
        world.add(Body::new(shape).at([x[0] + 0.05 * x[1], x[1]]).moving(v)).unwrap();
    }
    world
}

#[test]
fn angular_momentum_of_the_plane_is_kept_to_rounding() {
    // both impulses of a contact act in one point, and with theta = 1 bodies move along their velocities
    for e in [0.0, 0.5] {
        let mut world = flat_cloud(e);
        let before = world.bodies().angular_momentum()[2];
        let (mut touched, mut spun) = (0, 0.0);
        for _ in 0..600 {
            touched += world.step().touching;
        }
        for (k, v) in world.bodies().v.iter().enumerate() {
            spun += (v[2] - 0.3 * k as f64).abs();
        }
        let after = world.bodies().angular_momentum()[2];
        assert!(touched > 20 && spun > 1.0, "{touched} {spun}");
        assert!((after - before).abs() < 1e-11 * before.abs().max(1.0), "{before} {after}");
    }
}

#[test]
fn the_same_bits_on_every_run() {
    let run = || {
        let mut world = cloud(0.3, 0.5);
        for _ in 0..300 {
            world.step();
        }
        world
    };
    let (a, b) = (run(), run());
    let bits = |w: &World<3, 6>| -> Vec<u64> {
        let b = w.bodies();
        let all = b.x.as_flattened().iter().chain(b.v.as_flattened()).chain(b.orientation.as_flattened());
        all.map(|x| x.to_bits()).collect()
    };
    assert_eq!(bits(&a), bits(&b));
}

#[test]
fn millimetres_metres_and_kilometres_move_alike() {
    // lengths by s, times by sqrt(s) under the same gravity; the mass drops out
    let run = |s: f64| {
        let h = 1e-3 * s.sqrt();
        let mut world = World::<3, 6>::new(Options { h, ..Options::default() }).unwrap();
        world.set_law(Law::coulomb(0.4)).unwrap();
        world.add(Body::new(Shape::HalfSpace).fixed()).unwrap();
        for k in 0..8usize {
            let x = [0.05 * k as f64, 0.03 * (k % 3) as f64, 0.3 + 0.45 * k as f64].map(|c| c * s);
            let shape = if k % 2 == 0 {
                Shape::Sphere { radius: 0.2 * s }
            } else {
                Shape::Box { half: [0.2, 0.15, 0.18].map(|c| c * s) }
            };
            world.add(Body::new(shape).at(x).density(2000.0 / s.powi(3))).unwrap();
        }
        for _ in 0..600 {
            world.step();
        }
        world.bodies().x.as_flattened().iter().map(|x| x / s).collect::<Vec<f64>>()
    };
    // powers of four scale without rounding, so that the same bits must come out
    let (metres, small, large) = (run(1.0), run(4f64.powi(-5)), run(4f64.powi(5)));
    assert_eq!(metres, small);
    assert_eq!(metres, large);
}

#[test]
fn the_plane_moves_alike_in_millimetres_and_kilometres() {
    let run = |s: f64| {
        let mut world = World::<2, 3>::new(Options { h: 1e-3 * s.sqrt(), ..Options::default() }).unwrap();
        world.set_law(Law::bouncing(0.4, 0.25)).unwrap();
        world.add(Body::new(plane::Shape::HalfPlane).fixed()).unwrap();
        for k in 0..9usize {
            let x = [0.05 * (k % 4) as f64, 0.3 + 0.45 * k as f64].map(|c| c * s);
            let disc = plane::Shape::Disc { radius: 0.2 * s };
            let shape = if k % 2 == 0 { disc } else { plane::Shape::Box { half: [0.2 * s, 0.15 * s] } };
            world.add(Body::new(shape).at(x).density(2000.0 / s.powi(2))).unwrap();
        }
        for _ in 0..800 {
            world.step();
        }
        world.bodies().x.as_flattened().iter().map(|x| x / s).collect::<Vec<f64>>()
    };
    let metres = run(1.0);
    assert_eq!(metres, run(4f64.powi(-5)));
    assert_eq!(metres, run(4f64.powi(5)));
}
