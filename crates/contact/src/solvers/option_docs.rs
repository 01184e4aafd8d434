//! The documentation of every solver's options, as the command line shows it.

use super::SolverSpec;
use documented::DocumentedFields;

impl SolverSpec {
    /// Names and documentation of the options, in the order of the struct.
    pub fn option_docs(&self) -> Vec<(&'static str, &'static str)> {
        match self {
            SolverSpec::Auto(o) => docs(o),
            SolverSpec::Nsgs(o) | SolverSpec::Psor(o) => docs(o),
            SolverSpec::Ipm(o) => docs(o),
            SolverSpec::FpDs(o) => docs(o),
            SolverSpec::FpVi(o) | SolverSpec::EgVi(o) => docs(o),
            SolverSpec::Hyperplane(o) => docs(o),
            SolverSpec::ProxNsgs(o) => docs(o),
            SolverSpec::Tresca(o) => docs(o),
            SolverSpec::Aclm(o) => docs(o),
            SolverSpec::Panagiotopoulos(o) => docs(o),
            SolverSpec::ApgdRelaxation(o) => docs(o),
            SolverSpec::Nncg(o) => docs(o),
            SolverSpec::Anderson(o) => docs(o),
            SolverSpec::NsnAc(o) | SolverSpec::NsnMj(o) | SolverSpec::NsnNm(o) | SolverSpec::NsnFb(o) => docs(o),
            SolverSpec::Ppn(o) => docs(o),
            SolverSpec::Admm(o) | SolverSpec::MgAdmm(o) => docs(o),
            SolverSpec::Lemke2d(o) => docs(o),
            SolverSpec::Cpg2d(o) => docs(o),
            SolverSpec::Enumeration2d(o) => docs(o),
        }
    }
}

fn docs<T: DocumentedFields>(_: &T) -> Vec<(&'static str, &'static str)> {
    T::FIELD_NAMES.iter().copied().zip(T::FIELD_DOCS.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_of_every_solver_is_documented() {
        for s in SolverSpec::catalogue() {
            let value = serde_json::to_value(&s.spec).unwrap();
            let (_, options) = value.as_object().unwrap().iter().next().unwrap();
            let docs = s.spec.option_docs();
            assert_eq!(docs.len(), options.as_object().unwrap().len(), "{}", s.name);
            for key in options.as_object().unwrap().keys() {
                assert!(docs.iter().any(|(name, doc)| name == key && doc.len() > 5), "{}: {key}", s.name);
            }
        }
    }
}
