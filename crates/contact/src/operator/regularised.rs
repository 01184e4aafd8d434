//! W with a multiple of the identity added.

use super::{BlockCsr, Bodies, Delassus, Sweep};
use crate::block::Block;
use std::borrow::Cow;

/// `W + alpha I`, borrowing W; with `alpha = 0` simply a borrowed W.
#[derive(Debug, Clone, Copy)]
pub struct Regularised<'a, W: ?Sized> {
    /// W.
    pub w: &'a W,
    /// alpha, at least 0 (W's unit).
    pub alpha: f64,
}

impl<const D: usize, W: Delassus<D> + ?Sized> Delassus<D> for Regularised<'_, W> {
    fn contacts(&self) -> usize {
        self.w.contacts()
    }

    fn state_len(&self) -> usize {
        self.w.state_len()
    }

    fn diagonal(&self, c: usize) -> Block<D> {
        let mut block = self.w.diagonal(c);
        (0..D).for_each(|d| block[d][d] += self.alpha);
        block
    }

    fn assemble(&self) -> Option<Cow<'_, BlockCsr<D>>> {
        let w = self.w.assemble()?;
        if self.alpha == 0.0 {
            return Some(w);
        }
        let mut w = w.into_owned();
        w.add_to_diagonal(self.alpha);
        Some(Cow::Owned(w))
    }

    fn bodies(&self) -> Option<&dyn Bodies<D>> {
        self.w.bodies().filter(|_| self.alpha == 0.0)
    }

    fn apply(&self, r: &[[f64; D]], out: &mut [[f64; D]], v: &mut [f64]) {
        self.w.apply(r, out, v);
        for (out, r) in out.iter_mut().zip(r) {
            (0..D).for_each(|d| out[d] += self.alpha * r[d]);
        }
    }
}

impl<const D: usize, W: Sweep<D> + ?Sized> Sweep<D> for Regularised<'_, W> {
    #[inline(always)]
    fn row(&self, c: usize, r: &[[f64; D]], v: &[f64]) -> [f64; D] {
        let row = self.w.row(c, r, v);
        std::array::from_fn(|d| row[d] + self.alpha * r[c][d])
    }

    #[inline(always)]
    fn row_of_others(&self, c: usize, r: &[[f64; D]], v: &[f64]) -> [f64; D] {
        self.w.row_of_others(c, r, v)
    }

    #[inline(always)]
    fn push(&self, c: usize, dr: &[f64; D], v: &mut [f64]) {
        self.w.push(c, dr, v);
    }

    fn load(&self, r: &[[f64; D]], v: &mut [f64]) {
        self.w.load(r, v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::SphereLattice;

    #[test]
    fn product_rows_diagonal_and_blocks_agree() {
        let problem = SphereLattice { nx: 2, ny: 2, nz: 2, ..SphereLattice::default() }.spheres().unwrap();
        let w = Regularised { w: &problem.w, alpha: 0.25 };
        let n = problem.contacts();
        let r: Vec<[f64; 3]> = (0..n).map(|c| [1.0 + c as f64, -0.5, 0.1 * c as f64]).collect();
        let (mut a, mut b, mut v) = (vec![[0.0; 3]; n], vec![[0.0; 3]; n], vec![0.0; w.state_len()]);
        w.apply(&r, &mut a, &mut v);
        w.assemble().unwrap().apply(&r, &mut b, &mut []);
        for c in 0..n {
            let row = w.row(c, &r, &v);
            let others = w.row_of_others(c, &r, &v);
            let own = crate::block::mul(&w.diagonal(c), &r[c]);
            for d in 0..3 {
                assert!((a[c][d] - b[c][d]).abs() < 1e-12 * n as f64);
                assert!((a[c][d] - row[d]).abs() < 1e-12 * n as f64);
                assert!((a[c][d] - others[d] - own[d]).abs() < 1e-12 * n as f64);
            }
        }
    }
}
