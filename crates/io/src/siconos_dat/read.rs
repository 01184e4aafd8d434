//! Reading local and global problems.

use std::path::Path;

use stickslip_contact::cone::Cone;
use stickslip_contact::problem::Notice;

use super::matrix;
use super::scanner::Scanner;
use crate::error::IoError;
use crate::problem::Problem;

/// A problem from a text file.
#[derive(Debug, Clone)]
pub struct Dat {
    /// The problem.
    pub problem: Problem,
    /// What a user should know about the file.
    pub notices: Vec<Notice>,
}

/// Reads a Siconos text file.
///
/// # Errors
/// With the line and what was expected there.
pub fn read(path: impl AsRef<Path>) -> Result<Dat, IoError> {
    let path = path.as_ref();
    read_text(&text_of(path)?).map_err(|e| e.at(path))
}

/// The text of a file.
pub(crate) fn text_of(path: &Path) -> Result<String, IoError> {
    let bytes = std::fs::read(path).map_err(|e| IoError::system(path, "open", e))?;
    String::from_utf8(bytes).map_err(|e| {
        let valid = e.utf8_error().valid_up_to();
        let line = 1 + e.as_bytes()[..valid].iter().filter(|&&b| b == b'\n').count();
        let remedy = "neither an HDF5 file nor a Siconos text file; choose another";
        IoError::content(format!("line {line}"), "this is not text", remedy).at(path)
    })
}

/// Reads the text of a Siconos file.
///
/// # Errors
/// With the line and what was expected there.
pub fn read_text(text: &str) -> Result<Dat, IoError> {
    let mut s = Scanner::new(text);
    let dimension = s.count("the dimension of the contacts")?;
    if ![2, 3, 5].contains(&dimension) {
        return Err(s.fault(format!("dimension {dimension} found, 2, 3 or (rolling in space) 5 expected")));
    }
    let contacts = s.count("the number of contacts")?;
    s.room_for(contacts, "the contacts")?;
    let first = matrix::read(&mut s, "the matrix W or M")?;
    let rows = dimension * contacts;
    if starts_h(&s, first.shape().0, rows) {
        global(s, dimension, contacts, &first)
    } else if first.shape() == (rows, rows) {
        local(s, dimension, contacts, &first)
    } else {
        let (m, n) = first.shape();
        let what = format!("a matrix of {m} x {n} found; W of {rows} x {rows}, or M followed by H, expected");
        Err(s.fault(what))
    }
}

/// Whether a matrix of n x m follows: a global problem. Siconos prints no vector as whole numbers.
fn starts_h(s: &Scanner, n: usize, m: usize) -> bool {
    let mut ahead = s.clone();
    let mut next = || ahead.word().and_then(|w| w.parse::<usize>().ok());
    matches!(next(), Some(0..=2)) && next() == Some(n) && next() == Some(m)
}

fn local(mut s: Scanner, d: usize, contacts: usize, w: &stickslip_contact::matrix::Triplet) -> Result<Dat, IoError> {
    let q = s.floats(d * contacts, "q")?;
    let (cones, mut notices) = laws(&mut s, d, contacts)?;
    let (problem, more) = Problem::local(d, &matrix::compressed(w), &q, cones, "problem")?;
    notices.extend(more);
    Ok(Dat { problem, notices })
}

fn global(mut s: Scanner, d: usize, contacts: usize, m: &stickslip_contact::matrix::Triplet) -> Result<Dat, IoError> {
    let h = matrix::read(&mut s, "the matrix H")?;
    let (f, w) = (s.floats(m.shape().0, "f")?, s.floats(d * contacts, "w")?);
    let (cones, mut notices) = laws(&mut s, d, contacts)?;
    let matrices = [matrix::compressed(m), matrix::compressed(&h)];
    let (problem, more) = Problem::global(d, matrices, [f, w], cones, "problem")?;
    notices.extend(more);
    Ok(Dat { problem, notices })
}

/// The coefficients at the end of a file; old files close with a flag 0 or 1 after them.
fn laws(s: &mut Scanner, d: usize, contacts: usize) -> Result<(Vec<Cone>, Vec<Notice>), IoError> {
    let mu = s.floats(contacts, "mu")?;
    let (left, first) = s.remaining();
    let flag = left == 1 && matches!(first, Some("0" | "1"));
    let rolling = d == 5 || (d == 3 && contacts > 0 && left == contacts && !flag);
    let mut notices = Vec::new();
    let cones = if rolling {
        let mu_r = s.floats(contacts, "mu_r")?;
        mu.iter().zip(mu_r).map(|(&mu, mu_r)| Cone::Rolling { mu, mu_r }).collect()
    } else {
        mu.iter().map(|&mu| Cone::Coulomb { mu }).collect()
    };
    let (left, _) = s.remaining();
    if left > 0 && !flag {
        notices.push(Notice::File(format!("{left} words after the end of the problem were ignored")));
    }
    if rolling && d == 3 {
        let text = "a second coefficient for every contact follows mu: read as rolling in the plane (N, T, R)";
        notices.push(Notice::File(text.into()));
    }
    Ok((cones, notices))
}
