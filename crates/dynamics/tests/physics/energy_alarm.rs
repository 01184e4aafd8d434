//! Energy that appears is reported in the step in which it does, and ordinary motion is not.

use stickslip_dynamics::geometry::{plane, space};
use stickslip_dynamics::{Body, EnergyAlarm, Engine, Law, Options, SoftSphere, StepReport, World};

/// A ball dropped by `height` on a soft floor.
fn soft_ball(k_n: f64, h: f64, e: f64, height: f64) -> World<3, 6> {
    let engine = Engine::SoftSphere(SoftSphere { k_n, k_t: 0.3 * k_n });
    let mut world = World::<3, 6>::new(Options { engine, h, ..Options::default() }).unwrap();
    world.set_law(Law::bouncing(0.3, e)).unwrap();
    world.add(Body::new(space::Shape::HalfSpace).fixed()).unwrap();
    let ball = Body::new(space::Shape::Sphere { radius: 0.1 }).at([0.0, 0.0, 0.1 + height]);
    world.add(ball.moving([0.5, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    world
}

fn energy(r: &StepReport) -> f64 {
    r.ledger.kinetic + r.ledger.potential
}

#[test]
fn a_soft_contact_too_stiff_for_the_step_is_reported_at_once() {
    let mut world = soft_ball(1e9, 1e-3, 0.5, 0.05);
    let b = world.bodies();
    let start = b.kinetic_energy() + b.mass[1] * 9.81 * b.x[1][2];
    let (mut most, mut alarmed, mut jumped) = (start, None, None);
    for _ in 0..200 {
        let r = world.step();
        most = r.ledger.kinetic.max(if jumped.is_none() { 0.0 } else { most });
        jumped = jumped.or((energy(&r) - start > 0.05 * most).then_some(r.step));
        alarmed = alarmed.or(r.alarm.map(|a| (r.step, a)));
    }
    let (step, alarm) = alarmed.expect("the energy grows");
    assert_eq!(Some(step), jumped);
    assert!(matches!(alarm, EnergyAlarm::Gain { gained } if gained > 0.0), "{alarm:?}");
}

#[test]
fn soft_contacts_with_steps_short_enough_are_not_reported() {
    for e in [0.2, 0.5, 0.9, 1.0] {
        let mut world = soft_ball(1e5, 1.0, e, 0.02);
        let h = world.longest_soft_step().unwrap();
        world.set_options(Options { h, ..world.options().clone() }).unwrap();
        for _ in 0..3000 {
            let r = world.step();
            assert!(r.alarm.is_none() && r.soft, "e = {e}: {r:?}");
        }
        assert!(world.ledger().impact > 0.0 || e == 1.0, "{:?}", world.ledger());
    }
}

#[test]
fn soft_spheres_that_touch_at_the_start_are_at_rest() {
    // the weight is carried by an overlap from the start: that energy is no gain
    let mut world = soft_ball(1e5, 1e-5, 0.5, 0.0);
    let weight = world.bodies().mass[1] * 9.81;
    let ball = Body::new(space::Shape::Sphere { radius: 0.1 }).at([1.0, 0.0, 0.1 - weight / 1e5]);
    world.add(ball).unwrap();
    for _ in 0..2000 {
        assert!(world.step().alarm.is_none());
    }
}

#[test]
fn bodies_pushed_out_of_an_overlap_are_reported_in_the_first_step() {
    let mut world = World::<2, 3>::new(Options::default()).unwrap();
    world.set_gravity([0.0, 0.0]).unwrap();
    for x in [0.0, 0.19] {
        world.add(Body::new(plane::Shape::Box { half: [0.1, 0.1] }).at([x, 0.0])).unwrap();
    }
    let r = world.step();
    assert!(matches!(r.alarm, Some(EnergyAlarm::Gain { gained }) if gained > 0.9 * r.ledger.kinetic), "{r:?}");
    assert!((r.ledger.gained() - r.ledger.kinetic).abs() < 1e-12 * r.ledger.kinetic, "{r:?}");
}

#[test]
fn slow_growth_is_reported_though_no_step_gains_much() {
    // in the default scheme a bounce without loss ends up to a step's way too high
    let mut world = World::<3, 6>::new(Options { h: 2e-3, ..Options::default() }).unwrap();
    world.set_law(Law::bouncing(0.0, 1.0)).unwrap();
    world.add(Body::new(space::Shape::HalfSpace).fixed()).unwrap();
    world.add(Body::new(space::Shape::Sphere { radius: 0.1 }).at([0.0, 0.0, 1.1])).unwrap();
    let (mut last, mut largest, mut alarmed) = (None, 0.0_f64, None);
    for _ in 0..10_000 {
        let r = world.step();
        largest = largest.max(energy(&r) - last.unwrap_or(energy(&r)));
        last = Some(energy(&r));
        if r.alarm.is_some() {
            alarmed = r.alarm;
            break;
        }
    }
    let Some(EnergyAlarm::Gain { gained }) = alarmed else { panic!("{alarmed:?}, {:?}", world.ledger()) };
    assert!(gained > 1.5 * largest, "{gained} {largest}");
}

#[test]
fn a_late_explosion_is_not_hidden_by_what_went_before() {
    // a soft pair at rest far away becomes unstable when the step is made longer, after much energy was turned over
    let mut world = soft_ball(1e5, 1e-4, 0.9, 0.02);
    for _ in 0..50_000 {
        assert!(world.step().alarm.is_none());
    }
    let options = Options { h: 2e-2, ..world.options().clone() };
    world.set_options(options).unwrap();
    let alarmed = (0..2000).any(|_| world.step().alarm.is_some());
    assert!(alarmed, "{:?}", world.ledger());
}
