//! Shapes glued together.

use super::Shape;
use crate::error::{ShapeError, finite};
use crate::pose::Pose;
use crate::vector::{cross, dot};
use serde::{Deserialize, Serialize};

/// Solid shapes glued together into one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Glued", into = "Glued")]
pub struct Compound {
    parts: Vec<Part>,
}

/// One shape of a compound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Where it is in the compound's frame.
    pub pose: Pose<3>,
    /// What it is.
    pub shape: Shape,
}

/// A compound as it is written in files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Glued {
    parts: Vec<Part>,
}

impl Compound {
    /// From at least one part. Volumes that parts share count twice in the mass.
    ///
    /// # Errors
    ///
    /// If there is no part, if one is not solid, is itself wrong, or is turned by something other than a rotation.
    pub fn new(parts: Vec<Part>) -> Result<Self, ShapeError> {
        if parts.is_empty() {
            return Err(ShapeError::TooFew { shape: "compound", field: "parts", found: 0, needed: 1 });
        }
        for (part, Part { pose, shape }) in parts.iter().enumerate() {
            shape.check().map_err(|error| ShapeError::InPart { part, error: Box::new(error) })?;
            if !shape.is_solid() {
                return Err(ShapeError::Part { part, shape: shape.name() });
            }
            finite("compound", "part", &[pose.x])?;
            let error = pose.off_orthogonal();
            let [r0, r1, r2] = &pose.rotation;
            let mirrored = dot(&cross(r0, r1), r2) < 0.0;
            if mirrored || error.is_nan() || error > 1e-9 {
                return Err(ShapeError::Rotation { part, error: if mirrored { 2.0 } else { error } });
            }
        }
        Ok(Compound { parts })
    }

    /// The parts.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

impl TryFrom<Glued> for Compound {
    type Error = ShapeError;

    fn try_from(glued: Glued) -> Result<Self, ShapeError> {
        Compound::new(glued.parts)
    }
}

impl From<Compound> for Glued {
    fn from(compound: Compound) -> Self {
        Glued { parts: compound.parts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_that_is_not_a_number_is_refused() {
        for k in 0..9 {
            let mut pose = Pose::at([0.0; 3]);
            pose.rotation[k / 3][k % 3] = f64::NAN;
            let ball = Shape::Sphere { radius: 1.0 };
            assert!(matches!(Compound::new(vec![Part { pose, shape: ball }]), Err(ShapeError::Rotation { .. })), "{k}");
        }
    }
}
