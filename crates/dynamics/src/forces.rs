//! External forces.

use crate::bodies::{Bodies, BodyId};
use crate::error::{WorldError, finite};
use crate::rotation;
use crate::space::{Rigid, Space};
use std::sync::Arc;
use stickslip_contact::operator::rigid::velocity_at;

/// A force and moment as a function of time, in the frame of the world.
pub type ForceFunction<const V: usize> = Arc<dyn Fn(f64) -> [f64; V] + Send + Sync>;

/// One end of a spring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor<const N: usize> {
    /// A point of a body, from its centre of mass along its principal axes (m).
    Body(BodyId, [f64; N]),
    /// A point that never moves (m).
    Ground([f64; N]),
}

/// Forces beside gravity.
#[derive(Clone)]
pub enum Force<const N: usize, const V: usize> {
    /// A constant force (N) and moment (N m) on a body, in the frame of the world.
    Constant {
        /// The body.
        body: BodyId,
        /// Force, then moment.
        force: [f64; V],
    },
    /// A force and moment on a body as a function of time.
    Function {
        /// The body.
        body: BodyId,
        /// Force, then moment, at a time (s).
        force: ForceFunction<V>,
    },
    /// Drag on all bodies, `-rate m v` and `-rate I omega`: velocities fade like `exp(-rate t)`.
    Damping {
        /// Of translation (1/s).
        linear: f64,
        /// Of rotation (1/s).
        angular: f64,
    },
    /// A spring with a damper beside it.
    Spring {
        /// One end.
        from: Anchor<N>,
        /// The other end.
        to: Anchor<N>,
        /// Stiffness (N/m).
        stiffness: f64,
        /// Length without force (m).
        rest: f64,
        /// Damping (N s/m).
        damping: f64,
    },
}

impl<const N: usize, const V: usize> std::fmt::Debug for Force<N, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Force::Constant { body, force } => write!(f, "Constant({body:?}, {force:?})"),
            Force::Function { body, .. } => write!(f, "Function({body:?})"),
            Force::Damping { linear, angular } => write!(f, "Damping({linear}, {angular})"),
            Force::Spring { from, to, stiffness, rest, damping } => {
                write!(f, "Spring({from:?}, {to:?}, {stiffness}, {rest}, {damping})")
            }
        }
    }
}

/// A spring where it is now.
struct Stretched<const N: usize> {
    ends: [Option<(usize, [f64; N])>; 2],
    /// From the second end to the first, of length one.
    direction: [f64; N],
    length: f64,
    /// Speed at which it grows (m/s).
    rate: f64,
}

