//! The figures that claims rest on: who solves how many, how fast, and how `auto` stands against the best.

use super::growth::{self, Growth};
use super::peer::{self, SOLVERS};
use super::record::{Record, Start, Verdict};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use stickslip::contact::solvers::SolverSpec;

/// Problems of at least this many contacts are large.
pub const LARGE: usize = 500;

/// All rows in figures.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// One section a start and tolerance.
    pub sections: Vec<Section>,
}

/// The figures of one start and one tolerance.
#[derive(Debug, Clone, Serialize)]
pub struct Section {
    /// The start.
    pub start: Start,
    /// The tolerance.
    pub tol: f64,
    /// Problems.
    pub problems: usize,
    /// Problems that every solver solves which solves at least half of all; relaxations are not asked.
    pub common: usize,
    /// One line a solver.
    pub solvers: Vec<Line>,
    /// `auto` against the best of our other solvers on each problem.
    pub auto_to_ours: Option<Versus>,
    /// `auto` against the best of the peer's solvers on each problem.
    pub auto_to_peer: Option<Versus>,
    /// The same on large problems.
    pub auto_to_peer_large: Option<Versus>,
}

/// One solver.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// Its label.
    pub solver: String,
    /// Problems it was tried on.
    pub tried: usize,
    /// Counts of [`Verdict`], in its order.
    pub verdicts: [usize; 6],
    /// Geometric mean of its CPU seconds on the common problems.
    pub mean_common: Option<f64>,
    /// Geometric mean of its CPU seconds over those of `auto` on the problems that both solve.
    pub over_auto: Option<f64>,
    /// The number of these problems.
    pub with_auto: usize,
    /// Its cost against size.
    pub growth: Option<Growth>,
    /// It solves the convex relaxation, another law, and takes no part in means and comparisons.
    pub relaxation: bool,
    /// What a reader should know.
    pub remark: &'static str,
}

/// `auto` against the best of others, problem by problem.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Versus {
    /// Problems solved by both.
    pub both: usize,
    /// Problems that only `auto` solves.
    pub only_auto: usize,
    /// Problems that only the others solve.
    pub only_other: Vec<String>,
    /// Geometric mean over `both` of the best time of the others over the time of `auto`: above one, `auto` is faster.
    pub speedup: Option<f64>,
    /// The largest time of `auto` over the best time of the others, and where.
    pub worst: Option<(f64, String)>,
    /// Problems of `both` where `auto` is slower.
    pub slower: usize,
}

/// Whether a label is the peer's.
pub fn is_peer(solver: &str) -> bool {
    solver.starts_with(peer::PREFIX)
}

/// Whether a label is the automatic choice with its default options.
pub fn is_auto(solver: &str) -> bool {
    solver == "auto"
}

/// Whether a label is of a solver of the convex relaxation, which is another law: it is counted, and ranked with no other.
pub fn is_relaxation(solver: &str) -> bool {
    match solver.strip_prefix(peer::PREFIX) {
        Some(name) => SOLVERS.iter().any(|s| s.name == name && s.relaxation),
        None => {
            let name = solver.split('{').next().unwrap_or(solver);
            SolverSpec::named(name).is_ok_and(|s| s.spec.is_relaxation())
        }
    }
}

/// exp of the mean logarithm.
pub fn geometric_mean(x: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, n) = x.into_iter().fold((0.0, 0), |(s, n), x| (s + x.ln(), n + 1));
    (n > 0).then(|| (sum / f64::from(n)).exp())
}

/// Labels in the order of their first rows, ours before the peer's, relaxations last.
pub fn labels(rows: &[Record]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for row in rows {
        if !all.contains(&row.solver) {
            all.push(row.solver.clone());
        }
    }
    all.sort_by_key(|s| (is_relaxation(s), is_peer(s), !is_auto(s)));
    all
}

/// Starts and tolerances that have rows, cold and loose first.
pub fn sections(rows: &[Record]) -> Vec<(Start, f64)> {
    let mut all: Vec<(Start, f64)> = rows.iter().map(|r| (r.start, r.tol)).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    all.dedup();
    all
}

/// The rows of one section.
pub fn rows_of(rows: &[Record], start: Start, tol: f64) -> Vec<&Record> {
    rows.iter().filter(|r| r.start == start && r.tol == tol).collect()
}

impl Summary {
    /// Adds everything up.
    pub fn new(rows: &[Record]) -> Self {
        let labels = labels(rows);
        let of = |(start, tol)| Section::new(start, tol, &rows_of(rows, start, tol), &labels);
        Self { sections: sections(rows).into_iter().map(of).collect() }
    }
}

