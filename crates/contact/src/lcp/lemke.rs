//! Lexicographic Lemke.

use super::basis::solve_basis;
use super::{Halt, LcpProblem, LcpSolution, LcpStatus};
use crate::matrix::{Dense, DenseLu};
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The options of [`Lemke`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct LemkeOptions {
    /// Most pivots of one path; `None` is `50 (n + 10)`.
    pub max_pivots: Option<usize>,
    /// The certificate that makes the last basis a solution.
    pub tolerance: f64,
    /// After a ray, so many equivalent problems (one or two z made basic beforehand) are tried as other starts.
    pub restarts: usize,
}

impl Default for LemkeOptions {
    fn default() -> Self {
        Self { max_pivots: None, tolerance: 1e-10, restarts: 100 }
    }
}

/// Follows the path of $w = M z + q + d z_0$ from $z_0$ large down to $z_0 = 0$.
///
/// One variable enters, the one that first hits zero leaves, and its complement enters next. Ties are broken by the
/// rows of the basis inverse in lexicographic order, so no basis comes back and the path ends. It ends in a solution
/// for P-matrices and strictly semimonotone M, and for copositive M when q is in the dual of the solutions of
/// LCP(M, 0); for copositive-plus M a ray proves that $M z + q \ge 0, z \ge 0$ is impossible.
///
/// Rows and columns are first scaled to entries of size one. After the last pivot z is computed afresh from its basis,
/// so the certificate does not carry the rounding of the pivots.
///
/// Where M is none of these (a bimatrix game: zero diagonal) the path may end on a ray at once although there is a
/// solution. A principal pivot makes an equivalent problem with another path; after a ray those of one and two z are
/// tried in turn, up to a limit.
///
/// # Reference
/// Lemke 1965; CPS, algorithm 4.4.5, section 4.9 (lexicographic) and 2.3 (principal pivots); [C, section 4.2].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lemke {
    options: LemkeOptions,
}

impl Lemke {
    /// A solver with these options.
    pub fn new(options: LemkeOptions) -> Self {
        Self { options }
    }

    /// Solves from the basis w, after a ray from others.
    pub fn solve(&self, problem: &LcpProblem) -> LcpSolution {
        self.solve_until(problem, &mut |_| false)
    }

    /// The same, asking after every pivot whether to stop; the number of pivots so far is told.
    pub fn solve_until(&self, problem: &LcpProblem, halt: &mut Halt<'_>) -> LcpSolution {
        let n = problem.size();
        let limit = self.options.max_pivots.unwrap_or(50 * (n + 10));
        let mut tableau = Tableau::new(problem);
        let end = tableau.follow(limit, halt);
        let pivots = tableau.pivots;
        let status = match end {
            End::Limit => LcpStatus::IterationLimit,
            End::Halted => LcpStatus::Interrupted,
            End::Ray => return self.other_starts(problem, limit, pivots, halt),
            End::Basis => {
                let z = tableau.answer(problem);
                let good = problem.certify(&z).holds(self.options.tolerance);
                return problem.solution(z, if good { LcpStatus::Solved } else { LcpStatus::Inaccurate }, pivots);
            }
        };
        problem.solution(vec![0.0; n], status, pivots)
    }

    /// After a ray: the paths of equivalent problems.
    fn other_starts(&self, problem: &LcpProblem, limit: usize, first: usize, halt: &mut Halt<'_>) -> LcpSolution {
        let n = problem.size();
        let nothing = |status, pivots| problem.solution(vec![0.0; n], status, pivots);
        let starts = (0..n).flat_map(|i| (i..n).map(move |j| if i == j { vec![i] } else { vec![i, j] }));
        let (mut pivots, mut tried) = (first, 0);
        for set in starts {
            if tried >= self.options.restarts {
                break;
            }
            let Some(other) = principal_pivot(problem, &set) else { continue };
            tried += 1;
            let mut tableau = Tableau::new(&other);
            let end = tableau.follow(limit, &mut |more| halt(pivots + more));
            pivots += tableau.pivots;
            match end {
                End::Halted => return nothing(LcpStatus::Interrupted, pivots),
                End::Basis => {}
                End::Ray | End::Limit => continue,
            }
            // what is basic there and was not exchanged, or was exchanged and is not basic, is basic here
            let there = tableau.basic_z();
            let basic: Vec<usize> = (0..n).filter(|i| there.contains(i) != set.contains(i)).collect();
            let good = |z: &Vec<f64>| problem.certify(z).holds(self.options.tolerance);
            if let Some(z) = solve_basis(problem, &basic).filter(good) {
                return problem.solution(z, LcpStatus::Solved, pivots);
            }
        }
        nothing(LcpStatus::RayTermination, pivots)
    }
}

