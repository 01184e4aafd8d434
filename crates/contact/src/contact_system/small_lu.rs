//! The factors of one small block.

use crate::block::{Block, zero};

/// `S = L U` with rows exchanged: L is a unit lower triangle with its rows in the order of S, U an upper one. S may be
/// singular; L never is.
pub(super) struct SmallLu<const B: usize> {
    pub lower: Block<B>,
    pub upper: Block<B>,
    /// Row of S that each step eliminated with.
    order: [usize; B],
}

impl<const B: usize> SmallLu<B> {
    pub fn new(mut s: Block<B>) -> Self {
        let mut order: [usize; B] = std::array::from_fn(|i| i);
        let mut factors = zero::<B>();
        for k in 0..B {
            let pivot = (k..B).fold(k, |m, i| if s[i][k].abs() > s[m][k].abs() { i } else { m });
            s.swap(k, pivot);
            factors.swap(k, pivot);
            order.swap(k, pivot);
            factors[k][k] = 1.0;
            for i in k + 1..B {
                if s[i][k] != 0.0 {
                    let f = s[i][k] / s[k][k];
                    factors[i][k] = f;
                    (k..B).for_each(|j| s[i][j] -= f * s[k][j]);
                    s[i][k] = 0.0;
                }
            }
        }
        let mut lower = zero();
        (0..B).for_each(|k| lower[order[k]] = factors[k]);
        Self { lower, upper: s, order }
    }

    /// `L^-1 x`.
    pub fn forward(&self, x: &[f64; B]) -> [f64; B] {
        let mut y = [0.0; B];
        for k in 0..B {
            let row = &self.lower[self.order[k]];
            y[k] = x[self.order[k]] - (0..k).map(|j| row[j] * y[j]).sum::<f64>();
        }
        y
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::mul;

    #[test]
    fn the_product_is_the_block_and_forward_undoes_l() {
        let singular = [[0.0, 2.0, 1.0], [1.0, 0.0, 3.0], [1.0, 2.0, 4.0]];
        for s in [singular, [[4.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.5, 0.0, 2.0]], [[0.0; 3]; 3]] {
            let lu = SmallLu::new(s);
            for j in 0..3 {
                let column: [f64; 3] = std::array::from_fn(|i| lu.upper[i][j]);
                let back = mul(&lu.lower, &column);
                (0..3).for_each(|i| assert!((back[i] - s[i][j]).abs() < 1e-14));
            }
            let x = [1.0, -2.0, 0.5];
            let y = mul(&lu.lower, &lu.forward(&x));
            (0..3).for_each(|i| assert!((y[i] - x[i]).abs() < 1e-14));
        }
    }
}
