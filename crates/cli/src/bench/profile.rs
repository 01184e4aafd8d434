//! Performance profiles.

use super::record::Record;
use std::collections::BTreeMap;

/// The share of problems that one solver solves within `tau` times the best time, as steps.
///
/// # Reference
/// Dolan, Moré, Benchmarking optimization software with performance profiles, Math. Program. 91 (2002) 201-213:
/// $\rho_s(\tau) = |\\{p : t_{p,s} \le \tau \min_s t_{p,s}\\}| / n_p$. Problems that no solver solves count in $n_p$.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The solver.
    pub solver: String,
    /// Ratios to the best time of the problems it solves, ascending.
    pub ratios: Vec<f64>,
    /// All problems.
    pub problems: usize,
}

impl Profile {
    /// $\rho_s(\tau)$.
    pub fn rho(&self, tau: f64) -> f64 {
        if self.problems == 0 {
            return 0.0;
        }
        // rounding of a quotient must not move a problem across its own step
        self.ratios.iter().filter(|r| **r <= tau * (1.0 + 1e-12)).count() as f64 / self.problems as f64
    }

    /// The corners of the curve from `tau = 1` to `last`: a step up at each ratio.
    pub fn steps(&self, last: f64) -> Vec<(f64, f64)> {
        let mut points = vec![(1.0, self.rho(1.0))];
        let mut before = self.rho(1.0);
        for r in self.ratios.iter().filter(|r| **r > 1.0 && **r <= last) {
            let now = self.rho(*r);
            if now > before {
                points.extend([(*r, before), (*r, now)]);
                before = now;
            }
        }
        points.push((last, before));
        points
    }
}

/// Times by problem and solver: none where it failed.
pub type Times = BTreeMap<String, BTreeMap<String, Option<f64>>>;

/// The times of some rows, which must share tolerance and start.
pub fn times<'a>(rows: impl IntoIterator<Item = &'a Record>) -> Times {
    let mut times = Times::new();
    for row in rows {
        times.entry(row.file.clone()).or_default().insert(row.solver.clone(), row.time());
    }
    times
}

/// The best of some solvers on every problem, as one more solver.
pub fn add_best(times: &mut Times, name: &str, of: impl Fn(&str) -> bool) {
    for row in times.values_mut() {
        let mut taken = row.iter().filter(|(s, _)| of(s)).map(|(_, t)| *t).peekable();
        if taken.peek().is_some() {
            let best = taken.flatten().min_by(f64::total_cmp);
            row.insert(name.to_string(), best);
        }
    }
}

/// The profiles of the solvers over all problems of the table.
pub fn profiles(times: &Times, solvers: &[String]) -> Vec<Profile> {
    let best = |row: &BTreeMap<String, Option<f64>>| {
        solvers.iter().filter_map(|s| row.get(s).copied().flatten()).min_by(f64::total_cmp)
    };
    let of = |solver: &String| {
        let ratio = |row: &BTreeMap<String, Option<f64>>| Some(row.get(solver).copied().flatten()? / best(row)?);
        let mut ratios: Vec<f64> = times.values().filter_map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        Profile { solver: solver.clone(), ratios, problems: times.len() }
    };
    solvers.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::row;
    use super::*;

    /// Three solvers on four problems; nobody solves the last.
    fn table() -> Times {
        let cells = [
            ("p1", "a", Some(1.0)),
            ("p1", "b", Some(2.0)),
            ("p1", "c", None),
            ("p2", "a", Some(9.0)),
            ("p2", "b", Some(3.0)),
            ("p2", "c", Some(30.0)),
            ("p3", "a", Some(0.7)),
            ("p3", "b", None),
            ("p3", "c", Some(0.7)),
            ("p4", "a", None),
            ("p4", "b", None),
            ("p4", "c", None),
        ];
        let rows: Vec<Record> = cells.iter().map(|(p, s, t)| row(p, 5, s, 1e-4, *t)).collect();
        times(&rows)
    }

    #[test]
    fn shares_of_a_table_worked_by_hand() {
        let solvers = ["a".to_string(), "b".into(), "c".into()];
        let p = profiles(&table(), &solvers);
        assert_eq!(p[0].ratios, [1.0, 1.0, 3.0]);
        assert_eq!(p[1].ratios, [1.0, 2.0]);
        assert_eq!(p[2].ratios, [1.0, 10.0]);
        assert_eq!([1.0, 2.9, 3.0, 1e9].map(|t| p[0].rho(t)), [0.5, 0.5, 0.75, 0.75]);
        assert_eq!([1.0, 2.0, 1e9].map(|t| p[1].rho(t)), [0.25, 0.5, 0.5]);
        assert_eq!([1.0, 9.9, 10.0].map(|t| p[2].rho(t)), [0.25, 0.25, 0.5]);
    }

    #[test]
    fn steps_go_up_at_the_ratios_and_stay() {
        let solvers = ["a".to_string(), "b".into(), "c".into()];
        let p = profiles(&table(), &solvers);
        assert_eq!(p[0].steps(100.0), [(1.0, 0.5), (3.0, 0.5), (3.0, 0.75), (100.0, 0.75)]);
        assert_eq!(p[2].steps(5.0), [(1.0, 0.25), (5.0, 0.25)]);
    }

    #[test]
    fn the_best_of_some_is_their_smallest_time() {
        let mut t = table();
        add_best(&mut t, "best", |s| s != "a");
        assert_eq!(t["p1"]["best"], Some(2.0));
        assert_eq!(t["p3"]["best"], Some(0.7));
        assert_eq!(t["p4"]["best"], None);
        add_best(&mut t, "nobody", |_| false);
        assert!(!t["p1"].contains_key("nobody"));
    }
}
