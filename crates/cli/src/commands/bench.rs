//! `stickslip bench`.

use super::solve::{MeasureName, positive};
use crate::bench::case::{self, Listed};
use crate::bench::classes::Classes;
use crate::bench::clock::Repetition;
use crate::bench::figures::{self, Picture};
use crate::bench::grid::{self, Grid, Method, Settings};
use crate::bench::page::{self, Circumstances};
use crate::bench::record::{Key, Record, Results, Start};
use crate::bench::runner::Runner;
use crate::bench::summary::Summary;
use crate::bench::{peer, table};
use crate::{Outcome, explain, interrupt};
use anyhow::{Context, Result, bail};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Run solvers on files and compare them: tables, performance profiles, one page with all of it.
#[derive(clap::Args)]
pub struct Arguments {
    /// Problem files: FCLIB (HDF5) or Siconos (.dat)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The folder for results, pictures and page; a bench that was interrupted goes on there, with the same build
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Solvers of `stickslip solvers`, as in 'auto,nsgs{omega=1.2}'; 'all' for all
    #[arg(long, value_name = "LIST", default_value = grid::DEFAULT)]
    solvers: String,
    /// Tolerances
    #[arg(long, value_name = "LIST", default_value = "1e-4,1e-8,1e-12")]
    tol: String,
    /// Where to start from: zero, the answer to a perturbed problem, or both in turn
    #[arg(long, value_enum, default_value_t = StartName::Both)]
    start: StartName,
    /// Most CPU seconds a cell; what takes longer has failed
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = positive, allow_negative_numbers = true)]
    time_limit: f64,
    /// Solve at least this often and count the fastest; solves of microseconds are repeated more
    #[arg(long, value_name = "N", default_value_t = 3)]
    repeat: usize,
    /// What errors are put over; default scaled, and siconos beside that peer
    #[arg(long, value_enum)]
    measure: Option<MeasureName>,
    /// Another program's solvers on the same files
    #[arg(long, value_enum)]
    peer: Option<PeerName>,
    /// Which of its solvers; the book lists them, 'all' for all
    #[arg(long, value_name = "LIST", requires = "peer")]
    peer_solvers: Option<String>,
    /// Classes of problems: a CSV with the columns 'file' and 'class'
    #[arg(long, value_name = "CSV")]
    classes: Option<PathBuf>,
    /// Files at a time; times are CPU seconds, but one at a time is quieter
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Print the summary as one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// No progress bar
    #[arg(long, short)]
    quiet: bool,
}

/// The starts on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
enum StartName {
    Cold,
    Warm,
    Both,
}

/// The peers on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
enum PeerName {
    /// Siconos, through Python
    Siconos,
}

/// Runs what is missing, then adds up and draws everything in the folder.
pub fn run(a: Arguments) -> Result<Outcome> {
    let python = match a.peer {
        Some(PeerName::Siconos) => Some(peer::python().context(
            "no Python here can import siconos.numerics; on Debian: apt install python3-siconos python3-scipy, or name a \
             Python in STICKSLIP_SICONOS_PYTHON",
        )?),
        None => None,
    };
    let grid = a.grid()?;
    let classes = a.classes.as_deref().map_or_else(|| Ok(Classes::default()), Classes::read)?;
    let files = case::list(&a.files, &classes)?;
    std::fs::create_dir_all(&a.out).with_context(|| format!("cannot make the folder {}", a.out.display()))?;
    grid.settings.agree_with(&a.out.join("settings.json"))?;
    let mut results = Results::open(&a.out.join("results.csv"))?;
    interrupt::listen();
    let version = python.as_ref().map(|p| p.1.clone());
    let runner =
        Runner { grid: &grid, files: &files, jobs: a.jobs, python: python.map(|p| p.0), quiet: a.quiet || a.json };
    let troubles = runner.run(&mut results)?;
    let rows = current(&results.rows, &files);
    if rows.is_empty() && !troubles.is_empty() {
        bail!("{}; nothing was run", troubles.join("\n"));
    }
    troubles.iter().for_each(|t| eprintln!("error: {t}"));
    let missing = missing(&grid, &files, &rows);
    let summary = Summary::new(&rows);
    let pictures = figures::pictures(&rows, grid.settings.time_limit);
    let circumstances = Circumstances {
        facts: facts(&grid, &rows, version),
        incomplete: (missing > 0).then(|| {
            format!("{missing} of {} cells have not been run; in the profiles they count as failures.", runner.cells())
        }),
    };
    write_all(&a.out, &circumstances, &summary, &pictures, &rows)?;
    if a.json {
        crate::say!("{}", serde_json::to_string(&summary)?);
    } else {
        crate::say!("{}", table::text(&summary));
        crate::say!("{} rows; the page is {}", rows.len(), a.out.join("index.html").display());
    }
    if interrupt::asked() {
        eprintln!("interrupted with {missing} cells to go; the same command goes on from here");
        return Ok(Outcome::NotConverged);
    }
    if !troubles.is_empty() {
        bail!("{} of {} files could not be used; see above", troubles.len(), files.len());
    }
    Ok(Outcome::Done)
}

