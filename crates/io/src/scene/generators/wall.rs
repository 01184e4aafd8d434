//! Walls of bricks in running bond.

use super::{Repeat, Sink, gap};
use crate::scene::fault::{Fault, positive};
use crate::scene::plan::PlannedBody;
use crate::scene::quantity::{Length, Time, values};
use crate::scene::shape::Shape;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use stickslip_geometry::{plane, space};

/// A wall of bricks, each course shifted by half a brick; odd courses end in half bricks.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    /// Edges of a brick, a length per axis; the wall runs along the first.
    pub brick: Vec<Length>,
    /// Bricks in a course.
    pub columns: u32,
    /// Courses.
    pub courses: u32,
    /// Middle of the foot of the wall. Default: the origin.
    pub at: Option<Vec<Length>>,
    /// Width of vertical joints. Courses lie on each other without a gap. Default: 0.
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

impl Wall {
    pub(crate) fn generate(&self, sink: &mut Sink<'_>) -> Result<(), Fault> {
        let n = sink.dimension;
        if self.columns == 0 || self.courses == 0 {
            return Err(Fault::new("must be at least 1").under(if self.columns == 0 { "columns" } else { "courses" }));
        }
        sink.reserve(&[u64::from(self.columns) + 1, self.courses.into()], "courses")?;
        let brick = crate::scene::placement::lift(&values(&self.brick), n).map_err(|e| e.under("brick"))?;
        for &edge in &brick[..n] {
            positive("brick", edge)?;
        }
        let gap = gap(self.gap)?;
        let foot = sink.point(&self.at)?;
        let pitch = brick[0] + gap;
        let width = f64::from(self.columns) * pitch - gap;
        let half = 0.5 * (brick[0] - gap);
        positive("gap", half).map_err(|_| Fault::new("must be less than the length of a brick").under("gap"))?;
        let whole = Arc::new(cuboid(brick, n));
        let cut = Arc::new(cuboid([half, brick[1], brick[2]], n));
        for course in 0..self.courses {
            let rise = (f64::from(course) + 0.5) * brick[n - 1];
            let mut put = |shape: &Arc<Shape>, along: f64| {
                let mut x = foot;
                x[0] += along;
                x[n - 1] += rise;
                sink.push(PlannedBody { shape: shape.clone(), x, ..PlannedBody::default() });
            };
            let left = -0.5 * width;
            if course % 2 == 0 {
                (0..self.columns).for_each(|k| put(&whole, left + 0.5 * brick[0] + f64::from(k) * pitch));
            } else {
                put(&cut, left + 0.5 * half);
                (1..self.columns).for_each(|k| put(&whole, left + f64::from(k) * pitch - 0.5 * gap));
                put(&cut, left + width - 0.5 * half);
            }
        }
        Ok(())
    }
}

/// A box of the dimension.
pub(super) fn cuboid(size: [f64; 3], dimension: usize) -> Shape {
    let half = size.map(|x| 0.5 * x);
    if dimension == 2 {
        Shape::Plane(plane::Shape::Box { half: [half[0], half[1]] })
    } else {
        Shape::Space(space::Shape::Box { half })
    }
}
