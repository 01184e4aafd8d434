//! A step too large for the speeds and sizes.

use super::contacts::Touching;
use super::{Finding, Severity};
use crate::scene::{Motion, Scene};

/// A body may move by this part of the smallest size in a step.
const COURANT: f64 = 0.5;

pub(super) fn check(scene: &Scene, touching: &Touching, findings: &mut Vec<Finding>) {
    let Some((body, size)) = touching.smallest() else { return };
    let norm = |x: &[f64; 3]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let h = scene.h();
    let mut fastest = (0.0, "the scene");
    for (k, b) in scene.bodies.iter().enumerate() {
        let speed = match &b.motion {
            Motion::Dynamic => norm(&b.v) + norm(&b.omega) * touching.radius.get(k).copied().unwrap_or(0.0),
            Motion::Fixed => 0.0,
            Motion::Driven(drive) => drive_speed(drive, scene),
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
    let g = scene.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
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

/// The fastest translation of a drive, sampled over the simulation (m/s).
fn drive_speed(drive: &stickslip_dynamics::Drive, scene: &Scene) -> f64 {
    let end = scene.steps as f64 * scene.h();
    let speed = |t: f64| {
        let v = drive.velocity::<6>(t, scene.h());
        v[..scene.dimension].iter().map(|x| x * x).sum::<f64>().sqrt()
    };
    (0..200).map(|k| speed(end * f64::from(k) / 200.0)).fold(0.0, f64::max)
}
