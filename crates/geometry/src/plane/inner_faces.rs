//! Where the parts of a compound join, nothing sticks out.

use super::outline_outline::on_segment;
use super::{Compound, Shape};
use crate::contact::{Contact, Sink};
use crate::pose::Pose;
use crate::vector::{add_scaled, dot, norm, sub};

/// What is nearer than this part of its size lies on a part.
const ON: f64 = 1e-9;

/// The step by which normals are tried, as a part of the size.
const STEP: f64 = 1e-3;

/// Drops those contacts found since there were `start` that lie on the compound's inside.
///
/// A contact is hidden if its witness lies on a part of which it is not the nearest point: then that part is nearer to the
/// other body, and has a contact of its own. Of two parts that meet in a contact, the first keeps it.
pub fn drop_hidden(compound: &Compound, pose: &Pose<2>, start: usize, sink: &mut Sink<'_, 2>) {
    if sink.len() == start {
        return;
    }
    let outward = sink.outward();
    let size = compound.parts().iter().map(|p| p.shape.bounding_radius()).fold(0.0, f64::max);
    sink.retain_since(start, |contacts, i| {
        let c = &contacts[i];
        // the compound was asked about first: its witness lies along the normal, its outside against it
        let witness = add_scaled(&c.point, 0.5 * outward * c.gap, &c.normal);
        let out = c.normal.map(|x| -outward * x);
        let hidden = |part: &super::Part| hides(&part.shape, &pose.part(&part.pose), &witness, &out);
        !compound.parts().iter().any(hidden) && !contacts[..i].iter().any(|other| same(other, c, size))
    });
}

fn same(a: &Contact<2>, b: &Contact<2>, size: f64) -> bool {
    norm(&sub(&a.point, &b.point)) <= ON * size && norm(&sub(&a.normal, &b.normal)) <= STEP
}

/// Whether `p` lies on the shape, but is not its point nearest to where `out` leads.
fn hides(shape: &Shape, pose: &Pose<2>, p: &[f64; 2], out: &[f64; 2]) -> bool {
    let local = pose.local_point(p);
    let size = shape.bounding_radius();
    let step = STEP * size;
    depth(shape, &local) >= -ON * size
        && -depth(shape, &add_scaled(&local, step, &pose.local_direction(out))) < (1.0 - STEP * STEP) * step
}

/// How deep a point lies in a shape, in its frame; negative outside.
fn depth(shape: &Shape, p: &[f64; 2]) -> f64 {
    match shape {
        Shape::Disc { radius } => radius - norm(p),
        Shape::Box { half } => {
            let beyond = [p[0].abs() - half[0], p[1].abs() - half[1]];
            if beyond[0].max(beyond[1]) < 0.0 { -beyond[0].max(beyond[1]) } else { -norm(&beyond.map(|x| x.max(0.0))) }
        }
        Shape::Capsule { half_length, radius } => {
            radius - norm(&sub(p, &[p[0].clamp(-half_length, *half_length), 0.0]))
        }
        Shape::Polygon(polygon) => {
            let (normals, vertices) = (polygon.normals(), polygon.vertices());
            let faces = normals.iter().zip(vertices).map(|(n, v)| -dot(n, &sub(p, v)));
            let inside = faces.fold(f64::INFINITY, f64::min);
            if inside >= 0.0 {
                return inside;
            }
            let edge = |i: usize| norm(&sub(p, &on_segment(p, &[vertices[i], vertices[(i + 1) % vertices.len()]])));
            -(0..vertices.len()).map(edge).fold(f64::INFINITY, f64::min)
        }
        Shape::Compound(compound) => {
            let of_part = |part: &super::Part| depth(&part.shape, &part.pose.local_point(p));
            compound.parts().iter().map(of_part).fold(f64::NEG_INFINITY, f64::max)
        }
        _ => f64::NEG_INFINITY,
    }
}
