//! Triangle meshes.

use crate::bounds::Bounds;
use crate::error::{ShapeError, finite};
use crate::pose::Pose;
use crate::tree::Tree;
use crate::vector::{add, cross, norm, sub, unit};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// No triangle: beyond the edge the mesh ends.
pub const NONE: u32 = u32::MAX;

/// Triangles without thickness, with two sides: a body touches the side on which its centre is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Mesh {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    normals: Vec<[f64; 3]>,
    // across the edge that leaves each corner
    neighbours: Vec<[u32; 3]>,
    // sums of the normals around each vertex, made unit
    corner_normals: Vec<[f64; 3]>,
    // vertices at the other ends of the edges of each vertex
    star_start: Vec<u32>,
    star: Vec<u32>,
    tree: Tree<3>,
}

/// A mesh as it is written in files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// From vertices and triangles, all of which wind in the same sense.
    ///
    /// # Errors
    ///
    /// If a coordinate is not finite, a triangle names a vertex that is not there or has no area, or an edge belongs to
    /// more than two triangles or to two that wind in opposite senses.
    pub fn new(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, ShapeError> {
        let shape = "mesh";
        if triangles.is_empty() {
            return Err(ShapeError::TooFew { shape, field: "triangles", found: 0, needed: 1 });
        }
        finite(shape, "vertex", &vertices)?;
        let mut normals = Vec::with_capacity(triangles.len());
        for (index, triangle) in triangles.iter().enumerate() {
            if let Some(&v) = triangle.iter().find(|&&v| v as usize >= vertices.len()) {
                let (vertex, vertices) = (v as usize, vertices.len());
                return Err(ShapeError::Index { shape, field: "triangle", index, vertex, vertices });
            }
            let [a, b, c] = triangle.map(|v| vertices[v as usize]);
            let (e, f) = (sub(&b, &a), sub(&c, &a));
            let n = cross(&e, &f);
            let (area, longest) = (norm(&n), norm(&e).max(norm(&f)).max(norm(&sub(&c, &b))));
            if area <= 1e-12 * longest * longest {
                return Err(ShapeError::Degenerate { shape, field: "triangle", index, why: "it has no area" });
            }
            normals.push(n.map(|x| x / area));
        }
        let neighbours = neighbours(&triangles)?;
        let (star_start, star) = stars(vertices.len(), &triangles);
        let mut corner_normals = vec![[0.0; 3]; vertices.len()];
        for (triangle, n) in triangles.iter().zip(&normals) {
            triangle.iter().for_each(|&v| corner_normals[v as usize] = add(&corner_normals[v as usize], n));
        }
        corner_normals.iter_mut().for_each(|n| *n = unit(n).unwrap_or_default());
        let boxes: Vec<_> =
            triangles.iter().map(|t| Bounds::of_points(t.iter().map(|&v| &vertices[v as usize]))).collect();
        let tree = Tree::new(&boxes);
        Ok(Mesh { vertices, triangles, normals, neighbours, corner_normals, star_start, star, tree })
    }

    /// The vertices.
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.vertices
    }

    /// The triangles by the numbers of their vertices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The unit normals of the triangles: their vertices run against the clock as seen from where they point.
    pub fn normals(&self) -> &[[f64; 3]] {
        &self.normals
    }

    /// The triangles across the edges of triangle `t`: number `i` across that from its corner `i` to the next.
    pub fn neighbours(&self, t: usize) -> &[u32; 3] {
        &self.neighbours[t]
    }

    /// The mean direction of the normals around vertex `v`.
    pub fn corner_normal(&self, v: usize) -> [f64; 3] {
        self.corner_normals[v]
    }

    /// The vertices joined to vertex `v` by an edge.
    pub fn star(&self, v: usize) -> &[u32] {
        &self.star[self.star_start[v] as usize..self.star_start[v + 1] as usize]
    }

    /// The corners of triangle `t`.
    #[inline]
    pub fn corners(&self, t: usize) -> [[f64; 3]; 3] {
        self.triangles[t].map(|v| self.vertices[v as usize])
    }

    /// The tree over the triangles, in the mesh's frame.
    pub fn tree(&self) -> &Tree<3> {
        &self.tree
    }

    /// A box around the mesh in the world.
    pub fn bounds(&self, pose: &Pose<3>) -> Bounds<3> {
        let own = self.tree.bounds();
        let half: [f64; 3] = std::array::from_fn(|i| 0.5 * (own.high[i] - own.low[i]));
        let extent = |i: usize| (0..3).map(|j| pose.rotation[i][j].abs() * half[j]).sum();
        Bounds::around(&pose.point(&own.centre()), &std::array::from_fn(extent))
    }
}

fn neighbours(triangles: &[[u32; 3]]) -> Result<Vec<[u32; 3]>, ShapeError> {
    let mut left = HashMap::with_capacity(3 * triangles.len());
    let mut uses: HashMap<[u32; 2], u32> = HashMap::with_capacity(2 * triangles.len());
    for (t, triangle) in triangles.iter().enumerate() {
        for i in 0..3 {
            let (from, to) = (triangle[i], triangle[(i + 1) % 3]);
            let count = uses.entry([from.min(to), from.max(to)]).or_default();
            *count += 1;
            if *count > 2 {
                return Err(ShapeError::SharedEdge { from: from as usize, to: to as usize });
            }
            if let Some(first) = left.insert([from, to], t as u32) {
                return Err(ShapeError::Orientation { first: first as usize, second: t });
            }
        }
    }
    let across = |t: &[u32; 3], i: usize| left.get(&[t[(i + 1) % 3], t[i]]).copied().unwrap_or(NONE);
    Ok(triangles.iter().map(|t| std::array::from_fn(|i| across(t, i))).collect())
}

fn stars(vertices: usize, triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let mut edges: Vec<[u32; 2]> = Vec::with_capacity(6 * triangles.len());
    for t in triangles {
        for i in 0..3 {
            edges.push([t[i], t[(i + 1) % 3]]);
            edges.push([t[(i + 1) % 3], t[i]]);
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let mut start = vec![0; vertices + 1];
    for e in &edges {
        start[e[0] as usize + 1] += 1;
    }
    for v in 0..vertices {
        start[v + 1] += start[v];
    }
    (start, edges.iter().map(|e| e[1]).collect())
}

impl TryFrom<Written> for Mesh {
    type Error = ShapeError;

    fn try_from(written: Written) -> Result<Self, ShapeError> {
        Mesh::new(written.vertices, written.triangles)
    }
}

impl From<Mesh> for Written {
    fn from(mesh: Mesh) -> Self {
        Written { vertices: mesh.vertices, triangles: mesh.triangles }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_mesh_is_refused_by_name() {
        let square = || vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let err = |t: &[[u32; 3]]| Mesh::new(square(), t.to_vec()).unwrap_err();
        assert!(matches!(err(&[]), ShapeError::TooFew { .. }));
        assert!(matches!(err(&[[0, 1, 4]]), ShapeError::Index { index: 0, vertex: 4, vertices: 4, .. }));
        assert!(matches!(err(&[[0, 1, 2], [0, 2, 2]]), ShapeError::Degenerate { index: 1, .. }));
        assert_eq!(err(&[[0, 1, 2], [2, 0, 3], [0, 2, 1]]), ShapeError::Orientation { first: 0, second: 1 });
        assert_eq!(Mesh::new(square(), vec![[0, 1, 2], [0, 2, 3]]).unwrap().neighbours(0), &[NONE, NONE, 1]);
    }
}
