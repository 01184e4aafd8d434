//! The mass (or iteration) matrix M of a global problem, made ready to be inverted.

use crate::cholesky::Cholesky;
use crate::matrix::Csr;

/// Largest block that still counts as one rigid body (or a few glued together).
const LARGEST_BLOCK: usize = 24;

/// A small diagonal block of M, inverted.
#[derive(Debug, Clone, Copy)]
pub struct MassBlock<'a> {
    /// Degrees of freedom of the block, sorted.
    pub dofs: &'a [u32],
    /// The inverse, dense by rows.
    pub inverse: &'a [f64],
}

/// The diagonal blocks of M, one after another.
#[derive(Debug, Clone)]
pub struct MassBlocks {
    /// Where the degrees of freedom and the inverse of each block begin, and where the last ones end.
    begins: Vec<(usize, usize)>,
    dofs: Vec<u32>,
    inverse: Vec<f64>,
    /// Block of each degree of freedom.
    block_of: Vec<u32>,
}

/// M, factored in the cheapest way its structure allows.
#[derive(Debug)]
pub enum Mass {
    /// Small independent blocks (rigid bodies): inverted one by one.
    BlockDiagonal(MassBlocks),
    /// Anything else (finite elements): a Cholesky factor.
    Connected(Cholesky),
}

/// M is not symmetric positive definite; `row` is where it showed, when known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotPositiveDefinite {
    /// First degree of freedom of the offending block.
    pub row: Option<usize>,
}

impl MassBlocks {
    /// The blocks of a diagonal M, as that of discs and balls is, in one pass; `None` when it has other entries.
    fn diagonal(m: &Csr) -> Option<Result<Self, NotPositiveDefinite>> {
        let n = m.rows();
        let mut inverse = Vec::with_capacity(n);
        for i in 0..n {
            let mut mass = 0.0;
            for (j, x) in m.row(i).filter(|e| e.1 != 0.0) {
                if i != j {
                    return None;
                }
                mass = x;
            }
            inverse.push(1.0 / mass);
        }
        if let Some(row) = inverse.iter().position(|x| !(*x > 0.0 && x.is_finite())) {
            return Some(Err(NotPositiveDefinite { row: Some(row) }));
        }
        let each: Vec<u32> = (0..n as u32).collect();
        Some(Ok(Self { begins: (0..=n).map(|i| (i, i)).collect(), dofs: each.clone(), inverse, block_of: each }))
    }

    /// Inverts the blocks; the first that is not positive definite is named by its first degree of freedom.
    fn new(m: &Csr, block_of: Vec<u32>, sizes: &[usize]) -> Result<Self, NotPositiveDefinite> {
        let mut begins = vec![(0, 0)];
        begins.extend(sizes.iter().scan((0, 0), |at, n| {
            *at = (at.0 + n, at.1 + n * n);
            Some(*at)
        }));
        let mut dofs = vec![0; block_of.len()];
        let mut next: Vec<usize> = begins.iter().map(|b| b.0).collect();
        for (i, &b) in block_of.iter().enumerate() {
            dofs[next[b as usize]] = i as u32;
            next[b as usize] += 1;
        }
        let mut inverse = vec![0.0; begins.last().map_or(0, |b| b.1)];
        let mut factor = Vec::new();
        for w in begins.windows(2) {
            let (dofs, inverse) = (&dofs[w[0].0..w[1].0], &mut inverse[w[0].1..w[1].1]);
            if !invert_block(m, dofs, inverse, &mut factor) {
                return Err(NotPositiveDefinite { row: dofs.first().map(|&i| i as usize) });
            }
        }
        Ok(Self { begins, dofs, inverse, block_of })
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// Whether M has no rows at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A block by its number.
    #[inline]
    pub fn get(&self, b: usize) -> MassBlock<'_> {
        let (from, to) = (self.begins[b], self.begins[b + 1]);
        MassBlock { dofs: &self.dofs[from.0..to.0], inverse: &self.inverse[from.1..to.1] }
    }

    /// The number of the block of a degree of freedom.
    #[inline]
    pub fn of(&self, dof: usize) -> usize {
        self.block_of[dof] as usize
    }

    /// The blocks in order.
    pub fn iter(&self) -> impl Iterator<Item = MassBlock<'_>> {
        (0..self.len()).map(|b| self.get(b))
    }
}

impl Mass {
    /// Recognises the structure of M and factors it.
    ///
    /// A block keeps its (slightly unsymmetric, gyroscopic) values; its symmetric part must be positive definite.
    pub fn new(m: &Csr) -> Result<Mass, NotPositiveDefinite> {
        if let Some(blocks) = MassBlocks::diagonal(m) {
            return blocks.map(Mass::BlockDiagonal);
        }
        let Some(block_of) = small_components(m) else {
            return Cholesky::new(m).map(Mass::Connected).ok_or(NotPositiveDefinite { row: None });
        };
        let mut sizes = vec![0; block_of.iter().map(|&b| b as usize + 1).max().unwrap_or(0)];
        block_of.iter().for_each(|&b| sizes[b as usize] += 1);
        MassBlocks::new(m, block_of, &sizes).map(Mass::BlockDiagonal)
    }

    /// Whether M fell apart into small blocks.
    pub fn is_block_diagonal(&self) -> bool {
        matches!(self, Mass::BlockDiagonal(_))
    }

