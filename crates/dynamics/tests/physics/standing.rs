//! What stands must stand.

use stickslip_dynamics::geometry::{plane, space};
use stickslip_dynamics::{Body, Law, Options, World};

/// The farthest that a body went from where it was put (m).
fn drift<const N: usize>(before: &[[f64; N]], after: &[[f64; N]]) -> f64 {
    let far = |(a, b): (&[f64; N], &[f64; N])| (0..N).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
    before.iter().zip(after).map(far).fold(0.0, f64::max)
}

#[test]
fn a_stack_of_ten_boxes_with_a_mass_ratio_of_a_thousand_stays_put() {
    let mut world = World::<3, 6>::new(Options { h: 5e-3, ..Options::default() }).unwrap();
    world.set_law(Law::coulomb(0.5)).unwrap();
    world.add(Body::new(space::Shape::HalfSpace).fixed()).unwrap();
    for k in 0..10 {
        // the heavy ones on top
        let density = 10f64.powf(k as f64 / 3.0) * 10.0;
        let half = [0.2, 0.2, 0.1];
        world.add(Body::new(space::Shape::Box { half }).at([0.0, 0.0, 0.1 + 0.2 * k as f64]).density(density)).unwrap();
    }
    let before = world.bodies().x.clone();
    for _ in 0..2000 {
        let report = world.step();
        assert!(report.certified && report.alarm.is_none(), "{report:?}");
    }
    let d = drift(&before, &world.bodies().x);
    // the tower of 2 m; each step is certified to 1e-4
    assert!(d < 1e-4, "{d:e}");
}

#[test]
fn a_kapla_tower_stands() {
    // planks 12 x 2.4 x 0.8 cm, two and two crosswise
    let (l, w, t) = (0.12, 0.024, 0.008);
    let mut world = World::<3, 6>::new(Options { h: 5e-3, ..Options::default() }).unwrap();
    world.set_law(Law::coulomb(0.4)).unwrap();
    world.add(Body::new(space::Shape::HalfSpace).fixed()).unwrap();
    for level in 0..10usize {
        for side in [-1.0, 1.0] {
            let z = t * (level as f64 + 0.5);
            let off = side * 0.5 * (l - w);
            let (x, half) = if level % 2 == 0 {
                ([0.0, off, z], [0.5 * l, 0.5 * w, 0.5 * t])
            } else {
                ([off, 0.0, z], [0.5 * w, 0.5 * l, 0.5 * t])
            };
            world.add(Body::new(space::Shape::Box { half }).at(x).density(600.0)).unwrap();
        }
    }
    let before = world.bodies().x.clone();
    for _ in 0..2000 {
        assert!(world.step().certified);
    }
    let d = drift(&before, &world.bodies().x);
    assert!(d < 1e-4 * l, "{d:e}");
}

/// A semicircular arch of voussoirs of mean radius 1 and thickness `t` on two fixed springers.
fn arch(t: f64, voussoirs: usize) -> World<2, 3> {
    let mut world = World::<2, 3>::new(Options { h: 2e-3, ..Options::default() }).unwrap();
    world.set_law(Law::coulomb(0.9)).unwrap();
    world.add(Body::new(plane::Shape::HalfPlane).fixed()).unwrap();
    let (inner, outer) = (1.0 - 0.5 * t, 1.0 + 0.5 * t);
    for k in 0..voussoirs {
        let angle = |i: usize| std::f64::consts::PI * i as f64 / voussoirs as f64;
        let on = |r: f64, a: f64| [r * a.cos(), r * a.sin()];
        let (a, b) = (angle(k), angle(k + 1));
        let corners = vec![on(inner, a), on(outer, a), on(outer, b), on(inner, b)];
        let polygon = plane::Polygon::new(corners).unwrap();
        world.add(Body::new(plane::Shape::Polygon(polygon)).density(2000.0)).unwrap();
    }
    world
}

#[test]
fn an_arch_stands_above_its_critical_thickness_and_falls_below() {
    // a semicircle of radius 1 stands from t = 0.1075 on (Milankovitch 1907); voussoirs change it by a few percent
    for (t, stands) in [(0.13, true), (0.085, false)] {
        let mut world = arch(t, 15);
        let before = world.bodies().x.clone();
        for _ in 0..1000 {
            world.step();
        }
        let d = drift(&before, &world.bodies().x);
        assert_eq!(d < 1e-3, stands, "thickness {t}: drift {d:e}");
    }
}
