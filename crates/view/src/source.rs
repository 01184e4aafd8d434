//! What is looked at: bodies with their forms, and frames that are read one at a time.

use crate::{ViewError, curves::Curve, form::Piece};
use stickslip_io::results::Frame;

/// One body, as far as it can be seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// The number that frames and contacts call it by.
    pub id: u32,
    /// What it is made of, in the frame of the body.
    pub pieces: Vec<Piece>,
    /// Whether it never moves by forces: walls, floors, drives.
    pub fixed: bool,
    /// Radius of a ball of the same extent (m).
    pub size: f64,
    /// The name of its material.
    pub material: String,
}

/// What does not change from frame to frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Info {
    /// The name of the run.
    pub title: String,
    /// 2 or 3.
    pub dimension: usize,
    /// The time step (s); zero when it is not known, and impulses cannot be shown as forces.
    pub h: f64,
    /// The bodies, in the order of the file.
    pub bodies: Vec<Body>,
}

/// Anything that frames can be read from.
pub trait Source {
    /// What does not change.
    fn info(&self) -> &Info;
    /// How many whole frames there are.
    fn frames(&self) -> usize;
    /// Reads one.
    fn frame(&self, k: usize) -> Result<Frame, ViewError>;
    /// What is odd about the result, in sentences.
    fn notices(&self) -> &[String];
    /// Curves in time that came with the result: energies, iterations.
    fn curves(&self) -> &[Curve];
}

/// A [`Source`] in memory.
#[derive(Debug, Clone, Default)]
pub struct Movie {
    /// What does not change.
    pub info: Info,
    /// All frames.
    pub frames: Vec<Frame>,
    /// What is odd about it.
    pub notices: Vec<String>,
    /// Its curves.
    pub curves: Vec<Curve>,
}

impl Source for Movie {
    fn info(&self) -> &Info {
        &self.info
    }
    fn frames(&self) -> usize {
        self.frames.len()
    }
    fn frame(&self, k: usize) -> Result<Frame, ViewError> {
        let last = self.frames.len().checked_sub(1).ok_or(ViewError::NoFrames)?;
        self.frames.get(k).cloned().ok_or(ViewError::NoSuchFrame { asked: k, last })
    }
    fn notices(&self) -> &[String] {
        &self.notices
    }
    fn curves(&self) -> &[Curve] {
        &self.curves
    }
}
