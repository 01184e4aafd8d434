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
mod lock;
mod simulation;
mod summary;

pub use files::Files;
pub use simulation::{Simulation, run_info};
pub use summary::Summary;

use crate::checkpoint::{Checkpoint, Written};
use crate::error::IoError;
use crate::results::{Frame, Writer};
use crate::scene::{Scene, SceneError};
use ledger::LedgerFile;
use lock::Lock;
use std::path::{Path, PathBuf};
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
    /// What is written whether the run ends here or goes on.
    regular: Written,
    _lock: Lock,
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
        let lock = Lock::take(&files.lock)?;
        Checkpoint::remove(&files.checkpoint)?;
        let writer = Writer::create(&files.results, &run_info(&scene))?;
        let ledger = LedgerFile::create(&files.ledger)?;
        let saved = Saved { step: 0, t: 0.0, at: Instant::now() };
        let summary = Summary { long_step: long_step(&scene, &simulation), ..Summary::default() };
        let (frame, regular) = (Frame::default(), Written::default());
        let mut run = Self { scene, simulation, files, writer, ledger, summary, frame, saved, regular, _lock: lock };
        run.write_frame()?;
        run.regular = run.written();
        run.checkpoint()?;
        Ok(run)
    }

    /// Goes on from the last checkpoint; the scene must be the one the run was started with, but may end later.
    pub fn resume(scene: Scene, files: Files) -> Result<Self, RunError> {
        let lock = Lock::take(&files.lock)?;
        let checkpoint = Checkpoint::read(&files.checkpoint)?;
        checkpoint.check_scene(&scene, &files.checkpoint)?;
        let mut simulation = Simulation::new(&scene)?;
        checkpoint.restore(&mut simulation, &files.checkpoint)?;
        for file in [&files.results, &files.ledger] {
            require(file)?;
        }
        // what was written for the end alone goes when there is more to come
        let goes_on = simulation.steps() < scene.steps && !simulation.is_stopped();
        let kept = if goes_on { checkpoint.regular } else { checkpoint.written };
        let writer = Writer::reopen(&files.results, kept.frames)?;
        let ledger = LedgerFile::reopen(&files.ledger, kept.ledger_bytes)?;
        let saved = Saved { step: simulation.steps(), t: simulation.time(), at: Instant::now() };
        let (summary, frame, regular) = (checkpoint.summary, Frame::default(), checkpoint.regular);
        Ok(Self { scene, simulation, files, writer, ledger, summary, frame, saved, regular, _lock: lock })
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
    ///
    /// A step after which a body would have no finite place, velocity or energy is undone, and an error.
    pub fn step(&mut self) -> Result<StepReport, IoError> {
        let report = self.simulation.step();
        self.check_lost()?;
        let stopped = self.simulation.is_stopped();
        self.summary.add(&report, stopped);
        let step = self.simulation.steps();
        let (line, frame) = (self.scene.output.ledger, self.scene.output.every);
        let (line, frame) = (step.is_multiple_of(line), step.is_multiple_of(frame));
        if line || self.is_done() {
            self.ledger.append(&report)?;
        }
        // after a step that was undone the world is where it was
        if (frame && !stopped) || (!frame && self.is_done()) {
            self.write_frame()?;
        }
        if line && !stopped {
            self.regular.ledger_bytes = self.ledger.bytes();
        }
        if frame {
            self.regular.frames = self.writer.frames();
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

    /// Keeps the contact problems that do not certify, for [`dump_failures`](Self::dump_failures).
    pub fn keep_failures(&mut self, keep: bool) {
        self.simulation.keep_failures(keep);
    }

    /// Writes the contact problems of the last step that did not certify, as FCLIB files whose names begin with `base`:
    /// that of the whole step, and those of its parts where it was halved, `-2of4` for the second quarter.
    pub fn dump_failures(&self, base: &Path) -> Result<Vec<PathBuf>, IoError> {
        let mut files = Vec::new();
        for failure in self.simulation.failures() {
            let mut name = base.as_os_str().to_owned();
            if failure.parts > 1 {
                name.push(format!("-{}of{}", failure.part + 1, failure.parts));
            }
            name.push(".hdf5");
            let path = PathBuf::from(name);
            simulation::fclib(&failure.problem)?.write(&path)?;
            files.push(path);
        }
        Ok(files)
    }

    /// Writes a checkpoint: from here the run can go on after anything.
    pub fn checkpoint(&mut self) -> Result<(), IoError> {
        // a state without finite numbers must not replace a good one
        self.check_lost()?;
        // what the checkpoint counts on must be on the disk first
        self.writer.sync()?;
        self.ledger.sync()?;
        let counts = [self.written(), self.regular];
        let checkpoint = Checkpoint::of(&self.scene, &self.simulation, counts, &self.summary);
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

    fn written(&self) -> Written {
        Written { frames: self.writer.frames(), ledger_bytes: self.ledger.bytes() }
    }

    /// Says which body a step would have left without finite numbers, and what to do.
    fn check_lost(&self) -> Result<(), IoError> {
        let Some(body) = self.simulation.lost() else { return Ok(()) };
        let place = format!("step {} (from t = {} s)", self.simulation.steps() + 1, self.simulation.time());
        let what = format!("place, velocity or energy of body {} would no longer be a finite number", body.0);
        Err(IoError::content(place, what, "look at its velocity, at forces and gravity, and take a smaller step"))
    }

    fn write_frame(&mut self) -> Result<(), IoError> {
        self.simulation.frame(self.scene.output.contacts, &mut self.frame);
        self.writer.append(&self.frame)
    }
}

/// Refuses to go on without a file that the checkpoint counts on.
fn require(file: &Path) -> Result<(), IoError> {
    if file.exists() {
        return Ok(());
    }
    let remedy = "put the file back beside the checkpoint, or start the run again without --resume";
    Err(IoError::content("run", "the file is not there, and the checkpoint goes on behind it", remedy).at(file))
}

/// The step and the longest one that soft contacts allow, when the former is longer.
fn long_step(scene: &Scene, simulation: &Simulation) -> Option<(f64, f64)> {
    let longest = simulation.longest_soft_step()?;
    (scene.h() > longest).then_some((scene.h(), longest))
}
