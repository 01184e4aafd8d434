//! `stickslip solve`.

use crate::job::{Job, Solved};
use crate::plot::{self, Curve};
use crate::{Outcome, explain, interrupt, lcp, options};
use anyhow::{Context, Result, anyhow, bail};
use std::path::{Path, PathBuf};
use std::time::Duration;
use stickslip::contact::certificate::Measure;
use stickslip::contact::lcp::LcpSolverSpec;
use stickslip::contact::solvers::{SolverSpec, Stop};
use stickslip::io::fclib::{FclibFile, StoreOptions};
use stickslip::io::{self, Content, Opened, on_each};

/// Solve problems and certify the answers.
#[derive(clap::Args)]
pub struct Arguments {
    /// Problem files: FCLIB (HDF5) or Siconos (.dat), contact or linear complementarity
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A solver of `stickslip solvers`, with options as in 'nsgs{omega=1.2,order="symmetric"}'
    #[arg(long, default_value = "auto")]
    solver: String,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Where to start: from zero, or from the guess or the solution stored in the file
    #[arg(long, value_enum, default_value_t = Start::Zero)]
    start: Start,
    /// Write the course of the solve as CSV (one file only)
    #[arg(long, value_name = "CSV")]
    history: Option<PathBuf>,
    /// Draw the convergence of all files as SVG
    #[arg(long, value_name = "SVG")]
    plot: Option<PathBuf>,
    /// Write problem and solution as FCLIB (complementarity as .dat); a folder when there are several files
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object a file instead of text
    #[arg(long)]
    json: bool,
    /// No progress line
    #[arg(long, short)]
    quiet: bool,
    /// Solve this many times from the same start and report the fastest, for timing
    #[arg(long, value_name = "N", default_value_t = 1)]
    repeat: usize,
}

/// Tolerance, measure and budgets.
#[derive(clap::Args)]
pub struct Limits {
    /// The certificate's error must come down to this
    #[arg(long, value_name = "T", default_value_t = 1e-6, value_parser = positive, allow_negative_numbers = true)]
    pub tol: f64,
    /// What the error is put over: see the book's page on the certificate
    #[arg(long, value_enum, default_value_t = MeasureName::Scaled)]
    pub measure: MeasureName,
    /// Most iterations
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub max_iter: usize,
    /// Most seconds a file, factoring M and building W among them
    #[arg(long, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    pub time_limit: Option<f64>,
}

/// The measures on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum MeasureName {
    /// Unit-free
    Scaled,
    /// Unit-free, over the larger of |q| and the velocities that the impulses make
    Force,
    /// Over |q|, as in the published comparisons
    Fclib,
    /// Over max(|q|, |r|, |u|), as Siconos tests
    Siconos,
    /// Mean bipotential and penetration, as in Barboteu & Dumont 2017, eq. 42 (not unit-free)
    #[value(name = "eps_glob")]
    EpsGlob,
}

/// The starts on the command line.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Start {
    Zero,
    Guess,
    Solution,
}

/// A positive number on the command line.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        Ok(x) => Err(format!("{x} is not a positive number")),
        Err(e) => Err(e.to_string()),
    }
}

impl From<MeasureName> for Measure {
    fn from(name: MeasureName) -> Self {
        match name {
            MeasureName::Scaled => Measure::Scaled,
            MeasureName::Force => Measure::Force,
            MeasureName::Fclib => Measure::Fclib,
            MeasureName::Siconos => Measure::Siconos,
            MeasureName::EpsGlob => Measure::EpsGlob,
        }
    }
}

impl Limits {
    /// As the solvers take them.
    pub fn stop(&self) -> Stop {
        // a limit beyond what a clock can count is no limit
        let time_limit = self.time_limit.and_then(|s| Duration::try_from_secs_f64(s).ok());
        Stop {
            tolerance: self.tol,
            measure: self.measure.into(),
            max_iterations: self.max_iter,
            time_limit,
            ..Stop::default()
        }
    }
}

