//! A face of a box against the face of another box that looks at it: the corners of their common part.

use super::reduce::{Candidate, four};
use crate::contact::Sink;
use crate::pose::Pose;
use crate::vector::{add_scaled, column, neg};

/// Another box seen from the reference box.
pub struct Frame<'a> {
    /// Half of the edges of the reference.
    pub half: &'a [f64; 3],
    /// Half of the edges of the other.
    pub other: &'a [f64; 3],
    /// The centre of the other in the frame of the reference.
    pub centre: [f64; 3],
    /// The axes of the other in the frame of the reference, by columns.
    pub rotation: [[f64; 3]; 3],
    /// The pose of the reference.
    pub pose: &'a Pose<3>,
    /// Whether the reference is the second of the pair, as far as features are concerned.
    pub second: bool,
}

/// What is nearer than this part of the face is the same point; a vertex this far outside of the face still stands on it.
const SAME: f64 = 1e-6;

/// The two faces, in the plane of the reference.
struct Faces {
    // axes of the reference: normal and in the plane
    axes: [usize; 3],
    // its sign along the normal
    side: f64,
    // axes of the other: normal and in its plane
    others: [usize; 3],
    // along its normal
    other_side: f64,
    half: [f64; 2],
    other_half: [f64; 2],
    // centre of the other face and its two edges: along the two axes in the plane, and the height above it
    centre: [f64; 3],
    edges: [[f64; 3]; 2],
    vertices: [[f64; 3]; 4],
    same: f64,
    second: bool,
}

/// The common part of face `axis` of the reference and the face of the other that looks at it.
///
/// Points within reach are given to the sink, at most four. False if no point is as near as `enough`: then the boxes
/// meet elsewhere.
pub fn contacts(frame: &Frame<'_>, axis: usize, enough: f64, reach: f64, sink: &mut Sink<'_, 3>) -> bool {
    let faces = Faces::new(frame, axis);
    let mut points = [Candidate::default(); 16];
    let mut count = faces.vertices_inside(&mut points);
    if count < 4 {
        count = faces.corners_inside(&mut points, count);
        // faces in line with each other have four corners in common and no more
        if count != 4 || !faces.in_line() {
            count = faces.crossings(&mut points, count);
        }
    }
    let nearest = points[..count].iter().map(|p| p.height).fold(f64::INFINITY, f64::min);
    if count == 0 || nearest > enough {
        return false;
    }
    let mut kept = 0;
    for i in 0..count {
        if points[i].height <= reach {
            points[kept] = points[i];
            kept += 1;
        }
    }
    let n = faces.normal(frame.pose);
    for p in four(&mut points[..kept]) {
        let mut local = [0.0; 3];
        local[axis] = faces.side * (frame.half[axis] + 0.5 * p.height);
        (local[faces.axes[1]], local[faces.axes[2]]) = (p.x[0], p.x[1]);
        sink.push(p.feature, frame.pose.point(&local), neg(&n), p.height);
    }
    true
}

impl Faces {
    fn new(frame: &Frame<'_>, i: usize) -> Self {
        let r = &frame.rotation;
        let j = (0..3).fold(0, |best, j| if r[i][j].abs() > r[i][best].abs() { j } else { best });
        let (axes, others) = ([i, (i + 1) % 3, (i + 2) % 3], [j, (j + 1) % 3, (j + 2) % 3]);
        let side = 1.0f64.copysign(frame.centre[i]);
        let other_side = -side * 1.0f64.copysign(r[i][j]);
        let flat = |v: &[f64; 3]| [v[axes[1]], v[axes[2]], side * v[i]];
        let mut centre = flat(&add_scaled(&frame.centre, other_side * frame.other[j], &column(r, j)));
        centre[2] -= frame.half[i];
        let half = [frame.half[axes[1]], frame.half[axes[2]]];
        let other_half = [frame.other[others[1]], frame.other[others[2]]];
        let edges = [flat(&column(r, others[1])), flat(&column(r, others[2]))];
        let arms: [[f64; 3]; 2] = std::array::from_fn(|m| edges[m].map(|x| other_half[m] * x));
        let vertex = |s: [f64; 2]| std::array::from_fn(|k| centre[k] + s[0] * arms[0][k] + s[1] * arms[1][k]);
        Faces {
            axes,
            side,
            others,
            other_side,
            half,
            other_half,
            centre,
            edges,
            vertices: [vertex(signs(0)), vertex(signs(1)), vertex(signs(2)), vertex(signs(3))],
            same: SAME * half[0].max(half[1]),
            second: frame.second,
        }
    }

    /// The outward normal of the reference face in the world.
    fn normal(&self, pose: &Pose<3>) -> [f64; 3] {
        column(&pose.rotation, self.axes[0]).map(|x| self.side * x)
    }

