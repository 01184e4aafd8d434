//! Anderson acceleration of Gauss-Seidel.

use super::course::{Course, Memory, Step};
use super::normal_equations::solve_damped;
use super::vector::dot_all;
use super::{Report, Solver, Stop, Unknowns, Watch};
use crate::block::sub;
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};

/// Deepest history.
const DEEPEST: usize = 20;

/// The options of [`Anderson`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct AndersonOptions {
    /// Sweeps remembered, 1 to 20; 8.
    pub depth: usize,
    /// Weight of `|gamma|^2` in the least squares, relative to the mean square of the columns; 1e-10.
    pub damping: f64,
    /// An accelerated r is refused when its certified error exceeds this times the best so far; 1.
    pub growth: f64,
}

impl Default for AndersonOptions {
    fn default() -> Self {
        Self { depth: 8, damping: 1e-10, growth: 1.0 }
    }
}

/// Combines the last sweeps `G(r)` so that their moves `f = G(r) - r` cancel best.
///
/// $$ \min_\gamma \| f_k - \sum_i \gamma_i (f_{i+1} - f_i) \|, \qquad
/// r_{k+1} = P_K(G(r_k) - \sum_i \gamma_i (G(r_{i+1}) - G(r_i))). $$
/// Where the contact statuses have settled the sweep is smooth and this is close to GMRES. The certificate guards
/// it: an accelerated iterate that does not set a new best gives way to the plain sweep, and the history is cleared.
/// Converges where Gauss-Seidel does, in our experience; there is no proof. An iteration costs a sweep, a product and 2 `depth` vectors' work.
///
/// # Reference
/// Walker & Ni, Anderson acceleration for fixed-point iterations, SIAM J. Numer. Anal. 49, 2011.
#[derive(Debug, Clone, Default)]
pub struct Anderson<const D: usize> {
    options: AndersonOptions,
    memory: Memory<D>,
    history: History<D>,
    swept: Vec<[f64; D]>,
}

/// Differences of sweeps and of their moves, a ring of `depth` columns.
#[derive(Debug, Clone, Default)]
struct History<const D: usize> {
    dg: Columns<D>,
    df: Columns<D>,
    g: Vec<[f64; D]>,
    f: Vec<[f64; D]>,
    /// Products of the columns of df; one row is new after each sweep.
    gram: Vec<[f64; DEEPEST]>,
    /// A copy to eliminate in.
    rows: Vec<[f64; DEEPEST]>,
    depth: usize,
    /// Columns written since the history was cleared, and whether g and f hold a sweep.
    columns: usize,
    started: bool,
}

/// Columns of n entries one after another, in memory that grows and stays.
#[derive(Debug, Clone, Default)]
struct Columns<const D: usize> {
    n: usize,
    entries: Vec<[f64; D]>,
}

impl<const D: usize> Columns<D> {
    fn begin(&mut self, depth: usize, n: usize) {
        self.n = n;
        self.entries.resize(self.entries.len().max(depth * n), [0.0; D]);
    }

    fn get(&self, k: usize) -> &[[f64; D]] {
        &self.entries[k * self.n..][..self.n]
    }

    fn get_mut(&mut self, k: usize) -> &mut [[f64; D]] {
        &mut self.entries[k * self.n..][..self.n]
    }
}

impl<const D: usize> Anderson<D> {
    /// A solver with these options.
    pub fn new(options: AndersonOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

impl<const D: usize> History<D> {
    fn begin(&mut self, depth: usize, n: usize) {
        self.depth = depth;
        self.gram.resize(depth, [0.0; DEEPEST]);
        self.dg.begin(depth, n);
        self.df.begin(depth, n);
        self.g.resize(n, [0.0; D]);
        self.f.resize(n, [0.0; D]);
        self.clear();
    }

    fn clear(&mut self) {
        (self.columns, self.started) = (0, false);
    }

    /// Adds the sweep `g` from `r`.
    fn add(&mut self, r: &[[f64; D]], g: &[[f64; D]]) {
        let k = self.columns % self.depth;
        let (dg, df) = (self.dg.get_mut(k), self.df.get_mut(k));
        for c in 0..g.len() {
            let f = sub(&g[c], &r[c]);
            if self.started {
                dg[c] = sub(&g[c], &self.g[c]);
                df[c] = sub(&f, &self.f[c]);
            }
            (self.g[c], self.f[c]) = (g[c], f);
        }
        if self.started {
            self.columns += 1;
            for j in 0..self.len() {
                self.gram[k][j] = dot_all(self.df.get(k), self.df.get(j));
                self.gram[j][k] = self.gram[k][j];
            }
        }
        self.started = true;
    }

    /// Columns there are.
    fn len(&self) -> usize {
        self.columns.min(self.depth)
    }

    /// The weights gamma of the columns, by damped normal equations; returns how many there are.
    fn weights(&mut self, damping: f64, gamma: &mut [f64; DEEPEST]) -> usize {
        let m = self.len();
        self.rows.clone_from(&self.gram);
        (0..m).for_each(|i| gamma[i] = dot_all(self.df.get(i), &self.f));
        if solve_damped(&mut self.rows, gamma, m, damping) { m } else { 0 }
    }
}

impl<const D: usize, W: Sweep<D> + ?Sized> Solver<D, W> for Anderson<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let Self { options, memory, history, swept } = self;
        let n = problem.contacts();
        history.begin(options.depth.clamp(1, DEEPEST), n);
        swept.resize(n, [0.0; D]);
        let mut gamma = [0.0; DEEPEST];
        // what an accelerated r must stay below
        let mut limit = f64::INFINITY;
        Course::begin(problem, stop, memory, x).run(x, watch, |course, x, _| {
            // 0. the certificate decided between the accelerated r and the plain sweep
            if course.error > limit {
                x.r.copy_from_slice(swept);
                course.velocity(&x.r, &mut x.u);
                history.clear();
            }
            // 1. the sweep
            swept.copy_from_slice(&x.r);
            let moved = course.sweep(swept);
            history.add(&x.r, swept);
            // 2. the best combination of the last ones
            let m = history.weights(options.damping, &mut gamma);
            for c in 0..n {
                let mut z = swept[c];
                for (k, gamma) in gamma[..m].iter().enumerate() {
                    let dg = &history.dg.get(k)[c];
                    (0..D).for_each(|d| z[d] -= gamma * dg[d]);
                }
                x.r[c] = if m == 0 { z } else { problem.cones[c].project(&z) };
            }
            course.velocity(&x.r, &mut x.u);
            limit = if m > 0 { options.growth * course.best_error } else { f64::INFINITY };
            Step::by(moved)
        })
    }
}
