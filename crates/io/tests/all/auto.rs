//! The automatic choice certifies every genuine file at 1e-4, and the small ones at 1e-8.

use crate::common;

use std::time::Duration;
use stickslip_contact::certificate::Measure;
use stickslip_contact::operator::Sweep;
use stickslip_contact::problem::{GlobalProblem, LocalProblem};
use stickslip_contact::solvers::{Auto, Report, Solver, Stop, Unknowns, unwatched};
use stickslip_io::{on_each, open};

/// Most contacts at 1e-8: one file above needs minutes, and some need seconds.
const SMALL: usize = 500;
/// Rounding and jams end all methods above 1e-8 here (book, page on comparing solvers).
const OPEN: [&str; 1] = ["RockPile_tob1"];
/// Far above what any of them takes, so that a busy machine does not count.
const LIMIT: Duration = Duration::from_secs(120);

fn local<const D: usize, W: Sweep<D> + Send + 'static>(p: &LocalProblem<D, W>, tolerance: f64) -> Report {
    let stop = Stop { tolerance, measure: Measure::Siconos, time_limit: Some(LIMIT), ..Stop::default() };
    let mut x = Unknowns::zeros(p);
    let report = Auto::default().solve(p, &mut x, &stop, &mut unwatched());
    assert_eq!(p.certify(&x.r, Measure::Siconos).0, report.certificate);
    report
}

fn global<const D: usize>(p: &GlobalProblem<D>, tolerance: f64) -> Report {
    match LocalProblem::matrix_free(p).unwrap() {
        Some(free) => local(&free, tolerance),
        None => local(&p.condense().unwrap().0, tolerance),
    }
}

#[test]
fn auto_certifies_every_genuine_file() {
    let mut failed = Vec::new();
    for path in common::shared_files() {
        let opened = open(&path).unwrap_or_else(|e| panic!("{e}"));
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let small = opened.problem.contacts() < SMALL && !OPEN.contains(&name.as_str());
        for tolerance in [1e-4, 1e-8].into_iter().take(if small { 2 } else { 1 }) {
            let report = on_each!(&opened.problem, local p => local(p, tolerance), global p => global(p, tolerance));
            if !report.converged() {
                failed.push(format!("{name} at {tolerance:.0e}: {:.1e}, {:?}", report.certificate.error, report.why));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
