//! Box against box: fifteen axes, then the common part of two faces, or two edges, or two corners.
//!
//! A point is numbered by what makes it: a vertex of `a` (0 to 7), a vertex of `b` (8 to 15), two edges that cross
//! (from 16), two features apart from each other (from 160). So it keeps its number whichever face is the reference.
//!
//! # Reference
//!
//! Gottschalk, Lin, Manocha 1996, OBBTree, for the axes.

use super::box_face::{self, Frame};
use super::gjk;
use crate::contact::Sink;
use crate::pose::Pose;
use crate::vector::{add_scaled, column, dot, middle, norm, product_transposed, rotate_back, scale, sub};

/// Faces whose normals differ by less than 1 - this cosine (an angle of 0.02) meet as faces, whatever the axis.
pub const PARALLEL: f64 = 1.0 - 2e-4;

/// Edges with a smaller squared sine have no common normal of their own.
const ALONG: f64 = 1e-9;

/// Boxes given by half of their edges and their poses.
pub fn contacts(a: (&[f64; 3], &Pose<3>), b: (&[f64; 3], &Pose<3>), reach: f64, sink: &mut Sink<'_, 3>) {
    let ((ha, pa), (hb, pb)) = (a, b);
    let d = sub(&pb.x, &pa.x);
    let (ta, tb) = (rotate_back(&pa.rotation, &d), rotate_back(&pb.rotation, &d));
    let r = product_transposed(&pa.rotation, &pb.rotation);
    let q = r.map(|row| row.map(f64::abs));
    let (mut on_a, mut on_b) = ((f64::NEG_INFINITY, 0), (f64::NEG_INFINITY, 0));
    for i in 0..3 {
        let s = ta[i].abs() - (ha[i] + dot(&q[i], hb));
        if s > on_a.0 {
            on_a = (s, i);
        }
    }
    for j in 0..3 {
        let s = tb[j].abs() - (hb[j] + dot(ha, &column(&q, j)));
        if s > on_b.0 {
            on_b = (s, j);
        }
    }
    let face = on_a.0.max(on_b.0);
    if face > reach {
        return;
    }
    let size = norm(ha) + norm(hb);
    let Some(edge) = edges(ha, hb, &ta, &r, &q, face + 1e-12 * size, reach) else { return };
    // of two faces that lie on each other the one of a is the reference, so that the choice does not flicker
    let facing = (0..3).fold(0, |best, j| if q[on_a.1][j] > q[on_a.1][best] { j } else { best });
    let flat = facing == on_b.1 && q[on_a.1][facing] > PARALLEL;
    let by_a = flat || on_a.0 >= on_b.0;
    let n_face = if by_a { unit_of(on_a.1, ta[on_a.1]) } else { scale(tb[on_b.1].signum(), &column(&r, on_b.1)) };
    let crossing = edge.as_ref().is_some_and(|e| !flat && dot(&e.normal, &n_face) < PARALLEL);
    if let Some(edge) = edge.as_ref().filter(|_| crossing) {
        if edge_edge(ha, hb, &ta, &r, edge, pa, sink) {
            return;
        }
    } else {
        let s = edge.map_or(face, |e| e.separation);
        let enough = if flat { f64::INFINITY } else { s + 4e-4 * s.abs() + 1e-12 * size };
        let met = if by_a {
            let frame = Frame { half: ha, other: hb, centre: ta, rotation: r, pose: pa, second: false };
            box_face::contacts(&frame, on_a.1, enough, reach, sink)
        } else {
            let rotation = std::array::from_fn(|i| column(&r, i));
            let frame = Frame { half: hb, other: ha, centre: scale(-1.0, &tb), rotation, pose: pb, second: true };
            box_face::contacts(&frame, on_b.1, enough, reach, &mut sink.swapped())
        };
        if met {
            return;
        }
    }
    corners(ha, hb, &ta, &r, pa, reach, sink);
}

fn unit_of(axis: usize, sign: f64) -> [f64; 3] {
    let mut n = [0.0; 3];
    n[axis] = 1.0f64.copysign(sign);
    n
}

/// The best axis across an edge of each box, in the frame of `a`.
struct EdgeAxis {
    separation: f64,
    // of a and of b
    edges: [usize; 2],
    // from a to b
    normal: [f64; 3],
}

