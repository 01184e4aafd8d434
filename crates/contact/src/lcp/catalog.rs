//! Every solver of complementarity problems by name.

use super::{
    Enumeration, Halt, LcpProblem, LcpSolution, LcpStatus, Lemke, LemkeOptions, MAX_ENUMERATED, Pgs, PgsOptions,
};
use crate::matrix::Dense;
use crate::named::{self, Named, UnknownSolver};
use crate::qp::{
    ActiveSet, BoxQp, NonsymmetricOptions, NonsymmetricQp, ProjectedCg, ProjectedGradient, QpOptions, QpSolution,
    QpStatus,
};
use crate::range::OptionRange;
use crate::range::Range::{Above, From, Inside};
use crate::solvers::{LEMKE, docs};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// A solver with its options; in serde, `"pgs"` or `{ "pgs": { "omega": 1.0 } }`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LcpSolverSpec {
    /// Lexicographic Lemke.
    Lemke(LemkeOptions),
    /// Projected Gauss-Seidel.
    Pgs(PgsOptions),
    /// The same with over-relaxation.
    Psor(PgsOptions),
    /// Every complementary basis.
    Enumeration(Enumeration),
    /// Gradient projection on the quadratic program.
    ProjectedGradient(QpOptions),
    /// Conjugate gradients on the quadratic program.
    ProjectedCg(QpOptions),
    /// The active set method on the quadratic program.
    ActiveSet(QpOptions),
    /// The active set method for nonsymmetric M.
    NonsymmetricQp(NonsymmetricOptions),
}

impl Default for LcpSolverSpec {
    fn default() -> Self {
        Self::Lemke(LemkeOptions::default())
    }
}

/// What the catalogue says of a solver of complementarity problems.
#[derive(Debug, Clone, PartialEq)]
pub struct CataloguedLcp {
    /// The name on the command line.
    pub name: &'static str,
    /// What else it is called.
    pub aliases: &'static [&'static str],
    /// One line.
    pub summary: &'static str,
    /// When to take it.
    pub field: &'static str,
    /// Where it comes from.
    pub reference: &'static str,
    /// The solver with its default options.
    pub spec: LcpSolverSpec,
}

impl LcpSolverSpec {
    /// All solvers, in the order of the documentation.
    pub fn catalogue() -> Vec<CataloguedLcp> {
        let entry = |name, aliases, summary, field, reference, spec| CataloguedLcp {
            name,
            aliases,
            summary,
            field,
            reference,
            spec,
        };
        vec![
            entry(
                "lemke",
                &["lexicographic-lemke", "lexicolemke"],
                "lexicographic Lemke",
                "the default: copositive M and P-matrices, degenerate or not; work like n^3, a few thousand unknowns",
                "Lemke 1965; Cottle, Pang & Stone 2009, 4.4 and 4.9; [C, section 4.2]",
                Self::Lemke(LemkeOptions::default()),
            ),
            entry(
                "pgs",
                &["projected-gauss-seidel"],
                "projected Gauss-Seidel",
                "symmetric positive definite or diagonally dominant M, few digits",
                "Cryer 1971; Cottle, Pang & Stone 2009, 5.3",
                Self::Pgs(PgsOptions::default()),
            ),
            entry(
                "psor",
                &["sor", "projected-sor"],
                "projected over-relaxation (omega 1.4)",
                "symmetric positive definite M, where pgs is slow",
                "Cryer 1971; Cottle, Pang & Stone 2009, 5.3",
                Self::Psor(PgsOptions { omega: 1.4, ..PgsOptions::default() }),
            ),
            entry(
                "enumeration",
                &["enum"],
                "every complementary basis in turn",
                "any M up to 20 unknowns: the reference, and the proof that there is no solution",
                "Cottle, Pang & Stone 2009, 1.2",
                Self::Enumeration(Enumeration::default()),
            ),
            entry(
                "projected-gradient",
                &["gradient-projection"],
                "gradient projection on the convex quadratic program",
                "symmetric positive semidefinite M, well conditioned",
                "Calamai & Moré 1987",
                Self::ProjectedGradient(QpOptions::default()),
            ),
            entry(
                "projected-cg",
                &["cpg", "gpcg"],
                "conjugate gradients and gradient projection in turn",
                "symmetric positive semidefinite M, large",
                "Dostál & Schöberl 2005; Moré & Toraldo 1991",
                Self::ProjectedCg(QpOptions::default()),
            ),
            entry(
                "active-set",
                &[],
                "primal active set method",
                "symmetric positive definite M, to the last digit",
                "Fletcher 1971; Nocedal & Wright 2006, 16.5",
                Self::ActiveSet(QpOptions::default()),
            ),
            entry(
                "nonsymmetric-qp",
                &["nsqp"],
                "active set method with a nonsymmetric matrix",
                "M with positive definite symmetric part, symmetric or not",
                "Fletcher 1971; [C, section 4.3]",
                Self::NonsymmetricQp(NonsymmetricOptions::default()),
            ),
        ]
    }

