//! Pairs of bodies that may be near, kept from call to call while every body stays in its place.
//!
//! A place is a body's box, or ball, when pairs were last searched for, and a skin around it. While all bodies are within
//! their places, those of two that are near meet: no pair is missed, and none is searched for. (L. Verlet, Computer
//! "experiments" on classical fluids, Physical Review 159, 1967.)

use crate::cell_list::{CellList, Entry};
use crate::pairs::Pairs;
use crate::pose::Pose;

/// The least and the widest skin, over half of the largest extent of a body: narrow ones hold fewer pairs, wide ones longer.
const SKIN: (f64, f64) = (0.05, 0.4);

/// The skin doubles where it held for fewer calls than the first of these, and halves where it held for more than the other.
const HELD: (u32, u32) = (5, 50);

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
    /// The share of its size that a body's skin is, and the calls that it has held for.
    share: f64,
    held: u32,
    /// The skin of walls: that of the largest body.
    skin: f64,
    cells: CellList<N>,
    pairs: Pairs,
}

impl<const N: usize> Default for NearPairs<N> {
    fn default() -> Self {
        let (places, walls) = (Vec::new(), Vec::new());
        let (share, held, skin) = (SKIN.0, HELD.0, 0.0);
        let (cells, pairs) = (CellList::default(), Pairs::default());
        NearPairs { places, walls, clear: false, share, held, skin, cells, pairs }
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
            self.suit_skin();
            self.search(bodies, walls, clearance);
        }
        self.held += 1;
        self.pairs.sorted()
    }

    /// A wider skin where bodies leave their places soon, a narrower one where they stay: a search takes as long as asking
    /// some dozen pairs a body. Pairs that are near are found whatever it is.
    fn suit_skin(&mut self) {
        if self.held < HELD.0 {
            self.share = (2.0 * self.share).min(SKIN.1);
        } else if self.held > HELD.1 {
            self.share = (0.5 * self.share).max(SKIN.0);
        }
        self.held = 0;
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
        self.places.extend(inside.map(|body| body.widened(self.share)));
        let pairs = &mut self.pairs;
        pairs.clear();
        self.cells.pairs(&self.places, |a, b| pairs.push(a, b));
        self.skin =
            0.5 * self.share * self.places.iter().map(Entry::size).filter(|s| s.is_finite()).fold(0.0, f64::max);
        self.clear = false;
        for wall in walls {
            let place = bodies[wall.id as usize].widened(self.share);
            for body in &self.places {
                let gap = clearance(wall, body);
                self.clear |= gap.is_some();
                if gap.map_or_else(|| place.near(body), |gap| gap <= wall.reach + self.skin) {
                    pairs.push(wall.id, body.id);
                }
            }
        }
        // the widest skin finds hardly more pairs than its balls are larger: a warm call allocates nothing
        pairs.make_room(((1.0 + SKIN.1) / (1.0 + self.share)).powi(N as i32));
        pairs.sort(bodies.len());
        self.places.clear();
        self.places.extend(bodies.iter().map(|body| body.widened(USED * self.share)));
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

    /// The pairs where nothing is known of the distance to walls, with the skin as it is.
    fn pairs<'a>(near: &'a mut NearPairs<2>, bodies: &[Entry<2>], apart: &[u32]) -> &'a [[u32; 2]] {
        near.held = HELD.0;
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
        let mut meet = |x: [f64; 2]| {
            near.held = HELD.0;
            near.candidates(&bodies, &floor(x), clearance).to_vec()
        };
        assert_eq!(meet([0.0, 0.0]), [[0, 1]]);
        // it sinks a little, and is kept; further, and meets nobody; it rises, and meets both
        assert_eq!(meet([0.0, -0.04]), [[0, 1]]);
        assert_eq!(meet([0.0, -0.5]), [[0, 1]; 0]);
        assert_eq!(meet([0.0, 2.18]), [[0, 1], [0, 2]]);
        // one that turned is looked at anew
        let turned = [Wall { pose: Pose { x: [0.0, 0.0], rotation: [[0.0, -1.0], [1.0, 0.0]] }, ..floor([0.0; 2])[0] }];
        near.held = HELD.0;
        assert_eq!(near.candidates(&bodies, &turned, clearance), [[0, 1]]);
    }

    #[test]
    fn the_skin_suits_how_long_bodies_stay() {
        let mut near = NearPairs::default();
        let mut step = |x: f64| {
            let kept = near.candidates(&row(&[0.0, x, 20.0]), &[], |_, _| None).contains(&[0, 1]);
            assert!(kept || x > 2.0, "a near pair was missed at {x}");
            near.share
        };
        let moving: Vec<f64> = (0..60).map(|k| step(5.0 - 0.06 * f64::from(k))).collect();
        assert_eq!((moving[0], moving[59]), (SKIN.0, SKIN.1));
        // at rest for long, and again and again
        for k in 0..4 {
            let to = 3.0 + f64::from(k);
            (0..=HELD.1).for_each(|_| _ = step(to));
        }
        assert_eq!(step(9.0), SKIN.0);
    }
}
