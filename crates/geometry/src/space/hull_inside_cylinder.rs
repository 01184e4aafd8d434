//! Hull against the inside of a cylinder: every vertex within reach, for between them nothing is nearer.

use super::hull::Hull;
use crate::contact::Sink;
use crate::pose::Pose;
use crate::vector::add_scaled;

/// The hull is placed in the frame of the cylinder; the ends, where there are any, are planes across its axis.
pub fn contacts(
    a: &Hull<'_>,
    (radius, half_length, pose): (f64, Option<f64>, &Pose<3>),
    reach: f64,
    sink: &mut Sink<'_, 3>,
) {
    for (i, v) in a.vertices.iter().enumerate() {
        wall(3 * i as u32, v, a.radius, (radius, pose), reach, sink);
        for (k, side) in [-1.0, 1.0].into_iter().enumerate() {
            let Some(l) = half_length else { continue };
            let gap = l - side * v[2] - a.radius;
            if gap <= reach {
                let n = [0.0, 0.0, -side];
                let point = add_scaled(v, -(a.radius + 0.5 * gap), &n);
                sink.push(3 * i as u32 + 1 + k as u32, pose.point(&point), pose.direction(&n), gap);
            }
        }
    }
}

/// A point with a radius against the wall.
pub fn wall(
    feature: u32,
    v: &[f64; 3],
    around: f64,
    (radius, pose): (f64, &Pose<3>),
    reach: f64,
    sink: &mut Sink<'_, 3>,
) {
    let distance = v[0].hypot(v[1]);
    let gap = radius - distance - around;
    // on the axis every direction is as good, and none is near
    if gap <= reach && distance > 0.0 {
        let n = [-v[0] / distance, -v[1] / distance, 0.0];
        sink.push(feature, pose.point(&add_scaled(v, -(around + 0.5 * gap), &n)), pose.direction(&n), gap);
    }
}
