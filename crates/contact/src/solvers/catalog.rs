//! Every solver by name: one closed enum that the command line, files and documentation all read.

use super::auto::{Auto, AutoOptions};
use super::erased::Erased;
use super::ipm::{Ipm, IpmOptions};
use super::newton::{Formulation, Nsn, NsnOptions, Ppn, PpnOptions};
use super::plane::Plane;
use super::{
    Aclm, AclmOptions, Admm, AdmmOptions, Anderson, AndersonOptions, ApgdOptions, ApgdRelaxation, Extragradient,
    FixedPoint, FixedPointOptions, FixedPointVi, Hyperplane, HyperplaneOptions, Nncg, NncgOptions, Nsgs, NsgsOptions,
    Panagiotopoulos, PanagiotopoulosOptions, Prox, ProxOptions, SelfAdaptive, Solver, Tnnmg, TnnmgOptions, Tresca,
    TrescaOptions,
};
use super::{Cpg2d, Cpg2dOptions, Enumeration2d, Enumeration2dOptions, Lemke2d};
use crate::lcp::LemkeOptions;
use crate::mass::Mass;
pub use crate::named::UnknownSolver;
use crate::named::{self, Named};
pub use crate::names::{edit_distance, nearest};
use crate::operator::Sweep;
use crate::problem::{GlobalProblem, ProblemError, Reduced};
use crate::range::OptionRange;
use serde::{Deserialize, Deserializer, Serialize};

/// A solver with its options; in serde, `"nsgs"` or `{ "nsgs": { "omega": 1.0 } }`, where what is left out is as for the
/// name alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolverSpec {
    /// The automatic choice.
    Auto(AutoOptions),
    /// Nonsmooth Gauss-Seidel.
    Nsgs(NsgsOptions),
    /// The same with over-relaxation.
    Psor(NsgsOptions),
    /// Interior point.
    Ipm(IpmOptions),
    /// Fixed-point projection with a constant step.
    FpDs(FixedPointOptions),
    /// Fixed-point projection with a self-adaptive step.
    FpVi(SelfAdaptive),
    /// The extragradient method.
    EgVi(SelfAdaptive),
    /// The hyperplane projection method.
    Hyperplane(HyperplaneOptions),
    /// Proximal points over Gauss-Seidel.
    ProxNsgs(ProxOptions),
    /// Successive Tresca problems.
    Tresca(TrescaOptions),
    /// Fixed point on the sliding speed.
    Aclm(AclmOptions),
    /// Alternating normal and tangential problems.
    Panagiotopoulos(PanagiotopoulosOptions),
    /// Accelerated gradients on the convex relaxation.
    ApgdRelaxation(ApgdOptions),
    /// Alternating directions with a factorisation.
    Admm(AdmmOptions),
    /// Alternating directions with a multigrid cycle.
    MgAdmm(AdmmOptions),
    /// Truncated nonsmooth Newton multigrid.
    Tnnmg(TnnmgOptions),
    /// Nonlinear conjugate gradients over Gauss-Seidel.
    Nncg(NncgOptions),
    /// Anderson acceleration of Gauss-Seidel.
    Anderson(AndersonOptions),
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
    /// Lemke's path on the whole problem, in the plane.
    #[serde(rename = "lemke-2d")]
    Lemke2d(LemkeOptions),
    /// Projected conjugate gradients, in the plane.
    #[serde(rename = "cpg-2d")]
    Cpg2d(Cpg2dOptions),
    /// Every combination of states, in the plane.
    #[serde(rename = "enumeration-2d")]
    Enumeration2d(Enumeration2dOptions),
}

impl Default for SolverSpec {
    fn default() -> Self {
        SolverSpec::Auto(AutoOptions::default())
    }
}

