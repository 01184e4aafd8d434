//! The table of pairs: which question answers for which two shapes.

use super::hull::Placed;
use super::segment_segment::{self, Rod};
use super::{Compound, Shape};
use super::{box_box, face_clip, hull_hull, hull_plane, sphere_box, sphere_sphere};
use crate::contact::{Sink, part_offset};
use crate::pose::Pose;
use crate::vector::{column, scale, sub};

/// Room for the questions about pairs.
#[derive(Debug, Default)]
pub struct Scratch {
    a: Placed,
    b: Placed,
    clip: face_clip::Room,
}

/// The contacts between two shapes not further apart than `reach`.
pub fn contacts(
    a: (&Shape, &Pose<3>),
    b: (&Shape, &Pose<3>),
    reach: f64,
    scratch: &mut Scratch,
    sink: &mut Sink<'_, 3>,
) {
    use Shape::{Box, Capsule, HalfSpace, Sphere};
    let (pa, pb) = (a.1, b.1);
    match (a.0, b.0) {
        (Sphere { radius: ra }, Sphere { radius: rb }) => {
            sphere_sphere::contacts((&pa.x, *ra), (&pb.x, *rb), reach, sink);
        }
        (Box { half: ha }, Box { half: hb }) => box_box::contacts((ha, pa), (hb, pb), reach, sink),
        (Shape::Compound(compound), _) => each_part(compound, pa, b, reach, scratch, sink),
        (_, Shape::Compound(compound)) => each_part(compound, pb, a, reach, scratch, &mut sink.swapped()),
        // what surrounds or carries comes second
        (first, second) if !first.is_solid() && second.is_solid() => {
            contacts(b, a, reach, scratch, &mut sink.swapped());
        }
        (Sphere { radius }, Box { half }) => sphere_box::contacts((&pa.x, *radius), (half, pb), reach, sink),
        (Box { .. }, Sphere { .. }) => contacts(b, a, reach, scratch, &mut sink.swapped()),
        (Sphere { .. } | Capsule { .. }, Sphere { .. } | Capsule { .. }) => {
            let (rod_a, rod_b) = (rod(a.0, pa, &pb.x), rod(b.0, pb, &pb.x));
            segment_segment::contacts(&rod_a, &rod_b, &pb.x, reach, sink);
        }
        (_, HalfSpace) => {
            let n = column(&pb.rotation, 2);
            let Some(hull) = scratch.a.place(a.0, &from(pa, &pb.x)) else { return };
            hull_plane::contacts(&hull, &pb.x, &n, reach, sink);
        }
        _ => {
            let Some(hull_a) = scratch.a.place(a.0, &from(pa, &pb.x)) else { return };
            let Some(hull_b) = scratch.b.place(b.0, &from(pb, &pb.x)) else { return };
            hull_hull::contacts(&hull_a, &hull_b, &pb.x, reach, &mut scratch.clip, sink);
        }
    }
}

/// A pose counted from `origin`: nearby numbers keep their digits far from the origin of the world.
fn from(pose: &Pose<3>, origin: &[f64; 3]) -> Pose<3> {
    Pose { x: sub(&pose.x, origin), rotation: pose.rotation }
}

/// A ball or capsule as a segment with a radius, counted from `origin`.
fn rod(shape: &Shape, pose: &Pose<3>, origin: &[f64; 3]) -> Rod {
    let centre = sub(&pose.x, origin);
    match shape {
        Shape::Capsule { half_length, radius } => {
            Rod { centre, arm: scale(*half_length, &column(&pose.rotation, 2)), radius: *radius }
        }
        other => Rod { centre, arm: [0.0; 3], radius: other.bounding_radius() },
    }
}

/// A compound against anything: each part in turn, numbered apart from the others.
fn each_part(
    compound: &Compound,
    pose: &Pose<3>,
    other: (&Shape, &Pose<3>),
    reach: f64,
    scratch: &mut Scratch,
    sink: &mut Sink<'_, 3>,
) {
    use crate::detector::Shape as _;
    let room = other.0.bounds(other.1).widened(reach);
    for (i, part) in compound.parts().iter().enumerate() {
        let placed = pose.part(&part.pose);
        if part.shape.bounds(&placed).touches(&room) {
            contacts((&part.shape, &placed), other, reach, scratch, &mut sink.part(part_offset(i)));
        }
    }
}
