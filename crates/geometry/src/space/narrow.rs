//! The table of pairs: which question answers for which two shapes.

use super::cylinder_convex::{self, Other};
use super::hull::Placed;
use super::segment_segment::{self, Rod};
use super::{Compound, Shape};
use super::{box_box, face_clip, sphere_box, sphere_sphere};
use super::{cylinder, cylinder_inside_cylinder, cylinder_mesh, cylinder_plane};
use super::{hull_hull, hull_inside_cylinder, hull_mesh, hull_plane, inner_faces};
use crate::contact::{Sink, part_offset};
use crate::pose::Pose;
use crate::vector::{column, scale, sub};

/// Room for the questions about pairs.
#[derive(Debug, Default)]
pub struct Scratch {
    a: Placed,
    b: Placed,
    clip: face_clip::Room,
    cylinder: cylinder_convex::Room,
    mesh: hull_mesh::Room,
}

/// The contacts between two shapes not further apart than `reach`.
///
/// Balls, capsules, boxes and polyhedra are all hulls with a radius around them, so that few questions are left:
///
/// | | sphere | capsule | box | polyhedron | cylinder |
/// |---|---|---|---|---|---|
/// | sphere | `sphere_sphere` | `segment_segment` | `sphere_box` | `hull_hull` | `cylinder_convex` |
/// | capsule | | `segment_segment` | `hull_hull` | `hull_hull` | `cylinder_convex` |
/// | box | | | `box_box` | `hull_hull` | `cylinder_convex` |
/// | polyhedron | | | | `hull_hull` | `cylinder_convex` |
/// | half-space, inside of a box | `hull_plane` | `hull_plane` | `hull_plane` | `hull_plane` | `cylinder_plane` |
/// | mesh, height field | `hull_mesh` | `hull_mesh` | `hull_mesh` | `hull_mesh` | `cylinder_mesh` |
/// | inside of a cylinder | `hull_inside_cylinder` | | | | `cylinder_inside_cylinder` |
///
/// and compounds go part by part.
pub fn contacts(
    a: (&Shape, &Pose<3>),
    b: (&Shape, &Pose<3>),
    reach: f64,
    scratch: &mut Scratch,
    sink: &mut Sink<'_, 3>,
) {
    use Shape::{Box, Capsule, Cylinder, Sphere};
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
        (_, second) if !second.is_solid() => with_fixed(a, b, reach, scratch, sink),
        (Sphere { radius }, Box { half }) => sphere_box::contacts((&pa.x, *radius), (half, pb), reach, sink),
        (Box { .. }, Sphere { .. }) => contacts(b, a, reach, scratch, &mut sink.swapped()),
        (Sphere { .. } | Capsule { .. }, Sphere { .. } | Capsule { .. }) => {
            let (rod_a, rod_b) = (rod(a.0, pa, &pb.x), rod(b.0, pb, &pb.x));
            segment_segment::contacts(&rod_a, &rod_b, &pb.x, reach, sink);
        }
        (Cylinder { half_length, radius }, other) => {
            let cylinder = cylinder::Cylinder::new(*half_length, *radius, &from(pa, &pb.x));
            let other = match (other, scratch.b.place(other, &from(pb, &pb.x))) {
                (Cylinder { half_length, radius }, _) => {
                    Other::Cylinder(cylinder::Cylinder::new(*half_length, *radius, &from(pb, &pb.x)))
                }
                (_, Some(hull)) => Other::Hull(hull),
                _ => return,
            };
            cylinder_convex::contacts(&cylinder, &other, &pb.x, reach, &mut scratch.cylinder, sink);
        }
        (_, Cylinder { .. }) => contacts(b, a, reach, scratch, &mut sink.swapped()),
        _ => {
            let Some(hull_a) = scratch.a.place(a.0, &from(pa, &pb.x)) else { return };
            let Some(hull_b) = scratch.b.place(b.0, &from(pb, &pb.x)) else { return };
            hull_hull::contacts(&hull_a, &hull_b, &pb.x, reach, &mut scratch.clip, sink);
        }
    }
}

