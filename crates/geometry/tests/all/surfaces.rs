//! Fixed surfaces: what is flat acts like a half-space however it is cut, and corners are where they should be.

use crate::common;
use common::*;
use std::sync::Arc;
use stickslip_geometry::{Contact, Pose, plane, space};

/// A flat square mesh of side 8 in the plane z = 0, cut into triangles of many sizes.
fn floor(random: &mut Random) -> space::Mesh {
    let n = 9;
    let mut vertices = Vec::new();
    for j in 0..n {
        for i in 0..n {
            let inner = |k: i32| k > 0 && k < n - 1;
            let shake = if inner(i) && inner(j) { 0.2 } else { 0.0 };
            let [x, y] = random.vector::<2>();
            vertices.push([f64::from(i) - 4.0 + shake * x, f64::from(j) - 4.0 + shake * y, 0.0]);
        }
    }
    let mut triangles = Vec::new();
    for j in 0..n as u32 - 1 {
        for i in 0..n as u32 - 1 {
            let (a, b) = (j * n as u32 + i, (j + 1) * n as u32 + i);
            triangles.extend([[a, a + 1, b + 1], [a, b + 1, b]]);
        }
    }
    space::Mesh::new(vertices, triangles).unwrap()
}

fn same3(a: &[Contact<3>], b: &[Contact<3>], what: &str) {
    assert_eq!(a.len(), b.len(), "{what}: {a:?} {b:?}");
    for p in a {
        let near = |q: &&Contact<3>| {
            (p.gap - q.gap).abs() < 1e-12
                && (0..3).all(|i| (p.point[i] - q.point[i]).abs() < 1e-12 && (p.normal[i] - q.normal[i]).abs() < 1e-12)
        };
        assert!(b.iter().any(|q| near(&q)), "{what}: {p:?} {b:?}");
    }
}

#[test]
fn a_flat_mesh_is_a_half_space() {
    use space::Shape;
    let mut random = Random(11);
    let cloud: Vec<[f64; 3]> = (0..14).map(|_| random.direction::<3>().map(|x| 0.8 * x)).collect();
    let bodies = [
        Shape::Sphere { radius: 0.7 },
        Shape::Box { half: [0.9, 0.6, 0.3] },
        Shape::Capsule { half_length: 0.8, radius: 0.3 },
        Shape::Polyhedron(Arc::new(space::Polyhedron::hull(&cloud).unwrap())),
        Shape::Cylinder { half_length: 0.4, radius: 0.6 },
    ];
    let heights = vec![vec![0.0; 9]; 9];
    let terrain = space::HeightField::new(heights, [1.0, 1.0]).unwrap();
    for round in 0..300 {
        let mesh = floor(&mut random);
        let body = &bodies[round % 5];
        let mut pose = random.pose3(1.5);
        if round % 2 == 0 {
            pose = Pose::by_quaternion(pose.x, [1.0, 0.0, 0.0, random.unit()]);
        }
        // on the floor, a little above or below
        pose.x[2] += -(-extent3(body, &pose, &[0.0, 0.0, -1.0])) + random.between(-0.02, 0.02);
        let world = if round % 3 == 0 { Pose::default() } else { random.pose3(2.0) };
        let placed = world.part(&pose);
        let expected = space_pair((body, &placed), (&Shape::HalfSpace, &world), 0.05);
        assert!(!expected.is_empty());
        let on_mesh = space_pair((body, &placed), (&Shape::Mesh(Arc::new(mesh)), &world), 0.05);
        same3(&on_mesh, &expected, body.name());
        let shifted = world.part(&Pose::at([-4.0, -4.0, 0.0]));
        let on_terrain = space_pair((body, &placed), (&Shape::HeightField(Arc::new(terrain.clone())), &shifted), 0.05);
        same3(&on_terrain, &expected, body.name());
    }
}

