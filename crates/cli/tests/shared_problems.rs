//! Gauss-Seidel on the collection of genuine problems, where it is at hand.

use std::path::{Path, PathBuf};
use std::time::Duration;
use stickslip::contact::certificate::Measure;
use stickslip::contact::operator::Sweep;
use stickslip::contact::problem::{GlobalProblem, LocalProblem};
use stickslip::contact::solvers::{Nsgs, Report, Solver, Stop, Unknowns, unwatched};
use stickslip::io::{on_each, open};

/// Gauss-Seidel alone does not bring these to 1e-4 within eight seconds; everything else it must.
const OUT_OF_REACH: [&str; 6] = [
    "OneObject-i100000-499",
    "RockPile_tob1",
    "kapla24-s00007-nc300",
    "kaplapush60-nc952",
    "kaplarest100-nc1592",
    "kapla24-s00003-nc200",
];

fn data() -> Option<PathBuf> {
    let shared = std::env::var_os("STICKSLIP_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    Some(shared.join("data/fclib")).filter(|p| p.is_dir())
}

fn local<const D: usize, W: Sweep<D>>(p: &LocalProblem<D, W>, stop: &Stop) -> Report {
    Nsgs::default().solve(p, &mut Unknowns::zeros(p), stop, &mut unwatched())
}

fn global<const D: usize>(p: &GlobalProblem<D>, stop: &Stop) -> Report {
    match LocalProblem::matrix_free(p).unwrap() {
        Some(free) => local(&free, stop),
        None => local(&p.condense().unwrap().0, stop),
    }
}

#[test]
fn gauss_seidel_certifies_what_it_can_and_says_what_it_cannot() {
    let Some(data) = data() else {
        println!("skipped: no shared problems (set STICKSLIP_DATA)");
        return;
    };
    let mut files: Vec<PathBuf> = [data.clone(), data.join("generated")]
        .iter()
        .filter_map(|d| std::fs::read_dir(d).ok())
        .flat_map(|d| d.filter_map(|e| e.ok().map(|e| e.path())))
        .filter(|p| p.extension().is_some_and(|e| e == "hdf5"))
        .collect();
    files.sort();
    let mut missed = Vec::new();
    for file in &files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        // those known to be out of reach are only asked to say so
        let hard = OUT_OF_REACH.contains(&name.as_str());
        let limit = Duration::from_secs_f64(if hard { 0.2 } else { 30.0 });
        let stop = Stop {
            tolerance: 1e-4,
            measure: Measure::Siconos,
            max_iterations: usize::MAX,
            time_limit: Some(limit),
            ..Stop::default()
        };
        let opened = open(file).unwrap();
        let report = on_each!(&opened.problem, local p => local(p, &stop), global p => global(p, &stop));
        assert_eq!(report.converged(), report.certificate.error <= 1e-4, "{name}");
        if !report.converged() && !hard {
            missed.push(format!("{name}: {} at {:.1e}", report.status, report.certificate.error));
        }
    }
    println!("{} files, {} known to be out of reach", files.len(), OUT_OF_REACH.len());
    assert!(missed.is_empty(), "{missed:#?}");
}
