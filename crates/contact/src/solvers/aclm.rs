//! The fixed point of Acary, Cadoux, Lemaréchal and Malick.

use super::admm::{Acceleration, ConvexAdmm, ConvexMethod, Outcome};
use super::apgd::Accelerated;
use super::course::{Course, Memory, Step};
use super::shift_newton::ShiftNewton;
use super::{Report, Solver, Status, Stop, Unknowns, Watch};
use crate::cone::Cone;
use crate::operator::Delassus;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};

/// The options of [`Aclm`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct AclmOptions {
    /// s is updated when the residual of the inner problem is below this times `|g(u) - s|`; none by default: 10 for the
    /// fixed point, 0.1 for Newton and secants, which need solved inner problems.
    ///
    /// 0.1 nests the two loops cleanly; 10 lets them go hand in hand, which takes a fraction of the iterations.
    pub inner: Option<f64>,
    /// And after so many inner iterations at the latest; 1000.
    pub iterations: usize,
    /// What solves the convex problem: accelerated gradients, or ADMM.
    pub method: ConvexMethod,
    /// How s follows g(u).
    pub update: ShiftUpdate,
}

/// How the shift is updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(rename_all = "snake_case")]
pub enum ShiftUpdate {
    /// `s <- g(u(s))`.
    #[default]
    FixedPoint,
    /// Newton on `g(u(s)) - s = 0`, the derivative by the active set of the inner problem: one factorisation an update.
    /// Steps that make it worse are taken back.
    Newton,
    /// The same with secants of the last updates in the place of the derivative: no factorisation.
    Secant,
}

impl AclmOptions {
    /// See [`inner`](Self::inner).
    fn inner(&self) -> f64 {
        self.inner.unwrap_or(if self.update == ShiftUpdate::FixedPoint { 10.0 } else { 0.1 })
    }
}

/// Secants that are kept, and their damping.
const SECANTS: (usize, f64) = (8, 1e-8);

impl Default for AclmOptions {
    fn default() -> Self {
        Self { inner: None, iterations: 1000, method: ConvexMethod::default(), update: ShiftUpdate::default() }
    }
}

/// Fixes the shift `s = mu |u_T|`, solves the convex problem that is left by accelerated projected gradients, repeats.
///
/// $$ s = g(u), \qquad \min_r \tfrac12 r^\top W r + (q + s N)^\top r, \quad r \in K $$ [D, eq. 13].
/// Solutions of the outer equation exist under a checkable condition (Slater's), and every inner problem is convex;
/// that the fixed point contracts is proven for small friction, and seen far beyond it. The momentum of the inner
/// iteration is kept when s changes. Iterations are inner ones, of one product each.
///
/// # Reference
/// Acary, Cadoux, Lemaréchal, Malick, A formulation of the linear discrete Coulomb friction problem via convex
/// optimization, ZAMM 91, 2011; [D, ACLM-*].
#[derive(Debug, Default)]
pub struct Aclm<const D: usize> {
    options: AclmOptions,
    memory: Memory<D>,
    inner: Accelerated<D>,
    admm: ConvexAdmm<D>,
    secants: Acceleration,
    s: Vec<f64>,
    next: Vec<f64>,
    /// Where the last step came to, and whether the next solve goes on from there.
    last: Unknowns<D>,
    goes_on: bool,
    remembers: bool,
}

