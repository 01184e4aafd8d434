//! Anderson acceleration of Gauss-Seidel.

use super::course::Memory;
use super::normal_equations::solve_damped;
use super::sweeping::{Looks, Sweeping};
use super::vector::{Columns, dot_lanes};
use super::{Report, Solver, Status, Stop, StopTest, Unknowns, Watch};
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
    history: History,
    /// Where the last sweep came to, and whether the next solve goes on from there.
    last: Vec<[f64; D]>,
    goes_on: bool,
    remembers: bool,
}

/// The last sweeps, their moves and their states. Where the last sweep led to is in r and in its state themselves, and goes
/// into the place of the oldest column when the next one begins.
#[derive(Debug, Clone, Default)]
struct History {
    depth: usize,
    /// G(r) and the states of the sweeps before the last, `depth` columns each.
    sweeps: Columns,
    states: Columns,
    /// The moves f, of the last one too.
    moves: Columns,
    /// Where the sweep of a window began.
    start: Vec<f64>,
    /// `f_i . f_j` by the slots of `moves`; one row is new after each sweep.
    products: Vec<[f64; DEEPEST + 1]>,
    /// The weights gamma of the sweeps before the last, from the youngest on, and how many there are.
    gamma: [f64; DEEPEST],
    weights: usize,
    /// Sweeps since the history was cleared.
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

    /// Solves that end without the answer leave where they came to, so that the next one can [go on](Self::go_on).
    pub(super) fn remember(&mut self) {
        self.remembers = true;
    }

    /// The next solve goes on where the last one ended, with its history, instead of beginning from the point that it is given, which
    /// is only kept as the best. The problem must be the same.
    pub(super) fn go_on(&mut self) {
        self.goes_on = true;
    }

    /// Changes the sweeps between two combinations.
    pub(super) fn set_sweeps(&mut self, sweeps: usize) {
        self.options.sweeps = sweeps;
    }
}

impl History {
    fn begin(&mut self, depth: usize, unknowns: usize, state: usize) {
        self.depth = depth;
        self.sweeps.begin(depth, unknowns);
        self.states.begin(depth, state);
        self.moves.begin(depth + 1, unknowns);
        self.products.resize(depth + 1, [0.0; DEEPEST + 1]);
        self.rows.resize(depth, [0.0; DEEPEST]);
        (self.weights, self.written, self.pace) = (0, 0, Pace::START);
    }

    /// The next sweep, or sweeps, from the best combination of the last ones; returns the norm of the moves. What is done
    /// to a window of contacts is done while it is near.
    #[inline(always)]
    fn sweep<const D: usize, W: Sweep<D> + ?Sized>(
        &mut self,
        arch: Arch,
        problem: &LocalProblem<D, W>,
        r: &mut [[f64; D]],
        v: &mut [f64],
        options: &AndersonOptions,
    ) -> f64 {
        let (n, sweeps) = (r.len(), options.sweeps.max(1));
        let window = if sweeps > 1 { n } else { problem.w.window().clamp(1, n.max(1)) };
        self.start.resize(self.start.len().max(D * window), 0.0);
        let (slot, mut products) = (self.written % (self.depth + 1), [0.0; DEEPEST + 1]);
        self.combine(v, 0, false);
        for from in (0..n).step_by(window) {
            let contacts = from..(from + window).min(n);
            self.combine(r[contacts.clone()].as_flattened_mut(), D * from, true);
            copy_tiles(r[contacts.clone()].as_flattened(), &mut self.start[..D * contacts.len()]);
            for _ in 0..sweeps {
                problem.w.sweep(arch, contacts.clone(), &problem.q, &problem.cones, r, v);
            }
            self.remember(r[contacts].as_flattened(), D * from, slot, &mut products);
        }
        self.products[slot] = products;
        (0..=self.depth).for_each(|k| self.products[k][slot] = products[k]);
        self.written += 1;
        let moved = products[slot].sqrt();
        if self.pace.see(moved, options.growth) {
            self.written = 0;
        }
        self.weights = if self.pace.paused { 0 } else { self.weigh(options.damping) };
        moved
    }

    /// The slot of the moves of the sweep that is so many sweeps older than the last.
    #[inline(always)]
    fn slot(&self, age: usize) -> usize {
        (self.written - 1 - age) % (self.depth + 1)
    }

