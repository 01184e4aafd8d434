//! Reproducible synthetic problems: the same options give the same bits on every run and every machine.
//!
//! | options | bodies and contacts | methods, and what they give |
//! |---|---|---|
//! | [`SphereLattice`] | close-packed spheres, up to tens of millions of contacts | `spheres` local, `global` |
//! | [`BoxWall`] | a running-bond wall of bricks, four points a joint | `generate` global |
//! | [`RandomSparse`] | random pairs of rigid bodies, D = 2, 3, 5, any ratio of masses | `global`, `local` |
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

mod box_wall;
mod error;
mod gravity;
mod orthogonal;
mod random;
mod random_sparse;
mod rigid_assembly;
mod single_contact;
mod sphere_lattice;
mod window;

pub use box_wall::BoxWall;
pub use error::{GenerateError, MEMORY_LIMIT};
pub use random::Random;
pub use random_sparse::RandomSparse;
pub use single_contact::SingleContact;
pub use sphere_lattice::SphereLattice;