impl<const N: usize, const V: usize> Force<N, V>
where
    Rigid: Space<N, V>,
{
    /// Refuses impossible numbers and bodies that neither are there nor are among the next `to_come`.
    pub(crate) fn check(&self, bodies: &Bodies<N, V>, to_come: usize) -> Result<(), WorldError> {
        let announced = |id: &BodyId| id.0.checked_sub(bodies.next_id()).is_some_and(|k| (k as usize) < to_come);
        let exists = |id: &BodyId| match bodies.slot(*id) {
            Some(_) => Ok(()),
            None if announced(id) => Ok(()),
            None => Err(WorldError::NoSuchBody { body: id.0 as usize, bodies: bodies.len() }),
        };
        match self {
            Force::Constant { body, force } => exists(body).and_then(|()| finite("force", force)),
            Force::Function { body, .. } => exists(body),
            Force::Damping { linear, angular } => {
                crate::error::within("damping", *linear, 0.0, f64::MAX)?;
                crate::error::within("damping", *angular, 0.0, f64::MAX)
            }
            Force::Spring { from, to, stiffness, rest, damping } => {
                for anchor in [from, to] {
                    match anchor {
                        Anchor::Body(id, p) => exists(id).and_then(|()| finite("anchor", p))?,
                        Anchor::Ground(p) => finite("anchor", p)?,
                    }
                }
                crate::error::within("stiffness", *stiffness, 0.0, f64::MAX)?;
                crate::error::within("rest length", *rest, 0.0, f64::MAX)?;
                crate::error::within("damping", *damping, 0.0, f64::MAX)
            }
        }
    }

    /// Adds the impulses of the step from `t` to `t + h`: those with a potential, and the others.
    ///
    /// Springs and functions are taken at the time and place that `theta` weights, positions predicted with the
    /// velocities of the start; drag is implicit.
    pub(crate) fn add_impulses(
        &self,
        (t, h, theta): (f64, f64, f64),
        bodies: &Bodies<N, V>,
        conservative: &mut [[f64; V]],
        external: &mut [[f64; V]],
    ) {
        match self {
            Force::Constant { body, force } => {
                let Some(k) = bodies.slot(*body) else { return };
                (0..V).for_each(|i| external[k][i] += h * force[i]);
            }
            Force::Function { body, force } => {
                let Some(k) = bodies.slot(*body) else { return };
                let f = force(t + theta * h);
                (0..V).for_each(|i| external[k][i] += h * f[i]);
            }
            Force::Damping { linear, angular } => {
                for k in (0..bodies.len()).filter(|&k| bodies.movable[k]) {
                    let v = &bodies.v[k];
                    let spin = bodies.inertia_times(k, &Bodies::<N, V>::omega(v));
                    let implicit = |rate: f64| h * rate / (1.0 + h * theta * rate);
                    for i in 0..V {
                        external[k][i] -= match i.checked_sub(N) {
                            None => bodies.mass[k] * v[i] * implicit(*linear),
                            Some(_) if N == 2 => spin[2] * implicit(*angular),
                            Some(j) => spin[j] * implicit(*angular),
                        };
                    }
                }
            }
            Force::Spring { stiffness, rest, damping, .. } => {
                let Some(s) = self.stretched(bodies, theta * h) else { return };
                for (into, pull) in [(&mut *conservative, stiffness * (s.length - rest)), (external, damping * s.rate)]
                {
                    for (end, sign) in s.ends.iter().zip([-1.0, 1.0]) {
                        let Some((k, arm)) = end else { continue };
                        let p: [f64; N] = s.direction.map(|d| sign * h * pull * d);
                        add_at(&mut into[*k], &p, arm);
                    }
                }
            }
        }
    }

    /// The energy stored (J).
    pub(crate) fn potential(&self, bodies: &Bodies<N, V>) -> f64 {
        let Force::Spring { stiffness, rest, .. } = self else { return 0.0 };
        self.stretched(bodies, 0.0).map_or(0.0, |s| 0.5 * stiffness * (s.length - rest).powi(2))
    }

    /// The spring after its ends moved on for `ahead` seconds; `None` when a body has left.
    fn stretched(&self, bodies: &Bodies<N, V>, ahead: f64) -> Option<Stretched<N>> {
        let Force::Spring { from, to, .. } = self else { return None };
        let end = |anchor: &Anchor<N>| match anchor {
            Anchor::Ground(p) => Some((None, *p, [0.0; N])),
            Anchor::Body(id, p) => {
                let k = bodies.slot(*id)?;
                let r = rotation::matrix::<N>(&bodies.orientation[k]);
                let arm: [f64; N] = std::array::from_fn(|i| (0..N).map(|j| r[i][j] * p[j]).sum());
                let v = velocity_at(&bodies.v[k], &arm);
                let x = std::array::from_fn(|i| bodies.x[k][i] + arm[i] + ahead * v[i]);
                Some((bodies.movable[k].then_some((k, arm)), x, v))
            }
        };
        let ((a, xa, va), (b, xb, vb)) = (end(from)?, end(to)?);
        let d: [f64; N] = std::array::from_fn(|i| xa[i] - xb[i]);
        let length = d.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 {
            return None;
        }
        let direction = d.map(|x| x / length);
        let rate = (0..N).map(|i| direction[i] * (va[i] - vb[i])).sum();
        Some(Stretched { ends: [a, b], direction, length, rate })
    }
}

/// Adds an impulse at `arm` from the centre.
fn add_at<const N: usize, const V: usize>(into: &mut [f64; V], p: &[f64; N], arm: &[f64; N]) {
    (0..N).for_each(|i| into[i] += p[i]);
    if N == 2 {
        into[2] += arm[0] * p[1] - arm[1] * p[0];
    } else {
        into[3] += arm[1] * p[2] - arm[2] * p[1];
        into[4] += arm[2] * p[0] - arm[0] * p[2];
        into[5] += arm[0] * p[1] - arm[1] * p[0];
    }
}
