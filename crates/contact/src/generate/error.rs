//! What options cannot be generated, and the checks that say so.

use crate::matrix::MatrixError;
use crate::problem::ProblemError;

/// Largest problem that is generated, in bytes of estimated memory.
pub const MEMORY_LIMIT: f64 = 16e9;

/// Options from which no problem can be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GenerateError {
    /// An option outside its range.
    #[error("{name} = {value} {fault}")]
    Option {
        /// Name of the field.
        name: &'static str,
        /// Its value.
        value: String,
        /// What is wrong with it, and the range that is allowed.
        fault: String,
    },
    /// More memory than is reasonable.
    #[error(
        "the problem would take about {gigabytes:.1} GB, the limit is {:.0} GB; ask for fewer bodies",
        MEMORY_LIMIT / 1e9
    )]
    TooLarge {
        /// Estimated size.
        gigabytes: f64,
    },
    /// A contact dimension without a friction law.
    #[error("a contact has 2, 3 or 5 rows, not {0}")]
    Dimension(usize),
    /// The numbers made no valid problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The arrays made no valid matrix.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
}

fn fault(name: &'static str, value: impl std::fmt::Debug, fault: String) -> GenerateError {
    GenerateError::Option { name, value: format!("{value:?}"), fault }
}

/// A number of things, `least` or more.
pub(super) fn count(name: &'static str, value: usize, least: usize) -> Result<(), GenerateError> {
    if value < least { Err(fault(name, value, format!("is too few; at least {least}"))) } else { Ok(()) }
}

/// A number in `min..=max`; NaN is in no range.
pub(super) fn within(name: &'static str, value: f64, min: f64, max: f64) -> Result<(), GenerateError> {
    if value >= min && value <= max && value.is_finite() {
        Ok(())
    } else {
        Err(fault(name, value, range_text(min, max)))
    }
}

/// An interval `[low, high]` in `min..=max`.
pub(super) fn interval(name: &'static str, value: [f64; 2], min: f64, max: f64) -> Result<(), GenerateError> {
    if value[0] <= value[1] && value[0] >= min && value[1] <= max && value[1].is_finite() {
        Ok(())
    } else {
        Err(fault(name, value, format!("as [low, high], low <= high, {}", range_text(min, max))))
    }
}

/// A positive finite number.
pub(super) fn positive(name: &'static str, value: f64) -> Result<(), GenerateError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(fault(name, value, "must be positive and finite".into()))
    }
}

/// The rows of a contact: 2, 3 or 5.
pub(super) fn dimension<const D: usize>() -> Result<(), GenerateError> {
    if matches!(D, 2 | 3 | 5) { Ok(()) } else { Err(GenerateError::Dimension(D)) }
}

/// An estimate of memory, in bytes. To be asked before any size is multiplied in integers.
pub(super) fn memory(bytes: f64) -> Result<(), GenerateError> {
    if bytes <= MEMORY_LIMIT { Ok(()) } else { Err(GenerateError::TooLarge { gigabytes: bytes / 1e9 }) }
}

fn range_text(min: f64, max: f64) -> String {
    if max == f64::MAX {
        format!("must be finite and at least {min}")
    } else {
        format!("must be between {min} and {max}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_and_infinity_are_in_no_range() {
        assert!(within("mu", 0.5, 0.0, f64::MAX).is_ok());
        for x in [f64::NAN, f64::INFINITY, -1.0] {
            assert!(within("mu", x, 0.0, f64::MAX).is_err());
            assert!(positive("dt", x).is_err());
            assert!(interval("mu", [0.0, x], 0.0, f64::MAX).is_err());
            assert!(interval("mu", [x, 1.0], 0.0, f64::MAX).is_err());
        }
        assert!(interval("mu", [0.6, 0.5], 0.0, f64::MAX).is_err());
        assert!(memory(f64::NAN).is_err());
    }

    #[test]
    fn messages_name_the_option_and_the_remedy() {
        let text = within("mu", -0.5, 0.0, f64::MAX).unwrap_err().to_string();
        assert_eq!(text, "mu = -0.5 must be finite and at least 0");
        let text = memory(2e12).unwrap_err().to_string();
        assert_eq!(text, "the problem would take about 2000.0 GB, the limit is 16 GB; ask for fewer bodies");
        assert_eq!(count("nx", 0, 1).unwrap_err().to_string(), "nx = 0 is too few; at least 1");
    }
}
