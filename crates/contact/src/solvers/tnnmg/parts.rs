//! The coarse spaces: parts of the structure that move as rigid bodies.

use super::arms::{Arms, Block, OwnArms, OwnInverse};
use super::cut::Cut;
use super::links::{Links, Motion, Vector, at, push};
use crate::cholesky::Cholesky;
use crate::matrix::{Csr, Triplet};
use std::collections::BTreeMap;

/// Parts of a structure that move as rigid bodies, parts of these, and so on down to a few bodies.
///
/// The preconditioner adds up what every level would do by itself: the coarsest as a whole, all others one block a part.
#[derive(Debug)]
pub(super) struct Parts {
    /// The finest part of every body.
    of: Vec<u32>,
    /// Where every body sits in it.
    place: Vec<Vector>,
    /// From the finest to the coarsest.
    levels: Vec<Level>,
    /// Of the coarsest.
    factor: Option<Cholesky>,
}

/// The parts of one level.
#[derive(Debug)]
struct Level {
    /// Where every part sits in that of the next coarser level, number `part >> SPLIT`.
    place: Vec<Vector>,
    /// The inverses of the diagonal blocks of `P^T (E + H H^T) P`; of the coarsest, which is factored, there are none.
    inverse: Vec<OwnInverse>,
    /// Of all parts, six numbers each.
    forces: Vec<f64>,
    motions: Vec<f64>,
}

/// From one level to the next finer one every part is cut so many times into halves.
const SPLIT: u32 = 3;
/// By how much the coarsest parts move further than they would: rigid parts bend only where they meet, and are stiffer than what they are
/// made of.
const FURTHER: f64 = 2.0;

impl Parts {
    /// Cuts the structure into parts and factors `P^T (E + H H^T) P` of the coarsest.
    pub fn new<const D: usize>(h: &Links<D>) -> Self {
        let cut = Cut::new(h);
        let coarsest = cut.coarsest(h);
        let finer = (cut.times - coarsest) / SPLIT;
        let mut places: Vec<Places> =
            (0..=finer).map(|up| Places::new(&cut, coarsest + SPLIT * (finer - up))).collect();
        let level = |k: usize| {
            let (numbers, above) = (vec![0.0; 6 * places[k].middle.len()], places.get(k + 1));
            let inside = |(p, x): (usize, &Vector)| above.map(|above| difference(x, &above.middle[p >> SPLIT]));
            Level {
                place: places[k].middle.iter().enumerate().filter_map(inside).collect(),
                inverse: if above.is_some() { places[k].inverses(h) } else { Vec::new() },
                forces: numbers.clone(),
                motions: numbers,
            }
        };
        let levels = (0..places.len()).map(level).collect();
        let factor = Cholesky::new(&places[finer as usize].matrix(h));
        let finest = places.swap_remove(0);
        Self { of: finest.of, place: finest.place, levels, factor }
    }

    /// Forgets all forces.
    pub fn begin(&mut self) {
        self.levels[0].forces.fill(0.0);
    }

    /// Adds a force on a body to that on its part: `P^T g`.
    #[inline(always)]
    pub fn gather(&mut self, body: usize, g: &Motion) {
        let sums = &mut self.levels[0].forces[6 * self.of[body] as usize..][..6];
        let force = gathered(&self.place[body], g);
        (0..6).for_each(|i| sums[i] += f64::from(force[i]));
    }

    /// Moves the parts of all levels by what holds them against their forces; returns the product of motions and forces.
    pub fn solve(&mut self) -> f64 {
        let mut product = 0.0;
        for level in 1..self.levels.len() {
            let (fine, coarse) = self.levels.split_at_mut(level);
            product += fine[level - 1].relax();
            fine[level - 1].gather(&mut coarse[0]);
        }
        let Some((coarsest, finer)) = self.levels.split_last_mut() else { return product };
        coarsest.motions.copy_from_slice(&coarsest.forces);
        match &self.factor {
            Some(factor) => factor.solve_in_place(&mut coarsest.motions),
            None => coarsest.motions.fill(0.0),
        }
        coarsest.motions.iter_mut().for_each(|x| *x *= FURTHER);
        product += coarsest.motions.iter().zip(&coarsest.forces).map(|(a, b)| a * b).sum::<f64>();
        let mut above: &Level = coarsest;
        for level in finer.iter_mut().rev() {
            level.carry(above);
            above = level;
        }
        product
    }

