//! `stickslip run`.

use crate::run_bar::{RunBar, Watcher};
use crate::{Outcome, interrupt};
use anyhow::{Context, Result, anyhow, bail};
use std::path::{Path, PathBuf};
use std::time::Instant;
use stickslip::dynamics::StepReport;
use stickslip::io::checkpoint::Checkpoint;
use stickslip::io::results::Reader;
use stickslip::io::run::{Files, Run, Summary};
use stickslip::io::scene::Scene;

/// Simulate a scene.
#[derive(clap::Args)]
pub struct Arguments {
    /// The scene, a TOML file
    scene: PathBuf,
    /// A folder to write into (existing, or with a slash at its end), or the beginning of the names of the files
    #[arg(long)]
    out: Option<PathBuf>,
    /// Take so many steps, whatever the scene says
    #[arg(long, conflicts_with = "until")]
    steps: Option<u64>,
    /// Simulate up to this time in seconds, whatever the scene says
    #[arg(long)]
    until: Option<f64>,
    /// Go on from the last checkpoint
    #[arg(long)]
    resume: bool,
    /// Start anew where an interrupted run could go on
    #[arg(long, conflicts_with = "resume")]
    fresh: bool,
    /// Neither a progress bar nor a summary
    #[arg(long)]
    quiet: bool,
    /// The summary as one JSON object on stdout, and while it runs a line of JSON a second on stderr
    #[arg(long)]
    json: bool,
    /// Write the contact problem of every step that is not certified into this folder, as FCLIB
    #[arg(long, value_name = "DIR")]
    dump_hard: Option<PathBuf>,
    /// Write the contact problems of these steps too, such as 1,10,100-105
    #[arg(long, value_name = "LIST")]
    dump_steps: Option<String>,
    /// Show the run in a browser while it goes on: a page on 127.0.0.1, for this machine only
    #[arg(long)]
    live: bool,
    /// The port of --live; a free one when left out
    #[arg(long, requires = "live", default_value_t = 0)]
    port: u16,
}

/// Runs the scene to its end, to an interruption or to an error; in the last two cases it can be resumed.
pub fn run(a: Arguments) -> Result<Outcome> {
    let mut scene = Scene::read(&a.scene)?;
    how_far(&a, &mut scene)?;
    let dumps = Dumps::new(&a, &scene)?;
    let files = files(&a)?;
    // before the first file is written: from then on an interruption must leave a checkpoint
    interrupt::listen();
    let run = if a.resume { Run::resume(scene, files)? } else { fresh(scene, files, &a)? };
    if a.live {
        let address = stickslip::view::live::serve(&run.files().results, a.port)?;
        eprintln!("watch it at http://{address}/ (from this machine only)");
    }
    drive(run, &a, &dumps)
}

/// Takes in --steps and --until, and says where the last step ends if that is not where it should.
fn how_far(a: &Arguments, scene: &mut Scene) -> Result<()> {
    if let Some(steps) = a.steps {
        if steps == 0 {
            bail!("--steps 0: give at least 1");
        }
        scene.end = steps as f64 * scene.h();
        scene.steps_until(scene.end).map_err(|e| anyhow!("--steps {steps}: {e}"))?;
        scene.steps = steps;
    }
    if let Some(t) = a.until {
        scene.steps = scene.steps_until(t).map_err(|e| anyhow!("--until {t}: {e}"))?;
        scene.end = t;
    }
    if let Some(what) = scene.unmet_end().filter(|_| !a.quiet) {
        eprintln!("note: {what}");
    }
    Ok(())
}

/// Where to write: the name of the scene in the current folder, unless told otherwise.
fn files(a: &Arguments) -> Result<Files> {
    let stem = a.scene.file_stem().unwrap_or("scene".as_ref());
    let base = match &a.out {
        None => PathBuf::from(stem),
        Some(out) if out.is_dir() || out.as_os_str().to_string_lossy().ends_with('/') => out.join(stem),
        Some(out) => out.clone(),
    };
    if let Some(folder) = base.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    Ok(Files::named(&base))
}

