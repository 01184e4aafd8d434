//! Convex hulls with a radius around them: balls, capsules, boxes and polyhedra alike.

use super::{Shape, Topology};
use crate::pose::Pose;
use crate::vector::{add, add_scaled, column, dot, norm2, scale, sub};
use std::sync::LazyLock;

/// Placed vertices and normals: room that is used again.
#[derive(Debug, Default)]
pub struct Placed {
    vertices: Vec<[f64; 3]>,
    normals: Vec<[f64; 3]>,
}

/// A convex hull, and what lies within `radius` of it.
///
/// A ball has one vertex, a capsule two and an edge between them; neither has a face.
#[derive(Debug, Clone, Copy)]
pub struct Hull<'a> {
    /// The vertices.
    pub vertices: &'a [[f64; 3]],
    /// The outward normals of the faces.
    pub normals: &'a [[f64; 3]],
    /// Which vertices make faces and edges.
    pub topology: &'a Topology,
    /// How far the shape reaches around the hull (m).
    pub radius: f64,
}

static POINT: LazyLock<Topology> = LazyLock::new(Topology::point);
static SEGMENT: LazyLock<Topology> = LazyLock::new(Topology::segment);
static CUBE: LazyLock<Topology> = LazyLock::new(Topology::cube);

impl Placed {
    /// Places a solid convex shape with plane faces or none; nothing for the others.
    pub fn place<'a>(&'a mut self, shape: &'a Shape, pose: &Pose<3>) -> Option<Hull<'a>> {
        self.vertices.clear();
        self.normals.clear();
        let (topology, radius): (&Topology, f64) = match shape {
            Shape::Sphere { radius } => {
                self.vertices.push(pose.x);
                (&POINT, *radius)
            }
            Shape::Capsule { half_length, radius } => {
                let arm = scale(*half_length, &column(&pose.rotation, 2));
                self.vertices.extend([sub(&pose.x, &arm), add(&pose.x, &arm)]);
                (&SEGMENT, *radius)
            }
            Shape::Box { half } => {
                let corner = |k: usize| std::array::from_fn(|i| if k >> i & 1 == 1 { half[i] } else { -half[i] });
                self.vertices.extend((0..8).map(|k| pose.point(&corner(k))));
                let axis = |f: usize| column(&pose.rotation, f / 2).map(|x| if f % 2 == 1 { x } else { -x });
                self.normals.extend((0..6).map(axis));
                (&CUBE, 0.0)
            }
            Shape::Polyhedron(polyhedron) => {
                self.vertices.extend(polyhedron.vertices().iter().map(|v| pose.point(v)));
                self.normals.extend(polyhedron.normals().iter().map(|n| pose.direction(n)));
                (polyhedron.topology(), 0.0)
            }
            _ => return None,
        };
        Some(Hull { vertices: &self.vertices, normals: &self.normals, topology, radius })
    }
}

impl Hull<'_> {
    /// The vertex furthest along a direction; the first of equals.
    #[inline]
    pub fn support(&self, direction: &[f64; 3]) -> usize {
        let mut best = (f64::NEG_INFINITY, 0);
        for (i, v) in self.vertices.iter().enumerate() {
            let along = dot(direction, v);
            if along > best.0 {
                best = (along, i);
            }
        }
        best.1
    }

    /// The mean of the vertices.
    pub fn centre(&self) -> [f64; 3] {
        let sum = self.vertices.iter().fold([0.0; 3], |s, v| add(&s, v));
        scale(1.0 / self.vertices.len() as f64, &sum)
    }

    /// A length of the hull: twice the furthest vertex from its centre.
    pub fn size(&self) -> f64 {
        let centre = self.centre();
        2.0 * self.vertices.iter().map(|v| norm2(&sub(v, &centre))).fold(0.0, f64::max).sqrt()
    }

    /// How high `p` is above face `f`.
    #[inline]
    pub fn height(&self, f: usize, p: &[f64; 3]) -> f64 {
        dot(&self.normals[f], &sub(p, &self.vertices[self.topology.face(f)[0] as usize]))
    }

    /// The nearest point of the hull's surface to `p` and its face, for `p` outside; for `p` inside the nearest face.
    pub fn project(&self, p: &[f64; 3]) -> [f64; 3] {
        let mut highest = (f64::NEG_INFINITY, 0);
        let mut nearest = (f64::INFINITY, [0.0; 3]);
        for f in 0..self.normals.len() {
            let height = self.height(f, p);
            if height > highest.0 {
                highest = (height, f);
            }
            if height <= 0.0 {
                continue;
            }
            let q = self.on_face(f, p);
            let d2 = norm2(&sub(p, &q));
            if d2 < nearest.0 {
                nearest = (d2, q);
            }
        }
        if highest.0 <= 0.0 { add_scaled(p, -highest.0, &self.normals[highest.1]) } else { nearest.1 }
    }

    /// The nearest point of face `f` to `p`.
    fn on_face(&self, f: usize, p: &[f64; 3]) -> [f64; 3] {
        let (n, face) = (&self.normals[f], self.topology.face(f));
        let mut outside = false;
        let mut best = (f64::INFINITY, [0.0; 3]);
        for i in 0..face.len() {
            let (from, to) = (&self.vertices[face[i] as usize], &self.vertices[face[(i + 1) % face.len()] as usize]);
            let e = sub(to, from);
            outside |= dot(&crate::vector::cross(&e, n), &sub(p, from)) > 0.0;
            let t = (dot(&e, &sub(p, from)) / norm2(&e)).clamp(0.0, 1.0);
            let q = add_scaled(from, t, &e);
            let d2 = norm2(&sub(p, &q));
            if d2 < best.0 {
                best = (d2, q);
            }
        }
        if outside { best.1 } else { add_scaled(p, -self.height(f, p), n) }
    }
}
