//! Heaps of balls or discs, each in the hollow of those below.

use super::{Repeat, Sink, gap};
use crate::scene::fault::{Fault, positive};
use crate::scene::plan::PlannedBody;
use crate::scene::quantity::{Length, Time};
use crate::scene::shape::Shape;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use stickslip_geometry::{plane, space};

/// A triangle of discs (plane) or a square pyramid of balls (space).
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Heap {
    /// Radius of each.
    pub radius: Length,
    /// Bodies along an edge of the lowest layer; each layer above has one less.
    pub base: u32,
    /// Layers. Default: up to the single body on top.
    pub layers: Option<u32>,
    /// Middle of the foot of the heap. Default: the origin.
    pub at: Option<Vec<Length>>,
    /// Distance between neighbours of a layer. Default: 0.
    pub gap: Option<Length>,
    /// The material.
    pub material: Option<String>,
    /// When they appear. Default: at the start.
    pub enter: Option<Time>,
    /// When they are taken away. Default: never.
    pub leave: Option<Time>,
    /// The same again and again, as an inlet does. Default: once.
    pub repeat: Option<Repeat>,
}

impl Heap {
    pub(crate) fn generate(&self, sink: &mut Sink<'_>) -> Result<(), Fault> {
        let (n, r) = (sink.dimension, positive("radius", self.radius.0)?);
        if self.base == 0 {
            return Err(Fault::new("must be at least 1").under("base"));
        }
        let layers = self.layers.unwrap_or(self.base).min(self.base);
        let side = u64::from(self.base);
        sink.reserve(&[side, if n == 3 { side } else { 1 }, layers.into()], "base")?;
        let pitch = 2.0 * r + gap(self.gap)?;
        // a ball in the hollow of its neighbours below, all distances 2 r
        let shift = if n == 2 { 0.25 * pitch * pitch } else { 0.5 * pitch * pitch };
        let rise = (4.0 * r * r - shift).max(0.0).sqrt();
        if rise <= 0.0 {
            return Err(Fault::new("is so wide that a ball falls through").under("gap"));
        }
        let foot = sink.point(&self.at)?;
        let shape = Arc::new(if n == 2 {
            Shape::Plane(plane::Shape::Disc { radius: r })
        } else {
            Shape::Space(space::Shape::Sphere { radius: r })
        });
        for layer in 0..layers {
            let count = self.base - layer;
            let place = |k: u32| (f64::from(k) - 0.5 * f64::from(count - 1)) * pitch;
            for j in 0..if n == 3 { count } else { 1 } {
                for i in 0..count {
                    let mut x = foot;
                    x[0] += place(i);
                    if n == 3 {
                        x[1] += place(j);
                    }
                    x[n - 1] += r + f64::from(layer) * rise;
                    sink.push(PlannedBody { shape: shape.clone(), x, ..PlannedBody::default() });
                }
            }
        }
        Ok(())
    }
}
