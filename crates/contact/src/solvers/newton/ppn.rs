//! Proximal point with semismooth Newton inside: a polish and a rescue, whatever the rank of W.

use super::super::{Report, Solver, Status, Stop, Unknowns, Watch};
use super::Formulation;
use super::run::{Run, Scratch, solve_on};
use crate::block::sub;
use crate::contact_system::{ContactSystem, Form};
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};

/// The options of [`Ppn`]. Every alpha is relative to the mean diagonal entry of W.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct PpnOptions {
    /// A start with an error at or below this is polished, another one rescued.
    pub polish_below: f64,
    /// First alpha of a polish.
    pub alpha_polish: f64,
    /// First alpha of a rescue.
    pub alpha_rescue: f64,
    /// Alpha never falls below this.
    pub alpha_min: f64,
    /// Most Newton steps of a polish at one centre r_k.
    pub inner_polish: usize,
    /// Most Newton steps of a rescue at one centre r_k.
    pub inner_rescue: usize,
    /// The subproblem is solved when `|Phi| <= inner_tolerance alpha |r - r_k|`.
    pub inner_tolerance: f64,
    /// Sweeps of Gauss-Seidel before a rescue.
    pub hybrid_sweeps: usize,
    /// Newton steps without a new best certified error before it is stuck.
    pub patience: usize,
    /// Sweeps of Gauss-Seidel when it is stuck, doubled every time.
    pub rescue_sweeps: usize,
    /// How often it may get stuck before it gives up.
    pub rescues: usize,
    /// The matrix that is factored: by contacts, by bodies, or the cheaper one.
    pub form: Form,
}

impl Default for PpnOptions {
    fn default() -> Self {
        Self {
            polish_below: 1e-7,
            alpha_polish: 1e-3,
            alpha_rescue: 1e-2,
            alpha_min: 1e-10,
            inner_polish: 8,
            inner_rescue: 12,
            inner_tolerance: 0.1,
            hybrid_sweeps: 50,
            patience: 60,
            rescue_sweeps: 100,
            rescues: 5,
            form: Form::Auto,
        }
    }
}

/// Solves a sequence of problems with $W + \alpha M$ in place of W,
/// $$ u = W r + q + \alpha M (r - r_k), \qquad \Phi_{AC}(r, u) = 0 \quad\to\quad r_{k+1}, $$
/// M diagonal, each by damped Newton on the Alart–Curnier function, $(A W + \alpha A M + B)\,dr = -\Phi$.
///
/// The proximal term makes every system regular for moderate friction, so hyperstatic problems (rank-deficient W) need
/// nothing else, and r stays near its start among the many solutions. $\alpha$ falls while Newton is quick and rises
/// when it fails: near a solution one or two factorisations gain all digits. From far away there is no guarantee: sweeps
/// of Gauss-Seidel go first, and come back when it is stuck.
///
/// # Reference
/// Rockafellar 1976 (proximal point); Alart & Curnier 1991; Qi & Sun 1993 (semismooth Newton).
#[derive(Debug, Clone, Default)]
pub struct Ppn {
    options: PpnOptions,
}

impl Ppn {
    /// A solver with these options.
    pub fn new(options: PpnOptions) -> Self {
        Self { options }
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
        let equations = (Formulation::AlartCurnier, self.options.form);
        solve_on(equations, problem, system, x, stop, watch, |run, x, s| stages(&self.options, run, x, s))
    }
}

