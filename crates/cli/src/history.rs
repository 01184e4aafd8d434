//! The course of a solve, for CSV and plots.

use anyhow::{Context, Result};
use std::io::Write;
use std::path::Path;
use stickslip::contact::solvers::Progress;

/// Most points that are kept; beyond, every other one is dropped.
const MOST: usize = 100_000;

/// One point of the course.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// Iterations so far.
    pub iteration: usize,
    /// Seconds so far.
    pub seconds: f64,
    /// The certified error, where it was computed.
    pub error: Option<f64>,
    /// The cheap estimate.
    pub estimate: f64,
}

/// The course of one solve.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The points, in order.
    pub points: Vec<Point>,
    /// Only every so many iterations without a certificate are kept.
    stride: usize,
}

impl History {
    /// Adds a point; certified ones are always kept.
    pub fn push(&mut self, p: &Progress) {
        let stride = self.stride.max(1);
        if p.error.is_none() && !p.iteration.is_multiple_of(stride) {
            return;
        }
        let Progress { iteration, error, estimate, .. } = *p;
        self.points.push(Point { iteration, seconds: p.elapsed().as_secs_f64(), error, estimate });
        if self.points.len() > MOST {
            self.stride = 2 * stride;
            let kept = self.stride;
            self.points.retain(|p| p.error.is_some() || p.iteration.is_multiple_of(kept));
        }
    }

    /// Writes `iteration,seconds,error,estimate`; the error is empty where it was not computed.
    pub fn write(&self, path: &Path) -> Result<()> {
        let doing = || format!("cannot write the history to {}", path.display());
        let mut file = std::io::BufWriter::new(std::fs::File::create(path).with_context(doing)?);
        writeln!(file, "iteration,seconds,error,estimate").with_context(doing)?;
        for p in &self.points {
            let error = p.error.map_or(String::new(), |e| format!("{e:e}"));
            writeln!(file, "{},{:.9},{error},{:e}", p.iteration, p.seconds, p.estimate).with_context(doing)?;
        }
        file.flush().with_context(doing)
    }
}
