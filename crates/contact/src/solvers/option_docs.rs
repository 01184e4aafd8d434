//! The options of every solver: their documentation as the command line shows it, the words they choose among, and how
//! they are read.

use super::newton::LineSearch;
use super::{ConvexMethod, Order, ShiftUpdate, SolverSpec, StepRule, StopTest};
use crate::contact_system::Form;
use crate::named::choices;
use documented::DocumentedFields;
use serde_json::Value;

/// Does the same with the options of any solver.
macro_rules! on_options {
    ($spec:expr, $o:ident => $does:expr) => {
        match $spec {
            SolverSpec::Auto($o) => $does,
            SolverSpec::Nsgs($o) | SolverSpec::Psor($o) => $does,
            SolverSpec::Ipm($o) => $does,
            SolverSpec::FpDs($o) => $does,
            SolverSpec::FpVi($o) | SolverSpec::EgVi($o) => $does,
            SolverSpec::Hyperplane($o) => $does,
            SolverSpec::ProxNsgs($o) => $does,
            SolverSpec::Tresca($o) => $does,
            SolverSpec::Aclm($o) => $does,
            SolverSpec::Panagiotopoulos($o) => $does,
            SolverSpec::ApgdRelaxation($o) => $does,
            SolverSpec::Tnnmg($o) => $does,
            SolverSpec::Nncg($o) => $does,
            SolverSpec::Anderson($o) => $does,
            SolverSpec::NsnAc($o) | SolverSpec::NsnMj($o) | SolverSpec::NsnNm($o) | SolverSpec::NsnFb($o) => $does,
            SolverSpec::Ppn($o) => $does,
            SolverSpec::Admm($o) | SolverSpec::MgAdmm($o) => $does,
            SolverSpec::Lemke2d($o) => $does,
            SolverSpec::Cpg2d($o) => $does,
            SolverSpec::Enumeration2d($o) => $does,
        }
    };
}

impl SolverSpec {
    /// Names and documentation of the options, in the order of the struct.
    pub fn option_docs(&self) -> Vec<(&'static str, &'static str)> {
        on_options!(self, o => docs(o))
    }

    /// The words that an option chooses among, each as it is written by default, with its documentation.
    pub fn option_choices(&self, key: &str) -> Vec<(Value, &'static str)> {
        match key {
            "order" => choices::<Order>(),
            "stop_test" => choices::<StopTest>(),
            "rule" => choices::<StepRule>(),
            "line_search" => choices::<LineSearch>(),
            "form" => choices::<Form>(),
            "update" => choices::<ShiftUpdate>(),
            "method" => choices::<ConvexMethod>(),
            _ => Vec::new(),
        }
    }

    /// Replaces all options.
    pub(super) fn read_options(&mut self, options: Value) -> serde_json::Result<()> {
        on_options!(self, o => *o = serde_json::from_value(options)?);
        Ok(())
    }
}

/// Names and documentation of the fields of some options.
pub(crate) fn docs<T: DocumentedFields>(_: &T) -> Vec<(&'static str, &'static str)> {
    T::FIELD_NAMES.iter().copied().zip(T::FIELD_DOCS.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named::options_of;

    #[test]
    fn every_option_of_every_solver_is_documented() {
        for s in SolverSpec::catalogue() {
            let options = options_of(&s.spec);
            let docs = s.spec.option_docs();
            assert_eq!(docs.len(), options.len(), "{}", s.name);
            for key in options.keys() {
                assert!(docs.iter().any(|(name, doc)| name == key && doc.len() > 5), "{}: {key}", s.name);
            }
        }
    }

    #[test]
    fn every_word_that_an_option_takes_is_listed_and_can_be_read() {
        for s in SolverSpec::catalogue() {
            for (key, value) in options_of(&s.spec) {
                let words = s.spec.option_choices(&key);
                // whatever stands there by default as a word is a choice; the one-contact solvers have a list of their own
                assert_eq!(
                    !words.is_empty(),
                    (value.is_string() || key == "line_search") && key != "one_contact",
                    "{key}"
                );
                assert!(words.is_empty() || words.iter().any(|(word, _)| *word == value), "{key}: {value}");
                for (word, doc) in words {
                    assert!(doc.len() > 10, "{key}: {word}");
                    let given = serde_json::json!({ s.name: { key.clone(): word.clone() } });
                    let read: SolverSpec = serde_json::from_value(given).unwrap();
                    assert_eq!(options_of(&read)[&key], word, "{}: {key}", s.name);
                }
            }
        }
        let has = |key: &str, word: &str| {
            let all = SolverSpec::default().option_choices(key);
            all.iter().any(|(value, _)| value.to_string().contains(word))
        };
        assert!(has("order", "windowed") && has("line_search", "goldstein_price") && has("rule", "han_sun"));
    }
}