impl Section {
    fn new(start: Start, tol: f64, rows: &[&Record], labels: &[String]) -> Self {
        let files: BTreeSet<&str> = rows.iter().map(|r| r.file.as_str()).collect();
        let mut times: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
        for row in rows {
            if let Some(t) = row.time() {
                times.entry(&row.solver).or_default().insert(&row.file, t);
            }
        }
        let none = BTreeMap::new();
        let of = |label: &str| times.get(label).unwrap_or(&none);
        let able: Vec<&String> =
            labels.iter().filter(|l| !is_relaxation(l) && 2 * of(l).len() >= files.len()).collect();
        let common: Vec<&str> =
            files.iter().copied().filter(|f| !able.is_empty() && able.iter().all(|l| of(l).contains_key(f))).collect();
        let line = |label: &String| {
            let mine: Vec<&Record> = rows.iter().copied().filter(|r| r.solver == *label).collect();
            if mine.is_empty() {
                return None;
            }
            let mut verdicts = [0; 6];
            mine.iter().for_each(|r| verdicts[r.verdict as usize] += 1);
            let relaxation = is_relaxation(label);
            let shared = |(f, t): (&&str, &f64)| Some(t / of("auto").get(f)?);
            let both: Vec<f64> = of(label).iter().filter(|_| !relaxation).filter_map(shared).collect();
            let all_common = able.contains(&label).then(|| geometric_mean(common.iter().map(|f| of(label)[f])));
            let points: Vec<(usize, f64)> = mine.iter().filter_map(|r| Some((r.contacts, r.time()?))).collect();
            Some(Line {
                solver: label.clone(),
                tried: mine.len(),
                verdicts,
                mean_common: all_common.flatten(),
                with_auto: both.len(),
                over_auto: geometric_mean(both),
                growth: growth::fit(&points),
                relaxation,
                remark: if relaxation { RELAXED } else { "" },
            })
        };
        let all = |_: &Record| true;
        let large = |r: &Record| r.contacts >= LARGE;
        let ours = |s: &str| !is_auto(s) && !is_peer(s) && !is_relaxation(s);
        let peers = |s: &str| is_peer(s) && !is_relaxation(s);
        Self {
            start,
            tol,
            problems: files.len(),
            common: common.len(),
            solvers: labels.iter().filter_map(line).collect(),
            auto_to_ours: Versus::new(rows, ours, all),
            auto_to_peer: Versus::new(rows, peers, all),
            auto_to_peer_large: Versus::new(rows, peers, large),
        }
    }
}

impl Versus {
    /// None when `auto` or the others were not tried.
    fn new(rows: &[&Record], other: impl Fn(&str) -> bool, taken: impl Fn(&Record) -> bool) -> Option<Self> {
        let mut auto: BTreeMap<&str, Option<f64>> = BTreeMap::new();
        let mut best: BTreeMap<&str, Option<f64>> = BTreeMap::new();
        for row in rows.iter().filter(|r| taken(r)) {
            if is_auto(&row.solver) {
                auto.insert(&row.file, row.time());
            } else if other(&row.solver) {
                let held = best.entry(&row.file).or_insert(None);
                *held = held.iter().copied().chain(row.time()).min_by(f64::total_cmp);
            }
        }
        // only problems that both sides were tried on
        let pairs: Vec<_> = auto.iter().filter_map(|(f, a)| Some((*f, *a, *best.get(f)?))).collect();
        if pairs.is_empty() {
            return None;
        }
        let both: Vec<(&str, f64, f64)> = pairs.iter().filter_map(|(f, a, b)| Some((*f, (*a)?, (*b)?))).collect();
        let worst = both.iter().map(|(f, a, b)| (a / b, f.to_string())).max_by(|x, y| x.0.total_cmp(&y.0));
        Some(Self {
            both: both.len(),
            only_auto: pairs.iter().filter(|p| p.1.is_some() && p.2.is_none()).count(),
            only_other: pairs.iter().filter(|p| p.1.is_none() && p.2.is_some()).map(|p| p.0.to_string()).collect(),
            speedup: geometric_mean(both.iter().map(|(_, a, b)| b / a)),
            worst,
            slower: both.iter().filter(|(_, a, b)| a > b).count(),
        })
    }

    /// The share of the problems of `both` where `auto` is slower.
    pub fn share_slower(&self) -> f64 {
        if self.both == 0 { 0.0 } else { self.slower as f64 / self.both as f64 }
    }
}

/// What the tables say of a relaxation.
pub const RELAXED: &str = "solves the convex relaxation, not Coulomb's law: not ranked";

/// Verdicts in the order of [`Line::verdicts`], as headings.
pub const VERDICTS: [(Verdict, &str); 6] = [
    (Verdict::Solved, "solved"),
    (Verdict::Inexact, "inexact"),
    (Verdict::Timeout, "timeout"),
    (Verdict::GaveUp, "gave up"),
    (Verdict::Crashed, "crashed"),
    (Verdict::Unsupported, "unsupported"),
];

#[cfg(test)]
mod tests {
    use super::super::record::tests::row;
    use super::*;

