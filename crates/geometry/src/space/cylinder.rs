//! A placed cylinder.

use super::Topology;
use crate::pose::Pose;
use crate::vector::{add, add_scaled, column, dot, norm, scale, sub};
use std::sync::LazyLock;

/// Sides of the prism that stands for a cylinder where its flat end lies on something.
const SIDES: usize = 16;

/// Tilts with a smaller sine have no direction: the rim is then counted from an axis of the body.
const UPRIGHT: f64 = 1e-12;

static PRISM: LazyLock<Topology> = LazyLock::new(|| Topology::prism(SIDES));

/// A cylinder by its centre, axes, half length and radius.
#[derive(Debug, Clone, Copy)]
pub struct Cylinder {
    /// The middle.
    pub centre: [f64; 3],
    /// The unit axis.
    pub axis: [f64; 3],
    /// A unit vector across.
    pub across: [f64; 3],
    /// Half of the height.
    pub half_length: f64,
    /// The radius.
    pub radius: f64,
}

impl Cylinder {
    /// At a pose.
    pub fn new(half_length: f64, radius: f64, pose: &Pose<3>) -> Self {
        let (axis, across) = (column(&pose.rotation, 2), column(&pose.rotation, 0));
        Cylinder { centre: pose.x, axis, across, half_length, radius }
    }

    /// The unit vector across the axis that leans most along `n`, and how far `n` goes along it; an axis of the body if there is none.
    pub fn lean(&self, n: &[f64; 3]) -> ([f64; 3], f64) {
        let across = add_scaled(n, -dot(n, &self.axis), &self.axis);
        let sine = norm(&across);
        if sine <= UPRIGHT * norm(n) {
            return (self.across, 0.0);
        }
        // small, it has kept a part along the axis: taken out once more
        let across = scale(1.0 / sine, &across);
        let across = add_scaled(&across, -dot(&across, &self.axis), &self.axis);
        (scale(1.0 / norm(&across), &across), sine)
    }

    /// The point furthest along a direction.
    pub fn support(&self, n: &[f64; 3]) -> [f64; 3] {
        let (across, sine) = self.lean(n);
        let end = add_scaled(&self.centre, self.half_length.copysign(dot(n, &self.axis)), &self.axis);
        if sine > 0.0 { add_scaled(&end, self.radius, &across) } else { end }
    }

    /// Point `k` of four on the rim of an end (`side` is 1 or -1): number 0 leans most along `n`.
    pub fn rim(&self, side: f64, n: &[f64; 3], k: usize) -> [f64; 3] {
        let (u, _) = self.lean(n);
        let v = crate::vector::cross(&self.axis, &u);
        let (c, s) = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][k];
        let end = add_scaled(&self.centre, side * self.half_length, &self.axis);
        add(&end, &add_scaled(&scale(c * self.radius, &u), s * self.radius, &v))
    }

    /// A prism inscribed in the cylinder with a corner where it leans most along `n`.
    pub fn prism(&self, n: &[f64; 3], vertices: &mut Vec<[f64; 3]>, normals: &mut Vec<[f64; 3]>) -> &'static Topology {
        let (u, _) = self.lean(n);
        let v = crate::vector::cross(&self.axis, &u);
        vertices.clear();
        normals.clear();
        let direction = |turn: f64| {
            let (s, c) = (turn * std::f64::consts::TAU / SIDES as f64).sin_cos();
            add_scaled(&scale(c, &u), s, &v)
        };
        for side in [-1.0, 1.0] {
            let end = add_scaled(&self.centre, side * self.half_length, &self.axis);
            vertices.extend((0..SIDES).map(|k| add_scaled(&end, self.radius, &direction(k as f64))));
        }
        normals.extend((0..SIDES).map(|k| direction(k as f64 + 0.5)));
        normals.extend([scale(-1.0, &self.axis), self.axis]);
        &PRISM
    }

    /// The signed distance of a point, and the outward normal of the surface near it.
    pub fn distance(&self, p: &[f64; 3]) -> (f64, [f64; 3]) {
        let d = sub(p, &self.centre);
        let along = dot(&d, &self.axis);
        let (across, sine) = self.lean(&d);
        let axis = scale(1.0f64.copysign(along), &self.axis);
        let (end, wall) = (along.abs() - self.half_length, sine - self.radius);
        if end > 0.0 && wall > 0.0 {
            let distance = end.hypot(wall);
            return (distance, add_scaled(&scale(end / distance, &axis), wall / distance, &across));
        }
        if end > wall { (end, axis) } else { (wall, across) }
    }
}
