//! Words on the command line that carry options: `nsgs{omega=1.2}` and `nx=10`.

use anyhow::{Context, Result, anyhow, bail};
use serde::de::DeserializeOwned;
use stickslip::contact::lcp::LcpSolverSpec;
use stickslip::contact::solvers::SolverSpec;
use stickslip::contact::solvers::catalog::nearest;

/// Reads `name` or `name{key=value,…}` (TOML values) into a solver.
pub fn solver(text: &str) -> Result<SolverSpec> {
    let (name, options) = split(text)?;
    let spec = SolverSpec::named(name)
        .map_err(|e| match LcpSolverSpec::named(name) {
            Ok(_) => anyhow!(
                "{name} solves linear complementarity problems, and this is a contact problem; take one of {}",
                e.all
            ),
            Err(_) => anyhow!(e),
        })?
        .spec;
    with_options(name, &spec, options)
}

/// The same for complementarity problems; `limits` sets the tolerance and the iterations that no option names.
pub fn lcp_solver(text: &str, limits: impl FnOnce(LcpSolverSpec) -> LcpSolverSpec) -> Result<LcpSolverSpec> {
    let (name, options) = split(text)?;
    // the automatic choice is the method that treats most
    let name = if name == "auto" { "lemke" } else { name };
    let spec = LcpSolverSpec::named(name).map_err(|e| match SolverSpec::named(name) {
        Ok(_) => anyhow!(
            "{name} solves contact problems, and this is a linear complementarity problem; take one of {}",
            e.all
        ),
        Err(_) => anyhow!(e),
    })?;
    with_options(name, &limits(spec.spec), options)
}

/// Whether the name, whatever its options, is one of a complementarity solver alone.
pub fn is_lcp_name(text: &str) -> bool {
    split(text).is_ok_and(|(name, _)| LcpSolverSpec::named(name).is_ok() && SolverSpec::named(name).is_err())
}

/// The name and what stands between the braces.
fn split(text: &str) -> Result<(&str, &str)> {
    Ok(match text.split_once('{') {
        None => (text.trim(), ""),
        Some((name, rest)) => {
            let inner = rest.trim_end().strip_suffix('}');
            (name.trim(), inner.ok_or_else(|| anyhow!("'{text}': the options lack their closing brace"))?)
        }
    })
}

/// The defaults of a name, overwritten by what was given.
fn with_options<T: serde::Serialize + DeserializeOwned>(name: &str, spec: &T, options: &str) -> Result<T> {
    let serde_json::Value::Object(tagged) = serde_json::to_value(spec)? else { bail!("{name} has no options") };
    let (tag, defaults) = tagged.into_iter().next().ok_or_else(|| anyhow!("{name} has no options"))?;
    let given: toml::Table = toml::from_str::<toml::Table>(&format!("options = {{{options}}}"))
        .with_context(|| format!("the options of {name} are not of the form key=value, key=\"word\""))?
        .remove("options")
        .and_then(|t| t.as_table().cloned())
        .unwrap_or_default();
    let merged = merge(name, defaults, given)?;
    serde_json::from_value(serde_json::json!({ tag: merged }))
        .map_err(|e| anyhow!("an option of {name} has a wrong value: {}", suggest(&e.to_string())))
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
    serde_json::from_value(merged)
        .map_err(|e| anyhow!("an option of {what} has a wrong value: {}", suggest(&e.to_string())))
}

/// Overwrites defaults, refusing keys they do not have with the nearest one they do.
fn merge(what: &str, mut defaults: serde_json::Value, given: toml::Table) -> Result<serde_json::Value> {
    let Some(table) = defaults.as_object_mut() else { bail!("{what} has no options") };
    for (key, value) in given {
        if !table.contains_key(&key) {
            let nearest = nearest(&key, table.keys().map(String::as_str)).to_string();
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
    use stickslip::contact::one_contact::OneContactKind;
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
            ("nsgs{order=\"symetric\"}", "did you mean 'symmetric'"),
            ("nsgs{order={shuffled={sed=3}}}", "did you mean 'seed'"),
            ("nsgs{freezing={swps=3}}", "did you mean 'sweeps'"),
            ("nsgs{one_contact=\"sbb\"}", "did you mean 'sbp'"),
            ("nsgs{one_contact={sbp={rhoo=1}}}", "did you mean 'rho'"),
            ("psor{one_contact={ac={gard=false}}}", "did you mean 'guard'"),
            ("nsgs{one_contact={sbp={rho=-1}}}", "not a positive number"),
            ("nsn-ac{line_search=\"armio\"}", "did you mean 'armijo'"),
            ("lemke2d", "did you mean 'lemke-2d'"),
        ] {
            let error = format!("{:#}", solver(text).unwrap_err());
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn one_contact_solvers_by_name_and_with_options() {
        let one = |text: &str| match solver(text).unwrap() {
            SolverSpec::Nsgs(o) | SolverSpec::Psor(o) => o.one_contact,
            other => panic!("{other:?}"),
        };
        for entry in OneContactKind::catalogue() {
            assert_eq!(one(&format!("nsgs{{one_contact=\"{}\"}}", entry.name)), entry.kind);
            assert_eq!(one(&format!("psor{{one_contact={{{}={{}}}}}}", entry.name)), entry.kind);
        }
        let OneContactKind::Ac(ac) = one("nsgs{one_contact={ac={guard=false}}}") else { panic!() };
        assert!(!ac.guard);
        let OneContactKind::LemkePolygon(p) = one("nsgs{one_contact={lemke_polygon={nu=24}}}") else { panic!() };
        assert_eq!(p.nu, 24);
        // whole numbers fit where fractions are asked for
        let OneContactKind::Ipdas(p) = one("nsgs{one_contact={ipdas={gamma_n=1,gamma_t=1e-8}}}") else { panic!() };
        assert_eq!((p.gamma_n, p.gamma_t), (Some(1.0), Some(1e-8)));
    }

    #[test]
    fn complementarity_solvers() {
        let read = |text: &str| lcp_solver(text, |s| s.with_limits(1e-6, 50));
        assert_eq!(read("auto").unwrap().name(), "lemke");
        let LcpSolverSpec::Psor(o) = read("psor{omega=1.2}").unwrap() else { panic!() };
        assert_eq!((o.omega, o.tolerance, o.max_sweeps), (1.2, 1e-6, 50));
        let LcpSolverSpec::Psor(o) = read("psor{max_sweeps=7}").unwrap() else { panic!() };
        assert_eq!(o.max_sweeps, 7);
        for (text, expected) in [
            ("nsgs", "solves contact problems"),
            ("lemkee", "did you mean 'lemke'"),
            ("pgs{omga=1}", "did you mean 'omega'"),
        ] {
            assert!(format!("{:#}", read(text).unwrap_err()).contains(expected), "{text}");
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
