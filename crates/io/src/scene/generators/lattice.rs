//! Equal bodies in rows, columns and layers.

use super::{Repeat, Sink, gap};
use crate::scene::fault::{Fault, within};
use crate::scene::plan::PlannedBody;
use crate::scene::quantity::{Length, Number, Time, Velocity, values};
use crate::scene::shape::ShapeEntry;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use stickslip_contact::generate::Random;

/// Equal bodies in rows, columns and layers.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lattice {
    /// The shape of each.
    pub shape: ShapeEntry,
    /// Bodies along each axis.
    pub count: Vec<u32>,
    /// Centre of the first body. Default: the origin.
    pub at: Option<Vec<Length>>,
    /// Distance of centres along each axis. Default: the diameter of a ball around the shape, plus the gap.
    pub spacing: Option<Vec<Length>>,
    /// Distance between neighbours, when there is no spacing. Default: 0.
    pub gap: Option<Length>,
    /// Random displacement of every centre, as a part of the spacing, 0 to 0.5. Default: 0.
    pub jitter: Option<Number>,
    /// Seed of the displacements. Default: 0.
    #[serde(default)]
    pub seed: u64,
    /// Velocity of all at the start. Default: at rest.
    pub velocity: Option<Vec<Velocity>>,
    /// Their material.
    pub material: Option<String>,
    /// When they appear. Default: at the start.
    pub enter: Option<Time>,
    /// When they are taken away. Default: never.
    pub leave: Option<Time>,
    /// The same again and again, as an inlet does. Default: once.
    pub repeat: Option<Repeat>,
}

impl Lattice {
    pub(crate) fn generate(&self, sink: &mut Sink<'_>) -> Result<(), Fault> {
        let n = sink.dimension;
        if self.count.len() != n || self.count.contains(&0) {
            return Err(Fault::new(format!("give {n} numbers of at least 1: bodies along each axis")).under("count"));
        }
        let count: [u64; 3] = std::array::from_fn(|i| self.count.get(i).copied().unwrap_or(1).into());
        sink.reserve(&count, "count")?;
        let shape = self.shape.resolve(n).map_err(|e| e.under("shape"))?;
        let radius = shape.bounding_radius();
        if !shape.is_solid() {
            return Err(Fault::new("only solid shapes can be multiplied").under("shape"));
        }
        let spacing = match &self.spacing {
            Some(s) => crate::scene::placement::lift(&values(s), n).map_err(|e| e.under("spacing"))?,
            None => [2.0 * radius + gap(self.gap)?; 3],
        };
        if spacing[..n].iter().any(|s| *s <= 0.0) {
            return Err(Fault::new("must be positive along every axis").under("spacing"));
        }
        let jitter = within("jitter", self.jitter.unwrap_or_default().0, 0.0, 0.5)?;
        let v = match &self.velocity {
            Some(v) => crate::scene::placement::lift(&values(v), n).map_err(|e| e.under("velocity"))?,
            None => [0.0; 3],
        };
        let origin = sink.point(&self.at)?;
        let (shape, mut dice) = (Arc::new(shape), Random::new(self.seed.wrapping_add(sink.batch)));
        for k in 0..count[2] {
            for j in 0..count[1] {
                for i in 0..count[0] {
                    let cell = [i, j, k];
                    let x = std::array::from_fn(|a| {
                        let shift = if jitter > 0.0 && a < n { jitter * dice.between(-1.0, 1.0) } else { 0.0 };
                        origin[a] + if a < n { (cell[a] as f64 + shift) * spacing[a] } else { 0.0 }
                    });
                    sink.push(PlannedBody { shape: shape.clone(), x, v, ..PlannedBody::default() });
                }
            }
        }
        Ok(())
    }
}
