//! Pairs of bodies that may be near, kept from call to call while every body stays in its place.
//!
//! A place is a body's box, or ball, when pairs were last searched for, and a skin around it. While all bodies are within
//! their places, those of two that are near meet: no pair is missed, and none is searched for. (L. Verlet, Computer
//! "experiments" on classical fluids, Physical Review 159, 1967.)

use crate::cell_list::{CellList, Entry};
use crate::pairs::Pairs;
use crate::pose::Pose;

/// The skin, over half of the largest extent of a body.
const SKIN: f64 = 0.05;

/// What a body may use of it; the rest is for rounding.
const USED: f64 = 0.9;

/// A body that surrounds or carries others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wall<const N: usize> {
    pub id: u32,
    pub pose: Pose<N>,
    /// The distance at which it is alert (m).
    pub reach: f64,
}

impl<const N: usize> Wall<N> {
    /// How much nearer it may have come to anything since it was as given; infinite when it turned.
    fn nearer(&self, then: &Self) -> f64 {
        let moved = crate::vector::norm(&crate::vector::sub(&self.pose.x, &then.pose.x));
        if self.pose.rotation == then.pose.rotation { moved + self.reach - then.reach } else { f64::INFINITY }
    }
}

/// The pairs, and the places that they hold for.
#[derive(Debug)]
pub(crate) struct NearPairs<const N: usize> {
    places: Vec<Entry<N>>,
    walls: Vec<Wall<N>>,
    /// Whether some wall is paired with those alone that it is near to.
    clear: bool,
    /// The skin of walls: that of the largest body.
    skin: f64,
    cells: CellList<N>,
    pairs: Pairs,
}

impl<const N: usize> Default for NearPairs<N> {
    fn default() -> Self {
        let (places, walls) = (Vec::new(), Vec::new());
        NearPairs { places, walls, clear: false, skin: 0.0, cells: CellList::default(), pairs: Pairs::default() }
    }
}

impl<const N: usize> NearPairs<N> {
    /// All pairs of near bodies, sorted, and others among them. Walls are compared with every body, by the `clearance`
    /// between them where there is one, and never with each other.
    pub fn candidates(
        &mut self,
        bodies: &[Entry<N>],
        walls: &[Wall<N>],
        clearance: impl Fn(&Wall<N>, &Entry<N>) -> Option<f64>,
    ) -> &[[u32; 2]] {
        let stay = self.places.len() == bodies.len()
            && self.walls.len() == walls.len()
            && walls
                .iter()
                .zip(&self.walls)
                .all(|(now, then)| now.id == then.id && (!self.clear || now.nearer(then) <= USED * self.skin))
            && bodies.iter().zip(&self.places).all(|(body, place)| body.is_within(place));
        if !stay {
            self.search(bodies, walls, clearance);
        }
        self.pairs.sorted()
    }

