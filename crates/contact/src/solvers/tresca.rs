//! Successive approximation by Tresca friction.

use super::admm::{ConvexAdmm, ConvexMethod, convex_residual};
use super::course::{Course, Memory, Step};
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
    /// What solves the convex problem: sweeps, or ADMM.
    pub method: ConvexMethod,
}

impl Default for TrescaOptions {
    fn default() -> Self {
        Self { inner: 0.1, sweeps: 1000, method: ConvexMethod::default() }
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
#[derive(Debug, Default)]
pub struct Tresca<const D: usize> {
    options: TrescaOptions,
    memory: Memory<D>,
    nsgs: Nsgs<D>,
    admm: ConvexAdmm<D>,
    q: Vec<[f64; D]>,
    cones: Vec<Cone>,
}

impl<const D: usize> Tresca<D> {
    /// A solver with these options.
    pub fn new(options: TrescaOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

impl<const D: usize, W: Sweep<D> + ?Sized> Solver<D, W> for Tresca<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let Self { options, memory, nsgs, admm, q, cones } = self;
        cones.clone_from(&problem.cones);
        q.clone_from(&problem.q);
        let course = Course::begin(problem, stop, memory, x);
        if options.method == ConvexMethod::Admm {
            admm.begin(true);
            return by_admm(options, course, admm, cones, x, watch);
        }
        let mut inner = LocalProblem {
            w: Regularised { w: &problem.w, alpha: 0.0 },
            q: std::mem::take(q),
            cones: std::mem::take(cones),
            v_free: Vec::new(),
        };
        let report = course.run(x, watch, |course, x, watch| {
            // 1. freeze the bounds
            freeze(&mut inner.cones, &problem.cones, x);
            // 2. solve as well as the outer error deserves
            let limits = (options.inner * course.error, options.sweeps);
            course.inner_solve(nsgs, &inner, x, limits, watch).0
        });
        (*q, *cones) = (inner.q, inner.cones);
        report
    }
}

/// Sets the radius of every Coulomb contact to its bound.
fn freeze<const D: usize>(frozen: &mut [Cone], cones: &[Cone], x: &Unknowns<D>) {
    for ((frozen, cone), r) in frozen.iter_mut().zip(cones).zip(&x.r) {
        if let Cone::Coulomb { mu } = cone {
            *frozen = Cone::Tresca { radius: mu * r[0].max(0.0) };
        }
    }
}

/// The same with ADMM inside: bounds change once the convex problem is solved better than the outer one.
fn by_admm<const D: usize, W: Sweep<D> + ?Sized>(
    options: &TrescaOptions,
    course: Course<'_, D, W>,
    admm: &mut ConvexAdmm<D>,
    frozen: &mut [Cone],
    x: &mut Unknowns<D>,
    watch: &mut Watch<'_>,
) -> Report {
    let (problem, w) = (course.problem, course.scales.impulse);
    let rolls = |cone: &Cone| matches!(cone, Cone::Rolling { .. });
    let mut s = vec![0.0; problem.contacts()];
    freeze(frozen, &problem.cones, x);
    let mut since = 0;
    course.run(x, watch, |course, x, _| {
        // rolling contacts keep their law, and so their shift
        let shift = |c: usize, u: &[f64; D]| if rolls(&frozen[c]) { frozen[c].shift(u) } else { 0.0 };
        if let Err(end) = admm.step(course, x, frozen, |cone, z, _| cone.project(z), shift) {
            return end;
        }
        s.iter_mut()
            .zip(frozen.iter())
            .zip(&x.u)
            .for_each(|((s, cone), u)| *s = if rolls(cone) { cone.shift(u) } else { 0.0 });
        since += 1;
        let outer = course.error_of(&x.r, &x.u) * course.scales.q;
        if convex_residual(frozen, x, &s, w) <= options.inner * outer || since >= options.sweeps {
            freeze(frozen, &problem.cones, x);
            admm.sets_changed();
            since = 0;
        }
        Step::TAKEN
    })
}
