//! Bodies that come too late or go too early, and ends that no step meets.

use super::contacts::Touching;
use super::{Finding, Severity};
use crate::scene::{Motion, Scene};

pub(super) fn check(scene: &Scene, touching: &Touching, findings: &mut Vec<Finding>) {
    let mut find = |severity, key: &str, what: String, remedy: &str| {
        findings.push(Finding::new(severity, key, what, remedy));
    };
    let end = scene.steps as f64 * scene.h();
    if let Some((severity, what)) = unmet_end(scene) {
        find(severity, "time.end", what, "take a step h of which the end is a multiple");
    }
    if let Some(b) = scene.bodies.iter().find(|b| b.leave.is_some_and(|t| t <= 0.0)) {
        let what = format!("it leaves at t = {} s, before the first step", b.leave.unwrap_or_default());
        find(Severity::Warning, scene.entry(b), what, "let it leave later, or remove it");
    }
    // the last step begins one step before the end
    let late = |t: f64| t > end - scene.h() * (1.0 - 1e-6);
    if let Some(b) = scene.bodies.iter().find(|b| b.enter.is_some_and(late)) {
        let what = format!("it enters at t = {} s; the simulation ends at {end:.6} s", b.enter.unwrap_or_default());
        find(Severity::Warning, scene.entry(b), what, "let it enter earlier, or the simulation end later");
    }
    if let Some(outlet) = &scene.outlet {
        let inside = |x: &[f64; 3]| (0..scene.dimension).all(|i| (outlet.low[i]..=outlet.high[i]).contains(&x[i]));
        let outside = |k: &usize| scene.bodies[*k].motion == Motion::Dynamic && !inside(&touching.centre[*k]);
        if let Some(k) = (0..scene.bodies.len()).find(outside) {
            let what = "it is outside of the outlet's box from the start, and leaves at once".to_string();
            find(Severity::Warning, scene.entry(&scene.bodies[k]), what, "make the box larger, or move the body");
        }
    }
}

impl Scene {
    /// Where the steps end, if that is not where the file says.
    pub fn unmet_end(&self) -> Option<String> {
        unmet_end(self).map(|e| e.1)
    }
}

fn unmet_end(scene: &Scene) -> Option<(Severity, String)> {
    let (h, steps) = (scene.h(), scene.steps);
    let last = steps as f64 * h;
    let off = (last - scene.end).abs();
    if off <= 1e-6 * h {
        return None;
    }
    let severity = if off > 0.01 * scene.end { Severity::Warning } else { Severity::Note };
    // without the digits that rounding left behind
    let last = format!("{last:.9e}").parse().unwrap_or(last);
    let count = if steps == 1 { "the only step".to_string() } else { format!("the last of {steps} steps") };
    Some((severity, format!("{count} of {h} s ends at t = {last} s, not at {} s", scene.end)))
}
