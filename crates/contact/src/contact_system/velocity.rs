//! The global form: `M + H C^-1 A H^T` by bodies.

use crate::block::{Block, add, dot, inverse, mul, sub, zero};
use crate::block_lu::BlockLu;
use crate::matrix::Csr;
use crate::operator::{BlockCsr, Bodies};

/// What is added to a C that cannot be inverted (joints, sticking contacts without a proximal term), relative to the
/// mean diagonal of `H^T M^-1 H`; refinement takes it away again.
pub(super) const COMPLIANCE: f64 = 1e-9;

/// The system in velocities, whatever the size of its blocks.
pub(super) trait Velocity<const D: usize> {
    /// Unknowns.
    fn rows(&self) -> usize;

    /// Multiplications and additions of one factorisation.
    fn flops(&self) -> f64;

    /// Blocks of H.
    fn touches(&self) -> usize;

    /// Factors for these A (empty for the identity) and C, whose inverses may be known (empty where not).
    fn factor(&mut self, a: &[Block<D>], c: &[Block<D>], known: &[Block<D>]) -> bool;

    /// `x` of `(A W + C) x = b`, unrefined.
    fn solve(&mut self, b: &[[f64; D]], x: &mut [[f64; D]]);
}

/// Blocks of six (bodies in space) or of three (in the plane, nodes of finite elements), whichever takes less work.
pub(super) fn new<const D: usize>(bodies: &dyn Bodies<D>, contacts: usize) -> Option<Box<dyn Velocity<D>>> {
    let mass = bodies.mass();
    let three = ByBlocks::<D, 3>::new(bodies, &mass, contacts);
    let six = ByBlocks::<D, 6>::new(bodies, &mass, contacts);
    match (three, six) {
        (Some(three), Some(six)) if six.flops() < 1.5 * three.flops() => Some(Box::new(six)),
        (Some(three), _) => Some(Box::new(three)),
        (None, Some(six)) => Some(Box::new(six)),
        (None, None) => None,
    }
}

/// The rows of H^T of one contact on one block of degrees of freedom.
struct Touch<const D: usize, const B: usize> {
    node: u32,
    rows: [[f64; B]; D],
}

struct ByBlocks<const D: usize, const B: usize> {
    /// M on the pattern of N, and N.
    mass: Vec<Block<B>>,
    n: BlockCsr<B>,
    lu: BlockLu<B>,
    /// Touches of every contact, and for each pair of them where its product goes.
    ptr: Vec<usize>,
    touches: Vec<Touch<D, B>>,
    targets: Vec<u32>,
    /// Inverses of C and the A of the last factorisation; an empty A is the identity.
    inverse: Vec<Block<D>>,
    a: Vec<Block<D>>,
    compliance: f64,
    hb: Vec<[f64; B]>,
    v: Vec<[f64; B]>,
}

impl<const D: usize, const B: usize> ByBlocks<D, B> {
    fn new(bodies: &dyn Bodies<D>, m: &Csr, contacts: usize) -> Option<Self> {
        let node_of = moving_nodes::<D, B>(bodies, m, contacts);
        let nodes = node_of.iter().filter(|&&k| k != STILL).count();
        let (mut ptr, mut touches) = (vec![0], Vec::<Touch<D, B>>::new());
        for c in 0..contacts {
            let start = touches.len();
            bodies.jacobian(c, &mut |d, i, x| {
                let node = node_of[i / B];
                let known = touches[start..].iter().position(|t| t.node == node);
                let at = known.map_or(touches.len(), |k| start + k);
                if known.is_none() {
                    touches.push(Touch { node, rows: [[0.0; B]; D] });
                }
                touches[at].rows[d][i % B] += x;
            });
            ptr.push(touches.len());
        }
        let (n, mass) = pattern(m, &node_of, nodes, &ptr, &touches)?;
        let mut targets = Vec::new();
        for c in 0..contacts {
            for i in &touches[ptr[c]..ptr[c + 1]] {
                for j in &touches[ptr[c]..ptr[c + 1]] {
                    targets.push(n.index(i.node as usize, j.node as usize)? as u32);
                }
            }
        }
        let lu = BlockLu::analyse(&n)?;
        let compliance = COMPLIANCE * mean_response(&n, &mass, &touches, contacts);
        let (hb, v) = (vec![[0.0; B]; nodes], vec![[0.0; B]; nodes]);
        let (inverse, a) = (Vec::new(), Vec::new());
        Some(Self { mass, n, lu, ptr, touches, targets, inverse, a, compliance, hb, v })
    }
}

