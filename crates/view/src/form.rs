//! What a body looks like: forms in the body's frame, simple enough for a browser and for the rasteriser.

use serde::Serialize;

/// A part of a body: a form and its place in the body's frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Piece {
    /// What is drawn.
    #[serde(flatten)]
    pub form: Form,
    /// Its origin in the frame of the body (m).
    #[serde(skip_serializing_if = "is_origin")]
    pub x: [f64; 3],
    /// Its orientation, a unit quaternion w, x, y, z.
    #[serde(skip_serializing_if = "is_upright")]
    pub q: [f64; 4],
}

fn is_origin(x: &[f64; 3]) -> bool {
    *x == [0.0; 3]
}

fn is_upright(q: &[f64; 4]) -> bool {
    *q == [1.0, 0.0, 0.0, 0.0]
}

impl From<Form> for Piece {
    fn from(form: Form) -> Self {
        Self { form, x: [0.0; 3], q: [1.0, 0.0, 0.0, 0.0] }
    }
}

/// A form about its own origin. Axes are z; lengths in m.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Form {
    /// A ball.
    Sphere {
        /// Its radius.
        r: f64,
    },
    /// A rectangular block.
    Box {
        /// Half its edges.
        half: [f64; 3],
    },
    /// A cylinder with half balls at its ends.
    Capsule {
        /// Its radius.
        r: f64,
        /// Half the length of the cylinder.
        l: f64,
    },
    /// A solid cylinder.
    Cylinder {
        /// Its radius.
        r: f64,
        /// Half its length.
        l: f64,
    },
    /// Flat faces: a convex polyhedron, a triangle mesh, a height field.
    Faces {
        /// Corners.
        v: Vec<[f64; 3]>,
        /// Corner numbers around each face, counter-clockwise seen from outside.
        f: Vec<Vec<u32>>,
        /// Whether the faces stand for a smooth surface, drawn without its edges.
        smooth: bool,
    },
    /// All that lies at or below `z = 0`.
    HalfSpace,
    /// The inside of a cylinder.
    InsideCylinder {
        /// Its radius.
        r: f64,
        /// Half its length; an endless one is cut to what is worth showing.
        l: f64,
    },
    /// The inside of a block.
    InsideBox {
        /// Half its edges.
        half: [f64; 3],
    },
    /// A disc of the plane.
    Disc {
        /// Its radius.
        r: f64,
    },
    /// A convex polygon of the plane, counter-clockwise.
    Polygon {
        /// Corners.
        v: Vec<[f64; 2]>,
    },
    /// A stadium of the plane, along x.
    Stadium {
        /// Its radius.
        r: f64,
        /// Half the length between the two centres.
        l: f64,
    },
    /// A chain of segments of the plane.
    Polyline {
        /// Corners.
        v: Vec<[f64; 2]>,
    },
    /// All of the plane at or below `y = 0`.
    HalfPlane,
    /// The inside of a circle of the plane.
    InsideCircle {
        /// Its radius.
        r: f64,
    },
}

impl Form {
    /// The radius around the origin that contains the form; none when it is endless.
    pub fn reach(&self) -> Option<f64> {
        match self {
            Form::Sphere { r } | Form::Disc { r } | Form::InsideCircle { r } => Some(*r),
            Form::Box { half } | Form::InsideBox { half } => Some(norm(half)),
            Form::Capsule { r, l } | Form::Stadium { r, l } => Some(r + l),
            Form::Cylinder { r, l } | Form::InsideCylinder { r, l } => Some(r.hypot(*l)),
            Form::Faces { v, .. } => Some(v.iter().map(|p| norm(p)).fold(0.0, f64::max)),
            Form::Polygon { v } | Form::Polyline { v } => Some(v.iter().map(|p| norm(p)).fold(0.0, f64::max)),
            Form::HalfSpace | Form::HalfPlane => None,
        }
    }

    /// The corners of the box along the axes that contains the form, turned by a quaternion; none when it is endless.
    pub fn extent(&self, q: &[f64; 4]) -> Option<[[f64; 3]; 2]> {
        let axis = |k: usize| rotate(q, &std::array::from_fn(|c| if c == k { 1.0 } else { 0.0 }));
        let block = |half: &[f64; 3]| {
            let axes = [axis(0), axis(1), axis(2)];
            std::array::from_fn(|k| (0..3).map(|c| axes[c][k].abs() * half[c]).sum::<f64>())
        };
        let half: [f64; 3] = match self {
            Form::Box { half } | Form::InsideBox { half } => block(half),
            Form::Capsule { r, l } => axis(2).map(|c| c.abs() * l + r),
            Form::Cylinder { r, l } | Form::InsideCylinder { r, l } => {
                axis(2).map(|c| c.abs() * l + r * (1.0 - c * c).max(0.0).sqrt())
            }
            // a terrain may lie all on one side of its origin
            Form::Faces { v, .. } => {
                let wider = |[low, high]: [[f64; 3]; 2], p: &[f64; 3]| {
                    let p = rotate(q, p);
                    [std::array::from_fn(|k| low[k].min(p[k])), std::array::from_fn(|k| high[k].max(p[k]))]
                };
                return Some(v.iter().fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], wider));
            }
            other => [other.reach()?; 3],
        };
        Some([half.map(|h| -h), half])
    }

    /// Whether other bodies are inside it, so that it is drawn transparent.
    pub fn is_container(&self) -> bool {
        matches!(self, Form::InsideCylinder { .. } | Form::InsideBox { .. } | Form::InsideCircle { .. })
    }
}

