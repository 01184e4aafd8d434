//! From a mirror to a file.

use std::path::Path;

use super::{FclibFile, Solution, StoredMatrix};
use crate::error::IoError;
use crate::hdf5::{Attribute, Writer};
use crate::replace_file::replace_file;

impl FclibFile {
    /// Writes the file. A file of that name is replaced only once the new one is complete and on the disk.
    ///
    /// # Errors
    /// When the system refuses; an old file is then still as it was.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), IoError> {
        replace_file(path.as_ref(), |temporary| {
            let out = Writer::create(temporary)?;
            self.put(&out)?;
            out.finish()
        })
    }

    fn put(&self, out: &Writer) -> Result<(), IoError> {
        let group = self.formulation.group();
        out.group(group)?;
        out.ints(&format!("{group}/spacedim"), &[self.spacedim])?;
        for (name, a) in &self.matrices {
            put_matrix(out, &format!("{group}/{name}"), a)?;
        }
        out.group(&format!("{group}/vectors"))?;
        for (name, x) in &self.vectors {
            out.floats(&format!("{group}/vectors/{name}"), x)?;
        }
        if let Some(info) = &self.info {
            let place = format!("{group}/info");
            out.group(&place)?;
            let texts = [("title", &info.title), ("description", &info.description), ("math_info", &info.math_info)];
            for (name, text) in texts {
                if let Some(text) = text {
                    out.text(&format!("{place}/{name}"), text)?;
                }
            }
            put_attributes(out, &place, &info.attributes)?;
        }
        if let Some(guesses) = &self.guesses {
            out.group("guesses")?;
            out.ints("guesses/number_of_guesses", &[guesses.len() as i32])?;
            for (k, guess) in guesses.iter().enumerate() {
                put_solution(out, &format!("guesses/{}", k + 1), guess)?;
            }
        }
        self.solution.as_ref().map_or(Ok(()), |solution| put_solution(out, "solution", solution))
    }
}

fn put_matrix(out: &Writer, place: &str, a: &StoredMatrix) -> Result<(), IoError> {
    let at = |name: &str| format!("{place}/{name}");
    out.group(place)?;
    for (name, value) in [("nzmax", a.nzmax), ("m", a.m), ("n", a.n), ("nz", a.nz)] {
        out.ints(&at(name), &[value])?;
    }
    out.ints(&at("p"), &a.p)?;
    out.ints(&at("i"), &a.i)?;
    out.floats(&at("x"), &a.x)?;
    if let Some(text) = &a.info.comment {
        out.text(&at("comment"), text)?;
    }
    for (name, value) in [("conditioning", a.info.conditioning), ("determinant", a.info.determinant)] {
        if let Some(value) = value {
            out.floats(&at(name), &[value])?;
        }
    }
    if let Some(rank) = a.info.rank {
        out.ints(&at("rank"), &[rank])?;
    }
    put_attributes(out, place, &a.info.attributes)
}

fn put_solution(out: &Writer, place: &str, solution: &Solution) -> Result<(), IoError> {
    out.group(place)?;
    for (name, x) in solution.parts() {
        if let Some(x) = x {
            out.floats(&format!("{place}/{name}"), x)?;
        }
    }
    Ok(())
}

fn put_attributes(out: &Writer, group: &str, attributes: &[Attribute]) -> Result<(), IoError> {
    attributes.iter().try_for_each(|a| out.attribute(group, a))
}