/// The edges whose common normal separates by more than `floor`, if any; `None` if one separates by more than the reach.
fn edges(
    ha: &[f64; 3],
    hb: &[f64; 3],
    t: &[f64; 3],
    r: &[[f64; 3]; 3],
    q: &[[f64; 3]; 3],
    floor: f64,
    reach: f64,
) -> Option<Option<EdgeAxis>> {
    let mut best = (floor, None);
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let offset = t[i2] * r[i1][j] - t[i1] * r[i2][j];
            let extent = ha[i1] * q[i2][j] + ha[i2] * q[i1][j] + hb[j1] * q[i][j2] + hb[j2] * q[i][j1];
            let s = offset.abs() - extent;
            // the true separation is s over the sine: below zero it is smaller still
            if s <= best.0 && s < 0.0 {
                continue;
            }
            let sine2 = r[i1][j] * r[i1][j] + r[i2][j] * r[i2][j];
            if sine2 < ALONG {
                continue;
            }
            let s = s / sine2.sqrt();
            if s > reach {
                return None;
            }
            if s > best.0 {
                best = (s, Some((i, j, offset)));
            }
        }
    }
    Some(best.1.map(|(i, j, offset)| {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let mut normal = [0.0; 3];
        let sine = r[i1][j].hypot(r[i2][j]).copysign(offset);
        normal[i1] = -r[i2][j] / sine;
        normal[i2] = r[i1][j] / sine;
        EdgeAxis { separation: best.0, edges: [i, j], normal }
    }))
}

/// The point between the two edges that an axis belongs to; false if it lies beyond one of their ends.
fn edge_edge(
    ha: &[f64; 3],
    hb: &[f64; 3],
    t: &[f64; 3],
    r: &[[f64; 3]; 3],
    axis: &EdgeAxis,
    pose: &Pose<3>,
    sink: &mut Sink<'_, 3>,
) -> bool {
    let ([i, j], n) = (axis.edges, &axis.normal);
    let (mut on_a, mut on_b, mut bits) = ([0.0; 3], *t, [0u32; 2]);
    for k in 1..3 {
        let (ka, kb) = ((i + k) % 3, (j + k) % 3);
        let (sa, b) = (1.0f64.copysign(n[ka]), column(r, kb));
        let sb = -1.0f64.copysign(dot(n, &b));
        on_a[ka] = sa * ha[ka];
        on_b = add_scaled(&on_b, sb * hb[kb], &b);
        bits[0] |= u32::from(sa > 0.0) << (k - 1);
        bits[1] |= u32::from(sb > 0.0) << (k - 1);
    }
    let (d, along_b) = (sub(&on_b, &on_a), column(r, j));
    let (da, db, c) = (d[i], dot(&d, &along_b), r[i][j]);
    let sine2 = 1.0 - c * c;
    let (s, u) = ((da - c * db) / sine2, (c * da - db) / sine2);
    let slack = 1.0 + 1e-9;
    if s.abs() > ha[i] * slack || u.abs() > hb[j] * slack {
        return false;
    }
    on_a[i] += s;
    let point = middle(&on_a, &add_scaled(&on_b, u, &along_b));
    let [ea, eb] = [4 * i as u32 + bits[0], 4 * j as u32 + bits[1]];
    sink.push(16 + 12 * ea + eb, pose.point(&point), pose.direction(&scale(-1.0, n)), axis.separation);
    true
}

/// Boxes that are apart and nearest at a corner.
fn corners(
    ha: &[f64; 3],
    hb: &[f64; 3],
    t: &[f64; 3],
    r: &[[f64; 3]; 3],
    pose: &Pose<3>,
    reach: f64,
    sink: &mut Sink<'_, 3>,
) {
    let support = |v: &[f64; 3]| {
        let a = std::array::from_fn(|i| ha[i].copysign(v[i]));
        let local = rotate_back(r, v);
        let b: [f64; 3] = std::array::from_fn(|j| hb[j].copysign(-local[j]));
        (a, crate::vector::add(t, &crate::vector::rotate(r, &b)))
    };
    let Some((p, q)) = gjk::nearest(support, t, norm(ha) + norm(hb)) else { return };
    let d = sub(&p, &q);
    let gap = norm(&d);
    if gap <= reach && gap > 0.0 {
        let bits = |v: &[f64; 3]| (0..3).fold(0u32, |b, i| b | u32::from(v[i] > 0.0) << i);
        let feature = 160 + 8 * bits(&p) + bits(&rotate_back(r, &sub(&q, t)));
        sink.push(feature, pose.point(&middle(&p, &q)), pose.direction(&scale(1.0 / gap, &d)), gap);
    }
}
