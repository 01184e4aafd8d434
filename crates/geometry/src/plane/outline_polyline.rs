//! Outline against a chain of segments: its vertices on the segments, and the corners of the chain on its edges.
//!
//! The chain is taken from the side on which the centre of the outline is. Between two segments in line nothing sticks
//! out, so that a body which slides over the joint touches what it would touch on one long segment.

use super::outline::Outline;
use crate::contact::Sink;
use crate::pose::Pose;
use crate::vector::{add_scaled, cross2, dot, middle, norm, norm2, scale, sub};

/// Joints whose sine is smaller are in line.
const IN_LINE: f64 = 1e-9;

/// Normals may lie outside of the fan of a corner by this sine: a face that is about to turn onto it.
const FAN: f64 = 0.1;

/// A chain seen from one side.
struct Chain<'a> {
    vertices: &'a [[f64; 2]],
    closed: bool,
    // +1: the body is to the left of the segments
    side: f64,
}

/// The outline is placed in the frame of the chain, whose pose is `line.2`.
pub fn contacts(a: &Outline, line: (&[[f64; 2]], bool, &Pose<2>), reach: f64, sink: &mut Sink<'_, 2>) {
    let mut chain = Chain { vertices: line.0, closed: line.1, side: 1.0 };
    chain.side = chain.side_of(&a.centre());
    let room = crate::Bounds::of_points(&a.vertices).widened(a.radius + reach);
    let mut emit = |feature: usize, point: [f64; 2], normal: [f64; 2], gap: f64| {
        sink.push(feature as u32, line.2.point(&point), line.2.direction(&normal), gap);
    };
    let stride = 3 * a.vertices.len();
    for i in 0..chain.segments() {
        if crate::Bounds::of_points(&chain.segment(i)).touches(&room) {
            vertices_on_segment(a, &chain, i, reach, |k, p, n, g| emit(i * stride + k, p, n, g));
        }
    }
    for (w, p) in chain.vertices.iter().enumerate() {
        if crate::Bounds::of_points([p]).touches(&room) && chain.sticks_out(w) {
            corner_on_outline(a, &chain, w, reach, |k, p, n, g| emit(w * stride + k, p, n, g));
        }
    }
}

/// The vertices of the outline in front of segment `i`, and those just behind it.
fn vertices_on_segment(
    a: &Outline,
    chain: &Chain<'_>,
    i: usize,
    reach: f64,
    mut emit: impl FnMut(usize, [f64; 2], [f64; 2], f64),
) {
    let [p, q] = chain.segment(i);
    let n = chain.normal(i);
    let length = norm(&sub(&q, &p));
    let t = scale(1.0 / length, &sub(&q, &p));
    for (k, v) in a.vertices.iter().enumerate() {
        let (along, height) = (dot(&t, &sub(v, &p)), dot(&n, &sub(v, &p)));
        // a joint belongs to the segment after it; a chain that is open has its last point
        let end = if chain.joint(i + 1).is_some() { along < length } else { along <= length };
        let inside = along >= 0.0 && end;
        let gap = height - a.radius;
        if gap > reach || !(inside || chain.behind_hollow(i, v, along < 0.0)) || chain.nearer_behind(i, v, height) {
            continue;
        }
        emit(k, add_scaled(v, -(a.radius + 0.5 * gap), &n), n, gap);
    }
}

/// Corner `w` of the chain against the edge of the outline in front of it, or else against its nearest vertex.
fn corner_on_outline(
    a: &Outline,
    chain: &Chain<'_>,
    w: usize,
    reach: f64,
    mut emit: impl FnMut(usize, [f64; 2], [f64; 2], f64),
) {
    let p = &chain.vertices[w];
    let mut best: Option<(f64, usize)> = None;
    for (k, m) in a.normals.iter().enumerate() {
        let [from, to] = a.edge(k);
        let e = sub(&to, &from);
        let along = dot(&e, &sub(p, &from));
        let s = dot(m, &sub(p, &from));
        if along > 0.0 && along < norm2(&e) && best.is_none_or(|b| s > b.0) {
            best = Some((s, k));
        }
    }
    if let Some((s, k)) = best {
        let (n, gap) = (scale(-1.0, &a.normals[k]), s - a.radius);
        if gap <= reach && chain.in_fan(w, &n, FAN) {
            emit(a.vertices.len() + k, add_scaled(p, 0.5 * gap, &n), n, gap);
        }
        // an edge in front of the corner is nearer than any vertex, unless the corner is between two capsule sides
        if s >= 0.0 || a.vertices.len() > 2 {
            return;
        }
    }
    let nearest = (0..a.vertices.len())
        .min_by(|&i, &j| norm2(&sub(&a.vertices[i], p)).total_cmp(&norm2(&sub(&a.vertices[j], p))));
    let Some(k) = nearest else { return };
    let d = sub(&a.vertices[k], p);
    let distance = norm(&d);
    let gap = distance - a.radius;
    if distance > 0.0 && gap <= reach {
        let n = scale(1.0 / distance, &d);
        if chain.in_fan(w, &n, 0.0) {
            let on_a = add_scaled(&a.vertices[k], -a.radius, &n);
            emit(2 * a.vertices.len() + k, middle(&on_a, p), n, gap);
        }
    }
}

