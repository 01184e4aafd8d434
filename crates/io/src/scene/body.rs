//! One body as a scene writes it.

use super::drive::DriveEntry;
use super::fault::{Fault, positive};
use super::placement::{Placement, lift};
use super::plan::{Motion, PlannedBody};
use super::quantity::{Angle, Length, Mass, Number, Spin, Time, Velocity, values};
use super::shape::ShapeEntry;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

/// A body. It moves by forces and contacts unless it is fixed or driven.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyEntry {
    /// A name, by which forces find it.
    pub name: Option<String>,
    /// Its shape: shape.sphere.radius = "5 mm", or shape = "half_space".
    pub shape: ShapeEntry,
    /// Its material. Default: the only one, or "default".
    pub material: Option<String>,
    /// Position of the origin of the shape, a length per axis. Default: the origin.
    pub at: Option<Vec<Length>>,
    /// Angle of rotation, against the clock; in space about "axis".
    pub angle: Option<Angle>,
    /// Axis of the rotation, in space. Default: the last axis.
    pub axis: Option<Vec<Number>>,
    /// Orientation in space as a quaternion (w, x, y, z), instead of angle and axis.
    pub quaternion: Option<[Number; 4]>,
    /// Where the last axis of the shape points, instead of an angle: the outer normal of a half-plane or half-space, the
    /// axis of a cylinder.
    pub normal: Option<Vec<Number>>,
    /// Velocity at the start, per axis. Default: at rest.
    pub velocity: Option<Vec<Velocity>>,
    /// Angular velocity at the start: one number in the plane, three in space. Default: none.
    pub spin: Option<Vec<Spin>>,
    /// Mass, instead of density times volume.
    pub mass: Option<Mass>,
    /// Whether it never moves. Default: false.
    #[serde(default)]
    pub fixed: bool,
    /// A prescribed motion.
    pub drive: Option<DriveEntry>,
    /// Bodies of the same group never touch each other; 0 touches all. Default: 0.
    #[serde(default)]
    pub group: u32,
    /// When it appears. Default: at the start.
    pub enter: Option<Time>,
    /// When it is taken away. Default: never.
    pub leave: Option<Time>,
}

impl BodyEntry {
    pub(crate) fn resolve(&self, dimension: usize) -> Result<PlannedBody, Fault> {
        let shape = self.shape.resolve(dimension).map_err(|e| e.under("shape"))?;
        let placement = Placement {
            at: self.at.as_deref(),
            angle: self.angle,
            axis: self.axis.as_deref(),
            quaternion: self.quaternion,
            normal: self.normal.as_deref(),
        };
        let (x, orientation) = placement.resolve(dimension)?;
        let motion = match (&self.drive, self.fixed) {
            (Some(_), true) => return Err(Fault::new("a fixed body is not driven; remove one of them").under("drive")),
            (Some(drive), false) => Motion::Driven(Arc::new(drive.resolve(dimension).map_err(|e| e.under("drive"))?)),
            (None, true) => Motion::Fixed,
            (None, false) => Motion::Dynamic,
        };
        if motion == Motion::Dynamic && !shape.is_solid() {
            let fault = format!("a {} has no mass of its own; add fixed = true, or a drive", self.shape.word());
            return Err(Fault::new(fault).under("shape"));
        }
        if motion != Motion::Dynamic && (self.velocity.is_some() || self.spin.is_some()) {
            let key = if self.velocity.is_some() { "velocity" } else { "spin" };
            return Err(Fault::new("only a body that moves by forces has a velocity at the start").under(key));
        }
        let (v, omega) = self.velocities(dimension)?;
        if let (Some(enter), Some(leave)) = (self.enter, self.leave)
            && leave <= enter
        {
            return Err(Fault::new(format!("it leaves at {} s, before it enters", leave.0)).under("leave"));
        }
        Ok(PlannedBody {
            shape: Arc::new(shape),
            x,
            orientation,
            v,
            omega,
            mass: self.mass.map(|m| positive("mass", m.0)).transpose()?,
            motion,
            group: self.group,
            enter: self.enter.map(|t| t.0),
            leave: self.leave.map(|t| t.0),
            ..PlannedBody::default()
        })
    }

    fn velocities(&self, dimension: usize) -> Result<([f64; 3], [f64; 3]), Fault> {
        let v = match &self.velocity {
            Some(v) => lift(&values(v), dimension).map_err(|e| e.under("velocity"))?,
            None => [0.0; 3],
        };
        let omega = match (&self.spin, dimension) {
            (None, _) => [0.0; 3],
            (Some(w), 2) if w.len() == 1 => [0.0, 0.0, w[0].0],
            (Some(w), 3) if w.len() == 3 => [w[0].0, w[1].0, w[2].0],
            (Some(w), _) => {
                let needed = if dimension == 2 { 1 } else { 3 };
                let fault = format!("{} numbers found, {needed} needed (dimension = {dimension})", w.len());
                return Err(Fault::new(fault).under("spin"));
            }
        };
        Ok((v, omega))
    }
}
