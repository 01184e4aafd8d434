//! Text as stored.

use std::fmt;

/// The bytes of a stored text, without the NUL that ends it.
///
/// Files say that their texts are ASCII, but old ones hold Latin-1 and new ones UTF-8. The bytes are kept as they are,
/// and shown as UTF-8 where they are that, as Latin-1 otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text(pub Vec<u8>);

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match std::str::from_utf8(&self.0) {
            Ok(text) => f.write_str(text),
            Err(_) => self.0.iter().try_for_each(|&b| write!(f, "{}", char::from(b))),
        }
    }
}
