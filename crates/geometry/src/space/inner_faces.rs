//! Where the parts of a compound join, nothing sticks out.

use super::cylinder::Cylinder;
use super::gjk;
use super::hull::Placed;
use super::{Compound, Shape};
use crate::contact::{Contact, Sink};
use crate::pose::Pose;
use crate::vector::{add_scaled, norm, sub};

/// What is nearer than this part of its size lies on a part.
const ON: f64 = 1e-9;

/// The step by which normals are tried, as a part of the size.
const STEP: f64 = 1e-3;

/// Drops those contacts found since there were `start` that lie on the compound's inside.
///
/// A contact is hidden if its witness lies on a part of which it is not the nearest point: then that part is nearer to the
/// other body, and has a contact of its own. Of two parts that meet in a contact, the first keeps it.
pub fn drop_hidden(compound: &Compound, pose: &Pose<3>, start: usize, room: &mut Placed, sink: &mut Sink<'_, 3>) {
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
        let mut hidden = |part: &super::Part| hides(&part.shape, &pose.part(&part.pose), &witness, &out, room);
        !compound.parts().iter().any(&mut hidden) && !contacts[..i].iter().any(|other| same(other, c, size))
    });
}

fn same(a: &Contact<3>, b: &Contact<3>, size: f64) -> bool {
    norm(&sub(&a.point, &b.point)) <= ON * size && norm(&sub(&a.normal, &b.normal)) <= STEP
}

/// Whether `p` lies on the shape, but is not its point nearest to where `out` leads.
fn hides(shape: &Shape, pose: &Pose<3>, p: &[f64; 3], out: &[f64; 3], room: &mut Placed) -> bool {
    let local = pose.local_point(p);
    let size = shape.bounding_radius();
    let step = STEP * size;
    distance(shape, &local, room) <= ON * size
        && distance(shape, &add_scaled(&local, step, &pose.local_direction(out)), room) < (1.0 - STEP * STEP) * step
}

/// The distance of a point from a shape, in its frame; zero inside.
fn distance(shape: &Shape, p: &[f64; 3], room: &mut Placed) -> f64 {
    match shape {
        Shape::Cylinder { half_length, radius } => {
            Cylinder::new(*half_length, *radius, &Pose::default()).distance(p).0.max(0.0)
        }
        Shape::Box { half } => norm(&std::array::from_fn::<f64, 3, _>(|i| (p[i].abs() - half[i]).max(0.0))),
        Shape::Compound(compound) => {
            let mut of_part = |part: &super::Part| distance(&part.shape, &part.pose.local_point(p), room);
            compound.parts().iter().map(&mut of_part).fold(f64::INFINITY, f64::min)
        }
        other => {
            let Some(hull) = room.place(other, &Pose::default()) else { return f64::INFINITY };
            let support = |v: &[f64; 3]| (*p, hull.vertices[hull.support(&v.map(|x| -x))]);
            let nearest = gjk::nearest(support, &sub(&hull.centre(), p), hull.size() + hull.radius);
            nearest.map_or(0.0, |(p, q)| (norm(&sub(&p, &q)) - hull.radius).max(0.0))
        }
    }
}
