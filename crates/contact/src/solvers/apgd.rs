//! Accelerated projected gradient descent, and the convex relaxation that it solves.

use super::course::{Course, Memory, Step};
use super::vector::dot_moves;
use super::{Report, Solver, Status, Stop, Unknowns, Watch};
use crate::block::{dot, sub};
use crate::operator::Delassus;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};

/// Nesterov's method on `min 1/2 r'Wr + (q + s N)'r, r in K`, s a given normal shift of every contact.
///
/// The velocity is linear, so that the one at the extrapolated point costs no product. Steps are measured contact by contact in the
/// mean of the diagonal of W_cc: a number for each contact leaves the projection on its cone as it is, and light and heavy bodies
/// go at the same pace.
#[derive(Debug, Clone, Default)]
pub(crate) struct Accelerated<const D: usize> {
    /// The extrapolated point.
    y: Vec<[f64; D]>,
    /// `W y + q`.
    u_y: Vec<[f64; D]>,
    next: Vec<[f64; D]>,
    u_next: Vec<[f64; D]>,
    theta: f64,
    /// The mean of the diagonal of W_cc.
    metric: Vec<f64>,
    /// Estimate of the largest eigenvalue of W in that metric.
    l: f64,
}

/// The first estimate of the largest eigenvalue; it follows what is seen.
const FIRST: f64 = 4.0;

/// Doublings of L at one iteration.
const TRIES: usize = 60;

impl<const D: usize> Accelerated<D> {
    /// Sizes the scratch, estimates L and starts at x.
    pub fn begin<W: Delassus<D> + ?Sized>(&mut self, course: &mut Course<'_, D, W>, x: &Unknowns<D>) {
        for vector in [&mut self.y, &mut self.u_y, &mut self.next, &mut self.u_next] {
            vector.resize(course.problem.contacts(), [0.0; D]);
        }
        let w = &course.problem.w;
        let mean = |c: usize| w.diagonal(c).iter().enumerate().map(|(d, row)| row[d]).sum::<f64>() / D as f64;
        self.metric.clear();
        self.metric.extend((0..w.contacts()).map(mean));
        // a contact that nothing moves takes the step of the others
        let all = self.metric.iter().sum::<f64>() / w.contacts().max(1) as f64;
        let step = if all > 0.0 { all } else { 1.0 };
        self.metric.iter_mut().filter(|m| **m <= 0.0 || m.is_nan()).for_each(|m| *m = step);
        self.l = FIRST;
        self.restart(x);
    }

    /// Forgets the momentum.
    pub fn restart(&mut self, x: &Unknowns<D>) {
        self.y.copy_from_slice(&x.r);
        self.u_y.copy_from_slice(&x.u);
        self.theta = 1.0;
    }

    /// One step; returns the residual of the convex problem, `L m_c |r_{k+1} - y_k|` (velocity).
    pub fn step<W: Delassus<D> + ?Sized>(
        &mut self,
        course: &mut Course<'_, D, W>,
        x: &mut Unknowns<D>,
        s: &[f64],
    ) -> f64 {
        // 1. a projected gradient step from y, L large enough for the quadratic bound to hold
        let mut moved = self.gradient_step(course, s);
        for _ in 0..TRIES {
            let curvature = dot_moves([&self.next, &self.y], [&self.u_next, &self.u_y]);
            // NaN passes: the certificate reports it
            let too_curved = curvature > self.l * moved[0];
            if !too_curved || course.out_of_time() {
                break;
            }
            self.l *= 2.0;
            moved = self.gradient_step(course, s);
        }
        // 2. extrapolate
        let theta = self.theta;
        self.theta = 0.5 * theta * ((theta * theta + 4.0).sqrt() - theta);
        let beta = theta * (1.0 - theta) / (theta * theta + self.theta);
        // 3. or restart, when the momentum climbs
        let mut climb = 0.0;
        for c in 0..self.y.len() {
            let mut gradient = self.u_y[c];
            gradient[0] += s[c];
            climb += dot(&gradient, &sub(&self.next[c], &x.r[c]));
        }
        std::mem::swap(&mut x.r, &mut self.next);
        std::mem::swap(&mut x.u, &mut self.u_next);
        if climb > 0.0 {
            self.restart(x);
        } else {
            extrapolate(&x.r, &self.next, beta, &mut self.y);
            extrapolate(&x.u, &self.u_next, beta, &mut self.u_y);
        }
        let residual = self.l * moved[1].sqrt();
        // 4. let L come down again
        self.l *= 0.9;
        residual
    }

