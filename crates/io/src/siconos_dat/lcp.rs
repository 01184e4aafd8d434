//! Reading and writing linear complementarity problems.

use std::path::Path;

use stickslip_contact::lcp::LcpProblem;
use stickslip_contact::matrix::{Csr, Dense};

use super::matrix;
use super::read::text_of;
use super::scanner::Scanner;
use super::write::numbers;
use crate::error::IoError;
use crate::replace_file::replace_file;

/// The most unknowns that are read: a full M of this size takes 200 MB, whatever the size of its file.
const MAX_UNKNOWNS: usize = 5000;

/// A complementarity problem from a text file.
#[derive(Debug, Clone, PartialEq)]
pub struct LcpDat {
    /// The problem.
    pub problem: LcpProblem,
    /// The z that the file gives as known, if it does.
    pub known: Option<Vec<f64>>,
}

/// Reads a Siconos LCP file: `n, M, q [, z]`; words after that are remarks.
///
/// # Errors
/// With the line and what was expected there.
pub fn read_lcp(path: impl AsRef<Path>) -> Result<LcpDat, IoError> {
    let path = path.as_ref();
    read_lcp_text(&text_of(path)?).map_err(|e| e.at(path))
}

/// Reads the text of a Siconos LCP file.
///
/// # Errors
/// With the line and what was expected there.
pub fn read_lcp_text(text: &str) -> Result<LcpDat, IoError> {
    let mut s = Scanner::new(text);
    let n = s.count("the number of unknowns")?;
    s.room_for(n, "q")?;
    if n > MAX_UNKNOWNS {
        return Err(s.fault(format!("{n} unknowns found, {MAX_UNKNOWNS} at most are read (M is kept full)")));
    }
    let m = if has_storage(&s, n) { stored(&mut s, n)? } else { plain(&mut s, n)? };
    let q = s.floats(n, "q")?;
    let known = known_solution(s.clone(), n);
    let problem = LcpProblem::new(m, q).map_err(|e| s.fault(e.to_string()))?;
    Ok(LcpDat { problem, known })
}

/// Whether a text is a complementarity problem rather than a contact problem, by its first words and its length.
pub(crate) fn looks_like_lcp(text: &str) -> bool {
    let mut s = Scanner::new(text);
    let Ok(n) = s.count("the number of unknowns") else { return false };
    if has_storage(&s, n) {
        return true;
    }
    // dimension, contacts, storage, rows and columns of W: a contact problem cut short
    let head: Vec<usize> = text.split_whitespace().take(5).filter_map(|w| w.parse().ok()).collect();
    if let [d, contacts, 0..=2, rows, columns] = head[..]
        && rows == columns
        && d.checked_mul(contacts) == Some(rows)
    {
        return false;
    }
    // the oldest files: n, M, q, perhaps z, and then nothing or a remark
    let is_number = |w: &&str| w.parse::<f64>().is_ok();
    let numbers = text.split_whitespace().skip(1).take_while(is_number).count();
    n > 0 && n <= MAX_UNKNOWNS && [n * n + n, n * n + 2 * n].contains(&numbers)
}

/// Writes a complementarity problem with 17 digits and, behind it, a z.
///
/// # Errors
/// When the system refuses.
pub fn write_lcp(path: impl AsRef<Path>, problem: &LcpProblem, z: Option<&[f64]>) -> Result<(), IoError> {
    let n = problem.size();
    let mut out = format!("{n}\n0\n{n}\n{n}\n{n} {n}\n");
    for j in 0..n {
        numbers(&mut out, &(0..n).map(|i| problem.m().row(i)[j]).collect::<Vec<_>>());
    }
    numbers(&mut out, problem.q());
    if let Some(z) = z {
        numbers(&mut out, z);
    }
    let path = path.as_ref();
    replace_file(path, |temporary| std::fs::write(temporary, out).map_err(|e| IoError::system(path, "write", e)))
}

/// Whether a storage code and the size follow, as in all but the oldest files.
fn has_storage(s: &Scanner, n: usize) -> bool {
    let mut s = s.clone();
    let code = matches!(s.word(), Some("0" | "1" | "2"));
    let mut is_size = || s.word().and_then(|w| w.parse().ok()) == Some(n);
    code && is_size() && is_size()
}

fn stored(s: &mut Scanner, n: usize) -> Result<Dense, IoError> {
    let m = matrix::read(s, "the matrix M")?;
    if m.shape() != (n, n) {
        let (rows, cols) = m.shape();
        return Err(s.fault(format!("M of {rows} x {cols} found, {n} x {n} expected")));
    }
    Ok(Dense::from(&Csr::from(&m)))
}

/// The oldest files: the values alone, by rows.
fn plain(s: &mut Scanner, n: usize) -> Result<Dense, IoError> {
    let values = s.floats(n.saturating_mul(n), "the matrix M")?;
    Ok(Dense::from_fn(n, n, |i, j| values[i * n + j]))
}

/// n more numbers are a known z; anything else is a remark.
fn known_solution(mut s: Scanner, n: usize) -> Option<Vec<f64>> {
    if n == 0 {
        return None;
    }
    (0..n).map(|_| s.word()?.parse().ok().filter(|x: &f64| x.is_finite())).collect()
}
