//! The theta scheme of Moreau and Jean: velocities with impulses, positions from velocities.
//!
//! $$ M(v_{k+1} - v_k) = h F_{k+\theta} + H r, \qquad q_{k+1} = q_k + h\,T(\theta v_{k+1} + (1-\theta) v_k) $$
//! [A, eq. 13-18; E, eq. 31]. Rotations advance by the exponential of $h$ times the mean angular velocity. Velocities of
//! rotation are kept in the frame of the world; those of a body with different moments turn with it.

use super::gyroscopic::free_rotation;
use crate::bodies::{Bodies, Motion};
use crate::ledger::StepWork;
use crate::rotation::{self, rotate, rotate_back, turned};
use crate::space::{Rigid, Space};

/// The impulses of forces on all bodies, beside gravity; empty when there are none.
#[derive(Debug, Clone, Default)]
pub(crate) struct Impulses<const V: usize> {
    pub conservative: Vec<[f64; V]>,
    pub external: Vec<[f64; V]>,
}

impl<const V: usize> Impulses<V> {
    #[inline(always)]
    fn of(list: &[[f64; V]], k: usize) -> [f64; V] {
        list.get(k).copied().unwrap_or([0.0; V])
    }
}

/// Velocities at the end of the step without contacts; driven bodies take their prescribed ones.
pub(crate) fn free_motion<const N: usize, const V: usize>(
    bodies: &Bodies<N, V>,
    gravity: &[f64; N],
    (t, h): (f64, f64),
    impulses: &Impulses<V>,
    v_free: &mut Vec<[f64; V]>,
) where
    Rigid: Space<N, V>,
{
    v_free.clear();
    for k in 0..bodies.len() {
        let mut v = bodies.v[k];
        match &bodies.motion[k] {
            Motion::Fixed => {}
            Motion::Driven(drive) => v = drive.velocity(t, h),
            Motion::Dynamic => {
                let mut impulse = [0.0; V];
                if !impulses.external.is_empty() {
                    let (a, b) = (Impulses::of(&impulses.conservative, k), Impulses::of(&impulses.external, k));
                    impulse = std::array::from_fn(|i| a[i] + b[i]);
                }
                for i in 0..N {
                    v[i] += h * gravity[i] + bodies.inv_mass[k] * impulse[i];
                }
                spin(bodies, k, h, &impulse, &mut v);
            }
        }
        v_free.push(v);
    }
}

/// The rotational part of a free step.
#[inline(always)]
fn spin<const N: usize, const V: usize>(bodies: &Bodies<N, V>, k: usize, h: f64, impulse: &[f64; V], v: &mut [f64; V])
where
    Rigid: Space<N, V>,
{
    let moments = &bodies.inertia[k];
    if bodies.is_isotropic(k) {
        for i in N..V {
            v[i] += impulse[i] / moments[2];
        }
        return;
    }
    let moment = [impulse[3], impulse[4], impulse[5]];
    let omega = [v[3], v[4], v[5]];
    if omega == [0.0; 3] && moment == [0.0; 3] {
        return;
    }
    let r = rotation::matrix::<3>(&bodies.orientation[k]);
    let body = free_rotation(moments, &rotate_back(&r, &omega), &rotate_back(&r, &moment), h);
    v[3..].copy_from_slice(&rotate(&r, &body)[..V - 3]);
}

/// What the advance of one body needs to know beside the bodies.
pub(crate) struct Advance<'a, const N: usize, const V: usize> {
    pub gravity: &'a [f64; N],
    pub h: f64,
    pub theta: f64,
    /// Bodies that an impulse moved advance with the velocity of the end alone.
    pub implicit: bool,
    pub v_free: &'a [[f64; V]],
    pub touched: &'a [bool],
    /// What spinning friction adds to the velocities in the end; empty when there is none.
    pub spun: &'a [[f64; V]],
    pub impulses: &'a Impulses<V>,
    /// Of a projection of positions; empty when there is none.
    pub displacement: &'a [[f64; V]],
}

/// What the advance of all bodies yields.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Advanced {
    pub kinetic: f64,
    /// Of gravity alone.
    pub potential: f64,
    pub courant: f64,
    /// The first body whose state or energy is no finite number.
    pub lost: Option<usize>,
}

