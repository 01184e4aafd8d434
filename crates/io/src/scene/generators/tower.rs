//! Towers of planks, laid crosswise.

use super::wall::cuboid;
use super::{Repeat, Sink};
use crate::scene::fault::{Fault, positive};
use crate::scene::plan::PlannedBody;
use crate::scene::quantity::{Length, Time};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

/// A tower of planks (space): every level has equal planks side by side, across those below.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tower {
    /// Length, width and height of a plank.
    pub plank: [Length; 3],
    /// Levels.
    pub levels: u32,
    /// Planks in a level, at least 2: the outer ones are flush with the ends of those across. Default: 2.
    pub planks: Option<u32>,
    /// Middle of the foot of the tower. Default: the origin.
    pub at: Option<Vec<Length>>,
    /// The material.
    pub material: Option<String>,
    /// When they appear. Default: at the start.
    pub enter: Option<Time>,
    /// When they are taken away. Default: never.
    pub leave: Option<Time>,
    /// The same again and again, as an inlet does. Default: once.
    pub repeat: Option<Repeat>,
}

impl Tower {
    pub(crate) fn generate(&self, sink: &mut Sink<'_>) -> Result<(), Fault> {
        if sink.dimension != 3 {
            return Err(Fault::new("a tower needs dimension = 3; in the plane take a wall with one column"));
        }
        let planks = self.planks.unwrap_or(2);
        if planks < 2 || self.levels == 0 {
            let (key, least) = if planks < 2 { ("planks", 2) } else { ("levels", 1) };
            return Err(Fault::new(format!("must be at least {least}")).under(key));
        }
        sink.reserve(&[planks.into(), self.levels.into()], "levels")?;
        let [length, width, height] = self.plank.map(|x| x.0);
        for edge in [length, width, height] {
            positive("plank", edge)?;
        }
        if f64::from(planks) * width > length {
            let fault = format!("{planks} planks of {width} m side by side are wider than a plank is long");
            return Err(Fault::new(fault).under("planks"));
        }
        let foot = sink.point(&self.at)?;
        let shapes = [[length, width, height], [width, length, height]].map(|size| Arc::new(cuboid(size, 3)));
        let pitch = (length - width) / f64::from(planks - 1);
        for level in 0..self.levels {
            let across = usize::from(level % 2 == 0);
            for k in 0..planks {
                let mut x = foot;
                x[across] += f64::from(k) * pitch - 0.5 * (length - width);
                x[2] += (f64::from(level) + 0.5) * height;
                sink.push(PlannedBody { shape: shapes[1 - across].clone(), x, ..PlannedBody::default() });
            }
        }
        Ok(())
    }
}