/// A solid convex shape against one that surrounds or carries it.
fn with_fixed(a: (&Shape, &Pose<3>), b: (&Shape, &Pose<3>), reach: f64, scratch: &mut Scratch, sink: &mut Sink<'_, 3>) {
    let (pa, pb) = (a.1, b.1);
    let within = pa.relative_to(pb);
    if let Shape::Cylinder { half_length, radius } = a.0 {
        return cylinder_with_fixed(*half_length, *radius, pa, b, reach, scratch, sink);
    }
    let place = match b.0 {
        Shape::HalfSpace | Shape::InsideBox { .. } => from(pa, &pb.x),
        _ => within,
    };
    let Some(hull) = scratch.a.place(a.0, &place) else { return };
    match b.0 {
        Shape::HalfSpace => hull_plane::contacts(&hull, &pb.x, &[0.0; 3], &column(&pb.rotation, 2), reach, sink),
        Shape::InsideBox { half } => walls(half, pb, |k, offset, n| {
            hull_plane::contacts(&hull, &pb.x, offset, n, reach, &mut sink.offset(k * hull.vertices.len() as u32));
        }),
        Shape::Mesh(mesh) => hull_mesh::contacts(&hull, (mesh, false, pb), reach, &mut scratch.mesh, sink),
        Shape::HeightField(field) => {
            hull_mesh::contacts(&hull, (field.surface(), true, pb), reach, &mut scratch.mesh, sink);
        }
        Shape::InsideCylinder { radius, half_length } => {
            hull_inside_cylinder::contacts(&hull, (*radius, *half_length, pb), reach, sink);
        }
        _ => {}
    }
}

/// A cylinder against a shape that surrounds or carries it.
fn cylinder_with_fixed(
    half_length: f64,
    radius: f64,
    pose: &Pose<3>,
    b: (&Shape, &Pose<3>),
    reach: f64,
    scratch: &mut Scratch,
    sink: &mut Sink<'_, 3>,
) {
    let pb = b.1;
    let at = |pose: &Pose<3>| cylinder::Cylinder::new(half_length, radius, pose);
    let (apart, within) = (at(&from(pose, &pb.x)), at(&pose.relative_to(pb)));
    let room = (&mut scratch.mesh, &mut scratch.a);
    match b.0 {
        Shape::HalfSpace => cylinder_plane::contacts(&apart, &pb.x, &[0.0; 3], &column(&pb.rotation, 2), reach, sink),
        Shape::InsideBox { half } => walls(half, pb, |k, offset, n| {
            cylinder_plane::contacts(&apart, &pb.x, offset, n, reach, &mut sink.offset(8 * k));
        }),
        Shape::Mesh(mesh) => cylinder_mesh::contacts(&within, (mesh, false, pb), reach, room, sink),
        Shape::HeightField(field) => {
            cylinder_mesh::contacts(&within, (field.surface(), true, pb), reach, room, sink);
        }
        Shape::InsideCylinder { radius, half_length } => {
            cylinder_inside_cylinder::contacts(&within, (*radius, *half_length, pb), reach, sink);
        }
        _ => {}
    }
}

/// The six walls of a container: their number, a point of them counted from its centre, their normal inwards.
fn walls(half: &[f64; 3], pose: &Pose<3>, mut wall: impl FnMut(u32, &[f64; 3], &[f64; 3])) {
    for axis in 0..3 {
        for (k, side) in [-1.0, 1.0].into_iter().enumerate() {
            let out = column(&pose.rotation, axis).map(|x| side * x);
            wall(2 * axis as u32 + k as u32, &scale(half[axis], &out), &scale(-1.0, &out));
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
    let start = sink.len();
    for (i, part) in compound.parts().iter().enumerate() {
        let placed = pose.part(&part.pose);
        if part.shape.bounds(&placed).touches(&room) {
            contacts((&part.shape, &placed), other, reach, scratch, &mut sink.part(part_offset(i)));
        }
    }
    inner_faces::drop_hidden(compound, pose, start, &mut scratch.a, sink);
}
