//! Outline against half-plane: every vertex within reach.

use super::outline::Outline;
use crate::contact::Sink;
use crate::pose::Pose;
use crate::vector::{add, add_scaled, column, dot};

/// The outline is counted from the origin of the half-plane.
pub fn contacts(a: &Outline, plane: &Pose<2>, reach: f64, sink: &mut Sink<'_, 2>) {
    let n = column(&plane.rotation, 1);
    for (i, v) in a.vertices.iter().enumerate() {
        let gap = dot(&n, v) - a.radius;
        if gap <= reach {
            sink.push(i as u32, add(&plane.x, &add_scaled(v, -(a.radius + 0.5 * gap), &n)), n, gap);
        }
    }
}
