//! What can be wrong with a shape.

/// A shape that cannot be used, with the place and the remedy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length that must be positive is not.
    #[error("{shape}: {field} is {value}; it must be a positive finite length in metres")]
    Length {
        /// The shape by name.
        shape: &'static str,
        /// The length by name.
        field: &'static str,
        /// What it is.
        value: f64,
    },
    /// A coordinate that is not a number or infinite.
    #[error("{shape}: {field} {index} has the coordinate {value}; every coordinate must be finite")]
    Coordinate {
        /// The shape by name.
        shape: &'static str,
        /// What the coordinate belongs to.
        field: &'static str,
        /// Which one, from 0.
        index: usize,
        /// The coordinate.
        value: f64,
    },
    /// Too few of something.
    #[error("{shape}: {found} {field}; at least {needed} are needed")]
    TooFew {
        /// The shape by name.
        shape: &'static str,
        /// What there is too little of.
        field: &'static str,
        /// How many there are.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
    /// A polygon that is not convex.
    #[error(
        "polygon: the corner at vertex {vertex} turns inwards; split the outline into convex polygons and join them in a \
         compound"
    )]
    NotConvex {
        /// Where the outline turns inwards, from 0.
        vertex: usize,
    },
    /// A polygon that winds around more than once.
    #[error("polygon: the outline crosses itself or winds around more than once; give the vertices in order around it")]
    Winding,
    /// A polyhedron that is not convex.
    #[error(
        "polyhedron: vertex {vertex} lies outside of face {face}; leave the faces out to take the convex hull, or split \
         the body into convex parts and join them in a compound"
    )]
    OutsideFace {
        /// The vertex outside, from 0.
        vertex: usize,
        /// The face, from 0.
        face: usize,
    },
    /// Points without volume or area, or an edge without length.
    #[error("{shape}: {field} {index} is degenerate ({why}); remove it or merge its vertices")]
    Degenerate {
        /// The shape by name.
        shape: &'static str,
        /// What is degenerate.
        field: &'static str,
        /// Which one, from 0.
        index: usize,
        /// In what way.
        why: &'static str,
    },
    /// An index that points nowhere.
    #[error("{shape}: {field} {index} names vertex {vertex}, but there are {vertices} (numbered from 0)")]
    Index {
        /// The shape by name.
        shape: &'static str,
        /// What names the vertex.
        field: &'static str,
        /// Which one, from 0.
        index: usize,
        /// The vertex named.
        vertex: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// An edge shared by more than two triangles.
    #[error(
        "mesh: the edge from vertex {from} to vertex {to} belongs to more than two triangles; split the mesh there"
    )]
    SharedEdge {
        /// One end.
        from: usize,
        /// The other end.
        to: usize,
    },
    /// Two triangles that run along their edge in the same direction.
    #[error(
        "mesh: triangles {first} and {second} wind in opposite senses along their common edge; reverse the vertices of one"
    )]
    Orientation {
        /// One triangle.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A polyhedron whose faces leave a hole.
    #[error("polyhedron: the edge from vertex {from} to vertex {to} has only one face; the faces must close the body")]
    OpenEdge {
        /// One end.
        from: usize,
        /// The other end.
        to: usize,
    },
    /// A height field whose table is not a rectangle.
    #[error("height field: row {row} has {found} heights, the first has {expected}; all rows must be equally long")]
    Ragged {
        /// The row, from 0.
        row: usize,
        /// Its heights.
        found: usize,
        /// Those of the first row.
        expected: usize,
    },
    /// A rotation that is none.
    #[error(
        "compound: the rotation of part {part} is not a rotation (R'R differs from 1 by {error:.1e}); normalise it"
    )]
    Rotation {
        /// The part, from 0.
        part: usize,
        /// The largest entry of $R^\top R - 1$.
        error: f64,
    },
    /// A part that has no volume of its own.
    #[error("compound: part {part} is a {shape}, which has no volume of its own; glue solid shapes only")]
    Part {
        /// The part, from 0.
        part: usize,
        /// Its shape by name.
        shape: &'static str,
    },
    /// A part that is wrong by itself.
    #[error("compound, part {part}: {error}")]
    InPart {
        /// The part, from 0.
        part: usize,
        /// What is wrong with it.
        error: Box<ShapeError>,
    },
}

/// Refuses lengths that are not positive and finite.
pub(crate) fn positive(shape: &'static str, field: &'static str, value: f64) -> Result<(), ShapeError> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(ShapeError::Length { shape, field, value }) }
}

/// Refuses points with coordinates that are not finite.
pub(crate) fn finite<const N: usize>(
    shape: &'static str,
    field: &'static str,
    points: &[[f64; N]],
) -> Result<(), ShapeError> {
    for (index, p) in points.iter().enumerate() {
        if let Some(&value) = p.iter().find(|x| !x.is_finite()) {
            return Err(ShapeError::Coordinate { shape, field, index, value });
        }
    }
    Ok(())
}
