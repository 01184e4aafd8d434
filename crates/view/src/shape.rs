//! Shapes of the geometry crate, as results store them, to forms that can be drawn.

use crate::form::{Form, Piece, compose, rotate};
use serde_json::Value;
use stickslip_geometry::{plane, space};

/// The pieces of a stored shape. An endless tube is drawn as long as `length`.
///
/// # Errors
/// What the geometry crate says about a shape that is none.
pub fn pieces(shape: &Value, dimension: usize, length: f64) -> Result<Vec<Piece>, String> {
    let mut out = Vec::new();
    if dimension == 2 {
        let shape: plane::Shape = serde_json::from_value(shape.clone()).map_err(|e| e.to_string())?;
        shape.check().map_err(|e| e.to_string())?;
        of_plane(&shape, [0.0; 3], [1.0, 0.0, 0.0, 0.0], &mut out);
    } else {
        let shape: space::Shape = serde_json::from_value(shape.clone()).map_err(|e| e.to_string())?;
        shape.check().map_err(|e| e.to_string())?;
        of_space(&shape, [0.0; 3], [1.0, 0.0, 0.0, 0.0], length, &mut out);
    }
    Ok(out)
}

fn of_plane(shape: &plane::Shape, x: [f64; 3], q: [f64; 4], out: &mut Vec<Piece>) {
    use plane::Shape;
    let form = match shape {
        Shape::Disc { radius } => Form::Disc { r: *radius },
        Shape::Polygon(p) => Form::Polygon { v: p.vertices().to_vec() },
        Shape::Box { half: [a, b] } => Form::Polygon { v: vec![[-a, -b], [*a, -b], [*a, *b], [-a, *b]] },
        Shape::Capsule { half_length, radius } => Form::Stadium { r: *radius, l: *half_length },
        Shape::HalfPlane => Form::HalfPlane,
        Shape::Segment { a, b } => Form::Polyline { v: vec![*a, *b] },
        Shape::Polyline(p) => {
            let mut v = p.vertices().to_vec();
            if p.is_closed() {
                v.push(v[0]);
            }
            Form::Polyline { v }
        }
        Shape::InsideCircle { radius } => Form::InsideCircle { r: *radius },
        Shape::Compound(c) => {
            for part in c.parts() {
                let r = &part.pose.rotation;
                let half = 0.5 * r[1][0].atan2(r[0][0]);
                let at = rotate(&q, &[part.pose.x[0], part.pose.x[1], 0.0]);
                let turn = compose(&q, &[half.cos(), 0.0, 0.0, half.sin()]);
                of_plane(&part.shape, std::array::from_fn(|k| x[k] + at[k]), turn, out);
            }
            return;
        }
    };
    out.push(Piece { form, x, q });
}

fn of_space(shape: &space::Shape, x: [f64; 3], q: [f64; 4], length: f64, out: &mut Vec<Piece>) {
    use space::Shape;
    let form = match shape {
        Shape::Sphere { radius } => Form::Sphere { r: *radius },
        Shape::Box { half } => Form::Box { half: *half },
        Shape::Capsule { half_length, radius } => Form::Capsule { r: *radius, l: *half_length },
        Shape::Cylinder { half_length, radius } => Form::Cylinder { r: *radius, l: *half_length },
        Shape::Polyhedron(p) => Form::Faces {
            v: p.vertices().to_vec(),
            f: (0..p.normals().len()).map(|f| p.topology().face(f).to_vec()).collect(),
            smooth: false,
        },
        Shape::HalfSpace => Form::HalfSpace,
        Shape::Mesh(m) => triangles(m, false),
        Shape::HeightField(h) => triangles(h.surface(), true),
        Shape::InsideCylinder { radius, half_length } => {
            Form::InsideCylinder { r: *radius, l: half_length.unwrap_or(length.max(*radius)) }
        }
        Shape::InsideBox { half } => Form::InsideBox { half: *half },
        Shape::Compound(c) => {
            for part in c.parts() {
                let at = rotate(&q, &part.pose.x);
                let turn = compose(&q, &quaternion(&part.pose.rotation));
                of_space(&part.shape, std::array::from_fn(|k| x[k] + at[k]), turn, length, out);
            }
            return;
        }
    };
    out.push(Piece { form, x, q });
}

