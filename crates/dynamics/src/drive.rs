//! Prescribed motion.

use crate::error::{WorldError, finite};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// How one velocity varies in time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// The same at all times.
    Constant(f64),
    /// Displacement `amplitude sin(2 pi frequency t + phase)`, given here by its velocity.
    Sine {
        /// Amplitude of the displacement (m or rad).
        amplitude: f64,
        /// Frequency (Hz).
        frequency: f64,
        /// Phase (rad).
        #[serde(default)]
        phase: f64,
    },
    /// Velocities at given times, straight between them, held before the first and after the last.
    Table {
        /// Times (s), increasing.
        t: Vec<f64>,
        /// Velocities (m/s or rad/s).
        v: Vec<f64>,
    },
}

impl Profile {
    /// The integral of the velocity from 0 to `t` (m or rad).
    fn displacement(&self, t: f64) -> f64 {
        match self {
            Profile::Constant(v) => v * t,
            Profile::Sine { amplitude, frequency, phase } => {
                amplitude * ((TAU * frequency * t + phase).sin() - phase.sin())
            }
            Profile::Table { t: times, v } => table_integral(times, v, t) - table_integral(times, v, 0.0),
        }
    }

    fn fault(&self) -> Option<String> {
        let numbers = |x: &[f64]| x.iter().all(|x| x.is_finite());
        match self {
            Profile::Constant(v) if !v.is_finite() => Some(format!("velocity {v} is not a finite number")),
            Profile::Sine { amplitude, frequency, phase } if !numbers(&[*amplitude, *frequency, *phase]) => {
                Some("amplitude, frequency and phase must be finite numbers".into())
            }
            Profile::Table { t, v } if t.len() != v.len() || t.is_empty() => Some(format!(
                "a table needs as many velocities as times, and at least one: {} and {}",
                v.len(),
                t.len()
            )),
            Profile::Table { t, v } if !numbers(t) || !numbers(v) => Some("a table needs finite numbers".into()),
            Profile::Table { t, .. } if t.windows(2).any(|w| w[1] <= w[0]) => {
                Some("the times of a table must increase".into())
            }
            _ => None,
        }
    }
}

/// The integral from the first time of the table to `t` of its broken line, held outside.
fn table_integral(times: &[f64], v: &[f64], t: f64) -> f64 {
    let last = times.len() - 1;
    if t <= times[0] {
        return v[0] * (t - times[0]);
    }
    let mut sum = 0.0;
    for k in 0..last {
        let (t0, t1) = (times[k], times[k + 1]);
        let end = t.min(t1);
        let slope = (v[k + 1] - v[k]) / (t1 - t0);
        sum += (end - t0) * (v[k] + 0.5 * slope * (end - t0));
        if t <= t1 {
            return sum;
        }
    }
    sum + v[last] * (t - times[last])
}

/// The motion of a driven body: one profile a velocity, inside a window of time and at rest outside it.
///
/// Translations come first, then rotations in the frame of the world about the body's centre. The velocity of a step
/// is the displacement over it, so that the body is where it should be at the end of every step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drive {
    /// A profile for each velocity: 3 in the plane, 6 in space; `None` stays at rest.
    pub profiles: Vec<Option<Profile>>,
    /// When the motion starts (s).
    #[serde(default)]
    pub start: f64,
    /// When it stops (s); never, unless given.
    #[serde(default)]
    pub stop: Option<f64>,
}

impl Drive {
    /// A constant velocity.
    pub fn constant<const V: usize>(v: [f64; V]) -> Self {
        Self {
            profiles: v.iter().map(|&v| (v != 0.0).then_some(Profile::Constant(v))).collect(),
            start: 0.0,
            stop: None,
        }
    }

    /// One velocity driven, the others at rest.
    pub fn along<const V: usize>(dof: usize, profile: Profile) -> Self {
        Self { profiles: (0..V).map(|k| (k == dof).then(|| profile.clone())).collect(), start: 0.0, stop: None }
    }

    /// The same motion inside a window of time.
    pub fn between(self, start: f64, stop: f64) -> Self {
        Self { start, stop: Some(stop), ..self }
    }

    /// The mean velocity from `t` to `t + h`.
    pub fn velocity<const V: usize>(&self, t: f64, h: f64) -> [f64; V] {
        let clock = |t: f64| (t.min(self.stop.unwrap_or(f64::INFINITY)) - self.start).max(0.0);
        let (t0, t1) = (clock(t), clock(t + h));
        std::array::from_fn(|k| match self.profiles.get(k) {
            Some(Some(Profile::Constant(v))) if t1 - t0 > h * (1.0 - 1e-12) => *v,
            Some(Some(p)) if t1 > t0 => (p.displacement(t1) - p.displacement(t0)) / h,
            _ => 0.0,
        })
    }

    /// Refuses what cannot be a motion of `dofs` velocities.
    pub fn check(&self, dofs: usize) -> Result<(), WorldError> {
        if self.profiles.len() != dofs {
            let n = self.profiles.len();
            return Err(WorldError::Drive(format!("{n} profiles given, {dofs} needed (translations, then rotations)")));
        }
        if let Some(fault) = self.profiles.iter().flatten().find_map(Profile::fault) {
            return Err(WorldError::Drive(fault));
        }
        finite("start of the motion", &[self.start])?;
        match self.stop {
            Some(stop) if stop.is_nan() || stop < self.start => {
                Err(WorldError::Drive(format!("it stops at {stop} s, before it starts at {} s", self.start)))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_add_up_to_the_displacement() {
        let table = Profile::Table { t: vec![0.1, 0.3, 0.6], v: vec![1.0, 3.0, -1.0] };
        let sine = Profile::Sine { amplitude: 0.2, frequency: 3.0, phase: 0.4 };
        for profile in [table, sine, Profile::Constant(2.0)] {
            let drive = Drive::along::<3>(1, profile.clone()).between(0.05, 0.75);
            let h = 1e-3;
            let x: f64 = (0..1000).map(|k| drive.velocity::<3>(k as f64 * h, h)[1] * h).sum();
            assert!((x - profile.displacement(0.7)).abs() < 1e-12, "{profile:?}");
            assert_eq!(drive.velocity::<3>(0.8, h), [0.0; 3]);
            assert_eq!(drive.velocity::<3>(0.01, h), [0.0; 3]);
        }
    }

    #[test]
    fn a_table_is_integrated_exactly() {
        // a ramp from 0 to 2 m/s in a second, then held
        let p = Profile::Table { t: vec![0.0, 1.0], v: vec![0.0, 2.0] };
        assert!((p.displacement(0.5) - 0.25).abs() < 1e-15 && (p.displacement(3.0) - 5.0).abs() < 1e-15);
    }

    #[test]
    fn impossible_motions_are_refused() {
        let bad = [
            Drive::along::<3>(0, Profile::Constant(f64::NAN)),
            Drive::along::<3>(0, Profile::Table { t: vec![0.0, 0.0], v: vec![1.0, 1.0] }),
            Drive::along::<3>(0, Profile::Table { t: vec![], v: vec![] }),
            Drive::along::<6>(0, Profile::Constant(1.0)),
            Drive::constant([1.0, 0.0, 0.0]).between(1.0, 0.5),
        ];
        for drive in bad {
            assert!(drive.check(3).is_err(), "{drive:?}");
        }
    }
}
