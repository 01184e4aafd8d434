//! Volume, centroid and inertia of the solid shapes.

use super::{Polyhedron, Shape};
use crate::pose::Pose;
use crate::vector::{add, add_scaled, cross, dot, norm2, product, scale, sub};
use std::f64::consts::PI;

/// Properties per unit density (1 kg/m³).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mass {
    /// The volume (m³).
    pub volume: f64,
    /// The centre of mass in the shape's frame (m).
    pub centroid: [f64; 3],
    /// $\int \|p - c\|^2 I - (p - c)(p - c)^\top$ about the centroid, along the axes of the shape's frame (m⁵).
    pub inertia: [[f64; 3]; 3],
}

impl Mass {
    /// Of a solid shape; nothing for the others.
    pub fn of(shape: &Shape) -> Option<Mass> {
        Some(match shape {
            Shape::Sphere { radius: r } => {
                let volume = 4.0 / 3.0 * PI * r.powi(3);
                centred(volume, [0.4 * volume * r * r; 3])
            }
            Shape::Box { half: [a, b, c] } => {
                let volume = 8.0 * a * b * c;
                let along = |p: &f64, q: &f64| volume * (p * p + q * q) / 3.0;
                centred(volume, [along(b, c), along(a, c), along(a, b)])
            }
            Shape::Cylinder { half_length: l, radius: r } => {
                let volume = 2.0 * PI * r * r * l;
                let across = volume * (0.25 * r * r + l * l / 3.0);
                centred(volume, [across, across, 0.5 * volume * r * r])
            }
            Shape::Capsule { half_length, radius } => capsule(*half_length, *radius),
            Shape::Polyhedron(polyhedron) => of_polyhedron(polyhedron),
            Shape::Compound(compound) => {
                let part = |p: &super::Part| Some(Mass::of(&p.shape)?.moved(&p.pose));
                sum(compound.parts().iter().filter_map(part))
            }
            Shape::HalfSpace
            | Shape::Mesh(_)
            | Shape::HeightField(_)
            | Shape::InsideCylinder { .. }
            | Shape::InsideBox { .. } => return None,
        })
    }

    /// The same body seen from a frame in which it has the given pose.
    fn moved(&self, pose: &Pose<3>) -> Mass {
        let r = &pose.rotation;
        let transposed = std::array::from_fn(|i| std::array::from_fn(|j| r[j][i]));
        let inertia = product(&product(r, &self.inertia), &transposed);
        Mass { volume: self.volume, centroid: pose.point(&self.centroid), inertia }
    }
}

fn centred(volume: f64, moments: [f64; 3]) -> Mass {
    let inertia = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { moments[i] } else { 0.0 }));
    Mass { volume, centroid: [0.0; 3], inertia }
}

/// A cylinder and two half balls, whose centroids lie 3r/8 from their flat sides.
fn capsule(l: f64, r: f64) -> Mass {
    let (cylinder, ball) = (2.0 * PI * r * r * l, 4.0 / 3.0 * PI * r.powi(3));
    let along = cylinder * 0.5 * r * r + ball * 0.4 * r * r;
    let offset = 0.375 * r;
    let half_balls = ball * (0.4 * r * r - offset * offset + (l + offset) * (l + offset));
    let across = cylinder * (0.25 * r * r + l * l / 3.0) + half_balls;
    centred(cylinder + ball, [across, across, along])
}

/// Tetrahedra between the first vertex and the triangles of all faces.
fn of_polyhedron(polyhedron: &Polyhedron) -> Mass {
    let vertices = polyhedron.vertices();
    let origin = vertices[0];
    let local = |v: u32| sub(&vertices[v as usize], &origin);
    let faces = (0..polyhedron.normals().len()).map(|f| polyhedron.topology().face(f));
    let triangles = faces.flat_map(|face| face[1..].windows(2).map(move |w| [face[0], w[0], w[1]]));
    let mass = sum(triangles.map(|t| tetrahedron(&t.map(local))));
    Mass { centroid: add(&origin, &mass.centroid), ..mass }
}

