//! Runs the cells of the grid that have no row yet.

use super::case::{Case, Listed};
use super::clock::{Repetition, smallest_and_median};
use super::grid::{Grid, Method};
use super::peer::handover::{Handover, Kind};
use super::peer::{self, PeerSolver, Request};
use super::record::{Key, Record, Results, Start, Verdict};
use super::serve::{Job, Perturbation};
use super::worker::{Ending, Worker};
use crate::interrupt;
use anyhow::{Context, Result, anyhow};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use stickslip::contact::solvers::SolverSpec;

/// The certificate holds up to this factor, for rounding between two programs; the same for all.
const SLACK: f64 = 1.0001;
/// How often a peer that stops too early is asked again, each time for a tenth of the tolerance.
const SECOND_CHANCES: i32 = 3;
/// The problem that a warm start is the answer to.
const PERTURBATION: Perturbation = Perturbation { size: 0.01, seed: 1 };
/// CPU seconds for a warm start; where they do not suffice the best iterate serves.
const WARM_LIMIT: f64 = 2.0;

/// A bench about to run.
pub struct Runner<'a> {
    /// What to run.
    pub grid: &'a Grid,
    /// On what.
    pub files: &'a [Listed],
    /// Files at a time.
    pub jobs: usize,
    /// The peer's Python.
    pub python: Option<PathBuf>,
    /// No progress bar.
    pub quiet: bool,
}

/// What all threads share.
struct Shared<'a> {
    results: Mutex<&'a mut Results>,
    done: HashSet<Key>,
    next: AtomicUsize,
    bar: ProgressBar,
    troubles: Mutex<Vec<String>>,
    folder: tempfile::TempDir,
}

/// The two workers of a thread.
struct Workers {
    ours: Worker,
    peer: Option<Worker>,
}

impl Runner<'_> {
    /// Runs what is missing; returns what could not even be tried.
    pub fn run(&self, results: &mut Results) -> Result<Vec<String>> {
        let done: HashSet<Key> = results.rows.iter().map(Record::key).collect();
        let missing: usize = self.files.iter().map(|f| self.missing(f, &done).len()).sum();
        let shared = Shared {
            results: Mutex::new(results),
            done,
            next: AtomicUsize::new(0),
            bar: bar(missing, self.quiet),
            troubles: Mutex::new(Vec::new()),
            folder: tempfile::tempdir().context("cannot make a temporary folder")?,
        };
        let outcome = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..self.jobs.clamp(1, 64)).map(|_| scope.spawn(|| self.work_through(&shared))).collect();
            threads
                .into_iter()
                .try_for_each(|t| t.join().unwrap_or_else(|_| Err(anyhow!("a thread of the bench died"))))
        });
        shared.bar.finish_and_clear();
        outcome?;
        Ok(shared.troubles.into_inner().unwrap_or_default())
    }

    /// Cells of the grid.
    pub fn cells(&self) -> usize {
        self.files.len() * self.grid.methods.len() * self.grid.tolerances.len() * self.grid.starts.len()
    }

    fn missing<'g>(&'g self, file: &Listed, done: &HashSet<Key>) -> Vec<(Start, &'g Method, f64)> {
        let mut cells = Vec::new();
        for start in &self.grid.starts {
            for method in &self.grid.methods {
                for tol in &self.grid.tolerances {
                    if !done.contains(&key(file, &method.label(), *tol, *start)) {
                        cells.push((*start, method, *tol));
                    }
                }
            }
        }
        cells
    }

    fn work_through(&self, shared: &Shared<'_>) -> Result<()> {
        let program = std::env::current_exe().context("cannot find this program to start it again")?;
        let mut workers = Workers {
            ours: Worker::new(move || {
                let mut command = Command::new(&program);
                command.arg("bench-worker");
                command
            }),
            peer: self.python.clone().map(|python| Worker::new(move || peer::command(&python))),
        };
        while !interrupt::asked() {
            let Some(file) = self.files.get(shared.next.fetch_add(1, Ordering::SeqCst)) else { break };
            let cells = self.missing(file, &shared.done);
            if cells.is_empty() {
                continue;
            }
            match Case::open(file) {
                Ok(case) => self.work_on(&case, &cells, &mut workers, shared)?,
                Err(e) => {
                    shared.bar.inc(cells.len() as u64);
                    shared.troubles.lock().map_err(poisoned)?.push(placed(&file.path, &e));
                }
            }
        }
        Ok(())
    }

    fn work_on(
        &self,
        case: &Case,
        cells: &[(Start, &Method, f64)],
        workers: &mut Workers,
        shared: &Shared<'_>,
    ) -> Result<()> {
        let mut table = Table { case, grid: self.grid, workers, handover: None, warm: HashMap::new() };
        let path = shared.folder.path().join(format!("{}.bin", case.listed.checksum));
        for (start, method, tol) in cells {
            if interrupt::asked() {
                break;
            }
            let label = method.label();
            shared.bar.set_message(format!("{} · {label} · {tol:e} · {}", case.listed.name, start.name()));
            let looser = {
                let results = shared.results.lock().map_err(poisoned)?;
                out_of_time_before(&results.rows, case, &label, *tol, *start)
            };
            let record = match looser {
                Some(looser) => table.record(&label, *tol, *start, Verdict::Timeout, looser),
                None => match table.run(method, *tol, *start, &path)? {
                    Some(record) => record,
                    None => break,
                },
            };
            shared.results.lock().map_err(poisoned)?.append(record)?;
            shared.bar.inc(1);
        }
        _ = std::fs::remove_file(path);
        Ok(())
    }
}

