//! Ball against ball.

use crate::contact::Sink;
use crate::vector::{add_scaled, norm, scale, sub};

/// Balls given by centre and radius. Concentric ones part upwards.
#[inline]
pub fn contacts(a: (&[f64; 3], f64), b: (&[f64; 3], f64), reach: f64, sink: &mut Sink<'_, 3>) {
    let d = sub(a.0, b.0);
    let distance = norm(&d);
    let gap = distance - (a.1 + b.1);
    if gap <= reach {
        let n = if distance > 0.0 { scale(1.0 / distance, &d) } else { [0.0, 0.0, 1.0] };
        sink.push(0, add_scaled(b.0, b.1 + 0.5 * gap, &n), n, gap);
    }
}
