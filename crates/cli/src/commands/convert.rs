//! `stickslip convert`.

use crate::Outcome;
use anyhow::{Result, anyhow, bail};
use std::path::{Path, PathBuf};
use stickslip::contact::matrix::{Csr, Triplet};
use stickslip::contact::problem::{GlobalProblem, LocalProblem};
use stickslip::contact::spectrum::Spectrum;
use stickslip::io::fclib::{FclibFile, StoreOptions};
use stickslip::io::siconos_dat::{self, DatStorage};
use stickslip::io::{self, Opened, Problem, on_each};

/// Convert between file formats, and between the global and the local form.
#[derive(clap::Args)]
pub struct Arguments {
    /// The file to read
    from: PathBuf,
    /// The file to write: .hdf5 or .h5 for FCLIB, .dat for Siconos text (local form only)
    to: PathBuf,
    /// The form to write; as it is when left out
    #[arg(long = "to", value_enum)]
    form: Option<Form>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Form {
    Local,
    Global,
}

/// Largest W that is taken apart into H^T H.
const LARGEST_ROOT: usize = 3000;

/// Reads, changes the form if asked, writes.
pub fn run(a: Arguments) -> Result<Outcome> {
    let opened = io::open(&a.from)?;
    for notice in &opened.notices {
        eprintln!("note: {notice}");
    }
    let global = opened.problem.is_global();
    let changed = match a.form {
        Some(Form::Local) if global => Some(to_local(&opened.problem)?),
        Some(Form::Global) if !global => Some(to_global(&opened.problem)?),
        _ => None,
    };
    match a.to.extension().and_then(|e| e.to_str()) {
        Some("hdf5" | "h5") => fclib(&opened, changed.as_ref())?.write(&a.to)?,
        Some("dat") => dat(&a.to, changed.as_ref().unwrap_or(&opened.problem))?,
        _ => bail!("{}: the name must end in .hdf5, .h5 (FCLIB) or .dat (Siconos text)", a.to.display()),
    }
    crate::say!("{} written", a.to.display());
    Ok(Outcome::Done)
}

/// The file as it was, or made anew when form or format changed; the solution's r and u carry over.
fn fclib(opened: &Opened, changed: Option<&Problem>) -> Result<FclibFile> {
    if let (Some(raw), None) = (&opened.raw, changed) {
        return Ok(raw.clone());
    }
    let problem = changed.unwrap_or(&opened.problem);
    let o = StoreOptions::default();
    let mut file =
        on_each!(problem, local p => FclibFile::from_local(p, &o), global p => FclibFile::from_global(p, &o))?;
    if let Some(solution) = &opened.solution
        && let (Some(u), Some(r)) = (&solution.u, &solution.r)
    {
        file.set_solution(u, r, None)?;
    }
    Ok(file)
}

fn dat(path: &Path, problem: &Problem) -> Result<()> {
    match problem {
        Problem::Local2(p) => siconos_dat::write_local(path, p, DatStorage::Blocks)?,
        Problem::Local3(p) => siconos_dat::write_local(path, p, DatStorage::Blocks)?,
        Problem::Local5(p) => siconos_dat::write_local(path, p, DatStorage::Blocks)?,
        _ => bail!("Siconos text is written for the local form only; add --to local"),
    }
    Ok(())
}

fn to_local(problem: &Problem) -> Result<Problem> {
    Ok(match problem {
        Problem::Global2(p) => Problem::Local2(p.condense()?.0),
        Problem::Global3(p) => Problem::Local3(p.condense()?.0),
        Problem::Global5(p) => Problem::Local5(p.condense()?.0),
        local => local.clone(),
    })
}

fn to_global(problem: &Problem) -> Result<Problem> {
    Ok(match problem {
        Problem::Local2(p) => Problem::Global2(root(p)?),
        Problem::Local3(p) => Problem::Global3(root(p)?),
        Problem::Local5(p) => Problem::Global5(root(p)?),
        global => global.clone(),
    })
}

/// W = H^T H with M the identity: one degree of freedom for each nonzero eigenvalue of W.
fn root<const D: usize>(p: &LocalProblem<D>) -> Result<GlobalProblem<D>> {
    let w = p.w.to_csr();
    if w.rows() > LARGEST_ROOT {
        bail!("W has {} rows; more than {LARGEST_ROOT} are not taken apart into a global form", w.rows());
    }
    if w.asymmetry() > 1e-12 {
        bail!("W is not symmetric (|W - W^T| = {:.1e} |W|), so no M and H stand behind it", w.asymmetry());
    }
    let spectrum = Spectrum::new(&w).ok_or_else(|| anyhow!("the eigenvalues of W could not be computed"))?;
    if spectrum.values.first().is_some_and(|low| *low < -1e-8 * spectrum.largest()) {
        bail!("W is not positive semidefinite, so no M and H stand behind it");
    }
    let h = Csr::from(&spectrum.square_root());
    let n = h.rows();
    let identity = Triplet::new(n, n, (0..n as u32).collect(), (0..n as u32).collect(), vec![1.0; n])?;
    Ok(GlobalProblem::new(Csr::from(&identity), h, vec![0.0; n], p.q.clone(), p.cones.clone())?.0)
}
