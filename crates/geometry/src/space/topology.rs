//! Which vertices of a polyhedron make its faces and edges.

use crate::error::ShapeError;
use std::collections::HashMap;

/// In place of a face, where there is none.
pub const NO_FACE: u32 = u32::MAX;

/// An edge between two vertices and two faces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Its two ends, numbered as the vertices.
    pub ends: [u32; 2],
    /// The face to its left as seen from outside, going from the first end to the second, and the face to its right.
    pub faces: [u32; 2],
}

/// The faces as loops of vertices, and the edges.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Topology {
    start: Vec<u32>,
    corners: Vec<u32>,
    edges: Vec<Edge>,
}

impl Topology {
    /// From closed, consistently oriented faces.
    pub fn new(faces: &[Vec<u32>]) -> Result<Self, ShapeError> {
        let mut start = vec![0];
        let mut corners = Vec::new();
        let mut left = HashMap::new();
        for (f, face) in faces.iter().enumerate() {
            for (i, &from) in face.iter().enumerate() {
                let to = face[(i + 1) % face.len()];
                if let Some(first) = left.insert((from, to), f as u32) {
                    return Err(ShapeError::Orientation { first: first as usize, second: f });
                }
            }
            corners.extend_from_slice(face);
            start.push(corners.len() as u32);
        }
        let mut edges = Vec::new();
        for face in faces {
            for (i, &from) in face.iter().enumerate() {
                let to = face[(i + 1) % face.len()];
                let Some(&right) = left.get(&(to, from)) else {
                    return Err(ShapeError::OpenEdge { from: from as usize, to: to as usize });
                };
                if from < to {
                    edges.push(Edge { ends: [from, to], faces: [left[&(from, to)], right] });
                }
            }
        }
        Ok(Topology { start, corners, edges })
    }

    /// One vertex.
    pub(super) fn point() -> Self {
        Topology { start: vec![0], ..Topology::default() }
    }

    /// Two vertices and the edge between them, which has no faces.
    pub(super) fn segment() -> Self {
        let edges = vec![Edge { ends: [0, 1], faces: [NO_FACE; 2] }];
        Topology { start: vec![0], edges, ..Topology::default() }
    }

    /// Eight vertices numbered by bits (bit i: positive along axis i), six faces numbered 2 i + (1 where positive).
    pub(super) fn cube() -> Self {
        let faces = (0..6).map(|f: u32| {
            let (axis, positive) = (f / 2, f % 2);
            let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
            let base = positive << axis;
            let mut face = vec![base, base + u, base + u + v, base + v];
            if positive == 0 {
                face.reverse();
            }
            face
        });
        Topology::new(&faces.collect::<Vec<_>>()).unwrap_or_default()
    }

    /// A prism: `n` vertices around its lower end, `n` around its upper; its sides, then the lower end, then the upper.
    pub(super) fn prism(n: usize) -> Self {
        let next = |k: u32| (k + 1) % n as u32;
        let up = n as u32;
        let mut faces: Vec<Vec<u32>> = (0..up).map(|k| vec![k, next(k), up + next(k), up + k]).collect();
        faces.push((0..up).rev().collect());
        faces.push((up..2 * up).collect());
        Topology::new(&faces).unwrap_or_default()
    }

    /// The vertices of a face, against the clock as seen from outside.
    #[inline]
    pub fn face(&self, f: usize) -> &[u32] {
        &self.corners[self.start[f] as usize..self.start[f + 1] as usize]
    }

    /// The edges.
    #[inline]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }
}
