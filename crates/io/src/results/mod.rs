//! Results of a simulation: one file that grows by a frame at a time and that HDF5 programs open.
//!
//! The file is a log of records ([`Writer`] appends, [`Reader`] walks). From time to time, and at the end, the writer
//! appends a *seal*: HDF5 metadata whose datasets are the arrays inside the records already written, in the VTKHDF
//! layout. Nothing is stored twice, nothing written is moved, and a killed run loses at most the frame being written.
//!
//! - ParaView, PyPI's `vtk` and `h5py` see an HDF5 file: `/VTKHDF` with the blocks `Bodies` and `Contacts`, a time
//!   series, and `/stickslip` with the scene and the shapes. They see all frames up to the last seal: every frame of a
//!   finished run, at least four fifths of those of a killed one (half, when it had fewer than 16).
//! - [`Reader`] sees every whole frame, of a truncated file too, and says in [`Reader::notices`] what is missing.
//!
//! ```
//! use stickslip_io::results::{BodyInfo, Frame, Reader, RunInfo, Writer};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("ball.vtkhdf");
//! let ball = BodyInfo { id: 0, shape: 0, material: 0, fixed: false, size: 0.1, centre: [0.0; 3] };
//! let info = RunInfo {
//!     dimension: 3,
//!     name: "ball".into(),
//!     h: 1e-3,
//!     shapes: vec![serde_json::json!({ "sphere": { "radius": 0.1 } })],
//!     materials: vec!["steel".into()],
//!     bodies: vec![ball],
//!     ..RunInfo::default()
//! };
//! let mut writer = Writer::create(&path, &info)?;
//! let mut frame = Frame { t: 0.0, step: 0, ..Frame::default() };
//! frame.push_body(0, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0; 3], [0.0; 3]);
//! writer.append(&frame)?;
//! writer.finish()?;
//!
//! let reader = Reader::open(&path)?;
//! assert_eq!((reader.frames(), reader.info().bodies[0].size), (1, 0.1));
//! assert_eq!(reader.frame(0)?, frame);
//! assert!(reader.notices().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checksum;
mod columns;
mod frame;
mod info;
mod objects;
mod reader;
mod record;
mod seal;
mod writer;

pub use frame::{ContactRecord, Frame};
pub use info::{BodyInfo, RunInfo};
pub use reader::Reader;
pub use writer::Writer;

/// The version of the file format; a reader refuses newer ones.
pub const VERSION: u32 = 1;
