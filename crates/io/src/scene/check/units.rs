//! Numbers that look like a wrong unit, and scenes that fall for ever.

use super::contacts::Touching;
use super::{Finding, Severity};
use crate::scene::{Motion, Scene};
use stickslip_dynamics::Law;

pub(super) fn check(scene: &Scene, touching: &Touching, findings: &mut Vec<Finding>) {
    let mut warn = |key: &str, what: String, remedy: &str| {
        findings.push(Finding::new(Severity::Warning, key, what, remedy));
    };
    for (name, &density) in scene.laws.names().iter().zip(&scene.densities) {
        if !(20.0..=30_000.0).contains(&density) {
            let key = format!("material.{name}");
            let remedy = "numbers are in kg/m3; write a unit, such as \"2.5 g/cm3\"";
            warn(&key, format!("a density of {density:.3e} kg/m3 is that of no solid or liquid"), remedy);
        }
    }
    let ends = [touching.smallest(), touching.largest()];
    if let [Some((small, low)), Some((large, high))] = ends {
        let key = |k: usize| scene.entry(&scene.bodies[k]);
        let remedy = "numbers are in metres; write a unit, such as \"5 mm\"";
        if low < 1e-6 {
            warn(key(small), format!("the smallest body has a size of {low:.1e} m"), remedy);
        }
        if high > 1e4 {
            warn(key(large), format!("the largest body has a size of {high:.1e} m"), remedy);
        }
        if high / low > 1e3 {
            let what = format!("sizes go from {low:.1e} m to {high:.1e} m");
            warn(key(small), what, "if that is meant, expect many contacts per body; if not, check the units");
        }
    }
    large_grains(scene, touching, &mut warn);
    let g = scene.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
    if g > 0.0 && !(0.5..=30.0).contains(&g) {
        warn("gravity", format!("gravity is {g:.3e} m/s2"), "9.81 is that of the Earth; numbers are in m/s2");
    }
    if let Some(mu) = largest_friction(scene).filter(|mu| *mu > 5.0) {
        let remedy = "nothing but glue has more than 5; angles of friction go in as their tangent";
        warn("law", format!("a coefficient of friction of {mu}"), remedy);
    }
    let h = scene.h();
    if !(1e-7..=0.1).contains(&h) {
        warn("time.h", format!("the step is {h:.1e} s"), "numbers are in seconds; write a unit, such as \"1 ms\"");
    }
    if scene.steps > 100_000_000 {
        let what = format!("{} steps are needed to the end", scene.steps);
        warn("time.end", what, "take a larger step, or an earlier end");
    }
    let fast = scene.bodies.iter().find(|b| b.v.iter().any(|v| v.abs() > 1e3));
    if let Some(b) = fast {
        warn(scene.entry(b), "it moves faster than a bullet".into(), "numbers are in m/s; write a unit");
    }
    if g > 0.0 && scene.bodies.iter().all(|b| b.motion == Motion::Dynamic) {
        warn(
            "",
            "nothing is fixed: all bodies fall for ever".into(),
            "add a floor: shape = \"half_space\", fixed = true",
        );
    }
}

/// Many grains larger than a metre, or bodies that hardly begin to fall: millimetres written as metres.
fn large_grains(scene: &Scene, touching: &Touching, warn: &mut dyn FnMut(&str, String, &str)) {
    let Some((k, size)) = touching.smallest().filter(|(_, size)| *size > 1.0) else { return };
    let key = scene.entry(&scene.bodies[k]);
    let remedy = "numbers are in metres; write a unit, such as \"5 mm\"";
    let g = scene.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
    let time = scene.steps as f64 * scene.h();
    let grains = (0..touching.mass.len()).filter(|&j| touching.mass[j] > 0.0 && touching.round[j]).count();
    if grains >= 20 {
        warn(key, format!("there are {grains} balls or discs, the smallest with a radius of {size:.3} m"), remedy);
    } else if g > 0.0 && 0.5 * g * time * time < size {
        let fall = 0.5 * g * time * time;
        let what = format!("the smallest body has a size of {size:.3} m; in {time} s it falls by {fall:.3} m at most");
        warn(key, what, remedy);
    }
}

/// The largest coefficient of friction of any pair of materials that bodies have.
fn largest_friction(scene: &Scene) -> Option<f64> {
    let used: std::collections::BTreeSet<u32> = scene.bodies.iter().map(|b| b.material).collect();
    let laws = used.iter().flat_map(|&a| used.range(a..).map(move |&b| scene.laws.of(a, b)));
    let mu = laws.filter_map(|law| match law {
        Law::Coulomb(c) => Some(c.mu),
        Law::Rolling(r) => Some(r.mu),
        _ => None,
    });
    mu.max_by(f64::total_cmp)
}
