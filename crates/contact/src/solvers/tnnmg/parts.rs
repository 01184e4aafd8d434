//! The coarse space: parts of the structure that move as rigid bodies.

use super::links::{ByBody, Links, Motion, Vector, at, push};
use super::truncated::Arms;
use crate::cholesky::Cholesky;
use crate::matrix::{Csr, Triplet};
use crate::multigrid::small::{Small, inverse, mul_add};
use std::collections::{BTreeMap, VecDeque};

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
    factor: Option<Cholesky>,
}

/// The parts of one level.
#[derive(Debug)]
struct Level {
    /// Where every part sits in that of the next coarser level, number `part >> SPLIT`.
    place: Vec<Vector>,
    /// The inverses of the diagonal blocks of `P^T (E + H H^T) P`; of the coarsest, which is factored, there are none.
    inverse: Vec<Small<6>>,
    /// Of all parts, six numbers each.
    forces: Vec<f64>,
    motions: Vec<f64>,
}

/// A part is cut `SPLIT` times into halves.
const SPLIT: usize = 3;
/// Bodies of the finest parts at least.
const BODIES: usize = 6;

/// The numbers of parts of all levels, from the finest to the coarsest, of which there are so few that to factor them takes no
/// longer than what they save.
fn counts(bodies: usize) -> Vec<usize> {
    let coarsest = (((bodies as f64).sqrt() / 2.0) as usize).max(1).next_power_of_two();
    let mut counts = vec![coarsest];
    while bodies >= BODIES * (counts[0] << SPLIT) {
        counts.insert(0, counts[0] << SPLIT);
    }
    counts
}