    /// `next = P_K(y - (u_y + s N) / (L m))` with its velocity; returns the sums of `m |next - y|^2` and of its square over all contacts.
    fn gradient_step<W: Delassus<D> + ?Sized>(&mut self, course: &mut Course<'_, D, W>, s: &[f64]) -> [f64; 2] {
        let mut moved = [0.0; 2];
        for c in 0..self.y.len() {
            let (y, u, m) = (&self.y[c], &self.u_y[c], self.metric[c]);
            let step = 1.0 / (self.l * m);
            let mut z: [f64; D] = std::array::from_fn(|d| y[d] - u[d] * step);
            z[0] -= s[c] * step;
            let next = course.problem.cones[c].project(&z);
            let difference = sub(&next, y);
            let square = dot(&difference, &difference);
            moved[0] += m * square;
            moved[1] += m * m * square;
            self.next[c] = next;
        }
        course.velocity(&self.next, &mut self.u_next);
        moved
    }
}

/// `y = new + beta (new - old)`.
fn extrapolate<const D: usize>(new: &[[f64; D]], old: &[[f64; D]], beta: f64, y: &mut [[f64; D]]) {
    for ((y, a), b) in y.iter_mut().zip(new).zip(old) {
        *y = std::array::from_fn(|d| a[d] + beta * (a[d] - b[d]));
    }
}

/// The options of [`ApgdRelaxation`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct ApgdOptions {
    /// The relaxation counts as solved when its residual is below this part of `tolerance |q|`; 0.01.
    pub solved: f64,
}

impl Default for ApgdOptions {
    fn default() -> Self {
        Self { solved: 0.01 }
    }
}

/// The convex *relaxation* of the law, `K* ∋ u ⊥ r ∈ K`, by accelerated projected gradients.
///
/// Not Coulomb's law: without the shift `mu |u_T|` a sliding contact lifts off at `u_N = mu |u_T|`. The two agree where
/// nothing slides, where there is no friction and under Tresca's. The status is [`Status::Converged`] only when the
/// exact certificate holds; when the relaxation is solved and it does not, the status is [`Status::Stalled`]. Always
/// converges to a solution of the relaxation, with the error falling as 1/k^2; one product an iteration.
///
/// # Reference
/// Mazhar, Heyn, Negrut, Tasora, Using Nesterov's method to accelerate multibody dynamics with friction and contact,
/// ACM Trans. Graph. 34, 2015; relaxation: Anitescu 2006; restart: O'Donoghue & Candès 2015.
#[derive(Debug, Clone, Default)]
pub struct ApgdRelaxation<const D: usize> {
    options: ApgdOptions,
    memory: Memory<D>,
    inner: Accelerated<D>,
    s: Vec<f64>,
}

impl<const D: usize> ApgdRelaxation<D> {
    /// A solver with these options.
    pub fn new(options: ApgdOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

impl<const D: usize, W: Delassus<D> + ?Sized> Solver<D, W> for ApgdRelaxation<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let Self { options, memory, inner, s } = self;
        s.clear();
        s.resize(problem.contacts(), 0.0);
        let mut course = Course::begin(problem, stop, memory, x);
        inner.begin(&mut course, x);
        let solved = options.solved * stop.tolerance * course.scales.q;
        let mut report = course.run(x, watch, |course, x, _| {
            let residual = inner.step(course, x, s);
            Step { iterations: 1, end: (residual <= solved).then_some(Status::Stalled) }
        });
        if report.status == Status::Stalled {
            report.why =
                "the relaxation is solved, and its sliding contacts lift off: Coulomb's law is another; take aclm"
                    .into();
        }
        report
    }
}
