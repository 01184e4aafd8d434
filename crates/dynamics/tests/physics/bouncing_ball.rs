//! A ball bouncing on a floor, against the closed form.

use stickslip_dynamics::geometry::space::Shape;
use stickslip_dynamics::{Body, Law, Options, World};

const G: f64 = 9.81;

/// Height of a point dropped from `z0` onto a floor with restitution `e`, at time `t`.
fn exact(z0: f64, e: f64, t: f64) -> f64 {
    let first = (2.0 * z0 / G).sqrt();
    if t < first {
        return z0 - 0.5 * G * t * t;
    }
    let (mut start, mut speed) = (first, e * G * first);
    while speed > 1e-9 {
        let flight = 2.0 * speed / G;
        if t < start + flight {
            let s = t - start;
            return speed * s - 0.5 * G * s * s;
        }
        start += flight;
        speed *= e;
    }
    0.0
}

fn drop_ball(e: f64, options: Options, t: f64) -> (World<3, 6>, f64) {
    let (z0, radius) = (1.0, 0.1);
    let steps = (t / options.h).round() as usize;
    let mut world = World::<3, 6>::new(options).unwrap();
    world.set_law(Law::bouncing(0.3, e)).unwrap();
    world.set_gravity([0.0, 0.0, -G]).unwrap();
    world.add(Body::new(Shape::HalfSpace).fixed()).unwrap();
    let ball = world.add(Body::new(Shape::Sphere { radius }).at([0.0, 0.0, z0 + radius])).unwrap();
    let mut worst: f64 = 0.0;
    for k in 1..=steps {
        let report = world.step();
        assert!(report.certified);
        // without any loss the ball comes back up to a step's way too high, bounce by bounce
        assert!(report.alarm.is_none() || e == 1.0, "{report:?}");
        let z = world.position(ball).unwrap()[2] - radius;
        worst = worst.max((z - exact(z0, e, k as f64 * world.options().h)).abs());
    }
    (world, worst)
}

#[test]
fn the_closed_form_is_met_with_order_one_for_several_e() {
    for e in [0.0, 0.3, 0.5, 0.8, 1.0] {
        for scheme in [|h| Options { h, ..Options::default() }, |h| Options::moreau_jean(h, 0.5)] {
            // 3.1 s: several bounces, and rest where the bounces end
            let errors: Vec<f64> = [2e-3, 1e-3, 5e-4, 2.5e-4].iter().map(|&h| drop_ball(e, scheme(h), 3.1).1).collect();
            let order = (errors[0] / errors[3]).log2() / 3.0;
            assert!(errors[3] < 0.02, "e = {e}: {errors:?}");
            assert!(order > 0.7 || errors[3] < 1e-9, "e = {e}: order {order}, {errors:?}");
        }
    }
}

#[test]
fn energy_is_lost_by_the_impacts_alone() {
    for e in [0.0, 0.5, 0.9] {
        let (world, _) = drop_ball(e, Options { h: 1e-3, ..Options::default() }, 2.0);
        let l = world.ledger();
        assert!(l.closure.abs() < 1e-12 * l.turnover, "{l:?}");
        assert_eq!((l.friction, l.rolling, l.work_driven), (0.0, 0.0, 0.0));
        assert!(l.impact > 0.0);
    }
}

#[test]
fn without_restitution_the_ball_lies_without_gap_or_overlap() {
    let (world, _) = drop_ball(0.0, Options::default(), 2.0);
    let z = world.bodies().x[1][2] - 0.1;
    assert!(z.abs() < 1e-9, "{z:e}");
    assert!(world.bodies().v[1].iter().all(|v| v.abs() < 1e-12));
}
