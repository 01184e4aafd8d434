//! Shapes as they are written in files, and what is refused there.

use crate::common;
use common::Random;
use std::sync::Arc;
use stickslip_geometry::{Pose, plane, space};

#[test]
fn every_shape_of_space_comes_back() {
    use space::{Compound, HeightField, Mesh, Part, Polyhedron, Shape};
    let mut random = Random(1);
    let cloud: Vec<[f64; 3]> = (0..12).map(|_| random.direction::<3>()).collect();
    let ball = Shape::Sphere { radius: 0.5 };
    let shapes = [
        ball.clone(),
        Shape::Box { half: [1.0, 2.0, 3.0] },
        Shape::Capsule { half_length: 1.0, radius: 0.1 },
        Shape::Cylinder { half_length: 1.0, radius: 0.1 },
        Shape::Polyhedron(Arc::new(Polyhedron::hull(&cloud).unwrap())),
        Shape::HalfSpace,
        Shape::Mesh(Arc::new(Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]).unwrap())),
        Shape::HeightField(Arc::new(HeightField::new(vec![vec![0.0, 1.0], vec![0.5, 0.2]], [1.0, 2.0]).unwrap())),
        Shape::InsideCylinder { radius: 1.0, half_length: None },
        Shape::InsideCylinder { radius: 1.0, half_length: Some(2.0) },
        Shape::InsideBox { half: [1.0, 2.0, 3.0] },
        Shape::Compound(Compound::new(vec![Part { pose: random.pose3(1.0), shape: ball }]).unwrap()),
    ];
    for shape in shapes {
        let text = serde_json::to_string(&shape).unwrap();
        assert!(text.contains(&format!("\"type\":\"{}\"", shape.name())), "{text}");
        assert_eq!(serde_json::from_str::<Shape>(&text).unwrap(), shape);
        assert_eq!(shape.check(), Ok(()));
        assert_eq!(shape.mass().is_some(), shape.is_solid());
    }
}

#[test]
fn every_shape_of_the_plane_comes_back() {
    use plane::{Compound, Part, Polygon, Polyline, Shape};
    let disc = Shape::Disc { radius: 0.5 };
    let shapes = [
        disc.clone(),
        Shape::Box { half: [1.0, 2.0] },
        Shape::Capsule { half_length: 1.0, radius: 0.1 },
        Shape::Polygon(Polygon::new(vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).unwrap()),
        Shape::HalfPlane,
        Shape::Segment { a: [0.0, 0.0], b: [1.0, 0.0] },
        Shape::Polyline(Polyline::new(vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], true).unwrap()),
        Shape::InsideCircle { radius: 1.0 },
        Shape::Compound(Compound::new(vec![Part { pose: Pose::by_angle([1.0, 0.0], 0.3), shape: disc }]).unwrap()),
    ];
    for shape in shapes {
        let text = serde_json::to_string(&shape).unwrap();
        assert!(text.contains(&format!("\"type\":\"{}\"", shape.name())), "{text}");
        assert_eq!(serde_json::from_str::<Shape>(&text).unwrap(), shape);
        assert_eq!(shape.check(), Ok(()));
        assert_eq!(shape.mass().is_some(), shape.is_solid());
    }
}

#[test]
fn what_is_wrong_is_named() {
    let space = |text: &str| match serde_json::from_str::<space::Shape>(text) {
        Ok(shape) => shape.check().unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    let plane = |text: &str| match serde_json::from_str::<plane::Shape>(text) {
        Ok(shape) => shape.check().unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    for (message, words) in [
        (space(r#"{"type":"sphere","radius":0.0}"#), "sphere: radius is 0"),
        (space(r#"{"type":"sphere","radius":-1.0}"#), "must be a positive finite length"),
        (space(r#"{"type":"sphere"}"#), "missing field `radius`"),
        (space(r#"{"type":"ball","radius":1.0}"#), "unknown variant `ball`"),
        (space(r#"{"type":"box","half":[1.0,0.0,1.0]}"#), "box: half is 0"),
        (space(r#"{"type":"cylinder","half_length":1.0,"radius":-0.1}"#), "cylinder: radius is -0.1"),
        (space(r#"{"type":"inside-cylinder","half_length":0.0,"radius":1.0}"#), "half_length is 0"),
        (space(r#"{"type":"polyhedron","vertices":[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}"#), "all vertices lie in a plane"),
        (space(r#"{"type":"mesh","vertices":[[0,0,0],[1,0,0]],"triangles":[[0,1,2]]}"#), "triangle 0 names vertex 2"),
        (space(r#"{"type":"mesh","vertices":[[0,0,0],[1,0,0],[2,0,0]],"triangles":[[0,1,2]]}"#), "it has no area"),
        (space(r#"{"type":"height-field","heights":[[0,0],[0]],"spacing":[1,1]}"#), "row 1 has 1 heights"),
        (space(r#"{"type":"height-field","heights":[[0,0],[0,0]],"spacing":[0,1]}"#), "spacing is 0"),
        (space(r#"{"type":"compound","parts":[]}"#), "at least 1 are needed"),
        (space(r#"{"type":"compound","parts":[{"pose":{"x":[0,0,0]},"shape":{"type":"half-space"}}]}"#), "no volume"),
        (
            space(r#"{"type":"compound","parts":[{"pose":{"x":[0,0,0]},"shape":{"type":"sphere","radius":0}}]}"#),
            "part 0",
        ),
        (
            space(r#"{"type":"compound","parts":[{"pose":{"x":[0,0]},"shape":{"type":"sphere","radius":1}}]}"#),
            "x needs 3",
        ),
        (
            space(
                r#"{"type":"compound","parts":[{"pose":{"x":[0,0,0],"rotation":[[2,0,0],[0,1,0],[0,0,1]]},"shape":{"type":"sphere","radius":1}}]}"#,
            ),
            "not a rotation",
        ),
        (plane(r#"{"type":"disc","radius":0.0}"#), "disc: radius is 0"),
        (plane(r#"{"type":"segment","a":[1,1],"b":[1,1]}"#), "both ends are the same point"),
        (plane(r#"{"type":"polygon","vertices":[[0,0],[2,0],[1,0.5],[1,2]]}"#), "vertex 2 turns inwards"),
        (plane(r#"{"type":"polyline","vertices":[[0,0]]}"#), "at least 2 are needed"),
    ] {
        assert!(message.contains(words), "{message} | {words}");
    }
    // a dented box with its faces given
    let mut vertices: Vec<[f64; 3]> = (0..8).map(|k: u8| std::array::from_fn(|i| f64::from(k >> i & 1))).collect();
    vertices[7] = [0.3; 3];
    let faces: Vec<Vec<u32>> =
        [[0u32, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]].map(Vec::from).to_vec();
    assert!(space::Polyhedron::new(vertices, &faces).is_err());
}
