//! `stickslip info`.

use crate::{Outcome, lcp};
use anyhow::{Context, Result};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use stickslip::contact::cone::Cone;
use stickslip::contact::mass::Mass;
use stickslip::contact::matrix::Csr;
use stickslip::contact::problem::{GlobalProblem, LocalProblem, Notice};
use stickslip::contact::spectrum::Spectrum;
use stickslip::io::{self, Content, Format, Opened, on_each};

/// Eigenvalues are computed up to this many rows: two seconds' work.
const SPECTRUM_ROWS: usize = 2000;

/// Tell what is in a problem file.
#[derive(clap::Args)]
pub struct Arguments {
    /// Problem files: FCLIB (HDF5) or Siconos (.dat), contact or linear complementarity
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Describes every file.
pub fn run(a: Arguments) -> Result<Outcome> {
    for file in &a.files {
        crate::say!("{}", describe(file).with_context(|| file.display().to_string())?.trim_end());
    }
    Ok(Outcome::Done)
}

fn describe(file: &Path) -> Result<String> {
    let opened = match io::open_any(file)? {
        Content::Contact(opened) => *opened,
        Content::Lcp(dat) => return lcp::describe(file, &dat),
    };
    let mut s = String::new();
    let form = if opened.problem.is_global() { "global (M, H, f, w, mu)" } else { "local (W, q, mu)" };
    let format = match opened.format {
        Format::Fclib => "FCLIB HDF5",
        Format::SiconosDat => "Siconos text",
    };
    writeln!(s, "{}", file.display())?;
    if let Some(title) = opened.title.as_ref().filter(|t| !t.trim().is_empty()) {
        writeln!(s, "  title          {}", title.trim())?;
    }
    writeln!(s, "  formulation    {form}, {format}")?;
    writeln!(
        s,
        "  contacts       {} of {} rows: {}",
        opened.problem.contacts(),
        opened.problem.dimension(),
        laws(opened.problem.cones())
    )?;
    let mut notices = opened.notices.clone();
    on_each!(&opened.problem, local p => local(&mut s, p)?, global p => global(&mut s, p, &mut notices)?);
    stored(&mut s, &opened)?;
    for notice in &notices {
        writeln!(s, "  note           {notice}")?;
    }
    Ok(s)
}

/// The laws present, with the range of their coefficients.
fn laws(cones: &[Cone]) -> String {
    let mut parts = Vec::new();
    let mut law = |name: &str, values: Vec<f64>| {
        if let (Some(low), Some(high)) =
            (values.iter().copied().reduce(f64::min), values.iter().copied().reduce(f64::max))
        {
            let range = if low == high { format!("{low}") } else { format!("{low} to {high}") };
            parts.push(format!("{name} {range} ({})", values.len()));
        }
    };
    law(
        "Coulomb, mu",
        cones.iter().filter_map(|c| if let Cone::Coulomb { mu } = c { Some(*mu) } else { None }).collect(),
    );
    law(
        "rolling, mu",
        cones.iter().filter_map(|c| if let Cone::Rolling { mu, .. } = c { Some(*mu) } else { None }).collect(),
    );
    law(
        "rolling, mu_r",
        cones.iter().filter_map(|c| if let Cone::Rolling { mu_r, .. } = c { Some(*mu_r) } else { None }).collect(),
    );
    let joints = cones.iter().filter(|c| matches!(c, Cone::Bilateral)).count();
    if joints > 0 {
        parts.push(format!("joints ({joints})"));
    }
    parts.join(", ")
}

fn local<const D: usize>(s: &mut String, p: &LocalProblem<D>) -> Result<()> {
    let w = p.w.to_csr();
    let m = w.rows();
    writeln!(
        s,
        "  W              {m} x {m}, {} entries, density {:.2e}",
        w.nnz(),
        w.nnz() as f64 / (m as f64 * m as f64).max(1.0)
    )?;
    let q = stickslip::contact::block::norm_all(&p.q);
    writeln!(s, "  |q|            {q:.3e}{}", if q < 1e-14 { " (rounding noise of a system at rest?)" } else { "" })?;
    spectrum(s, &w)
}

fn global<const D: usize>(s: &mut String, p: &GlobalProblem<D>, notices: &mut Vec<Notice>) -> Result<()> {
    let mass = p.factor_mass()?;
    let structure = match &mass {
        Mass::BlockDiagonal(blocks) => {
            let largest = blocks.iter().map(|b| b.dofs.len()).max().unwrap_or(0);
            format!("block diagonal: {} blocks of at most {largest}", blocks.len())
        }
        Mass::Connected(_) => "one connected system".into(),
    };
    writeln!(s, "  M              {n} x {n}, {} entries, {structure}", p.m.nnz(), n = p.dofs())?;
    let touched = (0..p.h.rows()).filter(|&i| p.h.row(i).any(|(_, x)| x != 0.0)).count();
    writeln!(
        s,
        "  H              {} x {}, {} entries; {touched} degrees of freedom touch a contact",
        p.h.rows(),
        p.h.cols(),
        p.h.nnz()
    )?;
    let rows = p.h.cols();
    if rows > SPECTRUM_ROWS {
        let excess = rows.saturating_sub(touched);
        writeln!(
            s,
            "  hyperstatic    at least {excess} of {rows} contact rows are redundant (rows beyond degrees of freedom)"
        )?;
        return Ok(());
    }
    let (condensed, n) = p.condense_with(&mass)?;
    notices.extend(n);
    local(s, &condensed)
}

fn spectrum(s: &mut String, w: &Csr) -> Result<()> {
    let m = w.rows();
    if m > SPECTRUM_ROWS {
        writeln!(s, "  rank           not computed: {m} rows are more than {SPECTRUM_ROWS}")?;
        return Ok(());
    }
    let Some(e) = Spectrum::new(w) else { return Ok(()) };
    let rank = e.rank();
    let hyperstatic = if rank < m {
        format!("hyperstatic: {} impulses are not determined by the motion", m - rank)
    } else {
        "full: impulses are unique".into()
    };
    writeln!(s, "  rank           {rank} of {m}; {hyperstatic}")?;
    if let Some(c) = e.condition() {
        writeln!(
            s,
            "  conditioning   {c:.2e} (largest over smallest nonzero eigenvalue, {:.3e} largest)",
            e.largest()
        )?;
    }
    if let Some(low) = e.values.first().filter(|low| **low < -1e-8 * e.largest()) {
        writeln!(s, "  note           W is not positive semidefinite: smallest eigenvalue {low:.2e}")?;
    }
    Ok(())
}

fn stored(s: &mut String, opened: &Opened) -> Result<()> {
    let yes = |b: bool| if b { "yes" } else { "no" };
    let solution = opened.solution.as_ref().is_some_and(|x| x.r.is_some());
    writeln!(s, "  stored         guess {}, solution {}", yes(opened.guess.is_some()), yes(solution))?;
    Ok(())
}
