//! Truncated nonsmooth Newton multigrid on the impulses.

mod arms;
mod cut;
mod ground;
mod lanes;
mod links;
mod masses;
mod parts;
mod share;
mod supports;
mod truncated;

use super::course::{Course, Memory, Step};
use super::{Flow, Progress, Report, Solver, Status, Stop, Unknowns, Watch};
use crate::cone::Cone;
use crate::operator::{Bodies, Sweep};
use crate::problem::LocalProblem;
use crate::wide::wide;
use pulp::Arch;
use serde::{Deserialize, Serialize};
use truncated::Truncated;

pub(super) use ground::velocity as ground_velocity;

/// The options of [`Tnnmg`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct TnnmgOptions {
    /// Gauss-Seidel sweeps between two corrections; 4. Half as many after a start from r = 0, where nearly all bodies rest, and
    /// twice as many after a correction that did not pay.
    pub sweeps: usize,
    /// Steps of conjugate gradients in a correction at most; 8. Twice as many, up to 256, after one that stopped too little of the
    /// motion for want of steps.
    pub steps: usize,
    /// The part of M in its matrix, over the contacts': `epsilon diag M + H H^T / w`, w the mean diagonal of W; 1e-8. What a
    /// correction leaves of the smoothest motion of a pile of n layers is some `n^2 epsilon`, of a wall `n^4 epsilon`.
    pub epsilon: f64,
}

impl Default for TnnmgOptions {
    fn default() -> Self {
        Self { sweeps: 4, steps: 8, epsilon: 1e-8 }
    }
}

/// Gauss-Seidel sweeps, and between them a linear correction over the contacts that hold.
///
/// Sweeps settle neighbours and find out which contacts hold; what they leave is smooth, motion of whole regions that no
/// contact sees as large. The correction is Newton's step on the contacts that hold, in all directions inside their cones and
/// along these at their edges, the open ones left as they are (truncated): the least impulses that stop what still moves,
/// $$ (\epsilon \operatorname{diag} M + t H_s H_s^\top)\, y = -M v, \qquad r_s \leftarrow P_K(r_s + t H_s^\top y). $$
/// A few steps of conjugate gradients do, with one block a body and the rigid motions of parts of the structure, of parts of
/// these, and so on, as preconditioner. Before it the point is moved along the way from the last one, as far as leaves the least
/// motion. From r = 0 a first pass lays every body on what carries it, from above to below. Iterations hardly
/// grow with the size or the height of a pile, and all of them are passes over the contacts, without a setup to speak of.
///
/// It is for bodies that come to rest on supports that stand still (w = 0), or move as one, seen from which they do: there v = 0 is
/// what contacts that hold ask for. Sweeps
/// alone decide about all others; a correction that does not pay is followed by twice as many, so that what is left in the end is
/// Gauss-Seidel. An iteration is a sweep.
///
/// # Reference
/// Gräser, Sack & Sander, Truncated nonsmooth Newton multigrid methods for convex minimization problems, DD XVIII, 2009;
/// Kornhuber, Monotone multigrid methods for elliptic variational inequalities, Numer. Math. 69, 1994; the levels of the
/// preconditioner: Bramble, Pasciak & Xu, Parallel multilevel preconditioners, Math. Comp. 55, 1990; the way along the last point:
/// Washio & Oosterlee, Krylov subspace acceleration for nonlinear multigrid schemes, ETNA 6, 1997; the start:
/// Guendelman, Bridson & Fedkiw 2003.
#[derive(Debug, Clone, Default)]
pub struct Tnnmg<const D: usize> {
    options: TnnmgOptions,
    memory: Memory<D>,
}

const NO_BODIES: &str = "tnnmg needs M, H and the free velocities behind W: open the global form of the problem, matrix-free; an \
     assembled W no longer has them, and anderson works without";
const NOT_RIGID: &str =
    "tnnmg needs rigid bodies that touch in pairs, and contacts that do not roll; admm or ipm work without";

/// Motion above this part of what was left before shows a correction that did not pay.
const PAID: f64 = 0.7;
/// Motion above this part shows one that may have had too few steps, of which there are at most so many.
const SLOW: (f64, usize) = (0.35, 256);
/// Corrections that paid without a certificate at most, and the error, over the tolerance, from which on there are none.
const BLIND: usize = 4;
const SURE: f64 = 1.5;
/// Windows of the operator that are swept as one: nothing but sweeps asks for what is near, and memory foresees long runs.
const WINDOWS: usize = 16;
/// Most sweeps between two corrections.
const MOST_SWEEPS: usize = 512;

impl<const D: usize> Tnnmg<D> {
    /// A solver with these options.
    pub fn new(options: TnnmgOptions) -> Self {
        Self { options, memory: Memory::default() }
    }

    /// Whether the method knows all of these laws.
    pub(super) fn knows(cones: &[Cone]) -> bool {
        D <= 3 && !cones.iter().any(|c| matches!(c, Cone::Rolling { .. }))
    }
}