    /// Looks a name or an alias up; the error carries the nearest valid one.
    pub fn named(name: &str) -> Result<CataloguedLcp, UnknownSolver> {
        named::entry::<Self, _>(name, Self::catalogue(), |s| s.name)
    }

    /// The name in the catalogue.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Lemke(_) => "lemke",
            Self::Pgs(_) => "pgs",
            Self::Psor(_) => "psor",
            Self::Enumeration(_) => "enumeration",
            Self::ProjectedGradient(_) => "projected-gradient",
            Self::ProjectedCg(_) => "projected-cg",
            Self::ActiveSet(_) => "active-set",
            Self::NonsymmetricQp(_) => "nonsymmetric-qp",
        }
    }

    /// Names and documentation of the options.
    pub fn option_docs(&self) -> Vec<(&'static str, &'static str)> {
        match self {
            Self::Lemke(o) => docs(o),
            Self::Pgs(o) | Self::Psor(o) => docs(o),
            Self::Enumeration(o) => docs(o),
            Self::ProjectedGradient(o) | Self::ProjectedCg(o) | Self::ActiveSet(o) => docs(o),
            Self::NonsymmetricQp(o) => docs(o),
        }
    }

    /// The same solver with its certificate asked down to `tolerance` in at most `iterations`.
    ///
    /// Pivots and bases are finite in number and keep limits of their own.
    pub fn with_limits(mut self, tolerance: f64, iterations: usize) -> Self {
        match &mut self {
            Self::Lemke(o) => o.tolerance = tolerance,
            Self::Enumeration(o) => o.tolerance = tolerance,
            Self::Pgs(o) | Self::Psor(o) => (o.tolerance, o.max_sweeps) = (tolerance, iterations),
            Self::ProjectedGradient(o) | Self::ProjectedCg(o) | Self::ActiveSet(o) => {
                (o.tolerance, o.max_iterations) = (tolerance, iterations);
            }
            Self::NonsymmetricQp(o) => (o.tolerance, o.max_iterations) = (tolerance, iterations),
        }
        self
    }

    /// Solves from z = 0, asking after every iteration whether to stop.
    pub fn solve(&self, problem: &LcpProblem, halt: &mut Halt<'_>) -> LcpSolution {
        match self {
            Self::Lemke(o) => Lemke::new(o.clone()).solve_until(problem, halt),
            Self::Pgs(o) | Self::Psor(o) => Pgs::new(*o).solve_until(problem, halt),
            Self::Enumeration(o) => o.solve_until(problem, halt),
            Self::ProjectedGradient(o) => quadratic(problem, |qp| ProjectedGradient::new(*o).solve_until(qp, halt)),
            Self::ProjectedCg(o) => quadratic(problem, |qp| ProjectedCg::new(*o).solve_until(qp, halt)),
            Self::ActiveSet(o) => quadratic(problem, |qp| ActiveSet::new(*o).solve_until(qp, halt)),
            Self::NonsymmetricQp(o) => nonsymmetric(problem, o, halt),
        }
    }

    /// The relaxation of sweeps.
    fn omega(&self) -> Option<f64> {
        if let Self::Pgs(o) | Self::Psor(o) = self { Some(o.omega) } else { None }
    }

    /// What a user may do about a solve that did not end in a solution.
    pub fn remedy(&self, status: LcpStatus) -> Option<String> {
        Some(match status {
            LcpStatus::Solved => return None,
            LcpStatus::RayTermination => format!(
                "for copositive-plus M this proves that there is no solution; else try enumeration (up to {MAX_ENUMERATED} \
                 unknowns)"
            ),
            LcpStatus::NoSolution => "no basis solves it: look at the signs of M and q".into(),
            LcpStatus::IterationLimit => "allow more iterations (--max-iter), or take lemke".into(),
            LcpStatus::Diverged if self.omega().is_some_and(|omega| !super::pgs::allowed(omega)) => {
                super::pgs::OMEGA.into()
            }
            LcpStatus::Diverged => "M has no positive diagonal or is not definite: take lemke".into(),
            LcpStatus::Inaccurate => "rounding is in the way: a looser tolerance (--tol)".into(),
            LcpStatus::TooLarge => "take lemke".into(),
            LcpStatus::Stalled => "a looser tolerance (--tol), or lemke".into(),
            LcpStatus::Interrupted => "what is reported is the last iterate".into(),
            LcpStatus::Unsupported => "take lemke or nonsymmetric-qp".into(),
        })
    }
}