/// `C^-1` of every contact where it is not `known`, C made a little softer where it cannot be inverted; false when that does
/// not help.
pub(super) fn softly_inverted<const D: usize>(
    c: &[Block<D>],
    known: &[Block<D>],
    compliance: f64,
    out: &mut Vec<Block<D>>,
) -> bool {
    out.clear();
    if !known.is_empty() {
        out.extend_from_slice(known);
        return true;
    }
    out.extend(c.iter().map_while(|c| {
        inverse(c).or_else(|| {
            let mut soft = *c;
            (0..D).for_each(|d| soft[d][d] += compliance);
            inverse(&soft)
        })
    }));
    out.len() == c.len()
}

impl<const D: usize, const B: usize> Velocity<D> for ByBlocks<D, B> {
    fn rows(&self) -> usize {
        B * self.v.len()
    }

    fn flops(&self) -> f64 {
        self.lu.flops()
    }

    fn touches(&self) -> usize {
        self.touches.len()
    }

    fn factor(&mut self, a: &[Block<D>], c: &[Block<D>], known: &[Block<D>]) -> bool {
        self.a.clear();
        self.a.extend_from_slice(a);
        if !softly_inverted(c, known, self.compliance, &mut self.inverse) {
            return false;
        }
        self.n.blocks_mut().copy_from_slice(&self.mass);
        let mut at = 0;
        for c in 0..self.inverse.len() {
            let touches = &self.touches[self.ptr[c]..self.ptr[c + 1]];
            let targets = &self.targets[at..at + touches.len() * touches.len()];
            at += targets.len();
            // an open contact holds nothing
            if !self.a.is_empty() && self.a[c] == zero() {
                continue;
            }
            let stiffness = if self.a.is_empty() { self.inverse[c] } else { product(&self.inverse[c], &self.a[c]) };
            for (i, targets) in touches.iter().zip(targets.chunks_exact(touches.len())) {
                // H_i D, then (H_i D) H_j^T
                let mut left = [[0.0; D]; B];
                for d in 0..D {
                    for b in 0..B {
                        (0..D).for_each(|e| left[b][e] += i.rows[d][b] * stiffness[d][e]);
                    }
                }
                for (j, &target) in touches.iter().zip(targets) {
                    let block = &mut self.n.blocks_mut()[target as usize];
                    for b in 0..B {
                        for e in 0..D {
                            (0..B).for_each(|k| block[b][k] += left[b][e] * j.rows[e][k]);
                        }
                    }
                }
            }
        }
        self.lu.factor(&self.n, &[])
    }

    fn solve(&mut self, b: &[[f64; D]], x: &mut [[f64; D]]) {
        self.hb.fill([0.0; B]);
        for (c, b) in b.iter().enumerate() {
            x[c] = mul(&self.inverse[c], b);
            for t in &self.touches[self.ptr[c]..self.ptr[c + 1]] {
                let y = &mut self.hb[t.node as usize];
                for d in 0..D {
                    (0..B).for_each(|k| y[k] += t.rows[d][k] * x[c][d]);
                }
            }
        }
        self.lu.solve(&self.hb, &mut self.v);
        for (c, b) in b.iter().enumerate() {
            let mut u = [0.0; D];
            for t in &self.touches[self.ptr[c]..self.ptr[c + 1]] {
                let v = &self.v[t.node as usize];
                u = add(&u, &std::array::from_fn(|d| dot(&t.rows[d], v)));
            }
            let u = if self.a.is_empty() { u } else { mul(&self.a[c], &u) };
            x[c] = mul(&self.inverse[c], &sub(b, &u));
        }
    }
}

