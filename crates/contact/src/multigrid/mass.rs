//! M of a level: by bodies on the finest, by neighbours below.

use super::galerkin::Prolongation;
use super::small::Small;
use super::stiffness::Pattern;

/// M on the pattern of A.
#[derive(Debug, Clone)]
pub(super) struct Mass<const B: usize> {
    /// The diagonal blocks.
    pub diagonal: Vec<Small<B>>,
    /// All blocks of all rows; none on the finest level, whose M couples no two bodies.
    pub blocks: Vec<Small<B>>,
}

impl<const B: usize> Mass<B> {
    /// `P^T M P`.
    pub fn coarsen(&self, p: &Prolongation<B>, fine: &Pattern, coarse: &Pattern) -> Self {
        let blocks = if self.blocks.is_empty() {
            p.galerkin_diagonal(&self.diagonal, coarse)
        } else {
            p.galerkin(fine, &self.blocks, coarse)
        };
        Self { diagonal: coarse.diag.iter().map(|&k| blocks[k]).collect(), blocks }
    }
}

/// `a + scale m`.
pub(super) fn sum<const B: usize>(a: &Small<B>, scale: f32, m: &Small<B>) -> Small<B> {
    std::array::from_fn(|j| std::array::from_fn(|i| a[j][i] + scale * m[j][i]))
}
