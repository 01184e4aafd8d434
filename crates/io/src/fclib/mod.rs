//! FCLIB, the HDF5 format of the frictional contact library, as stored and as a problem.
//!
//! [`FclibFile`] mirrors a file bit for bit: storage codes, the order of triplets, explicit zeros, what is present and
//! what is not. [`FclibFile::problem`] turns it into a problem to solve, [`FclibFile::from_local`] and
//! [`FclibFile::from_global`] go the other way.

mod problem;
mod read;
mod solution;
mod store;
mod stored_matrix;
mod write;

use std::collections::BTreeMap;

pub use crate::hdf5::{Attribute, AttributeData, Text};
pub use problem::Converted;
pub use solution::Solution;
pub use store::StoreOptions;
pub use stored_matrix::{MatrixInfo, Storage, StoredMatrix};

/// The matrices a file may hold: W, V, R local, M, H, G global.
pub const MATRICES: [&str; 6] = ["W", "V", "R", "M", "H", "G"];
/// The vectors a file may hold: q, s local, f, w, b global, mu and mu_r in both.
pub const VECTORS: [&str; 7] = ["q", "mu", "mu_r", "s", "f", "w", "b"];

/// Which of the four forms a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Formulation {
    /// `u = W r + q`.
    Local,
    /// The same with rolling resistance; an extension, which fclib itself does not read.
    LocalRolling,
    /// `M v = H r + f`, `u = H^T v + w`.
    Global,
    /// The same with rolling resistance.
    GlobalRolling,
}

impl Formulation {
    /// All of them, in the order in which a file is searched.
    pub const ALL: [Self; 4] = [Self::Local, Self::Global, Self::GlobalRolling, Self::LocalRolling];

    /// The root group that holds it.
    pub fn group(self) -> &'static str {
        match self {
            Self::Local => "fclib_local",
            Self::LocalRolling => "fclib_local_rolling",
            Self::Global => "fclib_global",
            Self::GlobalRolling => "fclib_global_rolling",
        }
    }

    /// Whether it is written with M and H.
    pub fn is_global(self) -> bool {
        matches!(self, Self::Global | Self::GlobalRolling)
    }

    /// Whether contacts resist rolling.
    pub fn is_rolling(self) -> bool {
        matches!(self, Self::LocalRolling | Self::GlobalRolling)
    }
}

/// What the author says of a problem. Everything is optional.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Info {
    /// A name.
    pub title: Option<Text>,
    /// A description.
    pub description: Option<Text>,
    /// Remarks on the mathematics.
    pub math_info: Option<Text>,
    /// Numbers, such as `numberOfDegreeOfFreedom`.
    pub attributes: Vec<Attribute>,
}

/// An FCLIB file as stored. Equality is bit for bit.
#[derive(Debug, Clone)]
pub struct FclibFile {
    /// The form of the problem.
    pub formulation: Formulation,
    /// Unknowns a contact: 2 or 3; rolling 3 or 5.
    pub spacedim: i32,
    /// The matrices, by their names in [`MATRICES`].
    pub matrices: BTreeMap<String, StoredMatrix>,
    /// The vectors, by their names in [`VECTORS`].
    pub vectors: BTreeMap<String, Vec<f64>>,
    /// The author's words, if the group is there.
    pub info: Option<Info>,
    /// The guesses, if the group is there.
    pub guesses: Option<Vec<Solution>>,
    /// The solution, if the group is there.
    pub solution: Option<Solution>,
}

impl FclibFile {
    /// The title, if there is one that says something.
    pub fn title(&self) -> Option<String> {
        self.info.as_ref()?.title.as_ref().map(Text::to_string).filter(|t| !t.is_empty())
    }

    /// Unknowns of the contacts, m, and of the equality constraints, p.
    pub(crate) fn unknowns(&self) -> (usize, usize) {
        let global = self.formulation.is_global();
        let length = |name: &str| self.vectors.get(name).map_or(0, Vec::len);
        if global { (length("w"), length("b")) } else { (length("q"), length("s")) }
    }
}

impl PartialEq for FclibFile {
    fn eq(&self, other: &Self) -> bool {
        self.formulation == other.formulation
            && self.spacedim == other.spacedim
            && self.matrices == other.matrices
            && self.vectors.len() == other.vectors.len()
            && self.vectors.iter().zip(&other.vectors).all(|(a, b)| a.0 == b.0 && crate::bits::same(a.1, b.1))
            && self.info == other.info
            && self.guesses == other.guesses
            && self.solution == other.solution
    }
}
