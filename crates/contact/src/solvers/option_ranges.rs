//! The values that the options of every solver may take, in one place.

use super::SolverSpec;
use crate::range::OptionRange;
use crate::range::Range::{Above, Ascending, Below, Between, From, Inside};

const AUTO: &[OptionRange] = &[
    ("first_sweeps", From(0.0)),
    ("accelerate_to", From(0.0)),
    ("omega", Inside(0.0, 2.0)),
    ("expected_factorisations", Above(0.0)),
    ("flops", Above(0.0)),
    ("supports_from", From(0.0)),
    ("faces_from", From(0.0)),
    ("multigrid_from", From(0.0)),
    ("interior_point_to", From(0.0)),
];

const SWEEPS: &[OptionRange] = &[
    ("omega", Inside(0.0, 2.0)),
    ("order.windowed.window", From(1.0)),
    ("order.shuffled.seed", From(0.0)),
    ("stop_test.exact.every", From(1.0)),
    ("freezing.sweeps", From(1.0)),
    ("freezing.below", Above(0.0)),
    ("settled", From(0.0)),
];

const IPM: &[OptionRange] = &[
    ("starts", Above(0.0)),
    ("near", From(0.0)),
    ("max_lifts", From(0.0)),
    ("max_steps", From(1.0)),
    ("patience", From(1.0)),
];

const CONSTANT_STEP: &[OptionRange] = &[("rho", Above(0.0))];

const ADAPTIVE_STEP: &[OptionRange] = &[
    ("rho", Above(0.0)),
    ("l", Inside(0.0, 1.0)),
    ("l_min", From(0.0)),
    ("l_min", Below("l")),
    ("shrink", Inside(0.0, 1.0)),
    ("grow", From(1.0)),
];

const HYPERPLANE: &[OptionRange] = &[("rho", Above(0.0)), ("sigma", Inside(0.0, 1.0)), ("shrink", Inside(0.0, 1.0))];

const PROX: &[OptionRange] = &[
    ("alpha", Above(0.0)),
    ("change", Above(1.0)),
    ("range", Above(0.0)),
    ("range", Ascending),
    ("inner", Inside(0.0, 1.0)),
    ("sweeps", From(1.0)),
];

const INNER_SWEEPS: &[OptionRange] = &[("inner", Inside(0.0, 1.0)), ("sweeps", From(1.0))];

const ACLM: &[OptionRange] = &[("inner", Above(0.0)), ("iterations", From(1.0))];

const APGD: &[OptionRange] = &[("solved", Above(0.0))];

const ADMM: &[OptionRange] = &[
    ("rho", Above(0.0)),
    ("every", From(1.0)),
    ("sweeps", From(0.0)),
    ("coulomb_below", From(0.0)),
    ("patience", From(1.0)),
    ("gain", From(1.0)),
    ("renewals", From(0.0)),
    ("depth", Between(0.0, 16.0)),
    ("damping", From(0.0)),
];

const TNNMG: &[OptionRange] = &[("sweeps", From(1.0)), ("steps", From(1.0)), ("epsilon", Above(0.0))];

const ANDERSON: &[OptionRange] =
    &[("depth", Between(1.0, 20.0)), ("damping", From(0.0)), ("growth", From(1.0)), ("sweeps", From(1.0))];

const NEWTON: &[OptionRange] = &[
    ("line_search.armijo.c", Inside(0.0, 0.5)),
    ("line_search.armijo.halvings", From(0.0)),
    ("line_search.goldstein_price.m1", Inside(0.0, 0.5)),
    ("line_search.goldstein_price.m1", Below("line_search.goldstein_price.m2")),
    ("line_search.goldstein_price.m2", Inside(0.0, 1.0)),
    ("line_search.goldstein_price.trials", From(1.0)),
    ("hybrid_sweeps", From(0.0)),
    ("rescue_sweeps", From(0.0)),
    ("rescues", From(0.0)),
    ("patience", From(1.0)),
];

const PPN: &[OptionRange] = &[
    ("polish_below", From(0.0)),
    ("alpha_polish", Above(0.0)),
    ("alpha_rescue", Above(0.0)),
    ("alpha_min", Above(0.0)),
    ("inner_polish", From(1.0)),
    ("inner_rescue", From(1.0)),
    ("inner_tolerance", Above(0.0)),
    ("hybrid_sweeps", From(0.0)),
    ("patience", From(1.0)),
    ("rescue_sweeps", From(0.0)),
    ("rescues", From(0.0)),
];

/// Lemke's path, of contacts and of complementarity problems.
pub(crate) const LEMKE: &[OptionRange] =
    &[("max_pivots", From(1.0)), ("tolerance", Above(0.0)), ("restarts", From(0.0))];

const CPG: &[OptionRange] = &[("max_inner", From(1.0)), ("settle", Inside(0.0, 1.0)), ("max_sweeps", From(1.0))];

const ENUMERATION: &[OptionRange] = &[("max_contacts", Between(1.0, 30.0))];

