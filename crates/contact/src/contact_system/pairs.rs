//! The local form with contacts gathered by pairs of bodies.
//!
//! Two rigid bodies that touch at many points have only six relative motions (three in the plane): the rows of W of
//! all their contacts have that rank. Where an assembled W shows it, $W = B^\top \tilde W B$ with one block of six a
//! pair, and
//! $$ (A W + C)\, x = b \quad\Longleftrightarrow\quad (I + S \tilde W)\, z = B C^{-1} b, \quad
//!    x = C^{-1} (b - A B^\top \tilde W z), \quad S = B C^{-1} A B^\top : $$
//! half the rows where faces meet at four corners, and an eighth of the work. S has stiff and free motions side by side;
//! with its small factors $S = L U$ taken to both sides of $\tilde W$, $z = L p$ and
//! $$ (I + U \tilde W L)\, p = L^{-1} B C^{-1} b, $$
//! neither drowns the other.

use super::small_lu::SmallLu;
use super::velocity::{COMPLIANCE, product, softly_inverted};
use crate::block::{Block, mul, sub, zero};
use crate::block_lu::BlockLu;
use crate::operator::{BlockCsr, Delassus};
use std::collections::HashMap;

/// Relative motions of two bodies.
const MOTIONS: usize = 6;
/// Entries of W below this part of the largest are no coupling.
const NOTHING: f64 = 1e-14;
/// What the compressed W may miss of W, as a part of its largest entry.
const MISSED: f64 = 1e-11;
/// Rows by pairs over rows by contacts, above which there is nothing to gain.
const WORTH: f64 = 0.8;

/// The contacts of one pair of bodies.
struct Pair<const D: usize> {
    contacts: Vec<u32>,
    /// Rows of $B^\top$, one block of D a contact: an orthonormal basis of the range of its rows of W.
    basis: Vec<[[f64; MOTIONS]; D]>,
    rank: usize,
}

/// W by pairs, and a factor of its system.
pub(super) struct Pairs<const D: usize> {
    pairs: Vec<Pair<D>>,
    w: BlockCsr<MOTIONS>,
    /// `I + U W L`, on the pattern of W.
    k: BlockCsr<MOTIONS>,
    lu: BlockLu<MOTIONS>,
    blocks: usize,
    compliance: f64,
    /// Inverses of C and the A of the last factorisation; an empty A is the identity.
    inverse: Vec<Block<D>>,
    a: Vec<Block<D>>,
    /// L and U of every pair.
    s: Vec<SmallLu<MOTIONS>>,
    z: Vec<[f64; MOTIONS]>,
    t: Vec<[f64; MOTIONS]>,
}

impl<const D: usize> Pairs<D> {
    /// `None` when W has no such structure, or nothing would be gained by it.
    pub fn new(w: &BlockCsr<D>) -> Option<Self> {
        let largest = w.blocks().iter().flatten().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
        let groups = alike(w, NOTHING * largest);
        if (MOTIONS * groups.len()) as f64 > WORTH * (D * w.contacts()) as f64 {
            return None;
        }
        let pairs: Vec<Pair<D>> =
            groups.into_iter().map(|g| Pair::new(w, g, MISSED * largest)).collect::<Option<_>>()?;
        let small = compressed(w, &pairs, MISSED * largest)?;
        let lu = BlockLu::analyse(&small)?;
        let mean = (0..w.contacts()).flat_map(|c| (0..D).map(move |d| w.diagonal(c)[d][d])).sum::<f64>();
        let compliance = COMPLIANCE * mean / (D * w.contacts().max(1)) as f64;
        let zeros = vec![[0.0; MOTIONS]; pairs.len()];
        let (inverse, a, s) = (Vec::new(), Vec::new(), Vec::new());
        let (k, blocks) = (small.clone(), w.stored_blocks());
        Some(Self { pairs, w: small, k, lu, blocks, compliance, inverse, a, s, z: zeros.clone(), t: zeros })
    }

    pub fn flops(&self) -> f64 {
        self.lu.flops()
    }

