//! What the tests of contacts share.
#![allow(dead_code)]

use stickslip_geometry::{Contact, Pose, plane, space};

/// A reproducible source of numbers.
pub struct Random(pub u64);

impl Random {
    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A vector with entries between -1 and 1.
    pub fn vector<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.between(-1.0, 1.0))
    }

    /// A direction.
    pub fn direction<const N: usize>(&mut self) -> [f64; N] {
        loop {
            let v = self.vector();
            let n = norm(&v);
            if n > 0.1 && n < 1.0 {
                return v.map(|x| x / n);
            }
        }
    }

    /// A pose within `extent` of the origin, turned anyhow.
    pub fn pose3(&mut self, extent: f64) -> Pose<3> {
        Pose::by_quaternion(self.vector::<3>().map(|x| x * extent), self.direction::<4>())
    }

    /// The same in the plane.
    pub fn pose2(&mut self, extent: f64) -> Pose<2> {
        Pose::by_angle(self.vector::<2>().map(|x| x * extent), self.between(-4.0, 4.0))
    }
}

pub fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    (0..N).map(|i| a[i] * b[i]).sum()
}

pub fn norm<const N: usize>(a: &[f64; N]) -> f64 {
    dot(a, a).sqrt()
}

pub fn sub<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| a[i] - b[i])
}

/// The contacts of two bodies in space, both free.
pub fn space_pair(a: (&space::Shape, &Pose<3>), b: (&space::Shape, &Pose<3>), reach: f64) -> Vec<Contact<3>> {
    let mut out = Vec::new();
    let shapes = [a.0.clone(), b.0.clone()];
    space::Detector::new().detect(&shapes, &[*a.1, *b.1], &[reach, 0.0], &[true, true], &[], &mut out);
    out
}

/// The contacts of two bodies in the plane, both free.
pub fn plane_pair(a: (&plane::Shape, &Pose<2>), b: (&plane::Shape, &Pose<2>), reach: f64) -> Vec<Contact<2>> {
    let mut out = Vec::new();
    let shapes = [a.0.clone(), b.0.clone()];
    plane::Detector::new().detect(&shapes, &[*a.1, *b.1], &[reach, 0.0], &[true, true], &[], &mut out);
    out
}

/// The least of the gaps.
pub fn least<const N: usize>(contacts: &[Contact<N>]) -> f64 {
    contacts.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min)
}

/// How far a convex shape of space reaches along a direction.
pub fn extent3(shape: &space::Shape, pose: &Pose<3>, n: &[f64; 3]) -> f64 {
    use space::Shape;
    let l = pose.local_direction(n);
    let own = match shape {
        Shape::Sphere { radius } => *radius,
        Shape::Box { half } => (0..3).map(|i| half[i] * l[i].abs()).sum(),
        Shape::Capsule { half_length, radius } => half_length * l[2].abs() + radius,
        Shape::Cylinder { half_length, radius } => half_length * l[2].abs() + radius * l[0].hypot(l[1]),
        Shape::Polyhedron(p) => p.vertices().iter().map(|v| dot(v, &l)).fold(f64::NEG_INFINITY, f64::max),
        _ => panic!("no support"),
    };
    dot(&pose.x, n) + own
}

/// How far a convex shape of the plane reaches along a direction.
pub fn extent2(shape: &plane::Shape, pose: &Pose<2>, n: &[f64; 2]) -> f64 {
    use plane::Shape;
    let l = pose.local_direction(n);
    let own = match shape {
        Shape::Disc { radius } => *radius,
        Shape::Box { half } => half[0] * l[0].abs() + half[1] * l[1].abs(),
        Shape::Capsule { half_length, radius } => half_length * l[0].abs() + radius,
        Shape::Polygon(p) => p.vertices().iter().map(|v| dot(v, &l)).fold(f64::NEG_INFINITY, f64::max),
        _ => panic!("no support"),
    };
    dot(&pose.x, n) + own
}

/// The distance of two convex sets, negative in penetration, is the largest separation over all directions: found here
/// by trying many and climbing from the best. Always a little below the truth.
pub fn signed_distance<const N: usize>(separation: impl Fn(&[f64; N]) -> f64, random: &mut Random) -> f64 {
    let mut best = (f64::NEG_INFINITY, [0.0; N]);
    for _ in 0..400 {
        let n = random.direction();
        let s = separation(&n);
        if s > best.0 {
            best = (s, n);
        }
    }
    let mut step = 0.2;
    while step > 1e-10 {
        let mut better = false;
        for _ in 0..12 {
            let d: [f64; N] = random.direction();
            let moved: [f64; N] = std::array::from_fn(|i| best.1[i] + step * d[i]);
            let length = norm(&moved);
            let n = moved.map(|x| x / length);
            let s = separation(&n);
            if s > best.0 {
                best = (s, n);
                better = true;
            }
        }
        if !better {
            step *= 0.6;
        }
    }
    best.0
}