/// The tetrahedron of the origin and three points.
fn tetrahedron(p: &[[f64; 3]; 3]) -> Mass {
    let volume = dot(&p[0], &cross(&p[1], &p[2])) / 6.0;
    let total = add(&add(&p[0], &p[1]), &p[2]);
    let centroid = scale(0.25, &total);
    // the integral of p p' about the origin is V/20 (sum of p p' + total total')
    let second = |i: usize, j: usize| {
        let corners: f64 = p.iter().map(|q| q[i] * q[j]).sum();
        volume * ((corners + total[i] * total[j]) / 20.0 - centroid[i] * centroid[j])
    };
    let trace = second(0, 0) + second(1, 1) + second(2, 2);
    let entry = |i, j| if i == j { trace - second(i, i) } else { -second(i, j) };
    Mass { volume, centroid, inertia: std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))) }
}

/// Parts together; inertia moves by the theorem of Steiner.
fn sum(parts: impl Iterator<Item = Mass> + Clone) -> Mass {
    let volume = parts.clone().map(|m| m.volume).sum();
    let moment = parts.clone().fold([0.0; 3], |s, m| add_scaled(&s, m.volume, &m.centroid));
    let centroid = scale(1.0 / volume, &moment);
    let mut inertia = [[0.0; 3]; 3];
    for part in parts {
        let d = sub(&part.centroid, &centroid);
        for i in 0..3 {
            for j in 0..3 {
                let square = if i == j { norm2(&d) } else { 0.0 };
                inertia[i][j] += part.inertia[i][j] + part.volume * (square - d[i] * d[j]);
            }
        }
    }
    Mass { volume, centroid, inertia }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Compound, Part};
    use std::sync::Arc;

    fn near(a: &Mass, b: &Mass) {
        assert!((a.volume - b.volume).abs() <= 1e-13 * b.volume);
        for i in 0..3 {
            assert!((a.centroid[i] - b.centroid[i]).abs() <= 1e-13 * b.volume.cbrt());
            for j in 0..3 {
                assert!((a.inertia[i][j] - b.inertia[i][j]).abs() <= 1e-12 * b.inertia[0][0]);
            }
        }
    }

    #[test]
    fn a_polyhedron_and_a_compound_agree_with_the_box() {
        let half = [0.5, 1.0, 1.5];
        let pose = Pose::by_quaternion([3.0, -2.0, 1.0], [0.9, 0.1, -0.3, 0.4]);
        let corner = |k: usize| std::array::from_fn(|i| if k >> i & 1 == 1 { half[i] } else { -half[i] });
        let points: Vec<[f64; 3]> = (0..8).map(|k| pose.point(&corner(k))).collect();
        let hull = Shape::Polyhedron(Arc::new(Polyhedron::hull(&points).unwrap()));
        let expected = Shape::Box { half }.mass().unwrap().moved(&pose);
        near(&hull.mass().unwrap(), &expected);
        let part = |z: f64| {
            let pose = Pose { x: pose.point(&[0.0, 0.0, z]), ..pose };
            Part { pose, shape: Shape::Box { half: [0.5, 1.0, 0.75] } }
        };
        let compound = Shape::Compound(Compound::new(vec![part(-0.75), part(0.75)]).unwrap());
        near(&compound.mass().unwrap(), &expected);
    }

    #[test]
    fn a_capsule_by_quadrature() {
        let mass = Shape::Capsule { half_length: 0.7, radius: 0.4 }.mass().unwrap();
        let (n, mut volume, mut across, mut along) = (4000, 0.0, 0.0, 0.0);
        for i in 0..n {
            let z = -1.1 + 2.2 * (f64::from(i) + 0.5) / f64::from(n);
            let beyond: f64 = (z.abs() - 0.7f64).max(0.0);
            let r2 = 0.16 - beyond * beyond;
            volume += PI * r2;
            along += 0.5 * PI * r2 * r2;
            across += PI * r2 * (0.25 * r2 + z * z);
        }
        let h = 2.2 / f64::from(n);
        assert!((mass.volume - volume * h).abs() < 1e-6);
        assert!((mass.inertia[2][2] - along * h).abs() < 1e-6 && (mass.inertia[0][0] - across * h).abs() < 1e-6);
    }
}