/// A new run, unless one of this name waits to be resumed.
fn fresh(scene: Scene, files: Files, a: &Arguments) -> Result<Run> {
    let earlier = Reader::open(&files.results).ok();
    if !a.fresh
        && let Ok(waiting) = Checkpoint::read(&files.checkpoint)
        && waiting.summary.steps > 0
        && earlier.as_ref().is_some_and(|r| !r.finished())
    {
        bail!(
            "{} holds a run that was interrupted at t = {} s; go on with --resume, or start anew with --fresh",
            files.checkpoint.display(),
            waiting.summary.t
        );
    }
    let replaced = earlier.filter(|_| !a.quiet).map(|r| r.time(r.frames().saturating_sub(1)).unwrap_or_default());
    if let Some(t) = replaced {
        let name = files.results.display();
        eprintln!("note: {name} of an earlier run (to t = {} s) is replaced; --out writes elsewhere", short(t));
    }
    Ok(Run::start(scene, files)?)
}

fn drive(mut run: Run, a: &Arguments, dumps: &Dumps) -> Result<Outcome> {
    let (began, first) = (Instant::now(), run.simulation().steps());
    run.keep_failures(dumps.hard);
    let watcher = match (a.quiet, a.json) {
        (true, _) => Watcher::Nobody,
        (false, true) => Watcher::Program,
        (false, false) => Watcher::Person,
    };
    let mut bar = RunBar::new(&run.scene().name, first, run.scene().steps, watcher);
    if let Some(note) = run.summary().note_on_long_step() {
        bar.note(&note);
    }
    while !run.is_done() && !interrupt::asked() {
        let stepped = run.step().and_then(|report| {
            dumps.after(&run, &report)?;
            bar.show(&report);
            if let Some((step, alarm)) = run.summary().alarm.filter(|(step, _)| *step == report.step) {
                bar.note(&format!("step {step}: {alarm}"));
            }
            Ok(())
        });
        if let Err(e) = stepped {
            bar.finish();
            let t = run.checkpoint_time();
            return Err(e).with_context(|| {
                format!("the run stopped; its checkpoint at t = {t} s is intact: mend this, then go on with --resume")
            });
        }
    }
    bar.finish();
    let (done, files, name) = (run.is_done(), run.files().clone(), run.scene().name.clone());
    let t = run.checkpoint_time();
    let closed = if done { run.finish() } else { run.pause() };
    let summary = closed.with_context(|| format!("the run is over, but its checkpoint is that of t = {t} s"))?;
    let told = Told { name, files, summary, done, seconds: began.elapsed().as_secs_f64(), first };
    if a.json {
        crate::say!("{}", told.json());
    } else if !a.quiet {
        crate::say!("{}", told.text());
    }
    Ok(match (done, told.summary.uncertified) {
        (false, _) => Outcome::Interrupted,
        (true, 0) => Outcome::Done,
        (true, _) => Outcome::NotConverged,
    })
}

/// Which contact problems are written, and where.
struct Dumps {
    folder: PathBuf,
    hard: bool,
    /// Ranges of steps, ends included.
    steps: Vec<(u64, u64)>,
    name: String,
}

