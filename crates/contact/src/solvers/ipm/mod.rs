//! Interior point with the de Saxcé term inside Newton.

mod scaled;
mod second_order_cone;

use super::course::{Course, Memory, Step};
use super::{Report, Solver, Status, Stop, Unknowns, Watch};
use crate::cone::Cone;
use crate::contact_system::{ContactSystem, Form};
use crate::operator::Delassus;
use crate::problem::LocalProblem;
use scaled::{Iterate, Scaled};
use serde::{Deserialize, Serialize};

/// The options of [`Ipm`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct IpmOptions {
    /// Starts tried in turn, as `[start, lift]`: r = y = start e in scaled variables, and a jam is lifted off the
    /// boundary by `lift sqrt(mu) e`.
    pub starts: Vec<[f64; 2]>,
    /// The first start, where the point given is near the answer, as `[near, lift]`: natural map of at most `near` (root mean
    /// square, scaled), r and y moved off the boundary by `lift e`. Near 0: never. Not where contacts roll.
    pub near: [f64; 2],
    /// Most lifts of one start.
    pub max_lifts: usize,
    /// Most iterations of one start.
    pub max_steps: usize,
    /// A start is given up after this many iterations without a new best.
    pub patience: usize,
    /// The matrix that is factored: by contacts, by bodies, or the cheaper one.
    pub form: Form,
}

impl Default for IpmOptions {
    fn default() -> Self {
        Self {
            starts: vec![[10.0, 0.1], [1.0, 0.1], [100.0, 0.5], [0.1, 0.1], [30.0, 0.1], [3.0, 0.3]],
            near: [5e-3, 0.3],
            max_lifts: 8,
            max_steps: 60,
            patience: 10,
            form: Form::Auto,
        }
    }
}

/// The factor of the lifts of a start near the answer.
const NEAR_LIFT: f64 = 0.1;

/// Solves `z = W r + q + |z_T| e`, `z o r = 0` on scaled cones by Newton with Nesterov–Todd scaling and Mehrotra's
/// predictor and corrector; the derivative of the de Saxcé term $\|u_T\|$ is part of the Newton matrix
/// $$ K = W + (J^\top - E) F J, $$
/// one factorisation an iteration, by contacts or, as $M + H ((J^\top - E) F J)^{-1} H^\top$, by bodies
/// ([`crate::contact_system`]). Rolling contacts have two cones that share the normal impulse.
///
/// A point that is near the answer already, as sweeps leave it, is lifted into the cones and saves a third of the
/// iterations; from farther away it would jam, and the method begins anew.
///
/// W needs neither symmetry nor full rank. 10 to 50 iterations whatever the size; stops by rounding between 1e-9 and
/// 1e-11. A start may jam on the way: another is tried, and the best point of all is returned. For Coulomb, rolling,
/// frictionless contacts and joints; with a Tresca contact it reports [`Status::Unsupported`] at once.
///
/// # Reference
/// Acary, Armand, Nguyen & Shpakovych, interior point methods for frictional contact (the row s = |u_T| inside Newton);
/// Nesterov & Todd 1998; Mehrotra 1992.
#[derive(Debug, Clone, Default)]
pub struct Ipm {
    options: IpmOptions,
}

impl Ipm {
    /// A solver with these options.
    pub fn new(options: IpmOptions) -> Self {
        Self { options }
    }

    /// The solve on a system that may have been analysed already, and is when this returns, unless nothing was factored.
    ///
    /// What `paused` holds of an earlier solve on the same system goes on first; it then holds the start that this one was stopped in.
    pub(super) fn solve_on<'a, const D: usize, W: Delassus<D> + ?Sized>(
        &self,
        problem: &'a LocalProblem<D, W>,
        (system, paused): (&mut Option<ContactSystem<'a, D, W>>, &mut Paused<D>),
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let mut memory = Memory::default();
        let (options, taken, current) = (&self.options, system.take(), paused.0.take());
        let mut starts = Starts { options, next: 0, given: true, system: taken, scaled: None, current };
        let course = Course::begin(problem, stop, &mut memory, x);
        let report = course.run(x, watch, |course, x, _| starts.step(problem, course, x));
        paused.0 = starts.current;
        *system = starts.system.or(starts.scaled.map(Scaled::into_system));
        report
    }

    /// Whether every cone is one this method knows.
    pub fn knows(cones: &[Cone]) -> bool {
        !cones.iter().any(|c| matches!(c, Cone::Tresca { .. }))
    }
}

impl<const D: usize, W: Delassus<D> + ?Sized> Solver<D, W> for Ipm {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        self.solve_on(problem, (&mut None, &mut Paused::default()), x, stop, watch)
    }
}

/// A start that a solve was stopped in.
#[derive(Default)]
pub(super) struct Paused<const D: usize>(Option<Start<D>>);

impl<const D: usize> Paused<D> {
    /// Whether there is one.
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }
}

