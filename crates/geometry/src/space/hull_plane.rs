//! Hull against plane: every vertex within reach.

use super::hull::Hull;
use crate::contact::Sink;
use crate::vector::{add, add_scaled, dot};

/// The plane through `offset` with the unit normal `n`; the hull and the offset are counted from `origin`.
pub fn contacts(a: &Hull<'_>, origin: &[f64; 3], offset: &[f64; 3], n: &[f64; 3], reach: f64, sink: &mut Sink<'_, 3>) {
    let level = dot(n, offset);
    for (i, v) in a.vertices.iter().enumerate() {
        let gap = dot(n, v) - level - a.radius;
        if gap <= reach {
            sink.push(i as u32, add(origin, &add_scaled(v, -(a.radius + 0.5 * gap), n)), *n, gap);
        }
    }
}