/// A block of degrees of freedom that no contact can move.
const STILL: u32 = u32::MAX;

/// Numbers the blocks that contacts touch, directly or through M.
fn moving_nodes<const D: usize, const B: usize>(bodies: &dyn Bodies<D>, m: &Csr, contacts: usize) -> Vec<u32> {
    let mut node_of = vec![STILL; m.rows().div_ceil(B)];
    let mut stack = Vec::new();
    for c in 0..contacts {
        bodies.jacobian(c, &mut |_, i, _| {
            if node_of[i / B] == STILL {
                node_of[i / B] = 0;
                stack.push(i / B);
            }
        });
    }
    while let Some(k) = stack.pop() {
        for i in k * B..((k + 1) * B).min(m.rows()) {
            for (j, _) in m.row(i).filter(|e| e.1 != 0.0) {
                if node_of[j / B] == STILL {
                    node_of[j / B] = 0;
                    stack.push(j / B);
                }
            }
        }
    }
    let moving = node_of.iter_mut().filter(|k| **k != STILL);
    moving.enumerate().for_each(|(k, node)| *node = k as u32);
    node_of
}

/// The pattern of `M + H H^T`, and M on it; rows that fill up the last block have the identity.
fn pattern<const D: usize, const B: usize>(
    m: &Csr,
    node_of: &[u32],
    nodes: usize,
    ptr: &[usize],
    touches: &[Touch<D, B>],
) -> Option<(BlockCsr<B>, Vec<Block<B>>)> {
    let mut rows: Vec<Vec<u32>> = (0..nodes as u32).map(|k| vec![k]).collect();
    let mut couple = |i: u32, j: u32| {
        if i != STILL && j != STILL && i != j {
            rows[i as usize].push(j);
        }
    };
    for i in 0..m.rows() {
        m.row(i).filter(|e| e.1 != 0.0).for_each(|(j, _)| couple(node_of[i / B], node_of[j / B]));
    }
    for span in ptr.windows(2) {
        for i in &touches[span[0]..span[1]] {
            touches[span[0]..span[1]].iter().for_each(|j| couple(i.node, j.node));
        }
    }
    let (mut start, mut col) = (vec![0], Vec::new());
    for row in &mut rows {
        row.sort_unstable();
        row.dedup();
        col.extend_from_slice(row);
        start.push(col.len());
    }
    let blocks = vec![zero(); col.len()];
    let n = BlockCsr::new(start, col, blocks).ok()?;
    let mut mass: Vec<Block<B>> = n.blocks().to_vec();
    for i in (0..m.rows()).filter(|i| node_of[i / B] != STILL) {
        for (j, x) in m.row(i).filter(|e| e.1 != 0.0) {
            mass[n.index(node_of[i / B] as usize, node_of[j / B] as usize)?][i % B][j % B] += x;
        }
    }
    if let Some(&last) = node_of.last().filter(|&&k| k != STILL) {
        for d in (m.rows() - 1) % B + 1..B {
            mass[n.index(last as usize, last as usize)?][d][d] = 1.0;
        }
    }
    Some((n, mass))
}

/// The mean diagonal entry of W, up to couplings inside M.
fn mean_response<const D: usize, const B: usize>(
    n: &BlockCsr<B>,
    mass: &[Block<B>],
    touches: &[Touch<D, B>],
    contacts: usize,
) -> f64 {
    let mut sum = 0.0;
    for t in touches {
        let k = n.index(t.node as usize, t.node as usize).unwrap_or(0);
        for row in &t.rows {
            sum += (0..B).map(|b| row[b] * row[b] / mass[k][b][b]).filter(|x| x.is_finite()).sum::<f64>();
        }
    }
    sum / (D * contacts.max(1)) as f64
}

pub(super) fn product<const D: usize>(a: &Block<D>, b: &Block<D>) -> Block<D> {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..D).map(|k| a[i][k] * b[k][j]).sum()))
}
