//! Linear complementarity problems on the command line: told, solved, certified.

use crate::interrupt;
use anyhow::{Result, anyhow};
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};
use stickslip::contact::lcp::{LcpCertificate, LcpProblem, LcpSolverSpec, LcpStatus};
use stickslip::contact::matrix::{Csr, Dense};
use stickslip::contact::spectrum::Spectrum;
use stickslip::io::siconos_dat::{LcpDat, write_lcp};

/// Eigenvalues are computed up to this many rows: two seconds' work.
const SPECTRUM_ROWS: usize = 2000;

/// What to do with an answer.
pub struct Output<'a> {
    /// The certificate must come down to this.
    pub tolerance: f64,
    /// Most iterations.
    pub max_iterations: usize,
    /// Most time.
    pub time_limit: Option<Duration>,
    /// Print JSON instead of text.
    pub json: bool,
    /// Write problem and answer here.
    pub out: Option<&'a Path>,
}

/// Solves one problem and says so; true when the certificate holds.
pub fn solve(file: &Path, dat: &LcpDat, solver: &LcpSolverSpec, output: &Output<'_>) -> Result<bool> {
    let start = Instant::now();
    let mut out_of_time = false;
    let mut found = solver.solve(&dat.problem, &mut |iterations| {
        out_of_time = output.time_limit.is_some_and(|t| start.elapsed() >= t);
        out_of_time || iterations >= output.max_iterations || interrupt::asked()
    });
    // whoever asked was one of three
    if found.status == LcpStatus::Interrupted && !out_of_time && found.iterations >= output.max_iterations {
        found.status = LcpStatus::IterationLimit;
    }
    let seconds = start.elapsed().as_secs_f64();
    let holds = found.certificate.holds(output.tolerance);
    let status = match found.status {
        LcpStatus::Interrupted if out_of_time => "time limit reached".to_string(),
        other => other.to_string(),
    };
    if output.json {
        let value = serde_json::json!({
            "file": file.display().to_string(),
            "kind": "lcp",
            "unknowns": dat.problem.size(),
            "solver": solver,
            "status": if out_of_time { serde_json::json!("time_limit") } else { serde_json::json!(found.status) },
            "converged": holds,
            "iterations": found.iterations,
            "seconds": seconds,
            "certificate": found.certificate,
            "z": found.z,
        });
        crate::say!("{value}");
    } else {
        let remedy = if holds { None } else { solver.remedy(found.status) };
        let remedy = remedy.map_or(String::new(), |r| format!("\n  remedy        {r}"));
        crate::say!(
            "{}: {status} with {} after {} iterations in {seconds:.3} s ({} unknowns, complementarity)\n{}{remedy}",
            file.display(),
            solver.name(),
            found.iterations,
            dat.problem.size(),
            certificate(&found.certificate, output.tolerance),
        );
    }
    if let Some(path) = output.out {
        write_lcp(path, &dat.problem, Some(&found.z))?;
    }
    Ok(holds)
}

/// The certificate, line by line.
fn certificate(c: &LcpCertificate, tolerance: f64) -> String {
    let verdict = if c.holds(tolerance) { "holds" } else { "DOES NOT HOLD" };
    format!(
        "  certificate   {verdict}: error {:.2e} against tolerance {tolerance:.0e} (|min(m z, M z + q)| over |q|)\n\
         \x20 signs         z at least {:.2e}, w = M z + q at least {:.2e} (should be 0 or more)\n\
         \x20 products      largest |z w| {:.2e} (should be 0: one of the two vanishes)",
        c.error,
        0.0 - c.negative_z,
        0.0 - c.negative_w,
        c.complementarity,
    )
}

/// Certifies the z stored behind a problem; true when it holds.
pub fn verify(file: &Path, dat: &LcpDat, tolerance: f64, json: bool) -> Result<bool> {
    let z = dat.known.as_deref().ok_or_else(|| {
        anyhow!("{}: no solution z is stored behind q; 'stickslip solve --out X.dat' writes one", file.display())
    })?;
    let c = dat.problem.certify(z);
    if json {
        let value = serde_json::json!({
            "file": file.display().to_string(), "kind": "lcp", "holds": c.holds(tolerance), "certificate": c,
        });
        crate::say!("{value}");
    } else {
        crate::say!("{}\n{}", file.display(), certificate(&c, tolerance));
    }
    Ok(c.holds(tolerance))
}

/// What is in the problem, and which solvers it is for.
pub fn describe(file: &Path, dat: &LcpDat) -> Result<String> {
    let (p, n) = (&dat.problem, dat.problem.size());
    let mut s = String::new();
    writeln!(s, "{}", file.display())?;
    writeln!(s, "  formulation    linear complementarity, w = M z + q, 0 <= w, z, w.z = 0; Siconos text")?;
    let nonzero = (0..n).map(|i| p.m().row(i).iter().filter(|x| **x != 0.0).count()).sum::<usize>();
    let symmetric = Csr::from(p.m()).asymmetry() <= 1e-10;
    let word = if symmetric { "symmetric" } else { "not symmetric" };
    writeln!(s, "  M              {n} x {n}, {nonzero} entries that are not zero, {word}")?;
    let negative = p.q().iter().filter(|q| **q < 0.0).count();
    writeln!(s, "  |q|            {:.3e}, {negative} entries negative", stickslip::contact::block::norm(p.q()))?;
    definiteness(&mut s, p, symmetric)?;
    writeln!(s, "  stored         solution {}", if dat.known.is_some() { "yes" } else { "no" })?;
    Ok(s)
}

/// The eigenvalues of the symmetric part decide what converges.
fn definiteness(s: &mut String, p: &LcpProblem, symmetric: bool) -> Result<()> {
    let n = p.size();
    if n == 0 || n > SPECTRUM_ROWS {
        return Ok(());
    }
    let half = Dense::from_fn(n, n, |i, j| 0.5 * (p.m().row(i)[j] + p.m().row(j)[i]));
    let Some(spectrum) = Spectrum::new(&Csr::from(&half)) else { return Ok(()) };
    let (low, high) = (spectrum.values.first().copied().unwrap_or(0.0), spectrum.largest());
    let small = 1e-12 * high.abs().max(low.abs());
    let (word, solvers) = match (low > small, low >= -small, symmetric) {
        (true, _, true) => ("positive definite: one solution", "all solvers; enumeration up to 20 unknowns"),
        (true, _, false) => ("positive definite: one solution", "lemke, nonsymmetric-qp, enumeration"),
        (_, true, true) => ("positive semidefinite", "lemke, projected-cg, projected-gradient, enumeration"),
        (_, true, false) => ("positive semidefinite", "lemke, enumeration"),
        _ => ("indefinite: none, one or many solutions", "lemke, enumeration"),
    };
    writeln!(s, "  symmetric part eigenvalues {low:.3e} to {high:.3e}: {word}")?;
    writeln!(s, "  solvers        {solvers}")?;
    Ok(())
}
