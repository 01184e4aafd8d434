//! Outline against the inside of a circle: every vertex within reach, for between them nothing is nearer.

use super::outline::Outline;
use crate::contact::Sink;
use crate::vector::{add_scaled, norm, scale};

/// The outline is counted from the centre of the circle.
pub fn contacts(a: &Outline, circle: (&[f64; 2], f64), reach: f64, sink: &mut Sink<'_, 2>) {
    for (i, v) in a.vertices.iter().enumerate() {
        let distance = norm(v);
        let gap = circle.1 - distance - a.radius;
        // at the centre every direction is as good, and none is near
        if gap <= reach && distance > 0.0 {
            let n = scale(-1.0 / distance, v);
            sink.push(i as u32, add_scaled(circle.0, -(circle.1 - 0.5 * gap), &n), n, gap);
        }
    }
}