impl<const D: usize, W: Sweep<D> + ?Sized> Solver<D, W> for Ppn {
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

/// Polish or rescue; Gauss-Seidel between them when stuck.
fn stages<const D: usize, W: Sweep<D> + ?Sized>(
    options: &PpnOptions,
    run: &mut Run<'_, '_, '_, D, W>,
    x: &mut Unknowns<D>,
    s: &mut Scratch<'_, D, W>,
) -> Status {
    let error = s.certify(run, &x.r);
    if let Some(status) = run.verdict(error) {
        return status;
    }
    if error > options.polish_below
        && let Some(status) = run.sweeps(options.hybrid_sweeps, x)
    {
        return status;
    }
    let mut sweeps = options.rescue_sweeps;
    for rescue in 0..=options.rescues {
        // a polish that got stuck is not tried again: rescue from there
        let polish = rescue == 0 && run.best_error() <= options.polish_below;
        if let Some(status) = proximal(options, run, x, s, polish) {
            return status;
        }
        run.recall(&mut x.r);
        if rescue < options.rescues
            && let Some(status) = run.sweeps(sweeps, x)
        {
            return status;
        }
        sweeps = sweeps.saturating_mul(2);
    }
    Status::Stalled
}

/// How the Newton iteration at one centre ended.
enum Inner {
    Solved { steps: usize },
    Failed,
    Ended(Status),
}

/// The outer loop, until a limit (`Some`) or until it is stuck (`None`).
fn proximal<const D: usize, W: Sweep<D> + ?Sized>(
    options: &PpnOptions,
    run: &mut Run<'_, '_, '_, D, W>,
    x: &mut Unknowns<D>,
    s: &mut Scratch<'_, D, W>,
    polish: bool,
) -> Option<Status> {
    let (mut alpha, steps) = if polish {
        (options.alpha_polish, options.inner_polish)
    } else {
        (options.alpha_rescue, options.inner_rescue)
    };
    let mut floor = options.alpha_min;
    let mut floor_lasts = 0;
    let first = run.iteration;
    loop {
        s.centre.copy_from_slice(&x.r);
        let before = run.best_error();
        let started = run.iteration;
        match inner(options, run, x, s, alpha, steps) {
            Inner::Ended(status) => return Some(status),
            // success: the quicker, the smaller the next alpha
            Inner::Solved { steps } => {
                alpha *= match steps {
                    0..=2 => 0.1,
                    3..=4 => 0.3,
                    5..=8 => 0.6,
                    _ => 1.0,
                }
            }
            // failure: a larger alpha, and for a while none as small; r only if the true error improved
            Inner::Failed => {
                (floor, floor_lasts) = (3.0 * alpha, 6);
                alpha *= 5.0;
                if run.best_error() < before {
                    run.recall(&mut x.r);
                } else {
                    x.r.copy_from_slice(&s.centre);
                }
            }
        }
        alpha = alpha.max(floor);
        floor_lasts -= i32::from(floor_lasts > 0);
        if floor_lasts == 0 {
            floor = options.alpha_min;
        }
        // no step at all means that no alpha helps any more
        let idle = run.iteration == started;
        if idle || alpha > 1e6 || run.since_best().min(run.iteration - first) >= options.patience {
            return None;
        }
    }
}

/// Damped Newton at one centre.
fn inner<const D: usize, W: Sweep<D> + ?Sized>(
    options: &PpnOptions,
    run: &mut Run<'_, '_, '_, D, W>,
    x: &mut Unknowns<D>,
    s: &mut Scratch<'_, D, W>,
    alpha: f64,
    most: usize,
) -> Inner {
    s.system.apply(&x.r, &mut s.wr);
    let mut size = s.evaluate(run, &x.r, alpha);
    for steps in 1..=most {
        if !run.leaves_time_for(s.system.flops()) {
            return Inner::Ended(Status::TimeLimit);
        }
        if s.system.solve(&s.parts, &run.rows.weights, alpha, &mut s.dr).is_none() {
            return Inner::Failed;
        }
        let reached = backtrack(run, &x.r, size, alpha, s);
        x.r.copy_from_slice(&s.trial);
        run.iteration += 1;
        let error = s.certify(run, &x.r);
        if let Some(status) = run.verdict(error) {
            return Inner::Ended(status);
        }
        if !error.is_finite() {
            return Inner::Failed;
        }
        let moved = run.rows.norm(x.r.iter().zip(&s.centre).map(|(r, c)| sub(r, c)));
        if reached <= (options.inner_tolerance * alpha * moved).max(8.0 * run.rounding(&x.r)) {
            return Inner::Solved { steps };
        }
        size = s.evaluate(run, &x.r, alpha);
    }
    Inner::Failed
}

/// Halves the step until `|Phi| <= (1 - 0.1 a) |Phi_0|`, eight times, else takes the best; the answer is `s.trial`.
fn backtrack<const D: usize, W: Sweep<D> + ?Sized>(
    run: &Run<'_, '_, '_, D, W>,
    r: &[[f64; D]],
    start: f64,
    alpha: f64,
    s: &mut Scratch<'_, D, W>,
) -> f64 {
    let mut at = |a: f64| s.try_step(run, r, a, alpha);
    let (mut best, mut best_size) = (1.0, f64::INFINITY);
    let mut a = 1.0;
    for _ in 0..=8 {
        let size = at(a);
        if size <= (1.0 - 0.1 * a) * start {
            return size;
        }
        if size < best_size {
            (best, best_size) = (a, size);
        }
        a *= 0.5;
    }
    at(best)
}
