//! Anderson acceleration of Gauss-Seidel.

use super::course::Memory;
use super::normal_equations::solve_damped;
use super::sweeping::{Looks, Sweeping};
use super::vector::{Columns, dot_lanes};
use super::{Report, Solver, Stop, StopTest, Unknowns, Watch};
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use crate::wide::wide;
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// Deepest history.
const DEEPEST: usize = 20;

/// Sweeps without a new least move after which acceleration pauses.
const PATIENCE: usize = 10;

/// The options of [`Anderson`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct AndersonOptions {
    /// Sweeps remembered, 1 to 20; 2.
    pub depth: usize,
    /// Weight of `|gamma|^2` in the least squares, relative to the mean square of the columns; 1e-10.
    pub damping: f64,
    /// Acceleration pauses when a sweep moves by more than this times the least so far, until one moves by less; 2.
    pub growth: f64,
    /// Sweeps between two combinations, which count as one iteration; 1. Where a sweep takes no longer than the vectors of a
    /// combination, 3 take less time.
    pub sweeps: usize,
}

impl Default for AndersonOptions {
    fn default() -> Self {
        Self { depth: 2, damping: 1e-10, growth: 2.0, sweeps: 1 }
    }
}

/// Combines the last sweeps `G(r)` so that their moves `f = G(r) - r` cancel best.
///
/// $$ \min_\gamma \| f_k - \sum_i \gamma_i (f_{i+1} - f_i) \|, \qquad
/// r_{k+1} = G(r_k) - \sum_i \gamma_i (G(r_{i+1}) - G(r_i)). $$
/// Where the contact statuses have settled the sweep is smooth and this is close to GMRES; two to four columns do what
/// twenty do. A sweep takes any r into its cones, so the combination is not projected: its state is the same
/// combination of states, and an iteration is a sweep and some vectors' work, without a product. What is certified is
/// what a sweep returned, when its moves suggest it. Moves that grow, or do not fall for long, clear the history, and plain
/// sweeps follow until they move less than any before: it converges where Gauss-Seidel does, in our experience; there is no proof.
///
/// # Reference
/// Walker & Ni, Anderson acceleration for fixed-point iterations, SIAM J. Numer. Anal. 49, 2011.
#[derive(Debug, Clone, Default)]
pub struct Anderson<const D: usize> {
    options: AndersonOptions,
    memory: Memory<D>,
    history: History<D>,
}

/// The last sweeps, their moves and their states: a ring of `depth + 1` columns each.
#[derive(Debug, Clone, Default)]
struct History<const D: usize> {
    depth: usize,
    /// G(r), f and the states.
    sweeps: Columns,
    moves: Columns,
    states: Columns,
    /// Where the sweep began.
    start: Vec<f64>,
    /// `f_i . f_j`; one row is new after each sweep.
    products: Vec<[f64; DEEPEST + 1]>,
    /// The weights gamma of the other columns, by slot, and whether there are any.
    gamma: [f64; DEEPEST + 1],
    weighted: bool,
    /// The slot of the last sweep, and the columns written since the history was cleared.
    newest: usize,
    written: usize,
    pace: Pace,
    /// The normal equations.
    rows: Vec<[f64; DEEPEST]>,
}

/// Entries of every column that are worked on together, while they are near.
const TILE: usize = 256;

/// Whether the moves fall.
#[derive(Debug, Clone, Copy, Default)]
struct Pace {
    least: f64,
    /// Sweeps since then.
    idle: usize,
    /// Plain sweeps until one moves less.
    paused: bool,
}

impl Pace {
    const START: Self = Self { least: f64::INFINITY, idle: 0, paused: false };

    /// Takes the move of a sweep; returns whether acceleration pauses from here.
    fn see(&mut self, moved: f64, growth: f64) -> bool {
        if moved < self.least {
            *self = Self { least: moved, idle: 0, paused: false };
        } else {
            self.idle += 1;
        }
        let pause = !self.paused && (moved > growth * self.least || self.idle > PATIENCE);
        self.paused |= pause;
        pause
    }
}

impl<const D: usize> Anderson<D> {
    /// A solver with these options.
    pub fn new(options: AndersonOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Changes the sweeps between two combinations.
    pub(super) fn set_sweeps(&mut self, sweeps: usize) {
        self.options.sweeps = sweeps;
    }
}

impl<const D: usize> History<D> {
    fn begin(&mut self, depth: usize, n: usize, state: usize) {
        self.depth = depth;
        self.sweeps.begin(depth + 1, D * n);
        self.moves.begin(depth + 1, D * n);
        self.states.begin(depth + 1, state);
        self.start.resize(D * n, 0.0);
        self.products.resize(depth + 1, [0.0; DEEPEST + 1]);
        self.rows.resize(depth, [0.0; DEEPEST]);
        (self.weighted, self.newest, self.written, self.pace) = (false, 0, 0, Pace::START);
    }

