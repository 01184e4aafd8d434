//! Options as words: `nsgs`, `nsgs{omega=1.2}`. Errors are for the user.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use stickslip_contact::solvers::SolverSpec;
use stickslip_contact::solvers::catalog::nearest;

/// Reads `name` or `name{key=value,…}` (TOML values) into a solver.
pub fn solver(text: &str) -> Result<SolverSpec, String> {
    let (name, options) = split(text)?;
    let spec = SolverSpec::named(name).map_err(|e| e.to_string())?.spec;
    with_options(name, &spec, options)
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
pub fn with_options<T: Serialize + DeserializeOwned>(name: &str, spec: &T, options: &str) -> Result<T, String> {
    let tagged = serde_json::to_value(spec).map_err(|e| e.to_string())?;
    let Value::Object(tagged) = tagged else { return Err(format!("{name} has no options")) };
    let (tag, defaults) = tagged.into_iter().next().ok_or_else(|| format!("{name} has no options"))?;
    let given = toml::from_str::<toml::Table>(&format!("options = {{{options}}}"))
        .map_err(|e| format!("the options of {name} are not of the form key=value, key=\"word\": {}", e.message()))?
        .remove("options")
        .and_then(|t| t.as_table().cloned())
        .unwrap_or_default();
    let merged = merge(name, defaults, given)?;
    serde_json::from_value(serde_json::json!({ tag: merged })).map_err(|e| wrong(name, &e))
}

/// The defaults of a type, overwritten by what was given.
pub fn over_defaults<T: Default + Serialize + DeserializeOwned>(what: &str, given: toml::Table) -> Result<T, String> {
    let defaults = serde_json::to_value(T::default()).map_err(|e| e.to_string())?;
    serde_json::from_value(merge(what, defaults, given)?).map_err(|e| wrong(what, &e))
}

fn wrong(what: &str, error: &serde_json::Error) -> String {
    format!("an option of {what} has a wrong value: {}", suggest(&error.to_string()))
}

/// Adds the nearest valid word to serde's "unknown field `x`, expected one of `y`, `z`".
fn suggest(error: &str) -> String {
    let mut quoted = error.split('`').skip(1).step_by(2);
    match (error.starts_with("unknown "), quoted.next()) {
        (true, Some(word)) => match nearest(word, quoted) {
            "" => error.into(),
            near => format!("{error}; did you mean '{near}'?"),
        },
        _ => error.into(),
    }
}

/// Overwrites defaults, refusing keys they do not have with the nearest one they do.
fn merge(what: &str, mut defaults: Value, given: toml::Table) -> Result<Value, String> {
    let Some(table) = defaults.as_object_mut() else { return Err(format!("{what} has no options")) };
    for (key, value) in given {
        if !table.contains_key(&key) {
            let near = nearest(&key, table.keys().map(String::as_str));
            let all = table.keys().cloned().collect::<Vec<_>>().join(", ");
            return Err(format!("{what} has no option '{key}'; did you mean '{near}'? All: {all}"));
        }
        // whole numbers fit where fractions are asked for
        let value = serde_json::to_value(value).map_err(|e| e.to_string())?;
        let value = match (&table[&key], value.as_i64()) {
            (old, Some(n)) if old.is_f64() => serde_json::json!(n as f64),
            _ => value,
        };
        table.insert(key, value);
    }
    Ok(defaults)
}
