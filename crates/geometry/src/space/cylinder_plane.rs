//! Cylinder against plane: the lowest point of each rim, and three more of the lower one, on which it can stand.

use super::cylinder::Cylinder;
use crate::contact::Sink;
use crate::vector::{add, add_scaled, dot, neg};

/// The plane through `offset` with the unit normal `n`; the cylinder and the offset are counted from `origin`.
pub fn contacts(a: &Cylinder, origin: &[f64; 3], offset: &[f64; 3], n: &[f64; 3], reach: f64, sink: &mut Sink<'_, 3>) {
    let level = dot(n, offset);
    points(a, n, |feature, p| {
        let gap = dot(n, &p) - level;
        if gap <= reach {
            sink.push(feature, add(origin, &add_scaled(&p, -0.5 * gap, n)), *n, gap);
        }
    });
}

/// The points of a cylinder that can touch a plane with the normal `n`, numbered.
pub fn points(a: &Cylinder, n: &[f64; 3], mut emit: impl FnMut(u32, [f64; 3])) {
    let down = neg(n);
    let lower = 1.0f64.copysign(dot(&down, &a.axis));
    for side in [-1.0, 1.0] {
        let count = if side == lower { 4 } else { 1 };
        let first = if side > 0.0 { 4 } else { 0 };
        (0..count).for_each(|k| emit(first + k as u32, a.rim(side, &down, k)));
    }
}
