//! From poses to contacts: the broad phase, then one question a pair.

use crate::bounds::Bounds;
use crate::cell_list::Entry;
use crate::contact::{Contact, Sink};
use crate::near::{NearPairs, Wall};
use crate::pose::Pose;

/// What the detector asks of a shape.
pub trait Shape<const N: usize> {
    /// Room for the questions about pairs, reused from call to call.
    type Scratch: Default + std::fmt::Debug;

    /// A box that holds the shape. What has no end in some direction is apart, and may answer [`Bounds::ALL`].
    fn bounds(&self, pose: &Pose<N>) -> Bounds<N>;

    /// The radius of a ball around the origin of the pose, if the shape is one.
    fn ball(&self) -> Option<f64>;

    /// Whether the shape surrounds or carries the others (half-spaces, terrain, drums): such shapes stay out of the cell
    /// list, are compared with every body, and never with each other.
    fn is_apart(&self) -> bool;

    /// A lower bound of the distance from a shape that is apart to a box of these half extents around `centre`; `None`
    /// where there is none to be had cheaply. It must depend on the pose through its rotation, and change by no more than
    /// the origin of the pose moves.
    fn clearance(&self, _pose: &Pose<N>, _centre: &[f64; N], _half: &[f64; N]) -> Option<f64> {
        None
    }

    /// The contacts between two shapes not further apart than `reach`.
    fn contacts(
        a: (&Self, &Pose<N>),
        b: (&Self, &Pose<N>),
        reach: f64,
        scratch: &mut Self::Scratch,
        sink: &mut Sink<'_, N>,
    );
}

/// Finds the contacts of a set of bodies.
///
/// The answer depends on the arguments alone, never on earlier calls: what is kept between calls is room, and the pairs
/// that may have come near since they were last searched for, each of which is asked anew. Once warm, a call allocates
/// nothing.
#[derive(Debug)]
pub struct Detector<const N: usize, S: Shape<N>> {
    entries: Vec<Entry<N>>,
    walls: Vec<Wall<N>>,
    near: NearPairs<N>,
    scratch: S::Scratch,
}

impl<const N: usize, S: Shape<N>> Default for Detector<N, S> {
    fn default() -> Self {
        Detector { entries: Vec::new(), walls: Vec::new(), near: NearPairs::default(), scratch: S::Scratch::default() }
    }
}

impl<const N: usize, S: Shape<N>> Detector<N, S> {
    /// Ready for the first call.
    pub fn new() -> Self {
        Self::default()
    }

    /// All contacts with $gap \le reach_a + reach_b$, sorted by `(a, b, feature)`.
    ///
    /// Every slice has one element a body: its shape, its pose, its reach (m, the distance at which it is alert), whether
    /// it can move of itself, and its group. Two bodies that cannot move never touch (floors, walls, drums); nor do two
    /// of the same group, unless that is 0. `group` may be empty.
    pub fn detect(
        &mut self,
        shapes: &[S],
        poses: &[Pose<N>],
        reach: &[f64],
        movable: &[bool],
        group: &[u32],
        out: &mut Vec<Contact<N>>,
    ) {
        let n = shapes.len();
        assert!(poses.len() == n && reach.len() == n && movable.len() == n, "one pose, reach and movable a shape");
        assert!(group.is_empty() || group.len() == n, "one group a shape, or none at all");
        let may_touch = |a: u32, b: u32| {
            let (a, b) = (a as usize, b as usize);
            (movable[a] || movable[b]) && (group.is_empty() || group[a] == 0 || group[a] != group[b])
        };
        self.enter(shapes, poses, reach);
        let entries = &self.entries;
        let clearance = |wall: &Wall<N>, body: &Entry<N>| {
            let (centre, half) = body.extent();
            shapes[wall.id as usize].clearance(&wall.pose, centre, half)
        };
        let candidates = self.near.candidates(entries, &self.walls, clearance);
        out.clear();
        for &[a, b] in candidates {
            if !may_touch(a, b) || !entries[a as usize].near(&entries[b as usize]) {
                continue;
            }
            let (i, j) = (a as usize, b as usize);
            let start = out.len();
            let mut sink = Sink::new(out, a, b);
            S::contacts(
                (&shapes[i], &poses[i]),
                (&shapes[j], &poses[j]),
                reach[i] + reach[j],
                &mut self.scratch,
                &mut sink,
            );
            number(&mut out[start..]);
        }
    }

    /// The boxes of all bodies, and those that are apart.
    fn enter(&mut self, shapes: &[S], poses: &[Pose<N>], reach: &[f64]) {
        self.entries.clear();
        self.walls.clear();
        for (i, ((shape, pose), &reach)) in shapes.iter().zip(poses).zip(reach).enumerate() {
            let id = i as u32;
            if shape.is_apart() {
                self.walls.push(Wall { id, pose: *pose, reach });
            }
            self.entries.push(match shape.ball() {
                Some(radius) => Entry::ball(id, &pose.x, radius + reach),
                None => Entry::bounded(id, &shape.bounds(pose).widened(reach)),
            });
        }
    }
}

/// Sorts the contacts of one pair by feature, and moves on the second of two that came out alike.
fn number<const N: usize>(contacts: &mut [Contact<N>]) {
    if contacts.len() < 2 {
        return;
    }
    // few, and mostly in order already
    for i in 1..contacts.len() {
        let mut j = i;
        while j > 0 && contacts[j].feature < contacts[j - 1].feature {
            contacts.swap(j, j - 1);
            j -= 1;
        }
    }
    for i in 1..contacts.len() {
        if contacts[i].feature <= contacts[i - 1].feature {
            contacts[i].feature = contacts[i - 1].feature.wrapping_add(1);
        }
    }
}
