//! What a contact is doing.

use super::Cone;
use crate::block::norm;
use serde::{Deserialize, Serialize};

/// The state of a contact as a mechanician names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContactStatus {
    /// No impulse.
    Open,
    /// Pressed, impulse inside the cone.
    Stick,
    /// Pressed, impulse on the boundary of a disc.
    Slip,
    /// A joint.
    Joint,
}

impl Cone {
    /// Reads the status off the impulse; `resolution` is the relative width of the cone's boundary.
    pub fn status<const D: usize>(&self, r: &[f64; D], resolution: f64) -> ContactStatus {
        if matches!(self, Cone::Bilateral) {
            return ContactStatus::Joint;
        }
        if r[0] <= 0.0 {
            return ContactStatus::Open;
        }
        let [t, rolling] = self.discs::<D>();
        let on_edge = |d: &super::Disc| d.len > 0 && norm(&r[d.rows()]) >= d.limit(r[0]) * (1.0 - resolution);
        if on_edge(&t) || (rolling.len > 0 && rolling.slope > 0.0 && on_edge(&rolling)) {
            ContactStatus::Slip
        } else {
            ContactStatus::Stick
        }
    }
}
