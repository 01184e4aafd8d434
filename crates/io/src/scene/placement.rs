//! Where something is and how it is turned.

use super::fault::Fault;
use super::quantity::{Angle, Length, Number, values};
use stickslip_geometry::Pose;

/// The keys that place a body or a part of one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Placement<'a> {
    pub at: Option<&'a [Length]>,
    pub angle: Option<Angle>,
    pub axis: Option<&'a [Number]>,
    pub quaternion: Option<[Number; 4]>,
    pub normal: Option<&'a [Number]>,
}

/// A unit quaternion (w, x, y, z).
pub type Quaternion = [f64; 4];

impl Placement<'_> {
    /// Position and orientation, for either dimension; in the plane z = 0 and rotations are about z.
    pub(crate) fn resolve(&self, dimension: usize) -> Result<([f64; 3], Quaternion), Fault> {
        let x = match self.at {
            Some(at) => lift(&values(at), dimension).map_err(|e| e.under("at"))?,
            None => [0.0; 3],
        };
        Ok((x, self.orientation(dimension)?))
    }

    fn orientation(&self, dimension: usize) -> Result<Quaternion, Fault> {
        let ways = [self.angle.is_some(), self.quaternion.is_some(), self.normal.is_some()];
        if ways.iter().filter(|w| **w).count() > 1 {
            return Err(Fault::new("give one of angle, quaternion and normal, not several"));
        }
        if self.axis.is_some() && self.angle.is_none() {
            return Err(Fault::new("an axis needs an angle: add angle = \"30 deg\", or remove axis").under("axis"));
        }
        if dimension == 2 && (self.axis.is_some() || self.quaternion.is_some()) {
            let key = if self.axis.is_some() { "axis" } else { "quaternion" };
            return Err(Fault::new("a scene in the plane turns by angle alone").under(key));
        }
        if let Some(normal) = self.normal {
            return facing(&values(normal), dimension).map_err(|e| e.under("normal"));
        }
        if let Some(q) = self.quaternion {
            return unit(q.map(|x| x.0)).map_err(|e| e.under("quaternion"));
        }
        let half = 0.5 * self.angle.unwrap_or_default().0;
        let axis = match self.axis {
            None => [0.0, 0.0, 1.0],
            Some(a) => {
                let a = lift(&values(a), 3).map_err(|e| e.under("axis"))?;
                let [_, x, y, z] = unit([0.0, a[0], a[1], a[2]]).map_err(|e| e.under("axis"))?;
                [x, y, z]
            }
        };
        let (s, c) = half.sin_cos();
        Ok([c, s * axis[0], s * axis[1], s * axis[2]])
    }
}

/// A vector of the dimension, with z = 0 in the plane.
pub(crate) fn lift(x: &[f64], dimension: usize) -> Result<[f64; 3], Fault> {
    if x.len() != dimension {
        let fault = format!("{} numbers found, {dimension} needed: one per axis of the scene", x.len());
        return Err(Fault::new(fault));
    }
    Ok(std::array::from_fn(|i| x.get(i).copied().unwrap_or(0.0)))
}

fn unit(q: Quaternion) -> Result<Quaternion, Fault> {
    let largest = q.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if largest <= 0.0 {
        return Err(Fault::new("it has no direction: all its numbers are zero"));
    }
    // scaled first, so that no square underflows
    let q = q.map(|x| x / largest);
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    Ok(q.map(|x| x / norm))
}

fn facing(normal: &[f64], dimension: usize) -> Result<Quaternion, Fault> {
    let n = lift(normal, dimension)?;
    let [_, x, y, z] = unit([0.0, n[0], n[1], n[2]])?;
    if dimension == 2 {
        // the second axis along the normal
        return Ok(from_rotation(&[[y, x, 0.0], [-x, y, 0.0], [0.0, 0.0, 1.0]]));
    }
    let pose = Pose::<3>::facing([0.0; 3], [x, y, z]).ok_or_else(|| Fault::new("it has no direction"))?;
    Ok(from_rotation(&pose.rotation))
}

/// The quaternion of a rotation matrix, by its largest component.
pub(crate) fn from_rotation(r: &[[f64; 3]; 3]) -> Quaternion {
    let trace = r[0][0] + r[1][1] + r[2][2];
    let squares = [1.0 + trace, 1.0 + 2.0 * r[0][0] - trace, 1.0 + 2.0 * r[1][1] - trace, 1.0 + 2.0 * r[2][2] - trace];
    let (d01, d02, d12) = (r[1][0] - r[0][1], r[0][2] - r[2][0], r[2][1] - r[1][2]);
    let (s01, s02, s12) = (r[1][0] + r[0][1], r[0][2] + r[2][0], r[2][1] + r[1][2]);
    let k = (0..4).fold(0, |best, k| if squares[k] > squares[best] { k } else { best });
    let q = match k {
        0 => [squares[0], d12, d02, d01],
        1 => [d12, squares[1], s01, s02],
        2 => [d02, s01, squares[2], s12],
        _ => [d01, s02, s12, squares[3]],
    };
    let scale = 0.5 / squares[k].sqrt();
    q.map(|x| x * scale)
}

/// The rotation matrix of a unit quaternion.
pub(crate) fn matrix(q: &Quaternion) -> [[f64; 3]; 3] {
    Pose::by_quaternion([0.0; 3], *q).rotation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quaternions_of_rotations_give_them_back() {
        for q in [
            [1.0, 0.0, 0.0, 0.0],
            [0.5, 0.5, -0.5, 0.5],
            [0.1, 0.7, 0.1, 0.7],
            [0.0, 0.6, 0.8, 0.0],
            [-0.1, 0.2, 0.3, 0.9],
        ] {
            let q = unit(q).unwrap();
            let back = from_rotation(&matrix(&q));
            let dot: f64 = q.iter().zip(&back).map(|(a, b)| a * b).sum();
            assert!((dot.abs() - 1.0).abs() < 1e-14, "{q:?} {back:?}");
        }
    }

    #[test]
    fn a_normal_turns_the_last_axis_there() {
        let q = facing(&[1.0, 2.0, 2.0], 3).unwrap();
        let r = matrix(&q);
        for i in 0..3 {
            assert!((r[i][2] - [1.0, 2.0, 2.0][i] / 3.0).abs() < 1e-14);
        }
        let r = matrix(&facing(&[3.0, 4.0], 2).unwrap());
        assert!((r[0][1] - 0.6).abs() < 1e-14 && (r[1][1] - 0.8).abs() < 1e-14);
        assert!(facing(&[0.0, 0.0], 2).is_err());
    }
}