/// The problem with w and z exchanged on `set`; `None` where M is singular there, nearly so, or the numbers overflow.
fn principal_pivot(problem: &LcpProblem, set: &[usize]) -> Option<LcpProblem> {
    let (n, m, q) = (problem.size(), problem.m(), problem.q());
    let lu = DenseLu::new(m.part(set, set))?;
    // columns of A^-1 [M_set | q_set], and A^-1 itself
    let solved = |f: &dyn Fn(usize) -> f64| lu.solve(&set.iter().map(|&i| f(i)).collect::<Vec<_>>());
    let through: Vec<Vec<f64>> = (0..n)
        .map(|j| match set.contains(&j) {
            true => solved(&|i| f64::from(u8::from(i == j))),
            false => solved(&|i| -m.row(i)[j]),
        })
        .collect();
    let constant = solved(&|i| -q[i]);
    let image = |i: usize, column: &[f64]| match set.iter().position(|&k| k == i) {
        Some(k) => column[k],
        None => set.iter().zip(column).map(|(&k, x)| m.row(i)[k] * x).sum(),
    };
    let own = |i: usize, j: usize| if set.contains(&i) || set.contains(&j) { 0.0 } else { m.row(i)[j] };
    let pivoted = Dense::from_fn(n, n, |i, j| image(i, &through[j]) + own(i, j));
    let rhs = (0..n).map(|i| image(i, &constant) + if set.contains(&i) { 0.0 } else { q[i] });
    LcpProblem::new(pivoted, rhs.collect()).ok()
}

enum End {
    Basis,
    Ray,
    Limit,
    Halted,
}

/// Entries below this are zero: the scaled data have size one.
const ZERO: f64 = 1e-11;

/// `w - M z - d z_0 = q` in the current basis. Columns: n of w (the basis inverse), n of z, z_0, right-hand side.
struct Tableau {
    n: usize,
    width: usize,
    data: Vec<f64>,
    /// The variable of each row: w_i is i, z_i is n + i, z_0 is 2n.
    basic: Vec<usize>,
    /// `z = column * (scaled z) * size`.
    column: Vec<f64>,
    size: f64,
    pivots: usize,
}

