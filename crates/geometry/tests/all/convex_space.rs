//! Every pair of convex shapes in space against the definition of distance.

use crate::common;
use common::*;
use std::sync::Arc;
use stickslip_geometry::Pose;
use stickslip_geometry::space::{Polyhedron, Shape};

fn shapes(random: &mut Random) -> Vec<Shape> {
    let cloud: Vec<[f64; 3]> = (0..14).map(|_| random.direction::<3>().map(|x| 0.6 * x)).collect();
    vec![
        Shape::Sphere { radius: random.between(0.2, 0.8) },
        Shape::Box { half: [0.3, random.between(0.2, 0.5), 0.7] },
        Shape::Capsule { half_length: 0.5, radius: random.between(0.1, 0.3) },
        Shape::Polyhedron(Arc::new(Polyhedron::hull(&cloud).unwrap())),
        Shape::Cylinder { half_length: 0.4, radius: random.between(0.2, 0.6) },
    ]
}

/// The gap is the separation along the normal, and no direction separates more.
#[test]
fn the_nearest_contact_is_the_signed_distance() {
    let mut random = Random(3);
    let (mut touching, mut strict) = (0, 0);
    for round in 0..400 {
        let (all_a, all_b) = (shapes(&mut random), shapes(&mut random));
        let k = round % 25;
        let (a, b) = (&all_a[k / 5], &all_b[k % 5]);
        let (pa, mut pb) = (random.pose3(0.3), random.pose3(0.3));
        // from deep to apart
        let away = random.direction::<3>();
        let wanted = random.between(-0.5, 0.2);
        let move_by = extent3(a, &pa, &away) + extent3(b, &pb, &away.map(|x| -x)) + wanted;
        pb.x = std::array::from_fn(|i| pb.x[i] + move_by * away[i]);
        let separation = |n: &[f64; 3]| -extent3(a, &pa, &n.map(|x| -x)) - extent3(b, &pb, n);
        let expected = signed_distance(separation, &mut random);
        let found = space_pair((a, &pa), (b, &pb), 10.0);
        assert!(!found.is_empty(), "{round}: {} {} {expected}", a.name(), b.name());
        let gap = least(&found);
        let what = format!("{round}: {} {}: {gap} {expected} {found:?}", a.name(), b.name());
        // faces that lie on each other may stand for edges that cross at a small angle
        // round shapes deep in each other may settle for another direction
        let round = matches!(a, Shape::Cylinder { .. }) || matches!(b, Shape::Cylinder { .. });
        let slack = if round && expected < 0.0 { 0.1 * expected.abs() } else { 4e-4 * expected.abs() };
        assert!(gap > expected - slack - 1e-9, "{what}");
        assert!(gap < expected + 0.06, "{what}");
        let nearest = found.iter().find(|c| c.gap == gap).unwrap();
        // along its normal nothing is nearer, unless faces stand for edges
        let exact = (separation(&nearest.normal) - gap).abs() < 1e-10;
        assert!(exact || (gap - expected).abs() < 4e-4 * expected.abs() + 1e-4, "{what}");
        strict += usize::from(exact);
        touching += usize::from(gap < 0.0);
        for c in &found {
            assert!((norm(&c.normal) - 1.0).abs() < 1e-12);
        }
    }
    assert!(touching > 40 && strict > 380, "{touching} {strict}");
}

/// Exchanging the bodies turns the normals and leaves the points.
#[test]
fn the_order_of_the_bodies_does_not_matter() {
    let mut random = Random(5);
    for round in 0..250 {
        let (all_a, all_b) = (shapes(&mut random), shapes(&mut random));
        let k = round % 25;
        let (a, b) = (&all_a[k / 5], &all_b[k % 5]);
        let (pa, pb) = (random.pose3(0.5), random.pose3(0.5));
        let (there, back) = (space_pair((a, &pa), (b, &pb), 0.3), space_pair((b, &pb), (a, &pa), 0.3));
        if there.is_empty() {
            assert!(back.is_empty());
            continue;
        }
        // deep in each other, round shapes come to their direction slowly
        let slack = 1e-9 + 1e-4 * least(&there).min(0.0).powi(2);
        assert!(
            least(&there) < -0.1 || (least(&there) - least(&back)).abs() < slack,
            "{} {}: {there:?} {back:?}",
            a.name(),
            b.name()
        );
        let nearest = |c: &[stickslip_geometry::Contact<3>]| *c.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).unwrap();
        if there.len() == 1 && back.len() == 1 && least(&there) > -0.1 {
            let (p, q) = (nearest(&there), nearest(&back));
            for i in 0..3 {
                assert!(
                    (p.normal[i] + q.normal[i]).abs() < 1e-4 + 1e3 * slack,
                    "{} {}: {p:?} {q:?}",
                    a.name(),
                    b.name()
                );
                assert!((p.point[i] - q.point[i]).abs() < 1e-4 + 1e3 * slack, "{} {}: {p:?} {q:?}", a.name(), b.name());
            }
        }
    }
}

/// A box on a box, at any place and angle about the vertical, stands on the corners of the common part.
#[test]
fn a_stack_of_boxes_has_four_points_an_interface() {
    let (low, high) = (Shape::Box { half: [0.5, 0.4, 0.3] }, Shape::Box { half: [0.5, 0.4, 0.2] });
    let mut random = Random(9);
    for round in 0..200 {
        let frame = if round < 100 { Pose::default() } else { random.pose3(10.0) };
        let shift = [random.between(-0.4, 0.4), random.between(-0.3, 0.3), 0.5];
        let shift = if round % 4 == 0 { [0.0, 0.0, 0.5] } else { shift };
        let (a, b) = (frame.part(&Pose::at([0.0; 3])), frame.part(&Pose::at(shift)));
        let found = space_pair((&low, &a), (&high, &b), 1e-3);
        assert_eq!(found.len(), 4, "{found:?}");
        for c in &found {
            assert!(c.gap.abs() < 1e-14 * 20.0);
            let local = a.local_direction(&c.normal);
            assert!((local[2] + 1.0).abs() < 1e-14 && local[0].abs() < 1e-14);
            let p = a.local_point(&c.point);
            // a corner of the common part
            for i in 0..2 {
                let half = [0.5, 0.4][i];
                let ends = [f64::max(-half, shift[i] - half), f64::min(half, shift[i] + half)];
                assert!(ends.iter().any(|e| (e - p[i]).abs() < 2e-6), "{p:?} {ends:?}");
            }
        }
        // turned about the vertical the common part has up to eight corners: four are kept
        let turned = frame.part(&Pose::by_quaternion([0.1, 0.0, 0.5], [1.0, 0.0, 0.0, random.between(-1.0, 1.0)]));
        assert_eq!(space_pair((&low, &a), (&high, &turned), 1e-3).len(), 4);
    }
}
