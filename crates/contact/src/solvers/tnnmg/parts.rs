//! The coarse space: parts of the structure that move as rigid bodies.

use super::links::{ByBody, Links, Motion, Vector, at, push};
use crate::cholesky::Cholesky;
use crate::matrix::{Csr, Triplet};
use crate::multigrid::small::{Small, mul_add};
use std::collections::{BTreeMap, VecDeque};

/// Parts of a structure that move as rigid bodies, and a factor of the matrix that couples them.
#[derive(Debug)]
pub(super) struct Parts {
    /// The part of every body.
    of: Vec<u32>,
    /// Where every body sits in its part.
    place: Vec<Vector>,
    factor: Option<Cholesky>,
    /// Of all parts, six numbers each; without a factor the motions stay 0.
    forces: Vec<f64>,
    motions: Vec<f64>,
}

/// Parts for so many bodies: to factor them takes no longer than what they save.
fn count(bodies: usize) -> usize {
    (((bodies as f64).sqrt() / 2.0) as usize).max(1)
}

impl Parts {
    /// Cuts the structure into compact parts of equal size and factors `P^T (epsilon w M + H H^T) P`.
    pub fn new<const D: usize>(h: &Links<D>, epsilon: f32) -> Self {
        let (n, x) = (h.bodies(), centres(h));
        let (mut order, mut of, count) = ((0..n as u32).collect::<Vec<_>>(), vec![0; n], count(n));
        cut(&mut order, &x, count, 0, &mut of);
        let mut middle = vec![([0.0; 3], 0.0); count];
        for (x, &part) in x.iter().zip(&of) {
            let (sum, bodies) = &mut middle[part as usize];
            (0..3).for_each(|i| sum[i] += f64::from(x[i]));
            *bodies += 1.0;
        }
        let middle: Vec<Vector> = middle.iter().map(|(sum, n)| sum.map(|s| (s / n) as f32)).collect();
        let place = |(x, &p): (&Vector, &u32)| std::array::from_fn(|i| x[i] - middle[p as usize][i]);
        let place: Vec<Vector> = x.iter().zip(&of).map(place).collect();
        let matrix = coarse_matrix(h, epsilon, &of, &place, count);
        let (forces, motions) = (vec![0.0; 6 * count], vec![0.0; 6 * count]);
        Self { of, place, factor: Cholesky::new(&matrix), forces, motions }
    }

    /// Forgets all forces.
    pub fn begin(&mut self) {
        self.forces.fill(0.0);
    }

    /// Adds a force on a body to that on its part: `P^T g`.
    #[inline(always)]
    pub fn gather(&mut self, body: usize, g: &Motion) {
        let sums = &mut self.forces[6 * self.of[body] as usize..][..6];
        let force = gathered(&self.place[body], g);
        (0..6).for_each(|i| sums[i] += f64::from(force[i]));
    }

    /// Moves all parts by `(P^T K P)^-1` of their forces; returns the product of motions and forces.
    pub fn solve(&mut self) -> f64 {
        let Some(factor) = &self.factor else { return 0.0 };
        self.motions.copy_from_slice(&self.forces);
        factor.solve_in_place(&mut self.motions);
        self.motions.iter().zip(&self.forces).map(|(a, b)| a * b).sum()
    }

    /// How a body moves with its part.
    #[inline(always)]
    pub fn motion(&self, body: usize) -> Motion {
        let part = &self.motions[6 * self.of[body] as usize..][..6];
        let motion: Motion = std::array::from_fn(|i| part[i] as f32);
        carried(&self.place[body], &motion)
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

/// `P^T (epsilon w M + H H^T) P`, its lower triangle: contacts inside a part drop out.
fn coarse_matrix<const D: usize>(h: &Links<D>, epsilon: f32, of: &[u32], place: &[Vector], count: usize) -> Csr {
    let mut blocks: BTreeMap<[u32; 2], Block> = (0..count as u32).map(|p| ([p; 2], Block::default())).collect();
    for ((m, place), &part) in h.mass.iter().zip(place).zip(of) {
        add_mass(m, epsilon, place, blocks.entry([part; 2]).or_default());
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

/// `block += epsilon P^T m P` of a body at `place`.
fn add_mass(m: &Small<6>, epsilon: f32, place: &Vector, block: &mut Block) {
    for (j, unit) in (0..6).map(|j| (j, std::array::from_fn(|i| if i == j { epsilon } else { 0.0 }))) {
        let mut momentum = [0.0; 6];
        mul_add(m, &carried(place, &unit), &mut momentum);
        let column = gathered(place, &momentum);
        (0..6).for_each(|i| block[i][j] += f64::from(column[i]));
    }
}