/// Solves every file; a bad one does not keep the others from being solved.
pub fn run(a: Arguments) -> Result<Outcome> {
    let solvers = Solvers::read(&a)?;
    if a.history.is_some() && a.files.len() > 1 {
        bail!("--history takes one file; {} were given", a.files.len());
    }
    interrupt::listen();
    let mut outcome = Outcome::Done;
    let mut failed = 0;
    let mut solved: Vec<(String, Solved)> = Vec::new();
    for file in &a.files {
        match solve_file(&a, &solvers, file) {
            Ok(answer) => {
                if !answer.good {
                    outcome = Outcome::NotConverged;
                }
                solved.extend(answer.contact.map(|s| (name_of(file), s)));
            }
            Err(e) if a.files.len() > 1 => {
                eprintln!("error: {e:#}");
                failed += 1;
            }
            Err(e) => return Err(e),
        }
        if interrupt::asked() {
            break;
        }
    }
    if let Some(path) = &a.plot {
        let curves: Vec<Curve> = solved.iter().map(|(n, s)| Curve { label: n.clone(), history: &s.history }).collect();
        plot::convergence(path, &curves, a.limits.tol, explain::measure_name(a.limits.measure.into()))?;
    }
    if failed > 0 {
        bail!("{failed} of {} files could not be solved; see above", a.files.len());
    }
    Ok(outcome)
}

pub(crate) fn name_of(file: &Path) -> String {
    file.file_stem().map_or_else(|| file.display().to_string(), |s| s.to_string_lossy().into_owned())
}

/// The word after --solver, read for each kind of problem; a name need be known to one of them only.
struct Solvers {
    contact: Result<SolverSpec>,
    lcp: Result<LcpSolverSpec>,
}

impl Solvers {
    fn read(a: &Arguments) -> Result<Self> {
        let contact = options::solver(&a.solver);
        let lcp = options::lcp_solver(&a.solver, |s| s.with_limits(a.limits.tol, a.limits.max_iter));
        match (contact, lcp) {
            // whoever knows the name knows what is wrong with its options
            (Err(_), Err(e)) if options::is_lcp_name(&a.solver) => Err(e),
            // nobody knows it: whoever solves such a file says what is nearest
            (Err(_), Err(e)) if a.files.first().is_some_and(|f| is_lcp_file(f)) => Err(e),
            (Err(e), Err(_)) => Err(e),
            (contact, lcp) => Ok(Self { contact, lcp }),
        }
    }
}

fn is_lcp_file(path: &Path) -> bool {
    matches!(io::open_any(path), Ok(Content::Lcp(_)))
}

/// What became of one file.
struct Answer {
    good: bool,
    contact: Option<Solved>,
}

fn solve_file(a: &Arguments, solvers: &Solvers, file: &Path) -> Result<Answer> {
    match io::open_any(file)? {
        Content::Contact(opened) => {
            let solver = solvers.contact.as_ref().map_err(|e| anyhow!("{}: {e:#}", file.display()))?;
            let solved = solve_contact(a, solver, file, &opened)?;
            Ok(Answer { good: solved.report.converged(), contact: Some(solved) })
        }
        Content::Lcp(dat) => {
            let solver = solvers.lcp.as_ref().map_err(|e| anyhow!("{}: {e:#}", file.display()))?;
            if a.history.is_some() || a.plot.is_some() || a.start != Start::Zero {
                bail!("{}: --history, --plot and --start are for contact problems", file.display());
            }
            let out = a.out.as_deref().map(|out| answer_path(a, out, file, "dat")).transpose()?;
            let Stop { tolerance, max_iterations, time_limit, .. } = a.limits.stop();
            let output = lcp::Output { tolerance, max_iterations, time_limit, json: a.json, out: out.as_deref() };
            Ok(Answer { good: lcp::solve(file, &dat, solver, &output)?, contact: None })
        }
    }
}

