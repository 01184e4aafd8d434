//! Writing local problems.

use std::fmt::Write as _;
use std::path::Path;

use stickslip_contact::cone::{Cone, rolls};
use stickslip_contact::matrix::Dense;
use stickslip_contact::problem::LocalProblem;

use crate::error::IoError;
use crate::replace_file::replace_file;

/// How to store W.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatStorage {
    /// Every entry, by columns.
    Dense,
    /// Blocks that are not zero.
    Blocks,
}

/// Writes a local problem for Siconos, with 17 digits, so that it reads back exactly.
///
/// # Errors
/// When a law is neither Coulomb nor rolling nor frictionless, or the system refuses.
pub fn write_local<const D: usize>(
    path: impl AsRef<Path>,
    problem: &LocalProblem<D>,
    storage: DatStorage,
) -> Result<(), IoError> {
    let mut out = format!("{D}\n{}\n", problem.contacts());
    match storage {
        DatStorage::Dense => dense(&mut out, problem),
        DatStorage::Blocks => blocks(&mut out, problem),
    }
    numbers(&mut out, problem.q.as_flattened());
    let (mu, mu_r) = coefficients::<D>(&problem.cones)?;
    numbers(&mut out, &mu);
    if let Some(mu_r) = mu_r {
        numbers(&mut out, &mu_r);
    }
    let path = path.as_ref();
    replace_file(path, |temporary| std::fs::write(temporary, out).map_err(|e| IoError::system(path, "write", e)))
}

pub(super) fn numbers(out: &mut String, x: &[f64]) {
    for x in x {
        number(out, *x);
        out.push(' ');
    }
    out.push('\n');
}

fn number(out: &mut String, x: f64) {
    // writing into a string cannot fail
    let _ = write!(out, "{x:.16e}");
}

fn dense<const D: usize>(out: &mut String, problem: &LocalProblem<D>) {
    // the rows of the transpose are the columns
    let w = Dense::from(&problem.w.to_csr().transpose());
    let n = w.rows();
    out.push_str(&format!("0\n{n}\n{n}\n{n}\t{n}\n"));
    (0..n).for_each(|j| numbers(out, w.row(j)));
}

fn blocks<const D: usize>(out: &mut String, problem: &LocalProblem<D>) {
    let (w, nc) = (&problem.w, problem.contacts());
    let count = w.stored_blocks();
    let list = |x: &mut dyn Iterator<Item = usize>| x.map(|k| format!("{k}\t")).collect::<String>() + "\n";
    out.push_str(&format!("1\n{}\n{}\n{count}\n", nc * D, nc * D));
    if count == 0 {
        return;
    }
    let ends = list(&mut (1..=nc).map(|k| k * D));
    let mut filled = 0;
    let pointers = list(&mut std::iter::once(0).chain((0..nc).map(|c| {
        filled += w.block_row(c).count();
        filled
    })));
    let columns = list(&mut (0..nc).flat_map(|c| w.block_row(c).map(|(j, _)| j)));
    out.push_str(&format!("{nc}\n{nc}\n{ends}{ends}{}\n{count}\n{pointers}{columns}", nc + 1));
    let all = (0..nc).flat_map(|c| w.block_row(c).map(|(_, b)| b));
    for (k, block) in all.enumerate() {
        out.push_str(&format!("{k}\n"));
        for j in 0..D {
            for i in 0..D {
                number(out, block[i][j]);
                out.push('\n');
            }
        }
    }
}

fn coefficients<const D: usize>(cones: &[Cone]) -> Result<(Vec<f64>, Option<Vec<f64>>), IoError> {
    let rolling = D == 5 || rolls(cones);
    let (mut mu, mut mu_r) = (Vec::new(), Vec::new());
    for (contact, cone) in cones.iter().enumerate() {
        let (a, b) = match *cone {
            Cone::Coulomb { mu } if D != 3 || !rolling => (mu, 0.0),
            Cone::Rolling { mu, mu_r } if D != 2 => (mu, mu_r),
            Cone::Frictionless => (0.0, 0.0),
            other => {
                let remedy = "Siconos text files hold Coulomb friction, or rolling, throughout";
                return Err(IoError::Unstorable {
                    what: format!("contact {contact}, {other:?},"),
                    remedy: remedy.into(),
                });
            }
        };
        mu.push(a);
        mu_r.push(b);
    }
    Ok((mu, rolling.then_some(mu_r)))
}
