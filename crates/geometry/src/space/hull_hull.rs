//! Hull against hull: the best axis among normals of faces and of pairs of edges, then the common part of two faces, or
//! two edges, or two corners.
//!
//! # Reference
//!
//! Gregorius 2013, The separating axis test between convex polyhedra: pairs of edges that make no face of the Minkowski
//! difference are passed over.

use super::face_clip;
use super::gjk;
use super::hull::Hull;
use super::topology::{Edge, NO_FACE};
use crate::contact::Sink;
use crate::vector::{add, add_scaled, cross, dot, middle, neg, norm, norm2, scale, sub};

/// Normals closer than this cosine count as the same: faces meet as faces, whatever the axis.
pub const PARALLEL: f64 = super::box_box::PARALLEL;

/// Edges with a smaller squared sine have no common normal of their own.
const ALONG: f64 = 1e-9;

/// Both hulls are counted from `origin`.
pub fn contacts(
    a: &Hull<'_>,
    b: &Hull<'_>,
    origin: &[f64; 3],
    reach: f64,
    room: &mut face_clip::Room,
    sink: &mut Sink<'_, 3>,
) {
    let radius = a.radius + b.radius;
    let none = (f64::NEG_INFINITY, 0);
    let on_a = best_face(a, b, reach + radius).unwrap_or(none);
    if on_a.0 - radius > reach {
        return;
    }
    let on_b = best_face(b, a, reach + radius).unwrap_or(none);
    if on_b.0 - radius > reach {
        return;
    }
    let face = on_a.0.max(on_b.0);
    let size = a.size() + b.size();
    let edge = best_edges(a, b, face + 1e-12 * size).filter(|e| e.separation > face + 1e-12 * size);
    if edge.as_ref().is_some_and(|e| e.separation - radius > reach) {
        return;
    }
    let met = if face == f64::NEG_INFINITY {
        edge.as_ref().is_some_and(|e| edge_edge(a, b, e, origin, reach, sink))
    } else {
        let flat = is_flat(a, on_a, b, on_b);
        let by_a = on_b.0 == f64::NEG_INFINITY || flat || on_a.0 >= on_b.0;
        // from a to b
        let n = if by_a { a.normals[on_a.1] } else { neg(&b.normals[on_b.1]) };
        match edge.as_ref().filter(|e| !flat && dot(&e.normal, &n) < PARALLEL) {
            Some(edge) => edge_edge(a, b, edge, origin, reach, sink),
            None => {
                let s = edge.map_or(face, |e| e.separation);
                let enough = if flat { f64::INFINITY } else { s + 4e-4 * s.abs() + 1e-12 * size };
                if by_a {
                    let ask = face_clip::Ask { face: on_a.1, enough, reach, second: false };
                    face_clip::contacts(a, b, &ask, origin, room, sink)
                } else {
                    let ask = face_clip::Ask { face: on_b.1, enough, reach, second: true };
                    face_clip::contacts(b, a, &ask, origin, room, &mut sink.swapped())
                }
            }
        }
    };
    if !met {
        corners(a, b, size, origin, reach, sink);
    }
}

/// Whether the best faces of both lie on each other: then that of `a` is the reference, so that the choice does not
/// flicker.
fn is_flat(a: &Hull<'_>, on_a: (f64, usize), b: &Hull<'_>, on_b: (f64, usize)) -> bool {
    on_a.0 > f64::NEG_INFINITY && on_b.0 > f64::NEG_INFINITY && dot(&a.normals[on_a.1], &b.normals[on_b.1]) < -PARALLEL
}

/// The face of `a` from which `b` is furthest, and how far; the first of equals, or the first that is far enough.
fn best_face(a: &Hull<'_>, b: &Hull<'_>, far: f64) -> Option<(f64, usize)> {
    let mut best: Option<(f64, usize)> = None;
    for (f, n) in a.normals.iter().enumerate() {
        let s = a.height(f, &b.vertices[b.support(&neg(n))]);
        if best.is_none_or(|b| s > b.0) {
            best = Some((s, f));
        }
        if s > far {
            break;
        }
    }
    best
}

/// The best axis across an edge of each hull.
struct EdgeAxis {
    separation: f64,
    edges: [usize; 2],
    // from a to b
    normal: [f64; 3],
}

