//! Arches of voussoirs.

use super::{Repeat, Sink};
use crate::scene::fault::{Fault, positive, within};
use crate::scene::plan::{Motion, PlannedBody};
use crate::scene::quantity::{Angle, Length, Time};
use crate::scene::shape::Shape;
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::PI;
use std::sync::Arc;
use stickslip_geometry::{plane, space};

/// A circular arch of equal voussoirs over a span along the first axis, standing on two fixed springers.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arch {
    /// Radius of the middle line.
    pub radius: Length,
    /// Thickness across the middle line.
    pub thickness: Length,
    /// Number of voussoirs.
    pub voussoirs: u32,
    /// Angle that the arch embraces, up to 180 deg. Default: 180 deg.
    pub embrace: Option<Angle>,
    /// Depth along the second axis, in space. Default: the thickness.
    pub depth: Option<Length>,
    /// Centre of the circle. Default: the origin.
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

impl Arch {
    pub(crate) fn generate(&self, sink: &mut Sink<'_>) -> Result<(), Fault> {
        let (radius, thickness) = (positive("radius", self.radius.0)?, positive("thickness", self.thickness.0)?);
        if thickness >= 2.0 * radius {
            return Err(Fault::new("must be less than twice the radius").under("thickness"));
        }
        let embrace = within("embrace", self.embrace.map_or(PI, |a| a.0), 1e-3, PI + 1e-9)?;
        let depth = positive("depth", self.depth.map_or(thickness, |d| d.0))?;
        if self.voussoirs < 3 {
            return Err(Fault::new("must be at least 3").under("voussoirs"));
        }
        sink.reserve(&[u64::from(self.voussoirs) + 2], "voussoirs")?;
        let centre = sink.point(&self.at)?;
        let step = embrace / f64::from(self.voussoirs);
        let shape = Arc::new(voussoir(radius, thickness, step, depth, sink.dimension)?);
        // the springers continue the ring by one voussoir on each side
        for k in -1..=i64::from(self.voussoirs) {
            let turn = 0.5 * embrace - (k as f64 + 0.5) * step;
            let orientation = about_across(turn, sink.dimension);
            let springer = k < 0 || k == i64::from(self.voussoirs);
            let motion = if springer { Motion::Fixed } else { Motion::Dynamic };
            sink.push(PlannedBody { shape: shape.clone(), x: centre, orientation, motion, ..PlannedBody::default() });
        }
        Ok(())
    }
}

/// A turn that brings the top of the circle to the left: about z in the plane, about -y in space, where z is up.
fn about_across(angle: f64, dimension: usize) -> [f64; 4] {
    let (s, c) = (0.5 * angle).sin_cos();
    if dimension == 2 { [c, 0.0, 0.0, s] } else { [c, 0.0, -s, 0.0] }
}

/// The stone at the top of the ring, in the frame of the circle.
fn voussoir(radius: f64, thickness: f64, step: f64, depth: f64, dimension: usize) -> Result<Shape, Fault> {
    let (s, c) = (0.5 * step).sin_cos();
    let (inner, outer) = (radius - 0.5 * thickness, radius + 0.5 * thickness);
    let ring = [[-inner * s, inner * c], [inner * s, inner * c], [outer * s, outer * c], [-outer * s, outer * c]];
    let bad = |e: stickslip_geometry::ShapeError| Fault::new(e.to_string()).under("voussoirs");
    if dimension == 2 {
        return Ok(Shape::Plane(plane::Shape::Polygon(plane::Polygon::new(ring.to_vec()).map_err(bad)?)));
    }
    let vertices: Vec<[f64; 3]> =
        [-0.5 * depth, 0.5 * depth].iter().flat_map(|&y| ring.map(|p| [p[0], y, p[1]])).collect();
    Ok(Shape::Space(space::Shape::Polyhedron(Arc::new(space::Polyhedron::hull(&vertices).map_err(bad)?))))
}
