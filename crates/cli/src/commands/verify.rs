//! `stickslip verify`.

use crate::commands::solve::Limits;
use crate::{Outcome, explain, lcp};
use anyhow::{Result, anyhow};
use std::path::{Path, PathBuf};
use stickslip::contact::certificate::{Certificate, Measure};
use stickslip::contact::operator::Delassus;
use stickslip::contact::problem::{GlobalProblem, LocalProblem, Reduced};
use stickslip::io::{self, Content, Opened, on_each};

/// Certify the solution stored in a file.
#[derive(clap::Args)]
pub struct Arguments {
    /// Problem files with a stored solution
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// Print one JSON object a file instead of text
    #[arg(long)]
    json: bool,
}

/// Certifies every file: 0 when all hold, 2 when one does not, 1 when one cannot be judged.
pub fn run(a: Arguments) -> Result<Outcome> {
    let mut outcome = Outcome::Done;
    for file in &a.files {
        let opened = match io::open_any(file)? {
            Content::Contact(opened) => *opened,
            Content::Lcp(dat) => {
                if !lcp::verify(file, &dat, a.limits.tol, a.json)? {
                    outcome = Outcome::NotConverged;
                }
                continue;
            }
        };
        let (certificate, stored_u) = verify(file, &opened, a.limits.measure.into())?;
        if !certificate.holds(a.limits.tol) {
            outcome = Outcome::NotConverged;
        }
        if a.json {
            let value = serde_json::json!({
                "file": file.display().to_string(),
                "holds": certificate.holds(a.limits.tol),
                "certificate": certificate,
                "stored_u_off_by": stored_u,
            });
            crate::say!("{value}");
        } else {
            let u =
                stored_u.map_or(String::new(), |d| format!("\n  stored u      differs from W r + q by {d:.2e} of it"));
            crate::say!("{}\n{}{u}", file.display(), explain::certificate(&certificate, a.limits.tol));
        }
    }
    Ok(outcome)
}

/// The certificate of the stored r, and how far the stored u is from `W r + q`.
fn verify(file: &Path, opened: &Opened, measure: Measure) -> Result<(Certificate, Option<f64>)> {
    let solution = opened.solution.as_ref().ok_or_else(|| anyhow!("{}: no solution is stored", file.display()))?;
    let r = solution.r.as_deref().ok_or_else(|| {
        anyhow!(
            "{}: the stored solution has no impulses r (genuine files often hold zeros there), and a certificate is \
             computed from r alone; solve the file with 'stickslip solve --out'",
            file.display()
        )
    })?;
    let u = solution.u.as_deref();
    on_each!(&opened.problem, local p => judge(p, r, u, measure), global p => judge_global(p, r, u, measure))
}

fn judge_global<const D: usize>(
    p: &GlobalProblem<D>,
    r: &[f64],
    u: Option<&[f64]>,
    measure: Measure,
) -> Result<(Certificate, Option<f64>)> {
    match p.reduce(&p.factor_mass()?)? {
        Reduced::MatrixFree(p) => judge(&p, r, u, measure),
        Reduced::Condensed(p, _) => judge(&p, r, u, measure),
    }
}

fn judge<const D: usize, W: Delassus<D>>(
    p: &LocalProblem<D, W>,
    r: &[f64],
    stored: Option<&[f64]>,
    measure: Measure,
) -> Result<(Certificate, Option<f64>)> {
    let (certificate, u) = p.certify(r.as_chunks::<D>().0, measure);
    let off = stored.map(|s| stickslip::contact::certificate::relative_distance(s.as_chunks::<D>().0, &u));
    Ok((certificate, off))
}