/// What the catalogue says of a solver.
#[derive(Debug, Clone, PartialEq)]
pub struct Catalogued {
    /// The name on the command line and in files.
    pub name: &'static str,
    /// What else it is called, in the literature and by Siconos; case, hyphens and underscores do not matter.
    pub aliases: &'static [&'static str],
    /// One line.
    pub summary: &'static str,
    /// When to take it.
    pub field: &'static str,
    /// Where it comes from.
    pub reference: &'static str,
    /// The solver with its default options.
    pub spec: SolverSpec,
}

impl SolverSpec {
    /// All solvers, in the order of the documentation.
    pub fn catalogue() -> Vec<Catalogued> {
        vec![
            Catalogued {
                name: "auto",
                aliases: &[],
                summary: "the automatic choice: sweeps, then what is expected to end sooner",
                field: "everything; the report says what was done and why",
                reference: "measured rates of convergence against the work of a factorisation",
                spec: SolverSpec::Auto(AutoOptions::default()),
            },
            Catalogued {
                name: "nsgs",
                aliases: &["nlgs", "gauss-seidel"],
                summary: "nonsmooth Gauss-Seidel: one exact contact after the other",
                field: "any problem at 1e-3 to 1e-6, warm starts, packings of moderate height; slow on tall walls",
                reference: "Jean & Touzot 1988; Moreau 1994; [D, eq. 11]",
                spec: SolverSpec::Nsgs(NsgsOptions::default()),
            },
            Catalogued {
                name: "psor",
                aliases: &["sor"],
                summary: "Gauss-Seidel with over-relaxation (omega 1.4)",
                field: "sphere and disc packings, where it saves about a third of the sweeps; no gain on walls",
                reference: "[D, PSOR-*]",
                spec: SolverSpec::Psor(NsgsOptions { omega: 1.4, ..NsgsOptions::default() }),
            },
            Catalogued {
                name: "ipm",
                aliases: &["interior-point"],
                summary: "interior point, the de Saxcé term inside Newton",
                field: "1e-6 to 1e-10, walls and towers, rank-deficient W; one factorisation an iteration",
                reference: "Acary, Armand, Nguyen & Shpakovych; Nesterov & Todd 1998; Mehrotra 1992",
                spec: SolverSpec::Ipm(IpmOptions::default()),
            },
            Catalogued {
                name: "fp-ds",
                aliases: &["dsfp", "uzawa", "de-saxce-feng"],
                summary: "fixed-point projection with a constant step (Uzawa, de Saxcé & Feng)",
                field: "well-conditioned W, any operator (products only); slow on piles",
                reference: "de Saxcé & Feng 1998; [D, FP-DS]",
                spec: SolverSpec::FpDs(FixedPointOptions::default()),
            },
            Catalogued {
                name: "fp-vi",
                aliases: &["vi-fp", "vi-fpp", "fp-vi-upk"],
                summary: "fixed-point projection with a self-adaptive step",
                field: "as fp-ds, with a third of the iterations or fewer",
                reference: "Acary, Brémond, Huber 2018; [D, FP-VI with UPK]",
                spec: SolverSpec::FpVi(SelfAdaptive::default()),
            },
            Catalogued {
                name: "eg-vi",
                aliases: &["eg", "vi-eg", "eg-vi-upk", "extragradient"],
                summary: "extragradient: predict, then correct with the predicted map",
                field: "as fp-vi where that cycles; twice the iterations, each of two products",
                reference: "Korpelevich 1976; Khobotov 1987; [D, EG-VI]",
                spec: SolverSpec::EgVi(SelfAdaptive::default()),
            },
            Catalogued {
                name: "hyperplane",
                aliases: &["hp"],
                summary: "projection on a separating hyperplane, then on the cones",
                field: "comparison only: as many iterations as fp-ds, each several times dearer",
                reference: "Solodov & Svaiter 1999; [D]",
                spec: SolverSpec::Hyperplane(HyperplaneOptions::default()),
            },
            Catalogued {
                name: "prox-nsgs",
                aliases: &["prox", "ppa", "ppa-nsgs", "proximal"],
                summary: "proximal points: Gauss-Seidel on W + alpha I, repeatedly",
                field: "singular W, where it keeps inner problems definite; about as many sweeps as nsgs, slow on sliding piles",
                reference: "Rockafellar 1976; Acary, Brémond, Huber 2018",
                spec: SolverSpec::ProxNsgs(ProxOptions::default()),
            },
            Catalogued {
                name: "tresca",
                aliases: &["tfp", "tresca-fixed-point"],
                summary: "friction bounds frozen, the convex problem solved, bounds updated",
                field: "moderate friction; slow on sliding piles; contacts with rolling keep their own law inside",
                reference: "Haslinger 1983; [D, eq. 12]",
                spec: SolverSpec::Tresca(TrescaOptions::default()),
            },
            Catalogued {
                name: "aclm",
                aliases: &["aclmfp", "aclm-fixed-point"],
                summary: "sliding speeds frozen, the convex problem solved by accelerated gradients, speeds updated",
                field: "large problems and sliding piles, any operator (products only); the fastest of those without sweeps",
                reference: "Acary, Cadoux, Lemaréchal, Malick 2011; [D, eq. 13]",
                spec: SolverSpec::Aclm(AclmOptions::default()),
            },
            Catalogued {
                name: "panagiotopoulos",
                aliases: &["pana", "pfp"],
                summary: "normal and tangential problems in turn",
                field: "comparison: normal and tangential directions weakly coupled; several times the sweeps of nsgs",
                reference: "Panagiotopoulos 1975; [D, PANA-*]",
                spec: SolverSpec::Panagiotopoulos(PanagiotopoulosOptions::default()),
            },
            Catalogued {
                name: "apgd-relaxation",
                aliases: &["apgd"],
                summary: "accelerated projected gradients on the convex relaxation, not Coulomb's law",
                field: "frictionless, Tresca or sticking contacts; where contacts slide it stalls at the relaxation",
                reference: "Mazhar et al. 2015; Anitescu 2006",
                spec: SolverSpec::ApgdRelaxation(ApgdOptions::default()),
            },
            Catalogued {
                name: "admm",
                aliases: &[],
                summary: "alternating directions: a linear system factored once, one projection a contact",
                field: "walls, stacks and piles at rest at 1e-4 to 1e-6, rolling friction; one factorisation a penalty",
                reference: "Boyd et al. 2011; Tasora et al. 2021",
                spec: SolverSpec::Admm(AdmmOptions::default()),
            },
            Catalogued {
                name: "mg-admm",
                aliases: &["multigrid"],
                summary: "alternating directions with one multigrid cycle an iteration",
                field: "large packings and walls at rest: time grows as the contacts; needs M and H (global problems, spheres)",
                reference: "Vaněk, Mandel & Brezina 1996; Boyd et al. 2011",
                spec: SolverSpec::MgAdmm(AdmmOptions::default()),
            },
            Catalogued {
                name: "tnnmg",
                aliases: &["truncated-newton-multigrid"],
                summary: "sweeps, and between them a linear correction over the contacts that hold",
                field: "packings, towers and walls at rest, of any size, to few digits or many: the fastest there; needs M, H and free velocities",
                reference: "Gräser, Sack & Sander 2009; Kornhuber 1994; Bramble, Pasciak & Xu 1990; Washio & Oosterlee 1997; Guendelman, Bridson & Fedkiw 2003",
                spec: SolverSpec::Tnnmg(TnnmgOptions::default()),
            },
            Catalogued {
                name: "nncg",
                aliases: &[],
                summary: "nonsmooth nonlinear conjugate gradients over Gauss-Seidel sweeps",
                field: "as nsgs, where it needs many sweeps: two to four times fewer on packings and walls",
                reference: "Silcowitz-Hansen, Niebe, Erleben 2010",
                spec: SolverSpec::Nncg(NncgOptions::default()),
            },
            Catalogued {
                name: "anderson",
                aliases: &[],
                summary: "Anderson acceleration of Gauss-Seidel sweeps",
                field: "as nsgs, at tight tolerances: three to six times fewer sweeps on packings and walls",
                reference: "Walker & Ni 2011",
                spec: SolverSpec::Anderson(AndersonOptions::default()),
            },
            Catalogued {
                name: "nsn-ac",
                aliases: &["nsn", "alart-curnier"],
                summary: "nonsmooth Newton on the Alart-Curnier function",
                field: "W of full rank (deformable bodies, few contacts a body) to 1e-10 and beyond; stalls on walls",
                reference: "Alart & Curnier 1991; [D, NSN-AC]",
                spec: SolverSpec::NsnAc(NsnOptions::default()),
            },
            Catalogued {
                name: "nsn-mj",
                aliases: &["nsn-jm", "jean-moreau"],
                summary: "nonsmooth Newton on the Jean-Moreau function",
                field: "as nsn-ac",
                reference: "[D, NSN-MJ]",
                spec: SolverSpec::NsnMj(NsnOptions::default()),
            },
            Catalogued {
                name: "nsn-nm",
                aliases: &["natural-map"],
                summary: "nonsmooth Newton on the natural map",
                field: "as nsn-ac",
                reference: "[D, NSN-NM]",
                spec: SolverSpec::NsnNm(NsnOptions::default()),
            },
            Catalogued {
                name: "nsn-fb",
                aliases: &["fischer-burmeister"],
                summary: "nonsmooth Newton on the Fischer-Burmeister function",
                field: "as nsn-ac, Coulomb and frictionless contacts and joints only",
                reference: "Fukushima, Luo & Tseng 2001; [D, NSN-FB]",
                spec: SolverSpec::NsnFb(NsnOptions::default()),
            },
            Catalogued {
                name: "ppn",
                aliases: &["ppa-nsn", "ppa-nsn-ac"],
                summary: "proximal point with semismooth Newton inside",
                field: "the last digits from a good start, whatever the rank of W; walls and stacks to 1e-10",
                reference: "Rockafellar 1976; Alart & Curnier 1991",
                spec: SolverSpec::Ppn(PpnOptions::default()),
            },
            Catalogued {
                name: "lemke-2d",
                aliases: &["lemke"],
                summary: "the whole plane problem as one complementarity problem, by lexicographic Lemke",
                field: "plane only: exact for any friction and any W, up to some 500 contacts; work like their cube",
                reference: "Klarbring 1986; Stewart & Trinkle 1996; [C, section 4.2]",
                spec: SolverSpec::Lemke2d(LemkeOptions::default()),
            },
            Catalogued {
                name: "cpg-2d",
                aliases: &["cpg"],
                summary: "projected conjugate gradients at frozen friction limits, with sweeps between and behind",
                field: "plane only: half the iterations of nsgs on hyperstatic problems with little friction, more elsewhere",
                reference: "Renouf & Alart 2005; Renouf, Dubois & Alart 2006",
                spec: SolverSpec::Cpg2d(Cpg2dOptions::default()),
            },
            Catalogued {
                name: "enumeration-2d",
                aliases: &["enum", "enumeration"],
                summary: "open, stick and both slips at every contact, all combinations",
                field: "plane only: a reference for a handful of contacts, whatever the friction",
                reference: "Klarbring 1990",
                spec: SolverSpec::Enumeration2d(Enumeration2dOptions::default()),
            },
        ]
    }

