//! What is run: solvers, tolerances, starts and the settings that every cell shares.

use super::clock::Repetition;
use super::peer::{self, PeerSolver};
use super::record::Start;
use crate::options;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::Path;
use stickslip::contact::certificate::Measure;
use stickslip::contact::solvers::SolverSpec;

/// The solvers of a bench that names none.
pub const DEFAULT: &str = "auto,nsgs,psor,nncg,anderson,ipm,nsn-ac,ppn";

/// A solver of the bench.
#[derive(Debug, Clone, PartialEq)]
pub enum Method {
    /// One of ours.
    Ours {
        /// As given on the command line.
        label: String,
        /// With its options.
        spec: SolverSpec,
    },
    /// One of the peer's.
    Peer(&'static PeerSolver),
}

impl Method {
    /// The name in tables and pictures.
    pub fn label(&self) -> String {
        match self {
            Method::Ours { label, .. } => label.clone(),
            Method::Peer(s) => format!("{}{}", peer::PREFIX, s.name),
        }
    }
}

/// What must be the same for all rows of one folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The measure of all errors.
    pub measure: Measure,
    /// CPU seconds a cell.
    pub time_limit: f64,
    /// How often a solve is repeated.
    pub repetition: Repetition,
}

/// The grid.
pub struct Grid {
    /// Solvers.
    pub methods: Vec<Method>,
    /// Tolerances, the loosest first.
    pub tolerances: Vec<f64>,
    /// Starts.
    pub starts: Vec<Start>,
    /// Shared by all cells.
    pub settings: Settings,
}

impl Settings {
    /// Compares with the settings that a folder was begun with, or leaves these there.
    pub fn agree_with(&self, path: &Path) -> Result<()> {
        let doing = || format!("the settings in {}", path.display());
        if let Ok(text) = std::fs::read_to_string(path) {
            let before: Settings = serde_json::from_str(&text).with_context(doing)?;
            if before != *self {
                bail!(
                    "{} was begun with measure {:?}, {} s a cell and --repeat {}; rows of different settings cannot be \
                     compared. Give the same ones again, or another --out",
                    path.parent().unwrap_or(path).display(),
                    before.measure,
                    before.time_limit,
                    before.repetition.repeat
                );
            }
            return Ok(());
        }
        std::fs::write(path, serde_json::to_string_pretty(self)?).with_context(doing)
    }
}

/// Reads `auto,nsgs{omega=1.2,order="symmetric"}`; `all` is the whole catalogue.
pub fn solvers(text: &str) -> Result<Vec<Method>> {
    let mut methods: Vec<Method> = Vec::new();
    let words = match text.trim() {
        "all" => SolverSpec::catalogue().iter().map(|s| s.name.to_string()).collect(),
        text => split(text),
    };
    for label in words {
        let spec = options::solver(&label)?;
        if !methods.iter().any(|m| m.label() == label) {
            methods.push(Method::Ours { label, spec });
        }
    }
    if methods.is_empty() {
        bail!("--solvers names none; 'stickslip solvers' lists them");
    }
    Ok(methods)
}

/// Splits at commas that stand outside of braces, brackets and quotes.
fn split(text: &str) -> Vec<String> {
    let (mut words, mut depth, mut quoted) = (vec![String::new()], 0i32, false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            _ => {}
        }
        match words.last_mut() {
            Some(word) if c != ',' || depth > 0 || quoted => word.push(c),
            _ => words.push(String::new()),
        }
    }
    words.iter().map(|w| w.trim().replace(['\n', '\r'], " ")).filter(|w| !w.is_empty()).collect()
}

/// Reads `1e-4,1e-8`, the loosest first.
pub fn tolerances(text: &str) -> Result<Vec<f64>> {
    let mut all = Vec::new();
    for word in text.split(',') {
        match word.trim().parse::<f64>() {
            Ok(t) if t > 0.0 && t.is_finite() => all.push(t),
            _ => bail!("--tol: '{}' is not a positive number", word.trim()),
        }
    }
    all.sort_by(|a, b| b.total_cmp(a));
    all.dedup();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_solvers_keep_their_options_together() {
        let labels = |t: &str| solvers(t).unwrap().iter().map(Method::label).collect::<Vec<_>>();
        assert_eq!(
            labels("auto, nsgs{omega=1.2,order={shuffled={seed=3}}},psor"),
            ["auto", "nsgs{omega=1.2,order={shuffled={seed=3}}}", "psor"]
        );
        assert_eq!(labels("nsgs,nsgs,"), ["nsgs"]);
        assert_eq!(labels("all").len(), SolverSpec::catalogue().len());
        assert!(labels(DEFAULT).contains(&"auto".to_string()));
        assert!(format!("{:#}", solvers("auto,nsg").unwrap_err()).contains("did you mean 'nsgs'"));
        assert!(solvers(" , ").is_err());
    }

    #[test]
    fn tolerances_come_loosest_first_and_once() {
        assert_eq!(tolerances("1e-8, 1e-4,1e-8").unwrap(), [1e-4, 1e-8]);
        for bad in ["", "1e-4,", "-1", "nan", "x"] {
            assert!(tolerances(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_folder_keeps_its_settings() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.json");
        let s = Settings { measure: Measure::Scaled, time_limit: 2.0, repetition: Repetition { repeat: 3 } };
        s.agree_with(&path).unwrap();
        s.agree_with(&path).unwrap();
        let other = Settings { time_limit: 3.0, ..s };
        assert!(format!("{:#}", other.agree_with(&path).unwrap_err()).contains("--out"));
    }
}
