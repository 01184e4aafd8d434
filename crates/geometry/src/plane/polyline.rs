//! Chains of segments.

use crate::error::{ShapeError, finite};
use serde::{Deserialize, Serialize};

/// A chain of segments without thickness, open or closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Chain", into = "Chain")]
pub struct Polyline {
    vertices: Vec<[f64; 2]>,
    closed: bool,
}

/// A polyline as it is written in files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chain {
    vertices: Vec<[f64; 2]>,
    #[serde(default)]
    closed: bool,
}

impl Polyline {
    /// From vertices in order; if `closed`, the last is joined to the first.
    ///
    /// # Errors
    ///
    /// If there are fewer than two (closed: three) vertices, if one is not finite, or repeats its neighbour.
    pub fn new(vertices: Vec<[f64; 2]>, closed: bool) -> Result<Self, ShapeError> {
        let (shape, found) = ("polyline", vertices.len());
        let needed = if closed { 3 } else { 2 };
        if found < needed {
            return Err(ShapeError::TooFew { shape, field: "vertices", found, needed });
        }
        finite(shape, "vertex", &vertices)?;
        let repeated = (1..found).find(|&i| vertices[i] == vertices[i - 1]);
        let repeated = repeated.or((closed && vertices[0] == vertices[found - 1]).then_some(found - 1));
        if let Some(index) = repeated {
            return Err(ShapeError::Degenerate { shape, field: "vertex", index, why: "it repeats its neighbour" });
        }
        Ok(Polyline { vertices, closed })
    }

    /// The vertices in order.
    pub fn vertices(&self) -> &[[f64; 2]] {
        &self.vertices
    }

    /// Whether the last vertex is joined to the first.
    pub fn is_closed(&self) -> bool {
        self.closed
    }
}

impl TryFrom<Chain> for Polyline {
    type Error = ShapeError;

    fn try_from(chain: Chain) -> Result<Self, ShapeError> {
        Polyline::new(chain.vertices, chain.closed)
    }
}

impl From<Polyline> for Chain {
    fn from(line: Polyline) -> Self {
        Chain { vertices: line.vertices, closed: line.closed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_chain_is_refused() {
        assert!(matches!(Polyline::new(vec![[0.0; 2]], false), Err(ShapeError::TooFew { needed: 2, .. })));
        assert!(matches!(Polyline::new(vec![[0.0; 2]; 2], false), Err(ShapeError::Degenerate { index: 1, .. })));
        let there_and_back = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]];
        assert!(matches!(Polyline::new(there_and_back, true), Err(ShapeError::Degenerate { index: 2, .. })));
        assert!(Polyline::new(vec![[0.0, 0.0], [f64::INFINITY, 0.0]], false).is_err());
    }
}