const SWEEPS: &[OptionRange] = &[("omega", Inside(0.0, 2.0)), ("tolerance", Above(0.0)), ("max_sweeps", From(1.0))];

const LIMITS: &[OptionRange] = &[("tolerance", Above(0.0)), ("max_iterations", From(1.0))];

impl Named for LcpSolverSpec {
    const WHAT: &'static str = "solver of linear complementarity problems";

    fn entries() -> Vec<(&'static str, &'static [&'static str], Self)> {
        Self::catalogue().into_iter().map(|s| (s.name, s.aliases, s.spec)).collect()
    }

    fn called(&self) -> &'static str {
        self.name()
    }

    fn set_options(&mut self, options: Value) -> serde_json::Result<()> {
        match self {
            Self::Lemke(o) => *o = serde_json::from_value(options)?,
            Self::Pgs(o) | Self::Psor(o) => *o = serde_json::from_value(options)?,
            Self::Enumeration(o) => *o = serde_json::from_value(options)?,
            Self::ProjectedGradient(o) | Self::ProjectedCg(o) | Self::ActiveSet(o) => {
                *o = serde_json::from_value(options)?;
            }
            Self::NonsymmetricQp(o) => *o = serde_json::from_value(options)?,
        }
        Ok(())
    }

    fn ranges(&self) -> &'static [OptionRange] {
        match self {
            Self::Lemke(_) => LEMKE,
            Self::Pgs(_) | Self::Psor(_) => SWEEPS,
            Self::Enumeration(_) => &LIMITS[..1],
            Self::ProjectedGradient(_) | Self::ProjectedCg(_) | Self::ActiveSet(_) | Self::NonsymmetricQp(_) => LIMITS,
        }
    }
}

impl<'de> Deserialize<'de> for LcpSolverSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        named::deserialize(from)
    }
}

/// `min_{z >= 0} 1/2 z.M z + q.z`, whose KKT conditions are the LCP when M is symmetric.
fn quadratic(problem: &LcpProblem, solve: impl FnOnce(&BoxQp) -> QpSolution) -> LcpSolution {
    let n = problem.size();
    let qp = BoxQp::new(problem.m().clone(), problem.q().to_vec(), vec![0.0; n], vec![f64::INFINITY; n]);
    match qp {
        Ok(qp) => {
            let found = solve(&qp);
            problem.solution(found.x, status(found.status), found.iterations)
        }
        Err(_) => problem.solution(vec![0.0; n], LcpStatus::Unsupported, 0),
    }
}

/// `M z + q - lambda = 0`, `0 <= lambda`, `z >= 0`: G and N are both -I.
fn nonsymmetric(problem: &LcpProblem, options: &NonsymmetricOptions, halt: &mut Halt<'_>) -> LcpSolution {
    let n = problem.size();
    let minus = || Dense::from_fn(n, n, |i, j| if i == j { -1.0 } else { 0.0 });
    let qp = NonsymmetricQp::new(problem.m().clone(), problem.q().to_vec(), minus(), vec![0.0; n], minus());
    match qp {
        Ok(qp) => {
            let found = qp.solve_until(&vec![0.0; n], options, halt);
            problem.solution(found.x, status(found.status), found.iterations)
        }
        Err(_) => problem.solution(vec![0.0; n], LcpStatus::Unsupported, 0),
    }
}

