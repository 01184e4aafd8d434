//! Where a body is and how it is turned.

use crate::vector::{add, product, product_transposed, rotate, rotate_back, sub};
use serde::{Deserialize, Serialize};

/// $p_{world} = x + R\\, p_{body}$ in the plane (`N = 2`) or in space (`N = 3`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose<const N: usize> {
    /// The origin of the body's frame in the world (m).
    pub x: [f64; N],
    /// The rotation $R$ by rows: its columns are the body's axes in the world.
    pub rotation: [[f64; N]; N],
}

impl<const N: usize> Default for Pose<N> {
    fn default() -> Self {
        Pose::at([0.0; N])
    }
}

impl<const N: usize> Pose<N> {
    /// How far the rotation is from an orthogonal matrix, $\max |R^\top R - I|$; not a number when an entry is not.
    pub(crate) fn off_orthogonal(&self) -> f64 {
        let gram = crate::vector::product_transposed(&self.rotation, &self.rotation);
        let entry = |k: usize| (gram[k / N][k % N] - f64::from(u8::from(k / N == k % N))).abs();
        (0..N * N).map(entry).fold(0.0, |a: f64, b| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) })
    }

    /// At `x`, not turned.
    pub fn at(x: [f64; N]) -> Self {
        Pose { x, rotation: std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j)))) }
    }

    /// A point of the body in the world.
    #[inline(always)]
    pub fn point(&self, p: &[f64; N]) -> [f64; N] {
        add(&self.x, &rotate(&self.rotation, p))
    }

    /// A direction of the body in the world.
    #[inline(always)]
    pub fn direction(&self, d: &[f64; N]) -> [f64; N] {
        rotate(&self.rotation, d)
    }

    /// A point of the world in the body's frame.
    #[inline(always)]
    pub fn local_point(&self, p: &[f64; N]) -> [f64; N] {
        rotate_back(&self.rotation, &sub(p, &self.x))
    }

    /// A direction of the world in the body's frame.
    #[inline(always)]
    pub fn local_direction(&self, d: &[f64; N]) -> [f64; N] {
        rotate_back(&self.rotation, d)
    }

    /// The pose of a part glued to the body at `part`.
    pub fn part(&self, part: &Pose<N>) -> Pose<N> {
        Pose { x: self.point(&part.x), rotation: product(&self.rotation, &part.rotation) }
    }

    /// This pose seen from the frame of `other`.
    #[inline]
    pub fn relative_to(&self, other: &Pose<N>) -> Pose<N> {
        Pose { x: other.local_point(&self.x), rotation: product_transposed(&other.rotation, &self.rotation) }
    }
}

impl Pose<2> {
    /// At `x`, turned by `angle` (rad) against the clock.
    pub fn by_angle(x: [f64; 2], angle: f64) -> Self {
        let (s, c) = angle.sin_cos();
        Pose { x, rotation: [[c, -s], [s, c]] }
    }

    /// At `x` with the second axis along `normal`: where a half-plane lies.
    pub fn facing(x: [f64; 2], normal: [f64; 2]) -> Option<Self> {
        let n = crate::vector::unit(&normal)?;
        Some(Pose { x, rotation: [[n[1], n[0]], [-n[0], n[1]]] })
    }
}

impl Pose<3> {
    /// At `x`, turned by the quaternion $(w, x, y, z)$, which is normalised first.
    pub fn by_quaternion(x: [f64; 3], quaternion: [f64; 4]) -> Self {
        let s = 1.0 / crate::vector::norm(&quaternion);
        let [w, a, b, c] = quaternion.map(|q| q * s);
        let rotation = [
            [1.0 - 2.0 * (b * b + c * c), 2.0 * (a * b - w * c), 2.0 * (a * c + w * b)],
            [2.0 * (a * b + w * c), 1.0 - 2.0 * (a * a + c * c), 2.0 * (b * c - w * a)],
            [2.0 * (a * c - w * b), 2.0 * (b * c + w * a), 1.0 - 2.0 * (a * a + b * b)],
        ];
        Pose { x, rotation }
    }

    /// At `x` with the third axis along `normal`: where a half-space lies.
    pub fn facing(x: [f64; 3], normal: [f64; 3]) -> Option<Self> {
        let n = crate::vector::unit(&normal)?;
        let [u, v] = crate::space::tangents(&n);
        Some(Pose { x, rotation: std::array::from_fn(|i| [u[i], v[i], n[i]]) })
    }
}

/// A pose as it is written in files: rows of the rotation, which may be left out.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    x: Vec<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rotation: Option<Vec<Vec<f64>>>,
}

impl<const N: usize> Serialize for Pose<N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows = self.rotation.iter().map(|row| row.to_vec()).collect();
        Written { x: self.x.to_vec(), rotation: Some(rows) }.serialize(serializer)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Pose<N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let written = Written::deserialize(deserializer)?;
        let mut pose = Pose::at(written.x.try_into().map_err(|_| D::Error::custom(format!("x needs {N} numbers")))?);
        if let Some(rows) = written.rotation {
            let rows: Option<Vec<[f64; N]>> = rows.into_iter().map(|row| row.try_into().ok()).collect();
            pose.rotation = rows
                .and_then(|rows| rows.try_into().ok())
                .ok_or_else(|| D::Error::custom(format!("rotation needs {N} rows of {N} numbers")))?;
        }
        Ok(pose)
    }
}
