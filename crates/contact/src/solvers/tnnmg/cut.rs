//! A structure cut into halves, these into halves, and so on: compact parts of equal size.

use super::links::{Links, Vector};
use crate::cholesky::fill;
use std::collections::VecDeque;

/// Bodies of the finest parts at least.
const BODIES: usize = 16;
/// Entries of the factor of the coarsest parts, a contact, at most: it is solved with in every step.
const ENTRIES: f64 = 20.0;
/// Operations to make it, a contact, at most: as many as some sweeps take.
const OPERATIONS: f64 = 1000.0;
/// Pairs of neighbours a part from which on it is no wall or tower, and the parts of a heap, over the root of its bodies, of
/// which a factor is worth a thought.
const HEAP: (f64, f64) = (4.5, 1.1);

/// The centres of all bodies, and their parts.
pub(super) struct Cut {
    /// Centres up to a motion of each connected piece.
    pub x: Vec<Vector>,
    /// The finest part of every body.
    pub of: Vec<u32>,
    /// How often it was cut: there are 2 to the power of it.
    pub times: u32,
}

impl Cut {
    pub fn new<const D: usize>(h: &Links<D>) -> Self {
        let (n, x) = (h.bodies(), centres(h));
        let times = (n / BODIES).max(1).ilog2();
        let (mut order, mut of) = ((0..n as u32).collect::<Vec<_>>(), vec![0; n]);
        halve(&mut order, &x, times, 0, &mut of);
        Self { x, of, times }
    }

    /// How often it is to be cut for the coarsest parts, of which there are so few that a factor of the matrix that couples
    /// them takes no longer than what it saves: in a wall or a tower more than in a heap.
    pub fn coarsest<const D: usize>(&self, h: &Links<D>) -> u32 {
        let contacts = h.pairs.len() as f64;
        let mut pairs = self.neighbours(h);
        for times in (1..=self.times).rev() {
            let (parts, degree) = (1usize << times, pairs.len() as f64 / f64::from(1 << times));
            let allowed = (ENTRIES * contacts).min((OPERATIONS * contacts * 6.0 * parts as f64).sqrt());
            let many = degree > HEAP.0 && parts as f64 > HEAP.1 * (h.bodies() as f64).sqrt();
            if !many && fill(parts, &pairs).is_some_and(|blocks| 36.0 * blocks as f64 <= allowed) {
                return times;
            }
            pairs.iter_mut().for_each(|pair| *pair = pair.map(|p| p >> 1));
            pairs.retain(|pair| pair[0] != pair[1]);
            pairs.sort_unstable();
            pairs.dedup();
        }
        0
    }

    /// The finest parts that meet, the larger number first, each pair once.
    fn neighbours<const D: usize>(&self, h: &Links<D>) -> Vec<[u32; 2]> {
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); 1 << self.times];
        for pair in &h.pairs {
            if let [Some(&a), Some(&b)] = pair.map(|body| self.of.get(body as usize))
                && a != b
                && !below[a.max(b) as usize].contains(&a.min(b))
            {
                below[a.max(b) as usize].push(a.min(b));
            }
        }
        let pairs = below.iter_mut().enumerate().flat_map(|(a, below)| {
            below.sort_unstable();
            below.iter().map(move |&b| [a as u32, b])
        });
        pairs.collect()
    }
}

/// Centres of the bodies up to a motion of each connected piece, along a tree of contacts.
fn centres<const D: usize>(h: &Links<D>) -> Vec<Vector> {
    let n = h.bodies();
    let (mut x, mut seen, mut queue) = (vec![[0.0; 3]; n], vec![false; n + 1], VecDeque::new());
    seen[n] = true;
    for root in 0..n {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        queue.push_back(root);
        while let Some(body) = queue.pop_front() {
            for &c in h.by_body.of(body) {
                let k = h.side(c, body);
                let other = h.pairs[c as usize][1 - k] as usize;
                if !std::mem::replace(&mut seen[other], true) {
                    let arms = h.arms(c as usize);
                    x[other] = std::array::from_fn(|i| x[body][i] + arms[k][i] - arms[1 - k][i]);
                    queue.push_back(other);
                }
            }
        }
    }
    x
}

/// Cuts bodies across their longest extent into two halves, and these again, so many times in all.
fn halve(bodies: &mut [u32], x: &[Vector], times: u32, part: u32, of: &mut [u32]) {
    if times == 0 {
        bodies.iter().for_each(|&b| of[b as usize] = part);
        return;
    }
    let mut bounds = [(f32::INFINITY, f32::NEG_INFINITY); 3];
    for &b in &*bodies {
        for (bound, x) in bounds.iter_mut().zip(x[b as usize]) {
            *bound = (bound.0.min(x), bound.1.max(x));
        }
    }
    let extent = bounds.map(|(low, high)| high - low);
    let axis = (0..3).fold(0, |a, i| if extent[i] > extent[a] { i } else { a });
    let middle = bodies.len() / 2;
    if middle > 0 {
        let key = |b: &u32| x[*b as usize][axis];
        bodies.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
    }
    let (low, high) = bodies.split_at_mut(middle);
    halve(low, x, times - 1, 2 * part, of);
    halve(high, x, times - 1, 2 * part + 1, of);
}
