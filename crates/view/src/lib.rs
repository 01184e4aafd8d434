//! Looking at what happened: results become one self-contained page, a static report, or pictures without a browser.
//!
//! Everything starts from a [`Source`]: bodies with their forms, and frames read one at a time, so that a result larger
//! than memory can still be looked at.
//!
//! | function | what it makes |
//! |---|---|
//! | [`page::write`] | one HTML file with its own WebGL2 viewer, which opens from disk |
//! | [`report::html`] | a static page: summary, plots and pictures |
//! | [`render::picture`] | a shaded picture of one frame by a small rasteriser, to be saved as PNG |
//! | [`live::serve`] | the page of a run that is still going, on the loopback |
//! | [`svg::drawing`] | a plane scene as vector graphics |
//!
//! The library prints nothing, and nothing but [`live::serve`] opens a connection.

#![forbid(unsafe_code)]

pub mod camera;
pub mod colour;
pub mod curves;
mod error;
pub mod form;
pub mod live;
pub mod page;
pub mod render;
pub mod report;
mod result;
mod shape;
mod source;
mod survey;
pub mod svg;
mod thin;

pub use error::ViewError;
pub use result::ResultFile;
pub use source::{Body, Info, Movie, Source};
pub use stickslip_io::results::{ContactRecord, Frame};
pub use survey::{Survey, survey};
pub use thin::{Budget, Selection};
