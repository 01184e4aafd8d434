//! Reproducible synthetic problems: the same options give the same bits on every run and every machine.
//!
//! | options | bodies and contacts | methods, and what they give |
//! |---|---|---|
//! | [`SingleContact`] | one contact, D = 2, 3, 5, W of given condition number | `generate` local |
//!
//! Options are plain structs with defaults; what cannot be built is refused with a [`GenerateError`]. Numbers come
//! from SplitMix64 and from `+ - * /` and `sqrt` alone, which IEEE 754 defines to the last bit.

mod error;
mod orthogonal;
mod random;
mod single_contact;

pub use error::{GenerateError, MEMORY_LIMIT};
pub use random::Random;
pub use single_contact::SingleContact;
