//! Ball against box.

use crate::contact::Sink;
use crate::pose::Pose;
use crate::vector::{add_scaled, norm, scale, sub};

/// The nearest point of the box to the centre; from inside, the nearest face.
pub fn contacts(a: (&[f64; 3], f64), b: (&[f64; 3], &Pose<3>), reach: f64, sink: &mut Sink<'_, 3>) {
    let (half, pose) = b;
    let p = pose.local_point(a.0);
    let nearest: [f64; 3] = std::array::from_fn(|i| p[i].clamp(-half[i], half[i]));
    let d = sub(&p, &nearest);
    let distance = norm(&d);
    let (n, height) = if distance > 0.0 {
        (scale(1.0 / distance, &d), distance)
    } else {
        let depth = |i: &usize| half[*i] - p[*i].abs();
        let axis = (0..3).min_by(|i, j| depth(i).total_cmp(&depth(j))).unwrap_or(2);
        let mut n = [0.0; 3];
        n[axis] = 1.0f64.copysign(p[axis]);
        (n, -depth(&axis))
    };
    let gap = height - a.1;
    if gap <= reach {
        let n = pose.direction(&n);
        sink.push(0, add_scaled(a.0, -(a.1 + 0.5 * gap), &n), n, gap);
    }
}
