//! How the time of a cold solve grows with the number of contacts: CPU seconds of one core, and the exponent p of
//! `time ~ contacts^p`, for solvers that work at large sizes.
//!
//! `cargo bench -p stickslip-contact --bench growth [-- --large] [case ...] [solver ...] [1e-4 | 1e-6] [warm]`.
//! Cases: `cube`, `tower`, `wall`, `tilted-cube`, `tilted-wall`, `shaken-cube`. `--large` goes on to a million contacts.
//! `warm` starts from the answer of `auto` to a problem whose free velocities differ by 1 %.

use std::time::Instant;
use stickslip_contact::generate::{BoxWall, SphereLattice, nearby};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{Compiled, Flow, Progress, SolverSpec, Stop, Unknowns, unwatched};

/// Sizes of each case, about 1e3, 3e3, 1e4, ... contacts; the last two with `--large`.
const CASES: [(&str, [usize; 7]); 6] = [
    ("cube", [6, 8, 12, 18, 26, 38, 56]),
    ("tower", [2, 6, 18, 56, 180, 560, 1780]),
    ("wall", [10, 17, 30, 52, 92, 160, 290]),
    ("tilted-cube", [6, 8, 12, 18, 26, 38, 56]),
    ("tilted-wall", [10, 17, 30, 52, 92, 160, 290]),
    ("shaken-cube", [6, 8, 12, 18, 26, 38, 56]),
];
const SOLVERS: [&str; 5] = ["nsgs", "nncg", "admm", "mg-admm", "auto"];
/// CPU seconds after which a solve is given up.
const PATIENCE: f64 = 120.0;
/// CPU seconds after which a solve is not repeated.
const LONG_ENOUGH: f64 = 0.2;

/// CPU seconds of this thread where the system tells, else the clock.
fn cpu_seconds(begun: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|t| t.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begun.elapsed().as_secs_f64(), |t| t * 1e-9)
}

struct Row {
    contacts: usize,
    seconds: f64,
    converged: bool,
}

fn measure<W: Compiled<3> + Clone>(problem: &LocalProblem<3, W>, spec: &SolverSpec, tolerance: f64, warm: bool) -> Row {
    let (begun, solver) = (Instant::now(), spec.name());
    let stop = Stop { tolerance, ..Stop::default() };
    let mut x = Unknowns::zeros(problem);
    if warm {
        let mut before = problem.clone();
        nearby(&mut before, 0.01, 7);
        SolverSpec::default().build().solve(&before, &mut x, &stop, &mut unwatched());
    }
    let (mut built, first) = (spec.build::<3, W>(), x.clone());
    let start = cpu_seconds(begun);
    // the clock of a busy machine says nothing: patience is CPU time too, which is asked for only after as much of the other
    let late = |p: &Progress| p.start.elapsed().as_secs_f64() > PATIENCE && cpu_seconds(begun) > start + PATIENCE;
    let mut watch = |p: &Progress| if late(p) { Flow::Stop } else { Flow::Continue };
    let mut report = built.solve(problem, &mut x, &stop, &mut watch);
    // the clock of the processor ticks seldom: short solves are repeated
    let mut solves = 1;
    while cpu_seconds(begun) - start < LONG_ENOUGH {
        x.clone_from(&first);
        report = built.solve(problem, &mut x, &stop, &mut watch);
        solves += 1;
    }
    let seconds = (cpu_seconds(begun) - start) / f64::from(solves);
    let contacts = problem.contacts();
    let error = report.certificate.error;
    let note = if report.converged() { String::new() } else { format!("  {} at {error:.1e}", report.status) };
    println!("{solver:>9} {tolerance:>7.0e} {contacts:>9} {:>8} {seconds:>10.5}{note}", report.iterations);
    if solver == "auto" {
        report.why.iter().for_each(|w| println!("{:>20} {w}", ""));
    }
    Row { contacts, seconds, converged: report.converged() }
}

fn case(name: &str, size: usize, solver: &SolverSpec, tolerance: f64, warm: bool) -> Row {
    let cube = SphereLattice { nx: size, ny: size, nz: size, ..SphereLattice::default() };
    let wall = BoxWall { columns: size, courses: size, ..BoxWall::default() };
    let lattice = match name {
        "tower" => SphereLattice { nx: 10, ny: 10, nz: size, ..cube },
        // gravity beyond the angle of friction and nothing at the sides: it collapses
        "tilted-cube" => SphereLattice { walls: false, tilt: 0.5, noise: 0.3, ..cube },
        "shaken-cube" => SphereLattice { noise: 1.0, ..cube },
        _ => cube,
    };
    let wall = if name == "tilted-wall" { BoxWall { mu: 0.3, tilt: 0.4, ..wall } } else { wall };
    if name.ends_with("wall") {
        let global = wall.generate().expect("the wall is valid");
        let problem = LocalProblem::matrix_free(&global).expect("valid").expect("rigid bodies");
        drop(global);
        measure(&problem, solver, tolerance, warm)
    } else {
        measure(&lattice.spheres().expect("the lattice is valid"), solver, tolerance, warm)
    }
}

/// The least-squares slope of log(seconds) over log(contacts).
fn exponent(rows: &[Row]) -> Option<f64> {
    let points: Vec<(f64, f64)> =
        rows.iter().filter(|r| r.converged).map(|r| ((r.contacts as f64).ln(), r.seconds.ln())).collect();
    let n = points.len() as f64;
    let (x, y) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let slope = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>()
        / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>();
    (points.len() >= 3).then_some(slope)
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let named = |name: &str| args.iter().any(|a| a == name);
    let wanted = |name: &str, all: &[&str]| named(name) || !all.iter().any(|a| named(a));
    let warm = named("warm");
    let sizes = if named("--large") {
        7
    } else if named("--small") {
        3
    } else {
        5
    };
    let cases = CASES.map(|c| c.0);
    // names of the catalogue, or solvers with options as JSON
    let mut solvers: Vec<SolverSpec> = args.iter().filter_map(|a| serde_json::from_str(a).ok()).collect();
    let default = if solvers.is_empty() { &SOLVERS[..] } else { &[] };
    let names: Vec<&str> = SolverSpec::catalogue().iter().map(|s| s.name).filter(|n| named(n)).collect();
    let names = if names.is_empty() { default } else { &names[..] };
    solvers.extend(names.iter().map(|n| SolverSpec::named(n).expect("in the catalogue").spec));
    println!("{:>9} {:>7} {:>9} {:>8} {:>10}", "solver", "error", "contacts", "its", "CPU s");
    for (name, all) in CASES.iter().filter(|c| wanted(c.0, &cases)) {
        for solver in &solvers {
            for (text, tolerance) in [("1e-4", 1e-4), ("1e-6", 1e-6)] {
                if !wanted(text, &["1e-4", "1e-6"]) {
                    continue;
                }
                println!("{name}{}", if warm { ", warm" } else { "" });
                let mut rows = Vec::new();
                for &size in &all[..sizes] {
                    rows.push(case(name, size, solver, tolerance, warm));
                    // what fails here would fail longer at the next size
                    if rows.iter().filter(|r| !r.converged).count() >= 2 {
                        break;
                    }
                }
                if let Some(p) = exponent(&rows) {
                    println!("{:>9} {tolerance:>7.0e} {name}: time ~ contacts^{p:.2}", solver.name());
                }
            }
        }
    }
}