    /// How a body moves with its parts.
    #[inline(always)]
    pub fn motion(&self, body: usize) -> Motion {
        carried(&self.place[body], &single(&self.levels[0].motions, self.of[body] as usize))
    }
}

/// Six numbers of a part, in single precision.
#[inline(always)]
fn single(all: &[f64], part: usize) -> Motion {
    let six = &all[6 * part..][..6];
    std::array::from_fn(|i| six[i] as f32)
}

fn difference(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| a[i] - b[i])
}

impl Level {
    /// Moves every part by its own block; returns the product of motions and forces.
    fn relax(&mut self) -> f64 {
        let mut product = 0.0;
        for (part, inverse) in self.inverse.iter().enumerate() {
            let force = single(&self.forces, part);
            let motion = inverse.times(&force);
            for i in 0..6 {
                self.motions[6 * part + i] = f64::from(motion[i]);
                product += f64::from(motion[i]) * f64::from(force[i]);
            }
        }
        product
    }

    /// Takes forces on parts to those of the next level.
    fn gather(&self, above: &mut Level) {
        above.forces.fill(0.0);
        for (part, place) in self.place.iter().enumerate() {
            let force = gathered(place, &single(&self.forces, part));
            let sums = &mut above.forces[6 * (part >> SPLIT)..][..6];
            (0..6).for_each(|i| sums[i] += f64::from(force[i]));
        }
    }

    /// Adds the motion of the parts of the next level.
    fn carry(&mut self, above: &Level) {
        for (part, place) in self.place.iter().enumerate() {
            let motion = carried(place, &single(&above.motions, part >> SPLIT));
            (0..6).for_each(|i| self.motions[6 * part + i] += f64::from(motion[i]));
        }
    }
}

/// The motion of a body at `place` in a part that moves so: `v = V + Omega x place, omega = Omega`.
#[inline(always)]
fn carried(place: &Vector, motion: &Motion) -> Motion {
    let v = at(motion, place);
    [v[0], v[1], v[2], motion[3], motion[4], motion[5]]
}

/// The transpose of that: a force and a moment about the middle of the part.
#[inline(always)]
fn gathered(place: &Vector, g: &Motion) -> Motion {
    let mut sum = [0.0, 0.0, 0.0, g[3], g[4], g[5]];
    push(1.0, &[g[0], g[1], g[2]], place, &mut sum);
    sum
}

/// Where bodies are in the parts of one level.
struct Places {
    of: Vec<u32>,
    /// From the middle of its part to the centre of a body.
    place: Vec<Vector>,
    /// The mean centre of the bodies of a part.
    middle: Vec<Vector>,
}

impl Places {
    /// The parts that come of so many cuts.
    fn new(cut: &Cut, times: u32) -> Self {
        let of: Vec<u32> = cut.of.iter().map(|part| part >> (cut.times - times)).collect();
        let mut sums = vec![([0.0; 3], 0.0); 1 << times];
        for (x, &part) in cut.x.iter().zip(&of) {
            let (sum, bodies) = &mut sums[part as usize];
            (0..3).for_each(|i| sum[i] += f64::from(x[i]));
            *bodies += 1.0;
        }
        let middle = sums.iter().map(|(sum, n)| sum.map(|s| (s / f64::max(*n, 1.0)) as f32));
        let middle: Vec<Vector> = middle.collect();
        let place = cut.x.iter().zip(&of).map(|(x, &part)| difference(x, &middle[part as usize])).collect();
        Self { of, place, middle }
    }

    /// The sums behind the diagonal blocks of `P^T (E + H H^T) P`: contacts inside a part drop out. `coupled` is told those
    /// between two.
    fn own_arms<const D: usize>(&self, h: &Links<D>, mut coupled: impl FnMut([u32; 2], [Vector; 2])) -> Vec<OwnArms> {
        let mut sums = vec![OwnArms::default(); self.middle.len()];
        for (c, pair) in h.pairs.iter().enumerate() {
            let parts = pair.map(|body| self.of.get(body as usize).copied());
            if parts[0] == parts[1] {
                continue;
            }
            let own = h.arms(c);
            let both = [0, 1].map(|k| {
                let place = self.place.get(pair[k] as usize).unwrap_or(&[0.0; 3]);
                std::array::from_fn(|i| place[i] + own[k][i])
            });
            for k in 0..2 {
                if let Some(part) = parts[k] {
                    sums[part as usize].add(1.0, &both[k]);
                }
            }
            if let [Some(a), Some(b)] = parts {
                coupled([a, b], both);
            }
        }
        for ((drag, place), part) in h.drag.iter().zip(&self.place).zip(&self.of) {
            sums[*part as usize].add_drag(drag, place);
        }
        sums
    }

