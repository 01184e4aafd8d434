//! Balls and capsules against each other: segments with a radius around them, of length zero for balls.

use crate::contact::Sink;
use crate::vector::{add, add_scaled, cross, dot, middle, norm, norm2, scale, sub};

/// A segment from `centre - arm` to `centre + arm`, and what lies within `radius` of it.
#[derive(Debug, Clone, Copy)]
pub struct Rod {
    /// The middle.
    pub centre: [f64; 3],
    /// Half of the segment.
    pub arm: [f64; 3],
    /// The radius around it.
    pub radius: f64,
}

/// Segments whose sine is smaller lie along each other and touch in two points.
const ALONG: f64 = 1e-6;

/// Both are counted from `origin`.
pub fn contacts(a: &Rod, b: &Rod, origin: &[f64; 3], reach: f64, sink: &mut Sink<'_, 3>) {
    let (la, lb) = (norm(&a.arm), norm(&b.arm));
    let sine = norm(&cross(&a.arm, &b.arm));
    let mut emit = |feature, s: f64, t: f64| {
        let (p, q) = (add_scaled(&a.centre, s, &a.arm), add_scaled(&b.centre, t, &b.arm));
        let d = sub(&p, &q);
        let distance = norm(&d);
        let gap = distance - a.radius - b.radius;
        if gap <= reach {
            let n = if distance > 0.0 { scale(1.0 / distance, &d) } else { [0.0, 0.0, 1.0] };
            let point = middle(&add_scaled(&p, -a.radius, &n), &add_scaled(&q, b.radius, &n));
            sink.push(feature, add(origin, &point), n, gap);
        }
    };
    if la > 0.0 && lb > 0.0 && sine <= ALONG * la * lb {
        // the common part, along a, from -1 to 1
        let place = |p: &[f64; 3]| dot(&sub(p, &a.centre), &a.arm) / (la * la);
        let ends = [place(&sub(&b.centre, &b.arm)), place(&add(&b.centre, &b.arm))];
        let (low, high) = (ends[0].min(ends[1]).max(-1.0), ends[0].max(ends[1]).min(1.0));
        if low < high {
            for (feature, s) in [(1, low), (2, high)] {
                let p = add_scaled(&a.centre, s, &a.arm);
                emit(feature, s, (dot(&sub(&p, &b.centre), &b.arm) / (lb * lb)).clamp(-1.0, 1.0));
            }
            return;
        }
    }
    let (s, t) = nearest(a, b);
    emit(0, s, t);
}

/// The places of the nearest points, from -1 to 1 along each arm.
///
/// # Reference
///
/// Ericson 2005, Real-time collision detection, section 5.1.9.
fn nearest(a: &Rod, b: &Rod) -> (f64, f64) {
    let d = sub(&a.centre, &b.centre);
    let (aa, bb, ab) = (norm2(&a.arm), norm2(&b.arm), dot(&a.arm, &b.arm));
    let (da, db) = (dot(&a.arm, &d), dot(&b.arm, &d));
    let on = |x: f64, square: f64| if square > 0.0 { (x / square).clamp(-1.0, 1.0) } else { 0.0 };
    let determinant = norm2(&cross(&a.arm, &b.arm));
    let s = on(ab * db - da * bb, determinant);
    let t = on(ab * s + db, bb);
    // t may have met its end: s follows
    (on(ab * t - da, aa), t)
}
