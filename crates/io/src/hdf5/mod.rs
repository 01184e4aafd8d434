//! The few things this crate asks of HDF5, and the only module that names the library behind them.
//!
//! A damaged file may open with parts missing, so everything is asked for by name and every size is checked against
//! the size of the file before memory is taken. A panic inside the library becomes an error.

mod attribute;
mod group_attributes;
mod read;
mod text;
mod write;

pub use attribute::{Attribute, AttributeData};
pub(crate) use read::Reader;
pub use text::Text;
pub(crate) use write::Writer;

/// The first eight bytes of every HDF5 file without a user block.
pub(crate) const SIGNATURE: [u8; 8] = *b"\x89HDF\r\n\x1a\n";

const DAMAGED: &str = "the file is damaged, or is not an FCLIB file; fetch or write it again";

/// Runs a call into the HDF5 library; its errors and panics become text.
fn guarded<T>(call: impl FnOnce() -> rust_hdf5::Result<T>) -> Result<T, String> {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("the HDF5 reader gave up on it".into()),
    }
}
