//! Runs the scenes of an experiment one after the other; what was done before is not done again.

use super::experiment::Job;
use crate::appended::{Appended, Row};
use crate::bench::case::fnv1a;
use crate::interrupt;
use crate::run_bar::{RunBar, Watcher};
use anyhow::{Context, Result};
use cpu_time::ThreadTime;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Instant;
use stickslip::io::results::{Frame, Reader};
use stickslip::io::run::{Files, Run, Summary};
use stickslip::io::scene::Scene;

/// One scene to be run.
pub struct Case {
    /// Its name on the page and of its files.
    pub label: String,
    /// The scene file.
    pub scene: String,
    /// How often it is run; the fastest counts. Runs of more than one repetition are not resumed midway.
    pub repeat: usize,
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// The name of the case.
    pub case: String,
    /// A checksum of its scene, so that a changed one is run again.
    pub scene: String,
    /// Steps.
    pub steps: u64,
    /// Iterations of the solver in all of them.
    pub iterations: u64,
    /// Most contacts of a step.
    pub contacts: usize,
    /// Steps that were not certified.
    pub uncertified: u64,
    /// The largest error of a step.
    pub error: f64,
    /// The deepest overlap (m).
    pub penetration: f64,
    /// CPU seconds of all steps: wall seconds of their parts, times the share of the core that the run had.
    pub seconds: f64,
    /// CPU seconds of the solver, likewise.
    pub contact_seconds: f64,
}

impl Row for Figures {
    type Key = (String, String);
    const HEADER: &'static [&'static str] = &[
        "case",
        "scene",
        "steps",
        "iterations",
        "contacts",
        "uncertified",
        "error",
        "penetration",
        "seconds",
        "contact_seconds",
    ];
    const OF: &'static str = "an experiment";

    fn key(&self) -> Self::Key {
        (self.case.clone(), self.scene.clone())
    }
}

/// A finished run.
pub struct Ran {
    /// Its figures.
    pub figures: Figures,
    /// Its files.
    pub files: Files,
}

impl Ran {
    /// Iterations a step.
    pub fn iterations(&self) -> f64 {
        self.figures.iterations as f64 / self.figures.steps.max(1) as f64
    }

    /// Its frames.
    pub fn frames(&self) -> Result<Reader> {
        Ok(Reader::open(&self.files.results)?)
    }

    /// Its last frame.
    pub fn last(&self) -> Result<Frame> {
        let frames = self.frames()?;
        Ok(frames.frame(frames.frames().saturating_sub(1))?)
    }
}

impl Job {
    /// Runs the cases that have no row yet; nothing when the user interrupted them.
    pub fn simulate(&self, cases: Vec<Case>) -> Result<Option<Vec<Ran>>> {
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make the folder {}", self.folder.display()))?;
        let mut rows = Appended::<Figures>::open(&self.folder.join("runs.csv"))?;
        let mut done = Vec::with_capacity(cases.len());
        for case in cases {
            let base = self.folder.join(&case.label);
            let files = Files::named(&base);
            let checksum = format!("{:016x}", fnv1a(case.scene.as_bytes()));
            let known = rows.rows.iter().find(|r| r.case == case.label && r.scene == checksum).cloned();
            let figures = match known.filter(|_| holds(&files, &case.scene)) {
                Some(figures) => figures,
                None => {
                    let path = base.with_file_name(format!("{}.toml", case.label));
                    std::fs::write(&path, &case.scene).with_context(|| format!("cannot write {}", path.display()))?;
                    let Some(figures) = self.fastest(&case, &files, &checksum)? else { return Ok(None) };
                    rows.append(figures.clone())?;
                    figures
                }
            };
            done.push(Ran { figures, files });
        }
        Ok(Some(done))
    }

    fn fastest(&self, case: &Case, files: &Files, checksum: &str) -> Result<Option<Figures>> {
        let mut best: Option<Figures> = None;
        for k in 0..case.repeat.max(1) {
            let scene = Scene::from_text(&case.scene).with_context(|| format!("the scene of {}", case.label))?;
            // a checkpoint of another scene, or of another repetition, is none
            let resumed = if case.repeat > 1 || k > 0 { None } else { Run::resume(scene.clone(), files.clone()).ok() };
            let run = resumed.map_or_else(|| Run::start(scene, files.clone()), Ok)?;
            let Some((summary, share)) = self.drive(run, &case.label)? else { return Ok(None) };
            let figures = figures(&case.label, checksum, &summary, share);
            let (seconds, contact) =
                best.as_ref().map_or((f64::INFINITY, f64::INFINITY), |b| (b.seconds, b.contact_seconds));
            best = Some(Figures {
                seconds: figures.seconds.min(seconds),
                contact_seconds: figures.contact_seconds.min(contact),
                ..figures
            });
        }
        Ok(best)
    }

    /// To the end; the account, and the share of a core that the steps had.
    fn drive(&self, mut run: Run, label: &str) -> Result<Option<(Summary, f64)>> {
        let steps = run.scene().steps;
        let mut bar = RunBar::new(
            &format!("{} {label}", self.name),
            run.simulation().steps(),
            steps,
            Watcher::person(self.quiet),
        );
        let (cpu, wall) = (ThreadTime::now(), Instant::now());
        while !run.is_done() && !interrupt::asked() {
            bar.show(&run.step()?);
        }
        let share = (cpu.elapsed().as_secs_f64() / wall.elapsed().as_secs_f64().max(1e-9)).clamp(0.0, 1.0);
        bar.finish();
        if !run.is_done() {
            run.pause()?;
            return Ok(None);
        }
        Ok(Some((run.finish()?, share)))
    }
}

/// Whether the frames of a case are there to the last, and of this very scene.
fn holds(files: &Files, scene: &str) -> bool {
    Reader::open(&files.results).is_ok_and(|r| r.finished() && r.info().scene == scene)
}

fn figures(label: &str, checksum: &str, s: &Summary, share: f64) -> Figures {
    Figures {
        case: label.into(),
        scene: checksum.into(),
        steps: s.steps,
        iterations: s.iterations,
        contacts: s.most_contacts,
        uncertified: s.uncertified,
        error: s.largest_error,
        penetration: s.penetration,
        seconds: share * s.seconds.iter().sum::<f64>(),
        contact_seconds: share * s.seconds[3],
    }
}

/// Columns of the ledger of a run by name, row by row.
pub fn ledger<const N: usize>(path: &Path, columns: [&str; N]) -> Result<Vec<[f64; N]>> {
    let mut reader = csv::Reader::from_path(path).with_context(|| format!("cannot read {}", path.display()))?;
    let header = reader.headers()?.clone();
    let place = columns.map(|c| header.iter().position(|h| h == c).unwrap_or(usize::MAX));
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        rows.push(place.map(|k| record.get(k).and_then(|x| x.parse().ok()).unwrap_or(f64::NAN)));
    }
    Ok(rows)
}
