//! The detector as a whole: against a search through all pairs, under scaling, with groups.

use crate::common;
use common::*;
use proptest::prelude::*;
use stickslip_geometry::{Contact, Pose, plane, space};

fn brute(shapes: &[space::Shape], poses: &[Pose<3>], reach: &[f64]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for a in 0..shapes.len() {
        for b in a + 1..shapes.len() {
            if !space_pair((&shapes[a], &poses[a]), (&shapes[b], &poses[b]), reach[a] + reach[b]).is_empty() {
                pairs.push((a as u32, b as u32));
            }
        }
    }
    pairs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Balls of very different sizes, some far away: the cell list misses no pair and invents none.
    #[test]
    fn the_cell_list_finds_all_pairs(seed in 1u64..1_000_000, decades in 0.0f64..5.0, extent in 0.5f64..20.0) {
        let mut random = Random(seed);
        let n = 120;
        let shapes: Vec<_> = (0..n).map(|_| space::Shape::Sphere { radius: 10f64.powf(-decades * random.unit()) }).collect();
        let far = |random: &mut Random| if random.unit() < 0.05 { 1e7 } else { 1.0 };
        let poses: Vec<_> = (0..n).map(|_| { let s = far(&mut random) * extent; Pose::at(random.vector::<3>().map(|x| s * x)) }).collect();
        let reach: Vec<f64> = (0..n).map(|_| 0.1 * random.unit()).collect();
        let mut out = Vec::new();
        space::Detector::new().detect(&shapes, &poses, &reach, &vec![true; n], &[], &mut out);
        let found: Vec<(u32, u32)> = out.iter().map(|c| (c.a, c.b)).collect();
        prop_assert_eq!(found, brute(&shapes, &poses, &reach));
    }

    /// The same with discs and boxes in the plane.
    #[test]
    fn the_cell_list_finds_all_pairs_in_the_plane(seed in 1u64..1_000_000, decades in 0.0f64..4.0) {
        let mut random = Random(seed);
        let n = 100;
        let shape = |random: &mut Random| {
            let r = 10f64.powf(-decades * random.unit());
            if random.unit() < 0.5 { plane::Shape::Disc { radius: r } } else { plane::Shape::Box { half: [r, 0.3 * r] } }
        };
        let shapes: Vec<_> = (0..n).map(|_| shape(&mut random)).collect();
        let poses: Vec<_> = (0..n).map(|_| random.pose2(4.0)).collect();
        let reach = vec![0.01; n];
        let mut out = Vec::new();
        plane::Detector::new().detect(&shapes, &poses, &reach, &vec![true; n], &[], &mut out);
        let mut found: Vec<(u32, u32)> = out.iter().map(|c| (c.a, c.b)).collect();
        found.dedup();
        let mut expected = Vec::new();
        for a in 0..n {
            for b in a + 1..n {
                if !plane_pair((&shapes[a], &poses[a]), (&shapes[b], &poses[b]), 0.02).is_empty() {
                    expected.push((a as u32, b as u32));
                }
            }
        }
        prop_assert_eq!(found, expected);
    }
}

/// One of each, in a heap on a floor.
fn heap(scale: f64) -> (Vec<space::Shape>, Vec<Pose<3>>) {
    use space::Shape;
    let mut random = Random(23);
    let mut shapes = vec![Shape::HalfSpace, Shape::InsideCylinder { radius: 3.0 * scale, half_length: None }];
    let mut poses = vec![Pose::at([0.0; 3]); 2];
    let cloud: Vec<[f64; 3]> = (0..12).map(|_| random.direction::<3>().map(|x| 0.5 * scale * x)).collect();
    let polyhedron = std::sync::Arc::new(space::Polyhedron::hull(&cloud).unwrap());
    for i in 0..200 {
        shapes.push(match i % 5 {
            0 => Shape::Sphere { radius: 0.4 * scale },
            1 => Shape::Box { half: [0.3 * scale, 0.4 * scale, 0.5 * scale] },
            2 => Shape::Capsule { half_length: 0.4 * scale, radius: 0.2 * scale },
            3 => Shape::Polyhedron(polyhedron.clone()),
            _ => Shape::Cylinder { half_length: 0.3 * scale, radius: 0.3 * scale },
        });
        let mut pose = random.pose3(2.5);
        pose.x = pose.x.map(|x| x * scale);
        poses.push(pose);
    }
    (shapes, poses)
}

