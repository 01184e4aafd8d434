//! From a file to its mirror.

use std::path::Path;

use stickslip_contact::problem::Notice;

use super::{FclibFile, Formulation, Info, MATRICES, MatrixInfo, Solution, StoredMatrix, VECTORS};
use crate::error::IoError;
use crate::hdf5::Reader;

/// The datasets of a matrix group.
const MATRIX_PARTS: [&str; 11] =
    ["m", "n", "nzmax", "nz", "p", "i", "x", "comment", "conditioning", "determinant", "rank"];

impl FclibFile {
    /// Reads a file.
    ///
    /// # Errors
    /// When it is no HDF5 file, holds no FCLIB problem, or lacks a part.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, IoError> {
        Self::read_with_notices(path).map(|(file, _)| file)
    }

    /// Reads a file, and tells what in it is not FCLIB and would be lost by writing it again.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with_notices(path: impl AsRef<Path>) -> Result<(Self, Vec<Notice>), IoError> {
        let path = path.as_ref();
        let mut source = Source { hdf5: Reader::open(path)?, strange: Vec::new() };
        let file = source.file().map_err(|e| e.at(path))?;
        let notices = if source.strange.is_empty() {
            Vec::new()
        } else {
            let list = source.strange.join(", ");
            vec![Notice::File(format!("not part of FCLIB, hence ignored and not written again: {list}"))]
        };
        Ok((file, notices))
    }
}

struct Source {
    hdf5: Reader,
    strange: Vec<String>,
}

impl Source {
    fn file(&mut self) -> Result<FclibFile, IoError> {
        let names = self.hdf5.root_names();
        let Some(formulation) = Formulation::ALL.into_iter().find(|f| names.iter().any(|n| n == f.group())) else {
            let what = "none of the groups fclib_local, fclib_global, fclib_global_rolling, fclib_local_rolling found";
            return Err(IoError::content("/", what, "this HDF5 file holds no FCLIB problem; choose another"));
        };
        let group = formulation.group();
        self.note_strangers("", &[group, "guesses", "solution"]);
        self.note_strangers(group, &[&MATRICES[..], &["spacedim", "vectors", "info"]].concat());
        let spacedim = self.hdf5.int(&format!("{group}/spacedim"))?;
        let mut matrices = std::collections::BTreeMap::new();
        for name in MATRICES {
            let place = format!("{group}/{name}");
            if self.hdf5.has_group(&place)? {
                matrices.insert(name.into(), self.matrix(&place)?);
            }
        }
        let mut vectors = std::collections::BTreeMap::new();
        let place = format!("{group}/vectors");
        self.note_strangers(&place, &VECTORS);
        for name in VECTORS {
            if let Some(x) = self.floats(&place, name)? {
                vectors.insert(name.into(), x);
            }
        }
        let info = self.info(&format!("{group}/info"))?;
        let (guesses, solution) = (self.guesses()?, self.solution("solution")?);
        Ok(FclibFile { formulation, spacedim, matrices, vectors, info, guesses, solution })
    }

    fn matrix(&mut self, place: &str) -> Result<StoredMatrix, IoError> {
        self.note_strangers(place, &MATRIX_PARTS);
        let attributes = self.attributes(place)?;
        let at = |name: &str| format!("{place}/{name}");
        let has = |name: &str| self.hdf5.has_dataset(&at(name));
        let info = MatrixInfo {
            comment: has("comment").then(|| self.hdf5.text(&at("comment"))).transpose()?,
            conditioning: has("conditioning").then(|| self.hdf5.float(&at("conditioning"))).transpose()?,
            determinant: has("determinant").then(|| self.hdf5.float(&at("determinant"))).transpose()?,
            rank: has("rank").then(|| self.hdf5.int(&at("rank"))).transpose()?,
            attributes,
        };
        Ok(StoredMatrix {
            m: self.hdf5.int(&at("m"))?,
            n: self.hdf5.int(&at("n"))?,
            nzmax: self.hdf5.int(&at("nzmax"))?,
            nz: self.hdf5.int(&at("nz"))?,
            p: self.hdf5.ints(&at("p"))?,
            i: self.hdf5.ints(&at("i"))?,
            x: self.hdf5.floats(&at("x"))?,
            info,
        })
    }

    fn info(&mut self, place: &str) -> Result<Option<Info>, IoError> {
        if !self.hdf5.has_group(place)? {
            return Ok(None);
        }
        self.note_strangers(place, &["title", "description", "math_info"]);
        let attributes = self.attributes(place)?;
        let text = |name: &str| {
            let at = format!("{place}/{name}");
            self.hdf5.has_dataset(&at).then(|| self.hdf5.text(&at)).transpose()
        };
        let (title, description, math_info) = (text("title")?, text("description")?, text("math_info")?);
        Ok(Some(Info { title, description, math_info, attributes }))
    }

    fn guesses(&mut self) -> Result<Option<Vec<Solution>>, IoError> {
        if !self.hdf5.has_group("guesses")? {
            return Ok(None);
        }
        let count = self.hdf5.int("guesses/number_of_guesses")?;
        let names: Vec<String> =
            (1..=count.max(0)).take(1 + self.hdf5.names("guesses").len()).map(|k| k.to_string()).collect();
        let known: Vec<&str> = names.iter().map(String::as_str).chain(["number_of_guesses"]).collect();
        self.note_strangers("guesses", &known);
        let mut guesses = Vec::new();
        for name in &names {
            let place = format!("guesses/{name}");
            let Some(guess) = self.solution(&place)? else {
                let what = format!("not found, though number_of_guesses is {count}");
                return Err(IoError::content(place, what, "correct the number, or add the group"));
            };
            guesses.push(guess);
        }
        Ok(Some(guesses))
    }

    fn solution(&mut self, place: &str) -> Result<Option<Solution>, IoError> {
        if !self.hdf5.has_group(place)? {
            return Ok(None);
        }
        self.note_strangers(place, &["u", "r", "v", "l"]);
        let [u, r, v, l] = ["u", "r", "v", "l"].map(|name| self.floats(place, name));
        Ok(Some(Solution { u: u?, r: r?, v: v?, l: l? }))
    }

    fn floats(&self, group: &str, name: &str) -> Result<Option<Vec<f64>>, IoError> {
        let place = format!("{group}/{name}");
        self.hdf5.has_dataset(&place).then(|| self.hdf5.floats(&place)).transpose()
    }

    fn attributes(&mut self, group: &str) -> Result<Vec<crate::hdf5::Attribute>, IoError> {
        let (kept, lost) = self.hdf5.attributes(group)?;
        self.strange.extend(lost.iter().map(|name| format!("attribute {name} of {group}")));
        Ok(kept)
    }

    fn note_strangers(&mut self, group: &str, known: &[&str]) {
        let names = if group.is_empty() { self.hdf5.root_names() } else { self.hdf5.names(group) };
        let strange = names.into_iter().filter(|name| !known.contains(&name.as_str()));
        self.strange.extend(strange.map(|name| format!("{group}/{name}")));
    }
}
