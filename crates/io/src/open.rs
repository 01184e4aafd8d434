//! Opening a problem file of any kind.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use stickslip_contact::problem::Notice;

use crate::error::IoError;
use crate::fclib::{Converted, FclibFile};
use crate::hdf5::SIGNATURE;
use crate::problem::Problem;
use crate::siconos_dat::{self, LcpDat};
use crate::stored_solution::StoredSolution;

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// FCLIB, HDF5.
    Fclib,
    /// Siconos text.
    SiconosDat,
}

/// A problem with everything its file says of it.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The problem.
    pub problem: Problem,
    /// What a user should know about the file.
    pub notices: Vec<Notice>,
    /// A first guess of the impulses, flat, joints last.
    pub guess: Option<Vec<f64>>,
    /// A stored solution.
    pub solution: Option<StoredSolution>,
    /// The title, if there is one.
    pub title: Option<String>,
    /// The kind of the file.
    pub format: Format,
    /// The file as stored, if it is FCLIB.
    pub raw: Option<FclibFile>,
}

/// What a problem file may hold.
#[derive(Debug, Clone)]
pub enum Content {
    /// A frictional contact problem.
    Contact(Box<Opened>),
    /// A linear complementarity problem.
    Lcp(LcpDat),
}

/// Reads a contact problem from a file, whose content decides the format.
///
/// # Errors
/// With the place in the file, what is wrong there, and the remedy.
pub fn open(path: impl AsRef<Path>) -> Result<Opened, IoError> {
    let path = path.as_ref();
    match open_any(path)? {
        Content::Contact(opened) => Ok(*opened),
        Content::Lcp(lcp) => {
            let what = format!("a linear complementarity problem of {} unknowns", lcp.problem.size());
            Err(IoError::content("the file", what, "a contact problem is asked for here").at(path))
        }
    }
}

/// Reads a problem of any kind from a file, whose content decides.
///
/// # Errors
/// With the place in the file, what is wrong there, and the remedy.
pub fn open_any(path: impl AsRef<Path>) -> Result<Content, IoError> {
    let path = path.as_ref();
    let mut start = Vec::new();
    let file = File::open(path).map_err(|e| IoError::system(path, "open", e))?;
    file.take(SIGNATURE.len() as u64).read_to_end(&mut start).map_err(|e| IoError::system(path, "read", e))?;
    if start != SIGNATURE {
        return text(path);
    }
    let (raw, mut notices) = FclibFile::read_with_notices(path)?;
    let Converted { problem, notices: more, guess, solution } = raw.problem().map_err(|e| e.at(path))?;
    notices.extend(more);
    let title = raw.title();
    let opened = Opened { problem, notices, guess, solution, title, format: Format::Fclib, raw: Some(raw) };
    Ok(Content::Contact(Box::new(opened)))
}

/// A text file: a contact problem where it reads as one, else a complementarity problem where it looks like one.
fn text(path: &Path) -> Result<Content, IoError> {
    let text = siconos_dat::text_of(path)?;
    match siconos_dat::read_text(&text) {
        Ok(siconos_dat::Dat { problem, notices }) => {
            let format = Format::SiconosDat;
            let opened = Opened { problem, notices, guess: None, solution: None, title: None, format, raw: None };
            Ok(Content::Contact(Box::new(opened)))
        }
        Err(_) if siconos_dat::looks_like_lcp(&text) => {
            siconos_dat::read_lcp_text(&text).map(Content::Lcp).map_err(|e| e.at(path))
        }
        Err(e) => Err(e.at(path)),
    }
}
