//! The proximal Newton solver on the genuine problems of moderate size, after two hundred sweeps of Gauss-Seidel.

use crate::common;

use std::time::{Duration, Instant};
use stickslip_contact::certificate::Measure;
use stickslip_contact::operator::Sweep;
use stickslip_contact::problem::{GlobalProblem, LocalProblem};
use stickslip_contact::solvers::{Nsgs, Ppn, Report, Solver, Stop, Unknowns, unwatched};
use stickslip_io::{on_each, open};

const MOST_CONTACTS: usize = 1000;
const TOLERANCE: f64 = 1e-8;

/// Gauss-Seidel's report and the polish's.
fn local<const D: usize, W: Sweep<D>>(p: &LocalProblem<D, W>) -> (Report, Report) {
    let mut x = Unknowns::zeros(p);
    let stop = Stop {
        tolerance: TOLERANCE,
        measure: Measure::Siconos,
        max_iterations: 200,
        time_limit: Some(Duration::from_secs(8)),
        ..Stop::default()
    };
    let sweeps = Nsgs::default().solve(p, &mut x, &stop, &mut unwatched());
    let report = Ppn::default().solve(p, &mut x, &Stop { max_iterations: usize::MAX, ..stop }, &mut unwatched());
    let (certificate, u) = p.certify(&x.r, Measure::Siconos);
    assert_eq!((certificate, &u), (report.certificate, &x.u));
    assert_eq!(report.converged(), certificate.error <= TOLERANCE);
    assert!(x.r.iter().flatten().all(|r| r.is_finite()));
    assert!(report.certificate.error <= sweeps.certificate.error);
    (sweeps, report)
}

fn global<const D: usize>(p: &GlobalProblem<D>) -> (Report, Report) {
    match LocalProblem::matrix_free(p).unwrap() {
        Some(free) => local(&free),
        None => local(&p.condense().unwrap().0),
    }
}

#[test]
fn proximal_newton_finishes_what_gauss_seidel_began() {
    let (mut files, mut before, mut after) = (0, 0, 0);
    for path in common::shared_files() {
        let opened = open(&path).unwrap_or_else(|e| panic!("{e}"));
        let contacts = opened.problem.contacts();
        if contacts > MOST_CONTACTS {
            continue;
        }
        let start = Instant::now();
        let (sweeps, report) = on_each!(&opened.problem, local p => local(p), global p => global(p));
        files += 1;
        before += usize::from(sweeps.converged());
        after += usize::from(report.converged());
        println!(
            "{:>40} {contacts:>5} contacts: {:.1e} after {} sweeps, {:.1e} after {} more iterations, {:.3} s, {}",
            path.file_stem().unwrap_or_default().to_string_lossy(),
            sweeps.certificate.error,
            sweeps.iterations,
            report.certificate.error,
            report.iterations,
            start.elapsed().as_secs_f64(),
            report.status,
        );
    }
    println!("{after} of {files} files at {TOLERANCE:e}; Gauss-Seidel alone {before}");
    assert!(after >= before);
}
