//! Cylinder against ball, capsule, box, polyhedron, cylinder: the direction that separates most, then what meets there.

use super::cylinder::Cylinder;
use super::hull::{Hull, Placed};
use super::segment_segment::{self, Rod};
use super::{face_clip, gjk, hull_hull};
use crate::contact::Sink;
use crate::vector::{add, add_scaled, dot, middle, neg, norm, scale, sub, unit};

/// Ends and sides that lean by a smaller sine lie on what they touch.
const LEAN: f64 = 1e-3;

/// Directions are found at a distance of this part of the size, where rounding does not turn them.
const APART: f64 = 1e-2;

/// What a cylinder can meet.
#[derive(Clone, Copy)]
pub enum Other<'a> {
    /// A ball, capsule, box or polyhedron.
    Hull(Hull<'a>),
    /// Another cylinder.
    Cylinder(Cylinder),
}

/// Room for prisms and polygons.
#[derive(Debug, Default)]
pub struct Room {
    a: Placed,
    b: Placed,
    clip: face_clip::Room,
}

/// Both are counted from `origin`.
pub fn contacts(a: &Cylinder, b: &Other<'_>, origin: &[f64; 3], reach: f64, room: &mut Room, sink: &mut Sink<'_, 3>) {
    let radius = b.radius();
    let size = 2.0 * (a.half_length + a.radius) + b.size();
    let n = direction(a, b, size);
    let separation = b.reach_against(&n) - dot(&n, &a.support(&n));
    let gap = separation - radius;
    if gap > reach {
        return;
    }
    let start = sink.len();
    if flat(a, b, &n, origin, reach, room, sink) && least(sink, start) <= gap + 1e-3 * gap.abs() + 1e-6 * size {
        return;
    }
    sink.retain_since(start, |_, _| false);
    // one point: between the nearest points once the two are moved apart along n
    let move_by = APART * size - separation;
    let support = |v: &[f64; 3]| (a.support(v), add_scaled(&b.support(&neg(v)), move_by, &n));
    let (p, q) = gjk::nearest(support, &n, size).unwrap_or_else(|| support(&n));
    let q = add_scaled(&q, -(move_by + radius), &n);
    sink.push(1 << 22, add(origin, &middle(&p, &q)), neg(&n), gap);
}

fn least(sink: &mut Sink<'_, 3>, start: usize) -> f64 {
    sink.since(start).iter().map(|c| c.gap).fold(f64::INFINITY, f64::min)
}

/// The direction from `a` to `b` that separates them most.
///
/// The best of some candidates is a start; then `b` is moved along it until the two are apart, and the direction between
/// their nearest points is better. At a fixed point it is normal to both. Far apart the first step is the last.
fn direction(a: &Cylinder, b: &Other<'_>, size: f64) -> [f64; 3] {
    let separation = |n: &[f64; 3]| b.reach_against(n) - dot(n, &a.support(n));
    let mut best = (f64::NEG_INFINITY, a.axis);
    let mut consider = |n: [f64; 3]| {
        let s = separation(&n);
        if s > best.0 {
            best = (s, n);
        }
    };
    let apart = sub(&b.centre(), &a.centre);
    unit(&apart).into_iter().for_each(&mut consider);
    [a.axis, neg(&a.axis), a.lean(&apart).0].into_iter().for_each(&mut consider);
    b.candidates(a, &mut consider);
    let (mut s, mut n) = best;
    for _ in 0..60 {
        let move_by = (APART * size - s).max(0.0);
        let support = |v: &[f64; 3]| (a.support(v), add_scaled(&b.support(&neg(v)), move_by, &n));
        let Some(better) = gjk::nearest(support, &n, size).and_then(|(p, q)| unit(&sub(&q, &p))) else { break };
        let gained = separation(&better);
        let moved = norm(&sub(&better, &n));
        // rounding has the last word
        if gained < s {
            break;
        }
        (s, n) = (gained, better);
        if moved <= 1e-14 || move_by == 0.0 {
            break;
        }
    }
    n
}

