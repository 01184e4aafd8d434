//! What is run: solvers, tolerances, starts and the settings that every cell shares.

use super::case::fnv1a;
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
    /// The version of the program and its build; empty in folders of before it was kept.
    #[serde(default)]
    pub program: String,
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
            let folder = path.parent().unwrap_or(path).display();
            if before.program != self.program {
                let other = if before.program.is_empty() { "an older program" } else { &before.program };
                bail!(
                    "the rows in {folder} are of {other}, and this is {}; rows of two builds cannot be compared. Give \
                     another --out, or delete {folder} to run everything anew",
                    self.program
                );
            }
            if before != *self {
                bail!(
                    "{} was begun with measure {:?}, {} s a cell and --repeat {}; rows of different settings cannot be \
                     compared. Give the same ones again, or another --out",
                    folder,
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

/// The version of this program and a checksum of its bytes, so that two builds are told apart.
pub fn program() -> Result<String> {
    let path = std::env::current_exe().context("cannot find this program")?;
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(format!("stickslip {}, build {:016x}", env!("CARGO_PKG_VERSION"), fnv1a(&bytes)))
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
        // one label a solver, however its name is spelt
        let label = match label.split_once('{') {
            Some((_, options)) => format!("{}{{{options}", spec.name()),
            None => spec.name().into(),
        };
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
        assert_eq!(labels("AUTO, Nsgs{omega=1.2},eg,EG-VI"), ["auto", "nsgs{omega=1.2}", "eg-vi"]);
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
        let s = Settings {
            program: program().unwrap(),
            measure: Measure::Scaled,
            time_limit: 2.0,
            repetition: Repetition { repeat: 3 },
        };
        s.agree_with(&path).unwrap();
        s.agree_with(&path).unwrap();
        let other = Settings { time_limit: 3.0, ..s.clone() };
        assert!(format!("{:#}", other.agree_with(&path).unwrap_err()).contains("--out"));
        // a new build says so, also beside rows of before builds were kept
        let other = Settings { program: "stickslip 9.9.9, build 0".into(), ..s.clone() };
        let error = format!("{:#}", other.agree_with(&path).unwrap_err());
        assert!(error.contains("two builds") && error.contains("9.9.9") && error.contains(&s.program), "{error}");
        let old = serde_json::json!({ "measure": s.measure, "time_limit": 2.0, "repetition": s.repetition });
        std::fs::write(&path, old.to_string()).unwrap();
        assert!(format!("{:#}", s.agree_with(&path).unwrap_err()).contains("an older program"));
    }
}