/// Where an answer goes: the path given, or a file in the folder given.
fn answer_path(a: &Arguments, out: &Path, file: &Path, ending: &str) -> Result<PathBuf> {
    if a.files.len() == 1 && !out.is_dir() {
        return Ok(out.into());
    }
    std::fs::create_dir_all(out).with_context(|| format!("cannot make the folder {}", out.display()))?;
    Ok(out.join(format!("{}.{ending}", name_of(file))))
}

fn solve_contact(a: &Arguments, solver: &SolverSpec, file: &Path, opened: &Opened) -> Result<Solved> {
    let start = start(a.start, opened).with_context(|| file.display().to_string())?;
    let job = Job {
        name: name_of(file),
        solver,
        stop: a.limits.stop(),
        start,
        quiet: a.quiet || a.json,
        keep_history: a.history.is_some() || a.plot.is_some(),
        repeat: a.repeat,
    };
    let solved = job.run(&opened.problem).with_context(|| file.display().to_string())?;
    if a.json {
        crate::say!("{}", json(file, opened, solver, &solved)?);
    } else {
        for notice in opened.notices.iter().chain(&solved.notices) {
            eprintln!("note: {}: {notice}", file.display());
        }
        crate::say!("{}", text(file, opened, solver, &solved, a.limits.tol));
    }
    if let Some(path) = &a.history {
        solved.history.write(path)?;
    }
    if let Some(out) = &a.out {
        store(opened, &solved)?.write(&answer_path(a, out, file, "hdf5")?)?;
    }
    Ok(solved)
}

fn start(which: Start, opened: &Opened) -> Result<Option<&[f64]>> {
    let missing = |what: &str| anyhow!("the file holds no {what} to start from; leave --start out");
    match which {
        Start::Zero => Ok(None),
        Start::Guess => opened.guess.as_deref().map(Some).ok_or_else(|| missing("guess")),
        Start::Solution => {
            let r = opened.solution.as_ref().and_then(|s| s.r.as_deref());
            r.map(Some).ok_or_else(|| missing("solution r"))
        }
    }
}

/// The problem as it came, with the answer where FCLIB stores it.
pub(crate) fn store(opened: &Opened, solved: &Solved) -> Result<FclibFile> {
    let mut file = match &opened.raw {
        Some(raw) => raw.clone(),
        None => {
            let o = StoreOptions::default();
            on_each!(&opened.problem, local p => FclibFile::from_local(p, &o), global p => FclibFile::from_global(p, &o))?
        }
    };
    file.set_solution(&solved.u, &solved.r, solved.v.as_deref())?;
    Ok(file)
}

fn text(file: &Path, opened: &Opened, solver: &SolverSpec, solved: &Solved, tolerance: f64) -> String {
    let (report, problem) = (&solved.report, &opened.problem);
    let why: String = report.why.iter().map(|w| format!("\n  why           {w}")).collect();
    let remedy = explain::remedy(report, solver).map_or(String::new(), |r| format!("\n  remedy        {r}"));
    format!(
        "{}: {} with {} after {} iterations in {:.3} s ({} contacts, {})\n{}{why}{remedy}",
        file.display(),
        report.status,
        solver.name(),
        report.iterations,
        report.elapsed.as_secs_f64(),
        problem.contacts(),
        solved.operator,
        explain::certificate(&report.certificate, tolerance),
    )
}

fn json(file: &Path, opened: &Opened, solver: &SolverSpec, solved: &Solved) -> Result<String> {
    let notices: Vec<String> = opened.notices.iter().chain(&solved.notices).map(ToString::to_string).collect();
    let value = serde_json::json!({
        "file": file.display().to_string(),
        "contacts": opened.problem.contacts(),
        "dimension": opened.problem.dimension(),
        "form": if opened.problem.is_global() { "global" } else { "local" },
        "operator": solved.operator,
        "solver": solver,
        "status": solved.report.status,
        "converged": solved.report.converged(),
        "iterations": solved.report.iterations,
        "why": solved.report.why,
        "setup_seconds": solved.setup.as_secs_f64(),
        "seconds": solved.report.elapsed.as_secs_f64(),
        "certificate": solved.report.certificate,
        "notices": notices,
    });
    Ok(serde_json::to_string(&value)?)
}