impl Parts {
    /// Cuts the structure into compact parts of equal size and factors `P^T (E + H H^T) P` of the coarsest.
    pub fn new<const D: usize>(h: &Links<D>) -> Self {
        let (n, x, counts) = (h.bodies(), centres(h), counts(h.bodies()));
        let (mut order, mut of) = ((0..n as u32).collect::<Vec<_>>(), vec![0; n]);
        cut(&mut order, &x, counts[0], 0, &mut of);
        let middles: Vec<Vec<Vector>> = (0..counts.len()).map(|level| middles(&x, &of, level, counts[level])).collect();
        let place = |x: &Vector, middle: &Vector| std::array::from_fn(|i| x[i] - middle[i]);
        let places = |level: usize| -> Vec<Vector> {
            x.iter().zip(&of).map(|(x, &p)| place(x, &middles[level][p as usize >> (SPLIT * level)])).collect()
        };
        let last = counts.len() - 1;
        let levels = (0..=last).map(|level| Level {
            place: middles.get(level + 1).map_or(Vec::new(), |above| {
                middles[level].iter().enumerate().map(|(p, x)| place(x, &above[p >> SPLIT])).collect()
            }),
            inverse: if level == last {
                Vec::new()
            } else {
                inverse_blocks(h, &of, level, &places(level), counts[level])
            },
            forces: vec![0.0; 6 * counts[level]],
            motions: vec![0.0; 6 * counts[level]],
        });
        let levels = levels.collect();
        let coarse: Vec<u32> = of.iter().map(|p| p >> (SPLIT * last)).collect();
        let factor = Cholesky::new(&coarse_matrix(h, &coarse, &places(last), counts[last]));
        Self { place: places(0), of, levels, factor }
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

impl Level {
    /// Moves every part by its own block; returns the product of motions and forces.
    fn relax(&mut self) -> f64 {
        let mut product = 0.0;
        for (part, inverse) in self.inverse.iter().enumerate() {
            let (force, mut motion) = (single(&self.forces, part), [0.0; 6]);
            mul_add(inverse, &force, &mut motion);
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

/// The mean centre of the bodies of every part of a level.
fn middles(x: &[Vector], of: &[u32], level: usize, count: usize) -> Vec<Vector> {
    let mut sums = vec![([0.0; 3], 0.0); count];
    for (x, &part) in x.iter().zip(of) {
        let (sum, bodies) = &mut sums[part as usize >> (SPLIT * level)];
        (0..3).for_each(|i| sum[i] += f64::from(x[i]));
        *bodies += 1.0;
    }
    sums.iter().map(|(sum, n)| sum.map(|s| (s / f64::max(*n, 1.0)) as f32)).collect()
}

/// The inverses of the diagonal blocks of `P^T (E + H H^T) P`: contacts inside a part drop out.
fn inverse_blocks<const D: usize>(
    h: &Links<D>,
    of: &[u32],
    level: usize,
    place: &[Vector],
    count: usize,
) -> Vec<Small<6>> {
    let part = |body: u32| of.get(body as usize).map(|p| p >> (SPLIT * level));
    let mut arms = vec![Arms::default(); count];
    for (pair, both) in h.pairs.iter().zip(&h.arms) {
        let parts = pair.map(part);
        if parts[0] != parts[1] {
            for k in 0..2 {
                if let Some(p) = parts[k] {
                    let (place, arm) = (&place[pair[k] as usize], &both[k]);
                    arms[p as usize].add(&std::array::from_fn(|i| place[i] + arm[i]));
                }
            }
        }
    }
    let mut blocks = vec![Block::default(); count];
    for ((drag, place), part) in h.drag.iter().zip(place).zip(of) {
        add_drag(drag, place, &mut blocks[*part as usize >> (SPLIT * level)]);
    }
    let block = |(drag, arms): (&Block, &Arms)| {
        let mut block: Small<6> = drag.map(|row| row.map(|x| x as f32));
        arms.add_to(&mut block);
        inverse(&block)
    };
    blocks.iter().zip(&arms).map(block).collect()
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

/// Centres of the bodies up to a motion of each connected piece, along a tree of contacts.
fn centres<const D: usize>(h: &Links<D>) -> Vec<Vector> {
    let n = h.bodies();
    let entries = h.pairs.iter().enumerate().flat_map(|(c, pair)| pair.map(|b| (c, b)));
    let by_body = ByBody::new(n + 1, entries);
    let (mut x, mut seen, mut queue) = (vec![[0.0; 3]; n], vec![false; n + 1], VecDeque::new());
    seen[n] = true;
    for root in 0..n {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        queue.push_back(root);
        while let Some(body) = queue.pop_front() {
            for c in by_body.of(body).iter().map(|&c| c as usize) {
                let k = usize::from(h.pairs[c][0] as usize != body);
                let other = h.pairs[c][1 - k] as usize;
                if !std::mem::replace(&mut seen[other], true) {
                    x[other] = std::array::from_fn(|i| x[body][i] + h.arms[c][k][i] - h.arms[c][1 - k][i]);
                    queue.push_back(other);
                }
            }
        }
    }
    x
}

/// Cuts bodies across their longest extent into two, in the ratio of the parts that either side becomes, and so on.
fn cut(bodies: &mut [u32], x: &[Vector], parts: usize, first: u32, of: &mut [u32]) {
    if parts <= 1 {
        bodies.iter().for_each(|&b| of[b as usize] = first);
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
    let (left, at) = (parts / 2, bodies.len() * (parts / 2) / parts);
    if at > 0 {
        let key = |b: &u32| x[*b as usize][axis];
        bodies.select_nth_unstable_by(at, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
    }
    let (low, high) = bodies.split_at_mut(at);
    cut(low, x, left, first, of);
    cut(high, x, parts - left, first + left as u32, of);
}

type Block = [[f64; 6]; 6];

/// `P^T (E + H H^T) P`, its lower triangle: contacts inside a part drop out.
fn coarse_matrix<const D: usize>(h: &Links<D>, of: &[u32], place: &[Vector], count: usize) -> Csr {
    let mut blocks: BTreeMap<[u32; 2], Block> = (0..count as u32).map(|p| ([p; 2], Block::default())).collect();
    for ((drag, place), &part) in h.drag.iter().zip(place).zip(of) {
        add_drag(drag, place, blocks.entry([part; 2]).or_default());
    }
    for (c, pair) in h.pairs.iter().enumerate() {
        let part = pair.map(|b| of.get(b as usize).copied());
        if part[0] == part[1] {
            continue;
        }
        let rows = [0, 1].map(|k| match place.get(pair[k] as usize) {
            Some(place) => h.rows(c, k).map(|row| gathered(place, &row)),
            None => [[0.0; 6]; 3],
        });
        for (i, j, sign) in [(0, 0, 1.0), (1, 1, 1.0), (0, 1, -1.0), (1, 0, -1.0)] {
            if let (Some(a), Some(b)) = (part[i], part[j])
                && a >= b
            {
                add_product(sign, &rows[i], &rows[j], blocks.entry([a, b]).or_default());
            }
        }
    }
    let mut t = Triplet::empty(6 * count, 6 * count);
    for ([a, b], block) in blocks {
        for (i, row) in block.iter().enumerate() {
            row.iter().enumerate().for_each(|(j, x)| t.push(6 * a as usize + i, 6 * b as usize + j, *x));
        }
    }
    Csr::from(&t)
}

/// `block += sign a^T b`.
fn add_product(sign: f32, a: &[Motion; 3], b: &[Motion; 3], block: &mut Block) {
    for i in 0..6 {
        for j in 0..6 {
            let sum: f32 = (0..3).map(|d| a[d][i] * b[d][j]).sum();
            block[i][j] += f64::from(sign * sum);
        }
    }
}

/// `block += P^T E P` of a body at `place`.
fn add_drag(drag: &Motion, place: &Vector, block: &mut Block) {
    for j in 0..6 {
        let moved = carried(place, &std::array::from_fn(|i| f32::from(u8::from(i == j))));
        let column = gathered(place, &std::array::from_fn(|i| drag[i] * moved[i]));
        (0..6).for_each(|i| block[i][j] += f64::from(column[i]));
    }
}
