//! Bricks that lie on each other, not quite straight.

use crate::common;
use common::*;
use std::sync::Arc;
use stickslip_geometry::space::{Polyhedron, Shape};
use stickslip_geometry::{Contact, Pose};

fn tilted(random: &mut Random, x: [f64; 3], angle: f64) -> Pose<3> {
    let [a, b, c] = random.vector::<3>();
    Pose::by_quaternion(x, [1.0, angle * a, angle * b, angle * c])
}

fn as_polyhedron(half: [f64; 3]) -> Shape {
    let corner = |k: usize| std::array::from_fn(|i| if k >> i & 1 == 1 { half[i] } else { -half[i] });
    Shape::Polyhedron(Arc::new(Polyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()))
}

/// A brick that leans by a little keeps its four points, their numbers, and the normal of a face.
#[test]
fn a_brick_that_leans_a_little_stands_on_four_points() {
    let half = [0.2, 0.1, 0.05];
    let brick = Shape::Box { half };
    let mut random = Random(29);
    for angle in [0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3] {
        let mut last: Option<Vec<u32>> = None;
        for _ in 0..50 {
            // in running bond, a little aside so that no two edges lie in one plane
            let (low, high) =
                (tilted(&mut random, [0.0; 3], angle), tilted(&mut random, [0.21, 0.013, 0.1 + 1e-4], angle));
            let found = space_pair((&brick, &low), (&brick, &high), 1e-3);
            assert_eq!(found.len(), 4, "{angle}: {found:?}");
            for c in &found {
                let up = -low.local_direction(&c.normal)[2];
                assert!((up - 1.0).abs() < 1e-15, "{angle}: {up}");
            }
            let features: Vec<u32> = found.iter().map(|c| c.feature).collect();
            assert!(last.as_ref().is_none_or(|l| *l == features), "{angle}: {last:?} {features:?}");
            last = Some(features);
        }
    }
}

/// Boxes and polyhedra of the same form have the same contacts.
#[test]
fn a_box_is_a_polyhedron() {
    let (ha, hb) = ([0.2, 0.1, 0.05], [0.15, 0.12, 0.05]);
    let (a, b) = (Shape::Box { half: ha }, Shape::Box { half: hb });
    let (pa, pb) = (as_polyhedron(ha), as_polyhedron(hb));
    let mut random = Random(31);
    let mut several = 0;
    for round in 0..600 {
        let angle = [1e-9, 1e-3, 0.3, 3.0][round % 4];
        let low = tilted(&mut random, [0.0; 3], angle);
        let [x, y, z] = random.vector::<3>();
        let high = tilted(&mut random, [0.3 * x, 0.2 * y, 0.1 + 0.01 * z], angle);
        let expected = space_pair((&a, &low), (&b, &high), 0.01);
        for (p, q) in [(&pa, &pb), (&a, &pb), (&pa, &b)] {
            let found = space_pair((p, &low), (q, &high), 0.01);
            assert_eq!(found.is_empty(), expected.is_empty(), "{round}: {found:?} {expected:?}");
            if expected.is_empty() {
                continue;
            }
            assert!((least(&found) - least(&expected)).abs() < 1e-9, "{round}: {found:?} {expected:?}");
            let near = |c: &Contact<3>, d: &Contact<3>| norm(&sub(&c.point, &d.point)) < 1e-5;
            if expected.len() == found.len() && expected.len() < 4 {
                assert!(found.iter().all(|c| expected.iter().any(|d| near(c, d))), "{round}: {found:?} {expected:?}");
            }
        }
        several += usize::from(expected.len() > 2);
    }
    assert!(several > 100, "{several}");
}
