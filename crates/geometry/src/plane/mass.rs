//! Area, centroid and inertia of the solid shapes.

use super::Shape;
use crate::vector::{add_scaled, cross2, dot, norm2, scale, sub};
use std::f64::consts::PI;

/// Properties per unit density (1 kg/m²).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mass {
    /// The area (m²).
    pub area: f64,
    /// The centre of mass in the shape's frame (m).
    pub centroid: [f64; 2],
    /// $\int \|p - c\|^2$ about the centroid (m⁴).
    pub inertia: f64,
}

impl Mass {
    /// Of a solid shape; nothing for the others.
    pub fn of(shape: &Shape) -> Option<Mass> {
        let centred = |area, inertia| Mass { area, centroid: [0.0; 2], inertia };
        Some(match shape {
            Shape::Disc { radius: r } => centred(PI * r * r, 0.5 * PI * r.powi(4)),
            Shape::Box { half: [a, b] } => centred(4.0 * a * b, 4.0 / 3.0 * a * b * (a * a + b * b)),
            Shape::Capsule { half_length, radius } => capsule(*half_length, *radius),
            Shape::Polygon(polygon) => of_polygon(polygon.vertices()),
            Shape::Compound(compound) => {
                let part = |p: &super::Part| {
                    let mass = Mass::of(&p.shape)?;
                    Some(Mass { centroid: p.pose.point(&mass.centroid), ..mass })
                };
                sum(compound.parts().iter().filter_map(part))
            }
            Shape::HalfPlane | Shape::Segment { .. } | Shape::Polyline(_) | Shape::InsideCircle { .. } => return None,
        })
    }
}

/// A rectangle and two half discs, whose centroids lie 4r/3π from their flat sides.
fn capsule(l: f64, r: f64) -> Mass {
    let (rectangle, discs) = (4.0 * l * r, PI * r * r);
    let offset = 4.0 * r / (3.0 * PI);
    let half_discs = discs * (0.5 * r * r - offset * offset + (l + offset) * (l + offset));
    Mass { area: rectangle + discs, centroid: [0.0; 2], inertia: rectangle * (l * l + r * r) / 3.0 + half_discs }
}

/// A fan of triangles from the first vertex.
fn of_polygon(vertices: &[[f64; 2]]) -> Mass {
    let origin = vertices[0];
    let triangle = |w: &[[f64; 2]]| {
        let (p, q) = (sub(&w[0], &origin), sub(&w[1], &origin));
        let area = 0.5 * cross2(&p, &q);
        let centroid = scale(1.0 / 3.0, &[p[0] + q[0], p[1] + q[1]]);
        let about_origin = area * (norm2(&p) + dot(&p, &q) + norm2(&q)) / 6.0;
        Mass { area, centroid, inertia: about_origin - area * norm2(&centroid) }
    };
    let mass = sum(vertices[1..].windows(2).map(triangle));
    Mass { centroid: add_scaled(&origin, 1.0, &mass.centroid), ..mass }
}

/// Parts together; inertia moves by the theorem of Steiner.
fn sum(parts: impl Iterator<Item = Mass> + Clone) -> Mass {
    let area = parts.clone().map(|m| m.area).sum();
    let moment = parts.clone().fold([0.0; 2], |s, m| add_scaled(&s, m.area, &m.centroid));
    let centroid = scale(1.0 / area, &moment);
    let inertia = parts.map(|m| m.inertia + m.area * norm2(&sub(&m.centroid, &centroid))).sum();
    Mass { area, centroid, inertia }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane::{Compound, Part, Polygon};
    use crate::pose::Pose;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-13 * (a.abs() + b.abs()), "{a} {b}");
    }

    #[test]
    fn a_polygon_and_a_compound_agree_with_the_box() {
        let polygon = Polygon::new(vec![[1.0, 2.0], [4.0, 2.0], [4.0, 3.0], [1.0, 3.0]]).unwrap();
        let half = Shape::Box { half: [0.75, 0.5] };
        let part = |x| Part { pose: Pose::by_angle([x, 2.5], std::f64::consts::PI), shape: half.clone() };
        let compound = Compound::new(vec![part(1.75), part(3.25)]).unwrap();
        let expected = Shape::Box { half: [1.5, 0.5] }.mass().unwrap();
        for shape in [Shape::Polygon(polygon), Shape::Compound(compound)] {
            let mass = shape.mass().unwrap();
            near(mass.area, expected.area);
            near(mass.inertia, expected.inertia);
            near(mass.centroid[0], 2.5);
            near(mass.centroid[1], 2.5);
        }
    }

    #[test]
    fn a_capsule_by_quadrature() {
        let mass = Shape::Capsule { half_length: 0.7, radius: 0.4 }.mass().unwrap();
        let (n, mut area, mut inertia) = (4000, 0.0, 0.0);
        for i in 0..n {
            let x = -1.1 + 2.2 * (f64::from(i) + 0.5) / f64::from(n);
            let beyond: f64 = (x.abs() - 0.7f64).max(0.0);
            let y = (0.16 - beyond * beyond).max(0.0).sqrt();
            area += 2.0 * y;
            inertia += 2.0 * y * x * x + 2.0 / 3.0 * y.powi(3);
        }
        let h = 2.2 / f64::from(n);
        assert!((mass.area - area * h).abs() < 1e-5 && (mass.inertia - inertia * h).abs() < 1e-5);
    }
}
