//! Forces besides gravity, as a scene writes them.

use super::fault::{Fault, within};
use super::placement::lift;
use super::plan::{Course, PlannedForce};
use super::quantity::values;
use super::quantity::{Damping, Force, Frequency, Length, Number, Quantity, Stiffness, Time};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::HashMap;
use stickslip_contact::solvers::catalog::edit_distance;

/// A moment of force (N m).
pub type Moment = Quantity<2, 1, -2, 0>;

/// A force: exactly one of constant, sine, table, damping, spring. On a body that enters later it begins with it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ForceEntry {
    /// A constant force on a body, in the axes of the world.
    Constant {
        /// The body, by name.
        body: String,
        /// The force, per axis.
        force: Vec<Force>,
        /// A moment: one number in the plane, three in space. Default: none.
        moment: Option<Vec<Moment>>,
    },
    /// A force that swings: force and moment times sin(2 pi frequency (t - start)).
    Sine {
        /// The body, by name.
        body: String,
        /// Amplitude of the force, per axis.
        force: Vec<Force>,
        /// Amplitude of a moment: one number in the plane, three in space. Default: none.
        moment: Option<Vec<Moment>>,
        /// Frequency.
        frequency: Frequency,
        /// When it starts. Default: 0.
        start: Option<Time>,
        /// When it stops. Default: never.
        stop: Option<Time>,
    },
    /// A force that follows a table: force and moment times factors at given times, straight in between.
    Table {
        /// The body, by name.
        body: String,
        /// The force where the factor is 1, per axis.
        force: Vec<Force>,
        /// The moment where the factor is 1: one number in the plane, three in space. Default: none.
        moment: Option<Vec<Moment>>,
        /// Times, increasing.
        times: Vec<Time>,
        /// Factors at these times; held before and after.
        factors: Vec<Number>,
    },
    /// Drag on all bodies: velocities fade like exp(-rate t).
    Damping {
        /// Rate of translations.
        linear: Frequency,
        /// Rate of rotations. Default: none.
        #[serde(default)]
        angular: Frequency,
    },
    /// A spring, with a damper beside it, between two bodies or a body and a fixed point.
    Spring {
        /// A body, by name; held at its centre.
        body: String,
        /// The body at the other end, by name.
        to: Option<String>,
        /// The fixed point at the other end, instead of a body.
        ground: Option<Vec<Length>>,
        /// Stiffness.
        stiffness: Stiffness,
        /// Length without force. Default: 0.
        #[serde(default)]
        rest: Length,
        /// Damping. Default: 0.
        #[serde(default)]
        damping: Damping,
    },
}

/// The bodies of a scene that have a name.
type Names<'a> = HashMap<&'a str, usize>;

impl ForceEntry {
    /// The force with its bodies by number, checked.
    pub(crate) fn resolve(&self, dimension: usize, names: &Names<'_>) -> Result<PlannedForce, Fault> {
        match self {
            Self::Constant { body, force, moment } => {
                let under = |e: Fault| e.under("constant");
                let (body, force, moment) = pull(body, force, moment, dimension, names).map_err(under)?;
                Ok(PlannedForce::Constant { body, force, moment })
            }
            Self::Sine { body, force, moment, frequency, start, stop } => {
                let under = |e: Fault| e.under("sine");
                let (body, force, moment) = pull(body, force, moment, dimension, names).map_err(under)?;
                let (start, stop) = (start.unwrap_or_default().0, stop.map(|t| t.0));
                if stop.is_some_and(|stop| stop < start) {
                    return Err(under(Fault::new(format!("comes before the start at {start} s")).under("stop")));
                }
                let course = Course::Sine { frequency: frequency.0, start, stop };
                Ok(PlannedForce::Varying { body, force, moment, course })
            }
            Self::Table { body, force, moment, times, factors } => {
                let under = |e: Fault| e.under("table");
                let (body, force, moment) = pull(body, force, moment, dimension, names).map_err(under)?;
                let course = table(values(times), values(factors)).map_err(under)?;
                Ok(PlannedForce::Varying { body, force, moment, course })
            }
            Self::Damping { linear, angular } => {
                let rate = |key: &str, x: f64| within(key, x, 0.0, f64::MAX).map_err(|e| e.under("damping"));
                Ok(PlannedForce::Damping { linear: rate("linear", linear.0)?, angular: rate("angular", angular.0)? })
            }
            Self::Spring { body, to, ground, stiffness, rest, damping } => {
                let under = |e: Fault| e.under("spring");
                let to = match (to, ground) {
                    (Some(name), None) => Ok(find(names, name).map_err(|e| under(e.under("to")))?),
                    (None, Some(x)) => Err(lift(&values(x), dimension).map_err(|e| under(e.under("ground")))?),
                    _ => return Err(under(Fault::new("give one of to (a body) and ground (a point)"))),
                };
                Ok(PlannedForce::Spring {
                    body: find(names, body).map_err(|e| under(e.under("body")))?,
                    to,
                    stiffness: within("stiffness", stiffness.0, 0.0, f64::MAX).map_err(under)?,
                    rest: within("rest", rest.0, 0.0, f64::MAX).map_err(under)?,
                    damping: within("damping", damping.0, 0.0, f64::MAX).map_err(under)?,
                })
            }
        }
    }
}

/// The number of a body.
fn find(names: &Names<'_>, name: &str) -> Result<usize, Fault> {
    names.get(name).copied().ok_or_else(|| {
        let nearest = names.keys().min_by_key(|n| (edit_distance(n, name), **n));
        let hint = nearest.map_or("; no body has a name yet".into(), |n| format!("; did you mean '{n}'?"));
        Fault::new(format!("no body is named '{name}'{hint}"))
    })
}

/// A body, the force and the moment on it.
fn pull(
    body: &str,
    force: &[Force],
    moment: &Option<Vec<Moment>>,
    dimension: usize,
    names: &Names<'_>,
) -> Result<(usize, [f64; 3], [f64; 3]), Fault> {
    let moment = match (moment, dimension) {
        (None, _) => [0.0; 3],
        (Some(m), 2) if m.len() == 1 => [0.0, 0.0, m[0].0],
        (Some(m), _) => lift(&values(m), 3).map_err(|e| e.under("moment"))?,
    };
    let force = lift(&values(force), dimension).map_err(|e| e.under("force"))?;
    Ok((find(names, body).map_err(|e| e.under("body"))?, force, moment))
}

/// A course given at some times.
fn table(times: Vec<f64>, factors: Vec<f64>) -> Result<Course, Fault> {
    if times.len() != factors.len() || times.is_empty() {
        let fault = format!("{} factors for {} times; give one for each, at least one", factors.len(), times.len());
        return Err(Fault::new(fault).under("factors"));
    }
    if times.windows(2).any(|w| w[1] <= w[0]) {
        return Err(Fault::new("must increase from each to the next").under("times"));
    }
    Ok(Course::Table { times, factors })
}
