//! The shapes of the plane.

use super::{Compound, Mass, Polygon, Polyline, narrow};
use crate::bounds::Bounds;
use crate::contact::Sink;
use crate::error::{ShapeError, finite, positive};
use crate::pose::Pose;
use crate::vector::{column, dot, sub};
use serde::{Deserialize, Serialize};

/// A shape in its own frame. Lengths are in metres.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Shape {
    /// A disc around the origin.
    Disc {
        /// Its radius (m).
        radius: f64,
    },
    /// A convex polygon.
    Polygon(Polygon),
    /// A rectangle around the origin.
    Box {
        /// Half of its width and of its height (m).
        half: [f64; 2],
    },
    /// What lies within `radius` of the segment from $(-l, 0)$ to $(l, 0)$, with $l$ = `half_length`.
    Capsule {
        /// Half of the length of the segment (m).
        half_length: f64,
        /// The radius (m).
        radius: f64,
    },
    /// All of $y \le 0$. [`Pose::facing`] turns it to a given normal.
    HalfPlane,
    /// A segment without thickness; it does not move of itself.
    Segment {
        /// One end (m).
        a: [f64; 2],
        /// The other end (m).
        b: [f64; 2],
    },
    /// A chain of segments without thickness; it does not move of itself.
    Polyline(Polyline),
    /// All outside of a circle around the origin: a drum.
    InsideCircle {
        /// The radius of the circle (m).
        radius: f64,
    },
    /// Shapes glued together.
    Compound(Compound),
}

impl Shape {
    /// The name that files use.
    pub fn name(&self) -> &'static str {
        match self {
            Shape::Disc { .. } => "disc",
            Shape::Polygon(_) => "polygon",
            Shape::Box { .. } => "box",
            Shape::Capsule { .. } => "capsule",
            Shape::HalfPlane => "half-plane",
            Shape::Segment { .. } => "segment",
            Shape::Polyline(_) => "polyline",
            Shape::InsideCircle { .. } => "inside-circle",
            Shape::Compound(_) => "compound",
        }
    }

    /// Whether the shape has an area, so that a body of it can have a mass.
    pub fn is_solid(&self) -> bool {
        !matches!(self, Shape::HalfPlane | Shape::Segment { .. } | Shape::Polyline(_) | Shape::InsideCircle { .. })
    }

    /// Refuses what cannot be a shape: lengths of zero, numbers that are none.
    pub fn check(&self) -> Result<(), ShapeError> {
        let name = self.name();
        match self {
            Shape::Disc { radius } | Shape::InsideCircle { radius } => positive(name, "radius", *radius),
            Shape::Box { half } => half.iter().try_for_each(|&h| positive(name, "half", h)),
            Shape::Capsule { half_length, radius } => {
                positive(name, "half_length", *half_length)?;
                positive(name, "radius", *radius)
            }
            Shape::Segment { a, b } => {
                finite(name, "end", &[*a, *b])?;
                let why = "both ends are the same point";
                if a == b { Err(ShapeError::Degenerate { shape: name, field: "end", index: 1, why }) } else { Ok(()) }
            }
            // checked when they were made
            Shape::HalfPlane | Shape::Polygon(_) | Shape::Polyline(_) | Shape::Compound(_) => Ok(()),
        }
    }

    /// Area, centroid and inertia per unit density; nothing for shapes without area or end.
    pub fn mass(&self) -> Option<Mass> {
        Mass::of(self)
    }

    /// The radius of the smallest circle around the origin that holds the shape, or a little more; infinite for shapes
    /// without end.
    pub fn bounding_radius(&self) -> f64 {
        use crate::vector::norm;
        match self {
            Shape::Disc { radius } => *radius,
            Shape::Polygon(polygon) => polygon.vertices().iter().map(norm).fold(0.0, f64::max),
            Shape::Box { half } => norm(half),
            Shape::Capsule { half_length, radius } => half_length + radius,
            Shape::Segment { a, b } => norm(a).max(norm(b)),
            Shape::Polyline(line) => line.vertices().iter().map(norm).fold(0.0, f64::max),
            Shape::HalfPlane | Shape::InsideCircle { .. } => f64::INFINITY,
            Shape::Compound(compound) => {
                let of_part = |p: &super::Part| norm(&p.pose.x) + p.shape.bounding_radius();
                compound.parts().iter().map(of_part).fold(0.0, f64::max)
            }
        }
    }
}

impl crate::detector::Shape<2> for Shape {
    type Scratch = narrow::Scratch;

    fn bounds(&self, pose: &Pose<2>) -> Bounds<2> {
        match self {
            Shape::Disc { radius } => Bounds::around(&pose.x, &[*radius; 2]),
            Shape::Polygon(polygon) => around_points(polygon.vertices(), pose),
            Shape::Box { half } => {
                let r = &pose.rotation;
                Bounds::around(&pose.x, &std::array::from_fn(|i| r[i][0].abs() * half[0] + r[i][1].abs() * half[1]))
            }
            Shape::Capsule { half_length, radius } => {
                let r = &pose.rotation;
                Bounds::around(&pose.x, &std::array::from_fn(|i| r[i][0].abs() * half_length + radius))
            }
            Shape::Segment { a, b } => around_points(&[*a, *b], pose),
            Shape::Polyline(line) => around_points(line.vertices(), pose),
            Shape::HalfPlane | Shape::InsideCircle { .. } => Bounds::ALL,
            Shape::Compound(compound) => {
                let of_part = |p: &super::Part| p.shape.bounds(&pose.part(&p.pose));
                compound.parts().iter().map(of_part).fold(Bounds::EMPTY, |all, b| all.union(&b))
            }
        }
    }

    fn ball(&self) -> Option<f64> {
        if let Shape::Disc { radius } = self { Some(*radius) } else { None }
    }

    fn is_apart(&self) -> bool {
        !self.is_solid()
    }

    fn clearance(&self, pose: &Pose<2>, centre: &[f64; 2], half: &[f64; 2]) -> Option<f64> {
        let Shape::HalfPlane = self else { return None };
        let normal = column(&pose.rotation, 1);
        let inwards = (0..2).map(|i| normal[i].abs() * half[i]).sum::<f64>();
        Some(dot(&normal, &sub(centre, &pose.x)) - inwards)
    }

    fn contacts(
        a: (&Self, &Pose<2>),
        b: (&Self, &Pose<2>),
        reach: f64,
        scratch: &mut Self::Scratch,
        sink: &mut Sink<'_, 2>,
    ) {
        narrow::contacts(a, b, reach, scratch, sink);
    }
}

fn around_points(points: &[[f64; 2]], pose: &Pose<2>) -> Bounds<2> {
    let mut bounds = Bounds::EMPTY;
    for p in points {
        bounds.add(&pose.point(p));
    }
    bounds
}