    fn search(
        &mut self,
        bodies: &[Entry<N>],
        walls: &[Wall<N>],
        clearance: impl Fn(&Wall<N>, &Entry<N>) -> Option<f64>,
    ) {
        self.walls.clear();
        self.walls.extend(walls);
        // those of the cell list, wider than they may be used
        self.places.clear();
        let mut apart = walls.iter().peekable();
        let inside = bodies.iter().filter(|body| apart.next_if(|wall| wall.id == body.id).is_none());
        self.places.extend(inside.map(|body| body.widened(SKIN)));
        let pairs = &mut self.pairs;
        pairs.clear();
        self.cells.pairs(&self.places, |a, b| pairs.push(a, b));
        self.skin = 0.5 * SKIN * self.places.iter().map(Entry::size).filter(|s| s.is_finite()).fold(0.0, f64::max);
        self.clear = false;
        for wall in walls {
            let place = bodies[wall.id as usize].widened(SKIN);
            for body in &self.places {
                let gap = clearance(wall, body);
                self.clear |= gap.is_some();
                if gap.map_or_else(|| place.near(body), |gap| gap <= wall.reach + self.skin) {
                    pairs.push(wall.id, body.id);
                }
            }
        }
        pairs.sort(bodies.len());
        self.places.clear();
        self.places.extend(bodies.iter().map(|body| body.widened(USED * SKIN)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(x: &[f64]) -> Vec<Entry<2>> {
        x.iter().enumerate().map(|(i, x)| Entry::ball(i as u32, &[*x, 0.0], 1.0)).collect()
    }

    fn walls(ids: &[u32]) -> Vec<Wall<2>> {
        ids.iter().map(|&id| Wall { id, pose: Pose::default(), reach: 0.0 }).collect()
    }

    /// The pairs where nothing is known of the distance to walls.
    fn pairs<'a>(near: &'a mut NearPairs<2>, bodies: &[Entry<2>], apart: &[u32]) -> &'a [[u32; 2]] {
        near.candidates(bodies, &walls(apart), |_, _| None)
    }

    #[test]
    fn pairs_are_kept_until_a_body_leaves_its_place() {
        let mut near = NearPairs::default();
        assert_eq!(pairs(&mut near, &row(&[0.0, 2.06, 4.5]), &[]), [[0, 1]]);
        // within its place, though no longer near
        assert_eq!(pairs(&mut near, &row(&[0.0, 2.10, 4.5]), &[]), [[0, 1]]);
        // out of it
        assert_eq!(pairs(&mut near, &row(&[0.0, 2.12, 4.5]), &[]), [[0, 1]; 0]);
        assert_eq!(pairs(&mut near, &row(&[0.0, 2.12, 4.2]), &[]), [[1, 2]]);
        // fewer bodies, and one that is apart from now on
        assert_eq!(pairs(&mut near, &row(&[0.0, 2.05]), &[]), [[0, 1]]);
        assert_eq!(pairs(&mut near, &row(&[0.0, 2.05]), &[0, 1]), [[0, 1]; 0]);
    }

    #[test]
    fn what_has_no_end_stays() {
        let mut near = NearPairs::default();
        let bodies = |x: f64| [Entry::bounded(0, &crate::bounds::Bounds::<2>::ALL), Entry::ball(1, &[x, 0.0], 1.0)];
        assert_eq!(pairs(&mut near, &bodies(0.0), &[0]), [[0, 1]]);
        assert!(bodies(0.0)[0].is_within(&near.places[0]));
        // what is not a number is in no place, and near nothing
        assert_eq!(pairs(&mut near, &bodies(f64::NAN), &[0]), [[0, 1]; 0]);
    }

    #[test]
    fn walls_meet_those_near_them_until_they_come_nearer() {
        let mut near = NearPairs::default();
        let bodies = [
            Entry::bounded(0, &crate::bounds::Bounds::<2>::ALL),
            Entry::ball(1, &[0.0, 1.02], 1.0),
            Entry::ball(2, &[0.0, 3.2], 1.0),
        ];
        let floor = |x: [f64; 2]| [Wall { id: 0, pose: Pose::at(x), reach: 0.0 }];
        let clearance = |wall: &Wall<2>, body: &Entry<2>| {
            let (centre, half) = body.extent();
            Some(centre[1] - half[1] - wall.pose.x[1])
        };
        assert_eq!(near.candidates(&bodies, &floor([0.0, 0.0]), clearance), [[0, 1]]);
        // it sinks a little, and is kept; further, and meets nobody; it rises, and meets both
        assert_eq!(near.candidates(&bodies, &floor([0.0, -0.04]), clearance), [[0, 1]]);
        assert_eq!(near.candidates(&bodies, &floor([0.0, -0.5]), clearance), [[0, 1]; 0]);
        assert_eq!(near.candidates(&bodies, &floor([0.0, 2.18]), clearance), [[0, 1], [0, 2]]);
        // one that turned is looked at anew
        let turned = [Wall { pose: Pose { x: [0.0, 0.0], rotation: [[0.0, -1.0], [1.0, 0.0]] }, ..floor([0.0; 2])[0] }];
        assert_eq!(near.candidates(&bodies, &turned, clearance), [[0, 1]]);
    }
}
