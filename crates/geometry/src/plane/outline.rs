//! Convex outlines with a radius around them: discs, capsules, boxes and polygons alike.

use super::Shape;
use crate::pose::Pose;
use crate::vector::{column, neg, sub};

/// The vertices of a convex outline against the clock, and what lies within `radius` of it.
///
/// A disc has one vertex and no edge, a capsule two vertices and two edges, there and back.
#[derive(Debug, Default)]
pub struct Outline {
    /// The vertices.
    pub vertices: Vec<[f64; 2]>,
    /// The outward normals of the edges: number `i` from vertex `i` to the next.
    pub normals: Vec<[f64; 2]>,
    /// How far the shape reaches around the outline (m).
    pub radius: f64,
}

impl Outline {
    /// Places a solid convex shape, with coordinates along the world's axes and counted from `origin`.
    pub fn place(&mut self, shape: &Shape, pose: &Pose<2>, origin: &[f64; 2]) {
        self.place_in(shape, &Pose { x: sub(&pose.x, origin), rotation: pose.rotation });
    }

    /// Places a solid convex shape at a pose.
    pub fn place_in(&mut self, shape: &Shape, pose: &Pose<2>) {
        self.vertices.clear();
        self.normals.clear();
        self.radius = 0.0;
        let (x, y) = (column(&pose.rotation, 0), column(&pose.rotation, 1));
        match shape {
            Shape::Disc { radius } => {
                self.vertices.push(pose.x);
                self.radius = *radius;
            }
            Shape::Capsule { half_length, radius } => {
                self.vertices.extend([pose.point(&[-half_length, 0.0]), pose.point(&[*half_length, 0.0])]);
                self.normals.extend([neg(&y), y]);
                self.radius = *radius;
            }
            Shape::Box { half: [a, b] } => {
                self.vertices.extend([[-a, -b], [*a, -b], [*a, *b], [-a, *b]].map(|v| pose.point(&v)));
                self.normals.extend([neg(&y), x, y, neg(&x)]);
            }
            Shape::Polygon(polygon) => {
                self.vertices.extend(polygon.vertices().iter().map(|v| pose.point(v)));
                self.normals.extend(polygon.normals().iter().map(|n| pose.direction(n)));
            }
            // the table sends no other here
            _ => {}
        }
    }

    /// The ends of edge `i`.
    #[inline]
    pub fn edge(&self, i: usize) -> [[f64; 2]; 2] {
        [self.vertices[i], self.vertices[self.next(i)]]
    }

    /// The vertex after `i`.
    #[inline]
    pub fn next(&self, i: usize) -> usize {
        if i + 1 == self.vertices.len() { 0 } else { i + 1 }
    }

    /// The mean of the vertices.
    pub fn centre(&self) -> [f64; 2] {
        let sum = self.vertices.iter().fold([0.0; 2], |s, v| crate::vector::add(&s, v));
        sum.map(|x| x / self.vertices.len() as f64)
    }
}
