//! Bodies that overlap at the start, or lie inside each other.

use super::contacts::{Touching, keys};
use super::{Finding, Severity};
use crate::scene::Scene;

/// Overlaps below this part of the smaller body are rounding.
const ROUNDING: f64 = 1e-6;
/// From here on bodies are shot apart or stuck together.
const DEEP: f64 = 0.05;

pub(super) fn check(scene: &Scene, touching: &Touching, findings: &mut Vec<Finding>) {
    let depth = |p: &super::contacts::Pair| -p.gap / touching.radius[p.a].min(touching.radius[p.b]);
    let count = touching.pairs.iter().filter(|p| depth(p) > ROUNDING).count();
    let Some(worst) = touching.pairs.iter().max_by(|p, q| depth(p).total_cmp(&depth(q))) else { return };
    if count == 0 {
        return;
    }
    let part = depth(worst);
    let key = keys(scene, worst.a, worst.b);
    let others = if count > 1 { format!(" ({count} contacts overlap in all)") } else { String::new() };
    let near = format!("bodies {} and {} near {}", worst.a, worst.b, place(touching, worst.a));
    let (severity, what) = if part >= 1.0 {
        (Severity::Problem, format!("one body lies inside another: {near} overlap by {:.3e} m{others}", -worst.gap))
    } else if part > DEEP {
        let what = format!("{near} overlap by {:.3e} m, {:.0}% of their size{others}", -worst.gap, 100.0 * part);
        (Severity::Problem, what)
    } else {
        let what = format!("{near} overlap by {:.3e} m, {:.2}% of their size{others}", -worst.gap, 100.0 * part);
        (Severity::Warning, what)
    };
    let remedy =
        "move them apart ('at', 'gap' or 'spacing'), or put them into the same 'group' if they should not touch";
    findings.push(Finding::new(severity, key, what, remedy));
}

/// A place that can be read.
fn place(touching: &Touching, body: usize) -> String {
    let [x, y, z] = touching.centre[body];
    format!("({x:.4}, {y:.4}, {z:.4}) m")
}
