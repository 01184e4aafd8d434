//! Cylinder against the inside of a larger cylinder: the points of its rims that are furthest from the axis.

use super::cylinder::Cylinder;
use super::{cylinder_plane, hull_inside_cylinder};
use crate::contact::Sink;
use crate::pose::Pose;
use crate::vector::{add_scaled, cross, dot, scale};

/// Places around a rim from which its furthest points are sought.
const PLACES: usize = 16;

/// The cylinder is placed in the frame of the larger one; the ends, where there are any, are planes across its axis.
pub fn contacts(
    a: &Cylinder,
    (radius, half_length, pose): (f64, Option<f64>, &Pose<3>),
    reach: f64,
    sink: &mut Sink<'_, 3>,
) {
    let across = cross(&a.axis, &a.across);
    for (end, side) in [-1.0, 1.0].into_iter().enumerate() {
        let centre = add_scaled(&a.centre, side * a.half_length, &a.axis);
        let (u, v) = (scale(a.radius, &a.across), scale(a.radius, &across));
        let at = |turn: f64| add_scaled(&add_scaled(&centre, turn.cos(), &u), turn.sin(), &v);
        furthest(&centre, &u, &v, |k, turn| {
            hull_inside_cylinder::wall((PLACES * end + k) as u32, &at(turn), 0.0, (radius, pose), reach, sink);
        });
        let Some(l) = half_length else { continue };
        let n = [0.0, 0.0, -side];
        cylinder_plane::points(a, &n, |k, p| {
            let gap = l - side * p[2];
            if gap <= reach {
                let feature = (2 * PLACES + 8 * end) as u32 + k;
                sink.push(feature, pose.point(&add_scaled(&p, -0.5 * gap, &n)), pose.direction(&n), gap);
            }
        });
    }
}

/// The turns at which the rim $c + u \cos + v \sin$ is locally furthest from the axis; where all of it is equally far, four.
fn furthest(c: &[f64; 3], u: &[f64; 3], v: &[f64; 3], mut emit: impl FnMut(usize, f64)) {
    // half of the derivative of the squared distance, and its own derivative
    let flat = |p: &[f64; 3]| [p[0], p[1]];
    let (c, u, v) = (flat(c), flat(u), flat(v));
    let slope = |t: f64| {
        let (s, k) = t.sin_cos();
        let (p, d): ([f64; 2], [f64; 2]) =
            (std::array::from_fn(|i| c[i] + k * u[i] + s * v[i]), std::array::from_fn(|i| k * v[i] - s * u[i]));
        (dot(&p, &d), dot(&d, &d) - dot(&p, &p) + dot(&p, &c))
    };
    let step = std::f64::consts::TAU / PLACES as f64;
    let size = dot(&u, &u) + dot(&v, &v);
    if (0..PLACES).all(|k| slope(k as f64 * step).0.abs() <= 1e-12 * size) {
        return (0..4).for_each(|k| emit(4 * k, k as f64 * 4.0 * step));
    }
    for k in 0..PLACES {
        let (mut low, mut high) = (k as f64 * step, (k + 1) as f64 * step);
        if !(slope(low).0 > 0.0 && slope(high).0 <= 0.0) {
            continue;
        }
        // Newton within the bracket
        let mut t = 0.5 * (low + high);
        for _ in 0..60 {
            let (f, df) = slope(t);
            if f > 0.0 {
                low = t
            } else {
                high = t
            }
            let newton = t - f / df;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - t).abs() <= 1e-16 {
                break;
            }
            t = next;
        }
        emit(k, t);
    }
}
