//! [D]: performance profiles of the solver collection.

use super::experiment::{Experiment, Job};
use super::page::{Cell, Choice, Page, Table};
use crate::bench::case;
use crate::bench::classes::Classes;
use crate::bench::clock::Repetition;
use crate::bench::figures;
use crate::bench::grid::{self, Grid, Settings};
use crate::bench::record::{Results, Start};
use crate::bench::runner::Runner;
use crate::bench::summary::{Summary, VERDICTS};
use crate::interrupt;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use stickslip::contact::certificate::Measure;
use stickslip::io::run::Simulation;
use stickslip::io::scene::Scene;

/// Scenes that problems are taken from, and the steps at which.
const SCENES: [(&str, &str, [u64; 3]); 6] = [
    ("sphere-packing", include_str!("../../../../scenes/sphere-packing.toml"), [200, 400, 800]),
    ("capsules", include_str!("../../../../scenes/capsules.toml"), [100, 200, 300]),
    ("box-stack", include_str!("../../../../scenes/box-stack.toml"), [20, 60, 100]),
    ("subsiding-wall", include_str!("../../../../scenes/subsiding-wall.toml"), [50, 300, 600]),
    ("rotating-drum", include_str!("../../../../scenes/rotating-drum.toml"), [300, 600, 900]),
    ("kapla-tower", include_str!("../../../../scenes/kapla-tower.toml"), [20, 60, 100]),
];

/// The experiment.
pub struct Profiles;

impl Experiment for Profiles {
    fn name(&self) -> &'static str {
        "D.profiles"
    }

    fn what(&self) -> &'static str {
        "performance profiles of the solvers on FCLIB files (--problems DIR), or on steps of the canonical scenes"
    }

    fn run(&self, job: &Job) -> Result<Option<Page>> {
        std::fs::create_dir_all(&job.folder)
            .with_context(|| format!("cannot make the folder {}", job.folder.display()))?;
        let files = match &job.problems {
            Some(folder) => in_folder(folder)?,
            None => match generated(job)? {
                Some(files) => files,
                None => return Ok(None),
            },
        };
        let files = if job.quick { files.into_iter().take(6).collect() } else { files };
        let listed = case::list(&files, &Classes::default())?;
        let grid = Grid {
            methods: grid::solvers(job.pick("auto,nsgs,psor,ipm", "auto,nsgs,psor,nncg,anderson,admm,ipm,nsn-ac,ppn"))?,
            tolerances: job.pick(vec![1e-4], vec![1e-4, 1e-8]),
            starts: vec![Start::Cold],
            settings: Settings {
                program: grid::program()?,
                measure: Measure::Scaled,
                time_limit: job.pick(1.0, 10.0),
                repetition: Repetition { repeat: job.pick(1, 3) },
            },
        };
        grid.settings.agree_with(&job.folder.join("settings.json"))?;
        let mut results = Results::open(&job.folder.join("results.csv"))?;
        let troubles =
            Runner { grid: &grid, files: &listed, jobs: 1, python: None, quiet: job.quiet }.run(&mut results)?;
        if interrupt::asked() {
            return Ok(None);
        }
        if !troubles.is_empty() {
            bail!("{}", troubles.join("; "));
        }
        let pictures = figures::pictures(&results.rows, grid.settings.time_limit);
        Ok(Some(Page { pictures, ..page(job, listed.len(), &Summary::new(&results.rows)) }))
    }
}

/// The FCLIB files of a folder.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "hdf5"))
        .collect();
    files.sort();
    if files.is_empty() {
        bail!("{} holds no .hdf5 file", folder.display());
    }
    Ok(files)
}

/// Problems of steps of the scenes; those that are there already stay. None when interrupted.
fn generated(job: &Job) -> Result<Option<Vec<PathBuf>>> {
    let mut files = Vec::new();
    for (name, text, steps) in SCENES {
        let steps = if job.quick { &steps[..1] } else { &steps[..] };
        let path = |step: u64| job.folder.join(format!("{name}-{step:04}.hdf5"));
        files.extend(steps.iter().map(|s| path(*s)));
        if steps.iter().all(|s| path(*s).exists()) {
            continue;
        }
        let mut simulation = Simulation::new(&Scene::from_text(text)?)?;
        for step in 1..=steps[steps.len() - 1] {
            simulation.step();
            if interrupt::asked() {
                return Ok(None);
            }
            if let (true, Some(file)) = (steps.contains(&step), simulation.dump()) {
                file?.write(path(step))?;
            }
        }
    }
    Ok(Some(files.into_iter().filter(|f| f.exists()).collect()))
}

fn page(job: &Job, problems: usize, summary: &Summary) -> Page {
    let mut rows = Vec::new();
    let mut findings = Vec::new();
    for s in &summary.sections {
        for l in &s.solvers {
            let solved = l.verdicts.first().copied().unwrap_or(0);
            rows.push(vec![
                Cell::Text(format!("{:e}", s.tol)),
                Cell::from(l.solver.as_str()),
                Cell::Count(solved as u64),
                Cell::Count((s.problems - solved) as u64),
                l.mean_common.map_or(Cell::None, Cell::Number),
                l.over_auto.map_or(Cell::None, Cell::Number),
            ]);
        }
        let most = s.solvers.iter().map(|l| l.verdicts[0]).max().unwrap_or(0);
        let best: Vec<&str> = s.solvers.iter().filter(|l| l.verdicts[0] == most).map(|l| l.solver.as_str()).collect();
        findings.push(format!(
            "At {:e}, most problems are solved by {}: {most} of {}, certified.",
            s.tol,
            best.join(", "),
            s.problems
        ));
    }
    debug_assert!(VERDICTS[0].1 == "solved");
    let folder = job.problems.as_ref().map(|p| p.display().to_string());
    Page {
        title: format!("D.profiles: solvers on {problems} problems"),
        reference: "Acary 2024, Siconos/Numerics and FCLIB: the solver collection compared by performance profiles [D]",
        intro: format!(
            "Every solver on every problem from zero, CPU time of the fastest repetition; an answer counts when the \
             certificate recomputed from its impulses holds. Problems: {}.",
            folder.unwrap_or("steps of scenes that the simulator ran".into())
        ),
        table: Table {
            head: vec!["tolerance", "solver", "solved", "failed", "mean CPU s on common", "CPU over auto"],
            rows,
        },
        findings,
        choices: vec![
            Choice {
                what: "problems",
                taken:
                    "steps of six canonical scenes, or the .hdf5 files of --problems DIR; [D] uses the FCLIB collection"
                        .into(),
            },
            Choice { what: "measure", taken: "scaled: free of units, the same for every solver".into() },
            Choice { what: "time limit", taken: format!("{} CPU seconds", job.pick(1, 10)) },
        ],
        quick: job.quick.then(|| "one step of each scene, four solvers, one tolerance".to_string()),
        ..Page::default()
    }
}
