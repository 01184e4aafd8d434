//! The shapes of space.

use super::{Compound, HeightField, Mass, Mesh, Polyhedron, narrow};
use crate::bounds::Bounds;
use crate::contact::Sink;
use crate::error::{ShapeError, positive};
use crate::pose::Pose;
use crate::vector::{column, dot, sub};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A shape in its own frame. Lengths are in metres.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Shape {
    /// A ball around the origin.
    Sphere {
        /// Its radius (m).
        radius: f64,
    },
    /// A box around the origin.
    Box {
        /// Half of its edges (m).
        half: [f64; 3],
    },
    /// What lies within `radius` of the segment from $(0, 0, -l)$ to $(0, 0, l)$, with $l$ = `half_length`.
    Capsule {
        /// Half of the length of the segment (m).
        half_length: f64,
        /// The radius (m).
        radius: f64,
    },
    /// A cylinder around the third axis, from $z = -l$ to $z = l$, with $l$ = `half_length`.
    Cylinder {
        /// Half of its height (m).
        half_length: f64,
        /// The radius (m).
        radius: f64,
    },
    /// A convex polyhedron.
    Polyhedron(Arc<Polyhedron>),
    /// All of $z \le 0$. [`Pose::facing`] turns it to a given normal.
    HalfSpace,
    /// Triangles without thickness; they do not move of themselves.
    Mesh(Arc<Mesh>),
    /// A terrain: all below a table of heights; it does not move of itself.
    HeightField(Arc<HeightField>),
    /// All outside of a cylinder around the third axis: a drum or a tube.
    InsideCylinder {
        /// The radius of the cylinder (m).
        radius: f64,
        /// Half of its height (m); without it, the tube has no end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        half_length: Option<f64>,
    },
    /// All outside of a box around the origin: a container.
    InsideBox {
        /// Half of the edges (m).
        half: [f64; 3],
    },
    /// Shapes glued together.
    Compound(Compound),
}

impl Shape {
    /// The name that files use.
    pub fn name(&self) -> &'static str {
        match self {
            Shape::Sphere { .. } => "sphere",
            Shape::Box { .. } => "box",
            Shape::Capsule { .. } => "capsule",
            Shape::Cylinder { .. } => "cylinder",
            Shape::Polyhedron(_) => "polyhedron",
            Shape::HalfSpace => "half-space",
            Shape::Mesh(_) => "mesh",
            Shape::HeightField(_) => "height-field",
            Shape::InsideCylinder { .. } => "inside-cylinder",
            Shape::InsideBox { .. } => "inside-box",
            Shape::Compound(_) => "compound",
        }
    }

    /// Whether the shape has a volume, so that a body of it can have a mass.
    pub fn is_solid(&self) -> bool {
        !matches!(
            self,
            Shape::HalfSpace
                | Shape::Mesh(_)
                | Shape::HeightField(_)
                | Shape::InsideCylinder { .. }
                | Shape::InsideBox { .. }
        )
    }

    /// Refuses what cannot be a shape: lengths of zero, numbers that are none.
    pub fn check(&self) -> Result<(), ShapeError> {
        let name = self.name();
        match self {
            Shape::Sphere { radius } => positive(name, "radius", *radius),
            Shape::Box { half } | Shape::InsideBox { half } => half.iter().try_for_each(|&h| positive(name, "half", h)),
            Shape::Capsule { half_length, radius } | Shape::Cylinder { half_length, radius } => {
                positive(name, "half_length", *half_length)?;
                positive(name, "radius", *radius)
            }
            Shape::InsideCylinder { radius, half_length } => {
                half_length.map_or(Ok(()), |l| positive(name, "half_length", l))?;
                positive(name, "radius", *radius)
            }
            // checked when they were made
            Shape::HalfSpace | Shape::Polyhedron(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => {
                Ok(())
            }
        }
    }

    /// Volume, centroid and inertia per unit density; nothing for shapes without volume or end.
    pub fn mass(&self) -> Option<Mass> {
        Mass::of(self)
    }

    /// The radius of the smallest ball around the origin that holds the shape, or a little more; infinite for shapes
    /// without end.
    pub fn bounding_radius(&self) -> f64 {
        use crate::vector::norm;
        let farthest = |points: &[[f64; 3]]| points.iter().map(norm).fold(0.0, f64::max);
        match self {
            Shape::Sphere { radius } => *radius,
            Shape::Box { half } => norm(half),
            Shape::Capsule { half_length, radius } => half_length + radius,
            Shape::Cylinder { half_length, radius } => half_length.hypot(*radius),
            Shape::Polyhedron(polyhedron) => farthest(polyhedron.vertices()),
            Shape::Mesh(mesh) => farthest(mesh.vertices()),
            Shape::HeightField(field) => farthest(field.surface().vertices()),
            Shape::HalfSpace | Shape::InsideCylinder { .. } | Shape::InsideBox { .. } => f64::INFINITY,
            Shape::Compound(compound) => {
                let of_part = |p: &super::Part| norm(&p.pose.x) + p.shape.bounding_radius();
                compound.parts().iter().map(of_part).fold(0.0, f64::max)
            }
        }
    }
}

