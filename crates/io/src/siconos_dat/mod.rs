//! The text files of Siconos/Numerics (`.dat`): numbers separated by blanks, in a fixed order.
//!
//! | problem | order |
//! |---|---|
//! | local | dimension, contacts, W, q, mu [, mu_r] |
//! | global | dimension, contacts, M, H, f, w, mu [, mu_r] |
//! | complementarity | unknowns, M, q [, z] |
//!
//! Siconos names f `q` and w `b`; signs agree. A matrix starts with its storage (0 full by columns, 1 blocks,
//! 2 sparse after CSparse) and its size. Sparse matrices carry six digits only.

mod lcp;
mod matrix;
mod read;
mod scanner;
mod write;

pub(crate) use lcp::looks_like_lcp;
pub use lcp::{LcpDat, read_lcp, read_lcp_text, write_lcp};
pub(crate) use read::text_of;
pub use read::{Dat, read, read_text};
pub use write::{DatStorage, write_local};
