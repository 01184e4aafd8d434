//! What an automatic choice did and why.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Sentences, step by step; empty for a single solver that did its work.
///
/// The first may be a fixed text: a choice that is made in every step of a simulation allocates nothing to say so.
#[derive(Debug, Clone, Default)]
pub struct Why {
    plain: Option<&'static str>,
    told: Vec<String>,
}

impl Why {
    /// Adds a sentence.
    pub fn push(&mut self, sentence: impl Into<String>) {
        self.told.push(sentence.into());
    }

    /// The sentences in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.plain.into_iter().chain(self.told.iter().map(String::as_str))
    }

    /// Whether any sentence has this text in it.
    pub fn mentions(&self, text: &str) -> bool {
        self.iter().any(|sentence| sentence.contains(text))
    }
}

/// A list of sentences.
impl Serialize for Why {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Why {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::<String>::deserialize(from).map(Self::from)
    }
}

impl PartialEq for Why {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl From<&'static str> for Why {
    fn from(plain: &'static str) -> Self {
        Self { plain: Some(plain), told: Vec::new() }
    }
}

impl From<String> for Why {
    fn from(told: String) -> Self {
        Self { plain: None, told: vec![told] }
    }
}

impl From<Vec<String>> for Why {
    fn from(told: Vec<String>) -> Self {
        Self { plain: None, told }
    }
}

impl From<Why> for Vec<String> {
    fn from(why: Why) -> Self {
        why.iter().map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_and_told_sentences_read_alike() {
        let mut why = Why::from("sweeps");
        why.push("then more");
        assert_eq!(why.iter().collect::<Vec<_>>(), ["sweeps", "then more"]);
        let text = serde_json::to_string(&why).unwrap();
        assert_eq!(text, r#"["sweeps","then more"]"#);
        assert_eq!(serde_json::from_str::<Why>(&text).unwrap(), why);
        assert!(why.mentions("more") && !Why::default().mentions(""));
    }
}