impl<const D: usize> Aclm<D> {
    /// A solver with these options.
    pub fn new(options: AclmOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Solves that end without the answer leave where they came to, so that the next one can [go on](Self::go_on).
    pub(super) fn remember(&mut self) {
        self.remembers = true;
    }

    /// The next solve goes on where the last one ended, with its momentum, instead of beginning from the point that it is given, which
    /// is only kept as the best. The problem must be the same, and solved by gradients.
    pub(super) fn go_on(&mut self) {
        self.goes_on = true;
    }
}

/// `|g(u) - s|`.
fn outer_residual<const D: usize>(cones: &[Cone], u: &[[f64; D]], s: &[f64]) -> f64 {
    cones.iter().zip(u).zip(s).map(|((cone, u), s)| (cone.shift(u) - s).powi(2)).sum::<f64>().sqrt()
}

/// The next s, from the secants of those before; speeds are not negative.
fn secant(secants: &mut Acceleration, s: &mut [f64], next: &[f64]) {
    secants.x.copy_from_slice(s);
    match secants.advance(next) {
        Outcome::Accelerated => s.iter_mut().zip(&secants.x).for_each(|(s, x)| *s = x.max(0.0)),
        Outcome::Plain => s.copy_from_slice(next),
        Outcome::TakenBack => s.copy_from_slice(&secants.g),
    }
}

impl<const D: usize, W: Delassus<D> + ?Sized> Solver<D, W> for Aclm<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let Self { options, memory, inner, admm, secants, s, next, last, goes_on, remembers } = self;
        let mut course = Course::begin(problem, stop, memory, x);
        let goes_on = std::mem::take(goes_on) && last.r.len() == problem.contacts() && course.verdict().is_none();
        if !goes_on {
            s.clear();
        }
        match options.method {
            ConvexMethod::Own if goes_on => {
                std::mem::swap(x, last);
                course.at_best = false;
            }
            ConvexMethod::Own => {
                inner.begin(&mut course, x);
                s.extend(problem.cones.iter().zip(&x.u).map(|(cone, u)| cone.shift(u)));
            }
            // alternating directions are slow to forget the speeds of free bodies
            ConvexMethod::Admm => {
                admm.begin(true);
                s.resize(problem.contacts(), 0.0);
            }
        }
        secants.begin(SECANTS.0, SECANTS.1, problem.contacts(), problem.contacts());
        let (enough, mut newton, mut since) = (options.inner(), None, 0);
        let status = course.steps(x, watch, |course, x, _| {
            // 1. one step of the inner problem
            let residual = match options.method {
                ConvexMethod::Own => inner.step(course, x, s),
                ConvexMethod::Admm => {
                    let (cones, shift) = (&problem.cones, |c: usize, _: &[f64; D]| s[c]);
                    match admm.step(course, x, cones, |cone, z, _| cone.project(z), shift) {
                        Ok(moved) => moved,
                        Err(end) => return end,
                    }
                }
            };
            let u = if options.method == ConvexMethod::Admm { admm.velocity() } else { &x.u };
            since += 1;
            // 2. once it is solved better than the outer one, a new s
            let outer = outer_residual(&problem.cones, u, s);
            if residual <= enough * outer || since >= options.iterations {
                next.clear();
                next.extend(problem.cones.iter().zip(u).map(|(cone, u)| cone.shift(u)));
                match options.update {
                    ShiftUpdate::FixedPoint => s.copy_from_slice(next),
                    ShiftUpdate::Secant => secant(secants, s, next),
                    ShiftUpdate::Newton => newton
                        .get_or_insert_with(|| ShiftNewton::new(problem, course.scales.impulse))
                        .update((&x.r, u), s, next, outer),
                }
                since = 0;
            }
            Step::TAKEN
        });
        if *remembers && status != Status::Converged {
            last.r.clone_from(&x.r);
            last.u.clone_from(&x.u);
        }
        course.finish(x, status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::BoxWall;
    use crate::operator::MatrixFree;
    use crate::solvers::unwatched;

    const PART: usize = 40;

    /// Iterations in all of solves of so many iterations, one after the other, each from the best point of the last.
    fn in_parts(problem: &LocalProblem<3, MatrixFree<3>>, goes_on: bool) -> usize {
        let (mut solver, mut x, mut done) = (Aclm::<3>::default(), Unknowns::zeros(problem), 0);
        let stop = Stop { tolerance: 1e-4, max_iterations: PART, ..Stop::default() };
        let mut error = f64::INFINITY;
        while done < 100 * PART {
            if goes_on {
                solver.remember();
                solver.go_on();
            }
            let report = solver.solve(problem, &mut x, &stop, &mut unwatched());
            done += report.iterations;
            assert!(report.certificate.error <= error, "the best point is kept");
            error = report.certificate.error;
            if report.converged() {
                break;
            }
        }
        done
    }

    #[test]
    fn going_on_loses_no_momentum() {
        let wall = BoxWall { columns: 3, courses: 6, noise: 0.5, ..BoxWall::default() }.generate().unwrap();
        let wall = LocalProblem::matrix_free(&wall).unwrap().unwrap();
        let stop = Stop { tolerance: 1e-4, ..Stop::default() };
        let mut x = Unknowns::zeros(&wall);
        let whole = Aclm::default().solve(&wall, &mut x, &stop, &mut unwatched());
        assert!(whole.converged() && whole.iterations > 3 * PART, "{whole:?}");
        let (on, anew) = (in_parts(&wall, true), in_parts(&wall, false));
        assert!(4 * on <= 5 * whole.iterations && on < anew, "{} in one, {on} going on, {anew} anew", whole.iterations);
    }

    /// Another problem of another size is begun, not gone on with.
    #[test]
    fn what_was_left_of_another_problem_is_forgotten() {
        let mut solver = Aclm::<3>::default();
        for columns in [2, 3] {
            let wall = BoxWall { columns, courses: 2, ..BoxWall::default() }.generate().unwrap();
            let wall = LocalProblem::matrix_free(&wall).unwrap().unwrap();
            solver.remember();
            solver.go_on();
            let stop =
                Stop { tolerance: 1e-6, max_iterations: if columns == 2 { 3 } else { 100_000 }, ..Stop::default() };
            let report = solver.solve(&wall, &mut Unknowns::zeros(&wall), &stop, &mut unwatched());
            assert_eq!(report.converged(), columns == 3, "{report:?}");
        }
    }
}