    /// Looks a name or an alias up; the error carries the nearest valid one.
    pub fn named(name: &str) -> Result<Catalogued, UnknownSolver> {
        named::entry::<Self, _>(name, Self::catalogue(), |s| s.name)
    }

    /// Whether it solves the convex relaxation of Coulomb's law and not the law: its times rank with no other's.
    pub fn is_relaxation(&self) -> bool {
        matches!(self, SolverSpec::ApgdRelaxation(_))
    }

    /// What is wrong with the options, if anything; whatever was read by name has passed this.
    pub fn fault(&self) -> Option<String> {
        let one = match self {
            SolverSpec::Nsgs(o) | SolverSpec::Psor(o) => o.one_contact.fault(),
            SolverSpec::Nncg(o) => o.one_contact.fault(),
            _ => None,
        };
        named::fault_of(self).or(one)
    }

    /// The name in the catalogue.
    pub fn name(&self) -> &'static str {
        match self {
            SolverSpec::Auto(_) => "auto",
            SolverSpec::Nsgs(_) => "nsgs",
            SolverSpec::Psor(_) => "psor",
            SolverSpec::Ipm(_) => "ipm",
            SolverSpec::FpDs(_) => "fp-ds",
            SolverSpec::FpVi(_) => "fp-vi",
            SolverSpec::EgVi(_) => "eg-vi",
            SolverSpec::Hyperplane(_) => "hyperplane",
            SolverSpec::ProxNsgs(_) => "prox-nsgs",
            SolverSpec::Tresca(_) => "tresca",
            SolverSpec::Aclm(_) => "aclm",
            SolverSpec::Panagiotopoulos(_) => "panagiotopoulos",
            SolverSpec::ApgdRelaxation(_) => "apgd-relaxation",
            SolverSpec::Admm(_) => "admm",
            SolverSpec::MgAdmm(_) => "mg-admm",
            SolverSpec::Tnnmg(_) => "tnnmg",
            SolverSpec::Nncg(_) => "nncg",
            SolverSpec::Anderson(_) => "anderson",
            SolverSpec::NsnAc(_) => "nsn-ac",
            SolverSpec::NsnMj(_) => "nsn-mj",
            SolverSpec::NsnNm(_) => "nsn-nm",
            SolverSpec::NsnFb(_) => "nsn-fb",
            SolverSpec::Ppn(_) => "ppn",
            SolverSpec::Lemke2d(_) => "lemke-2d",
            SolverSpec::Cpg2d(_) => "cpg-2d",
            SolverSpec::Enumeration2d(_) => "enumeration-2d",
        }
    }

    /// The reduced problem of a global one whose M is factored, in the form that suits the method: most work on bodies where
    /// they are known, [`Auto`] forms W where that is faster.
    pub fn reduce<const D: usize>(&self, problem: &GlobalProblem<D>, mass: &Mass) -> Result<Reduced<D>, ProblemError> {
        match self {
            SolverSpec::Auto(_) => problem.reduce_without_bodies(mass),
            _ => problem.reduce(mass),
        }
    }

    /// Builds the solver for an operator of any kind; [`build`](Self::build) is quicker to compile.
    ///
    /// Methods made of sweeps are compiled for the operator, all others call it through its trait: a product with W is
    /// long beside a virtual call.
    pub fn build_for<const D: usize, W: Sweep<D> + Send + 'static>(&self) -> Box<dyn Solver<D, W> + Send> {
        match self {
            SolverSpec::Auto(o) => Box::new(Auto::<D>::new(o.clone())),
            SolverSpec::Nsgs(o) | SolverSpec::Psor(o) => Box::new(Nsgs::<D>::new(o.clone())),
            SolverSpec::Ipm(o) => Box::new(Erased(Ipm::new(o.clone()))),
            SolverSpec::FpDs(o) => Box::new(Erased(FixedPoint::<D>::new(o.clone()))),
            SolverSpec::FpVi(o) => Box::new(Erased(FixedPointVi::<D>::new(o.clone()))),
            SolverSpec::EgVi(o) => Box::new(Erased(Extragradient::<D>::new(o.clone()))),
            SolverSpec::Hyperplane(o) => Box::new(Erased(Hyperplane::<D>::new(o.clone()))),
            SolverSpec::ProxNsgs(o) => Box::new(Erased(Prox::<D>::new(o.clone()))),
            SolverSpec::Tresca(o) => Box::new(Erased(Tresca::<D>::new(o.clone()))),
            SolverSpec::Aclm(o) => Box::new(Erased(Aclm::<D>::new(o.clone()))),
            SolverSpec::Panagiotopoulos(o) => Box::new(Erased(Panagiotopoulos::<D>::new(o.clone()))),
            SolverSpec::ApgdRelaxation(o) => Box::new(Erased(ApgdRelaxation::<D>::new(o.clone()))),
            SolverSpec::Admm(o) => Box::new(Erased(Admm::<D>::new(o.clone()))),
            SolverSpec::MgAdmm(o) => Box::new(Erased(Admm::<D>::multigrid(o.clone()))),
            SolverSpec::Tnnmg(o) => Box::new(Tnnmg::<D>::new(o.clone())),
            SolverSpec::Nncg(o) => Box::new(Nncg::<D>::new(o.clone())),
            SolverSpec::Anderson(o) => Box::new(Anderson::<D>::new(o.clone())),
            SolverSpec::NsnAc(o) => Box::new(Erased(Nsn::new(Formulation::AlartCurnier, o.clone()))),
            SolverSpec::NsnMj(o) => Box::new(Erased(Nsn::new(Formulation::JeanMoreau, o.clone()))),
            SolverSpec::NsnNm(o) => Box::new(Erased(Nsn::new(Formulation::NaturalMap, o.clone()))),
            SolverSpec::NsnFb(o) => Box::new(Erased(Nsn::new(Formulation::FischerBurmeister, o.clone()))),
            SolverSpec::Ppn(o) => Box::new(Erased(Ppn::new(o.clone()))),
            SolverSpec::Lemke2d(o) => Box::new(Erased(Plane(Lemke2d::new(o.clone())))),
            SolverSpec::Cpg2d(o) => Box::new(Erased(Plane(Cpg2d::new(*o)))),
            SolverSpec::Enumeration2d(o) => Box::new(Erased(Plane(Enumeration2d::new(*o)))),
        }
    }
}

