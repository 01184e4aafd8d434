//! What can go wrong when a result is looked at.

use std::path::PathBuf;

/// Why there is no page, report or picture.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The result holds no whole frame.
    #[error("there is no whole frame to show: the run wrote none, or was cut off before the first was complete")]
    NoFrames,
    /// A frame that was asked for is not there.
    #[error("frame {asked} was asked for, and the result has frames 0 to {last}")]
    NoSuchFrame {
        /// The frame asked for.
        asked: usize,
        /// The last one there is.
        last: usize,
    },
    /// A frame could not be read.
    #[error("frame {frame}: {reason}")]
    Frame {
        /// Its number.
        frame: usize,
        /// What the reader said.
        reason: String,
    },
    /// The shape of a body is not one that can be drawn.
    #[error("body {id}: its shape cannot be drawn: {reason}")]
    Shape {
        /// The body.
        id: u32,
        /// What is wrong with the shape.
        reason: String,
    },
    /// A drawing was asked of a scene it is not made for.
    #[error("an SVG drawing is made of plane scenes only, and this one is in space: ask for a PNG")]
    NotPlane,
    /// A picture of no pixels, or of too many.
    #[error("a picture of {width} x {height} pixels cannot be made: each side must be 16 to 16384")]
    Size {
        /// Pixels across.
        width: usize,
        /// Pixels down.
        height: usize,
    },
    /// The result could not be opened or read.
    #[error("{0}")]
    Result(String),
    /// A file could not be written or read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A curve could not be drawn.
    #[error("a plot could not be drawn: {0}")]
    Plot(String),
    /// The picture could not be encoded.
    #[error("the picture could not be encoded: {0}")]
    Encode(String),
}
