//! What bodies meet that enter later.
//!
//! Where a body is by then is known when it is fixed or driven. One that forces move is taken to fly freely; where it
//! stands on something when it comes, it is looked for in the place where it was put as well.

use super::contacts::{Pair, present};
use crate::scene::{Build, Motion, Scene};
use stickslip_dynamics::{Bodies, Drive, Rigid, rotation};
use stickslip_geometry::Pose;
use stickslip_geometry::detector::Detector;

/// Bodies this close, relative to their size, are counted as touching.
const NEAR: f64 = 1e-6;
/// Most places of bodies that are looked at, over all times at which bodies enter.
const MOST: usize = 2_000_000;

/// A body that enters where another one is.
pub(super) struct Meeting {
    pub pair: Pair,
    /// When (s).
    pub t: f64,
    /// Whether that is so wherever the other one moves: it is fixed or driven, enters too, or cannot have fallen away.
    pub sure: bool,
}

/// What bodies that enter later meet.
#[derive(Default)]
pub(super) struct Entrance {
    pub meetings: Vec<Meeting>,
    /// How many bodies enter during the simulation.
    pub entering: usize,
    /// Time up to which all of them were looked at (s), where they are too many.
    pub looked_until: Option<f64>,
}

/// The bodies, moved from one time to the next.
pub(super) struct Stage<'a, const N: usize, const V: usize>
where
    Rigid: Build<N, V>,
{
    scene: &'a Scene,
    /// Where they are put.
    put: Bodies<N, V>,
    /// Whether a body stands on something when it comes.
    stands: Vec<bool>,
}

impl<'a, const N: usize, const V: usize> Stage<'a, N, V>
where
    Rigid: Build<N, V>,
{
    pub(super) fn new(scene: &'a Scene, put: Bodies<N, V>) -> Self {
        let stands = vec![false; put.len()];
        Self { scene, put, stands }
    }

    pub(super) fn into_bodies(self) -> Bodies<N, V> {
        self.put
    }

    /// The contacts at the start.
    pub(super) fn start(&mut self) -> Vec<Pair> {
        let there = self.there(0.0);
        let pairs = self.detect(&there, 0.0, false);
        self.stand(0.0, &pairs);
        pairs
    }

    /// The bodies that enter during the simulation, in the order of time, and whom they meet.
    pub(super) fn entrance(&mut self) -> Entrance {
        let end = self.scene.steps as f64 * self.scene.h();
        let mut times: Vec<f64> = self.scene.bodies.iter().filter_map(|b| b.enter).collect();
        times.retain(|t| *t > 0.0 && *t <= end);
        let mut entrance = Entrance { entering: times.len(), ..Entrance::default() };
        times.sort_by(f64::total_cmp);
        times.dedup();
        let mut looked = 0;
        for (k, &t) in times.iter().enumerate() {
            let there = self.there(t);
            looked += there.len();
            if looked > MOST {
                entrance.looked_until = Some(if k == 0 { 0.0 } else { times[k - 1] });
                break;
            }
            self.enter(t, &there, &mut entrance.meetings);
        }
        entrance
    }

    /// Those that enter at a time against all that are there.
    fn enter(&mut self, t: f64, there: &[usize], meetings: &mut Vec<Meeting>) {
        let bodies = &self.scene.bodies;
        let new = |k: usize| bodies[k].enter == Some(t);
        let put = self.detect(there, t, false);
        let flown = self.detect(there, t, true);
        let overlap = |p: &Pair| p.gap < -NEAR * self.put.radius[p.a].min(self.put.radius[p.b]);
        let meets = |p: &&Pair| overlap(p) && (new(p.a) || new(p.b));
        for p in put.iter().filter(meets) {
            let other = if new(p.a) { p.b } else { p.a };
            let known = !self.put.movable[other] || new(other);
            let sure = known || flown.iter().filter(meets).any(|q| (q.a, q.b) == (p.a, p.b));
            meetings.push(Meeting { pair: Pair { ..*p }, t, sure });
        }
        self.stand(t, &put);
    }

    /// The bodies that are there at a time.
    fn there(&self, t: f64) -> Vec<usize> {
        (0..self.put.len()).filter(|&k| present(&self.scene.bodies[k], t)).collect()
    }

    /// The contacts at a time between bodies that are there; those that stand are where they were put, or have flown.
    fn detect(&self, there: &[usize], t: f64, flown: bool) -> Vec<Pair> {
        let b = &self.put;
        let shapes: Vec<_> = there.iter().map(|&k| b.shape[k].clone()).collect();
        let poses: Vec<Pose<N>> = there.iter().map(|&k| self.pose(k, t, flown)).collect();
        let reach: Vec<f64> = there.iter().map(|&k| if b.movable[k] { NEAR * b.radius[k] } else { 0.0 }).collect();
        let movable: Vec<bool> = there.iter().map(|&k| b.movable[k]).collect();
        let group: Vec<u32> = there.iter().map(|&k| b.group[k]).collect();
        let mut found = Vec::new();
        Detector::default().detect(&shapes, &poses, &reach, &movable, &group, &mut found);
        found.iter().map(|c| Pair { a: there[c.a as usize], b: there[c.b as usize], gap: c.gap }).collect()
    }

    /// Where the shape of a body is at a time.
    fn pose(&self, k: usize, t: f64, flown: bool) -> Pose<N> {
        let planned = &self.scene.bodies[k];
        let since = planned.enter.unwrap_or(0.0).max(0.0);
        let past = t - since;
        let mut pose = self.put.pose(k);
        match &planned.motion {
            Motion::Driven(drive) if past > 0.0 => self.driven(k, drive, (since, past)),
            Motion::Dynamic if flown || !self.stands[k] => {
                for i in 0..N {
                    pose.x[i] += past * (planned.v[i] + 0.5 * past * self.scene.gravity[i]);
                }
                pose
            }
            _ => pose,
        }
    }

    /// Where a driven body is `past` seconds after it came; rotations about several axes are taken together.
    fn driven(&self, k: usize, drive: &Drive, (since, past): (f64, f64)) -> Pose<N> {
        let v = drive.velocity::<V>(since, past);
        let turn = Bodies::<N, V>::omega(&v).map(|w| w * past);
        let angle = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        let (s, c) = (0.5 * angle).sin_cos();
        let axis = if angle > 0.0 { turn.map(|x| s * x / angle) } else { [0.0; 3] };
        let q = rotation::product(&[c, axis[0], axis[1], axis[2]], &self.put.orientation[k]);
        let x = std::array::from_fn(|i| self.put.x[k][i] + past * v[i]);
        // what is driven turns about the origin of its shape
        Pose { x, rotation: rotation::matrix(&q) }
    }

    /// Marks those that come at this time and touch something that forces do not move, directly or through others.
    fn stand(&mut self, t: f64, pairs: &[Pair]) {
        let movable = &self.put.movable;
        let new = |k: usize| self.scene.bodies[k].enter.unwrap_or(0.0).max(0.0) == t;
        let mut rest: Vec<&Pair> = pairs.iter().collect();
        loop {
            let before = rest.len();
            rest.retain(|p| {
                let held = [p.a, p.b].iter().any(|&k| self.stands[k] || !movable[k]);
                for k in [p.a, p.b].into_iter().filter(|&k| held && new(k)) {
                    self.stands[k] = true;
                }
                !held
            });
            if rest.len() == before {
                break;
            }
        }
    }
}