impl Named for SolverSpec {
    const WHAT: &'static str = "solver";

    fn entries() -> Vec<(&'static str, &'static [&'static str], Self)> {
        Self::catalogue().into_iter().map(|s| (s.name, s.aliases, s.spec)).collect()
    }

    fn called(&self) -> &'static str {
        self.name()
    }

    fn set_options(&mut self, options: serde_json::Value) -> serde_json::Result<()> {
        self.read_options(options)
    }

    fn ranges(&self) -> &'static [OptionRange] {
        self.option_ranges()
    }
}

impl<'de> Deserialize<'de> for SolverSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        named::deserialize(from)
    }
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
        for (word, expected) in [
            ("nsg", "nsgs"),
            ("psro", "psor"),
            ("panagio", "panagiotopoulos"),
            ("apg", "apgd-relaxation"),
            ("nsn-a", "nsn-ac"),
            ("NSGS-AC", "nsgs"),
            ("proxx", "prox-nsgs"),
            ("andersen", "anderson"),
            ("lemk", "lemke-2d"),
        ] {
            let error = SolverSpec::named(word).unwrap_err();
            assert_eq!((error.name.as_str(), error.nearest), (word, expected));
        }
    }

    #[test]
    fn names_of_the_literature_are_taken_as_they_are_written() {
        for (word, expected) in [
            ("NSGS", "nsgs"),
            ("PSOR", "psor"),
            ("FP-DS", "fp-ds"),
            ("FP-VI", "fp-vi"),
            ("EG-VI", "eg-vi"),
            ("EG", "eg-vi"),
            ("HP", "hyperplane"),
            ("PANA", "panagiotopoulos"),
            ("TRESCA", "tresca"),
            ("ACLM", "aclm"),
            ("PROX", "prox-nsgs"),
            ("PPA", "prox-nsgs"),
            ("ADMM", "admm"),
            ("APGD", "apgd-relaxation"),
            ("LEMKE", "lemke-2d"),
            ("CPG", "cpg-2d"),
            ("NSN-AC", "nsn-ac"),
            ("NSN-MJ", "nsn-mj"),
            ("NSN_NM", "nsn-nm"),
            ("nsnfb", "nsn-fb"),
            ("SICONOS_FRICTION_3D_NSGS", "nsgs"),
            ("SICONOS_FRICTION_3D_VI_EG", "eg-vi"),
            ("SICONOS_FRICTION_3D_DSFP", "fp-ds"),
            ("SICONOS_FRICTION_2D_LEMKE", "lemke-2d"),
            ("SICONOS_GLOBAL_FRICTION_3D_ADMM", "admm"),
        ] {
            assert_eq!(SolverSpec::named(word).unwrap().name, expected, "{word}");
        }
        // no spelling stands for two
        let mut all: Vec<String> = SolverSpec::catalogue()
            .iter()
            .flat_map(|s| std::iter::once(s.name).chain(s.aliases.iter().copied()).map(crate::names::bare))
            .collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn names_alone_empty_tables_and_defaults_are_one_in_serde() {
        let read = |text: &str| serde_json::from_str::<SolverSpec>(text).map_err(|e| e.to_string());
        for s in SolverSpec::catalogue() {
            assert_eq!(read(&format!("\"{}\"", s.name)).unwrap(), s.spec);
            assert_eq!(read(&format!("{{\"{}\": {{}}}}", s.name)).unwrap(), s.spec);
        }
        let SolverSpec::Psor(o) = read("{\"psor\": {\"settled\": 1e-9}}").unwrap() else { panic!() };
        assert_eq!((o.omega, o.settled), (1.4, Some(1e-9)));
        for (text, expected) in [
            ("\"nsg\"", "did you mean 'nsgs'? All: auto"),
            ("{\"nsgs\": {\"omeg\": 1}}", "nsgs has no option 'omeg'; did you mean 'omega'? All: "),
            ("{\"nsgs\": {\"omega\": -1}}", "option 'omega' of nsgs is -1; it must be above 0 and below 2"),
            ("{\"nncg\": {\"depth\": 2}}", "nncg has no option 'depth'"),
            ("{\"nsgs\": 3}", "no table"),
            ("{\"nsgs\": {}, \"psor\": {}}", "one solver at a time"),
            ("{}", "names no solver"),
            ("7", "7 is not the name of a solver"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn choices_take_their_defaults_when_they_are_named_alone_or_in_part() {
        use super::super::{LineSearch, Order, StepRule, StopTest};
        let read = |text: &str| serde_json::from_str::<SolverSpec>(text).map_err(|e| e.to_string());
        let search = |text: &str| match read(&format!("{{\"nsn-ac\": {{\"line_search\": {text}}}}}")) {
            Ok(SolverSpec::NsnAc(o)) => Ok(o.line_search),
            other => Err(format!("{other:?}")),
        };
        let goldstein = |m1| LineSearch::GoldsteinPrice { m1, m2: 0.9, trials: 30 };
        assert_eq!(search("\"armijo\""), Ok(LineSearch::default()));
        assert_eq!(search("\"none\""), Ok(LineSearch::None));
        assert_eq!(search("\"goldstein_price\""), Ok(goldstein(0.1)));
        assert_eq!(search("{\"goldstein_price\": {\"m1\": 0.2}}"), Ok(goldstein(0.2)));
        for (text, expected) in [
            ("{\"armijo\": {\"foo\": 3}}", "unknown field `foo`"),
            ("{\"armijo\": {\"c\": 0.5}}", "line_search.armijo.c"),
            ("{\"goldstein_price\": {\"m1\": 0.4, \"m2\": 0.3}}", "below line_search.goldstein_price.m2"),
            ("\"armio\"", "did you mean 'armijo'"),
        ] {
            let error = search(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let SolverSpec::FpVi(o) = read("{\"fp-vi\": {\"rule\": \"upk\"}}").unwrap() else { panic!() };
        assert_eq!(o.rule, StepRule::Khobotov);
        let text = "{\"nsgs\": {\"order\": \"shuffled\", \"stop_test\": \"exact\"}}";
        let SolverSpec::Nsgs(o) = read(text).unwrap() else { panic!() };
        assert_eq!((o.order, o.stop_test), (Order::Shuffled { seed: 0 }, StopTest::Exact { every: 1 }));
    }
}
