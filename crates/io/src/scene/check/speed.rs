//! A step too large for the speeds and sizes.

use super::contacts::Touching;
use super::{Finding, Severity};
use crate::scene::placement::matrix;
use crate::scene::{Motion, PlannedBody, Scene, Shape};
use std::f64::consts::TAU;
use stickslip_dynamics::{Drive, Engine, Profile};
use stickslip_geometry::{plane, space};

/// A body may move by this part of the smallest size in a step.
const COURANT: f64 = 0.5;

pub(super) fn check(scene: &Scene, touching: &Touching, findings: &mut Vec<Finding>) {
    soft(scene, touching, findings);
    let Some((body, size)) = touching.smallest() else { return };
    let h = scene.h();
    let mut fastest = (0.0, "the scene");
    for (k, b) in scene.bodies.iter().enumerate() {
        let speed = match &b.motion {
            Motion::Dynamic => length(&b.v) + length(&b.omega) * touching.radius.get(k).copied().unwrap_or(0.0),
            Motion::Fixed => 0.0,
            Motion::Driven(drive) => drive_speed(k, b, drive, scene, touching),
        };
        if speed > fastest.0 {
            fastest = (speed, scene.entry(b));
        }
    }
    let fall = fall(scene, touching);
    if fall > fastest.0 {
        fastest = (fall, "bodies that fall through the height of the scene");
    }
    let moved = fastest.0 * h;
    if moved > COURANT * size {
        let severity = if moved > 4.0 * size { Severity::Problem } else { Severity::Warning };
        let what = format!(
            "{} may reach {:.3} m/s and move {:.2e} m in a step; the smallest body has a size of {size:.2e} m",
            fastest.1, fastest.0, moved
        );
        let remedy = format!("take h = {:.1e} s or less", COURANT * size / fastest.0);
        findings.push(Finding::new(severity, scene.entry(&scene.bodies[body]), what, remedy));
    }
}

/// The speed of a body that falls from the highest to the lowest place, or for all the time (m/s).
fn fall(scene: &Scene, touching: &Touching) -> f64 {
    let g = length(&scene.gravity);
    if g == 0.0 {
        return 0.0;
    }
    let height = |k: usize| -(0..3).map(|i| scene.gravity[i] * touching.centre[k][i]).sum::<f64>() / g;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for k in 0..touching.centre.len() {
        low = low.min(height(k));
        if touching.mass[k] > 0.0 {
            high = high.max(height(k));
        }
    }
    let time = scene.steps as f64 * scene.h();
    (2.0 * g * (high - low).max(0.0)).sqrt().min(g * time)
}

/// The fastest motion of a driven body in the simulation: of its origin, and of its rim where that is not round (m/s).
fn drive_speed(k: usize, body: &PlannedBody, drive: &Drive, scene: &Scene, touching: &Touching) -> f64 {
    let end = scene.steps as f64 * scene.h();
    if drive.start >= end || drive.stop.is_some_and(|stop| stop <= 0.0) {
        return 0.0;
    }
    let fastest = |p: &Option<Profile>| match p {
        None => 0.0,
        Some(Profile::Constant(v)) => v.abs(),
        // the mean over a step is never more than to and fro
        Some(Profile::Sine { amplitude, frequency, .. }) => {
            (TAU * frequency * amplitude).abs().min(2.0 * amplitude.abs() / scene.h())
        }
        Some(Profile::Table { v, .. }) => v.iter().fold(0.0, |m, v| v.abs().max(m)),
    };
    let speeds: Vec<f64> = drive.profiles.iter().map(fastest).collect();
    let (linear, angular) = speeds.split_at(scene.dimension.min(speeds.len()));
    let mut omega = [0.0; 3];
    omega[3 - angular.len().min(3)..].copy_from_slice(&angular[..angular.len().min(3)]);
    length(linear) + sweeping(body, omega) * rim(k, touching)
}

/// The part of a rotation that moves the outline of a shape, and not only the surface along itself (rad/s).
fn sweeping(body: &PlannedBody, omega: [f64; 3]) -> f64 {
    match body.shape.as_ref() {
        Shape::Plane(plane::Shape::Disc { .. } | plane::Shape::InsideCircle { .. }) => 0.0,
        Shape::Space(space::Shape::Sphere { .. }) => 0.0,
        Shape::Space(
            space::Shape::Cylinder { .. } | space::Shape::InsideCylinder { .. } | space::Shape::Capsule { .. },
        ) => {
            let r = matrix(&body.orientation);
            let along: f64 = (0..3).map(|i| r[i][2].abs() * omega[i]).sum();
            (length(&omega).powi(2) - along * along).max(0.0).sqrt()
        }
        _ => length(&omega),
    }
}

/// How far the outline of a body reaches from its origin; of one without end, as far as there are bodies (m).
fn rim(k: usize, touching: &Touching) -> f64 {
    if touching.radius[k].is_finite() {
        return touching.radius[k];
    }
    let away = |j: usize| length(&std::array::from_fn::<f64, 3, _>(|i| touching.centre[j][i] - touching.centre[k][i]));
    (0..touching.mass.len()).filter(|&j| touching.mass[j] > 0.0).map(away).fold(0.0, f64::max)
}

/// Soft contacts need steps that resolve a collision.
fn soft(scene: &Scene, touching: &Touching, findings: &mut Vec<Finding>) {
    let Engine::SoftSphere(soft) = &scene.options.engine else { return };
    let light = (0..touching.mass.len()).filter(|&k| touching.mass[k] > 0.0);
    let Some(k) = light.min_by(|&a, &b| touching.mass[a].total_cmp(&touching.mass[b])) else { return };
    let (m, h) = (touching.mass[k], scene.h());
    let most = soft.largest_step(m);
    if h <= most * (1.0 + 1e-9) {
        return;
    }
    // the leapfrog is stable up to 2 sqrt(m/2 / k)
    let stable = 2.0 * (0.5 * m / soft.k_n).sqrt();
    let severity = if h > stable { Severity::Problem } else { Severity::Warning };
    let what =
        format!("soft contacts of the lightest body ({m:.2e} kg) take {:.1} steps of {h:.1e} s", 20.0 * most / h);
    let remedy = format!("take h = {most:.1e} s or less (twenty steps), or a smaller soft_sphere.k_n");
    findings.push(Finding::new(severity, scene.entry(&scene.bodies[k]), what, remedy));
}

fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
