//! Prescribed motion as a scene writes it.

use super::fault::Fault;
use super::placement::lift;
use super::quantity::{Angle, Frequency, Length, Number, Spin, Time, Velocity, values};
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_dynamics::{Drive, Profile};

/// A prescribed motion: translations and rotations add up.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriveEntry {
    /// Constant velocity, per axis.
    pub velocity: Option<Vec<Velocity>>,
    /// Constant rotation; in space about "axis".
    pub spin: Option<Spin>,
    /// Axis of rotation in space. Default: the last axis.
    pub axis: Option<Vec<Number>>,
    /// Vibration along a direction.
    pub sine: Option<SineEntry>,
    /// Oscillating rotation; in space about "axis".
    pub swing: Option<SwingEntry>,
    /// Velocities at given times, straight in between.
    pub table: Option<TableEntry>,
    /// When the motion starts. Default: 0.
    pub start: Option<Time>,
    /// When it stops. Default: never.
    pub stop: Option<Time>,
}

/// A vibration: displacement amplitude sin(2 pi frequency t).
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SineEntry {
    /// Its direction, of any length.
    pub direction: Vec<Number>,
    /// Amplitude of the displacement.
    pub amplitude: Length,
    /// Frequency.
    pub frequency: Frequency,
}

/// An oscillating rotation.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SwingEntry {
    /// Amplitude of the angle.
    pub amplitude: Angle,
    /// Frequency.
    pub frequency: Frequency,
}

/// Velocities at given times along a direction.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableEntry {
    /// Direction of the motion, of any length.
    pub direction: Vec<Number>,
    /// Times, increasing.
    pub times: Vec<Time>,
    /// Velocities along the direction at these times; held before and after.
    pub velocities: Vec<Velocity>,
}

impl DriveEntry {
    /// The motion, a profile per velocity: translations, then rotations.
    pub(crate) fn resolve(&self, dimension: usize) -> Result<Drive, Fault> {
        let mut profiles: Vec<Option<Profile>> = vec![None; if dimension == 2 { 3 } else { 6 }];
        if let Some(v) = &self.velocity {
            let v = lift(&values(v), dimension).map_err(|e| e.under("velocity"))?;
            add(&mut profiles, 0, v, "velocity", Profile::Constant)?;
        }
        if let Some(s) = &self.sine {
            let n = direction(&s.direction, dimension).map_err(|e| e.under("sine"))?;
            let profile = |x: f64| Profile::Sine { amplitude: x * s.amplitude.0, frequency: s.frequency.0, phase: 0.0 };
            add(&mut profiles, 0, n, "sine", profile)?;
        }
        if let Some(t) = &self.table {
            let n = direction(&t.direction, dimension).map_err(|e| e.under("table"))?;
            let (times, speeds) = (values(&t.times), values(&t.velocities));
            let profile = |x: f64| Profile::Table { t: times.clone(), v: speeds.iter().map(|v| x * v).collect() };
            add(&mut profiles, 0, n, "table", profile)?;
        }
        let axis = self.axis(dimension)?;
        if let Some(spin) = self.spin {
            add(&mut profiles, dimension, axis, "spin", |x| Profile::Constant(x * spin.0))?;
        }
        if let Some(s) = &self.swing {
            let profile = |x: f64| Profile::Sine { amplitude: x * s.amplitude.0, frequency: s.frequency.0, phase: 0.0 };
            add(&mut profiles, dimension, axis, "swing", profile)?;
        }
        if profiles.iter().all(Option::is_none) {
            let fault = "it moves nothing: give velocity, spin, sine, swing or table, or make the body fixed";
            return Err(Fault::new(fault));
        }
        let drive = Drive { profiles, start: self.start.unwrap_or_default().0, stop: self.stop.map(|t| t.0) };
        drive.check(if dimension == 2 { 3 } else { 6 }).map_err(|e| Fault::new(e.to_string()))?;
        Ok(drive)
    }

    /// The axis of rotations; in the plane its only entry comes first.
    fn axis(&self, dimension: usize) -> Result<[f64; 3], Fault> {
        match &self.axis {
            Some(_) if dimension == 2 => Err(Fault::new("a scene in the plane has no axis to choose").under("axis")),
            Some(axis) => direction(axis, 3).map_err(|e| Fault::new(e.what()).under("axis")),
            None if dimension == 2 => Ok([1.0, 0.0, 0.0]),
            None => Ok([0.0, 0.0, 1.0]),
        }
    }
}

/// Puts a profile on each velocity that the direction has a part in.
fn add(
    profiles: &mut [Option<Profile>],
    first: usize,
    direction: [f64; 3],
    key: &str,
    profile: impl Fn(f64) -> Profile,
) -> Result<(), Fault> {
    for (slot, x) in profiles[first..].iter_mut().zip(direction).filter(|(_, x)| *x != 0.0) {
        if slot.is_some() {
            let fault = "another key of this drive moves the same way already; give each direction one motion";
            return Err(Fault::new(fault).under(key));
        }
        *slot = Some(profile(x));
    }
    Ok(())
}

/// A unit vector along what the file gives.
fn direction(x: &[Number], dimension: usize) -> Result<[f64; 3], Fault> {
    let n = lift(&values(x), dimension).map_err(|e| e.under("direction"))?;
    let largest = n.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if largest <= 0.0 {
        return Err(Fault::new("it has no direction: all its numbers are zero").under("direction"));
    }
    let n = n.map(|x| x / largest);
    let norm = n.iter().map(|x| x * x).sum::<f64>().sqrt();
    Ok(n.map(|x| x / norm))
}
