//! `stickslip demo`.

use crate::job::{Job, Solved};
use crate::plot::{self, Curve};
use crate::{Outcome, explain, interrupt};
use anyhow::{Context, Result};
use std::path::PathBuf;
use stickslip::contact::certificate::Measure;
use stickslip::contact::generate::{BoxWall, SphereLattice};
use stickslip::contact::solvers::{SolverSpec, Stop};
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
    let spec = SolverSpec::default();
    let mut solved: Vec<(&str, Solved)> = Vec::new();
    let mut outcome = Outcome::Done;
    for (label, name, problem) in cases {
        let stop = Stop { tolerance: TOLERANCE, ..Stop::default() };
        let job =
            Job { name: label.into(), solver: &spec, stop, start: None, quiet: false, keep_history: true, repeat: 1 };
        let mut file = FclibFile::from_global(&problem, &StoreOptions::default())?;
        let answer = job.run(&Problem::Global3(problem))?;
        file.set_solution(&answer.u, &answer.r, answer.v.as_deref())?;
        let path = a.out.join(format!("{name}.hdf5"));
        file.write(&path)?;
        let (report, seconds) = (&answer.report, answer.report.elapsed.as_secs_f64());
        crate::say!(
            "{label}: {} after {} sweeps in {seconds:.3} s -> {}",
            report.status,
            report.iterations,
            path.display()
        );
        crate::say!("{}\n", explain::certificate(&report.certificate, TOLERANCE));
        if !report.converged() {
            outcome = Outcome::NotConverged;
        }
        solved.push((label, answer));
    }
    let curves: Vec<Curve> = solved.iter().map(|(l, s)| Curve { label: (*l).into(), history: &s.history }).collect();
    let picture = a.out.join("convergence.svg");
    plot::convergence(&picture, &curves, TOLERANCE, explain::measure_name(Measure::Scaled))?;
    crate::say!(
        "the convergence is drawn in {}; try 'stickslip info {}'",
        picture.display(),
        a.out.join("wall.hdf5").display()
    );
    Ok(outcome)
}