/// A quadratic program that falls for ever has no stationary point: neither has the LCP a solution.
fn status(qp: QpStatus) -> LcpStatus {
    match qp {
        QpStatus::Solved => LcpStatus::Solved,
        QpStatus::IterationLimit => LcpStatus::IterationLimit,
        QpStatus::Unbounded => LcpStatus::NoSolution,
        QpStatus::Stalled => LcpStatus::Stalled,
        QpStatus::Interrupted => LcpStatus::Interrupted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(rows: &[&[f64]], q: &[f64]) -> LcpProblem {
        LcpProblem::new(Dense::from_rows(rows).unwrap(), q.to_vec()).unwrap()
    }

    #[test]
    fn every_solver_solves_a_definite_problem_and_knows_itself() {
        // a chain of masses pushed against a wall, half of it lifting off
        let n = 12;
        let m = Dense::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => 2.5,
            1 => -1.0,
            _ => 0.0,
        });
        let q = (0..n).map(|i| (i as f64 * 1.7).sin()).collect();
        let p = LcpProblem::new(m, q).unwrap();
        let reference = Enumeration::default().solve(&p);
        assert!(reference.z.iter().any(|z| *z > 0.1) && reference.w.iter().any(|w| *w > 0.1));
        for s in LcpSolverSpec::catalogue() {
            assert_eq!(LcpSolverSpec::named(s.name).unwrap().spec.name(), s.name);
            let text = serde_json::to_string(&s.spec).unwrap();
            assert_eq!(serde_json::from_str::<LcpSolverSpec>(&text).unwrap(), s.spec);
            assert!(!s.spec.option_docs().is_empty() && s.spec.option_docs().iter().all(|(_, doc)| !doc.is_empty()));
            let found = s.spec.solve(&p, &mut |_| false);
            assert_eq!(found.status, LcpStatus::Solved, "{}", s.name);
            let off = found.z.iter().zip(&reference.z).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-9 && found.certificate.holds(1e-10), "{}: {off:e}", s.name);
            // whoever asks is heard, unless it is over before
            let halted = s.spec.solve(&p, &mut |_| true);
            let over = [LcpStatus::Solved, LcpStatus::Interrupted];
            assert!(over.contains(&halted.status) && halted.iterations <= 40, "{}: {halted:?}", s.name);
        }
        assert_eq!(LcpSolverSpec::named("lemk").unwrap_err().nearest, "lemke");
    }

    #[test]
    fn names_and_options_are_read_as_those_of_contact_solvers_are() {
        let read = |text: &str| serde_json::from_str::<LcpSolverSpec>(text).map_err(|e| e.to_string());
        for s in LcpSolverSpec::catalogue() {
            assert_eq!(read(&format!("\"{}\"", s.name)).unwrap(), s.spec);
            assert_eq!(read(&format!("{{\"{}\": {{}}}}", s.name)).unwrap(), s.spec);
            assert!(named::options_of(&s.spec).keys().all(|k| s.spec.ranges().iter().any(|(path, _)| path == k)));
        }
        let LcpSolverSpec::Psor(o) = read("{\"psor\": {\"max_sweeps\": 7}}").unwrap() else { panic!() };
        assert_eq!((o.omega, o.max_sweeps), (1.4, 7));
        assert_eq!(LcpSolverSpec::named("SICONOS_LCP_NSQP").unwrap().name, "nonsymmetric-qp");
        assert_eq!(LcpSolverSpec::named("projected-cgg").unwrap_err().nearest, "projected-cg");
        assert!(read("{\"pgs\": {\"omega\": 2}}").unwrap_err().contains("option 'omega' of pgs is 2;"));
        assert!(read("{\"lemke\": {\"max_pivots\": 0}}").unwrap_err().contains("1 or more"));
    }

    #[test]
    fn a_relaxation_that_diverges_for_every_m_is_told_as_such() {
        let wild = LcpSolverSpec::Pgs(PgsOptions { omega: 3.0, ..PgsOptions::default() });
        let found = wild.solve(&problem(&[&[1.0]], &[-1.0]), &mut |_| false);
        assert_eq!(found.status, LcpStatus::Diverged);
        assert!(wild.remedy(found.status).unwrap().contains("omega"));
    }

    #[test]
    fn what_a_method_cannot_do_is_a_status() {
        let skew = problem(&[&[1.0, 2.0], &[-2.0, 1.0]], &[-1.0, -1.0]);
        let find =
            |name: &str, p: &LcpProblem| LcpSolverSpec::named(name).unwrap().spec.solve(p, &mut |_| false).status;
        for name in ["projected-gradient", "projected-cg", "active-set"] {
            assert_eq!(find(name, &skew), LcpStatus::Unsupported, "{name}");
        }
        assert_eq!(find("nonsymmetric-qp", &skew), LcpStatus::Solved);
        assert_eq!(find("lemke", &skew), LcpStatus::Solved);
        // 0 z - 1 >= 0 has no solution: the program falls for ever
        let none = problem(&[&[0.0]], &[-1.0]);
        for name in ["projected-gradient", "projected-cg", "enumeration"] {
            assert_eq!(find(name, &none), LcpStatus::NoSolution, "{name}");
        }
    }
}