/// The corners, about a body's centre, of the box along the axes that contains all of its pieces, for an orientation of
/// the body; none when a piece is endless.
pub fn extent(pieces: &[Piece], orientation: &[f64; 4]) -> Option<[[f64; 3]; 2]> {
    let mut corners = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    for piece in pieces {
        let (x, q) = (rotate(orientation, &piece.x), compose(orientation, &piece.q));
        let [low, high] = piece.form.extent(&q)?;
        for k in 0..3 {
            corners[0][k] = corners[0][k].min(x[k] + low[k]);
            corners[1][k] = corners[1][k].max(x[k] + high[k]);
        }
    }
    Some(corners)
}

/// The radius around a body's centre that contains all of its pieces; none when one is endless.
pub fn reach(pieces: &[Piece]) -> Option<f64> {
    pieces.iter().try_fold(0.0_f64, |far, p| Some(far.max(norm(&p.x) + p.form.reach()?)))
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A block as faces.
pub fn box_faces(half: [f64; 3]) -> (Vec<[f64; 3]>, Vec<Vec<u32>>) {
    // corner i has the signs of its three bits
    let sign = |i: u32, k: u32| if i >> k & 1 == 1 { 1.0 } else { -1.0 };
    let corners = (0..8).map(|i| [sign(i, 0) * half[0], sign(i, 1) * half[1], sign(i, 2) * half[2]]).collect();
    let faces: [[u32; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    (corners, faces.iter().map(|f| f.to_vec()).collect())
}

/// The rotation of a quaternion w, x, y, z applied to a vector.
pub fn rotate(q: &[f64; 4], p: &[f64; 3]) -> [f64; 3] {
    let [w, x, y, z] = *q;
    let c = [y * p[2] - z * p[1], z * p[0] - x * p[2], x * p[1] - y * p[0]];
    let d = [y * c[2] - z * c[1], z * c[0] - x * c[2], x * c[1] - y * c[0]];
    std::array::from_fn(|k| p[k] + 2.0 * (w * c[k] + d[k]))
}

/// The product of two quaternions: `b` first, then `a`.
pub fn compose(a: &[f64; 4], b: &[f64; 4]) -> [f64; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// A quaternion that turns the z axis to a unit vector.
pub fn from_z_to(n: [f64; 3]) -> [f64; 4] {
    // half-way between z and n; straight down is a half turn about x
    let w = 1.0 + n[2];
    if w < 1e-12 {
        return [0.0, 1.0, 0.0, 0.0];
    }
    let length = (w * w + n[0] * n[0] + n[1] * n[1]).sqrt();
    [w / length, -n[1] / length, n[0] / length, 0.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z_turns_to_the_normal_and_rotations_compose() {
        let close = |a: [f64; 3], b: [f64; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 1e-12);
        for n in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.6, 0.0, 0.8], [0.0, -0.8, -0.6]] {
            assert!(close(rotate(&from_z_to(n), &[0.0, 0.0, 1.0]), n), "{n:?}");
        }
        let (a, b) = (from_z_to([1.0, 0.0, 0.0]), from_z_to([0.0, 1.0, 0.0]));
        let p = [0.3, -0.2, 0.9];
        assert!(close(rotate(&compose(&a, &b), &p), rotate(&a, &rotate(&b, &p))));
    }

    #[test]
    fn the_faces_of_a_block_look_outwards() {
        let (v, faces) = box_faces([1.0, 2.0, 3.0]);
        for f in faces {
            let p: Vec<[f64; 3]> = f.iter().map(|&i| v[i as usize]).collect();
            let (e, g): ([f64; 3], [f64; 3]) =
                (std::array::from_fn(|k| p[1][k] - p[0][k]), std::array::from_fn(|k| p[2][k] - p[1][k]));
            let n = [e[1] * g[2] - e[2] * g[1], e[2] * g[0] - e[0] * g[2], e[0] * g[1] - e[1] * g[0]];
            let outwards: f64 = (0..3).map(|k| n[k] * p.iter().map(|c| c[k]).sum::<f64>()).sum();
            assert!(outwards > 0.0, "{p:?}");
        }
    }
}
