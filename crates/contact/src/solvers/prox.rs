//! The proximal point method over Gauss-Seidel.

use super::course::{Course, Memory};
use super::nsgs::Nsgs;
use super::{Report, Solver, Status, Stop, Unknowns, Watch};
use crate::cone::Cone;
use crate::operator::{Regularised, Sweep};
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};

/// The options of [`Prox`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct ProxOptions {
    /// First alpha, as a part of the mean diagonal entry of W; 0.1.
    pub alpha: f64,
    /// alpha is divided by this after an inner solve that converged and multiplied by it after one that did not; 4.
    pub change: f64,
    /// Smallest and largest alpha, as parts of the mean diagonal entry of W; 1e-6 and 1e2.
    pub range: [f64; 2],
    /// Inner tolerance as a part of the outer error; 0.1.
    pub inner: f64,
    /// Most sweeps of an inner solve; 200.
    pub sweeps: usize,
}

impl Default for ProxOptions {
    fn default() -> Self {
        Self { alpha: 0.1, change: 4.0, range: [1e-6, 1e2], inner: 0.1, sweeps: 200 }
    }
}

/// `r_{k+1}` solves the problem with `W + alpha I` and `q - alpha r_k`, by [`Nsgs`]; alpha adapts.
///
/// Where W is singular (more contacts than bodies can bear) every inner problem is definite. Converges for monotone
/// problems whatever alpha; with Coulomb's law as far as Gauss-Seidel does, and slowly where it is slow. Iterations
/// are inner sweeps.
///
/// # Reference
/// Rockafellar, Monotone operators and the proximal point algorithm, SIAM J. Control Optim. 14, 1976; Acary,
/// Brémond, Huber 2018, the proximal methods; [D, sl. "siconos/numerics"].
#[derive(Debug, Clone, Default)]
pub struct Prox<const D: usize> {
    options: ProxOptions,
    memory: Memory<D>,
    nsgs: Nsgs<D>,
    q: Vec<[f64; D]>,
    cones: Vec<Cone>,
}

impl<const D: usize> Prox<D> {
    /// A solver with these options.
    pub fn new(options: ProxOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

impl<const D: usize, W: Sweep<D> + ?Sized> Solver<D, W> for Prox<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let Self { options, memory, nsgs, q, cones } = self;
        cones.clone_from(&problem.cones);
        q.clone_from(&problem.q);
        let course = Course::begin(problem, stop, memory, x);
        let w = course.scales.impulse;
        let mut alpha = options.alpha;
        let mut inner = LocalProblem {
            w: Regularised { w: &problem.w, alpha: alpha * w },
            q: std::mem::take(q),
            cones: std::mem::take(cones),
            v_free: Vec::new(),
        };
        let report = course.run(x, watch, |course, x, watch| {
            // 1. the problem around r_k
            inner.w.alpha = alpha * w;
            for ((q, free), r) in inner.q.iter_mut().zip(&problem.q).zip(&x.r) {
                *q = std::array::from_fn(|d| free[d] - inner.w.alpha * r[d]);
            }
            // 2. its solution, as good as the outer error deserves
            let limits = (options.inner * course.error, options.sweeps);
            let (step, status) = course.inner_solve(nsgs, &inner, x, limits, watch);
            // 3. alpha follows the labour
            let factor = if status == Status::Converged { 1.0 / options.change } else { options.change };
            alpha = (alpha * factor).max(options.range[0]).min(options.range[1]);
            step
        });
        (*q, *cones) = (inner.q, inner.cones);
        report
    }
}