impl crate::detector::Shape<3> for Shape {
    type Scratch = narrow::Scratch;

    fn bounds(&self, pose: &Pose<3>) -> Bounds<3> {
        let r = &pose.rotation;
        let around = |half: &dyn Fn(&[f64; 3]) -> f64| Bounds::around(&pose.x, &std::array::from_fn(|i| half(&r[i])));
        match self {
            Shape::Sphere { radius } => Bounds::around(&pose.x, &[*radius; 3]),
            Shape::Box { half } => {
                let extent = |i: usize| r[i][0].abs() * half[0] + r[i][1].abs() * half[1] + r[i][2].abs() * half[2];
                Bounds::around(&pose.x, &std::array::from_fn(extent))
            }
            Shape::Capsule { half_length, radius } => around(&|row| row[2].abs() * half_length + radius),
            Shape::Cylinder { half_length, radius } => {
                around(&|row| row[2].abs() * half_length + row[0].hypot(row[1]) * radius)
            }
            Shape::Polyhedron(polyhedron) => around_points(polyhedron.vertices(), pose),
            Shape::Mesh(mesh) => mesh.bounds(pose),
            // solid all the way down
            Shape::HeightField(_) | Shape::HalfSpace | Shape::InsideCylinder { .. } | Shape::InsideBox { .. } => {
                Bounds::ALL
            }
            Shape::Compound(compound) => {
                let of_part = |p: &super::Part| p.shape.bounds(&pose.part(&p.pose));
                compound.parts().iter().map(of_part).fold(Bounds::EMPTY, |all, b| all.union(&b))
            }
        }
    }

    fn ball(&self) -> Option<f64> {
        if let Shape::Sphere { radius } = self { Some(*radius) } else { None }
    }

    fn is_apart(&self) -> bool {
        !self.is_solid()
    }

    fn clearance(&self, pose: &Pose<3>, centre: &[f64; 3], half: &[f64; 3]) -> Option<f64> {
        let Shape::HalfSpace = self else { return None };
        let normal = column(&pose.rotation, 2);
        let inwards = (0..3).map(|i| normal[i].abs() * half[i]).sum::<f64>();
        Some(dot(&normal, &sub(centre, &pose.x)) - inwards)
    }

    fn contacts(
        a: (&Self, &Pose<3>),
        b: (&Self, &Pose<3>),
        reach: f64,
        scratch: &mut Self::Scratch,
        sink: &mut Sink<'_, 3>,
    ) {
        narrow::contacts(a, b, reach, scratch, sink);
    }
}

fn around_points(points: &[[f64; 3]], pose: &Pose<3>) -> Bounds<3> {
    let mut bounds = Bounds::EMPTY;
    for p in points {
        bounds.add(&pose.point(p));
    }
    bounds
}
