//! ADMM as the solver of the convex problems inside other methods.

use super::super::course::{Course, Step};
use super::super::vector::distance;
use super::super::{Status, Unknowns};
use super::{Alternating, Kind, NoMetric, Penalty, penalty};
use crate::block::{dot, sub};
use crate::cone::Cone;
use crate::operator::Delassus;
use serde::{Deserialize, Serialize};

/// What solves the convex problems inside a method that freezes part of the law.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(rename_all = "snake_case")]
pub enum ConvexMethod {
    /// What the method comes with: accelerated gradients or sweeps.
    #[default]
    Own,
    /// Alternating directions: one factorisation for all of them.
    Admm,
}

/// The iterates of ADMM beside those of a [`Course`].
#[derive(Debug, Default)]
pub(crate) struct ConvexAdmm<const D: usize> {
    state: Alternating<D>,
    iterations: usize,
    /// Iterations since the sets changed.
    since: usize,
    accelerated: bool,
    drive: f64,
    /// The velocity before the last iteration.
    before: Vec<[f64; D]>,
}

/// Columns of the acceleration, its damping, and the iterations before it.
const ACCELERATION: (usize, f64, usize) = (5, 1e-10, 20);

/// Iterations between two looks at rho, and the last at which it may change.
const RHO: [usize; 2] = [5, 20];

impl<const D: usize> ConvexAdmm<D> {
    /// Begins at the next step, accelerated or not.
    pub fn begin(&mut self, accelerated: bool) {
        (self.iterations, self.since, self.accelerated) = (0, 0, accelerated);
    }

    /// The velocity of the quadratic half, which is smooth where `W r + q` is rough.
    pub fn velocity(&self) -> &[[f64; D]] {
        &self.state.u
    }

    /// The set of every contact changed: the reflection starts anew.
    pub fn sets_changed(&mut self) {
        self.state.reflect_anew();
        self.since = 0;
    }

    /// One iteration; x becomes the impulse and its velocity. Returns how far the iterates moved, as a velocity; the error
    /// ends the solve.
    pub fn step<W: Delassus<D> + ?Sized>(
        &mut self,
        course: &mut Course<'_, D, W>,
        x: &mut Unknowns<D>,
        cones: &[Cone],
        project: impl Fn(&Cone, &[f64; D], &[f64; D]) -> [f64; D],
        shift: impl Fn(usize, &[f64; D]) -> f64,
    ) -> Result<f64, Step> {
        let problem = course.problem;
        if self.iterations == 0 {
            self.drive = penalty::drive(problem);
            let rho = penalty::first(problem, &course.scales, &x.r);
            self.state.begin(problem, Penalty { rho, t: Vec::new(), length: course.scales.length }, (&x.r, &x.u));
        } else if self.iterations.is_multiple_of(RHO[0])
            && self.iterations <= RHO[1]
            && let Some(rho) = penalty::follow_rule(self.state.penalty.rho, &x.r, self.drive)
        {
            self.state.set_rho(rho);
            self.since = 0;
        }
        let refused = |none| {
            let end = if none == NoMetric::OutOfTime { Status::TimeLimit } else { Status::Unsupported };
            Step { iterations: 0, end: Some(end) }
        };
        self.state.set_up(Kind::Factor, problem, (course.stop, course.start)).map_err(refused)?;
        let (depth, damping, wait) = ACCELERATION;
        if self.accelerated && self.since == wait {
            self.state.accelerate(depth, damping);
        }
        self.before.clone_from(&self.state.u);
        let moved = self.state.step(problem, cones, project, shift) / self.state.penalty.rho;
        self.iterations += 1;
        x.r.copy_from_slice(&self.state.r);
        course.velocity(&x.r, &mut x.u);
        let moved = moved.hypot(distance(&self.state.u, &self.before));
        if self.accelerated && self.since >= wait {
            self.state.accelerated();
        }
        self.since += 1;
        Ok(moved)
    }
}

/// The residual of the convex problem with sets `cones` and normal shifts s: `w |r - P(r - (u + s N) / w)|` (velocity).
pub(crate) fn convex_residual<const D: usize>(cones: &[Cone], x: &Unknowns<D>, s: &[f64], w: f64) -> f64 {
    let mut sum = 0.0;
    for (c, cone) in cones.iter().enumerate() {
        let mut z: [f64; D] = std::array::from_fn(|d| x.r[c][d] - x.u[c][d] / w);
        z[0] -= s[c] / w;
        let f = sub(&x.r[c], &cone.project(&z));
        sum += dot(&f, &f);
    }
    w * f64::sqrt(sum)
}
