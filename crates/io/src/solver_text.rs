//! A solver as words: `nsgs`, `nsgs{omega=1.2}`.

use serde_json::Value;
use stickslip_contact::solvers::SolverSpec;
use stickslip_contact::solvers::catalog::edit_distance;

/// Reads `name` or `name{key=value,…}` (TOML values) into a solver; the error is for the user.
pub fn solver(text: &str) -> Result<SolverSpec, String> {
    let (name, options) = match text.split_once('{') {
        None => (text.trim(), ""),
        Some((name, rest)) => {
            let inner = rest.trim_end().strip_suffix('}');
            (name.trim(), inner.ok_or_else(|| format!("'{text}': the options lack their closing brace"))?)
        }
    };
    let spec = SolverSpec::named(name).map_err(|e| e.to_string())?.spec;
    // the defaults of this name, overwritten by what was given
    let tagged = serde_json::to_value(&spec).map_err(|e| e.to_string())?;
    let Value::Object(tagged) = tagged else { return Err(format!("{name} has no options")) };
    let (tag, defaults) = tagged.into_iter().next().ok_or_else(|| format!("{name} has no options"))?;
    let given = toml::from_str::<toml::Table>(&format!("options = {{{options}}}"))
        .map_err(|e| format!("the options of {name} are not of the form key=value, key=\"word\": {}", e.message()))?
        .remove("options")
        .and_then(|t| t.as_table().cloned())
        .unwrap_or_default();
    let merged = merge(name, defaults, given)?;
    serde_json::from_value(serde_json::json!({ tag: merged }))
        .map_err(|e| format!("an option of {name} has a wrong value: {e}"))
}

/// Overwrites defaults, refusing keys they do not have with the nearest one they do.
pub fn merge(what: &str, mut defaults: Value, given: toml::Table) -> Result<Value, String> {
    let Some(table) = defaults.as_object_mut() else { return Err(format!("{what} has no options")) };
    for (key, value) in given {
        if !table.contains_key(&key) {
            let nearest = table.keys().min_by_key(|k| edit_distance(k, &key)).cloned().unwrap_or_default();
            let all = table.keys().cloned().collect::<Vec<_>>().join(", ");
            return Err(format!("{what} has no option '{key}'; did you mean '{nearest}'? All: {all}"));
        }
        // whole numbers fit where fractions are asked for
        let value = serde_json::to_value(value).map_err(|e| e.to_string())?;
        let value = match (&table[&key], value.as_i64()) {
            (Value::Number(n), Some(i)) if n.is_f64() => serde_json::json!(i as f64),
            _ => value,
        };
        table.insert(key, value);
    }
    Ok(defaults)
}