#[test]
fn a_closed_mesh_is_a_box() {
    use space::Shape;
    // a ball around the edges and corners of a cube made of triangles meets it where it meets the box
    let corner = |k: usize| std::array::from_fn(|i| if k >> i & 1 == 1 { 1.0 } else { -1.0 });
    let mut triangles = Vec::new();
    for axis in 0..3u32 {
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        triangles.extend([[0, u + v, u], [0, v, u + v]]);
        let top = 1 << axis;
        triangles.extend([[top, top + u, top + u + v], [top, top + u + v, top + v]]);
    }
    let mesh = Shape::Mesh(Arc::new(space::Mesh::new((0..8).map(corner).collect(), triangles).unwrap()));
    let (cube, ball) = (Shape::Box { half: [1.0; 3] }, Shape::Sphere { radius: 0.5 });
    let mut random = Random(13);
    let origin = Pose::default();
    let mut met = 0;
    for _ in 0..3000 {
        let pose = Pose::at(random.vector::<3>().map(|x| 1.6 * x));
        if pose.x.iter().all(|x| x.abs() < 1.0) {
            continue;
        }
        let expected = space_pair((&ball, &pose), (&cube, &origin), 0.1);
        same3(&space_pair((&ball, &pose), (&mesh, &origin), 0.1), &expected, "ball");
        met += expected.len();
    }
    assert!(met > 500);
    // a box that overhangs the edge stands on two of its corners and on the edge
    let brick = Shape::Box { half: [0.5, 0.4, 0.1] };
    let found = space_pair((&brick, &Pose::at([1.0, 0.2, 1.1])), (&mesh, &origin), 0.01);
    let on_box = space_pair((&brick, &Pose::at([1.0, 0.2, 1.1])), (&cube, &origin), 0.01);
    same3(&found, &on_box, "overhang");
    assert_eq!(found.len(), 4);
}

#[test]
fn a_straight_polyline_is_a_half_plane() {
    use plane::{Polygon, Polyline, Shape};
    let mut random = Random(17);
    let bodies = [
        Shape::Disc { radius: 0.7 },
        Shape::Box { half: [0.9, 0.3] },
        Shape::Capsule { half_length: 0.8, radius: 0.3 },
        Shape::Polygon(Polygon::new(vec![[0.0, 0.0], [1.0, 0.2], [0.7, 1.0], [-0.2, 0.6]]).unwrap()),
    ];
    for round in 0..400 {
        let mut x = vec![-5.0, 5.0];
        x.extend((0..9).map(|_| random.between(-4.0, 4.0)));
        x.sort_by(f64::total_cmp);
        let line = Shape::Polyline(Polyline::new(x.iter().map(|&x| [x, 0.0]).collect(), false).unwrap());
        let body = &bodies[round % 4];
        let mut pose = random.pose2(1.5);
        if round % 2 == 0 {
            pose = Pose::at(pose.x);
        }
        pose.x[1] += extent2(body, &pose, &[0.0, -1.0]) + random.between(-0.02, 0.02);
        let expected = plane_pair((body, &pose), (&Shape::HalfPlane, &Pose::at([0.0; 2])), 0.05);
        let found = plane_pair((body, &pose), (&line, &Pose::at([0.0; 2])), 0.05);
        assert!(!expected.is_empty());
        assert_eq!(found.len(), expected.len(), "{}: {found:?} {expected:?}", body.name());
        for (p, q) in found.iter().zip(&expected) {
            assert!((p.gap - q.gap).abs() < 1e-13 && norm(&sub(&p.point, &q.point)) < 1e-13);
            assert_eq!(p.normal, [0.0, 1.0]);
        }
    }
}

#[test]
fn hollows_touch_twice_and_tips_once() {
    use plane::{Polyline, Shape};
    let valley = Shape::Polyline(Polyline::new(vec![[-3.0, 3.0], [0.0, 0.0], [3.0, 3.0]], false).unwrap());
    let disc = Shape::Disc { radius: 1.0 };
    let at = |x: f64, y: f64| Pose::at([x, y]);
    let rests = 2.0f64.sqrt();
    let found = plane_pair((&disc, &at(0.0, rests)), (&valley, &at(0.0, 0.0)), 1e-3);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|c| c.gap.abs() < 1e-15));
    // from below the same joint is a tip
    let found = plane_pair((&disc, &at(0.0, -1.0)), (&valley, &at(0.0, 0.0)), 1e-3);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].normal, [0.0, -1.0]);
    // a box corner at the bottom of the valley
    let square = Shape::Box { half: [0.5, 0.5] };
    let found = plane_pair(
        (&square, &Pose::by_angle([0.0, 0.5f64.sqrt() - 1e-9], std::f64::consts::FRAC_PI_4)),
        (&valley, &at(0.0, 0.0)),
        1e-3,
    );
    assert!(found.len() >= 4, "{found:?}");
    assert!(found.iter().all(|c| c.gap > -2e-9));
}

