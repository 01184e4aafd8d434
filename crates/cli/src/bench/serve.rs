//! Our side of the pipe: a process that solves one job after the other with the solvers of the catalogue.

use super::clock::{ANNOUNCED, Repetition, smallest_and_median};
use super::worker::{Answer, Word, wall};
use anyhow::{Context, Result, anyhow};
use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use stickslip::contact::certificate::Measure;
use stickslip::contact::generate::nearby;
use stickslip::contact::operator::{BlockCsr, MatrixFree};
use stickslip::contact::problem::{GlobalProblem, LocalProblem, Reduced};
use stickslip::contact::solvers::{Compiled, Flow, Progress, Report, SolverSpec, Status, Stop, Unknowns};
use stickslip::io::{self, Opened, on_each};

/// One solve of ours.
#[derive(Debug, Serialize, Deserialize)]
pub struct Job {
    /// The problem file.
    pub file: PathBuf,
    /// The solver.
    pub solver: SolverSpec,
    /// The tolerance.
    pub tolerance: f64,
    /// Its measure.
    pub measure: Measure,
    /// CPU seconds.
    pub time_limit: f64,
    /// How often.
    pub repetition: Repetition,
    /// A flat r to start from.
    pub start: Option<Vec<f64>>,
    /// Solve a problem that is so near instead, see [`nearby`].
    pub perturbation: Option<Perturbation>,
}

/// Which of the problems near one.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Perturbation {
    /// Its size relative to q.
    pub size: f64,
    /// Its seed.
    pub seed: u64,
}

/// Answers jobs until the pipe closes.
pub fn run() -> Result<()> {
    let mut opened: Option<(PathBuf, Opened)> = None;
    for line in std::io::stdin().lock().lines() {
        let word = match work(&line?, &mut opened) {
            Ok(answer) => Word::Done(answer),
            Err(e) => Word::Refused(format!("{e:#}")),
        };
        say(&word)?;
    }
    Ok(())
}

fn say(word: &Word) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(word)?)?;
    Ok(out.flush()?)
}

fn work(line: &str, opened: &mut Option<(PathBuf, Opened)>) -> Result<Answer> {
    let job: Job = serde_json::from_str(line).context("a job that cannot be read")?;
    if opened.as_ref().is_none_or(|(path, _)| *path != job.file) {
        *opened = Some((job.file.clone(), io::open(&job.file)?));
    }
    let (_, file) = opened.as_ref().context("no file")?;
    let (mut timed, mut unannounced) = (Timed::default(), f64::INFINITY);
    let (report, r) = loop {
        if unannounced >= ANNOUNCED * job.time_limit {
            say(&Word::Begin(job.time_limit))?;
            unannounced = 0.0;
        }
        let solved =
            on_each!(&file.problem, local p => job.local(p, &mut timed), global p => job.global(p, &mut timed))?;
        unannounced += timed.seconds.last().unwrap_or(&0.0);
        if !job.repetition.again(timed.seconds.len(), timed.seconds.iter().sum()) {
            break solved;
        }
    };
    let fastest = smallest_and_median(&timed.seconds).and_then(|(s, _)| timed.seconds.iter().position(|x| *x == s));
    Ok(Answer {
        setup: fastest.map(|k| timed.setups[k]),
        seconds: timed.seconds,
        iterations: report.iterations as u64,
        claimed: report.converged(),
        unsupported: report.status == Status::Unsupported,
        note: std::iter::once(report.status.to_string()).chain(Vec::from(report.why)).collect::<Vec<_>>().join("; "),
        r: Some(r).filter(|r| r.iter().all(|x| x.is_finite())),
    })
}

/// CPU seconds of the repetitions.
#[derive(Default)]
struct Timed {
    seconds: Vec<f64>,
    setups: Vec<f64>,
}

impl Job {
    fn global<const D: usize>(&self, problem: &GlobalProblem<D>, timed: &mut Timed) -> Result<(Report, Vec<f64>)>
    where
        MatrixFree<D>: Compiled<D>,
        BlockCsr<D>: Compiled<D>,
    {
        // the clock starts at M and H: factoring, condensing and building the operator are in it
        let clock = (ProcessTime::now(), Instant::now());
        match self.solver.reduce(problem, &problem.factor_mass()?)? {
            Reduced::MatrixFree(p) => self.solve(p, clock, timed),
            Reduced::Condensed(p, _) => self.solve(p, clock, timed),
        }
    }

    fn local<const D: usize>(&self, problem: &LocalProblem<D>, timed: &mut Timed) -> Result<(Report, Vec<f64>)>
    where
        BlockCsr<D>: Compiled<D>,
    {
        let copy = problem.clone();
        self.solve(copy, (ProcessTime::now(), Instant::now()), timed)
    }

    fn solve<const D: usize, W: Compiled<D>>(
        &self,
        mut problem: LocalProblem<D, W>,
        (clock, begun): (ProcessTime, Instant),
        timed: &mut Timed,
    ) -> Result<(Report, Vec<f64>)> {
        if let Some(p) = self.perturbation {
            nearby(&mut problem, p.size, p.seed);
        }
        let mut x = match &self.start {
            None => Unknowns::zeros(&problem),
            Some(r) => Unknowns::from_flat(&problem, r).map_err(|e| anyhow!("the start cannot be used: {e}"))?,
        };
        // the clock of the processor is a system call, longer than a setup of few contacts
        let setup = begun.elapsed().as_secs_f64();
        let stop = Stop {
            tolerance: self.tolerance,
            measure: self.measure,
            // time alone is the budget
            max_iterations: u32::MAX as usize,
            time_limit: Duration::try_from_secs_f64(wall(self.time_limit)).ok(),
            since: Some(begun),
        };
        let mut watch = self.cpu_watch(clock, begun);
        let report = self.solver.build::<D, W>().solve(&problem, &mut x, &stop, &mut watch);
        timed.seconds.push(clock.elapsed().as_secs_f64());
        timed.setups.push(setup);
        Ok((report, x.r.as_flattened().to_vec()))
    }

    /// Stops at the CPU limit; the CPU clock is a system call, so it is read only when wall time makes it necessary.
    fn cpu_watch(&self, clock: ProcessTime, begun: Instant) -> impl FnMut(&Progress) -> Flow + use<> {
        let limit = self.time_limit;
        let (mut calls, mut next) = (0u64, 0.5 * limit);
        move |p| {
            calls += 1;
            if p.iteration == 0 || (!calls.is_multiple_of(16) && p.error.is_none()) {
                return Flow::Continue;
            }
            let elapsed = begun.elapsed().as_secs_f64();
            if elapsed < next {
                return Flow::Continue;
            }
            next = elapsed + 0.01 * limit;
            if clock.elapsed().as_secs_f64() > limit { Flow::Stop } else { Flow::Continue }
        }
    }
}
