//! One row of the results, appended as it comes and read back when a bench resumes.

use crate::appended::{Appended, Row};
use serde::{Deserialize, Serialize};

/// How a cell of the grid ended; everything but `solved` is a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The certificate holds, within the time limit.
    Solved,
    /// The solver says it is done, the certificate says it is not.
    Inexact,
    /// The CPU seconds ran out.
    Timeout,
    /// The solver gave up.
    GaveUp,
    /// Its process died.
    Crashed,
    /// The solver does not take this kind of problem.
    Unsupported,
}

/// From where a solve starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// r = 0.
    Cold,
    /// The answer to the problem with q perturbed by one per cent.
    Warm,
}

impl Start {
    /// The word in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Start::Cold => "cold",
            Start::Warm => "warm",
        }
    }
}

/// One cell: one solver on one file at one tolerance from one start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The name of the problem.
    pub file: String,
    /// Its class.
    pub class: String,
    /// Contacts.
    pub contacts: usize,
    /// Rows a contact.
    pub dimension: usize,
    /// `local` or `global`.
    pub form: String,
    /// A checksum of the file, so that a changed file is solved again.
    pub checksum: String,
    /// The solver as given; a peer's begins with its name and a colon.
    pub solver: String,
    /// The tolerance that the certificate is held against.
    pub tol: f64,
    /// The start.
    pub start: Start,
    /// How it ended.
    pub verdict: Verdict,
    /// CPU seconds of the fastest repetition, assembly and factorisation included.
    pub seconds: Option<f64>,
    /// CPU seconds of the median repetition.
    pub median_seconds: Option<f64>,
    /// The part of `seconds` before the first iteration: factoring M, building the operator.
    pub setup_seconds: Option<f64>,
    /// Repetitions.
    pub repeats: usize,
    /// Iterations as the solver counts them.
    pub iterations: Option<u64>,
    /// The error in the measure of this bench, recomputed from r by our certificate.
    pub error: Option<f64>,
    /// The error in the measure `scaled`.
    pub scaled: Option<f64>,
    /// The error in the measure `fclib`.
    pub fclib: Option<f64>,
    /// The error in the measure `siconos`.
    pub siconos: Option<f64>,
    /// The tolerance that the solver was asked for; a peer that stops early is asked for less.
    pub asked: f64,
    /// What the solver said of itself.
    pub note: String,
}

/// What makes a cell the same cell.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    file: String,
    checksum: String,
    solver: String,
    tol: u64,
    start: Start,
}

impl Key {
    /// The key of a cell that is still to be run.
    pub fn new(file: &str, checksum: &str, solver: &str, tol: f64, start: Start) -> Self {
        Self { file: file.into(), checksum: checksum.into(), solver: solver.into(), tol: tol.to_bits(), start }
    }
}

impl Record {
    /// The key of this row.
    pub fn key(&self) -> Key {
        Key::new(&self.file, &self.checksum, &self.solver, self.tol, self.start)
    }

    /// Whether it counts as solved.
    pub fn solved(&self) -> bool {
        self.verdict == Verdict::Solved
    }

    /// The time of a solved cell, never zero, so that ratios exist; none for a failure.
    pub fn time(&self) -> Option<f64> {
        self.seconds.filter(|_| self.solved()).map(|t| t.max(1e-9))
    }
}

impl Row for Record {
    type Key = Key;
    const HEADER: &'static [&'static str] = &HEADER;
    const OF: &'static str = "a bench";

    fn key(&self) -> Key {
        Record::key(self)
    }
}

/// The file of results.
pub type Results = Appended<Record>;

const HEADER: [&str; 21] = [
    "file",
    "class",
    "contacts",
    "dimension",
    "form",
    "checksum",
    "solver",
    "tol",
    "start",
    "verdict",
    "seconds",
    "median_seconds",
    "setup_seconds",
    "repeats",
    "iterations",
    "error",
    "scaled",
    "fclib",
    "siconos",
    "asked",
    "note",
];

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A row for tests.
    pub fn row(file: &str, contacts: usize, solver: &str, tol: f64, seconds: Option<f64>) -> Record {
        Record {
            file: file.into(),
            class: file.trim_end_matches(|c: char| c.is_ascii_digit()).into(),
            contacts,
            dimension: 3,
            form: "local".into(),
            checksum: "0".into(),
            solver: solver.into(),
            tol,
            start: Start::Cold,
            verdict: if seconds.is_some() { Verdict::Solved } else { Verdict::Timeout },
            seconds,
            median_seconds: seconds,
            setup_seconds: None,
            repeats: 1,
            iterations: Some(3),
            error: Some(0.5 * tol),
            scaled: None,
            fclib: None,
            siconos: None,
            asked: tol,
            note: String::new(),
        }
    }

    #[test]
    fn rows_come_back_as_they_went_however_odd_their_words() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.csv");
        let mut odd = row("a,\"b\" c", 3, "nsgs{omega=1.2,order=\"symmetric\"}", 1e-4, Some(0.1 + 0.2));
        odd.note = "it said: \"no, never\"".into();
        let failed = row("d", 4, "auto", 1e-8, None);
        let mut results = Results::open(&path).unwrap();
        results.append(odd.clone()).unwrap();
        results.append(failed.clone()).unwrap();
        assert_eq!(Results::open(&path).unwrap().rows, [odd, failed]);
    }

    #[test]
    fn a_torn_last_line_is_dropped_and_the_rest_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.csv");
        let rows: Vec<Record> = (0..3).map(|k| row(&format!("p{k}"), 5, "auto", 1e-4, Some(0.25))).collect();
        let mut results = Results::open(&path).unwrap();
        rows.iter().for_each(|r| results.append(r.clone()).unwrap());
        drop(results);
        let whole = std::fs::read(&path).unwrap();
        let ends: Vec<usize> = whole.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(k, _)| k + 1).collect();
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut results = Results::open(&path).unwrap();
            let kept = ends.iter().filter(|e| **e <= cut).count().saturating_sub(1);
            assert_eq!(results.rows, rows[..kept], "cut at byte {cut}");
            rows[kept..].iter().for_each(|r| results.append(r.clone()).unwrap());
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at byte {cut}");
        }
    }

    #[test]
    fn doubled_rows_count_once_and_foreign_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results.csv");
        let mut results = Results::open(&path).unwrap();
        results.append(row("p1", 5, "auto", 1e-4, Some(0.25))).unwrap();
        results.append(row("p1", 5, "auto", 1e-4, Some(0.5))).unwrap();
        results.append(row("p1", 5, "auto", 1e-8, Some(0.5))).unwrap();
        let rows = Results::open(&path).unwrap().rows;
        assert_eq!(rows.iter().map(|r| r.seconds.unwrap()).collect::<Vec<_>>(), [0.25, 0.5]);
        std::fs::write(&path, "a,b\n1,2\n").unwrap();
        assert!(format!("{:#}", Results::open(&path).err().unwrap()).contains("--out"));
    }
}