    /// `x = M^-1 x`.
    pub fn solve_in_place(&self, x: &mut [f64]) {
        match self {
            Mass::Connected(factor) => factor.solve_in_place(x),
            Mass::BlockDiagonal(blocks) => {
                if blocks.len() == x.len() {
                    // M is diagonal
                    return x.iter_mut().zip(&blocks.inverse).for_each(|(x, inverse)| *x *= inverse);
                }
                let mut local = [0.0; LARGEST_BLOCK];
                for b in blocks.iter() {
                    let n = b.dofs.len();
                    for (l, &i) in local.iter_mut().zip(b.dofs) {
                        *l = x[i as usize];
                    }
                    for (row, &i) in b.inverse.chunks_exact(n).zip(b.dofs) {
                        x[i as usize] = row.iter().zip(&local).map(|(a, l)| a * l).sum();
                    }
                }
            }
        }
    }
}

/// Numbers the connected components of the graph of M in the order of their first degree of freedom; `None` as soon as
/// one is larger than [`LARGEST_BLOCK`].
fn small_components(m: &Csr) -> Option<Vec<u32>> {
    let n = m.rows();
    // trees of degrees of freedom: a root is the first of its tree, and knows its size
    let mut parent: Vec<u32> = (0..n as u32).collect();
    let mut size = vec![1; n];
    for i in 0..n {
        for (j, _) in m.row(i).filter(|&(j, x)| i != j && x != 0.0) {
            let (a, b) = (root(&mut parent, i), root(&mut parent, j));
            if a != b {
                let (first, other) = (a.min(b), a.max(b));
                parent[other] = first as u32;
                size[first] += size[other];
                if size[first] > LARGEST_BLOCK {
                    return None;
                }
            }
        }
    }
    let (mut label, mut count) = (vec![0; n], 0);
    for i in 0..n {
        let first = root(&mut parent, i);
        label[i] = if first == i { count } else { label[first] };
        count += u32::from(first == i);
    }
    Some(label)
}

/// The root of a tree; paths are halved on the way.
fn root(parent: &mut [u32], mut i: usize) -> usize {
    while parent[i] as usize != i {
        parent[i] = parent[parent[i] as usize];
        i = parent[i] as usize;
    }
    i
}

/// Writes the inverse of a block; false when its symmetric part is not positive definite.
fn invert_block(m: &Csr, dofs: &[u32], inverse: &mut [f64], factor: &mut Vec<f64>) -> bool {
    let n = dofs.len();
    for (row, &i) in inverse.chunks_exact_mut(n).zip(dofs) {
        for (x, &j) in row.iter_mut().zip(dofs) {
            *x = m.get(i as usize, j as usize);
        }
    }
    positive_definite(inverse, n, factor) && invert(inverse, n)
}

/// Cholesky of the symmetric part, for its verdict alone.
fn positive_definite(a: &[f64], n: usize, l: &mut Vec<f64>) -> bool {
    l.clear();
    l.resize(n * n, 0.0);
    for i in 0..n {
        for j in 0..=i {
            let mut s = 0.5 * (a[i * n + j] + a[j * n + i]);
            for k in 0..j {
                s -= l[i * n + k] * l[j * n + k];
            }
            if i == j {
                if !(s > 0.0 && s.is_finite()) {
                    return false;
                }
                l[i * n + i] = s.sqrt();
            } else {
                l[i * n + j] = s / l[j * n + j];
            }
        }
    }
    true
}

/// Gauss-Jordan in place; safe without pivoting because the symmetric part is positive definite.
fn invert(a: &mut [f64], n: usize) -> bool {
    for k in 0..n {
        let pivot = a[k * n + k];
        if pivot == 0.0 || !pivot.is_finite() {
            return false;
        }
        a[k * n + k] = 1.0;
        for j in 0..n {
            a[k * n + j] /= pivot;
        }
        for i in (0..n).filter(|&i| i != k) {
            let f = a[i * n + k];
            a[i * n + k] = 0.0;
            for j in 0..n {
                a[i * n + j] -= f * a[k * n + j];
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Triplet;

    /// Two bodies of three degrees of freedom each, interleaved, one with a coupled inertia.
    fn two_bodies() -> Csr {
        let mut t = Triplet::empty(6, 6);
        for (i, x) in [(0, 2.0), (2, 2.0), (4, 0.5), (1, 3.0), (3, 3.0), (5, 1.0)] {
            t.push(i, i, x);
        }
        t.push(0, 4, 0.25);
        t.push(4, 0, 0.25);
        Csr::from(&t)
    }

    #[test]
    fn blocks_are_found_and_inverted() {
        let m = two_bodies();
        let mass = Mass::new(&m).unwrap();
        let Mass::BlockDiagonal(blocks) = &mass else { panic!("blocks expected") };
        assert_eq!(blocks.len(), 5);
        assert_eq!(blocks.of(0), blocks.of(4));
        assert_eq!(blocks.get(blocks.of(4)).dofs, [0, 4]);
        let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let mut b = m.mul(&x);
        mass.solve_in_place(&mut b);
        assert!(b.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-14));
    }

    #[test]
    fn an_indefinite_block_is_named() {
        let mut t = Triplet::from(&two_bodies());
        t.push(3, 3, -10.0);
        assert_eq!(Mass::new(&Csr::from(&t)).unwrap_err(), NotPositiveDefinite { row: Some(3) });
    }

    #[test]
    fn a_long_chain_is_factored_sparsely() {
        let mut t = Triplet::empty(100, 100);
        for i in 0..100 {
            t.push(i, i, 2.5);
            if i > 0 {
                t.push(i, i - 1, -1.0);
                t.push(i - 1, i, -1.0);
            }
        }
        let m = Csr::from(&t);
        let mass = Mass::new(&m).unwrap();
        assert!(!mass.is_block_diagonal());
        let x: Vec<f64> = (0..100).map(|i| (i as f64).sin()).collect();
        let mut b = m.mul(&x);
        mass.solve_in_place(&mut b);
        assert!(b.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-13));
    }
}