    /// `x += sum_k gamma_k (column_k - x)` on these entries of r, or of the state, whose last one takes the place of the
    /// oldest; columns two at a time.
    #[inline(always)]
    fn combine(&mut self, x: &mut [f64], from: usize, impulses: bool) {
        if self.written == 0 {
            return;
        }
        let (last, depth, gamma) = (self.written - 1, self.depth, &self.gamma[..self.weights]);
        let columns = if impulses { &mut self.sweeps } else { &mut self.states };
        if let (&[gamma_i, gamma_j], 2) = (gamma, depth) {
            // the oldest is read for the last time where its place is taken
            let (oldest, other) = columns.pair_mut(last % 2, (last + 1) % 2);
            for ((x, i), j) in x.iter_mut().zip(&other[from..]).zip(&mut oldest[from..]) {
                let kept = *x;
                *x += gamma_i * (i - kept) + gamma_j * (*j - kept);
                *j = kept;
            }
            return;
        }
        let mut kept = [0.0; TILE];
        for (t, x) in x.chunks_mut(TILE).enumerate() {
            let (tile, kept) = (from + t * TILE, &mut kept[..x.len()]);
            kept.copy_from_slice(x);
            // a sweep is in the slot of its number; an odd one out is combined with nothing
            let column = |age: usize| &columns.get((last - age) % depth)[tile..];
            for (pair, gamma) in gamma.chunks(2).enumerate() {
                let (i, j) = (2 * pair + 1, 2 * pair + gamma.len());
                let (gamma_i, gamma_j) = (gamma[0], if gamma.len() > 1 { gamma[1] } else { 0.0 });
                for (((x, kept), i), j) in x.iter_mut().zip(&*kept).zip(column(i)).zip(column(j)) {
                    *x += gamma_i * (i - kept) + gamma_j * (j - kept);
                }
            }
            columns.get_mut(last % depth)[tile..][..kept.len()].copy_from_slice(kept);
        }
    }

    /// Writes the moves of a window that a sweep led to `g`, and adds their products with those of the others.
    #[inline(always)]
    fn remember(&mut self, g: &[f64], from: usize, slot: usize, products: &mut [f64; DEEPEST + 1]) {
        let others = self.written.min(self.depth);
        for (t, g) in g.chunks(TILE).enumerate() {
            let tile = from + t * TILE..from + t * TILE + g.len();
            let moves = &mut self.moves.get_mut(slot)[tile.clone()];
            for ((f, g), start) in moves.iter_mut().zip(g).zip(&self.start[t * TILE..]) {
                *f = g - start;
            }
            let newest = &self.moves.get(slot)[tile.clone()];
            products[slot] += dot_lanes(newest, newest);
            for k in (0..others).map(|age| self.slot(age)) {
                products[k] += dot_lanes(newest, &self.moves.get(k)[tile.clone()]);
            }
        }
    }

    /// The weights that make `f + sum_k gamma_k (f_k - f)` least, by damped normal equations; how many there are.
    #[inline(always)]
    fn weigh(&mut self, damping: f64) -> usize {
        let m = self.written.saturating_sub(1).min(self.depth);
        if m == 0 {
            return 0;
        }
        let (p, new) = (&self.products, self.slot(0));
        let mut b = [0.0; DEEPEST];
        for a in 0..m {
            let i = self.slot(a + 1);
            for c in 0..m {
                let j = self.slot(c + 1);
                self.rows[a][c] = (p[i][j] - p[i][new]) - (p[j][new] - p[new][new]);
            }
            b[a] = p[new][new] - p[i][new];
        }
        let found = solve_damped(&mut self.rows, &mut b, m, damping);
        self.gamma[..m].copy_from_slice(&b[..m]);
        if found { m } else { 0 }
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
        let Self { options, memory, history, last, goes_on, remembers } = self;
        let mut sweeping = Sweeping::begin(problem, stop, memory, x);
        let goes_on = std::mem::take(goes_on) && last.len() == x.r.len() && sweeping.course.verdict().is_none();
        if goes_on {
            x.r.copy_from_slice(last);
            sweeping.course.check(x);
        } else {
            history.begin(options.depth.clamp(1, DEEPEST), D * problem.contacts(), problem.w.state_len());
        }
        let looks = Looks { test: StopTest::Light, settled: None, calibrated: true };
        let arch = Arch::new();
        let status = sweeping.sweeps(x, watch, &looks, |r, v| {
            wide(
                arch,
                #[inline(always)]
                || history.sweep(arch, problem, r, v, options),
            )
        });
        if *remembers && status != Status::Converged {
            last.clone_from(&x.r);
        }
        sweeping.course.finish(x, status)
    }

    fn certifies_start(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::SphereLattice;
    use crate::solvers::unwatched;

    /// Sweeps that are stopped again and again arrive with those that are not.
    #[test]
    fn going_on_loses_no_history() {
        let problem = SphereLattice { nx: 3, ny: 3, nz: 30, ..SphereLattice::default() }.spheres().unwrap();
        let stop = Stop { tolerance: 1e-9, ..Stop::default() };
        let mut x = Unknowns::zeros(&problem);
        let whole = Anderson::default().solve(&problem, &mut x, &stop, &mut unwatched());
        assert!(whole.converged() && whole.iterations > 60, "{whole:?}");
        let in_parts = |goes_on: bool| {
            let (mut solver, mut x, mut done) = (Anderson::<3>::default(), Unknowns::zeros(&problem), 0);
            let stop = Stop { max_iterations: 15, ..stop };
            while done < 100 * whole.iterations {
                if goes_on {
                    solver.remember();
                    solver.go_on();
                }
                let report = solver.solve(&problem, &mut x, &stop, &mut unwatched());
                done += report.iterations;
                if report.converged() {
                    break;
                }
            }
            done
        };
        let (on, anew) = (in_parts(true), in_parts(false));
        assert!(on <= whole.iterations + 15 && on < anew, "{} in one, {on} going on, {anew} anew", whole.iterations);
    }
}
