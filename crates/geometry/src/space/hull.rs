//! Convex hulls with a radius around them: balls, capsules, boxes and polyhedra alike.

use super::cylinder::Cylinder;
use super::topology::NO_FACE;
use super::{Shape, Topology};
use crate::pose::Pose;
use crate::vector::{add, column, cross, dot, norm2, scale, sub, unit};
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
    /// The prism of a cylinder with a corner where it leans most along `n`.
    pub fn prism(&mut self, cylinder: &Cylinder, n: &[f64; 3]) -> Hull<'_> {
        let topology = cylinder.prism(n, &mut self.vertices, &mut self.normals);
        Hull { vertices: &self.vertices, normals: &self.normals, topology, radius: 0.0 }
    }

    /// The segment from `centre - arm` to `centre + arm`.
    pub fn segment(&mut self, centre: &[f64; 3], arm: &[f64; 3]) -> Hull<'_> {
        self.normals.clear();
        self.vertices.clear();
        self.vertices.extend([sub(centre, arm), add(centre, arm)]);
        Hull { vertices: &self.vertices, normals: &self.normals, topology: &SEGMENT, radius: 0.0 }
    }

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

    /// Whether `p` lies above or below face `f`, not beside it.
    pub fn in_face(&self, f: usize, p: &[f64; 3]) -> bool {
        let (n, face) = (&self.normals[f], self.topology.face(f));
        (0..face.len()).all(|i| {
            let (from, to) = (&self.vertices[face[i] as usize], &self.vertices[face[(i + 1) % face.len()] as usize]);
            dot(&cross(&sub(to, from), n), &sub(p, from)) <= 0.0
        })
    }

    /// Whether a normal at edge `k` points away from the faces beside it, or into them by no more than a sine.
    pub fn edge_fan(&self, k: usize, n: &[f64; 3], tolerance: f64) -> bool {
        let edge = &self.topology.edges()[k];
        let Some(e) = unit(&sub(&self.vertices[edge.ends[1] as usize], &self.vertices[edge.ends[0] as usize])) else {
            return false;
        };
        let into = |f: u32| cross(&self.normals[f as usize], &e);
        edge.faces[0] == NO_FACE
            || (dot(n, &into(edge.faces[0])) <= tolerance && -dot(n, &into(edge.faces[1])) <= tolerance)
    }
}
