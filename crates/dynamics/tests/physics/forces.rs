//! Forces beside gravity, against closed forms.

use std::sync::Arc;
use stickslip_dynamics::geometry::{plane, space};
use stickslip_dynamics::{Body, Force, Options, World};

/// One body alone, without gravity.
fn alone(h: f64, v: [f64; 6]) -> World<3, 6> {
    let mut world = World::<3, 6>::new(Options { h, ..Options::default() }).unwrap();
    world.set_gravity([0.0; 3]).unwrap();
    world.add(Body::new(space::Shape::Sphere { radius: 0.2 }).moving(v)).unwrap();
    world
}

fn run(world: &mut World<3, 6>, t: f64) {
    for _ in 0..(t / world.options().h).round() as u64 {
        assert!(world.step().certified);
    }
    let l = world.ledger();
    assert!(l.closure.abs() < 1e-12 * l.turnover, "{l:?}");
}

#[test]
fn a_constant_force_and_moment_give_a_parabola() {
    let mut world = alone(1e-2, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let id = world.bodies().id[0];
    world.add_force(Force::Constant { body: id, force: [0.0, 3.0, 0.0, 0.0, 0.0, 0.5] }).unwrap();
    run(&mut world, 2.0);
    let (m, i) = (world.bodies().mass[0], world.bodies().inertia[0][2]);
    let (x, v) = (world.position(id).unwrap(), world.velocity(id).unwrap());
    let close = |a: f64, b: f64| (a - b).abs() < 1e-12 * b.abs().max(1.0);
    assert!(close(x[0], 2.0) && close(x[1], 0.5 * 3.0 / m * 4.0), "{x:?}");
    assert!(close(v[1], 3.0 / m * 2.0) && close(v[5], 0.5 / i * 2.0), "{v:?}");
    // force times way, moment times angle
    let work = 3.0 * x[1] + 0.5 * 0.5 * 0.5 / i * 4.0;
    assert!(close(world.ledger().work_external, work), "{:?}", world.ledger());
}

#[test]
fn a_force_in_time_is_second_order() {
    // F = A cos(w t): v = A / (m w) sin(w t), x = A / (m w^2) (1 - cos(w t))
    let (a, w, t) = (50.0, 7.0, 1.0);
    let error = |h: f64| {
        let mut world = alone(h, [0.0; 6]);
        let id = world.bodies().id[0];
        let force = move |t: f64| [a * (w * t).cos(), 0.0, 0.0, 0.0, 0.0, 0.0];
        world.add_force(Force::Function { body: id, force: Arc::new(force) }).unwrap();
        run(&mut world, t);
        let m = world.bodies().mass[0];
        let (x, v) = (world.position(id).unwrap()[0], world.velocity(id).unwrap()[0]);
        let exact = (a / (m * w * w) * (1.0 - (w * t).cos()), a / (m * w) * (w * t).sin());
        ((x - exact.0) / exact.0).abs().max(((v - exact.1) / exact.1).abs())
    };
    let (coarse, fine) = (error(2e-2), error(1e-2));
    assert!(fine < 1e-3 && (coarse / fine - 4.0).abs() < 0.1, "{coarse:e} {fine:e}");
}

#[test]
fn damping_fades_exponentially() {
    let (linear, angular, t) = (3.0_f64, 2.0_f64, 1.0);
    let error = |h: f64| {
        let mut world = alone(h, [2.0, -1.0, 0.5, 0.3, -4.0, 1.0]);
        world.add_force(Force::Damping { linear, angular }).unwrap();
        let start = world.bodies().kinetic_energy();
        run(&mut world, t);
        let v = world.bodies().v[0];
        let (a, b) = ((-linear * t).exp(), (-angular * t).exp());
        let exact = [2.0 * a, -a, 0.5 * a, 0.3 * b, -4.0 * b, b];
        // all that is lost is the work of the drag
        let l = world.ledger();
        assert!((l.work_external - (l.kinetic - start)).abs() < 1e-12 * start, "{l:?}");
        (0..6).map(|i| ((v[i] - exact[i]) / exact[i]).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(2e-2), error(1e-2));
    assert!(fine < 1e-3 && (coarse / fine - 4.0).abs() < 0.1, "{coarse:e} {fine:e}");
}

#[test]
fn damping_leaves_a_driven_body_and_turns_a_disc_to_rest() {
    let mut world = World::<2, 3>::new(Options::default()).unwrap();
    world.set_gravity([0.0, 0.0]).unwrap();
    let disc = world.add(Body::new(plane::Shape::Disc { radius: 0.1 }).moving([0.0, 0.0, 5.0])).unwrap();
    world.add_force(Force::Damping { linear: 0.0, angular: 4.0 }).unwrap();
    for _ in 0..1000 {
        world.step();
    }
    let v = world.velocity(disc).unwrap();
    let exact = 5.0 * (-4.0_f64).exp();
    assert!((v[2] / exact - 1.0).abs() < 1e-4 && v[0] == 0.0, "{v:?} {exact}");
}
