//! Which bodies touch at the start.

use crate::scene::{Build, Scene, SceneError};
use stickslip_dynamics::Rigid;
use stickslip_geometry::detector::Detector;

/// Two bodies that touch, or nearly.
pub(super) struct Pair {
    pub a: usize,
    pub b: usize,
    /// Negative in overlap (m).
    pub gap: f64,
}

/// The bodies at the start as the check sees them.
pub(super) struct Touching {
    /// Points of contact.
    pub pairs: Vec<Pair>,
    /// Size of each body (m); infinite for shapes without end.
    pub radius: Vec<f64>,
    /// Mass (kg), 0 for bodies that forces do not move.
    pub mass: Vec<f64>,
    /// Centre of each (m).
    pub centre: Vec<[f64; 3]>,
    /// Bodies that forces move.
    pub movable: usize,
}

/// Bodies this close, relative to their size, are counted as touching.
const NEAR: f64 = 1e-6;

impl Touching {
    pub(super) fn of<const N: usize, const V: usize>(scene: &Scene) -> Result<Self, SceneError>
    where
        Rigid: Build<N, V>,
    {
        let world = scene.world::<N, V>()?;
        let bodies = world.bodies();
        let poses: Vec<_> = (0..bodies.len()).map(|k| bodies.pose(k)).collect();
        let reach: Vec<f64> =
            bodies.radius.iter().zip(&bodies.movable).map(|(r, m)| if *m { NEAR * r } else { 0.0 }).collect();
        let mut found = Vec::new();
        Detector::default().detect(&bodies.shape, &poses, &reach, &bodies.movable, &bodies.group, &mut found);
        let lift = |x: &[f64; N]| std::array::from_fn(|i| if i < N { x[i] } else { 0.0 });
        Ok(Self {
            pairs: found.iter().map(|c| Pair { a: c.a as usize, b: c.b as usize, gap: c.gap }).collect(),
            radius: bodies.radius.clone(),
            mass: bodies.mass.clone(),
            centre: bodies.x.iter().map(lift).collect(),
            movable: bodies.movable.iter().filter(|m| **m).count(),
        })
    }

    /// The size of the smallest body that forces move (m).
    pub(super) fn smallest(&self) -> Option<(usize, f64)> {
        let moving = (0..self.mass.len()).filter(|&k| self.mass[k] > 0.0).map(|k| (k, self.radius[k]));
        moving.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The size of the largest body that forces move (m).
    pub(super) fn largest(&self) -> Option<(usize, f64)> {
        let moving = (0..self.mass.len()).filter(|&k| self.mass[k] > 0.0).map(|k| (k, self.radius[k]));
        moving.max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// The keys of two bodies.
pub(super) fn keys(scene: &Scene, a: usize, b: usize) -> String {
    let [a, b] = [a, b].map(|k| scene.entry(&scene.bodies[k]));
    if a == b { a.to_string() } else { format!("{a} and {b}") }
}