fn poisoned<T>(_: std::sync::PoisonError<T>) -> anyhow::Error {
    anyhow!("a thread of the bench died")
}

fn key(file: &Listed, label: &str, tol: f64, start: Start) -> Key {
    Key::new(&file.name, &file.checksum, label, tol, start)
}

/// A solver that timed out or crashed at a looser tolerance is not tried at a tighter one; says at which.
fn out_of_time_before(rows: &[Record], case: &Case, label: &str, tol: f64, start: Start) -> Option<String> {
    let at = rows.iter().find(|r| {
        r.tol > tol
            && matches!(r.verdict, Verdict::Timeout | Verdict::Crashed)
            && r.key() == key(&case.listed, label, r.tol, start)
    })?;
    Some(format!("not run: {:?} at {:e} already", at.verdict, at.tol).to_lowercase())
}

/// What went wrong, with the file that it went wrong in, once.
fn placed(path: &Path, error: &anyhow::Error) -> String {
    let (path, error) = (path.display().to_string(), format!("{error:#}"));
    if error.contains(&path) { error } else { format!("{path}: {error}") }
}

fn bar(cells: usize, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(5) };
    let bar = bar_on(target, cells);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn bar_on(target: ProgressDrawTarget, cells: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(cells as u64), target);
    let template = "{bar:30} {pos}/{len} cells, {eta} left  {wide_msg}";
    bar.set_style(ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar()));
    bar
}

/// The cells of one file.
struct Table<'a> {
    case: &'a Case,
    grid: &'a Grid,
    workers: &'a mut Workers,
    handover: Option<Handover>,
    /// Warm starts by the bits of the tolerance; none where there is no answer to start from.
    warm: HashMap<u64, Option<Vec<f64>>>,
}