fn triangles(mesh: &space::Mesh, smooth: bool) -> Form {
    Form::Faces { v: mesh.vertices().to_vec(), f: mesh.triangles().iter().map(|t| t.to_vec()).collect(), smooth }
}

/// The quaternion w, x, y, z of a rotation, from its largest component so that nothing cancels.
fn quaternion(r: &[[f64; 3]; 3]) -> [f64; 4] {
    let trace = r[0][0] + r[1][1] + r[2][2];
    let mut q = [0.0; 4];
    if trace > 0.0 {
        let s = 2.0 * (1.0 + trace).sqrt();
        q = [0.25 * s, (r[2][1] - r[1][2]) / s, (r[0][2] - r[2][0]) / s, (r[1][0] - r[0][1]) / s];
    } else {
        let i = (0..3).fold(0, |best, k| if r[k][k] > r[best][best] { k } else { best });
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let s = 2.0 * (1.0 + r[i][i] - r[j][j] - r[k][k]).max(0.0).sqrt();
        q[0] = (r[k][j] - r[j][k]) / s;
        q[i + 1] = 0.25 * s;
        q[j + 1] = (r[j][i] + r[i][j]) / s;
        q[k + 1] = (r[k][i] + r[i][k]) / s;
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use stickslip_geometry::Pose;

    #[test]
    fn a_rotation_comes_back_from_its_quaternion() {
        for q in [[1.0, 0.0, 0.0, 0.0], [0.1, 0.7, -0.5, 0.5], [0.0, 0.0, 1.0, 0.0], [-0.01, 0.02, 0.03, 0.99]] {
            let pose = Pose::by_quaternion([0.0; 3], q);
            let p = [0.3, -1.2, 0.7];
            let (a, b) = (pose.direction(&p), rotate(&quaternion(&pose.rotation), &p));
            assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-12), "{q:?}");
        }
    }

    #[test]
    fn every_shape_has_a_form_and_a_wrong_one_has_a_reason() {
        let part = json!({ "pose": { "x": [1.0, 0.0, 0.0] }, "shape": { "type": "sphere", "radius": 0.5 } });
        let grid = json!([[0.0, 0.1], [0.0, 0.2]]);
        let corners = json!([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        for shape in [
            json!({ "type": "sphere", "radius": 1.0 }),
            json!({ "type": "box", "half": [1.0, 2.0, 3.0] }),
            json!({ "type": "capsule", "radius": 1.0, "half_length": 2.0 }),
            json!({ "type": "cylinder", "radius": 1.0, "half_length": 2.0 }),
            json!({ "type": "polyhedron", "vertices": corners }),
            json!({ "type": "half-space" }),
            json!({ "type": "mesh", "vertices": corners, "triangles": [[0, 1, 2]] }),
            json!({ "type": "height-field", "heights": grid, "spacing": [1.0, 1.0] }),
            json!({ "type": "inside-cylinder", "radius": 1.0 }),
            json!({ "type": "inside-box", "half": [1.0, 1.0, 1.0] }),
            json!({ "type": "compound", "parts": [part] }),
        ] {
            let pieces = pieces(&shape, 3, 5.0).unwrap_or_else(|e| panic!("{shape}: {e}"));
            assert_eq!(pieces.len(), 1, "{shape}");
        }
        for shape in [
            json!({ "type": "disc", "radius": 1.0 }),
            json!({ "type": "polygon", "vertices": [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]] }),
            json!({ "type": "box", "half": [1.0, 2.0] }),
            json!({ "type": "capsule", "radius": 1.0, "half_length": 2.0 }),
            json!({ "type": "half-plane" }),
            json!({ "type": "segment", "a": [0.0, 0.0], "b": [1.0, 0.0] }),
            json!({ "type": "polyline", "vertices": [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], "closed": true }),
            json!({ "type": "inside-circle", "radius": 1.0 }),
        ] {
            assert_eq!(pieces(&shape, 2, 5.0).unwrap_or_else(|e| panic!("{shape}: {e}")).len(), 1, "{shape}");
        }
        assert!(pieces(&json!({ "type": "sphere", "radius": -1.0 }), 3, 1.0).is_err());
        assert!(pieces(&json!({ "type": "teapot" }), 3, 1.0).unwrap_err().contains("teapot"));
        assert!(pieces(&Value::Null, 2, 1.0).is_err());
    }
}