impl SolverSpec {
    /// The values that the options may take, by name.
    pub fn option_ranges(&self) -> &'static [OptionRange] {
        match self {
            SolverSpec::Auto(_) => AUTO,
            SolverSpec::Nsgs(_) | SolverSpec::Psor(_) => SWEEPS,
            SolverSpec::Ipm(_) => IPM,
            SolverSpec::FpDs(_) => CONSTANT_STEP,
            SolverSpec::FpVi(_) | SolverSpec::EgVi(_) => ADAPTIVE_STEP,
            SolverSpec::Hyperplane(_) => HYPERPLANE,
            SolverSpec::ProxNsgs(_) => PROX,
            SolverSpec::Tresca(_) | SolverSpec::Panagiotopoulos(_) => INNER_SWEEPS,
            SolverSpec::Aclm(_) => ACLM,
            SolverSpec::ApgdRelaxation(_) => APGD,
            SolverSpec::Admm(_) | SolverSpec::MgAdmm(_) => ADMM,
            SolverSpec::Tnnmg(_) => TNNMG,
            SolverSpec::Nncg(_) => &[],
            SolverSpec::Anderson(_) => ANDERSON,
            SolverSpec::NsnAc(_) | SolverSpec::NsnMj(_) | SolverSpec::NsnNm(_) | SolverSpec::NsnFb(_) => NEWTON,
            SolverSpec::Ppn(_) => PPN,
            SolverSpec::Lemke2d(_) => LEMKE,
            SolverSpec::Cpg2d(_) => CPG,
            SolverSpec::Enumeration2d(_) => ENUMERATION,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Freezing, NsgsOptions};
    use super::*;
    use crate::named::options_of;
    use serde_json::{Value, json};

    #[test]
    fn every_number_of_every_solver_has_a_range_and_the_defaults_keep_it() {
        let ranged = |s: &SolverSpec, key: &str| s.option_ranges().iter().any(|(path, _)| *path == key);
        for s in SolverSpec::catalogue() {
            assert_eq!(s.spec.fault(), None, "{}", s.name);
            for (key, value) in options_of(&s.spec) {
                // what is absent by default is a number too, but for what freezing holds
                let number = value.is_number() || value.is_array() || (value.is_null() && key != "freezing");
                assert_eq!(ranged(&s.spec, &key), number, "{}: {key}", s.name);
                for (choice, _) in s.spec.option_choices(&key) {
                    let Some((word, Value::Object(parts))) = choice.as_object().and_then(|t| t.iter().next()) else {
                        continue;
                    };
                    for part in parts.keys() {
                        assert!(ranged(&s.spec, &format!("{key}.{word}.{part}")), "{}: {word}.{part}", s.name);
                    }
                }
            }
        }
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let nan = f64::NAN;
        let made = SolverSpec::Nsgs(NsgsOptions { omega: nan, ..NsgsOptions::default() });
        assert!(made.fault().unwrap().contains("'omega' of nsgs is not a finite number"));
        let freezing = Some(Freezing { sweeps: 0, below: 0.1 });
        let made = SolverSpec::Nsgs(NsgsOptions { freezing, ..NsgsOptions::default() });
        assert!(made.fault().unwrap().contains("freezing.sweeps"));
        for (solver, key, value) in [
            ("nsgs", "omega", json!(0)),
            ("psor", "omega", json!(2.0)),
            ("fp-ds", "rho", json!(0)),
            ("admm", "rho", json!(-1)),
            ("fp-vi", "shrink", json!(2)),
            ("fp-vi", "grow", json!(-1)),
            ("eg-vi", "l", json!(-1)),
            ("prox-nsgs", "alpha", json!(-1)),
            ("prox-nsgs", "change", json!(0)),
            ("prox-nsgs", "range", json!([1.0, 0.1])),
            ("prox-nsgs", "inner", json!(0)),
            ("tresca", "inner", json!(-1)),
            ("aclm", "inner", json!(0)),
            ("ipm", "starts", json!([])),
            ("admm", "every", json!(0)),
            ("anderson", "depth", json!(0)),
            ("anderson", "depth", json!(100)),
            ("auto", "flops", json!(-1)),
            ("enumeration-2d", "max_contacts", json!(1000)),
        ] {
            let given = json!({ solver: { key: value.clone() } });
            let error = serde_json::from_value::<SolverSpec>(given).unwrap_err().to_string();
            let expected = format!("option '{key}' of {solver} is ");
            assert!(error.contains(&expected) && error.contains("; it must be "), "{solver} {key} {value}: {error}");
        }
        for (key, value) in
            [("order", json!({"windowed": {"window": 0}})), ("stop_test", json!({"exact": {"every": 0}}))]
        {
            let error = serde_json::from_value::<SolverSpec>(json!({"nsgs": {key: value}})).unwrap_err().to_string();
            assert!(error.contains("is 0; it must be 1 or more"), "{error}");
        }
    }
}
