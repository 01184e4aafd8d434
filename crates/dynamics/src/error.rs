//! What can be wrong with a world, by name and with the remedy.

/// A world that cannot be built or stepped as asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WorldError {
    /// A law with impossible numbers.
    #[error("law of contact: {fault}")]
    Law {
        /// What is wrong.
        fault: String,
    },
    /// A material that was never added.
    #[error("there is no material {material}: {materials} materials were added, numbered from 0")]
    NoSuchMaterial {
        /// The number asked for.
        material: usize,
        /// How many there are.
        materials: usize,
    },
    /// A body that was never added.
    #[error("there is no body {body}: {bodies} bodies were added, numbered from 0")]
    NoSuchBody {
        /// The number asked for.
        body: usize,
        /// How many there are.
        bodies: usize,
    },
    /// A number that is not finite.
    #[error("{what} = {value} is not a finite number")]
    NotFinite {
        /// Which.
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// A number that must be positive.
    #[error("{what} = {value} must be positive{remedy}")]
    NotPositive {
        /// Which.
        what: &'static str,
        /// The value.
        value: f64,
        /// What to do.
        remedy: &'static str,
    },
    /// A number out of its range.
    #[error("{what} = {value} lies outside [{low}, {high}]")]
    Range {
        /// Which.
        what: &'static str,
        /// The value.
        value: f64,
        /// Smallest.
        low: f64,
        /// Largest.
        high: f64,
    },
    /// A shape that is not one.
    #[error("shape: {0}")]
    Shape(String),
    /// A shape without volume on a body that should move.
    #[error("a {shape} has no mass of its own: make the body fixed or driven")]
    Massless {
        /// The shape.
        shape: String,
    },
    /// A prescribed motion with impossible numbers.
    #[error("prescribed motion: {0}")]
    Drive(String),
    /// A snapshot that does not fit the world.
    #[error("the stored state does not fit this world: {0}")]
    Snapshot(String),
}

/// Refuses NaN and infinity.
pub(crate) fn finite(what: &'static str, values: &[f64]) -> Result<(), WorldError> {
    match values.iter().find(|x| !x.is_finite()) {
        Some(&value) => Err(WorldError::NotFinite { what, value }),
        None => Ok(()),
    }
}

/// Refuses anything but a positive number.
pub(crate) fn positive(what: &'static str, value: f64, remedy: &'static str) -> Result<(), WorldError> {
    finite(what, &[value])?;
    if value > 0.0 { Ok(()) } else { Err(WorldError::NotPositive { what, value, remedy }) }
}

/// Refuses what lies outside an interval.
pub(crate) fn within(what: &'static str, value: f64, low: f64, high: f64) -> Result<(), WorldError> {
    finite(what, &[value])?;
    if (low..=high).contains(&value) { Ok(()) } else { Err(WorldError::Range { what, value, low, high }) }
}
