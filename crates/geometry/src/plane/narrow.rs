//! The table of pairs: which question answers for which two shapes.

use super::Shape;
use crate::contact::Sink;
use crate::pose::Pose;
use crate::vector::{add_scaled, dot, norm, scale, sub};

/// Room for the questions about pairs.
#[derive(Debug, Default)]
pub struct Scratch {}

/// The contacts between two shapes not further apart than `reach`.
pub fn contacts(
    a: (&Shape, &Pose<2>),
    b: (&Shape, &Pose<2>),
    reach: f64,
    _scratch: &mut Scratch,
    sink: &mut Sink<'_, 2>,
) {
    match (a.0, b.0) {
        (Shape::Disc { radius: ra }, Shape::Disc { radius: rb }) => {
            disc_disc((&a.1.x, *ra), (&b.1.x, *rb), reach, sink)
        }
        (Shape::Disc { radius }, Shape::HalfPlane) => disc_half_plane((&a.1.x, *radius), b.1, reach, sink),
        (Shape::HalfPlane, Shape::Disc { radius }) => {
            disc_half_plane((&b.1.x, *radius), a.1, reach, &mut sink.swapped());
        }
        _ => {}
    }
}

fn disc_disc(a: (&[f64; 2], f64), b: (&[f64; 2], f64), reach: f64, sink: &mut Sink<'_, 2>) {
    let d = sub(a.0, b.0);
    let distance = norm(&d);
    let gap = distance - (a.1 + b.1);
    if gap <= reach {
        let n = if distance > 0.0 { scale(1.0 / distance, &d) } else { [0.0, 1.0] };
        sink.push(0, add_scaled(b.0, b.1 + 0.5 * gap, &n), n, gap);
    }
}

fn disc_half_plane(disc: (&[f64; 2], f64), plane: &Pose<2>, reach: f64, sink: &mut Sink<'_, 2>) {
    let n = crate::vector::column(&plane.rotation, 1);
    let gap = dot(&n, &sub(disc.0, &plane.x)) - disc.1;
    if gap <= reach {
        sink.push(0, add_scaled(disc.0, -(disc.1 + 0.5 * gap), &n), n, gap);
    }
}
