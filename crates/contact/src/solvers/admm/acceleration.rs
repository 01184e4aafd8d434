//! Anderson acceleration of the iterates (r, u, s, v) together.

use super::super::normal_equations::solve_damped;
use super::super::vector::{Columns, distance_lanes, dot_lanes};

/// Columns at most.
const DEEPEST: usize = 16;
/// An accelerated step may leave a residual so many times the last one before it is taken back.
const GROWTH: f64 = 2.0;
/// Numbers worked on at a time: those of a column and of what it is multiplied with stay in the cache.
const TILE: usize = 1024;

/// The last iterates, a ring of `depth` differences.
#[derive(Debug, Clone, Default)]
pub(in crate::solvers) struct Acceleration {
    depth: usize,
    damping: f64,
    /// The leading part in which residuals are measured.
    measured: usize,
    dg: Columns,
    df: Columns,
    /// Where the last step began, where it ended, and the difference.
    pub x: Vec<f64>,
    pub g: Vec<f64>,
    f: Vec<f64>,
    /// Scalar products of the columns of df.
    gram: [[f64; DEEPEST]; DEEPEST],
    /// Scalar products of the columns of df with f.
    projections: [f64; DEEPEST],
    columns: usize,
    started: bool,
    residual: f64,
}

/// What to do with a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::solvers) enum Outcome {
    /// Go on from the combination in `x`.
    Accelerated,
    /// Go on from the plain step.
    Plain,
    /// The combination before made it worse: go back to the plain step in `g`.
    TakenBack,
}

impl Acceleration {
    /// Empty, for iterates of `total` numbers of which the first `measured` count.
    pub fn begin(&mut self, depth: usize, damping: f64, measured: usize, total: usize) {
        (self.depth, self.damping, self.measured) = (depth.min(DEEPEST), damping, measured);
        self.x.resize(total, 0.0);
        self.dg.begin(self.depth, total);
        self.df.begin(self.depth, measured);
        self.clear();
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        (self.columns, self.started, self.residual) = (0, false, f64::INFINITY);
    }

    /// Takes in the step from `self.x` to `g` and leaves in `self.x` where to go on.
    pub fn advance(&mut self, g: &[f64]) -> Outcome {
        if self.depth == 0 {
            return Outcome::Plain;
        }
        let residual = distance_lanes(&g[..self.measured], &self.x[..self.measured]);
        if self.columns > 0 && (residual.is_nan() || residual > GROWTH * self.residual) {
            self.clear();
            return Outcome::TakenBack;
        }
        self.residual = residual;
        self.add(g);
        let Some(gamma) = self.weights() else { return Outcome::Plain };
        self.combine(&gamma);
        Outcome::Accelerated
    }

    /// Columns there are.
    fn len(&self) -> usize {
        self.columns.min(self.depth)
    }

    fn add(&mut self, g: &[f64]) {
        let (total, measured) = (g.len(), self.measured);
        self.g.resize(total, 0.0);
        self.f.resize(measured, 0.0);
        if self.started {
            let k = self.columns % self.depth;
            for ((dg, g), last) in self.dg.get_mut(k).iter_mut().zip(g).zip(&self.g) {
                *dg = g - last;
            }
            for ((df, (g, x)), f) in self.df.get_mut(k).iter_mut().zip(g.iter().zip(&self.x)).zip(&mut self.f) {
                let now = g - x;
                *df = now - std::mem::replace(f, now);
            }
            self.columns += 1;
            self.multiply(k);
        } else {
            self.f.iter_mut().zip(g.iter().zip(&self.x)).for_each(|(f, (g, x))| *f = g - x);
        }
        self.g.copy_from_slice(g);
        self.started = true;
    }

    /// Products of the new column k, and of f, with all columns, each of which is read once.
    fn multiply(&mut self, k: usize) {
        let m = self.len();
        let (mut row, mut b) = ([0.0; DEEPEST], [0.0; DEEPEST]);
        for (t, f) in self.f.chunks(TILE).enumerate() {
            let tile = |j: usize| &self.df.get(j)[t * TILE..][..f.len()];
            for j in 0..m {
                row[j] += dot_lanes(tile(k), tile(j));
                b[j] += dot_lanes(tile(j), f);
            }
        }
        self.projections = b;
        for j in 0..m {
            (self.gram[k][j], self.gram[j][k]) = (row[j], row[j]);
        }
    }

    /// `min |f - dF gamma|` by damped normal equations.
    fn weights(&self) -> Option<[f64; DEEPEST]> {
        let m = self.len();
        if m == 0 {
            return None;
        }
        let (mut a, mut b) = (self.gram, self.projections);
        solve_damped(&mut a, &mut b, m, self.damping).then_some(b)
    }

    /// `x = g - dG gamma`.
    fn combine(&mut self, gamma: &[f64; DEEPEST]) {
        let m = self.len();
        for (t, (x, g)) in self.x.chunks_mut(TILE).zip(self.g.chunks(TILE)).enumerate() {
            x.copy_from_slice(g);
            for (k, gamma) in gamma[..m].iter().enumerate() {
                x.iter_mut().zip(&self.dg.get(k)[t * TILE..]).for_each(|(x, d)| *x -= gamma * d);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_map_of_three_dimensions_is_solved_in_a_few_steps() {
        // x = A x + 1 with A slow: plain iteration would take a thousand steps
        let a = [0.99, 0.9, -0.5];
        let mut acceleration = Acceleration::default();
        acceleration.begin(5, 1e-14, 3, 3);
        for _ in 0..8 {
            let g: Vec<f64> = acceleration.x.iter().zip(a).map(|(x, a)| a * x + 1.0).collect();
            if acceleration.advance(&g) == Outcome::Plain {
                acceleration.x.copy_from_slice(&g);
            }
        }
        for (x, a) in acceleration.x.iter().zip(a) {
            assert!((x * (1.0 - a) - 1.0).abs() < 1e-6, "{:?}", acceleration.x);
        }
    }

    #[test]
    fn a_step_that_grows_is_taken_back() {
        let mut acceleration = Acceleration::default();
        acceleration.begin(3, 1e-14, 1, 1);
        assert_eq!(acceleration.advance(&[1.0]), Outcome::Plain);
        acceleration.x[0] = 1.0;
        assert_eq!(acceleration.advance(&[1.5]), Outcome::Accelerated);
        acceleration.x[0] = 100.0;
        assert_eq!(acceleration.advance(&[-100.0]), Outcome::TakenBack);
        assert_eq!(acceleration.g, [1.5]);
    }
}
