//! Bodies of random size, place and orientation, layer upon layer, ready to fall.

use super::granulometry::Granulometry;
use super::{Repeat, Sink, gap};
use crate::scene::fault::Fault;
use crate::scene::plan::PlannedBody;
use crate::scene::quantity::{Length, Time, values};
use crate::scene::shape::{Shape, ShapeEntry};
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::TAU;
use std::sync::Arc;
use stickslip_contact::generate::Random;
use stickslip_geometry::{plane, space};

/// A number of bodies in a column over a base, layer upon layer without touching; gravity does the rest.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deposit {
    /// How many.
    pub count: u32,
    /// Radii of balls or discs: radius.uniform = { min = "1 mm", max = "2 mm" }. One of radius and shape.
    pub radius: Option<Granulometry>,
    /// The shape of each, turned at random. One of radius and shape.
    pub shape: Option<ShapeEntry>,
    /// Lowest corner of the column.
    pub from: Vec<Length>,
    /// Opposite corner of its base: a length per axis but the last, along which layers are stacked.
    pub to: Vec<Length>,
    /// Distance between bodies and to the sides of the column. Default: 0.
    pub gap: Option<Length>,
    /// Seed of sizes and places. Default: 0.
    #[serde(default)]
    pub seed: u64,
    /// Their material.
    pub material: Option<String>,
    /// When they appear. Default: at the start.
    pub enter: Option<Time>,
    /// When they are taken away. Default: never.
    pub leave: Option<Time>,
    /// The same again and again, as an inlet does. Default: once.
    pub repeat: Option<Repeat>,
}

/// The cells of a layer: lowest corner, how many along the base, their widths.
struct Grid {
    low: [f64; 3],
    cells: [u64; 2],
    spacing: [f64; 2],
}

impl Deposit {
    pub(crate) fn generate(&self, sink: &mut Sink<'_>) -> Result<(), Fault> {
        let n = sink.dimension;
        sink.reserve(&[self.count.into()], "count")?;
        let (template, radius) = match (&self.radius, &self.shape) {
            (Some(g), None) => (None, g.check().map_err(|e| e.under("radius"))?),
            (None, Some(s)) => {
                let shape = s.resolve(n).map_err(|e| e.under("shape"))?;
                if !shape.is_solid() {
                    return Err(Fault::new("only solid shapes can be multiplied").under("shape"));
                }
                let radius = shape.bounding_radius();
                (Some(Arc::new(shape)), radius)
            }
            _ => return Err(Fault::new("give one of radius and shape")),
        };
        let (cell, gap) = (2.0 * radius + gap(self.gap)?, gap(self.gap)?);
        let Grid { low, cells, spacing } = self.grid(n, cell, gap)?;
        let up = sink.up();
        let mut dice = Random::new(self.seed.wrapping_add(sink.batch));
        let layer: u64 = cells[..up].iter().product();
        for k in 0..u64::from(self.count) {
            let index = [k % layer % cells[0], k % layer / cells[0], 0];
            let (size, shape, orientation) = match (&template, &self.radius) {
                (Some(shape), _) => (radius, shape.clone(), turn(&mut dice, n)),
                (None, Some(g)) => {
                    let r = g.draw(&mut dice, n);
                    (r, Arc::new(ball(r, n)), [1.0, 0.0, 0.0, 0.0])
                }
                (None, None) => return Err(Fault::new("give one of radius and shape")),
            };
            // anywhere in its cell, with half the gap on every side
            let x = std::array::from_fn(|a| {
                let (start, width) = match a {
                    _ if a > up => return 0.0,
                    _ if a == up => (low[a] + gap + (k / layer) as f64 * cell, cell),
                    _ => (low[a] + index[a] as f64 * spacing[a], spacing[a]),
                };
                let play = (0.5 * (width - gap) - size).max(0.0);
                start + 0.5 * width + play * dice.between(-1.0, 1.0)
            });
            sink.push(PlannedBody { shape, x, orientation, ..PlannedBody::default() });
        }
        Ok(())
    }

    /// The cells of a layer.
    fn grid(&self, n: usize, cell: f64, gap: f64) -> Result<Grid, Fault> {
        let low = crate::scene::placement::lift(&values(&self.from), n).map_err(|e| e.under("from"))?;
        let to = values(&self.to);
        if to.len() != n - 1 {
            let fault = format!("{} numbers found, {} needed: one per axis of the base", to.len(), n - 1);
            return Err(Fault::new(fault).under("to"));
        }
        let (mut cells, mut spacing) = ([1; 2], [0.0; 2]);
        for a in 0..n - 1 {
            let width = to[a] - low[a];
            let fit = ((width - gap) / cell + 1e-9).floor();
            if fit.is_nan() || fit < 1.0 {
                let fault =
                    format!("the base is {width} m wide along axis {a}; the largest body needs {} m", cell + gap);
                return Err(Fault::new(fault).under("to"));
            }
            cells[a] = (fit as u64).min(1 << 32);
            spacing[a] = width / cells[a] as f64;
        }
        Ok(Grid { low, cells, spacing })
    }
}

fn ball(radius: f64, dimension: usize) -> Shape {
    if dimension == 2 {
        Shape::Plane(plane::Shape::Disc { radius })
    } else {
        Shape::Space(space::Shape::Sphere { radius })
    }
}

/// A random orientation, uniform over all.
///
/// # Reference
/// K. Shoemake, Uniform random rotations, Graphics Gems III, 1992.
fn turn(dice: &mut Random, dimension: usize) -> [f64; 4] {
    let (u, a, b) = (dice.uniform(), TAU * dice.uniform(), TAU * dice.uniform());
    if dimension == 2 {
        return [(0.5 * a).cos(), 0.0, 0.0, (0.5 * a).sin()];
    }
    let (p, q) = ((1.0 - u).sqrt(), u.sqrt());
    [q * b.cos(), p * a.sin(), p * a.cos(), q * b.sin()]
}
