//! Outline against outline: the axis of least overlap among the normals of edges, then the common part of two edges.

use super::outline::Outline;
use crate::contact::Sink;
use crate::vector::{add, add_scaled, dot, lerp, middle, neg, norm2, scale, sub};

/// Contact points may miss the nearest one by this part of the size before corners are looked at.
const ROUNDING: f64 = 1e-12;

/// Both outlines are counted from `origin`.
///
/// A point is numbered by the vertex that makes it, of `a` first, so that it keeps its number whichever edge is taken
/// for reference. In penetration the origin of the Minkowski difference lies in front of an edge, never of a corner;
/// apart it may, and then two vertices are nearest.
pub fn contacts(a: &Outline, b: &Outline, origin: &[f64; 2], reach: f64, sink: &mut Sink<'_, 2>) {
    let radius = a.radius + b.radius;
    let (on_a, on_b) = (separation(a, b), separation(b, a));
    let largest = on_a.map_or(f64::NEG_INFINITY, |s| s.0).max(on_b.map_or(f64::NEG_INFINITY, |s| s.0));
    if largest - radius > reach {
        return;
    }
    let start = sink.len();
    let met = match (on_a, on_b) {
        (Some(on_a), Some(on_b)) if on_a.0 >= on_b.0 => edge_edge(a, on_a, b, false, origin, reach, sink),
        (_, Some(on_b)) => edge_edge(b, on_b, a, true, origin, reach, &mut sink.swapped()),
        (Some(on_a), None) => edge_edge(a, on_a, b, false, origin, reach, sink),
        (None, None) => false,
    };
    if !met {
        sink.retain_since(start, |_, _| false);
        corner_corner(a, b, origin, reach, sink);
    }
}

/// The edge of `a` from which `b` is furthest, and how far; the first of equals.
fn separation(a: &Outline, b: &Outline) -> Option<(f64, usize)> {
    let mut best: Option<(f64, usize)> = None;
    for (i, n) in a.normals.iter().enumerate() {
        let nearest = b.vertices.iter().map(|v| dot(n, v)).fold(f64::INFINITY, f64::min);
        let s = nearest - dot(n, &a.vertices[i]);
        if best.is_none_or(|b| s > b.0) {
            best = Some((s, i));
        }
    }
    best
}

/// The common part of the reference edge of `a` and the edge of `b` that faces it: its two ends, where they are within
/// reach. False if none of them is the nearest point: then the outlines meet at corners.
fn edge_edge(
    a: &Outline,
    (s, i): (f64, usize),
    b: &Outline,
    a_is_second: bool,
    origin: &[f64; 2],
    reach: f64,
    sink: &mut Sink<'_, 2>,
) -> bool {
    let n = &a.normals[i];
    let [p, q] = a.edge(i);
    let t = sub(&q, &p);
    let length = norm2(&t).sqrt();
    let t = scale(1.0 / length, &t);
    // along the reference edge, from its start; above it
    let place = |v: &[f64; 2]| (dot(&t, &sub(v, &p)), dot(n, &sub(v, &p)));
    let [j, k] = incident(b, n);
    let (near, far) = (place(&b.vertices[j]), place(&b.vertices[k]));
    let (na, nb) = (a.vertices.len(), b.vertices.len());
    let of_a = |v: usize| if a_is_second { nb + v } else { v } as u32;
    let of_b = |v: usize| if a_is_second { v } else { na + v } as u32;
    // the edge of b runs against that of a
    let ends = [(far, k, 0.0, i), (near, j, length, a.next(i))];
    let width = near.0 - far.0;
    let radius = a.radius + b.radius;
    let mut nearest = f64::INFINITY;
    let mut last = u32::MAX;
    for (number, ((along, above), vertex, limit, corner)) in ends.into_iter().enumerate() {
        let beyond = if number == 0 { along < limit } else { along > limit };
        let (x, height, feature) = if !beyond {
            (along, above, of_b(vertex))
        } else if width > 0.0 {
            (limit, far.1 + (limit - far.0) / width * (near.1 - far.1), of_a(corner))
        } else {
            continue;
        };
        // the common part may be empty, or a single point
        if x < 0.0 || x > length || x < far.0.min(near.0) || x > far.0.max(near.0) || feature == last {
            continue;
        }
        last = feature;
        nearest = nearest.min(height);
        let gap = height - radius;
        if gap <= reach {
            let on_a = add_scaled(&add_scaled(&p, x, &t), a.radius + 0.5 * gap, n);
            sink.push(feature, add(origin, &on_a), neg(n), gap);
        }
    }
    nearest <= s + ROUNDING * (length + s.abs() + width.abs())
}

/// The edge of `b` that faces `n` most, by its two vertices; one vertex twice where there is no edge.
fn incident(b: &Outline, n: &[f64; 2]) -> [usize; 2] {
    let mut best = (f64::INFINITY, [0, 0]);
    for (j, m) in b.normals.iter().enumerate() {
        let d = dot(m, n);
        if d < best.0 {
            best = (d, [j, b.next(j)]);
        }
    }
    best.1
}

/// Two outlines that are apart and nearest at corners, or at a corner and an edge that no normal found.
fn corner_corner(a: &Outline, b: &Outline, origin: &[f64; 2], reach: f64, sink: &mut Sink<'_, 2>) {
    let mut best = (f64::INFINITY, [0.0; 2], [0.0; 2], 0);
    let (na, nb) = (a.vertices.len(), b.vertices.len());
    for (i, v) in a.vertices.iter().enumerate() {
        for j in 0..nb {
            let w = on_segment(v, &b.edge(j));
            let d2 = norm2(&sub(v, &w));
            if d2 < best.0 {
                best = (d2, *v, w, na + nb + i * nb + j);
            }
        }
    }
    for (j, w) in b.vertices.iter().enumerate() {
        for i in 0..na {
            let v = on_segment(w, &a.edge(i));
            let d2 = norm2(&sub(&v, w));
            if d2 < best.0 {
                best = (d2, v, *w, na + nb + na * nb + i * nb + j);
            }
        }
    }
    let distance = best.0.sqrt();
    let gap = distance - a.radius - b.radius;
    if gap <= reach {
        let n = if distance > 0.0 { scale(1.0 / distance, &sub(&best.1, &best.2)) } else { [0.0, 1.0] };
        let (on_a, on_b) = (add_scaled(&best.1, -a.radius, &n), add_scaled(&best.2, b.radius, &n));
        sink.push(best.3 as u32, add(origin, &middle(&on_a, &on_b)), n, gap);
    }
}

/// The point of a segment nearest to `p`.
pub fn on_segment(p: &[f64; 2], [from, to]: &[[f64; 2]; 2]) -> [f64; 2] {
    let e = sub(to, from);
    let length2 = norm2(&e);
    if length2 == 0.0 {
        return *from;
    }
    let t = dot(&sub(p, from), &e) / length2;
    if t >= 1.0 { *to } else { lerp(from, to, t.max(0.0)) }
}
