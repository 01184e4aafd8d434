//! Anderson acceleration of Gauss-Seidel.

use super::course::Memory;
use super::normal_equations::solve_damped;
use super::nsgs::{sweep_once, sweep_strands};
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
}

impl Default for AndersonOptions {
    fn default() -> Self {
        Self { depth: 2, damping: 1e-10, growth: 2.0 }
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

/// Differences of sweeps, of their moves and of their states, a ring of `depth` columns each.
#[derive(Debug, Clone, Default)]
struct History<const D: usize> {
    depth: usize,
    dg: Columns,
    df: Columns,
    dv: Columns,
    /// What the combination took away from the last sweep.
    taken: Vec<f64>,
    /// The last sweep (or where the first one begins), its moves and its state.
    g: Vec<f64>,
    f: Vec<f64>,
    v: Vec<f64>,
    /// Products of the columns of df; one row is new after each sweep.
    gram: Vec<[f64; DEEPEST]>,
    /// Products of these columns with the moves.
    moves: [f64; DEEPEST],
    /// A copy to eliminate in, and the weights.
    rows: Vec<[f64; DEEPEST]>,
    gamma: [f64; DEEPEST],
    /// Columns that gamma weighs.
    weighted: usize,
    /// Columns written since the history was cleared, and whether there is a last sweep.
    written: usize,
    started: bool,
    pace: Pace,
}

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
}

impl<const D: usize> History<D> {
    fn begin(&mut self, depth: usize, n: usize, state: usize) {
        self.depth = depth;
        self.dg.begin(depth, D * n);
        self.df.begin(depth, D * n);
        self.dv.begin(depth, state);
        self.gram.resize(depth, [0.0; DEEPEST]);
        for x in [&mut self.taken, &mut self.g, &mut self.f] {
            x.resize(D * n, 0.0);
        }
        self.v.resize(state, 0.0);
        (self.weighted, self.written, self.started, self.pace) = (0, 0, false, Pace::START);
    }

    /// The next sweep, from the best combination of the last ones; returns the norm of its moves.
    #[inline(always)]
    fn sweep<W: Sweep<D> + ?Sized>(
        &mut self,
        problem: &LocalProblem<D, W>,
        r: &mut [[f64; D]],
        v: &mut [f64],
        options: &AndersonOptions,
    ) -> f64 {
        if !self.started {
            self.g.copy_from_slice(r.as_flattened());
        }
        // 1. the combination, in r and in the state
        let gamma = &self.gamma[..self.weighted];
        self.taken.fill(0.0);
        self.dg.add_to(&mut self.taken, gamma);
        for (r, taken) in r.as_flattened_mut().iter_mut().zip(&self.taken) {
            *r -= taken;
        }
        self.dv.take_from(v, gamma);
        // 2. the sweep
        let moved = match problem.w.strands() {
            1 => sweep_once(problem, r, v),
            _ => sweep_strands::<4, D, W>(problem, r, v),
        };
        // 3. its columns, and the weights of the next combination
        let slot = self.remember(r, v);
        let pause = self.pace.see(moved, options.growth);
        self.weigh(slot, options.damping, pause);
        moved
    }

    /// Keeps the sweep and writes its columns; returns their slot once there are any.
    #[inline(always)]
    fn remember(&mut self, g: &[[f64; D]], v: &[f64]) -> Option<usize> {
        let slot = self.written % self.depth;
        let (dg, df) = (self.dg.get_mut(slot), self.df.get_mut(slot));
        difference(g.as_flattened(), (&mut self.g, &self.taken), &mut self.f, dg, df);
        replace_by_difference(v, &mut self.v, self.dv.get_mut(slot));
        if !std::mem::replace(&mut self.started, true) {
            return None;
        }
        self.written += 1;
        Some(slot)
    }

    /// The weights gamma of the columns, by damped normal equations; `pause` clears the history.
    #[inline(always)]
    fn weigh(&mut self, slot: Option<usize>, damping: f64, pause: bool) {
        self.weighted = 0;
        if pause {
            self.written = 0;
        }
        let Some(slot) = slot.filter(|_| !pause) else { return };
        let m = self.written.min(self.depth);
        let newest = self.df.get(slot);
        for k in 0..m {
            let product = dot_lanes(self.df.get(k), newest);
            (self.gram[slot][k], self.gram[k][slot]) = (product, product);
            // df_k . f moved by df_k . df; that of the new column is made whole
            self.moves[k] += product;
        }
        self.moves[slot] = dot_lanes(newest, &self.f);
        if self.pace.paused {
            return;
        }
        self.rows.clone_from(&self.gram);
        self.gamma = self.moves;
        self.weighted = if solve_damped(&mut self.rows, &mut self.gamma, m, damping) { m } else { 0 };
    }
}

/// The columns of the sweep that led to `g`, and g and its moves f in the place of the last ones.
///
/// It began at `last - taken`, so that `f = g - last + taken`.
#[inline(always)]
fn difference(g: &[f64], (last, taken): (&mut [f64], &[f64]), f: &mut [f64], dg: &mut [f64], df: &mut [f64]) {
    let columns = dg.iter_mut().zip(df);
    let lasts = last.iter_mut().zip(f);
    for (((g, taken), (last, f)), (dg, df)) in g.iter().zip(taken).zip(lasts).zip(columns) {
        let moved = (g - *last) + taken;
        *dg = g - *last;
        *df = moved - *f;
        (*last, *f) = (*g, moved);
    }
}

/// `difference = x - last`, then `last = x`.
#[inline(always)]
fn replace_by_difference(x: &[f64], last: &mut [f64], difference: &mut [f64]) {
    for ((x, last), difference) in x.iter().zip(last).zip(difference) {
        *difference = x - *last;
        *last = *x;
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
        let Self { options, memory, history } = self;
        history.begin(options.depth.clamp(1, DEEPEST), problem.contacts(), problem.w.state_len());
        let looks = Looks { test: StopTest::Light, settled: None, calibrated: true };
        let arch = Arch::new();
        Sweeping::begin(problem, stop, memory, x).run(x, watch, &looks, |r, v| {
            wide(
                arch,
                #[inline(always)]
                || history.sweep(problem, r, v, options),
            )
        })
    }
}
