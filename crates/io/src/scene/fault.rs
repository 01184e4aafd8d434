//! Something wrong at a key, before the file and the line are known.

/// What is wrong, and the keys that lead to it, outermost last while it travels up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    what: String,
    keys: Vec<String>,
}

impl Fault {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), keys: Vec::new() }
    }

    /// The same fault, seen from one key further out.
    pub(crate) fn under(mut self, key: impl Into<String>) -> Self {
        self.keys.push(key.into());
        self
    }

    /// The keys from the outermost to the innermost.
    pub(crate) fn path(&self) -> Vec<&str> {
        self.keys.iter().rev().map(String::as_str).collect()
    }

    pub(crate) fn what(&self) -> &str {
        &self.what
    }
}

/// Refuses anything but a positive number.
pub(crate) fn positive(key: &str, x: f64) -> Result<f64, Fault> {
    if x > 0.0 && x.is_finite() { Ok(x) } else { Err(Fault::new(format!("{x} must be positive")).under(key)) }
}

/// Refuses what lies outside an interval.
pub(crate) fn within(key: &str, x: f64, low: f64, high: f64) -> Result<f64, Fault> {
    if (low..=high).contains(&x) {
        Ok(x)
    } else {
        Err(Fault::new(format!("{x} lies outside {low} to {high}")).under(key))
    }
}
