//! Options as words: `nsgs`, `nsgs{omega=1.2}`. Errors are for the user.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use stickslip_contact::named::{self, Named};
use stickslip_contact::solvers::SolverSpec;

/// Reads `name` or `name{key=value,…}` (TOML values) into a solver.
pub fn solver(text: &str) -> Result<SolverSpec, String> {
    let (name, options) = split(text)?;
    with_options(named::find(name).map_err(|e| e.to_string())?, options)
}

/// The name and what stands between the braces.
pub fn split(text: &str) -> Result<(&str, &str), String> {
    Ok(match text.split_once('{') {
        None => (text.trim(), ""),
        Some((name, rest)) => {
            let inner = rest.trim_end().strip_suffix('}');
            (name.trim(), inner.ok_or_else(|| format!("'{text}': the options lack their closing brace"))?)
        }
    })
}

/// The options of a tagged name, overwritten by what was given.
pub fn with_options<T: Named>(spec: T, options: &str) -> Result<T, String> {
    let name = spec.called();
    let given = toml::from_str::<toml::Table>(&format!("options = {{{options}}}"))
        .map_err(|e| format!("the options of {name} are not of the form key=value, key=\"word\": {}", e.message()))?
        .remove("options")
        .and_then(|t| t.as_table().cloned())
        .unwrap_or_default();
    named::with_options(spec, table(given)?)
}

/// The defaults of a type, overwritten by what was given.
pub fn over_defaults<T: Default + Serialize + DeserializeOwned>(what: &str, given: toml::Table) -> Result<T, String> {
    let defaults = match serde_json::to_value(T::default()) {
        Ok(Value::Object(defaults)) => defaults,
        _ => Map::new(),
    };
    let mut read = T::default();
    let mut keep = |options: Value| -> serde_json::Result<()> {
        read = serde_json::from_value(options)?;
        Ok(())
    };
    named::overwrite(what, defaults, table(given)?, &mut keep)?;
    Ok(read)
}

/// The same table with the values of JSON; what JSON does not know stays visible as a word.
fn table(given: toml::Table) -> Result<Map<String, Value>, String> {
    match named::given(toml::Value::Table(given)).map_err(|e| e.to_string())? {
        Value::Object(table) => Ok(table),
        _ => Ok(Map::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_serde_mean_the_same_and_refuse_the_same() {
        for (text, json) in [
            ("psor", r#""psor""#),
            ("psor{}", r#"{"psor": {}}"#),
            ("PSOR{settled=1e-9}", r#"{"psor": {"settled": 1e-9}}"#),
            ("nsgs{one_contact={sbp={relative=0.5}}}", r#"{"nsgs": {"one_contact": {"sbp": {"relative": 0.5}}}}"#),
            ("nsg", r#""nsg""#),
            ("nsgs{omeg=1}", r#"{"nsgs": {"omeg": 1}}"#),
            ("nsgs{omega=-1}", r#"{"nsgs": {"omega": -1}}"#),
            ("nsgs{order=\"forwards\"}", r#"{"nsgs": {"order": "forwards"}}"#),
        ] {
            let value: Value = serde_json::from_str(json).unwrap();
            let read = serde_json::from_value::<SolverSpec>(value).map_err(|e| e.to_string());
            assert_eq!(solver(text), read, "{text}");
        }
    }
}
