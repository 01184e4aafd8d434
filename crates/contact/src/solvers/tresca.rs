//! Successive approximation by Tresca friction.

use super::course::{Course, Memory};
use super::nsgs::Nsgs;
use super::{Report, Solver, Stop, Unknowns, Watch};
use crate::cone::Cone;
use crate::operator::{Regularised, Sweep};
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};

/// The options of [`Tresca`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct TrescaOptions {
    /// Inner tolerance as a part of the outer error; 0.1.
    pub inner: f64,
    /// Most sweeps of an inner solve; 1000.
    pub sweeps: usize,
}

impl Default for TrescaOptions {
    fn default() -> Self {
        Self { inner: 0.1, sweeps: 1000 }
    }
}

/// Freezes the friction bounds `mu r_N`, solves the convex problem with cylinders of these radii by [`Nsgs`], repeats.
///
/// $$ \theta = r_N, \qquad \min_r \tfrac12 r^\top W r + q^\top r, \quad r \in C(\mu, \theta) $$ [D, eq. 12].
/// A contraction for small friction; the outer steps grow with it, and may cycle. Every inner problem is convex.
/// Contacts with rolling friction keep their own law inside. Iterations are inner sweeps.
///
/// # Reference
/// Haslinger, Approximation of the Signorini problem with friction obeying the Coulomb law, Math. Methods Appl. Sci. 5,
/// 1983; [D, TRESCA-*].
#[derive(Debug, Clone, Default)]
pub struct Tresca<const D: usize> {
    options: TrescaOptions,
    memory: Memory<D>,
    nsgs: Nsgs<D>,
    q: Vec<[f64; D]>,
    cones: Vec<Cone>,
}

impl<const D: usize> Tresca<D> {
    /// A solver with these options.
    pub fn new(options: TrescaOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

impl<const D: usize, W: Sweep<D>> Solver<D, W> for Tresca<D> {
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
        let mut inner = LocalProblem {
            w: Regularised { w: &problem.w, alpha: 0.0 },
            q: std::mem::take(q),
            cones: std::mem::take(cones),
        };
        let report = course.run(x, watch, |course, x, watch| {
            // 1. freeze the bounds
            for ((frozen, cone), r) in inner.cones.iter_mut().zip(&problem.cones).zip(&x.r) {
                if let Cone::Coulomb { mu } = cone {
                    *frozen = Cone::Tresca { radius: mu * r[0].max(0.0) };
                }
            }
            // 2. solve as well as the outer error deserves
            let limits = (options.inner * course.error, options.sweeps);
            course.inner_solve(nsgs, &inner, x, limits, watch).0
        });
        (*q, *cones) = (inner.q, inner.cones);
        report
    }
}
