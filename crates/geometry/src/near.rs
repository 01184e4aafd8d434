//! Pairs of bodies that may be near, kept from call to call while every body stays in its place.
//!
//! A place is a body's box, or ball, when pairs were last searched for, and a skin around it. While all bodies are within
//! their places, those of two that are near meet: no pair is missed, and none is searched for. (L. Verlet, Computer
//! "experiments" on classical fluids, Physical Review 159, 1967.)

use crate::cell_list::{CellList, Entry};
use crate::pairs::Pairs;

/// The skin, over half of the largest extent of a body.
const SKIN: f64 = 0.05;

/// What a body may use of it; the rest is for rounding.
const USED: f64 = 0.9;

/// The pairs, and the places that they hold for.
#[derive(Debug)]
pub(crate) struct NearPairs<const N: usize> {
    places: Vec<Entry<N>>,
    apart: Vec<u32>,
    cells: CellList<N>,
    pairs: Pairs,
}

impl<const N: usize> Default for NearPairs<N> {
    fn default() -> Self {
        NearPairs { places: Vec::new(), apart: Vec::new(), cells: CellList::default(), pairs: Pairs::default() }
    }
}

impl<const N: usize> NearPairs<N> {
    /// All pairs of near bodies, sorted, and others among them. Those `apart` are compared with every body, and never with
    /// each other.
    pub fn candidates(&mut self, bodies: &[Entry<N>], apart: &[u32]) -> &[[u32; 2]] {
        let stay = self.places.len() == bodies.len()
            && self.apart == apart
            && bodies.iter().zip(&self.places).all(|(body, place)| body.is_within(place));
        if !stay {
            self.search(bodies, apart);
        }
        self.pairs.sorted()
    }

    fn search(&mut self, bodies: &[Entry<N>], apart: &[u32]) {
        self.apart.clear();
        self.apart.extend(apart);
        // those of the cell list, wider than they may be used
        self.places.clear();
        let mut walls = apart.iter().peekable();
        let inside = bodies.iter().filter(|body| walls.next_if(|id| **id == body.id).is_none());
        self.places.extend(inside.map(|body| body.widened(SKIN)));
        let pairs = &mut self.pairs;
        pairs.clear();
        self.cells.pairs(&self.places, |a, b| pairs.push(a, b));
        for &wall in apart {
            let wall = bodies[wall as usize].widened(SKIN);
            self.places.iter().filter(|body| wall.near(body)).for_each(|body| pairs.push(wall.id, body.id));
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

    #[test]
    fn pairs_are_kept_until_a_body_leaves_its_place() {
        let mut near = NearPairs::default();
        assert_eq!(near.candidates(&row(&[0.0, 2.06, 4.5]), &[]), [[0, 1]]);
        // within its place, though no longer near
        assert_eq!(near.candidates(&row(&[0.0, 2.10, 4.5]), &[]), [[0, 1]]);
        // out of it
        assert_eq!(near.candidates(&row(&[0.0, 2.12, 4.5]), &[]), [[0, 1]; 0]);
        assert_eq!(near.candidates(&row(&[0.0, 2.12, 4.2]), &[]), [[1, 2]]);
        // fewer bodies, and one that is apart from now on
        assert_eq!(near.candidates(&row(&[0.0, 2.05]), &[]), [[0, 1]]);
        assert_eq!(near.candidates(&row(&[0.0, 2.05]), &[0, 1]), [[0, 1]; 0]);
    }

    #[test]
    fn what_has_no_end_stays() {
        let mut near = NearPairs::default();
        let bodies = |x: f64| [Entry::bounded(0, &crate::bounds::Bounds::<2>::ALL), Entry::ball(1, &[x, 0.0], 1.0)];
        assert_eq!(near.candidates(&bodies(0.0), &[0]), [[0, 1]]);
        assert!(bodies(0.0)[0].is_within(&near.places[0]));
        // what is not a number is in no place, and near nothing
        assert_eq!(near.candidates(&bodies(f64::NAN), &[0]), [[0, 1]; 0]);
    }
}
