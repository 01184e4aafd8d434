//! Convex polygons.

use crate::error::{ShapeError, finite};
use crate::vector::{cross2, norm, sub};
use serde::{Deserialize, Serialize};

/// A convex polygon, its vertices against the clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Outline", into = "Outline")]
pub struct Polygon {
    vertices: Vec<[f64; 2]>,
    // of the edge that leaves each vertex, outward
    normals: Vec<[f64; 2]>,
}

/// A polygon as it is written in files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Outline {
    vertices: Vec<[f64; 2]>,
}

impl Polygon {
    /// From vertices in order around it, either way round.
    ///
    /// # Errors
    ///
    /// If there are fewer than three, if one is not finite, repeated, or on the line of its neighbours, or if the outline
    /// turns inwards anywhere.
    pub fn new(mut vertices: Vec<[f64; 2]>) -> Result<Self, ShapeError> {
        let (shape, n) = ("polygon", vertices.len());
        if n < 3 {
            return Err(ShapeError::TooFew { shape, field: "vertices", found: n, needed: 3 });
        }
        finite(shape, "vertex", &vertices)?;
        let area: f64 =
            (1..n - 1).map(|i| cross2(&sub(&vertices[i], &vertices[0]), &sub(&vertices[i + 1], &vertices[0]))).sum();
        let turned = area < 0.0;
        if turned {
            vertices.reverse();
        }
        let mut turning = 0.0;
        for i in 0..n {
            // the place as the user counts
            let vertex = if turned { n - 1 - i } else { i };
            let before = sub(&vertices[i], &vertices[(i + n - 1) % n]);
            let after = sub(&vertices[(i + 1) % n], &vertices[i]);
            let (lengths, turn) = (norm(&before) * norm(&after), cross2(&before, &after));
            let degenerate = |why| ShapeError::Degenerate { shape, field: "vertex", index: vertex, why };
            if lengths == 0.0 {
                return Err(degenerate("it repeats its neighbour"));
            }
            if turn.abs() <= 1e-12 * lengths {
                return Err(degenerate("it lies on the line of its neighbours"));
            }
            if turn < 0.0 {
                return Err(ShapeError::NotConvex { vertex });
            }
            turning += turn.atan2(crate::vector::dot(&before, &after));
        }
        if turning > 3.0 * std::f64::consts::PI {
            return Err(ShapeError::Winding);
        }
        let normal = |i: usize| {
            let e = sub(&vertices[(i + 1) % n], &vertices[i]);
            let length = norm(&e);
            [e[1] / length, -e[0] / length]
        };
        let normals = (0..n).map(normal).collect();
        Ok(Polygon { vertices, normals })
    }

    /// The vertices, against the clock.
    pub fn vertices(&self) -> &[[f64; 2]] {
        &self.vertices
    }

    /// The outward unit normals; number `i` belongs to the edge from vertex `i` to the next.
    pub fn normals(&self) -> &[[f64; 2]] {
        &self.normals
    }
}

impl TryFrom<Outline> for Polygon {
    type Error = ShapeError;

    fn try_from(outline: Outline) -> Result<Self, ShapeError> {
        Polygon::new(outline.vertices)
    }
}

impl From<Polygon> for Outline {
    fn from(polygon: Polygon) -> Self {
        Outline { vertices: polygon.vertices }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_convex_polygon_is_refused_by_name() {
        let err = |v: &[[f64; 2]]| Polygon::new(v.to_vec()).unwrap_err();
        assert!(matches!(err(&[[0.0, 0.0], [1.0, 0.0]]), ShapeError::TooFew { found: 2, .. }));
        let dent = [[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [1.0, 2.0]];
        assert_eq!(err(&dent), ShapeError::NotConvex { vertex: 2 });
        let mut back = dent.to_vec();
        back.reverse();
        assert_eq!(err(&back), ShapeError::NotConvex { vertex: 1 });
        let repeated = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        assert!(matches!(err(&repeated), ShapeError::Degenerate { index: 1 | 2, .. }));
        let straight = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 1.0]];
        assert!(matches!(err(&straight), ShapeError::Degenerate { index: 1, .. }));
        let nan = [[0.0, 0.0], [1.0, f64::NAN], [0.0, 1.0]];
        assert!(matches!(err(&nan), ShapeError::Coordinate { index: 1, .. }));
        let star: Vec<[f64; 2]> =
            (0..5).map(|k| f64::from(k) * 4.0 * std::f64::consts::PI / 5.0).map(|a| [a.cos(), a.sin()]).collect();
        assert_eq!(err(&star), ShapeError::Winding);
    }

    #[test]
    fn either_way_round() {
        let square = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let mut back = square.clone();
        back.reverse();
        let (a, b) = (Polygon::new(square).unwrap(), Polygon::new(back).unwrap());
        assert_eq!(a.normals()[0], [0.0, -1.0]);
        assert_eq!(a.vertices().len(), b.vertices().len());
        assert!(b.normals().contains(&[0.0, -1.0]));
    }
}