impl Chain<'_> {
    fn segments(&self) -> usize {
        self.vertices.len() - usize::from(!self.closed)
    }

    fn segment(&self, i: usize) -> [[f64; 2]; 2] {
        [self.vertices[i], self.vertices[(i + 1) % self.vertices.len()]]
    }

    /// The unit normal of segment `i` towards the body.
    fn normal(&self, i: usize) -> [f64; 2] {
        let [p, q] = self.segment(i);
        let e = sub(&q, &p);
        let length = norm(&e);
        [-self.side * e[1] / length, self.side * e[0] / length]
    }

    /// The segments before and after the joint at the start of segment `i`, if there is one.
    fn joint(&self, i: usize) -> Option<[usize; 2]> {
        let n = self.vertices.len();
        if self.closed {
            return Some([(i + n - 1) % n, i % n]);
        }
        (i > 0 && i + 1 < n).then(|| [i - 1, i])
    }

    /// The sine of the turn at a joint: positive where the chain sticks out towards the body.
    fn turn(&self, [before, after]: [usize; 2]) -> f64 {
        -self.side * cross2(&self.normal(before), &self.normal(after))
    }

    fn sticks_out(&self, w: usize) -> bool {
        self.joint(w).is_none_or(|joint| self.turn(joint) > IN_LINE)
    }

    /// Whether a normal at vertex `w` points away from both of its segments, or into them by no more than a sine.
    fn in_fan(&self, w: usize, n: &[f64; 2], tolerance: f64) -> bool {
        let vertices = self.vertices.len();
        let towards = |other: usize| {
            let e = sub(&self.vertices[other % vertices], &self.vertices[w]);
            dot(n, &e) <= tolerance * norm(&e)
        };
        let before = self.closed || w > 0;
        let after = self.closed || w + 1 < vertices;
        (!before || towards(w + vertices - 1)) && (!after || towards(w + 1))
    }

    /// Whether a vertex beyond one end of segment `i` is behind the next one too, where the joint is a hollow: there it
    /// has left the range of both.
    fn behind_hollow(&self, i: usize, v: &[f64; 2], at_start: bool) -> bool {
        let joint = self.joint(if at_start { i } else { i + 1 });
        joint.is_some_and(|joint| {
            let other = if at_start { joint[0] } else { joint[1] };
            self.turn(joint) < -IN_LINE && self.height(other, v) < 0.0
        })
    }

    /// Whether a vertex behind segment `i` has crossed a neighbour less deeply, or not at all, around a joint that sticks
    /// out.
    fn nearer_behind(&self, i: usize, v: &[f64; 2], height: f64) -> bool {
        if height >= 0.0 {
            return false;
        }
        let crossed = |joint: Option<[usize; 2]>, other: usize| {
            joint.is_some_and(|joint| {
                let depth = self.height(joint[other], v);
                self.turn(joint) > IN_LINE && depth > height
            })
        };
        crossed(self.joint(i), 0) || crossed(self.joint(i + 1), 1)
    }

    fn height(&self, i: usize, v: &[f64; 2]) -> f64 {
        dot(&self.normal(i), &sub(v, &self.vertices[i]))
    }

    /// On which side of the chain a point is: that of the nearest segment, or, nearest to a joint, the outer one.
    fn side_of(&self, c: &[f64; 2]) -> f64 {
        let mut best = (f64::INFINITY, 1.0);
        for i in 0..self.segments() {
            let [p, q] = self.segment(i);
            let (e, d) = (sub(&q, &p), sub(c, &p));
            let t = dot(&e, &d) / norm2(&e);
            let d2 = norm2(&add_scaled(&d, -t.clamp(0.0, 1.0), &e));
            if d2 >= best.0 {
                continue;
            }
            let joint = if t <= 0.0 { self.joint(i) } else { self.joint(i + 1).filter(|_| t >= 1.0) };
            let side = match joint {
                Some([before, after]) => {
                    let ([a, b], [_, c]) = (self.segment(before), self.segment(after));
                    -cross2(&sub(&b, &a), &sub(&c, &b))
                }
                None => cross2(&e, &d),
            };
            // in line with a joint either will do
            best = (d2, if side == 0.0 { cross2(&e, &d) } else { side });
        }
        if best.1 < 0.0 { -1.0 } else { 1.0 }
    }
}
