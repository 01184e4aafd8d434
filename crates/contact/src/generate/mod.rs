//! Reproducible synthetic problems: the same options give the same bits on every run and every machine.
//!
//! | options | bodies and contacts | methods, and what they give |
//! |---|---|---|
//! | [`SphereLattice`] | close-packed spheres, up to tens of millions of contacts | `spheres` local, `global` |
//! | [`SingleContact`] | one contact, D = 2, 3, 5, W of given condition number | `generate` local |
//!
//! Options are plain structs with defaults; what cannot be built is refused with a [`GenerateError`]. Numbers come
//! from SplitMix64 and from `+ - * /` and `sqrt` alone, which IEEE 754 defines to the last bit.
//!
//! ```
//! use stickslip_contact::generate::SphereLattice;
//!
//! let cube = SphereLattice { nx: 6, ny: 6, nz: 6, ..Default::default() };
//! assert_eq!(cube.spheres()?.contacts(), 1098);
//! # Ok::<(), stickslip_contact::generate::GenerateError>(())
//! ```

mod error;
mod gravity;
mod orthogonal;
mod random;
mod rigid_assembly;
mod single_contact;
mod sphere_lattice;
mod window;

pub use error::{GenerateError, MEMORY_LIMIT};
pub use random::Random;
pub use single_contact::SingleContact;
pub use sphere_lattice::SphereLattice;