    /// Blocks of W itself.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    pub fn factor(&mut self, a: &[Block<D>], c: &[Block<D>], known: &[Block<D>]) -> bool {
        self.a.clear();
        self.a.extend_from_slice(a);
        if !softly_inverted(c, known, self.compliance, &mut self.inverse) {
            return false;
        }
        self.s.clear();
        self.s.extend(self.pairs.iter().map(|pair| SmallLu::new(pair.gathered(&self.inverse, a))));
        let mut blocks = self.k.blocks_mut().iter_mut();
        for p in 0..self.pairs.len() {
            for ((q, w), k) in self.w.block_row(p).zip(&mut blocks) {
                *k = product(&self.s[p].upper, &product(w, &self.s[q].lower));
                if p == q {
                    (0..MOTIONS).for_each(|d| k[d][d] += 1.0);
                }
            }
        }
        self.lu.factor(&self.k, &[])
    }

    /// `x` of `(A W + C) x = b`, unrefined.
    pub fn solve(&mut self, b: &[[f64; D]], x: &mut [[f64; D]]) {
        x.iter_mut().zip(b).zip(&self.inverse).for_each(|((x, b), inverse)| *x = mul(inverse, b));
        for ((pair, t), s) in self.pairs.iter().zip(&mut self.t).zip(&self.s) {
            *t = s.forward(&pair.down(x));
        }
        self.lu.solve(&self.t, &mut self.z);
        self.z.iter_mut().zip(&self.s).for_each(|(z, s)| *z = mul(&s.lower, z));
        self.w.apply(&self.z, &mut self.t, &mut []);
        for (pair, y) in self.pairs.iter().zip(&self.t) {
            for (&c, rows) in pair.contacts.iter().zip(&pair.basis) {
                let c = c as usize;
                let u = rows.map(|row| (0..MOTIONS).map(|k| row[k] * y[k]).sum());
                let u = if self.a.is_empty() { u } else { mul(&self.a[c], &u) };
                x[c] = mul(&self.inverse[c], &sub(&b[c], &u));
            }
        }
    }
}

/// Groups of contacts that couple with the same contacts, in the order of their first ones.
fn alike<const D: usize>(w: &BlockCsr<D>, nothing: f64) -> Vec<Vec<u32>> {
    let mut group_of: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for c in 0..w.contacts() {
        let couples = |b: &Block<D>| b.iter().flatten().any(|x| x.abs() > nothing);
        let pattern: Vec<u32> = w.block_row(c).filter(|e| couples(e.1)).map(|e| e.0 as u32).collect();
        let group = *group_of.entry(pattern).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(c as u32);
    }
    groups
}

impl<const D: usize> Pair<D> {
    /// The range of the group's own part of W, by Gram-Schmidt on its longest columns; `None` when its rank is above six.
    fn new(w: &BlockCsr<D>, contacts: Vec<u32>, missed: f64) -> Option<Self> {
        let rows = D * contacts.len();
        let mut columns = vec![vec![0.0; rows]; rows];
        for (i, &c) in contacts.iter().enumerate() {
            for (j, &k) in contacts.iter().enumerate() {
                let block = w.block(c as usize, k as usize).copied().unwrap_or(zero());
                (0..D * D).for_each(|e| columns[D * j + e % D][D * i + e / D] = block[e / D][e % D]);
            }
        }
        let mut basis = vec![[[0.0; MOTIONS]; D]; contacts.len()];
        for rank in 0..=MOTIONS {
            let square = |x: &Vec<f64>| x.iter().map(|x| x * x).sum::<f64>();
            let lengths = columns.iter().map(square).enumerate();
            let (longest, length) = lengths.fold((0, 0.0), |m, e| if e.1 > m.1 { e } else { m });
            if length.sqrt() <= missed {
                return Some(Self { contacts, basis, rank });
            }
            if rank == MOTIONS {
                break;
            }
            let direction: Vec<f64> = columns[longest].iter().map(|x| x / length.sqrt()).collect();
            (0..rows).for_each(|i| basis[i / D][i % D][rank] = direction[i]);
            // twice: once leaves the rounding of the parts that were taken away
            for _ in 0..2 {
                for column in &mut columns {
                    let along: f64 = column.iter().zip(&direction).map(|(x, d)| x * d).sum();
                    column.iter_mut().zip(&direction).for_each(|(x, d)| *x -= along * d);
                }
            }
        }
        None
    }

