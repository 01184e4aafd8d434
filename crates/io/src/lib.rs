//! Files of frictional contact problems.
//!
//! [`open`] reads any of them and tells by the content which it is:
//!
//! - [`fclib`]: FCLIB, an HDF5 file; read and written, bit for bit;
//! - [`siconos_dat`]: the text files of Siconos; read, local ones also written. [`open_any`] also takes their linear
//!   complementarity problems.
//!
//! Files are input like any other: whatever a file holds, reading it gives a problem that passed validation or an
//! error that names the place, and takes memory in proportion to the size of the file.

#![forbid(unsafe_code)]

mod bits;
mod error;
pub mod fclib;
mod hdf5;
mod open;
mod problem;
mod replace_file;
pub mod siconos_dat;
mod stored_solution;

pub use error::IoError;
pub use open::{Content, Format, Opened, open, open_any};
pub use problem::Problem;
pub use stored_solution::StoredSolution;