/// Ends and sides that lie on something: as a prism, or as a line. False if nothing lies.
fn flat(
    a: &Cylinder,
    b: &Other<'_>,
    n: &[f64; 3],
    origin: &[f64; 3],
    reach: f64,
    room: &mut Room,
    sink: &mut Sink<'_, 3>,
) -> bool {
    let start = sink.len();
    let Room { a: room_a, b: room_b, clip } = room;
    let (lean, other_lean) = (Lean::of(a, n), b.lean(n));
    match (b, lean, other_lean) {
        (_, Lean::Slanted, _) | (Other::Cylinder(_), _, Lean::Slanted) => return false,
        (Other::Cylinder(b), Lean::Side, Lean::Side) => {
            let rod = |c: &Cylinder| Rod { centre: c.centre, arm: scale(c.half_length, &c.axis), radius: c.radius };
            segment_segment::contacts(&rod(a), &rod(b), origin, reach, sink);
        }
        (Other::Cylinder(b), ..) => {
            let hull_a = lean.hull(a, n, room_a);
            let hull_b = other_lean.hull(b, &neg(n), room_b);
            hull_hull::contacts(&hull_a, &hull_b, origin, reach, clip, sink);
        }
        (Other::Hull(hull), ..) => {
            let hull_a = lean.hull(a, n, room_a);
            hull_hull::contacts(&hull_a, hull, origin, reach, clip, sink);
        }
    }
    sink.len() > start
}

/// How a cylinder lies across a direction.
#[derive(Clone, Copy, PartialEq)]
enum Lean {
    End,
    Side,
    Slanted,
}

impl Lean {
    fn of(a: &Cylinder, n: &[f64; 3]) -> Lean {
        let cosine = dot(n, &a.axis).abs();
        if cosine < LEAN {
            Lean::Side
        } else if a.lean(n).1 < LEAN {
            Lean::End
        } else {
            Lean::Slanted
        }
    }

    /// The prism of an end, or the line of a side.
    fn hull<'a>(self, a: &Cylinder, n: &[f64; 3], room: &'a mut Placed) -> Hull<'a> {
        if self == Lean::End {
            return room.prism(a, n);
        }
        let centre = add_scaled(&a.centre, a.radius, &a.lean(n).0);
        room.segment(&centre, &scale(a.half_length, &a.axis))
    }
}

impl Other<'_> {
    fn radius(&self) -> f64 {
        if let Other::Hull(hull) = self { hull.radius } else { 0.0 }
    }

    fn size(&self) -> f64 {
        match self {
            Other::Hull(hull) => hull.size() + hull.radius,
            Other::Cylinder(c) => 2.0 * (c.half_length + c.radius),
        }
    }

    fn centre(&self) -> [f64; 3] {
        match self {
            Other::Hull(hull) => hull.centre(),
            Other::Cylinder(c) => c.centre,
        }
    }

    fn support(&self, n: &[f64; 3]) -> [f64; 3] {
        match self {
            Other::Hull(hull) => hull.vertices[hull.support(n)],
            Other::Cylinder(c) => c.support(n),
        }
    }

    /// Where its side towards the cylinder begins, along `n`.
    fn reach_against(&self, n: &[f64; 3]) -> f64 {
        dot(n, &self.support(&neg(n)))
    }

    fn lean(&self, n: &[f64; 3]) -> Lean {
        if let Other::Cylinder(c) = self { Lean::of(c, n) } else { Lean::End }
    }

    /// Directions from the cylinder that are normal to faces or edges.
    fn candidates(&self, a: &Cylinder, consider: &mut impl FnMut([f64; 3])) {
        match self {
            Other::Hull(hull) => {
                hull.normals.iter().for_each(|n| consider(neg(n)));
                for v in hull.vertices {
                    consider(a.distance(v).1);
                }
                for edge in hull.topology.edges() {
                    let e = sub(&hull.vertices[edge.ends[1] as usize], &hull.vertices[edge.ends[0] as usize]);
                    if let Some(n) = unit(&crate::vector::cross(&a.axis, &e)) {
                        consider(n);
                        consider(neg(&n));
                    }
                }
            }
            Other::Cylinder(b) => {
                consider(b.axis);
                consider(neg(&b.axis));
                consider(neg(&b.lean(&sub(&a.centre, &b.centre)).0));
                if let Some(n) = unit(&crate::vector::cross(&a.axis, &b.axis)) {
                    consider(n);
                    consider(neg(&n));
                }
            }
        }
    }
}