impl Tableau {
    fn new(problem: &LcpProblem) -> Self {
        let (n, m) = (problem.size(), problem.m());
        let width = 2 * n + 2;
        let over = |x: f64| if x > 0.0 { 1.0 / x } else { 1.0 };
        let entry = |i: usize, j: usize| m.row(i)[j];
        let row: Vec<f64> = (0..n).map(|i| over((0..n).map(|j| entry(i, j).abs()).fold(0.0, f64::max))).collect();
        let column: Vec<f64> =
            (0..n).map(|j| over((0..n).map(|i| row[i] * entry(i, j).abs()).fold(0.0, f64::max))).collect();
        let size = match (0..n).map(|i| (row[i] * problem.q()[i]).abs()).fold(0.0, f64::max) {
            s if s > 0.0 => s,
            _ => 1.0,
        };
        let mut data = vec![0.0; n * width];
        for i in 0..n {
            let line = &mut data[i * width..(i + 1) * width];
            line[i] = 1.0;
            for j in 0..n {
                line[n + j] = -row[i] * entry(i, j) * column[j];
            }
            line[2 * n] = -1.0;
            line[2 * n + 1] = row[i] * problem.q()[i] / size;
        }
        Self { n, width, data, basic: (0..n).collect(), column, size, pivots: 0 }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.width..(i + 1) * self.width]
    }

    fn rhs(&self, i: usize) -> f64 {
        self.row(i)[self.width - 1]
    }

    /// Pivots until z_0 leaves, nothing leaves, a limit is met or the watcher asks.
    fn follow(&mut self, limit: usize, halt: &mut Halt<'_>) -> End {
        let (n, z0) = (self.n, 2 * self.n);
        if (0..n).all(|i| self.rhs(i) >= 0.0) {
            return End::Basis;
        }
        // z_0 enters where q is lexicographically least, which makes every other row positive
        let least = |&i: &usize, &j: &usize| self.rhs(i).total_cmp(&self.rhs(j)).then(j.cmp(&i));
        let Some(mut leaving) = (0..n).min_by(least) else { return End::Basis };
        let mut entering = z0;
        loop {
            if self.pivots >= limit {
                return End::Limit;
            }
            let left = self.basic[leaving];
            self.pivot(leaving, entering);
            if left == z0 {
                return End::Basis;
            }
            if halt(self.pivots) {
                return End::Halted;
            }
            // the complement of what left enters
            entering = if left < n { left + n } else { left - n };
            match self.ratio_test(entering) {
                Some(row) => leaving = row,
                None => return End::Ray,
            }
        }
    }

    /// The row that first reaches zero as `entering` grows; z_0 where it ties, else the lexicographic least.
    fn ratio_test(&self, entering: usize) -> Option<usize> {
        let column = |i: usize| self.row(i)[entering];
        let largest = (0..self.n).map(|i| column(i).abs()).fold(0.0, f64::max);
        let least_pivot = ZERO * largest.max(1.0);
        let candidates: Vec<usize> = (0..self.n).filter(|&i| column(i) > least_pivot).collect();
        let ratio = |i: usize| self.rhs(i).max(0.0) / column(i);
        let least = candidates.iter().map(|&i| ratio(i)).fold(f64::INFINITY, f64::min);
        // a ratio within the rounding of its own right-hand side ties
        let tied: Vec<usize> =
            candidates.into_iter().filter(|&i| ratio(i) <= least + ZERO * (least + 1.0 / column(i).max(1.0))).collect();
        if let Some(&row) = tied.iter().find(|&&i| self.basic[i] == 2 * self.n) {
            return Some(row);
        }
        tied.into_iter().min_by(|&a, &b| self.lexicographic(a, b, entering))
    }

    /// Compares the rows of the basis inverse over their pivots.
    fn lexicographic(&self, a: usize, b: usize, entering: usize) -> Ordering {
        let (x, y) = (self.row(a), self.row(b));
        for k in 0..self.n {
            let (s, t) = (x[k] / x[entering], y[k] / y[entering]);
            if (s - t).abs() > ZERO * (1.0 + s.abs().max(t.abs())) {
                return s.total_cmp(&t);
            }
        }
        // equal up to rounding: the larger pivot is the safer one
        y[entering].total_cmp(&x[entering])
    }

    fn pivot(&mut self, row: usize, entering: usize) {
        let width = self.width;
        let inverse = 1.0 / self.row(row)[entering];
        let mut line = self.row(row).to_vec();
        line.iter_mut().for_each(|x| *x *= inverse);
        line[entering] = 1.0;
        for (i, other) in self.data.chunks_exact_mut(width).enumerate() {
            let f = other[entering];
            if i == row {
                other.copy_from_slice(&line);
            } else if f != 0.0 {
                other.iter_mut().zip(&line).for_each(|(x, y)| *x -= f * y);
                other[entering] = 0.0;
            }
        }
        self.basic[row] = entering;
        self.pivots += 1;
    }

    /// The indices of the basic z, sorted.
    fn basic_z(&self) -> Vec<usize> {
        let n = self.n;
        let mut basic: Vec<usize> = self.basic.iter().filter(|b| (n..2 * n).contains(*b)).map(|b| b - n).collect();
        basic.sort_unstable();
        basic
    }

    /// z computed afresh from the basis; read off the tableau where the basis matrix is nearly singular.
    fn answer(&self, problem: &LcpProblem) -> Vec<f64> {
        let n = self.n;
        let read = || {
            let mut z = vec![0.0; n];
            for (i, &b) in self.basic.iter().enumerate().filter(|(_, b)| (n..2 * n).contains(*b)) {
                z[b - n] = self.rhs(i).max(0.0) * self.column[b - n] * self.size;
            }
            z
        };
        let error = |z: &Vec<f64>| problem.certify(z).error;
        match solve_basis(problem, &self.basic_z()) {
            Some(z) if error(&z) <= error(&read()) => z,
            _ => read(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(rows: &[&[f64]], q: &[f64]) -> LcpProblem {
        LcpProblem::new(Dense::from_rows(rows).unwrap(), q.to_vec()).unwrap()
    }

    #[test]
    fn nothing_to_do_takes_no_pivot() {
        let s = Lemke::default().solve(&problem(&[&[1.0]], &[2.0]));
        assert_eq!((s.status, s.iterations, s.z[0]), (LcpStatus::Solved, 0, 0.0));
        let empty = LcpProblem::new(Dense::zeros(0, 0), vec![]).unwrap();
        assert_eq!(Lemke::default().solve(&empty).status, LcpStatus::Solved);
    }

    #[test]
    fn an_infeasible_problem_ends_on_a_ray() {
        let p = problem(&[&[1.0, -1.0], &[-1.0, 1.0]], &[-1.0, -1.0]);
        assert_eq!(Lemke::default().solve(&p).status, LcpStatus::RayTermination);
    }

    #[test]
    fn the_pivot_limit_is_a_status() {
        let p = problem(&[&[2.0, 1.0], &[1.0, 2.0]], &[-5.0, -6.0]);
        let short = LemkeOptions { max_pivots: Some(1), ..LemkeOptions::default() };
        assert_eq!(Lemke::new(short).solve(&p).status, LcpStatus::IterationLimit);
        assert_eq!(Lemke::default().solve(&p).status, LcpStatus::Solved);
    }

    #[test]
    fn units_do_not_matter() {
        for (a, b) in [(1e-9, 1e9), (1e8, 1e-12)] {
            let p = problem(&[&[2.0 * a * a, a * b], &[a * b, 2.0 * b * b]], &[-5.0 * a, -6.0 * b]);
            let s = Lemke::default().solve(&p);
            let off = (s.z[0] * a - 4.0 / 3.0).abs() + (s.z[1] * b - 7.0 / 3.0).abs();
            assert!(off < 1e-14, "{s:?}");
        }
    }

    #[test]
    fn options_survive_serde_and_refuse_the_unknown() {
        let o = LemkeOptions::default();
        assert_eq!(serde_json::from_str::<LemkeOptions>(&serde_json::to_string(&o).unwrap()).unwrap(), o);
        assert!(serde_json::from_str::<LemkeOptions>("{\"pivots\": 3}").is_err());
    }
}
