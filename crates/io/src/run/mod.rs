//! A scene run to its end: frames, ledger and checkpoints written on the way.
//!
//! ```
//! use stickslip_io::run::{Files, Run};
//! use stickslip_io::results::Reader;
//! use stickslip_io::scene::Scene;
//!
//! let scene = Scene::from_text(
//!     r#"
//!     dimension = 2
//!     time = { h = "1 ms", end = "0.1 s" }
//!     body = [
//!         { shape = "half_plane", fixed = true },
//!         { shape.disc.radius = "5 cm", at = [0, "6 cm"] },
//!     ]
//!     "#,
//! )?;
//! let folder = tempfile::tempdir()?;
//! let files = Files::named(&folder.path().join("ball"));
//! let mut run = Run::start(scene, files.clone())?;
//! while !run.is_done() {
//!     let report = run.step()?;
//!     assert!(report.certified);
//! }
//! let summary = run.finish()?;
//! assert_eq!(summary.steps, 100);
//! let results = Reader::open(&files.results)?;
//! let last = results.frame(results.frames() - 1)?;
//! assert!((last.x[1][1] - 0.05).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod files;
mod ledger;
mod simulation;
mod summary;

pub use files::Files;
pub use simulation::{Simulation, run_info};
pub use summary::Summary;

use crate::checkpoint::Checkpoint;
use crate::error::IoError;
use crate::results::{Frame, Writer};
use crate::scene::{Scene, SceneError};
use ledger::LedgerFile;
use std::path::Path;
use std::time::{Duration, Instant};
use stickslip_dynamics::StepReport;

/// Seconds of computing between checkpoints, when the scene does not give a number of steps.
const BETWEEN: Duration = Duration::from_secs(10);

/// What can go wrong with a run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scene cannot be used.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] IoError),
}

/// A run on its way.
pub struct Run {
    scene: Scene,
    simulation: Simulation,
    files: Files,
    writer: Writer,
    ledger: LedgerFile,
    summary: Summary,
    frame: Frame,
    saved: Saved,
}

/// When the last checkpoint was written.
struct Saved {
    step: u64,
    t: f64,
    at: Instant,
}

impl Run {
    /// Begins at time zero; files of an earlier run of this name are replaced.
    pub fn start(scene: Scene, files: Files) -> Result<Self, RunError> {
        let simulation = Simulation::new(&scene)?;
        Checkpoint::remove(&files.checkpoint)?;
        let writer = Writer::create(&files.results, &run_info(&scene))?;
        let ledger = LedgerFile::create(&files.ledger)?;
        let saved = Saved { step: 0, t: 0.0, at: Instant::now() };
        let (summary, frame) = (Summary::default(), Frame::default());
        let mut run = Self { scene, simulation, files, writer, ledger, summary, frame, saved };
        run.write_frame()?;
        run.checkpoint()?;
        Ok(run)
    }

    /// Goes on from the last checkpoint; the scene must be the one the run was started with, but may end later.
    pub fn resume(scene: Scene, files: Files) -> Result<Self, RunError> {
        let checkpoint = Checkpoint::read(&files.checkpoint)?;
        checkpoint.check_scene(&scene, &files.checkpoint)?;
        let mut simulation = Simulation::new(&scene)?;
        checkpoint.restore(&mut simulation, &files.checkpoint)?;
        let writer = Writer::reopen(&files.results, checkpoint.frames)?;
        let ledger = LedgerFile::reopen(&files.ledger, checkpoint.ledger_bytes)?;
        let saved = Saved { step: simulation.steps(), t: simulation.time(), at: Instant::now() };
        let (summary, frame) = (checkpoint.summary, Frame::default());
        Ok(Self { scene, simulation, files, writer, ledger, summary, frame, saved })
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The world in motion.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The account so far.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The files that are written.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Time of the last checkpoint (s).
    pub fn checkpoint_time(&self) -> f64 {
        self.saved.t
    }

    /// Whether the last step was taken, or a failed step ended the run.
    pub fn is_done(&self) -> bool {
        self.simulation.steps() >= self.scene.steps || self.simulation.is_stopped()
    }

    /// Takes a step and writes what is due.
    pub fn step(&mut self) -> Result<StepReport, IoError> {
        let report = self.simulation.step();
        self.summary.add(&report, self.simulation.is_stopped());
        let step = self.simulation.steps();
        if step.is_multiple_of(self.scene.output.ledger) || self.is_done() {
            self.ledger.append(&report)?;
        }
        if step.is_multiple_of(self.scene.output.every) || self.is_done() {
            self.write_frame()?;
        }
        let due = match self.scene.output.checkpoint {
            Some(steps) => step >= self.saved.step + steps,
            None => self.saved.at.elapsed() >= BETWEEN,
        };
        if due {
            self.checkpoint()?;
        }
        Ok(report)
    }

    /// Writes the contact problem of the last step as an FCLIB file; says whether there was one.
    pub fn dump(&self, path: &Path) -> Result<bool, IoError> {
        match self.simulation.dump() {
            Some(file) => file?.write(path).map(|()| true),
            None => Ok(false),
        }
    }

    /// Writes a checkpoint: from here the run can go on after anything.
    pub fn checkpoint(&mut self) -> Result<(), IoError> {
        // what the checkpoint counts on must be on the disk first
        self.writer.sync()?;
        self.ledger.sync()?;
        let checkpoint =
            Checkpoint::of(&self.scene, &self.simulation, self.writer.frames(), self.ledger.bytes(), &self.summary);
        checkpoint.write(&self.files.checkpoint)?;
        self.saved = Saved { step: self.simulation.steps(), t: self.simulation.time(), at: Instant::now() };
        Ok(())
    }

    /// Writes a checkpoint and closes all files, to go on later.
    pub fn pause(mut self) -> Result<Summary, IoError> {
        self.checkpoint()?;
        self.writer.pause()?;
        Ok(self.summary)
    }

    /// Completes all files. The checkpoint stays, so that the run can be prolonged.
    pub fn finish(mut self) -> Result<Summary, IoError> {
        self.checkpoint()?;
        self.writer.finish()?;
        Ok(self.summary)
    }

    fn write_frame(&mut self) -> Result<(), IoError> {
        self.simulation.frame(self.scene.output.contacts, &mut self.frame);
        self.writer.append(&self.frame)
    }
}
