//! Every pair of convex shapes in the plane against the definition of distance.

use crate::common;
use common::*;
use stickslip_geometry::plane::{Polygon, Shape};

fn shapes(random: &mut Random) -> Vec<Shape> {
    let mut turns: Vec<f64> = (0..7).map(|k| (f64::from(k) + random.unit() * 0.8) * 0.897).collect();
    turns.sort_by(f64::total_cmp);
    vec![
        Shape::Disc { radius: random.between(0.2, 0.8) },
        Shape::Box { half: [0.3, random.between(0.2, 0.7)] },
        Shape::Capsule { half_length: 0.5, radius: random.between(0.1, 0.3) },
        Shape::Polygon(Polygon::new(turns.iter().map(|t| [0.6 * t.cos(), 0.6 * t.sin()]).collect()).unwrap()),
    ]
}

#[test]
fn the_nearest_contact_is_the_signed_distance() {
    let mut random = Random(3);
    let mut touching = 0;
    for round in 0..1600 {
        let (all_a, all_b) = (shapes(&mut random), shapes(&mut random));
        let (a, b) = (&all_a[round % 16 / 4], &all_b[round % 4]);
        let (pa, mut pb) = (random.pose2(0.3), random.pose2(0.3));
        let away = random.direction::<2>();
        let move_by = extent2(a, &pa, &away) + extent2(b, &pb, &away.map(|x| -x)) + random.between(-0.1, 0.5);
        pb.x = std::array::from_fn(|i| pb.x[i] + move_by * away[i]);
        let separation = |n: &[f64; 2]| -extent2(a, &pa, &n.map(|x| -x)) - extent2(b, &pb, n);
        let expected = signed_distance(separation, &mut random);
        let found = plane_pair((a, &pa), (b, &pb), 10.0);
        assert!(!found.is_empty() && found.len() <= 2, "{round}: {} {} {expected}", a.name(), b.name());
        let gap = least(&found);
        let what = format!("{round}: {} {}: {gap} {expected} {found:?}", a.name(), b.name());
        assert!((gap - expected).abs() < 1e-8, "{what}");
        let nearest = found.iter().find(|c| c.gap == gap).unwrap();
        assert!((separation(&nearest.normal) - gap).abs() < 1e-12, "{what}");
        // the witnesses lie on the two surfaces
        for c in &found {
            let on_a = extent2(a, &pa, &c.normal.map(|x| -x));
            let witness: [f64; 2] = std::array::from_fn(|i| c.point[i] + 0.5 * c.gap * c.normal[i]);
            assert!(-dot(&witness, &c.normal) <= on_a + 1e-12, "{what}");
        }
        touching += usize::from(gap < 0.0);
    }
    assert!(touching > 100);
}

#[test]
fn the_order_of_the_bodies_does_not_matter() {
    let mut random = Random(5);
    for round in 0..800 {
        let (all_a, all_b) = (shapes(&mut random), shapes(&mut random));
        let (a, b) = (&all_a[round % 16 / 4], &all_b[round % 4]);
        let (pa, pb) = (random.pose2(0.5), random.pose2(0.5));
        let (there, back) = (plane_pair((a, &pa), (b, &pb), 0.3), plane_pair((b, &pb), (a, &pa), 0.3));
        assert_eq!(there.len(), back.len(), "{} {}: {there:?} {back:?}", a.name(), b.name());
        if !there.is_empty() {
            assert!((least(&there) - least(&back)).abs() < 1e-12);
        }
        for p in &there {
            let opposite = |q: &&stickslip_geometry::Contact<2>| {
                (0..2).all(|i| (p.normal[i] + q.normal[i]).abs() < 1e-9 && (p.point[i] - q.point[i]).abs() < 1e-9)
            };
            assert!(back.iter().any(|q| opposite(&q)), "{} {}: {there:?} {back:?}", a.name(), b.name());
        }
    }
}

/// Bricks in running bond meet in two points each, and a point keeps its number while they slide.
#[test]
fn a_point_keeps_its_number() {
    let brick = Shape::Box { half: [0.2, 0.1] };
    let low = stickslip_geometry::Pose::at([0.0, 0.0]);
    let mut last = Vec::new();
    for k in 0..100 {
        // sliding, and shaking by rounding
        let high = stickslip_geometry::Pose::by_angle(
            [0.2 + 1e-3 * f64::from(k), 0.2 + 1e-16 * f64::from(k % 3)],
            1e-15 * f64::from(k % 5 - 2),
        );
        let found = plane_pair((&brick, &low), (&brick, &high), 1e-3);
        let features: Vec<u32> = found.iter().map(|c| c.feature).collect();
        assert_eq!(features.len(), 2);
        assert!(last.is_empty() || last == features, "{last:?} {features:?}");
        last = features;
    }
}
