//! Words on the command line that carry options: `nsgs{omega=1.2}` and `nx=10`.

use anyhow::{Context, Result, anyhow, bail};
use serde::de::DeserializeOwned;
use stickslip::contact::solvers::SolverSpec;
use stickslip::contact::solvers::catalog::edit_distance;

/// Reads `name` or `name{key=value,…}` (TOML values) into a solver.
pub fn solver(text: &str) -> Result<SolverSpec> {
    let (name, options) = match text.split_once('{') {
        None => (text.trim(), ""),
        Some((name, rest)) => {
            let inner = rest.trim_end().strip_suffix('}');
            (name.trim(), inner.ok_or_else(|| anyhow!("'{text}': the options lack their closing brace"))?)
        }
    };
    let spec = SolverSpec::named(name)?.spec;
    // the defaults of this name, overwritten by what was given
    let serde_json::Value::Object(tagged) = serde_json::to_value(&spec)? else { bail!("{name} has no options") };
    let (tag, defaults) = tagged.into_iter().next().ok_or_else(|| anyhow!("{name} has no options"))?;
    let given: toml::Table = toml::from_str::<toml::Table>(&format!("options = {{{options}}}"))
        .with_context(|| format!("the options of {name} are not of the form key=value, key=\"word\""))?
        .remove("options")
        .and_then(|t| t.as_table().cloned())
        .unwrap_or_default();
    let merged = merge(name, defaults, given)?;
    serde_json::from_value(serde_json::json!({ tag: merged }))
        .with_context(|| format!("an option of {name} has a wrong value"))
}

/// Reads `key=value` words (TOML values, bare words allowed) into an options struct.
pub fn keyed<T: Default + serde::Serialize + DeserializeOwned>(what: &str, words: &[String]) -> Result<T> {
    let mut given = toml::Table::new();
    for word in words {
        let (key, value) = word.split_once('=').ok_or_else(|| anyhow!("'{word}' is not of the form key=value"))?;
        let parsed = toml::from_str::<toml::Table>(&format!("x = {value}"))
            .ok()
            .and_then(|mut t| t.remove("x"))
            .unwrap_or_else(|| toml::Value::String(value.into()));
        given.insert(key.trim().into(), parsed);
    }
    let merged = merge(what, serde_json::to_value(T::default())?, given)?;
    serde_json::from_value(merged).with_context(|| format!("an option of {what} has a wrong value"))
}

/// Overwrites defaults, refusing keys they do not have with the nearest one they do.
fn merge(what: &str, mut defaults: serde_json::Value, given: toml::Table) -> Result<serde_json::Value> {
    let Some(table) = defaults.as_object_mut() else { bail!("{what} has no options") };
    for (key, value) in given {
        if !table.contains_key(&key) {
            let nearest = table.keys().min_by_key(|k| edit_distance(k, &key)).cloned().unwrap_or_default();
            let all = table.keys().cloned().collect::<Vec<_>>().join(", ");
            bail!("{what} has no option '{key}'; did you mean '{nearest}'? All: {all}");
        }
        // whole numbers fit where fractions are asked for
        let value = serde_json::to_value(value)?;
        let value = match (&table[&key], value.as_i64()) {
            (old, Some(n)) if old.is_f64() => serde_json::json!(n as f64),
            _ => value,
        };
        table.insert(key, value);
    }
    Ok(defaults)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip::contact::generate::SphereLattice;
    use stickslip::contact::solvers::{NsgsOptions, Order};

    #[test]
    fn names_and_options() {
        assert_eq!(solver("nsgs").unwrap(), SolverSpec::Nsgs(NsgsOptions::default()));
        let SolverSpec::Nsgs(o) = solver("nsgs{omega=1.2, order=\"symmetric\"}").unwrap() else { panic!() };
        assert_eq!((o.omega, o.order), (1.2, Order::Symmetric));
        let SolverSpec::Psor(o) = solver("psor{order={shuffled={seed=3}}}").unwrap() else { panic!() };
        assert_eq!((o.omega, o.order), (1.4, Order::Shuffled { seed: 3 }));
        let SolverSpec::Nsgs(o) = solver("nsgs{omega=1}").unwrap() else { panic!() };
        assert_eq!(o.omega, 1.0);
    }

    #[test]
    fn mistakes_name_the_nearest() {
        for (text, expected) in [
            ("nsg", "did you mean 'nsgs'"),
            ("nsgs{omeg=1.2}", "did you mean 'omega'"),
            ("nsgs{omega=}", "key=value"),
            ("nsgs{omega=1.2", "closing brace"),
            ("nsgs{order=\"forwards\"}", "wrong value"),
        ] {
            let error = format!("{:#}", solver(text).unwrap_err());
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn keyed_words() {
        let words = ["nx=3".to_string(), "mu=1".into(), "walls=false".into()];
        let s: SphereLattice = keyed("sphere-lattice", &words).unwrap();
        assert_eq!((s.nx, s.mu, s.walls), (3, 1.0, false));
        assert!(keyed::<SphereLattice>("sphere-lattice", &["ny=-1".into()]).is_err());
        assert!(keyed::<SphereLattice>("sphere-lattice", &["nonsense".into()]).is_err());
    }
}