    /// `B x` of this pair.
    fn down(&self, x: &[[f64; D]]) -> [f64; MOTIONS] {
        let mut z = [0.0; MOTIONS];
        for (&c, rows) in self.contacts.iter().zip(&self.basis) {
            for (row, x) in rows.iter().zip(&x[c as usize]) {
                (0..MOTIONS).for_each(|k| z[k] += row[k] * x);
            }
        }
        z
    }

    /// `S = B C^-1 A B^T` of this pair; motions that it does not have are held by a unit.
    fn gathered(&self, inverse: &[Block<D>], a: &[Block<D>]) -> Block<MOTIONS> {
        let mut s = zero();
        (self.rank..MOTIONS).for_each(|k| s[k][k] = 1.0);
        for (&c, rows) in self.contacts.iter().zip(&self.basis) {
            let c = c as usize;
            let stiffness = if a.is_empty() { inverse[c] } else { product(&inverse[c], &a[c]) };
            let right: [[f64; MOTIONS]; D] =
                std::array::from_fn(|d| std::array::from_fn(|k| (0..D).map(|e| stiffness[d][e] * rows[e][k]).sum()));
            for (row, right) in rows.iter().zip(&right) {
                for i in 0..MOTIONS {
                    (0..MOTIONS).for_each(|k| s[i][k] += row[i] * right[k]);
                }
            }
        }
        s
    }
}

/// `B W B^T`; `None` when it misses a part of W.
fn compressed<const D: usize>(w: &BlockCsr<D>, pairs: &[Pair<D>], missed: f64) -> Option<BlockCsr<MOTIONS>> {
    let mut place = vec![(0, 0); w.contacts()];
    for (p, pair) in pairs.iter().enumerate() {
        pair.contacts.iter().enumerate().for_each(|(k, &c)| place[c as usize] = (p, k));
    }
    let (mut ptr, mut col, mut blocks) = (vec![0], Vec::new(), Vec::new());
    let mut row: HashMap<usize, Block<MOTIONS>> = HashMap::new();
    for (p, pair) in pairs.iter().enumerate() {
        row.clear();
        row.insert(p, zero());
        for (&c, rows) in pair.contacts.iter().zip(&pair.basis) {
            for (j, block) in w.block_row(c as usize) {
                let (q, k) = place[j];
                add_projected(rows, block, &pairs[q].basis[k], row.entry(q).or_insert(zero()));
            }
        }
        for (&c, rows) in pair.contacts.iter().zip(&pair.basis) {
            let lost = |(j, block): (usize, &Block<D>)| {
                let (q, k) = place[j];
                distance(block, rows, &row[&q], &pairs[q].basis[k]) > missed
            };
            if w.block_row(c as usize).any(lost) {
                return None;
            }
        }
        let mut columns: Vec<usize> = row.keys().copied().collect();
        columns.sort_unstable();
        col.extend(columns.iter().map(|&q| q as u32));
        blocks.extend(columns.iter().map(|q| row[q]));
        ptr.push(col.len());
    }
    BlockCsr::new(ptr, col, blocks).ok()
}

/// `sum += L^T W R`.
fn add_projected<const D: usize>(
    left: &[[f64; MOTIONS]; D],
    w: &Block<D>,
    right: &[[f64; MOTIONS]; D],
    sum: &mut Block<MOTIONS>,
) {
    for d in 0..D {
        let through: [f64; MOTIONS] = std::array::from_fn(|k| (0..D).map(|e| w[d][e] * right[e][k]).sum());
        for i in 0..MOTIONS {
            (0..MOTIONS).for_each(|k| sum[i][k] += left[d][i] * through[k]);
        }
    }
}

/// The largest entry of `W - L X R^T`.
fn distance<const D: usize>(
    w: &Block<D>,
    left: &[[f64; MOTIONS]; D],
    x: &Block<MOTIONS>,
    right: &[[f64; MOTIONS]; D],
) -> f64 {
    let mut largest = 0.0f64;
    for d in 0..D {
        let through: [f64; MOTIONS] = std::array::from_fn(|k| (0..MOTIONS).map(|i| left[d][i] * x[i][k]).sum());
        for e in 0..D {
            let entry: f64 = (0..MOTIONS).map(|k| through[k] * right[e][k]).sum();
            largest = largest.max((w[d][e] - entry).abs());
        }
    }
    largest
}
