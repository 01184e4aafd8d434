//! A scene looked at before it runs: what will not work, what will be slow, what looks like a slip of the pen.

mod contacts;
mod entering;
mod hyperstatic;
mod masses;
mod overlap;
mod solver;
mod speed;
mod times;
mod units;

use super::{Scene, SceneError};
use contacts::Touching;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Note,
    /// Likely not what was meant, or slow, or inaccurate.
    Warning,
    /// The results will be wrong.
    Problem,
}

/// Something found in a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The keys concerned, such as `body.3`; empty when the scene as a whole is.
    pub key: String,
    /// What was found.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

impl Finding {
    fn new(severity: Severity, key: impl Into<String>, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { severity, key: key.into(), what: what.into(), remedy: remedy.into() }
    }
}

impl Scene {
    /// Looks for trouble; the worst comes first.
    ///
    /// ```
    /// use stickslip_io::scene::{Scene, check::Severity};
    ///
    /// let scene = Scene::from_text(
    ///     r#"
    ///     dimension = 2
    ///     body = [
    ///         { shape = "half_plane", fixed = true },
    ///         { shape.disc.radius = 1.0, at = [0, 0.5] },
    ///     ]
    ///     "#,
    /// )?;
    /// let findings = scene.check()?;
    /// assert_eq!(findings[0].severity, Severity::Problem);
    /// assert!(findings[0].what.contains("overlap"));
    /// # Ok::<(), stickslip_io::scene::SceneError>(())
    /// ```
    pub fn check(&self) -> Result<Vec<Finding>, SceneError> {
        let touching = match self.dimension {
            2 => Touching::of::<2, 3>(self)?,
            _ => Touching::of::<3, 6>(self)?,
        };
        let mut findings = Vec::new();
        overlap::check(self, &touching, &mut findings);
        speed::check(self, &touching, &mut findings);
        masses::check(self, &touching, &mut findings);
        hyperstatic::check(self, &touching, &mut findings);
        solver::check(self, &mut findings);
        times::check(self, &touching, &mut findings);
        units::check(self, &touching, &mut findings);
        findings.sort_by_key(|f| std::cmp::Reverse(f.severity));
        Ok(findings)
    }
}
