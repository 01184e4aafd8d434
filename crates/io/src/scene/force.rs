//! Forces besides gravity, as a scene writes them.

use super::quantity::{Damping, Force, Frequency, Length, Quantity, Stiffness};
use schemars::JsonSchema;
use serde::Deserialize;

/// A moment of force (N m).
pub type Moment = Quantity<2, 1, -2, 0>;

/// A force: exactly one of constant, damping, spring.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ForceEntry {
    /// A constant force on a body, in the axes of the world.
    Constant {
        /// The body, by name.
        body: String,
        /// The force, per axis.
        force: Vec<Force>,
        /// A moment: one number in the plane, three in space. Default: none.
        moment: Option<Vec<Moment>>,
    },
    /// Drag on all bodies: velocities fade like exp(-rate t).
    Damping {
        /// Rate of translations.
        linear: Frequency,
        /// Rate of rotations. Default: none.
        #[serde(default)]
        angular: Frequency,
    },
    /// A spring, with a damper beside it, between two bodies or a body and a fixed point.
    Spring {
        /// A body, by name; held at its centre.
        body: String,
        /// The body at the other end, by name.
        to: Option<String>,
        /// The fixed point at the other end, instead of a body.
        ground: Option<Vec<Length>>,
        /// Stiffness.
        stiffness: Stiffness,
        /// Length without force. Default: 0.
        #[serde(default)]
        rest: Length,
        /// Damping. Default: 0.
        #[serde(default)]
        damping: Damping,
    },
}
