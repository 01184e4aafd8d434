//! The penalty rho and how it adapts.

use super::Alternating;
use crate::block::{dot, norm};
use crate::certificate::{Scales, rolling_rows};
use crate::cone::Cone;
use crate::operator::{Delassus, body_dofs};
use crate::problem::LocalProblem;

/// The penalty of every contact, `rho t_c`, and the units of its rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Penalty {
    /// rho, an impulse over a velocity.
    pub rho: f64,
    /// `t_c`, empty while all are 1.
    pub t: Vec<f64>,
    /// Turns rotations into velocities.
    pub length: f64,
}

impl Penalty {
    /// `t_c`.
    #[inline(always)]
    pub fn t(&self, c: usize) -> f64 {
        self.t.get(c).copied().unwrap_or(1.0)
    }

    /// The factors S of the rows of a contact: `u' = S u` are velocities, `r' = r / S` impulses.
    #[inline(always)]
    pub fn units<const D: usize>(&self, cone: &Cone) -> [f64; D] {
        let mut s = [1.0; D];
        if self.length != 1.0 {
            rolling_rows::<D>(cone).for_each(|d| s[d] = self.length);
        }
        s
    }

    /// The penalty of each row of contact c over rho: `t_c S^2`.
    pub fn weights<const D: usize>(&self, cones: &[Cone], c: usize) -> [f64; D] {
        self.units::<D>(&cones[c]).map(|s| self.t(c) * s * s)
    }
}

/// rho starts at this many mean masses.
const FIRST: f64 = 100.0;
/// rho over the impulse that passes through a body per velocity.
const FACTOR: f64 = 2.5;
/// rho is left alone while it is within this factor of its rule.
const NEAR: f64 = 2.5;
/// Largest and smallest `|r_c| / |u_c|` over the rule's rho that a contact's own penalty follows.
const RANGE: [f64; 2] = [1e-3, 30.0];

/// Bodies a contact of packings in space, where they are not known.
const BODIES: f64 = 1.0 / 6.0;

/// The velocity that drives a body over the contacts that it has.
///
/// It is the mean of `|q_c|` weighted by its square, little moved by the many contacts of a pile whose bodies fall
/// together.
pub(super) fn drive<const D: usize, W: Delassus<D> + ?Sized>(problem: &LocalProblem<D, W>) -> f64 {
    let (mut two, mut four) = (0.0, 0.0);
    for q in &problem.q {
        let square = dot(q, q);
        two += square;
        four += square * square;
    }
    let n = problem.contacts().max(1) as f64;
    let bodies = problem.w.state_len() as f64 / body_dofs::<D>() as f64;
    let share = if bodies > 0.0 { bodies / n } else { BODIES };
    if two > 0.0 { share.min(1.0) * (four / two).sqrt() } else { 1.0 }
}

/// The root mean square of the vectors that are not zero; 0 when all are.
fn mean_length<const D: usize>(r: &[[f64; D]]) -> f64 {
    let (mut sum, mut n) = (0.0, 0.0);
    for r in r {
        let square = dot(r, r);
        sum += square;
        n += f64::from(u8::from(square > 0.0));
    }
    if n > 0.0 { f64::sqrt(sum / n) } else { 0.0 }
}

/// `rho = 2.5 sum_c |r_c| / (bodies |q|)`: the impulse that passes through a body per velocity that drives it; none while
/// r = 0.
///
/// On a pile it is the weight above over the velocity of one step, on moving grains a few masses.
pub(super) fn rule<const D: usize>(r: &[[f64; D]], drive: f64) -> Option<f64> {
    let rho = FACTOR * mean_length(r) / drive;
    (rho > 0.0 && rho.is_finite()).then_some(rho)
}

/// The first rho: by the rule from a warm start, else some mean masses.
pub(super) fn first<const D: usize, W: Delassus<D> + ?Sized>(
    problem: &LocalProblem<D, W>,
    scales: &Scales,
    r: &[[f64; D]],
) -> f64 {
    rule(r, drive(problem)).unwrap_or(2.0 * FIRST / scales.impulse)
}

/// The rule again on the way: where rho is far from it, it goes half of the way, on a logarithmic scale. The impulses of the
/// first iterations are too large, and a rho that followed them would be.
pub(super) fn follow_rule<const D: usize>(rho: f64, r: &[[f64; D]], drive: f64) -> Option<f64> {
    rule(r, drive).filter(|new| *new > NEAR * rho || *new * NEAR < rho).map(|new| (rho * new).sqrt())
}

/// `rho = |r| / |u|`, means over contacts, where that is far below the present one: the problem goes on moving.
pub(super) fn of_motion<const D: usize>(state: &Alternating<D>) -> Option<f64> {
    let rho = mean_length(&state.r) / mean_length(&state.u);
    (rho > 0.0 && rho * NEAR < state.penalty.rho).then_some(rho)
}

/// Every contact's own penalty: halfway, on a logarithmic scale, to `|r_c| / |u_c|`.
///
/// Contacts without an impulse go to the lower end, resting ones to the upper.
pub(super) fn per_contact<const D: usize>(state: &mut Alternating<D>) {
    let penalty = &mut state.penalty;
    penalty.t.resize(state.r.len(), 1.0);
    for (c, t) in penalty.t.iter_mut().enumerate() {
        let mut u = state.u[c];
        u[0] += state.s[c];
        let ratio = norm(&state.r[c]) / (penalty.rho * norm(&u).max(f64::MIN_POSITIVE));
        *t = (*t * ratio.clamp(RANGE[0], RANGE[1])).sqrt();
    }
}