    fn rows() -> Vec<Record> {
        let cells: [(&str, usize, &str, Option<f64>); 15] = [
            ("p1", 20, "auto", Some(1.0)),
            ("p1", 20, "nsgs", Some(0.5)),
            ("p1", 20, "ipm", Some(4.0)),
            ("p1", 20, "siconos:nsgs", Some(2.0)),
            ("p1", 20, "siconos:eg", Some(8.0)),
            ("p2", 600, "auto", Some(2.0)),
            ("p2", 600, "nsgs", None),
            ("p2", 600, "ipm", Some(6.0)),
            ("p2", 600, "siconos:nsgs", Some(1.0)),
            ("p2", 600, "siconos:eg", None),
            ("p3", 700, "auto", None),
            ("p3", 700, "nsgs", Some(3.0)),
            ("p3", 700, "ipm", Some(5.0)),
            ("p3", 700, "siconos:nsgs", None),
            ("p3", 700, "siconos:eg", None),
        ];
        cells.iter().map(|(f, n, s, t)| row(f, *n, s, 1e-4, *t)).collect()
    }

    #[test]
    fn figures_of_a_table_worked_by_hand() {
        let summary = Summary::new(&rows());
        let s = &summary.sections[0];
        assert_eq!((s.problems, summary.sections.len()), (3, 1));
        let ours = s.auto_to_ours.as_ref().unwrap();
        assert_eq!((ours.both, ours.only_auto, ours.only_other.len(), ours.slower), (2, 0, 1, 1));
        assert_eq!(ours.worst, Some((2.0, "p1".into())));
        // best of ours over auto: 0.5 and 3
        assert!((ours.speedup.unwrap() - 1.5f64.sqrt()).abs() < 1e-12);
        let peer = s.auto_to_peer.as_ref().unwrap();
        assert_eq!((peer.both, peer.only_auto, peer.only_other.len(), peer.slower), (2, 0, 0, 1));
        // best of the peer over auto: 2 and 1/2
        assert!((peer.speedup.unwrap() - 1.0).abs() < 1e-12 && peer.share_slower() == 0.5);
        let large = s.auto_to_peer_large.as_ref().unwrap();
        assert_eq!((large.both, large.slower), (1, 1));
        assert!((large.speedup.unwrap() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn common_problems_are_those_of_the_able() {
        let summary = Summary::new(&rows());
        let s = &summary.sections[0];
        // eg solves one of three and is left out; p1 is left to the others
        assert_eq!(s.common, 1);
        let line = |name: &str| s.solvers.iter().find(|l| l.solver == name).unwrap();
        assert_eq!(line("ipm").mean_common, Some(4.0));
        assert_eq!(line("siconos:eg").mean_common, None);
        assert_eq!(line("nsgs").verdicts, [2, 0, 1, 0, 0, 0]);
        assert!((line("ipm").over_auto.unwrap() - 12f64.sqrt()).abs() < 1e-12);
        assert_eq!(line("ipm").with_auto, 2);
        assert_eq!(s.solvers.iter().map(|l| l.solver.as_str()).collect::<Vec<_>>()[0], "auto");
    }

    #[test]
    fn relaxations_are_counted_and_ranked_with_no_other() {
        let mut with = rows();
        // faster than everyone, on every problem
        for (file, n) in [("p1", 20), ("p2", 600), ("p3", 700)] {
            for solver in ["apgd-relaxation", "apgd-relaxation{solved=0.1}", "siconos:soclcp", "siconos:g-ipm"] {
                with.insert(0, row(file, n, solver, 1e-4, Some(1e-3)));
            }
        }
        let (with, without) = (&Summary::new(&with).sections[0], &Summary::new(&rows()).sections[0]);
        assert_eq!(with.auto_to_ours, without.auto_to_ours);
        assert_eq!(with.auto_to_peer, without.auto_to_peer);
        assert_eq!(with.auto_to_peer_large, without.auto_to_peer_large);
        assert_eq!(with.common, without.common);
        let (ranked, relaxed) = with.solvers.split_at(without.solvers.len());
        assert!(ranked.iter().all(|l| !l.relaxation && l.remark.is_empty()));
        assert_eq!(relaxed.len(), 4);
        for line in relaxed {
            assert!(line.relaxation && line.remark.contains("not ranked") && line.verdicts[0] == 3, "{line:?}");
            assert!(line.mean_common.is_none() && line.over_auto.is_none(), "{line:?}");
        }
    }

    #[test]
    fn verdicts_have_their_headings() {
        for (k, (verdict, _)) in VERDICTS.iter().enumerate() {
            assert_eq!(*verdict as usize, k);
        }
    }

    #[test]
    fn without_a_peer_there_is_no_comparison() {
        let ours: Vec<Record> = rows().into_iter().filter(|r| !is_peer(&r.solver)).collect();
        let s = &Summary::new(&ours).sections[0];
        assert!(s.auto_to_peer.is_none() && s.auto_to_peer_large.is_none() && s.auto_to_ours.is_some());
        assert!(geometric_mean([]).is_none());
    }
}
