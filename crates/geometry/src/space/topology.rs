//! Which vertices of a polyhedron make its faces and edges.

use crate::error::ShapeError;
use std::collections::HashMap;

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
