//! Masses that differ much where bodies touch.

use super::contacts::{Touching, keys};
use super::{Finding, Severity};
use crate::scene::Scene;

/// From this ratio on sweeps converge slowly.
const HARD: f64 = 1e3;

pub(super) fn check(scene: &Scene, touching: &Touching, findings: &mut Vec<Finding>) {
    let ratio = |p: &super::contacts::Pair| {
        let (a, b) = (touching.mass[p.a], touching.mass[p.b]);
        if a > 0.0 && b > 0.0 { (a / b).max(b / a) } else { 1.0 }
    };
    if let Some(worst) = touching.pairs.iter().max_by(|p, q| ratio(p).total_cmp(&ratio(q)))
        && ratio(worst) >= HARD
    {
        let what = format!("bodies of masses 1 : {:.0} touch each other", ratio(worst));
        let remedy = "expect many iterations; \"auto\" or \"ipm\" as the solver stand it best";
        findings.push(Finding::new(Severity::Warning, keys(scene, worst.a, worst.b), what, remedy));
    }
    let moving: Vec<f64> = touching.mass.iter().copied().filter(|m| *m > 0.0).collect();
    let (low, high) = moving.iter().fold((f64::INFINITY, 0.0f64), |(l, h), m| (l.min(*m), h.max(*m)));
    if high / low > 1e9 {
        let what = format!("the masses of the scene go from {low:.1e} kg to {high:.1e} kg");
        findings.push(Finding::new(Severity::Warning, "", what, "check sizes and densities for a wrong unit"));
    }
}
