//! The table of pairs: which question answers for which two shapes.

use super::outline::Outline;
use super::{Compound, Shape};
use super::{disc_disc, outline_half_plane, outline_inside_circle, outline_outline, outline_polyline};
use crate::contact::Sink;
use crate::pose::Pose;

/// Room for the questions about pairs.
#[derive(Debug, Default)]
pub struct Scratch {
    a: Outline,
    b: Outline,
}

/// The contacts between two shapes not further apart than `reach`.
///
/// Discs, capsules, boxes and polygons are all outlines with a radius around them, so that few questions are left:
///
/// | | disc | outline | compound |
/// |---|---|---|---|
/// | disc | `disc_disc` | `outline_outline` | part by part |
/// | outline | `outline_outline` | `outline_outline` | part by part |
/// | half-plane | `outline_half_plane` | `outline_half_plane` | part by part |
/// | segment, polyline | `outline_polyline` | `outline_polyline` | part by part |
/// | inside of a circle | `outline_inside_circle` | `outline_inside_circle` | part by part |
pub fn contacts(
    a: (&Shape, &Pose<2>),
    b: (&Shape, &Pose<2>),
    reach: f64,
    scratch: &mut Scratch,
    sink: &mut Sink<'_, 2>,
) {
    use Shape::{Box, Capsule, Disc, HalfPlane, InsideCircle, Polygon, Polyline, Segment};
    let (pa, pb) = (a.1, b.1);
    match (a.0, b.0) {
        (Disc { radius: ra }, Disc { radius: rb }) => disc_disc::contacts((&pa.x, *ra), (&pb.x, *rb), reach, sink),
        (Shape::Compound(compound), _) => each_part(compound, pa, b, reach, scratch, sink),
        (_, Shape::Compound(compound)) => each_part(compound, pb, a, reach, scratch, &mut sink.swapped()),
        // the fixed ones come second
        (
            HalfPlane | Segment { .. } | Polyline(_) | InsideCircle { .. },
            Disc { .. } | Polygon(_) | Box { .. } | Capsule { .. },
        ) => {
            contacts(b, a, reach, scratch, &mut sink.swapped());
        }
        (_, HalfPlane) => {
            scratch.a.place(a.0, pa, &pb.x);
            outline_half_plane::contacts(&scratch.a, pb, reach, sink);
        }
        (_, InsideCircle { radius }) => {
            scratch.a.place(a.0, pa, &pb.x);
            outline_inside_circle::contacts(&scratch.a, (&pb.x, *radius), reach, sink);
        }
        (_, Segment { a: from, b: to }) => {
            scratch.a.place_in(a.0, &pa.relative_to(pb));
            outline_polyline::contacts(&scratch.a, (&[*from, *to], false, pb), reach, sink);
        }
        (_, Polyline(line)) => {
            scratch.a.place_in(a.0, &pa.relative_to(pb));
            outline_polyline::contacts(&scratch.a, (line.vertices(), line.is_closed(), pb), reach, sink);
        }
        _ => {
            scratch.a.place(a.0, pa, &pb.x);
            scratch.b.place(b.0, pb, &pb.x);
            outline_outline::contacts(&scratch.a, &scratch.b, &pb.x, reach, sink);
        }
    }
}

/// A compound against anything: each part in turn, numbered apart from the others.
fn each_part(
    compound: &Compound,
    pose: &Pose<2>,
    other: (&Shape, &Pose<2>),
    reach: f64,
    scratch: &mut Scratch,
    sink: &mut Sink<'_, 2>,
) {
    use crate::detector::Shape as _;
    let room = other.0.bounds(other.1).widened(reach);
    let start = sink.len();
    for (i, part) in compound.parts().iter().enumerate() {
        let placed = pose.part(&part.pose);
        if part.shape.bounds(&placed).touches(&room) {
            contacts((&part.shape, &placed), other, reach, scratch, &mut sink.part(crate::contact::part_offset(i)));
        }
    }
    super::inner_faces::drop_hidden(compound, pose, start, sink);
}