impl Table<'_> {
    /// Runs one cell; none when the user interrupted it.
    fn run(&mut self, method: &Method, tol: f64, start: Start, path: &std::path::Path) -> Result<Option<Record>> {
        let label = method.label();
        let r = match start {
            Start::Cold => None,
            Start::Warm => match self.warm_start(tol)? {
                Some(r) => Some(r),
                None if interrupt::asked() => return Ok(None),
                None => {
                    let why = "no answer to the perturbed problem to start from".into();
                    return Ok(Some(self.record(&label, tol, start, Verdict::GaveUp, why)));
                }
            },
        };
        let record = match method {
            Method::Ours { spec, .. } => {
                let job = self.job(spec, tol, r, None);
                let ending = self.workers.ours.ask(&job)?;
                self.judge(&label, tol, tol, start, ending, 0.0)
            }
            Method::Peer(solver) => self.run_peer(solver, tol, start, r.as_deref(), path)?,
        };
        // Ctrl-C reaches the workers too: what it broke is not a result
        if record.verdict == Verdict::Crashed {
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(Some(record).filter(|_| !interrupt::asked()))
    }

    fn job(&self, spec: &SolverSpec, tol: f64, start: Option<Vec<f64>>, perturbation: Option<Perturbation>) -> Job {
        let s = &self.grid.settings;
        let (repetition, time_limit) = match perturbation {
            None => (s.repetition, s.time_limit),
            Some(_) => (Repetition { repeat: 1 }, s.time_limit.min(WARM_LIMIT)),
        };
        Job {
            file: self.case.listed.path.clone(),
            solver: spec.clone(),
            tolerance: tol,
            measure: s.measure,
            time_limit,
            repetition,
            start,
            perturbation,
        }
    }

    /// The same start for every solver: the perturbed problem solved by `auto` to the tolerance, outside of all clocks.
    fn warm_start(&mut self, tol: f64) -> Result<Option<Vec<f64>>> {
        if !self.warm.contains_key(&tol.to_bits()) {
            let job = self.job(&SolverSpec::default(), tol, None, Some(PERTURBATION));
            let r = match self.workers.ours.ask(&job)? {
                Ending::Answered(answer) => answer.r,
                _ => None,
            };
            self.warm.insert(tol.to_bits(), r);
        }
        Ok(self.warm[&tol.to_bits()].clone())
    }

    fn run_peer(
        &mut self,
        solver: &'static PeerSolver,
        tol: f64,
        start: Start,
        r: Option<&[f64]>,
        path: &std::path::Path,
    ) -> Result<Record> {
        let label = Method::Peer(solver).label();
        let s = &self.grid.settings;
        if self.handover.is_none() {
            let handover = self.case.handover(s.repetition)?;
            handover.write(path)?;
            self.handover = Some(handover);
        }
        let handover = self.handover.as_ref().context("no problem to hand over")?;
        let entry = match solver.entry(handover) {
            Ok(entry) => entry,
            Err(why) => return Ok(self.record(&label, tol, start, Verdict::Unsupported, why.into())),
        };
        // a reduced solver is charged with condensing, at our speed
        let charge = if entry.kind() == Kind::GlobalSpace { 0.0 } else { handover.condensing };
        let (repetition, time_limit) = (s.repetition, s.time_limit);
        let mut chance = 0;
        loop {
            let asked = tol * 0.1f64.powi(chance);
            let request = Request { problem: path, tolerance: asked, time_limit, repetition, start: r };
            let worker = self.workers.peer.as_mut().context("no Python for the peer")?;
            let ending = worker.ask(&solver.job(entry, request))?;
            let record = self.judge(&label, tol, asked, start, ending, charge);
            // its own stopping test is not ours: it may be asked for more
            if record.verdict != Verdict::Inexact || chance == SECOND_CHANCES || solver.relaxation {
                return Ok(record);
            }
            chance += 1;
        }
    }

    fn record(&self, label: &str, tol: f64, start: Start, verdict: Verdict, note: String) -> Record {
        let (listed, problem) = (&self.case.listed, &self.case.opened.problem);
        Record {
            file: listed.name.clone(),
            class: listed.class.clone(),
            contacts: problem.contacts(),
            dimension: problem.dimension(),
            form: if problem.is_global() { "global" } else { "local" }.into(),
            checksum: listed.checksum.clone(),
            solver: label.into(),
            tol,
            start,
            verdict,
            seconds: None,
            median_seconds: None,
            setup_seconds: None,
            repeats: 0,
            iterations: None,
            error: None,
            scaled: None,
            fclib: None,
            siconos: None,
            asked: tol,
            note: note.replace(['\n', '\r'], " "),
        }
    }

    /// Holds an answer against our certificate and the clock.
    fn judge(&self, label: &str, tol: f64, asked: f64, start: Start, ending: Ending, charge: f64) -> Record {
        let row = |verdict, note| Record { asked, ..self.record(label, tol, start, verdict, note) };
        let answer = match ending {
            Ending::Answered(answer) => answer,
            Ending::Timeout => return row(Verdict::Timeout, "ended at the time limit".into()),
            Ending::Crashed(why) => return row(Verdict::Crashed, why),
            Ending::Refused(why) => return row(Verdict::GaveUp, why),
        };
        let measure = self.grid.settings.measure;
        let certificate = answer.r.as_ref().and_then(|r| self.case.certify(r, measure));
        let times = smallest_and_median(&answer.seconds).map(|(a, b)| (a + charge, b + charge));
        let seconds = times.map_or(f64::INFINITY, |t| t.0);
        let holds = certificate.is_some_and(|c| c.holds(SLACK * tol));
        let verdict = if answer.unsupported {
            Verdict::Unsupported
        } else if seconds > self.grid.settings.time_limit {
            Verdict::Timeout
        } else if holds {
            Verdict::Solved
        } else if answer.claimed {
            Verdict::Inexact
        } else {
            Verdict::GaveUp
        };
        Record {
            seconds: times.map(|t| t.0),
            median_seconds: times.map(|t| t.1),
            setup_seconds: answer.setup.or((charge > 0.0).then_some(charge)),
            repeats: answer.seconds.len(),
            iterations: Some(answer.iterations),
            error: certificate.map(|c| c.error),
            scaled: certificate.map(|c| c.scaled),
            fclib: certificate.map(|c| c.fclib),
            siconos: certificate.map(|c| c.siconos),
            ..row(verdict, answer.note)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// A terminal of one hundred columns that remembers what was written.
    #[derive(Debug, Clone, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl indicatif::TermLike for Paper {
        fn width(&self) -> u16 {
            100
        }

        fn move_cursor_up(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> std::io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> std::io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> std::io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> std::io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_bar_counts_cells_and_tells_which_is_run() {
        let paper = Paper::default();
        let bar = bar_on(ProgressDrawTarget::term_like(Box::new(paper.clone())), 7);
        bar.set_message("wall-1 · nsgs · 1e-4 · cold");
        bar.inc(3);
        bar.tick();
        let drawn = paper.0.lock().unwrap().clone();
        assert!(drawn.contains("3/7 cells") && drawn.contains("wall-1 · nsgs · 1e-4 · cold"), "{drawn}");
        assert!(super::bar(7, true).is_hidden());
    }

    #[test]
    fn a_trouble_names_its_file_once() {
        let path = Path::new("a/b.dat");
        assert_eq!(placed(path, &anyhow!("a/b.dat: no contacts")), "a/b.dat: no contacts");
        assert_eq!(placed(path, &anyhow!("no contacts")), "a/b.dat: no contacts");
    }
}
