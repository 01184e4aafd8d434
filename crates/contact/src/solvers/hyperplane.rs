//! The hyperplane projection method.

use super::course::{Course, Memory, Step};
use super::vector::{distance, modified, project_step};
use super::{Report, Solver, Stop, Unknowns, Watch};
use crate::block::{dot, sub};
use crate::cone::Cone;
use crate::operator::Delassus;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};

/// The options of [`Hyperplane`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct HyperplaneOptions {
    /// Step of the trial point `z = P_K(r - rho F(r))`, an inverse of W; none by default: `1 / lambda_max(W)`.
    pub rho: Option<f64>,
    /// The line search asks for `F(y) . d >= sigma |d|^2 / rho` with `d = r - z`, `y = r - eta d`; 0.3.
    pub sigma: f64,
    /// A fraction eta that fails is multiplied by this; 2/3.
    pub shrink: f64,
}

impl Default for HyperplaneOptions {
    fn default() -> Self {
        Self { rho: None, sigma: 0.3, shrink: 2.0 / 3.0 }
    }
}

/// Most fractions tried at one iteration.
const TRIES: usize = 60;

/// Halvings of the step along the normal of the hyperplane.
const BISECTIONS: usize = 12;

/// Projects r on K and the far side of a hyperplane that separates r from the solutions.
///
/// Converges for continuous pseudomonotone F without a Lipschitz constant; with Coulomb's law that is not proven.
/// Two products an iteration, none in the line search, because u is linear along it, nor in the projection. With
/// the projection on K alone in its place, as some implementations have it, the steps are too short wherever
/// contacts open or slide, so that F does not vanish at the solution.
///
/// # Reference
/// Solodov & Svaiter, A new projection method for variational inequality problems, SIAM J. Control Optim. 37, 1999,
/// [D, sl. "siconos/numerics"].
#[derive(Debug, Clone, Default)]
pub struct Hyperplane<const D: usize> {
    options: HyperplaneOptions,
    memory: Memory<D>,
    f: Vec<[f64; D]>,
    /// z, then the next r.
    z: Vec<[f64; D]>,
    u_z: Vec<[f64; D]>,
    /// `u` at y.
    u_y: Vec<[f64; D]>,
}

impl<const D: usize> Hyperplane<D> {
    /// A solver with these options.
    pub fn new(options: HyperplaneOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Finds eta; returns `F(y) . (r - y)`, with `F(y)` left in `self.f`.
    fn separate(&mut self, cones: &[Cone], x: &Unknowns<D>, rho: f64) -> f64 {
        let wanted = self.options.sigma * distance(&x.r, &self.z).powi(2) / rho;
        let mut eta = 1.0;
        let mut along: f64 = 0.0;
        for _ in 0..TRIES {
            for ((y, u), z) in self.u_y.iter_mut().zip(&x.u).zip(&self.u_z) {
                *y = std::array::from_fn(|k| u[k] + eta * (z[k] - u[k]));
            }
            modified(cones, &self.u_y, &mut self.f);
            along = (0..self.f.len()).map(|c| dot(&self.f[c], &sub(&x.r[c], &self.z[c]))).sum();
            // NaN passes: the certificate reports it
            let too_short = along < wanted;
            if !too_short {
                break;
            }
            eta *= self.options.shrink;
        }
        eta * along
    }

    /// Projects r on K and the half-space behind the hyperplane, `depth = F(y) . (r - y)`; the answer is left in `z`.
    ///
    /// It is `P_K(r - t F(y))` with the t that puts it on the hyperplane: a decreasing function of one number, without
    /// products.
    fn project(&mut self, cones: &[Cone], r: &[[f64; D]], depth: f64, rho: f64) {
        let (mut low, mut high) = (0.0, rho);
        // 1. bracket
        while self.height(cones, r, depth, high) > 0.0 && high < rho * 1e12 {
            (low, high) = (high, 2.0 * high);
        }
        // 2. bisect; a t a little too large is a step a little too long
        for _ in 0..BISECTIONS {
            let t = 0.5 * (low + high);
            if self.height(cones, r, depth, t) > 0.0 {
                low = t;
            } else {
                high = t;
            }
        }
        self.height(cones, r, depth, high);
    }

    /// `F(y) . (P_K(r - t F(y)) - y)`, with the projection left in `z`.
    fn height(&mut self, cones: &[Cone], r: &[[f64; D]], depth: f64, t: f64) -> f64 {
        project_step(cones, r, t, &self.f, &mut self.z);
        depth + (0..r.len()).map(|c| dot(&self.f[c], &sub(&self.z[c], &r[c]))).sum::<f64>()
    }
}

impl<const D: usize, W: Delassus<D> + ?Sized> Solver<D, W> for Hyperplane<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let n = problem.contacts();
        for vector in [&mut self.f, &mut self.z, &mut self.u_z, &mut self.u_y] {
            vector.resize(n, [0.0; D]);
        }
        let mut memory = std::mem::take(&mut self.memory);
        let mut course = Course::begin(problem, stop, &mut memory, x);
        let rho = self.options.rho.unwrap_or_else(|| course.natural_rho(&mut self.f, &mut self.z));
        let report = course.run(x, watch, |course, x, _| {
            // 1. the trial point
            modified(&problem.cones, &x.u, &mut self.f);
            project_step(&problem.cones, &x.r, rho, &self.f, &mut self.z);
            course.velocity(&self.z, &mut self.u_z);
            // 2. the hyperplane through a point between
            let depth = self.separate(&problem.cones, x, rho);
            // 3. project on it and K together
            self.project(&problem.cones, &x.r, depth, rho);
            let moved = distance(&x.r, &self.z);
            std::mem::swap(&mut x.r, &mut self.z);
            course.velocity(&x.r, &mut x.u);
            Step::by(moved)
        });
        self.memory = memory;
        report
    }
}
