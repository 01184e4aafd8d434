//! Which bodies touch at the start.

use super::entering::{Entrance, Stage};
use crate::scene::{Build, PlannedBody, Scene, SceneError};
use stickslip_dynamics::{Bodies, Rigid};

/// Two bodies that touch, or nearly.
pub(super) struct Pair {
    pub a: usize,
    pub b: usize,
    /// Negative in overlap (m).
    pub gap: f64,
}

/// The bodies of a scene as the check sees them: all of them, where they are put.
pub(super) struct Touching {
    /// Points of contact at the start.
    pub pairs: Vec<Pair>,
    /// What bodies that enter later meet.
    pub entrance: Entrance,
    /// Size of each body (m); infinite for shapes without end.
    pub radius: Vec<f64>,
    /// Mass (kg), 0 for bodies that forces do not move.
    pub mass: Vec<f64>,
    /// Whether it is a disc or a ball.
    pub round: Vec<bool>,
    /// Centre of each (m).
    pub centre: Vec<[f64; 3]>,
    /// Bodies at the start that forces move.
    pub movable: usize,
}

/// Whether a body is there at a time (s).
pub(super) fn present(b: &PlannedBody, t: f64) -> bool {
    b.enter.is_none_or(|enter| enter.max(0.0) <= t) && b.leave.is_none_or(|leave| leave > t)
}

impl Touching {
    pub(super) fn of<const N: usize, const V: usize>(scene: &Scene) -> Result<Self, SceneError>
    where
        Rigid: Build<N, V>,
    {
        // what cannot be built is refused there, with its place
        drop(scene.world::<N, V>()?);
        let mut bodies = Bodies::default();
        for planned in &scene.bodies {
            scene.body(planned).and_then(|b| bodies.add(b)).map_err(|e| scene.refused_body(planned, &e))?;
        }
        let mut stage = Stage::new(scene, bodies);
        let pairs = stage.start();
        let entrance = stage.entrance();
        let bodies = stage.into_bodies();
        let lift = |x: &[f64; N]| std::array::from_fn(|i| if i < N { x[i] } else { 0.0 });
        let movable = scene.bodies.iter().zip(&bodies.movable).filter(|(b, m)| **m && present(b, 0.0)).count();
        Ok(Self {
            pairs,
            entrance,
            centre: bodies.x.iter().map(lift).collect(),
            radius: bodies.radius,
            mass: bodies.mass,
            round: bodies.round,
            movable,
        })
    }

    /// The bodies that forces move, with their sizes (m).
    fn moving(&self) -> impl Iterator<Item = (usize, f64)> {
        (0..self.mass.len()).filter(|&k| self.mass[k] > 0.0).map(|k| (k, self.radius[k]))
    }

    /// The smallest body that forces move, and its size (m).
    pub(super) fn smallest(&self) -> Option<(usize, f64)> {
        self.moving().min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The largest body that forces move, and its size (m).
    pub(super) fn largest(&self) -> Option<(usize, f64)> {
        self.moving().max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

/// The keys of two bodies.
pub(super) fn keys(scene: &Scene, a: usize, b: usize) -> String {
    let [a, b] = [a, b].map(|k| scene.entry(&scene.bodies[k]));
    if a == b { a.to_string() } else { format!("{a} and {b}") }
}