/// The starts of one solve.
struct Starts<'o, 'a, const D: usize, W: ?Sized> {
    options: &'o IpmOptions,
    /// Whether the point that the solve was given is still to be tried.
    given: bool,
    /// The next one to try.
    next: usize,
    /// The system, until it is scaled.
    system: Option<ContactSystem<'a, D, W>>,
    /// Made at the first step: the start of the solve may be its end.
    scaled: Option<Scaled<'a, D, W>>,
    current: Option<Start<D>>,
}

/// One start on its way.
struct Start<const D: usize> {
    iterate: Iterate<D>,
    /// The factor of its lifts, and how many it had.
    lift: f64,
    lifts: usize,
    steps: usize,
    last_step: f64,
    /// Its best error, and iterations since.
    best: f64,
    idle: usize,
}

impl<'a, const D: usize, W: Delassus<D> + ?Sized> Starts<'_, 'a, D, W> {
    /// One Newton iteration of the current start, or of the next that can take one.
    fn step(&mut self, problem: &'a LocalProblem<D, W>, course: &mut Course<'_, D, W>, x: &mut Unknowns<D>) -> Step {
        let ended = |end| Step { iterations: 0, end: Some(end) };
        if self.scaled.is_none() {
            if !Ipm::knows(&problem.cones) {
                return ended(Status::Unsupported);
            }
            let system = self.system.take().or_else(|| ContactSystem::new(&problem.w, self.options.form));
            self.scaled = system.map(|system| Scaled::new(problem, system));
        }
        let Some(scaled) = &mut self.scaled else { return ended(Status::Stalled) };
        // one factorisation may take longer than all that is left
        if !course.leaves_time_for(scaled.system.flops()) {
            return ended(Status::TimeLimit);
        }
        // at first the error is that of the point given, which a start that goes on has nothing to do with
        if course.iteration > 0 && self.current.as_mut().is_some_and(|start| start.is_stuck(course.error, self.options))
        {
            self.current = None;
        }
        loop {
            if self.current.is_none() {
                let [near, off] = self.options.near;
                let tries = std::mem::take(&mut self.given) && D < 5 && near > 0.0;
                let given = tries.then(|| Iterate::near(scaled, (near, off), &x.r, &x.u)).flatten();
                let (iterate, lift) = match (given, self.options.starts.get(self.next)) {
                    (Some(given), _) => (given, NEAR_LIFT),
                    (None, Some(&[size, lift])) => {
                        self.next += 1;
                        (Iterate::new(scaled, size), lift)
                    }
                    (None, None) => return ended(Status::Stalled),
                };
                let (best, last_step) = (f64::INFINITY, 1.0);
                self.current = Some(Start { iterate, lift, lifts: 0, steps: 0, last_step, best, idle: 0 });
            }
            let Some(start) = &mut self.current else { continue };
            if start.advance(scaled, self.options.max_lifts, &mut x.r) {
                course.velocity(&x.r, &mut x.u);
                return Step::TAKEN;
            }
            self.current = None;
        }
    }
}

impl<const D: usize> Start<D> {
    /// Whether to give up, after `error`.
    fn is_stuck(&mut self, error: f64, options: &IpmOptions) -> bool {
        if error < self.best {
            (self.best, self.idle) = (error, 0);
        } else {
            self.idle += 1;
        }
        self.idle >= options.patience || self.steps >= options.max_steps
    }

    /// One iteration, and a lift when the last two were short; false when it cannot go on. The impulses go to `r`.
    fn advance<W: Delassus<D> + ?Sized>(
        &mut self,
        s: &mut Scaled<'_, D, W>,
        max_lifts: usize,
        r: &mut [[f64; D]],
    ) -> bool {
        let Some(step) = self.iterate.newton(s, 0.9 + 0.09 * self.last_step) else { return false };
        if step < 0.1 && self.last_step < 0.1 && self.lifts < max_lifts {
            self.iterate.lift(s, self.lift);
            self.lifts += 1;
        }
        self.last_step = step;
        self.steps += 1;
        self.iterate.original(s, r);
        r.as_flattened().iter().all(|x| x.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::BoxWall;
    use crate::solvers::unwatched;

    /// A start that is stopped after every third iteration goes the same way, to the bit.
    #[test]
    fn a_paused_start_goes_on_where_it_was() {
        let wall = BoxWall { columns: 3, courses: 5, noise: 0.5, ..BoxWall::default() }.generate().unwrap();
        let wall = LocalProblem::matrix_free(&wall).unwrap().unwrap();
        let (ipm, stop) = (Ipm::default(), Stop { tolerance: 1e-6, ..Stop::default() });
        let mut whole = Unknowns::zeros(&wall);
        let one = ipm.solve_on(&wall, (&mut None, &mut Paused::default()), &mut whole, &stop, &mut unwatched());
        assert!(one.converged() && one.iterations > 9, "{one:?}");

        let (mut system, mut paused, mut x, mut done) = (None, Paused::default(), Unknowns::zeros(&wall), 0);
        let part = Stop { max_iterations: 3, ..stop };
        while done < one.iterations {
            assert_eq!(paused.is_some(), done > 0);
            done += ipm.solve_on(&wall, (&mut system, &mut paused), &mut x, &part, &mut unwatched()).iterations;
        }
        assert_eq!((done, x.r), (one.iterations, whole.r));
    }
}
