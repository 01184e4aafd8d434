//! `stickslip demo`.

use crate::job::{Job, Solved};
use crate::plot::{self, Curve};
use crate::{Outcome, explain, interrupt};
use anyhow::{Context, Result};
use std::path::PathBuf;
use stickslip::contact::certificate::Measure;
use stickslip::contact::generate::{BoxWall, SphereLattice};
use stickslip::contact::solvers::{NsgsOptions, Report, SolverSpec, Stop};
use stickslip::io::Problem;
use stickslip::io::fclib::{FclibFile, StoreOptions};

/// Generate, solve and certify a packing and a wall.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder to write into
    #[arg(long, default_value = "stickslip-demo")]
    out: PathBuf,
}

const TOLERANCE: f64 = 1e-6;

/// Solves both and leaves the files and the picture in the folder.
pub fn run(a: Arguments) -> Result<Outcome> {
    std::fs::create_dir_all(&a.out).with_context(|| format!("cannot make the folder {}", a.out.display()))?;
    interrupt::listen();
    let packing = SphereLattice { nx: 12, ny: 12, nz: 12, ..SphereLattice::default() }.global()?;
    let wall = BoxWall { columns: 8, courses: 8, ..BoxWall::default() }.generate()?;
    let cases = [("packing of 1,728 spheres", "packing", packing), ("wall of 64 bricks", "wall", wall)];
    let (auto, sweeps) = (SolverSpec::default(), SolverSpec::Nsgs(NsgsOptions::default()));
    let mut solved: Vec<(String, Solved)> = Vec::new();
    let mut outcome = Outcome::Done;
    for (label, name, problem) in cases {
        let mut file = FclibFile::from_global(&problem, &StoreOptions::default())?;
        let problem = Problem::Global3(problem);
        let answer = solve(label, &auto, &problem)?;
        file.set_solution(&answer.u, &answer.r, answer.v.as_deref())?;
        let path = a.out.join(format!("{name}.hdf5"));
        file.write(&path)?;
        let report = &answer.report;
        crate::say!("{label}: {} -> {}", taken(report), path.display());
        crate::say!("{}", explain::certificate(&report.certificate, TOLERANCE));
        if !report.converged() {
            outcome = Outcome::NotConverged;
        }
        // what anyone would do by hand, beside it
        let plain = solve(label, &sweeps, &problem)?;
        crate::say!("  beside it     plain Gauss-Seidel: {}\n", taken(&plain.report));
        solved.push((format!("{label}, automatic"), answer));
        solved.push((format!("{label}, Gauss-Seidel"), plain));
    }
    let curves: Vec<Curve> = solved.iter().map(|(l, s)| Curve { label: l.clone(), history: &s.history }).collect();
    let picture = a.out.join("convergence.svg");
    plot::convergence(&picture, &curves, TOLERANCE, explain::measure_name(Measure::Scaled))?;
    crate::say!(
        "the convergence is drawn in {}; try 'stickslip info {}'",
        picture.display(),
        a.out.join("wall.hdf5").display()
    );
    Ok(outcome)
}

fn solve(label: &str, solver: &SolverSpec, problem: &Problem) -> Result<Solved> {
    let stop = Stop { tolerance: TOLERANCE, ..Stop::default() };
    Job { name: label.into(), solver, stop, start: None, quiet: false, keep_history: true, repeat: 1 }.run(problem)
}

/// How a solve ended, and what it took.
fn taken(report: &Report) -> String {
    format!("{} after {} sweeps in {:.3} s", report.status, report.iterations, report.elapsed.as_secs_f64())
}
