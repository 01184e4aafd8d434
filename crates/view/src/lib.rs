//! Looking at what happened: results become one self-contained page, a static report, or pictures without a browser.
//!
//! Everything starts from a [`Source`]: bodies with their forms, and frames read one at a time, so that a result larger
//! than memory can still be looked at.
//!
//! | function | what it makes |
//! |---|---|
//! | [`page::write`] | one HTML file with its own WebGL2 viewer, which opens from disk |
//! | [`report::write`] | a static page: summary, plots and pictures |
//! | [`render::picture`] | a shaded picture of one frame by a small rasteriser, to be saved as PNG |
//! | [`svg::drawing`] | a plane scene as vector graphics |
//!
//! The library prints nothing and opens no connection.

#![forbid(unsafe_code)]

pub mod camera;
pub mod colour;
pub mod curves;
mod error;
pub mod form;
pub mod page;
mod source;
mod survey;
mod thin;

pub use error::ViewError;
pub use source::{Body, Contact, Frame, Info, Movie, Source};
pub use survey::{Survey, survey};
pub use thin::{Budget, Selection};
