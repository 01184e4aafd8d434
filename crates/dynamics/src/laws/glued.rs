//! Contacts that hold.

use serde::{Deserialize, Serialize};

/// `u = 0`: the two points of contact move together, in pull as in push, for as long as detection sees the contact.
///
/// Bodies that are one from the start are better made one body, of a compound shape.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Glued {}
