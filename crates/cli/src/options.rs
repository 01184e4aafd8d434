//! Words on the command line that carry options: `nsgs{omega=1.2}` and `nx=10`.

use anyhow::{Result, anyhow};
use serde::de::DeserializeOwned;
use stickslip::contact::lcp::LcpSolverSpec;
use stickslip::contact::solvers::SolverSpec;
use stickslip::io::solver_text::{over_defaults, split, with_options};

/// Reads `name` or `name{key=value,…}` (TOML values) into a solver.
pub fn solver(text: &str) -> Result<SolverSpec> {
    let (name, options) = split(text).map_err(|e| anyhow!(e))?;
    let spec = SolverSpec::named(name).map_err(|e| match LcpSolverSpec::named(name) {
        Ok(_) => {
            anyhow!(
                "{name} solves linear complementarity problems, and this is a contact problem; take one of {}",
                e.all
            )
        }
        Err(_) => anyhow!(e),
    })?;
    with_options(spec.spec, options).map_err(|e| anyhow!(e))
}

/// The same for complementarity problems; `limits` sets the tolerance and the iterations that no option names.
pub fn lcp_solver(text: &str, limits: impl FnOnce(LcpSolverSpec) -> LcpSolverSpec) -> Result<LcpSolverSpec> {
    let (name, options) = split(text).map_err(|e| anyhow!(e))?;
    // the automatic choice is the method that treats most
    let spec = match SolverSpec::named(name) {
        Ok(s) if matches!(s.spec, SolverSpec::Auto(_)) => LcpSolverSpec::default(),
        contact => {
            let found = LcpSolverSpec::named(name).map_err(|e| match contact {
                Ok(_) => anyhow!(
                    "{name} solves contact problems, and this is a linear complementarity problem; take one of {}",
                    e.all
                ),
                Err(_) => anyhow!(e),
            });
            found?.spec
        }
    };
    with_options(limits(spec), options).map_err(|e| anyhow!(e))
}

/// Whether the name, whatever its options, is one of a complementarity solver alone.
pub fn is_lcp_name(text: &str) -> bool {
    split(text).is_ok_and(|(name, _)| LcpSolverSpec::named(name).is_ok() && SolverSpec::named(name).is_err())
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
    over_defaults(what, given).map_err(|e| anyhow!(e))
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
        let SolverSpec::Auto(o) = solver("auto{first_sweeps=1e3}").unwrap() else { panic!() };
        assert_eq!(o.first_sweeps, 1000);
        assert_eq!(solver("PSOR{}").unwrap(), solver("psor").unwrap());
        assert_eq!(solver("fp-vi{rule=\"upk\"}").unwrap(), solver("fp-vi").unwrap());
        assert_eq!(solver("nsn-ac{line_search=\"armijo\"}").unwrap(), solver("nsn-ac").unwrap());
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
            ("nsgs{one_contact={sbp={rho=-1}}}", "option 'rho' of sbp is -1"),
            ("nsn-ac{line_search=\"armio\"}", "did you mean 'armijo'"),
            ("nsn-ac{line_search={armijo={foo=3}}}", "option 'line_search' of nsn-ac has a wrong value: unknown field"),
            ("lemke3d", "did you mean 'lemke-2d'"),
            ("nsgs{omega=nan}", "option 'omega' of nsgs has a wrong value: NaN, expected a number"),
            ("nsgs{omega=inf}", "option 'omega' of nsgs has a wrong value"),
            ("fp-ds{rho=nan}", "option 'rho' of fp-ds has a wrong value"),
            ("admm{rho=nan}", "option 'rho' of admm has a wrong value"),
            ("auto{first_sweeps=1.5}", "option 'first_sweeps' of auto has a wrong value: "),
            ("auto{first_sweeps=1.5}", "expected a whole number"),
            ("auto{islands=3}", "option 'islands' of auto has a wrong value"),
            ("admm{rho=-1}", "option 'rho' of admm is -1; it must be above 0"),
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
            ("psor{omega=2}", "option 'omega' of psor is 2"),
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