#[test]
fn drums_and_containers() {
    let disc = plane::Shape::Disc { radius: 0.25 };
    let drum = plane::Shape::InsideCircle { radius: 1.0 };
    let found = plane_pair((&disc, &Pose::at([0.45, 0.6])), (&drum, &Pose::at([0.0; 2])), 0.1);
    assert_eq!(found.len(), 1);
    assert!(found[0].gap.abs() < 1e-15 && (found[0].normal[0] + 0.6).abs() < 1e-15);
    assert!(norm(&sub(&found[0].point, &[0.6, 0.8])) < 1e-15);

    let tube = space::Shape::InsideCylinder { radius: 1.0, half_length: Some(2.0) };
    let ball = space::Shape::Sphere { radius: 0.25 };
    let found = space_pair((&ball, &Pose::at([0.45, 0.6, 1.75])), (&tube, &Pose::default()), 0.01);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|c| c.gap.abs() < 1e-15));
    // a roller in the tube lies on a line; a coin across it touches on both sides
    let roller = space::Shape::Cylinder { half_length: 0.5, radius: 0.25 };
    let found = space_pair((&roller, &Pose::at([0.45, 0.6, 0.0])), (&tube, &Pose::default()), 1e-3);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|c| c.gap.abs() < 1e-14));
    let coin = space::Shape::Cylinder { half_length: 0.3, radius: 0.8 };
    let across = Pose::by_quaternion([0.0, -0.1, 0.0], [0.5f64.sqrt(), 0.5f64.sqrt(), 0.0, 0.0]);
    let found = space_pair((&coin, &across), (&tube, &Pose::default()), 1.0);
    let expected = 1.0 - (0.8f64 * 0.8 + 0.4 * 0.4).sqrt();
    assert!((least(&found) - expected).abs() < 1e-12, "{found:?}");

    let crate_ = space::Shape::InsideBox { half: [1.0, 1.0, 1.0] };
    let brick = space::Shape::Box { half: [0.2, 0.3, 0.4] };
    let found = space_pair((&brick, &Pose::at([0.8, 0.0, -0.6])), (&crate_, &Pose::default()), 1e-3);
    assert_eq!(found.len(), 8);
    assert!(found.iter().all(|c| c.gap.abs() < 1e-15));
}

#[test]
fn a_floor_of_glued_boxes_is_one_box() {
    use space::{Compound, Part, Shape};
    let part = |x: f64| Part { pose: Pose::at([x, 0.0, 0.0]), shape: Shape::Box { half: [1.0, 2.0, 0.5] } };
    let floor = Shape::Compound(Compound::new(vec![part(-1.0), part(1.0)]).unwrap());
    let whole = Shape::Box { half: [2.0, 2.0, 0.5] };
    let mut random = Random(19);
    let ball = Shape::Sphere { radius: 0.5 };
    for _ in 0..300 {
        let pose = Pose::at([random.between(-1.0, 1.0), 0.3, random.between(0.98, 1.1)]);
        let expected = space_pair((&ball, &pose), (&whole, &Pose::default()), 0.2);
        let found = space_pair((&ball, &pose), (&floor, &Pose::default()), 0.2);
        same3(&found, &expected, "ball on boards");
    }
    let line = |x: f64| plane::Part { pose: Pose::at([x, 0.0]), shape: plane::Shape::Box { half: [1.0, 0.5] } };
    let floor = plane::Shape::Compound(plane::Compound::new(vec![line(-1.0), line(1.0)]).unwrap());
    let disc = plane::Shape::Disc { radius: 0.5 };
    for _ in 0..300 {
        let pose = Pose::at([random.between(-1.0, 1.0), random.between(0.98, 1.1)]);
        let found = plane_pair((&disc, &pose), (&floor, &Pose::at([0.0; 2])), 0.2);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].gap - (pose.x[1] - 1.0)).abs() < 1e-14);
    }
}
