//! What an automatic choice did and why.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// Sentences, step by step; empty for a single solver that did its work.
///
/// They are put into words when they are read: a choice that is made in every step of a simulation takes no time to say
/// so. The first may be a fixed text, which allocates nothing.
#[derive(Debug, Clone, Default)]
pub struct Why {
    /// How many islands there were, the contacts of the largest, whose story follows, and the sweeps before.
    islands: Option<[usize; 3]>,
    plain: Option<&'static str>,
    told: Vec<Told>,
}

/// One thing that was told.
#[derive(Debug, Clone)]
enum Told {
    Sentence(Cow<'static, str>),
    /// A stage, its iterations, and the error that it left.
    Stage(&'static str, usize, f64),
}

impl Told {
    fn words(&self) -> Cow<'_, str> {
        match self {
            Told::Sentence(text) => Cow::Borrowed(text),
            Told::Stage(what, iterations, error) => {
                format!("{what}: {iterations} iterations, error {error:.1e}").into()
            }
        }
    }
}

impl Why {
    /// So many islands, the largest with so many contacts, found after so many sweeps over all.
    pub fn islands(&mut self, count: usize, largest: usize, sweeps: usize) {
        self.islands = Some([count, largest, sweeps]);
    }

    /// The story of the largest island.
    pub fn told_by(&mut self, island: Self) {
        (self.plain, self.told) = (island.plain, island.told);
    }

    /// Adds a sentence.
    pub fn push(&mut self, sentence: impl Into<Cow<'static, str>>) {
        self.told.push(Told::Sentence(sentence.into()));
    }

    /// Adds a stage, with its iterations and the error that it left.
    pub fn stage(&mut self, what: &'static str, iterations: usize, error: f64) {
        self.told.push(Told::Stage(what, iterations, error));
    }

    /// The sentences in order.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let islands = self.islands.map(|[count, largest, sweeps]| {
            let first = format!("{sweeps} accelerated sweeps, then {count} islands, each solved by itself;");
            format!("{first} the largest, of {largest} contacts:").into()
        });
        islands.into_iter().chain(self.plain.map(Cow::Borrowed)).chain(self.told.iter().map(Told::words))
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
        Self { plain: Some(plain), ..Self::default() }
    }
}

impl From<String> for Why {
    fn from(told: String) -> Self {
        Self::from(vec![told])
    }
}

impl From<Vec<String>> for Why {
    fn from(told: Vec<String>) -> Self {
        let told = told.into_iter().map(|text| Told::Sentence(text.into())).collect();
        Self { told, ..Self::default() }
    }
}

impl From<Why> for Vec<String> {
    fn from(why: Why) -> Self {
        why.iter().map(Cow::into_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_and_told_sentences_read_alike() {
        let mut why = Why::from("sweeps");
        why.push("then more");
        why.stage("and more", 7, 0.25);
        let words = ["sweeps", "then more", "and more: 7 iterations, error 2.5e-1"];
        assert_eq!(why.iter().collect::<Vec<_>>(), words);
        let text = serde_json::to_string(&why).unwrap();
        assert_eq!(text, serde_json::to_string(&words).unwrap());
        assert_eq!(serde_json::from_str::<Why>(&text).unwrap(), why);
        assert!(why.mentions("more") && !Why::default().mentions(""));
    }
}