    /// The next sweep, or sweeps, from the best combination of the last ones; returns the norm of the moves.
    #[inline(always)]
    fn sweep<W: Sweep<D> + ?Sized>(
        &mut self,
        arch: Arch,
        problem: &LocalProblem<D, W>,
        r: &mut [[f64; D]],
        v: &mut [f64],
        options: &AndersonOptions,
    ) -> f64 {
        if self.weighted {
            self.combine(r.as_flattened_mut(), &self.sweeps);
            self.combine(v, &self.states);
        }
        copy_tiles(r.as_flattened(), &mut self.start);
        for _ in 0..options.sweeps.max(1) {
            problem.w.sweep(arch, &problem.q, &problem.cones, r, v);
        }
        self.remember(r.as_flattened(), v);
        let moved = self.products[self.newest][self.newest].sqrt();
        let pause = self.pace.see(moved, options.growth);
        if pause {
            self.written = 0;
        }
        self.weighted = !self.pace.paused && self.weigh(options.damping);
        moved
    }

    /// `x += sum_k gamma_k (column_k - column_newest)`, two columns at a time.
    #[inline(always)]
    fn combine(&self, x: &mut [f64], columns: &Columns) {
        for (t, x) in x.chunks_mut(TILE).enumerate() {
            let tile = |k: usize| &columns.get(k)[t * TILE..];
            let (newest, mut others) = (tile(self.newest), self.others());
            while let Some(i) = others.next() {
                let j = others.next().unwrap_or(self.newest);
                let (gamma_i, gamma_j) = (self.gamma[i], self.gamma[j]);
                for (((x, newest), i), j) in x.iter_mut().zip(newest).zip(tile(i)).zip(tile(j)) {
                    *x += gamma_i * (i - newest) + gamma_j * (j - newest);
                }
            }
        }
    }

    /// The slots of the sweeps before the last one.
    #[inline(always)]
    fn others(&self) -> impl Iterator<Item = usize> + use<D> {
        let newest = self.newest;
        (0..self.written.min(self.depth + 1)).filter(move |&k| k != newest)
    }

    /// Writes the columns of the sweep that led to `g`, and the products of its moves with the others.
    #[inline(always)]
    fn remember(&mut self, g: &[f64], v: &[f64]) {
        let slot = self.written % (self.depth + 1);
        (self.newest, self.written) = (slot, self.written + 1);
        copy_tiles(v, self.states.get_mut(slot));
        let mut products = [0.0; DEEPEST + 1];
        for (t, g) in g.chunks(TILE).enumerate() {
            let tile = t * TILE..t * TILE + g.len();
            let columns =
                self.moves.get_mut(slot)[tile.clone()].iter_mut().zip(&mut self.sweeps.get_mut(slot)[tile.clone()]);
            for (((f, kept), g), start) in columns.zip(g).zip(&self.start[tile.clone()]) {
                (*f, *kept) = (g - start, *g);
            }
            let newest = &self.moves.get(slot)[tile.clone()];
            products[slot] += dot_lanes(newest, newest);
            for k in self.others() {
                products[k] += dot_lanes(newest, &self.moves.get(k)[tile.clone()]);
            }
        }
        self.products[slot] = products;
        (0..=self.depth).for_each(|k| self.products[k][slot] = products[k]);
    }

    /// The weights that make `f + sum_k gamma_k (f_k - f)` least, by damped normal equations; whether there are any.
    #[inline(always)]
    fn weigh(&mut self, damping: f64) -> bool {
        let (p, new) = (&self.products, self.newest);
        let mut b = [0.0; DEEPEST];
        let mut m = 0;
        for i in self.others() {
            for (j, row) in self.others().zip(&mut self.rows[m]) {
                *row = (p[i][j] - p[i][new]) - (p[j][new] - p[new][new]);
            }
            b[m] = p[new][new] - p[i][new];
            m += 1;
        }
        let found = m > 0 && solve_damped(&mut self.rows, &mut b, m, damping);
        self.others().zip(b).for_each(|(k, gamma)| self.gamma[k] = gamma);
        self.gamma[self.newest] = 0.0;
        found
    }
}

/// A copy tile by tile: long ones go another way in the library, which takes twice as long while they are in the cache.
#[inline(always)]
fn copy_tiles(from: &[f64], to: &mut [f64]) {
    from.chunks(TILE).zip(to.chunks_mut(TILE)).for_each(|(from, to)| to.copy_from_slice(from));
}

impl<const D: usize, W: Sweep<D> + ?Sized> Solver<D, W> for Anderson<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let Self { options, memory, history } = self;
        history.begin(options.depth.clamp(1, DEEPEST), problem.contacts(), problem.w.state_len());
        let looks = Looks { test: StopTest::Light, settled: None, calibrated: true };
        let arch = Arch::new();
        Sweeping::begin(problem, stop, memory, x).run(x, watch, &looks, |r, v| {
            wide(
                arch,
                #[inline(always)]
                || history.sweep(arch, problem, r, v, options),
            )
        })
    }

    fn certifies_start(&self) -> bool {
        true
    }
}
