//! Bodies that overlap, or lie inside each other, at the start or when they enter.

use super::contacts::{Pair, Touching, keys};
use super::{Finding, Severity};
use crate::scene::Scene;

/// Overlaps below this part of the smaller body are rounding.
const ROUNDING: f64 = 1e-6;
/// From here on bodies are shot apart or stuck together.
const DEEP: f64 = 0.05;

pub(super) fn check(scene: &Scene, touching: &Touching, findings: &mut Vec<Finding>) {
    let at_start: Vec<&Pair> = touching.pairs.iter().collect();
    findings.extend(worst(scene, touching, &at_start, "", None));
    // the time of a pair is that of the first body to enter into the other
    let entrance = &touching.entrance;
    for sure in [true, false] {
        let of = || entrance.meetings.iter().filter(|m| m.sure == sure);
        let pairs: Vec<&Pair> = of().map(|m| &m.pair).collect();
        let Some(first) = of().next() else { continue };
        let when = format!(" when a body enters, first at t = {:.4} s", first.t);
        let doubt = (!sure).then_some(" if the other one has not moved by then");
        findings.extend(worst(scene, touching, &pairs, &when, doubt));
    }
    if let Some(t) = entrance.looked_until {
        let what = format!("{} bodies enter later; those behind t = {t:.4} s were not looked at", entrance.entering);
        findings.push(Finding::new(Severity::Note, "", what, "they are too many; try a part of them by itself"));
    } else if entrance.entering > 0 {
        let what = format!(
            "bodies enter later ({}): where moving ones are by then is not known; they were taken to fly freely, or to \
             stay where they stand",
            entrance.entering
        );
        let remedy = "look at the overlap and at the energies of the run when they enter";
        findings.push(Finding::new(Severity::Note, "", what, remedy));
    }
}

/// The deepest overlap of some pairs, and how many there are.
fn worst(scene: &Scene, touching: &Touching, pairs: &[&Pair], when: &str, doubt: Option<&str>) -> Option<Finding> {
    let depth = |p: &Pair| -p.gap / touching.radius[p.a].min(touching.radius[p.b]);
    let count = pairs.iter().filter(|p| depth(p) > ROUNDING).count();
    let worst = pairs.iter().max_by(|p, q| depth(p).total_cmp(&depth(q))).filter(|_| count > 0)?;
    let (part, by) = (depth(worst), -worst.gap);
    let others = if count > 1 { format!(" ({count} contacts overlap in all)") } else { String::new() };
    let near = format!("bodies {} and {} near {}", worst.a, worst.b, place(touching, worst.a));
    let end = format!("{when}{}{others}", doubt.unwrap_or_default());
    let what = if part >= 1.0 {
        format!("one body lies inside another: {near} overlap by {by:.3e} m{end}")
    } else {
        let digits = if part > DEEP { 0 } else { 2 };
        format!("{near} overlap by {by:.3e} m, {:.digits$}% of their size{end}", 100.0 * part)
    };
    let severity = if part > DEEP && doubt.is_none() { Severity::Problem } else { Severity::Warning };
    let remedy = if when.is_empty() {
        "move them apart ('at', 'gap' or 'spacing'), or put them into the same 'group' if they should not touch"
    } else {
        "let it enter elsewhere ('at') or later ('enter', 'repeat.every'), when the place is free"
    };
    Some(Finding::new(severity, keys(scene, worst.a, worst.b), what, remedy))
}

/// A place that can be read.
fn place(touching: &Touching, body: usize) -> String {
    let [x, y, z] = touching.centre[body];
    format!("({x:.4}, {y:.4}, {z:.4}) m")
}
