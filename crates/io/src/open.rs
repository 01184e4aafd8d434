//! Opening a problem file of any kind.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use stickslip_contact::problem::Notice;

use crate::error::IoError;
use crate::fclib::{Converted, FclibFile};
use crate::hdf5::SIGNATURE;
use crate::problem::Problem;
use crate::siconos_dat;
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

/// Reads a problem from a file, whose content decides the format.
///
/// # Errors
/// With the place in the file, what is wrong there, and the remedy.
pub fn open(path: impl AsRef<Path>) -> Result<Opened, IoError> {
    let path = path.as_ref();
    let mut start = Vec::new();
    let file = File::open(path).map_err(|e| IoError::system(path, "open", e))?;
    file.take(SIGNATURE.len() as u64).read_to_end(&mut start).map_err(|e| IoError::system(path, "read", e))?;
    if start != SIGNATURE {
        let siconos_dat::Dat { problem, notices } = siconos_dat::read(path)?;
        let format = Format::SiconosDat;
        return Ok(Opened { problem, notices, guess: None, solution: None, title: None, format, raw: None });
    }
    let (raw, mut notices) = FclibFile::read_with_notices(path)?;
    let Converted { problem, notices: more, guess, solution } = raw.problem().map_err(|e| e.at(path))?;
    notices.extend(more);
    let title = raw.title();
    Ok(Opened { problem, notices, guess, solution, title, format: Format::Fclib, raw: Some(raw) })
}
