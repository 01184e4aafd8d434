//! The mass (or iteration) matrix M of a global problem, made ready to be inverted.

use crate::matrix::Csr;
use crate::sparse_cholesky::SparseCholesky;

/// Largest block that still counts as one rigid body (or a few glued together).
const LARGEST_BLOCK: usize = 24;

/// A small diagonal block of M, inverted.
#[derive(Debug, Clone)]
pub struct MassBlock {
    /// Degrees of freedom of the block, sorted.
    pub dofs: Vec<u32>,
    /// The inverse, dense by rows.
    pub inverse: Vec<f64>,
}

/// M, factored in the cheapest way its structure allows.
#[derive(Debug)]
pub enum Mass {
    /// Small independent blocks (rigid bodies): inverted one by one.
    BlockDiagonal {
        /// The blocks.
        blocks: Vec<MassBlock>,
        /// Block of each degree of freedom.
        block_of: Vec<u32>,
    },
    /// Anything else (finite elements): a sparse Cholesky factor.
    Sparse(SparseCholesky),
}

/// M is not symmetric positive definite; `row` is where it showed, when known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotPositiveDefinite {
    /// First degree of freedom of the offending block.
    pub row: Option<usize>,
}

impl Mass {
    /// Recognises the structure of M and factors it.
    ///
    /// A block keeps its (slightly unsymmetric, gyroscopic) values; its symmetric part must be positive definite.
    pub fn new(m: &Csr) -> Result<Mass, NotPositiveDefinite> {
        let block_of = components(m);
        let count = block_of.iter().map(|&b| b as usize + 1).max().unwrap_or(0);
        let mut dofs: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (i, &b) in block_of.iter().enumerate() {
            dofs[b as usize].push(i as u32);
        }
        if dofs.iter().any(|d| d.len() > LARGEST_BLOCK) {
            return SparseCholesky::new(m).map(Mass::Sparse).ok_or(NotPositiveDefinite { row: None });
        }
        let blocks = dofs.into_iter().map(|d| invert_block(m, d)).collect::<Result<_, _>>()?;
        Ok(Mass::BlockDiagonal { blocks, block_of })
    }

    /// Whether M fell apart into small blocks.
    pub fn is_block_diagonal(&self) -> bool {
        matches!(self, Mass::BlockDiagonal { .. })
    }

    /// `x = M^-1 x`.
    pub fn solve_in_place(&self, x: &mut [f64]) {
        match self {
            Mass::Sparse(factor) => factor.solve_in_place(x),
            Mass::BlockDiagonal { blocks, .. } => {
                let mut local = [0.0; LARGEST_BLOCK];
                for b in blocks {
                    let n = b.dofs.len();
                    for (l, &i) in local.iter_mut().zip(&b.dofs) {
                        *l = x[i as usize];
                    }
                    for (row, &i) in b.inverse.chunks_exact(n).zip(&b.dofs) {
                        x[i as usize] = row.iter().zip(&local).map(|(a, l)| a * l).sum();
                    }
                }
            }
        }
    }
}

/// Numbers the connected components of the graph of M in the order of their first degree of freedom.
fn components(m: &Csr) -> Vec<u32> {
    let t = m.transpose();
    let mut label = vec![u32::MAX; m.rows()];
    let mut stack = Vec::new();
    let mut count = 0;
    for start in 0..m.rows() {
        if label[start] != u32::MAX {
            continue;
        }
        label[start] = count;
        stack.push(start);
        while let Some(i) = stack.pop() {
            for (j, x) in m.row(i).chain(t.row(i)) {
                if x != 0.0 && label[j] == u32::MAX {
                    label[j] = count;
                    stack.push(j);
                }
            }
        }
        count += 1;
    }
    label
}

fn invert_block(m: &Csr, dofs: Vec<u32>) -> Result<MassBlock, NotPositiveDefinite> {
    let n = dofs.len();
    let a: Vec<f64> = dofs.iter().flat_map(|&i| dofs.iter().map(move |&j| m.get(i as usize, j as usize))).collect();
    let refused = NotPositiveDefinite { row: dofs.first().map(|&i| i as usize) };
    if !positive_definite(&a, n) {
        return Err(refused);
    }
    let inverse = invert(a, n).ok_or(refused)?;
    Ok(MassBlock { dofs, inverse })
}

/// Cholesky of the symmetric part, for its verdict alone.
fn positive_definite(a: &[f64], n: usize) -> bool {
    let mut l = vec![0.0; n * n];
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

/// Gauss-Jordan; safe without pivoting because the symmetric part is positive definite.
fn invert(mut a: Vec<f64>, n: usize) -> Option<Vec<f64>> {
    for k in 0..n {
        let pivot = a[k * n + k];
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
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
    Some(a)
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
        let Mass::BlockDiagonal { blocks, block_of } = &mass else { panic!("blocks expected") };
        assert_eq!(blocks.len(), 5);
        assert_eq!(block_of[0], block_of[4]);
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
