//! A face of a hull against the face of another that looks at it: the corners of their common part.

use super::hull::Hull;
use super::reduce::{Candidate, four};
use super::tangents;
use crate::contact::Sink;
use crate::vector::{add, add_scaled, dot, neg, sub};

/// What is wanted of which face of the reference.
pub struct Ask {
    /// The face of the reference.
    pub face: usize,
    /// A point of the common part must be at least this near.
    pub enough: f64,
    /// Points this far are given to the sink.
    pub reach: f64,
    /// Whether the reference is the second of the pair, as far as features are concerned.
    pub second: bool,
}

/// Room for polygons on their way through the clipping.
#[derive(Debug, Default)]
pub struct Room {
    polygon: Vec<Corner>,
    next: Vec<Corner>,
    points: Vec<Candidate>,
}

/// A corner of the clipped polygon and the edge that leaves it: one of the incident face, or a side of the reference.
#[derive(Debug, Clone, Copy)]
struct Corner {
    // in the plane of the reference, and the height above it
    x: [f64; 3],
    feature: u32,
    edge: Side,
}

#[derive(Debug, Clone, Copy)]
enum Side {
    /// The edge of the incident face that starts at this vertex.
    Incident(u32),
    /// The edge of the reference face that starts at this vertex.
    Reference(u32),
}

/// What is nearer than this part of the face is the same point; a vertex this far outside of the face still stands on it.
const SAME: f64 = 1e-6;

/// The common part of a face of `a` and the face (or edge, or vertex) of `b` that looks at it.
///
/// Points within reach are given to the sink, at most four. False if no point is near enough: then the hulls meet
/// elsewhere.
pub fn contacts(
    a: &Hull<'_>,
    b: &Hull<'_>,
    ask: &Ask,
    origin: &[f64; 3],
    room: &mut Room,
    sink: &mut Sink<'_, 3>,
) -> bool {
    let (n, face) = (&a.normals[ask.face], a.topology.face(ask.face));
    let base = &a.vertices[face[0] as usize];
    let [u, v] = tangents(n);
    let flat = |p: &[f64; 3]| {
        let d = sub(p, base);
        [dot(&u, &d), dot(&v, &d), dot(n, &d)]
    };
    let (na, nb) = (a.vertices.len() as u32, b.vertices.len() as u32);
    let of_a = |vertex: u32| if ask.second { nb + vertex } else { vertex };
    let of_b = |vertex: u32| if ask.second { vertex } else { na + vertex };
    room.polygon.clear();
    let corner = |vertex: u32| Corner {
        x: flat(&b.vertices[vertex as usize]),
        feature: of_b(vertex),
        edge: Side::Incident(vertex),
    };
    match incident(b, n) {
        Some(f) => room.polygon.extend(b.topology.face(f).iter().map(|&v| corner(v))),
        None => room.polygon.extend((0..nb).map(corner)),
    }
    let mut size: f64 = 0.0;
    for i in 0..face.len() {
        let (k, l) = (face[i], face[(i + 1) % face.len()]);
        let (from, to) = (flat(&a.vertices[k as usize]), flat(&a.vertices[l as usize]));
        size = size.max(from[0].abs()).max(from[1].abs());
        let crossing = |side: Side| match side {
            Side::Incident(vertex) => na + nb + if ask.second { vertex * na + k } else { k * nb + vertex },
            // two sides of the reference meet in a corner of it
            Side::Reference(other) => of_a(if other == l { l } else { k }),
        };
        clip(room, &from, &to, SAME * size, k, crossing);
    }
    gather(room, SAME * size);
    let nearest = room.points.iter().map(|p| p.height).fold(f64::INFINITY, f64::min);
    if nearest > ask.enough {
        return false;
    }
    let radius = a.radius + b.radius;
    room.points.retain(|p| p.height - radius <= ask.reach);
    for p in four(&mut room.points) {
        let gap = p.height - radius;
        let on_a = add_scaled(&add_scaled(base, p.x[0], &u), p.x[1], &v);
        sink.push(p.feature, add(origin, &add_scaled(&on_a, a.radius + 0.5 * gap, n)), neg(n), gap);
    }
    true
}

/// The face of `b` that looks most against `n`, if `b` has faces.
fn incident(b: &Hull<'_>, n: &[f64; 3]) -> Option<usize> {
    (0..b.normals.len()).min_by(|&f, &g| dot(&b.normals[f], n).total_cmp(&dot(&b.normals[g], n)))
}

/// Cuts off what lies to the right of the side from `from` to `to` of the reference, by more than `same`.
fn clip(room: &mut Room, from: &[f64; 3], to: &[f64; 3], same: f64, side: u32, crossing: impl Fn(Side) -> u32) {
    let e = [to[0] - from[0], to[1] - from[1]];
    let length = e[0].hypot(e[1]);
    let outside = |p: &[f64; 3]| ((p[0] - from[0]) * e[1] - (p[1] - from[1]) * e[0]) / length;
    room.next.clear();
    for i in 0..room.polygon.len() {
        let (c, d) = (room.polygon[i], room.polygon[(i + 1) % room.polygon.len()]);
        let (here, there) = (outside(&c.x), outside(&d.x));
        if here <= same {
            room.next.push(c);
        }
        if (here <= same) != (there <= same) {
            let t = (here / (here - there)).clamp(0.0, 1.0);
            let x = std::array::from_fn(|k| c.x[k] + t * (d.x[k] - c.x[k]));
            // going out, the side is followed from here; coming in, the edge
            let edge = if here <= same { Side::Reference(side) } else { c.edge };
            room.next.push(Corner { x, feature: crossing(c.edge), edge });
        }
    }
    std::mem::swap(&mut room.polygon, &mut room.next);
}

/// The corners of the clipped polygon, each once.
fn gather(room: &mut Room, same: f64) {
    room.points.clear();
    for c in &room.polygon {
        let near = |p: &Candidate| {
            (p.x[0] - c.x[0]).abs().max((p.x[1] - c.x[1]).abs()) <= 8.0 * same || p.feature == c.feature
        };
        if !room.points.iter().any(near) {
            room.points.push(Candidate { x: [c.x[0], c.x[1]], height: c.x[2], feature: c.feature });
        }
    }
}