    /// Whether the edges of the two run along each other.
    #[inline]
    fn in_line(&self) -> bool {
        self.edges[0][0].abs().min(self.edges[0][1].abs()) <= SAME
    }

    /// The vertices of the other face that stand on the reference.
    #[inline]
    fn vertices_inside(&self, points: &mut [Candidate; 16]) -> usize {
        let mut count = 0;
        let slack = 4.0 * self.same;
        for k in 0..4 {
            let signs = signs(k);
            let v = &self.vertices[k];
            if v[0].abs() <= self.half[0] + slack && v[1].abs() <= self.half[1] + slack {
                let number = number(&self.others, self.other_side, signs);
                let feature = if self.second { number } else { 8 + number };
                points[count] = Candidate { x: [v[0], v[1]], height: v[2], feature };
                count += 1;
            }
        }
        count
    }

    /// The corners of the reference under the other face.
    fn corners_inside(&self, points: &mut [Candidate; 16], mut count: usize) -> usize {
        let [e, f] = &self.edges;
        let determinant = e[0] * f[1] - e[1] * f[0];
        for k in 0..4 {
            let signs = signs(k);
            let corner = [signs[0] * self.half[0], signs[1] * self.half[1]];
            let d = [corner[0] - self.centre[0], corner[1] - self.centre[1]];
            let (a, b) = ((d[0] * f[1] - d[1] * f[0]) / determinant, (e[0] * d[1] - e[1] * d[0]) / determinant);
            if a.abs() > self.other_half[0] + self.same || b.abs() > self.other_half[1] + self.same {
                continue;
            }
            let number = number(&self.axes, self.side, signs);
            let feature = if self.second { 8 + number } else { number };
            let point = Candidate { x: corner, height: self.centre[2] + a * e[2] + b * f[2], feature };
            count = self.add(points, count, point);
        }
        count
    }

    /// The points where edges of the two cross.
    fn crossings(&self, points: &mut [Candidate; 16], mut count: usize) -> usize {
        // edge k of the other runs from its vertex k to the next
        for k in 0..4 {
            let (along, side) = [(0, -1.0), (1, 1.0), (0, 1.0), (1, -1.0)][k];
            let ends = [&self.vertices[k], &self.vertices[(k + 1) % 4]];
            // edge m of the reference along its axis m % 2, at the side m / 2 of the other one
            for m in 0..4 {
                let (axis, at) = (m % 2, if m / 2 == 0 { -1.0 } else { 1.0 });
                let across = 1 - axis;
                let limit = at * self.half[across];
                let (before, after) = (ends[0][across] - limit, ends[1][across] - limit);
                if before * after >= 0.0 {
                    continue;
                }
                let t = before / (before - after);
                let p: [f64; 3] = std::array::from_fn(|c| ends[0][c] + t * (ends[1][c] - ends[0][c]));
                if p[axis].abs() > self.half[axis] {
                    continue;
                }
                let own = edge(&self.axes, self.side, axis, at);
                let other = edge(&self.others, self.other_side, along, side);
                let (a, b) = if self.second { (other, own) } else { (own, other) };
                let point = Candidate { x: [p[0], p[1]], height: p[2], feature: 16 + 12 * a + b };
                count = self.add(points, count, point);
            }
        }
        count
    }

    /// Adds a point unless it is there already.
    fn add(&self, points: &mut [Candidate; 16], count: usize, point: Candidate) -> usize {
        let near = |p: &Candidate| (p.x[0] - point.x[0]).abs().max((p.x[1] - point.x[1]).abs()) <= 8.0 * self.same;
        if count == points.len() || points[..count].iter().any(near) {
            return count;
        }
        points[count] = point;
        count + 1
    }
}

/// Around the face, so that neighbours differ in one sign.
#[inline]
fn signs(k: usize) -> [f64; 2] {
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]][k]
}

/// The number of a vertex: bit i says whether it lies on the positive side of axis i.
#[inline]
fn number(axes: &[usize; 3], side: f64, signs: [f64; 2]) -> u32 {
    u32::from(side > 0.0) << axes[0] | u32::from(signs[0] > 0.0) << axes[1] | u32::from(signs[1] > 0.0) << axes[2]
}

/// The number of an edge: four times its axis, and two bits for the sides of the next two axes.
fn edge(axes: &[usize; 3], side: f64, along: usize, at: f64) -> u32 {
    let axis = axes[1 + along];
    let bit = |k: usize| {
        let sign = if (axis + k) % 3 == axes[0] { side } else { at };
        u32::from(sign > 0.0) << (k - 1)
    };
    4 * axis as u32 + bit(1) + bit(2)
}