/// The correction for the bodies of a problem; the error says what is missing.
fn correction<const D: usize>(
    bodies: Option<&dyn Bodies<D>>,
    (cones, v_free): (&[Cone], &[f64]),
    (w, epsilon): (f64, f64),
) -> Result<Truncated<D>, &'static str> {
    let bodies = bodies.filter(|_| !v_free.is_empty()).ok_or(NO_BODIES)?;
    if !Tnnmg::<D>::knows(cones) {
        return Err(NOT_RIGID);
    }
    Truncated::new(bodies, cones.len(), w, epsilon).ok_or(NOT_RIGID)
}

impl<const D: usize, W: Sweep<D> + ?Sized> Solver<D, W> for Tnnmg<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let Self { options, memory } = self;
        let mut course = Course::begin(problem, stop, memory, x);
        if let Some(status) = course.verdict() {
            return course.finish(x, status);
        }
        let (cones, v_free) = (&problem.cones[..], &problem.v_free[..]);
        let scales = (course.scales.impulse, options.epsilon);
        let bodies = problem.w.bodies();
        let mut correction = match correction(bodies, (cones, v_free), scales) {
            Ok(correction) => correction,
            Err(why) => return Report { why: why.into(), ..course.finish(x, Status::Unsupported) },
        };
        let ground = bodies.and_then(|b| ground::velocity(b, (&problem.q, v_free), &mut x.u));
        course.at_best = false; // u was room
        let v_free = &correction.seen_from(ground.unwrap_or_default(), v_free);
        let cold = x.r.iter().all(|r| *r == [0.0; D]);
        let (mut sweeps, mut steps, mut last) = (options.sweeps.max(1), options.steps.max(1), None);
        course.run(x, watch, |course, x, watch| {
            // the motion that is left falls as the error does: certificates wait until it is small enough, and not for long
            let enough = last.map_or(f64::INFINITY, |motion| SURE * stop.tolerance * motion / course.error);
            let (mut done, most) = (0, stop.max_iterations - course.iteration);
            let mut end = None;
            for round in 1..=BLIND {
                let mut solved = true;
                let v = &mut course.memory.v[..];
                if last.is_some() {
                    v.fill(0.0);
                    solved = correction.correct(
                        cones,
                        &mut x.r,
                        steps,
                        #[inline(always)]
                        |c, r| problem.w.push(c, r, v),
                    );
                } else {
                    if cold {
                        correction.start(cones, v_free, &mut x.r);
                    }
                    problem.w.load(&x.r, v);
                }
                // all bodies but a few rest at first
                let ends = most.min(done + if cold && last.is_none() { sweeps.div_ceil(2) } else { sweeps });
                while done < ends && end.is_none() && !(done > 0 && course.out_of_time()) {
                    sweep(problem, &mut x.r, &mut course.memory.v);
                    done += 1;
                    // the last one is seen with its certificate, if it has one
                    end = (done < ends && asks(course, done, watch)).then_some(Status::Interrupted);
                }
                let motion = correction.measure(v_free, &course.memory.v);
                if !solved && steps < SLOW.1 {
                    steps *= if last.is_some_and(|last| motion > SLOW.0 * last) { 2 } else { 1 };
                } else if last.is_some_and(|last| motion > PAID * last) {
                    sweeps = (2 * sweeps).min(MOST_SWEEPS);
                }
                let paid = last.replace(motion).is_none_or(|last| motion <= PAID * last);
                let ended = done == most || end.is_some() || course.out_of_time();
                // where motion does not fall, who asked may want to know
                if ended || round == BLIND || motion <= enough || !paid {
                    break;
                }
                if asks(course, done, watch) {
                    end = Some(Status::Interrupted);
                    break;
                }
            }
            course.velocity(&x.r, &mut x.u);
            Step { iterations: done, end }
        })
    }

    fn certifies_start(&self) -> bool {
        true
    }
}

/// Shows the watcher so many more iterations, which have no certificate of their own; whether it wants to end.
fn asks<const D: usize, W: ?Sized>(course: &Course<'_, D, W>, done: usize, watch: &mut Watch<'_>) -> bool {
    let (iteration, estimate, start) = (course.iteration + done, course.error, course.start);
    watch(&Progress { iteration, error: None, estimate, start }) == Flow::Stop
}

/// One sweep from r, whose state is `v`.
fn sweep<const D: usize, W: Sweep<D> + ?Sized>(problem: &LocalProblem<D, W>, r: &mut [[f64; D]], v: &mut [f64]) {
    let (arch, n) = (Arch::new(), problem.contacts());
    let window = problem.w.window().saturating_mul(WINDOWS).clamp(1, n.max(1));
    wide(
        arch,
        #[inline(always)]
        || {
            for from in (0..n).step_by(window) {
                let contacts = from..(from + window).min(n);
                problem.w.sweep(arch, contacts, &problem.q, &problem.cones, r, v);
            }
        },
    );
}