    fn inverses<const D: usize>(&self, h: &Links<D>) -> Vec<OwnInverse> {
        self.own_arms(h, |_, _| ()).iter().map(OwnArms::inverse).collect()
    }

    /// `P^T (E + H H^T) P`, its lower triangle.
    fn matrix<const D: usize>(&self, h: &Links<D>) -> Csr {
        // the sums of every pair of parts; contacts beside each other are mostly between the same two
        let (mut found, mut between, mut last) = (BTreeMap::new(), Vec::new(), ([u32::MAX; 2], 0));
        let own = self.own_arms(h, |[a, b], [arm_a, arm_b]| {
            let (pair, arms) = if a > b { ([a, b], [arm_a, arm_b]) } else { ([b, a], [arm_b, arm_a]) };
            if last.0 != pair {
                let number = *found.entry(pair).or_insert(between.len());
                between.resize(between.len().max(number + 1), Arms::default());
                last = (pair, number);
            }
            between[last.1].add(&arms[0], &arms[1]);
        });
        let mut t = Triplet::empty(6 * own.len(), 6 * own.len());
        let mut put = |[a, b]: [usize; 2], block: &Block| {
            for (i, row) in block.iter().enumerate() {
                row.iter().enumerate().for_each(|(j, x)| t.push(6 * a + i, 6 * b + j, *x));
            }
        };
        own.iter().enumerate().for_each(|(part, own)| put([part; 2], &own.block()));
        for (pair, number) in found {
            put(pair.map(|p| p as usize), &between[number].block());
        }
        Csr::from(&t)
    }
}

/// A motion of 1 along or about one axis.
#[cfg(test)]
pub(super) fn unit(j: usize) -> Motion {
    std::array::from_fn(|i| if i == j { 1.0 } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::SphereLattice;
    use crate::solvers::tnnmg::lanes::{eight, six};
    use crate::solvers::tnnmg::links::Hold;

    /// The matrix of the parts is what the product says of motions of whole parts, block by block.
    #[test]
    fn parts_are_coupled_as_their_bodies_are() {
        // without jitter balls touch where the tree of contacts says, and contacts inside a part drop out
        let spheres = SphereLattice { nx: 4, ny: 8, nz: 8, jitter: 0.0, ..SphereLattice::default() }.spheres().unwrap();
        let h = Links::new(&spheres.w, spheres.contacts(), (2.0, 0.1)).unwrap();
        let (cut, holds) = (Cut::new(&h), vec![Hold::All; spheres.contacts()]);
        let places = Places::new(&cut, 4);
        let matrix = places.matrix(&h);
        for (part, j) in (0..16).flat_map(|p| (0..6).map(move |j| (p, j))) {
            let (mut y, mut out) = (vec![[0.0; 8]; h.bodies() + 1], vec![[0.0; 8]; h.bodies() + 1]);
            for body in (0..h.bodies()).filter(|&b| places.of[b] == part) {
                y[body] = eight(&carried(&places.place[body], &unit(j)));
            }
            h.product(&holds, &y, &mut out);
            let mut forces = [[0.0f32; 6]; 16];
            for body in 0..h.bodies() {
                let force = gathered(&places.place[body], &six(&out[body]));
                (0..6).for_each(|i| forces[places.of[body] as usize][i] += force[i]);
            }
            let column = 6 * part as usize + j;
            for (row, expected) in forces.as_flattened().iter().enumerate() {
                let (i, k) = (row.max(column), row.min(column));
                let entry = matrix.row(i).filter(|e| e.0 == k).map(|e| e.1).sum::<f64>();
                // entries are up to some hundred, in single precision
                assert!((entry - f64::from(*expected)).abs() < 1e-3, "{row} {column}: {entry} {expected}");
            }
        }
    }
}