impl Dumps {
    fn new(a: &Arguments, scene: &Scene) -> Result<Self> {
        let steps = a.dump_steps.as_deref().map_or(Ok(Vec::new()), ranges)?;
        let folder = a.dump_hard.clone().unwrap_or_else(|| "dumps".into());
        if a.dump_hard.is_some() || !steps.is_empty() {
            std::fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let name = a.scene.file_stem().map_or(scene.name.clone(), |s| s.to_string_lossy().into_owned());
        Ok(Self { folder, hard: a.dump_hard.is_some(), steps, name })
    }

    fn after(&self, run: &Run, report: &StepReport) -> Result<(), stickslip::io::IoError> {
        let step = report.step;
        let wanted = self.steps.iter().any(|&(low, high)| (low..=high).contains(&step));
        let base = self.folder.join(format!("{}-step-{step:06}", self.name));
        if wanted {
            run.dump(&self.folder.join(format!("{}-step-{step:06}.hdf5", self.name)))?;
        }
        run.dump_failures(&base).map(drop)
    }
}

/// Reads `1,10,100-105`.
fn ranges(text: &str) -> Result<Vec<(u64, u64)>> {
    let number = |s: &str| s.trim().parse::<u64>().with_context(|| format!("--dump-steps {text}: '{s}' is no step"));
    text.split(',')
        .map(|part| match part.split_once('-') {
            Some((low, high)) => Ok((number(low)?, number(high)?)),
            None => number(part).map(|k| (k, k)),
        })
        .collect()
}

/// What is told at the end.
struct Told {
    name: String,
    files: Files,
    summary: Summary,
    done: bool,
    seconds: f64,
    first: u64,
}

impl Told {
    fn json(&self) -> serde_json::Value {
        let path = |p: &Path| p.display().to_string();
        serde_json::json!({
            "name": self.name,
            "finished": self.done,
            "summary": self.summary,
            "relative_closure": self.summary.relative_closure(),
            "seconds": self.seconds,
            "results": path(&self.files.results),
            "ledger": path(&self.files.ledger),
            "checkpoint": path(&self.files.checkpoint),
        })
    }

    fn text(&self) -> String {
        let s = &self.summary;
        let state = if s.stopped {
            "stopped"
        } else if self.done {
            "finished"
        } else {
            "interrupted"
        };
        let rate = (s.steps - self.first) as f64 / self.seconds.max(1e-9);
        let mut lines = vec![
            format!("{}: {state} at t = {} s after {} steps ({rate:.0} steps/s)", self.name, short(s.t), s.steps),
            format!("  {}", s.verdict()),
            format!("  overlap       at most {:.2e} m, at t = {} s", s.penetration, short(s.penetration_time)),
            format!("  energy        kinetic {:.4e} J, potential {:.4e} J", s.ledger.kinetic, s.ledger.potential),
            format!(
                "                lost to friction {:.3e} J, impacts {:.3e} J, rolling {:.3e} J, the scheme {:.3e} J",
                s.ledger.friction, s.ledger.impact, s.ledger.rolling, s.ledger.scheme
            ),
            format!("                the sum closes to {:.1e} of the energy turned over", s.relative_closure()),
            format!(
                "  contacts      {} at the end, {} at most; {} iterations in all",
                s.contacts, s.most_contacts, s.iterations
            ),
            format!("  time          {}", split(&s.seconds)),
            format!("  written       {}, {}", self.files.results.display(), self.files.ledger.display()),
        ];
        lines.extend(s.notes().into_iter().map(|note| format!("  note          {note}")));
        if !self.done {
            lines.push(format!("  go on with    --resume (checkpoint: {})", self.files.checkpoint.display()));
        }
        lines.join("\n")
    }
}

/// A time without the digits that rounding left behind.
fn short(t: f64) -> String {
    format!("{t:.9}").trim_end_matches('0').trim_end_matches('.').to_string()
}

fn split(seconds: &[f64; 5]) -> String {
    let total = seconds.iter().sum::<f64>().max(1e-12);
    let names = ["free motion", "detection", "assembly", "solver", "advance"];
    names.iter().zip(seconds).map(|(n, s)| format!("{n} {:.0}%", 100.0 * s / total)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn ranges_of_steps() {
        assert_eq!(super::ranges("1,10, 100-105").unwrap(), [(1, 1), (10, 10), (100, 105)]);
        assert!(super::ranges("1,x").is_err());
    }
}
