//! Words on the command line that carry options: `nsgs{omega=1.2}` and `nx=10`.

use anyhow::{Context, Result, anyhow};
use serde::de::DeserializeOwned;
use stickslip::contact::solvers::SolverSpec;
use stickslip::io::solver_text;

/// Reads `name` or `name{key=value,…}` (TOML values) into a solver.
pub fn solver(text: &str) -> Result<SolverSpec> {
    solver_text::solver(text).map_err(|e| anyhow!(e))
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
    let merged = solver_text::merge(what, serde_json::to_value(T::default())?, given).map_err(|e| anyhow!(e))?;
    serde_json::from_value(merged).with_context(|| format!("an option of {what} has a wrong value"))
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
