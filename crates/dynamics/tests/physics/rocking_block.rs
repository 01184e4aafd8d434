//! A slender block rocking on its corners (Housner).

use stickslip_dynamics::geometry::plane::Shape;
use stickslip_dynamics::rotation::{plane_angle, plane_turn};
use stickslip_dynamics::{Body, Law, Options, World};

const G: f64 = 9.81;

/// A block of half width `b` and half height `a`, tilted by `tilt` on its right corner.
fn tilted(b: f64, a: f64, tilt: f64, h: f64) -> World<2, 3> {
    let mut world = World::<2, 3>::new(Options { h, tolerance: 1e-8, ..Options::default() }).unwrap();
    world.set_law(Law::coulomb(1.0)).unwrap();
    world.add(Body::new(Shape::HalfPlane).fixed()).unwrap();
    let (s, c) = tilt.sin_cos();
    // the right corner (b, -a) turned clockwise by the tilt lies on the floor
    let height = b * s + a * c;
    world.add(Body::new(Shape::Box { half: [b, a] }).at([0.0, height]).turned(plane_turn(-tilt))).unwrap();
    world
}

#[test]
fn it_turns_about_its_corner_as_a_pendulum_does_and_loses_housners_part_at_impact() {
    let (b, a, tilt) = (0.1f64, 0.4f64, 0.1f64);
    let radius = a.hypot(b);
    let alpha = (b / a).atan();
    // I theta'' = -m g R sin(alpha - theta) about the corner, I = 4/3 m R^2, integrated to the impact
    let p2 = 3.0 * G / (4.0 * radius);
    let rate = (2.0 * p2 * ((alpha - tilt).cos() - alpha.cos())).sqrt();
    // Housner: the velocity after over that before, r = 1 - 3/2 sin^2 alpha
    let kept = 1.0 - 1.5 * alpha.sin().powi(2);
    let mut world = tilted(b, a, tilt, 1e-4);
    let (mut fastest, mut after) = (0.0f64, None);
    for _ in 0..8000 {
        assert!(world.step().certified);
        let (angle, w) = (plane_angle(&world.bodies().orientation[1]), world.bodies().v[1][2]);
        if angle < -1e-4 {
            fastest = fastest.max(w);
        } else if angle > 2e-3 {
            after = Some(w);
            break;
        }
    }
    let after = after.expect("it rocks over");
    assert!((fastest / rate - 1.0).abs() < 5e-3, "{fastest} {rate}");
    assert!((after / fastest / kept - 1.0).abs() < 2e-2, "{} {kept}", after / fastest);
}
