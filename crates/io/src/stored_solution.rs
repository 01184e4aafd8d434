//! A solution that came with a problem.

/// Velocities and impulses, flat, joints last. What the file does not hold is missing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoredSolution {
    /// Relative velocities.
    pub u: Option<Vec<f64>>,
    /// Impulses.
    pub r: Option<Vec<f64>>,
    /// Generalised velocities of a global problem.
    pub v: Option<Vec<f64>>,
}