/// Moves all bodies to the end of the step, where their velocities are `v` and what spinning friction adds; adds the
/// works of forces and scheme.
pub(crate) fn advance<const N: usize, const V: usize>(
    bodies: &mut Bodies<N, V>,
    step: &Advance<'_, N, V>,
    v: &[[f64; V]],
    work: &mut StepWork,
) -> Advanced
where
    Rigid: Space<N, V>,
{
    let mut out = Advanced::default();
    for k in 0..bodies.len() {
        if bodies.motion[k] == Motion::Fixed {
            continue;
        }
        let before = bodies.v[k];
        let movable = bodies.movable[k];
        // a driven body is where it should be at the end; one that an impulse moved keeps the gaps it closed
        let theta = if !movable || (step.implicit && step.touched[k]) { 1.0 } else { step.theta };
        let end = step.spun.get(k).map_or(v[k], |s| std::array::from_fn(|i| v[k][i] + s[i]));
        let mean: [f64; V] = std::array::from_fn(|i| theta * end[i] + (1.0 - theta) * before[i]);
        let shift = step.displacement.get(k).filter(|_| movable).copied().unwrap_or([0.0; V]);
        let moved: [f64; N] = std::array::from_fn(|i| step.h * mean[i] + shift[i]);
        if movable {
            // spinning friction comes last, with a work of its own
            account(bodies, step, k, &moved, &v[k], work);
        }
        (0..N).for_each(|i| bodies.x[k][i] += moved[i]);
        bodies.v[k] = end;
        let (turn, more) = (Bodies::<N, V>::omega(&mean), Bodies::<N, V>::omega(&shift));
        let phi = std::array::from_fn(|i| step.h * turn[i] + more[i]);
        let old = bodies.orientation[k];
        bodies.orientation[k] = turned(&old, &phi);
        if movable && !bodies.is_isotropic(k) && phi != [0.0; 3] {
            // the rotation is that of the body: it turns with it
            let body = rotate_back(&rotation::matrix(&old), &[end[3], end[4], end[5]]);
            bodies.v[k][3..].copy_from_slice(&rotate(&rotation::matrix(&bodies.orientation[k]), &body)[..V - 3]);
        }
        if movable {
            out.kinetic += bodies.kinetic(k, &bodies.v[k]);
            out.potential -= bodies.mass[k] * (0..N).map(|i| step.gravity[i] * bodies.x[k][i]).sum::<f64>();
            let length = moved.iter().map(|x| x * x).sum::<f64>().sqrt();
            out.courant = out.courant.max(length / bodies.radius[k]);
        }
        // zero times a number is zero, and times anything else is not
        let place = bodies.x[k].iter().chain(&bodies.v[k]).chain(&bodies.orientation[k]).map(|x| 0.0 * x).sum::<f64>();
        if out.lost.is_none() && !(place + out.kinetic + out.potential).is_finite() {
            out.lost = Some(k);
        }
    }
    out
}

/// The works of forces on one body, and what the scheme makes of them.
#[inline(always)]
fn account<const N: usize, const V: usize>(
    bodies: &Bodies<N, V>,
    step: &Advance<'_, N, V>,
    k: usize,
    moved: &[f64; N],
    after: &[f64; V],
    work: &mut StepWork,
) where
    Rigid: Space<N, V>,
{
    let before = &bodies.v[k];
    let mean: [f64; V] = std::array::from_fn(|i| 0.5 * (before[i] + after[i]));
    // gravity gives to the velocities h g . v_mean, and takes from the potential g . (x1 - x0)
    let given: f64 = (0..N).map(|i| step.gravity[i] * (step.h * mean[i] - moved[i])).sum();
    work.scheme -= bodies.mass[k] * given;
    let free = &step.v_free[k];
    work.scale += 0.5 * bodies.mass[k] * (0..N).map(|i| (free[i] - before[i]).powi(2)).sum::<f64>();
    if !step.impulses.external.is_empty() {
        let dot = |p: &[f64; V]| (0..V).map(|i| p[i] * mean[i]).sum::<f64>();
        work.external += dot(&Impulses::of(&step.impulses.external, k));
        // springs: what they give to the velocities; the change of their potential is subtracted once for all
        work.scheme -= dot(&Impulses::of(&step.impulses.conservative, k));
    }
    if !bodies.is_isotropic(k) {
        work.scheme -= gyroscopic_work(bodies, step, k, after);
    }
}

/// The gyroscopic term turns the momentum in the free motion, before the impulses: half of the product of the two.
fn gyroscopic_work<const N: usize, const V: usize>(
    bodies: &Bodies<N, V>,
    step: &Advance<'_, N, V>,
    k: usize,
    after: &[f64; V],
) -> f64
where
    Rigid: Space<N, V>,
{
    let omega = |v: &[f64; V]| Bodies::<N, V>::omega(v);
    let (before, free, after) = (omega(&bodies.v[k]), omega(&step.v_free[k]), omega(after));
    let jump = bodies.inertia_times(k, &std::array::from_fn(|i| after[i] - free[i]));
    let turn: [f64; 3] = std::array::from_fn(|i| free[i] - before[i]);
    let mut moment = [0.0; 3];
    if !step.impulses.external.is_empty() {
        let (a, b) = (Impulses::of(&step.impulses.conservative, k), Impulses::of(&step.impulses.external, k));
        moment = std::array::from_fn(|i| a[V - 3 + i] + b[V - 3 + i]);
    }
    let through: f64 = (0..3).map(|i| turn[i] * jump[i]).sum();
    let forced: f64 = (0..3).map(|i| moment[i] * (after[i] - free[i])).sum();
    // T1 - T_free = r . (u1 + u_free)/2 and T_free - T0 = tau . (w0 + w_free)/2, against the sums with means of 0 and 1
    0.5 * (through - forced)
}
