//! Convex polyhedra.

use super::topology::Topology;
use crate::error::{ShapeError, finite};
use crate::vector::{cross, dot, norm, sub};
use serde::{Deserialize, Serialize};

/// A convex polyhedron with plane faces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Polyhedron {
    vertices: Vec<[f64; 3]>,
    normals: Vec<[f64; 3]>,
    topology: Topology,
}

/// A polyhedron as it is written in files. Without faces it is the convex hull of its vertices.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    vertices: Vec<[f64; 3]>,
    #[serde(default)]
    faces: Vec<Vec<u32>>,
}

impl Polyhedron {
    /// From its faces: for each the numbers of its vertices, against the clock as seen from outside.
    ///
    /// # Errors
    ///
    /// If a coordinate is not finite, a face names a vertex that is not there, is degenerate or not plane, if the faces
    /// do not close the body, or if it is not convex.
    pub fn new(vertices: Vec<[f64; 3]>, faces: &[Vec<u32>]) -> Result<Self, ShapeError> {
        let shape = "polyhedron";
        let too_few = |field, found| Err(ShapeError::TooFew { shape, field, found, needed: 4 });
        if vertices.len() < 4 {
            return too_few("vertices", vertices.len());
        }
        if faces.len() < 4 {
            return too_few("faces", faces.len());
        }
        finite(shape, "vertex", &vertices)?;
        for (index, face) in faces.iter().enumerate() {
            if face.len() < 3 {
                return Err(ShapeError::Degenerate {
                    shape,
                    field: "face",
                    index,
                    why: "it has fewer than 3 vertices",
                });
            }
            if let Some(&v) = face.iter().find(|&&v| v as usize >= vertices.len()) {
                let (vertex, vertices) = (v as usize, vertices.len());
                return Err(ShapeError::Index { shape, field: "face", index, vertex, vertices });
            }
        }
        let topology = Topology::new(faces)?;
        let size = crate::Bounds::of_points(&vertices).size();
        let mut normals = Vec::with_capacity(faces.len());
        for (index, face) in faces.iter().enumerate() {
            let n = newell(&vertices, face);
            let (area, why) = (norm(&n), "its vertices lie on a line");
            if area <= 1e-14 * size * size {
                return Err(ShapeError::Degenerate { shape, field: "face", index, why });
            }
            normals.push(n.map(|c| c / area));
        }
        for (index, face) in faces.iter().enumerate() {
            let (p, n) = (vertices[face[0] as usize], &normals[index]);
            for (vertex, q) in vertices.iter().enumerate() {
                let height = dot(n, &sub(q, &p));
                if height > 1e-9 * size {
                    return Err(ShapeError::OutsideFace { vertex, face: index });
                }
                if height < -1e-9 * size && face.contains(&(vertex as u32)) {
                    return Err(ShapeError::Degenerate { shape, field: "face", index, why: "it is not plane" });
                }
            }
        }
        Ok(Polyhedron { vertices, normals, topology })
    }

    /// The convex hull of points; those inside are left out.
    ///
    /// # Errors
    ///
    /// If a coordinate is not finite, or all points lie in a plane.
    pub fn hull(points: &[[f64; 3]]) -> Result<Self, ShapeError> {
        finite("polyhedron", "vertex", points)?;
        let (vertices, faces) = super::convex_hull::convex_hull(points)?;
        Polyhedron::new(vertices, &faces)
    }

    /// The vertices.
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.vertices
    }

    /// The outward unit normals of the faces.
    pub fn normals(&self) -> &[[f64; 3]] {
        &self.normals
    }

    /// Which vertices make which faces and edges.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }
}

/// Twice the area of a face, along its normal: an average over all its corners.
fn newell(vertices: &[[f64; 3]], face: &[u32]) -> [f64; 3] {
    let origin = &vertices[face[0] as usize];
    let mut n = [0.0; 3];
    for w in face[1..].windows(2) {
        let (p, q) = (sub(&vertices[w[0] as usize], origin), sub(&vertices[w[1] as usize], origin));
        n = crate::vector::add(&n, &cross(&p, &q));
    }
    n
}

impl TryFrom<Written> for Polyhedron {
    type Error = ShapeError;

    fn try_from(written: Written) -> Result<Self, ShapeError> {
        if written.faces.is_empty() {
            Polyhedron::hull(&written.vertices)
        } else {
            Polyhedron::new(written.vertices, &written.faces)
        }
    }
}

impl From<Polyhedron> for Written {
    fn from(polyhedron: Polyhedron) -> Self {
        let faces = (0..polyhedron.normals.len()).map(|f| polyhedron.topology.face(f).to_vec()).collect();
        Written { vertices: polyhedron.vertices, faces }
    }
}
