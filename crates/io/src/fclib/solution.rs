//! A solution or a guess as stored.

use crate::bits::same_option;

/// Velocities and impulses as stored; each may be missing. Equality is bit for bit.
#[derive(Debug, Clone, Default)]
pub struct Solution {
    /// Relative velocities, m.
    pub u: Option<Vec<f64>>,
    /// Contact impulses, m.
    pub r: Option<Vec<f64>>,
    /// Generalised velocities, n; only global.
    pub v: Option<Vec<f64>>,
    /// Impulses of the equality constraints, p.
    pub l: Option<Vec<f64>>,
}

impl Solution {
    /// The four arrays with their names.
    pub fn parts(&self) -> [(&'static str, Option<&[f64]>); 4] {
        [("u", self.u.as_deref()), ("r", self.r.as_deref()), ("v", self.v.as_deref()), ("l", self.l.as_deref())]
    }
}

impl PartialEq for Solution {
    fn eq(&self, other: &Self) -> bool {
        self.parts().iter().zip(other.parts()).all(|(a, b)| same_option(a.1, b.1))
    }
}