/// The pair of edges that separates most, if any separates by more than `floor`.
fn best_edges(a: &Hull<'_>, b: &Hull<'_>, floor: f64) -> Option<EdgeAxis> {
    let (centre, other) = (a.centre(), b.centre());
    let mut best: Option<EdgeAxis> = None;
    for (i, ea) in a.topology.edges().iter().enumerate() {
        let pa = &a.vertices[ea.ends[0] as usize];
        let da = sub(&a.vertices[ea.ends[1] as usize], pa);
        for (j, eb) in b.topology.edges().iter().enumerate() {
            let pb = &b.vertices[eb.ends[0] as usize];
            let db = sub(&b.vertices[eb.ends[1] as usize], pb);
            if !makes_face(a, ea, &da, b, eb, &db) {
                continue;
            }
            let n = cross(&da, &db);
            let n2 = norm2(&n);
            if n2 <= ALONG * norm2(&da) * norm2(&db) {
                continue;
            }
            let mut normal = scale(1.0 / n2.sqrt(), &n);
            // away from a, towards b; a bare segment has no inside
            let outward = match (ea.faces[0] == NO_FACE, eb.faces[0] == NO_FACE) {
                (true, true) => sub(pb, pa),
                (true, false) => sub(&other, pb),
                (false, _) => sub(pa, &centre),
            };
            if dot(&normal, &outward) < 0.0 {
                normal = neg(&normal);
            }
            let separation = dot(&normal, &sub(pb, pa));
            if separation > best.as_ref().map_or(floor, |b| b.separation) {
                best = Some(EdgeAxis { separation, edges: [i, j], normal });
            }
        }
    }
    best
}

/// Whether two edges make a face of the Minkowski difference: whether their arcs on the sphere of normals cross.
fn makes_face(a: &Hull<'_>, ea: &Edge, da: &[f64; 3], b: &Hull<'_>, eb: &Edge, db: &[f64; 3]) -> bool {
    // each arc must pass from one side of the other's plane to the other; a bare segment's arc is a full circle
    let arc_a = ea.faces.map(|f| (f != NO_FACE).then(|| a.normals[f as usize]));
    let arc_b = eb.faces.map(|f| (f != NO_FACE).then(|| neg(&b.normals[f as usize])));
    let crosses = |arc: &[Option<[f64; 3]>; 2], d: &[f64; 3]| match arc {
        [Some(n), Some(m)] => {
            let (s, t) = (dot(n, d), dot(m, d));
            (s * t < 0.0).then_some(s)
        }
        _ => Some(0.0),
    };
    let (Some(s), Some(t)) = (crosses(&arc_a, db), crosses(&arc_b, da)) else { return false };
    // and on the same half of the sphere: n_a is left of its edge, so the signs tell
    s == 0.0 || t == 0.0 || s * t < 0.0
}

/// The point between the two edges of an axis; false if it lies beyond one of their ends.
fn edge_edge(
    a: &Hull<'_>,
    b: &Hull<'_>,
    axis: &EdgeAxis,
    origin: &[f64; 3],
    reach: f64,
    sink: &mut Sink<'_, 3>,
) -> bool {
    let (ea, eb) = (a.topology.edges()[axis.edges[0]], b.topology.edges()[axis.edges[1]]);
    let (pa, pb) = (&a.vertices[ea.ends[0] as usize], &b.vertices[eb.ends[0] as usize]);
    let da = sub(&a.vertices[ea.ends[1] as usize], pa);
    let db = sub(&b.vertices[eb.ends[1] as usize], pb);
    let d = sub(pb, pa);
    let (aa, bb, ab) = (norm2(&da), norm2(&db), dot(&da, &db));
    let n2 = norm2(&cross(&da, &db));
    let (s, t) = ((dot(&d, &da) * bb - ab * dot(&d, &db)) / n2, (ab * dot(&d, &da) - aa * dot(&d, &db)) / n2);
    let slack = 1e-9;
    if s < -slack || s > 1.0 + slack || t < -slack || t > 1.0 + slack {
        return false;
    }
    let gap = axis.separation - a.radius - b.radius;
    if gap <= reach {
        let n = &axis.normal;
        let on_a = add_scaled(&add_scaled(pa, s, &da), a.radius, n);
        let on_b = add_scaled(&add_scaled(pb, t, &db), -b.radius, n);
        let feature = 1 << 20 | (axis.edges[0] * b.topology.edges().len() + axis.edges[1]) as u32;
        sink.push(feature, add(origin, &middle(&on_a, &on_b)), neg(n), gap);
    }
    true
}

/// Hulls that are apart and nearest at a corner.
fn corners(a: &Hull<'_>, b: &Hull<'_>, size: f64, origin: &[f64; 3], reach: f64, sink: &mut Sink<'_, 3>) {
    let support = |v: &[f64; 3]| (a.vertices[a.support(v)], b.vertices[b.support(&neg(v))]);
    let start = sub(&b.centre(), &a.centre());
    let Some((p, q)) = gjk::nearest(support, &start, size) else { return };
    let d = sub(&p, &q);
    let distance = norm(&d);
    let gap = distance - a.radius - b.radius;
    if distance > 0.0 && gap <= reach {
        let n = scale(1.0 / distance, &d);
        let (va, vb) = (a.support(&neg(&n)), b.support(&n));
        let point = middle(&add_scaled(&p, -a.radius, &n), &add_scaled(&q, b.radius, &n));
        sink.push(1 << 21 | (va * b.vertices.len() + vb) as u32, add(origin, &point), n, gap);
    }
}