fn detect(scale: f64) -> Vec<Contact<3>> {
    let (shapes, poses) = heap(scale);
    let n = shapes.len();
    let movable: Vec<bool> = (0..n).map(|i| i > 1).collect();
    let mut out = Vec::new();
    space::Detector::new().detect(&shapes, &poses, &vec![0.05 * scale; n], &movable, &[], &mut out);
    out
}

/// No length is written into the code: scaled by a power of two, every bit scales.
#[test]
fn the_same_scene_at_any_scale_has_the_same_contacts() {
    let reference = detect(1.0);
    assert!(reference.len() > 500);
    for exponent in [-40, -10, 10, 40] {
        let s = 2f64.powi(exponent);
        let scaled = detect(s);
        assert_eq!(scaled.len(), reference.len());
        for (p, q) in scaled.iter().zip(&reference) {
            assert_eq!((p.a, p.b, p.feature), (q.a, q.b, q.feature));
            assert_eq!((p.gap, p.normal, p.point), (s * q.gap, q.normal, q.point.map(|x| s * x)));
        }
    }
}

/// In millimetres and kilometres it is the same up to rounding.
#[test]
fn the_same_scene_in_mm_and_km() {
    let reference = detect(1.0);
    for s in [1e-3, 1e3] {
        let scaled = detect(s);
        let keys = |c: &[Contact<3>]| c.iter().map(|c| (c.a, c.b)).collect::<std::collections::BTreeSet<_>>();
        let (found, expected) = (keys(&scaled), keys(&reference));
        let strange: Vec<_> =
            found.symmetric_difference(&expected).map(|p| ((p.0 - 2) % 5, (p.1 - 2) % 5, *p)).collect();
        assert!(strange.is_empty(), "{strange:?}");
        let least = |c: &[Contact<3>], s: f64| c.iter().map(|c| c.gap / s).fold(0.0, f64::min);
        assert!((least(&scaled, s) - least(&reference, 1.0)).abs() < 1e-9);
    }
}

#[test]
fn the_answer_is_sorted_and_does_not_depend_on_earlier_calls() {
    let (shapes, poses) = heap(1.0);
    let n = shapes.len();
    let mut detector = space::Detector::new();
    let mut out = Vec::new();
    let call = |detector: &mut space::Detector, out: &mut Vec<_>, poses: &[Pose<3>]| {
        detector.detect(&shapes, poses, &vec![0.05; n], &vec![true; n], &[], out);
    };
    call(&mut detector, &mut out, &poses);
    let first = out.clone();
    let keys: Vec<_> = first.iter().map(|c| (c.a, c.b, c.feature)).collect();
    assert!(keys.windows(2).all(|w| w[0] < w[1]));
    let moved: Vec<_> = poses.iter().map(|p| Pose { x: p.x.map(|x| 0.7 * x), ..*p }).collect();
    call(&mut detector, &mut out, &moved);
    call(&mut detector, &mut out, &poses);
    assert_eq!(out, first);
}

#[test]
fn groups_and_fixed_bodies_keep_apart() {
    let shapes = vec![space::Shape::Sphere { radius: 1.0 }; 4];
    let poses = vec![
        Pose::at([0.0, 0.0, 0.0]),
        Pose::at([1.0, 0.0, 0.0]),
        Pose::at([0.0, 1.0, 0.0]),
        Pose::at([1.0, 1.0, 0.0]),
    ];
    let mut out = Vec::new();
    let mut pairs = |movable: &[bool], group: &[u32]| {
        space::Detector::new().detect(&shapes, &poses, &[0.0; 4], movable, group, &mut out);
        out.iter().map(|c| (c.a, c.b)).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&[true; 4], &[]).len(), 6);
    assert_eq!(pairs(&[false, false, false, true], &[]), [(0, 3), (1, 3), (2, 3)]);
    assert_eq!(pairs(&[true; 4], &[7, 7, 0, 0]), [(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
}

/// Poses that are not numbers are no reason to stop.
#[test]
fn numbers_that_are_none_do_no_harm() {
    let (shapes, mut poses) = heap(1.0);
    poses[5].x[0] = f64::NAN;
    poses[6].x = [f64::INFINITY; 3];
    poses[7].rotation = [[f64::NAN; 3]; 3];
    poses[8].x = [1e300, -1e300, 0.0];
    let n = shapes.len();
    let mut out = Vec::new();
    space::Detector::new().detect(&shapes, &poses, &vec![0.05; n], &vec![true; n], &[], &mut out);
    assert!(out.len() > 400);
}
