//! `stickslip check`.

use crate::Outcome;
use anyhow::Result;
use std::path::PathBuf;
use stickslip::io::scene::Scene;
use stickslip::io::scene::check::{Finding, Severity};

/// Look at scenes before they run.
#[derive(clap::Args)]
pub struct Arguments {
    /// Scenes, TOML files
    #[arg(required = true)]
    scenes: Vec<PathBuf>,
}

/// Checks every scene; the exit code is 2 when one has a problem.
pub fn run(a: Arguments) -> Result<Outcome> {
    let mut outcome = Outcome::Done;
    for path in &a.scenes {
        let scene = Scene::read(path)?;
        let findings = scene.check()?;
        crate::say!("{}", describe(&path.display().to_string(), &scene, &findings));
        if findings.iter().any(|f| f.severity == Severity::Problem) {
            outcome = Outcome::NotConverged;
        }
    }
    Ok(outcome)
}

fn describe(file: &str, scene: &Scene, findings: &[Finding]) -> String {
    let space = if scene.dimension == 2 { "the plane" } else { "space" };
    let (n, h) = (scene.bodies.len(), scene.h());
    let mut text = format!("{file}: {n} bodies in {space}, {} steps of {h:.1e} s", scene.steps);
    for f in findings {
        let word = match f.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Problem => "PROBLEM",
        };
        let key = if f.key.is_empty() { String::new() } else { format!("{}: ", f.key) };
        text += &format!("\n  {word:8} {key}{}\n           {}", f.what, f.remedy);
    }
    if findings.is_empty() {
        text += "\n  nothing found that is wrong or odd";
    }
    text
}
