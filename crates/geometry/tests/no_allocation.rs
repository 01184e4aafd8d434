//! A warm call allocates nothing.

#![allow(unsafe_code)]

#[path = "all/common/mod.rs"]
mod common;
#[path = "../../contact/tests/counting/mod.rs"]
mod counting;
use common::Random;
use counting::ALLOCATIONS;
use std::sync::Arc;
use stickslip_geometry::{Pose, plane, space};

#[test]
fn a_warm_call_in_space() {
    use space::{Compound, HeightField, Part, Polyhedron, Shape};
    let mut random = Random(1);
    let cloud: Vec<[f64; 3]> = (0..12).map(|_| random.direction::<3>().map(|x| 0.5 * x)).collect();
    let polyhedron = Shape::Polyhedron(Arc::new(Polyhedron::hull(&cloud).unwrap()));
    let ball = Shape::Sphere { radius: 0.3 };
    let part = |x: f64| Part { pose: Pose::at([x, 0.0, 0.0]), shape: ball.clone() };
    let terrain = HeightField::new(
        (0..20).map(|j| (0..20).map(|i| f64::from(i * j % 3) * 0.2 - 2.5).collect()).collect(),
        [0.5; 2],
    );
    let mut shapes = vec![Shape::HeightField(Arc::new(terrain.unwrap())), Shape::InsideBox { half: [3.0; 3] }];
    let mut poses = vec![Pose::at([-5.0, -5.0, 0.0]), Pose::default()];
    let kinds = [
        ball.clone(),
        Shape::Box { half: [0.3, 0.4, 0.5] },
        Shape::Capsule { half_length: 0.4, radius: 0.2 },
        polyhedron,
        Shape::Cylinder { half_length: 0.3, radius: 0.3 },
        Shape::Compound(Compound::new(vec![part(-0.2), part(0.2)]).unwrap()),
    ];
    for i in 0..200 {
        shapes.push(kinds[i % kinds.len()].clone());
        poses.push(random.pose3(2.5));
    }
    let n = shapes.len();
    let (reach, movable) = (vec![0.05; n], vec![true; n]);
    let (mut detector, mut out) = (space::Detector::new(), Vec::new());
    detector.detect(&shapes, &poses, &reach, &movable, &[], &mut out);
    let before = ALLOCATIONS.get();
    detector.detect(&shapes, &poses, &reach, &movable, &[], &mut out);
    assert_eq!(ALLOCATIONS.get() - before, 0);
    assert!(out.len() > 500);
}

#[test]
fn a_warm_call_in_the_plane() {
    use plane::{Polygon, Polyline, Shape};
    let mut random = Random(1);
    let line =
        Polyline::new((0..30).map(|i| [0.5 * f64::from(i) - 7.0, f64::from(i % 3) * 0.2 - 3.0]).collect(), false);
    let mut shapes = vec![Shape::Polyline(line.unwrap()), Shape::InsideCircle { radius: 4.0 }, Shape::HalfPlane];
    let mut poses = vec![Pose::at([0.0; 2]); 3];
    let kinds = [
        Shape::Disc { radius: 0.3 },
        Shape::Box { half: [0.3, 0.4] },
        Shape::Capsule { half_length: 0.4, radius: 0.2 },
        Shape::Polygon(Polygon::new(vec![[0.0, 0.0], [0.5, 0.1], [0.4, 0.5]]).unwrap()),
    ];
    for i in 0..200 {
        shapes.push(kinds[i % kinds.len()].clone());
        poses.push(random.pose2(3.0));
    }
    let n = shapes.len();
    let (reach, movable) = (vec![0.05; n], vec![true; n]);
    let (mut detector, mut out) = (plane::Detector::new(), Vec::new());
    detector.detect(&shapes, &poses, &reach, &movable, &[], &mut out);
    // the counter counts
    let before = ALLOCATIONS.get();
    drop(std::hint::black_box(vec![1.0; 10]));
    assert!(ALLOCATIONS.get() > before);
    let before = ALLOCATIONS.get();
    detector.detect(&shapes, &poses, &reach, &movable, &[], &mut out);
    assert_eq!(ALLOCATIONS.get() - before, 0);
    assert!(out.len() > 500);
}
