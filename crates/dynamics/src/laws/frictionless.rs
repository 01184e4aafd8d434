//! Contact without friction.

use serde::{Deserialize, Serialize};

/// `r_T = 0` and Newton's restitution [A, eq. 19-21].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Frictionless {
    /// Newton's coefficient of normal restitution, 0 to 1.
    pub e_n: f64,
}
