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
    a: (&Shape, &Pose<3>),
    b: (&Shape, &Pose<3>),
    reach: f64,
    _scratch: &mut Scratch,
    sink: &mut Sink<'_, 3>,
) {
    match (a.0, b.0) {
        (Shape::Sphere { radius: ra }, Shape::Sphere { radius: rb }) => {
            sphere_sphere((&a.1.x, *ra), (&b.1.x, *rb), reach, sink);
        }
        (Shape::Sphere { radius }, Shape::HalfSpace) => sphere_half_space((&a.1.x, *radius), b.1, reach, sink),
        (Shape::HalfSpace, Shape::Sphere { radius }) => {
            sphere_half_space((&b.1.x, *radius), a.1, reach, &mut sink.swapped());
        }
        _ => {}
    }
}

fn sphere_sphere(a: (&[f64; 3], f64), b: (&[f64; 3], f64), reach: f64, sink: &mut Sink<'_, 3>) {
    let d = sub(a.0, b.0);
    let distance = norm(&d);
    let gap = distance - (a.1 + b.1);
    if gap <= reach {
        let n = if distance > 0.0 { scale(1.0 / distance, &d) } else { [0.0, 0.0, 1.0] };
        sink.push(0, add_scaled(b.0, b.1 + 0.5 * gap, &n), n, gap);
    }
}

fn sphere_half_space(sphere: (&[f64; 3], f64), plane: &Pose<3>, reach: f64, sink: &mut Sink<'_, 3>) {
    let n = crate::vector::column(&plane.rotation, 2);
    let gap = dot(&n, &sub(sphere.0, &plane.x)) - sphere.1;
    if gap <= reach {
        sink.push(0, add_scaled(sphere.0, -(sphere.1 + 0.5 * gap), &n), n, gap);
    }
}
