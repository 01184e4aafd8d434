//! Every solver by name: one closed enum that the command line, files and documentation all read.

use super::Solver;
use super::newton::{Formulation, Nsn, NsnOptions, Ppn, PpnOptions};
use super::nsgs::{Nsgs, NsgsOptions};
use crate::operator::Sweep;
use serde::{Deserialize, Serialize};

/// A solver with its options; in serde, `{ "nsgs": { "omega": 1.0 } }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolverSpec {
    /// Nonsmooth Gauss-Seidel.
    Nsgs(NsgsOptions),
    /// The same with over-relaxation.
    Psor(NsgsOptions),
    /// Nonsmooth Newton, Alart-Curnier function.
    NsnAc(NsnOptions),
    /// Nonsmooth Newton, Jean-Moreau function.
    NsnMj(NsnOptions),
    /// Nonsmooth Newton, natural map.
    NsnNm(NsnOptions),
    /// Nonsmooth Newton, Fischer-Burmeister function.
    NsnFb(NsnOptions),
    /// Proximal point with semismooth Newton.
    Ppn(PpnOptions),
}

impl Default for SolverSpec {
    fn default() -> Self {
        SolverSpec::Nsgs(NsgsOptions::default())
    }
}

/// What the catalogue says of a solver.
#[derive(Debug, Clone, PartialEq)]
pub struct Catalogued {
    /// The name on the command line and in files.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// When to take it.
    pub field: &'static str,
    /// Where it comes from.
    pub reference: &'static str,
    /// The solver with its default options.
    pub spec: SolverSpec,
}

/// A name that is not in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no solver '{name}'; did you mean '{nearest}'? All: {all}")]
pub struct UnknownSolver {
    /// The name given.
    pub name: String,
    /// The nearest one.
    pub nearest: &'static str,
    /// All names.
    pub all: String,
}

impl SolverSpec {
    /// All solvers, in the order of the documentation.
    pub fn catalogue() -> Vec<Catalogued> {
        vec![
            Catalogued {
                name: "nsgs",
                summary: "nonsmooth Gauss-Seidel: one exact contact after the other",
                field: "any problem at 1e-3 to 1e-6, warm starts, packings of moderate height; slow on tall walls",
                reference: "Jean & Touzot 1988; Moreau 1994; [D, eq. 11]",
                spec: SolverSpec::Nsgs(NsgsOptions::default()),
            },
            Catalogued {
                name: "psor",
                summary: "Gauss-Seidel with over-relaxation (omega 1.4)",
                field: "sphere and disc packings, where it saves about a third of the sweeps; no gain on walls",
                reference: "[D, PSOR-*]",
                spec: SolverSpec::Psor(NsgsOptions { omega: 1.4, ..NsgsOptions::default() }),
            },
            Catalogued {
                name: "nsn-ac",
                summary: "nonsmooth Newton on the Alart-Curnier function",
                field: "W of full rank (deformable bodies, few contacts a body) to 1e-10 and beyond; stalls on walls",
                reference: "Alart & Curnier 1991; [D, NSN-AC]",
                spec: SolverSpec::NsnAc(NsnOptions::default()),
            },
            Catalogued {
                name: "nsn-mj",
                summary: "nonsmooth Newton on the Jean-Moreau function",
                field: "as nsn-ac",
                reference: "[D, NSN-MJ]",
                spec: SolverSpec::NsnMj(NsnOptions::default()),
            },
            Catalogued {
                name: "nsn-nm",
                summary: "nonsmooth Newton on the natural map",
                field: "as nsn-ac",
                reference: "[D, NSN-NM]",
                spec: SolverSpec::NsnNm(NsnOptions::default()),
            },
            Catalogued {
                name: "nsn-fb",
                summary: "nonsmooth Newton on the Fischer-Burmeister function",
                field: "as nsn-ac, Coulomb and frictionless contacts and joints only",
                reference: "Fukushima, Luo & Tseng 2001; [D, NSN-FB]",
                spec: SolverSpec::NsnFb(NsnOptions::default()),
            },
            Catalogued {
                name: "ppn",
                summary: "proximal point with semismooth Newton inside",
                field: "the last digits from a good start, whatever the rank of W; walls and stacks to 1e-10",
                reference: "Rockafellar 1976; Alart & Curnier 1991",
                spec: SolverSpec::Ppn(PpnOptions::default()),
            },
        ]
    }

    /// Looks a name up; the error carries the nearest valid one.
    pub fn named(name: &str) -> Result<Catalogued, UnknownSolver> {
        let all = Self::catalogue();
        if let Some(found) = all.iter().find(|s| s.name == name) {
            return Ok(found.clone());
        }
        let nearest = all.iter().map(|s| s.name).min_by_key(|s| edit_distance(s, name)).unwrap_or("nsgs");
        let all = all.iter().map(|s| s.name).collect::<Vec<_>>().join(", ");
        Err(UnknownSolver { name: name.into(), nearest, all })
    }

    /// The name in the catalogue.
    pub fn name(&self) -> &'static str {
        match self {
            SolverSpec::Nsgs(_) => "nsgs",
            SolverSpec::Psor(_) => "psor",
            SolverSpec::NsnAc(_) => "nsn-ac",
            SolverSpec::NsnMj(_) => "nsn-mj",
            SolverSpec::NsnNm(_) => "nsn-nm",
            SolverSpec::NsnFb(_) => "nsn-fb",
            SolverSpec::Ppn(_) => "ppn",
        }
    }

    /// Builds the solver for one dimension and operator.
    pub fn build<const D: usize, W: Sweep<D> + 'static>(&self) -> Box<dyn Solver<D, W>> {
        match self {
            SolverSpec::Nsgs(o) | SolverSpec::Psor(o) => Box::new(Nsgs::<D>::new(o.clone())),
            SolverSpec::NsnAc(o) => Box::new(Nsn::new(Formulation::AlartCurnier, o.clone())),
            SolverSpec::NsnMj(o) => Box::new(Nsn::new(Formulation::JeanMoreau, o.clone())),
            SolverSpec::NsnNm(o) => Box::new(Nsn::new(Formulation::NaturalMap, o.clone())),
            SolverSpec::NsnFb(o) => Box::new(Nsn::new(Formulation::FischerBurmeister, o.clone())),
            SolverSpec::Ppn(o) => Box::new(Ppn::new(o.clone())),
        }
    }
}

/// Levenshtein's distance, for suggestions.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..b.len() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + usize::from(x != b[j])).min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_itself_and_survives_serde() {
        for s in SolverSpec::catalogue() {
            assert_eq!(s.spec.name(), s.name);
            let text = serde_json::to_string(&s.spec).unwrap();
            assert_eq!(serde_json::from_str::<SolverSpec>(&text).unwrap(), s.spec);
        }
    }

    #[test]
    fn a_misspelt_name_gets_the_nearest() {
        assert_eq!(SolverSpec::named("nsg").unwrap_err().nearest, "nsgs");
        assert_eq!(SolverSpec::named("PSOR").unwrap_err().name, "PSOR");
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }
}
