//! Nonsmooth Newton on any of the formulations.

use super::super::{Report, Solver, Status, Stop, Unknowns, Watch};
use super::run::{Run, Scratch, solve_on};
use super::{Formulation, LineSearch};
use crate::contact_system::{ContactSystem, Form};
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};

/// The options of [`Nsn`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct NsnOptions {
    /// The step length, by `1/2 |Phi|^2`.
    pub line_search: LineSearch,
    /// Sweeps of Gauss-Seidel before the first Newton step.
    pub hybrid_sweeps: usize,
    /// Sweeps of Gauss-Seidel when Newton gets stuck.
    pub rescue_sweeps: usize,
    /// How often it may get stuck before it gives up.
    pub rescues: usize,
    /// Newton is stuck after this many steps without a new best certified error.
    pub patience: usize,
    /// The matrix that is factored: by contacts, by bodies, or the cheaper one.
    pub form: Form,
}

impl Default for NsnOptions {
    fn default() -> Self {
        Self {
            line_search: LineSearch::default(),
            hybrid_sweeps: 10,
            rescue_sweeps: 50,
            rescues: 8,
            patience: 20,
            form: Form::Auto,
        }
    }
}

/// Newton on $\Phi(r, W r + q) = 0$: $(A W + B)\,dr = -\Phi$ with $A = \partial\Phi/\partial u$,
/// $B = \partial\Phi/\partial r$, one factorisation a step.
///
/// Quadratic near a solution where W has full rank on the closed contacts; no guarantee from far away, so a few sweeps
/// of Gauss-Seidel go first and come back when it is stuck. On a rank-deficient W (walls, stacks) the system is
/// singular and is regularised: it may stall and says so ([`super::Ppn`] is made for those). A law that the formulation
/// cannot express, or a W that does not fit in memory, is [`Status::Unsupported`].
///
/// # Reference
/// Alart & Curnier 1991; [D, NSN-AC, NSN-MJ, NSN-NM, NSN-FB].
#[derive(Debug, Clone, Default)]
pub struct Nsn {
    formulation: Formulation,
    options: NsnOptions,
}

impl Nsn {
    /// A solver of these equations with these options.
    pub fn new(formulation: Formulation, options: NsnOptions) -> Self {
        Self { formulation, options }
    }

    /// The solve on a system that may have been analysed already, and is when this returns, unless it cannot be.
    pub(in super::super) fn solve_on<'a, const D: usize, W: Sweep<D> + ?Sized>(
        &self,
        problem: &'a LocalProblem<D, W>,
        system: &mut Option<ContactSystem<'a, D, W>>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let equations = (self.formulation, self.options.form);
        solve_on(equations, problem, system, x, stop, watch, |run, x, s| newton(&self.options, run, x, s))
    }
}

impl<const D: usize, W: Sweep<D> + ?Sized> Solver<D, W> for Nsn {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        self.solve_on(problem, &mut None, x, stop, watch)
    }
}

fn newton<const D: usize, W: Sweep<D> + ?Sized>(
    options: &NsnOptions,
    run: &mut Run<'_, '_, '_, D, W>,
    x: &mut Unknowns<D>,
    s: &mut Scratch<'_, D, W>,
) -> Status {
    let mut rescues = 0;
    let mut last_best = 0;
    loop {
        // the iterate, its certificate and the limits
        let error = s.certify(run, &x.r);
        if let Some(status) = run.verdict(error) {
            return status;
        }
        if run.iteration == 0 && options.hybrid_sweeps > 0 {
            if let Some(status) = run.sweeps(options.hybrid_sweeps, x) {
                return status;
            }
            last_best = run.iteration;
            continue;
        }
        let waited = run.since_best().min(run.iteration - last_best);
        if !run.leaves_time_for(s.system.flops()) {
            return Status::TimeLimit;
        }
        if waited < options.patience && step(options, run, x, s) {
            run.iteration += 1;
            continue;
        }
        // stuck: Gauss-Seidel from the best iterate
        if rescues == options.rescues || options.rescue_sweeps == 0 {
            return Status::Stalled;
        }
        rescues += 1;
        run.recall(&mut x.r);
        let before = run.iteration;
        if let Some(status) = run.sweeps(options.rescue_sweeps, x) {
            return status;
        }
        // a step that failed counts, so that limits are always met
        run.iteration += usize::from(run.iteration == before);
        last_best = run.iteration;
    }
}

/// One Newton step from x.r; returns whether it was taken.
fn step<const D: usize, W: Sweep<D> + ?Sized>(
    options: &NsnOptions,
    run: &Run<'_, '_, '_, D, W>,
    x: &mut Unknowns<D>,
    s: &mut Scratch<'_, D, W>,
) -> bool {
    run.rows.linearise(run.cones(), &x.r, &s.u, &mut s.parts);
    let merit = 0.5 * run.rows.size_of_phi(&s.parts).powi(2);
    if s.system.solve(&s.parts, &run.rows.weights, 0.0, &mut s.dr).is_none() {
        return false;
    }
    let found = options.line_search.search(merit, &mut |a| 0.5 * s.try_step(run, &x.r, a, 0.0).powi(2));
    if found.is_some() {
        x.r.copy_from_slice(&s.trial);
    }
    found.is_some()
}
