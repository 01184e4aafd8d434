//! Terrain given by a table of heights.

use super::Mesh;
use crate::error::{ShapeError, positive};
use serde::{Deserialize, Serialize};

/// All below a surface $z(x, y)$ given on a grid: row $j$, column $i$ of the table lies at $(i\\, dx, j\\, dy)$, with two
/// triangles to a cell. Beyond the table there is nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct HeightField {
    heights: Vec<Vec<f64>>,
    spacing: [f64; 2],
    surface: Mesh,
}

/// A height field as it is written in files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    heights: Vec<Vec<f64>>,
    spacing: [f64; 2],
}

impl HeightField {
    /// From rows of heights (m) and the spacing of columns and of rows (m).
    ///
    /// # Errors
    ///
    /// If there are fewer than two rows or columns, if rows differ in length, or if a number is not finite.
    pub fn new(heights: Vec<Vec<f64>>, spacing: [f64; 2]) -> Result<Self, ShapeError> {
        let shape = "height field";
        for s in spacing {
            positive(shape, "spacing", s)?;
        }
        let too_few = |field, found| Err(ShapeError::TooFew { shape, field, found, needed: 2 });
        if heights.len() < 2 {
            return too_few("rows", heights.len());
        }
        let columns = heights[0].len();
        if columns < 2 {
            return too_few("columns", columns);
        }
        if let Some(row) = heights.iter().position(|row| row.len() != columns) {
            return Err(ShapeError::Ragged { row, found: heights[row].len(), expected: columns });
        }
        for (index, row) in heights.iter().enumerate() {
            if let Some(&value) = row.iter().find(|z| !z.is_finite()) {
                return Err(ShapeError::Coordinate { shape, field: "row", index, value });
            }
        }
        let surface = surface(&heights, spacing)?;
        Ok(HeightField { heights, spacing, surface })
    }

    /// The rows of heights (m).
    pub fn heights(&self) -> &[Vec<f64>] {
        &self.heights
    }

    /// The spacing of columns and of rows (m).
    pub fn spacing(&self) -> [f64; 2] {
        self.spacing
    }

    /// The surface as a mesh whose normals point up.
    pub fn surface(&self) -> &Mesh {
        &self.surface
    }
}

fn surface(heights: &[Vec<f64>], spacing: [f64; 2]) -> Result<Mesh, ShapeError> {
    let columns = heights[0].len();
    let mut vertices = Vec::with_capacity(heights.len() * columns);
    for (j, row) in heights.iter().enumerate() {
        vertices.extend(row.iter().enumerate().map(|(i, &z)| [i as f64 * spacing[0], j as f64 * spacing[1], z]));
    }
    let mut triangles = Vec::with_capacity(2 * vertices.len());
    for j in 0..heights.len() - 1 {
        for i in 0..columns - 1 {
            let [a, b] = [j * columns + i, (j + 1) * columns + i].map(|v| v as u32);
            triangles.push([a, a + 1, b + 1]);
            triangles.push([a, b + 1, b]);
        }
    }
    Mesh::new(vertices, triangles)
}

impl TryFrom<Written> for HeightField {
    type Error = ShapeError;

    fn try_from(written: Written) -> Result<Self, ShapeError> {
        HeightField::new(written.heights, written.spacing)
    }
}

impl From<HeightField> for Written {
    fn from(field: HeightField) -> Self {
        Written { heights: field.heights, spacing: field.spacing }
    }
}