impl Arguments {
    fn grid(&self) -> Result<Grid> {
        let mut methods = grid::solvers(&self.solvers)?;
        if self.peer.is_some() {
            methods.extend(peer::solvers(self.peer_solvers.as_deref())?.into_iter().map(Method::Peer));
        }
        let default = if self.peer.is_some() { MeasureName::Siconos } else { MeasureName::Scaled };
        let starts = match self.start {
            StartName::Cold => vec![Start::Cold],
            StartName::Warm => vec![Start::Warm],
            StartName::Both => vec![Start::Cold, Start::Warm],
        };
        let settings = Settings {
            program: grid::program()?,
            measure: self.measure.unwrap_or(default).into(),
            time_limit: self.time_limit,
            repetition: Repetition { repeat: self.repeat.max(1) },
        };
        Ok(Grid { methods, tolerances: grid::tolerances(&self.tol)?, starts, settings })
    }
}

/// The rows without those of files that have changed since.
fn current(rows: &[Record], files: &[Listed]) -> Vec<Record> {
    let stale = |r: &Record| files.iter().any(|f| f.name == r.file && f.checksum != r.checksum);
    let mut rows: Vec<Record> = rows.iter().filter(|r| !stale(r)).cloned().collect();
    // the classes of this run count
    for row in &mut rows {
        if let Some(file) = files.iter().find(|f| f.name == row.file) {
            row.class.clone_from(&file.class);
        }
    }
    rows
}

fn missing(grid: &Grid, files: &[Listed], rows: &[Record]) -> usize {
    let done: HashSet<Key> = rows.iter().map(Record::key).collect();
    let mut count = 0;
    for file in files {
        for method in &grid.methods {
            let label = method.label();
            for tol in &grid.tolerances {
                for start in &grid.starts {
                    let key = Key::new(&file.name, &file.checksum, &label, *tol, *start);
                    count += usize::from(!done.contains(&key));
                }
            }
        }
    }
    count
}

fn facts(grid: &Grid, rows: &[Record], peer: Option<String>) -> Vec<(String, String)> {
    let s = &grid.settings;
    let problems: HashSet<&str> = rows.iter().map(|r| r.file.as_str()).collect();
    let fact = |what: &str, value: String| (what.to_string(), value);
    let mut facts = vec![
        fact("program", s.program.clone()),
        fact("problems", problems.len().to_string()),
        fact("measure", explain::measure_name(s.measure).to_string()),
        fact("time limit", format!("{} CPU seconds a cell", s.time_limit)),
        fact("repetitions", format!("at least {}, the fastest counts", s.repetition.repeat)),
    ];
    facts.extend(peer.map(|v| fact("peer", format!("Siconos {v}"))));
    facts.extend(processor().map(|p| fact("processor", p)));
    facts
}

/// The model of the processor, where the system tells it.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    text.lines().find_map(|l| l.strip_prefix("model name")).map(|l| l.trim_start_matches([' ', '\t', ':']).to_string())
}

fn write_all(
    out: &Path,
    circumstances: &Circumstances,
    summary: &Summary,
    pictures: &[Picture],
    rows: &[Record],
) -> Result<()> {
    let write = |name: String, text: String| {
        let path = out.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    write("results.json".into(), serde_json::to_string_pretty(rows)?)?;
    write("summary.json".into(), serde_json::to_string_pretty(summary)?)?;
    for picture in pictures {
        write(format!("{}.svg", picture.name), picture.svg.clone())?;
    }
    write("index.html".into(), page::html(circumstances, summary, pictures, rows))
}
