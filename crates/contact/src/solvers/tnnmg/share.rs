//! How the supports of a body share its load.
//!
//! The impulses of least size that stop it, tangential ones counted dearer than normal ones,
//! $$ \Big(\sum_c H_c D H_c^\top\Big) y = -M v, \qquad r_c = D H_c^\top y, \qquad D = \operatorname{diag}(1, \delta, \delta). $$
//! Normal impulses carry what they can, so that most of the answers are inside their cones.

use super::lanes::{Eight, add, along_all, eight, six};
use super::links::Motion;
use super::masses::Masses;
use super::supports::{Support, size};
use crate::multigrid::small::Small;

/// The weight of tangential impulses.
const DELTA: f32 = 0.03;
/// A pivot below this part of its diagonal entry is rounding.
const PIVOT: f32 = 1e-4;
/// Solves with one factor: single precision leaves some 1e-4 of the motion at the first.
const SOLVES: usize = 2;

/// Stops a body that moves with `v` by impulses of its supports, whatever their cones allow, until what is left is `still`.
#[inline(always)]
pub(super) fn share<const D: usize>(
    supports: &mut [Support<D>],
    (masses, body): (&Masses, usize),
    v: &mut Eight,
    still: f32,
) {
    let weight = |d: usize| if d == 0 { 1.0 } else { DELTA };
    let mut k = [[0.0; 8]; 6];
    for s in &*supports {
        for (d, row) in s.rows.iter().enumerate() {
            let weighted = six(&row.map(|x| weight(d) * x));
            (0..6).for_each(|i| add(weighted[i], row, &mut k[i]));
        }
    }
    let factor = Factor::new(k.map(|row| six(&row)));
    for _ in 0..SOLVES {
        let mut y = masses.times(body, &six(v));
        factor.solve(&mut y);
        let y = eight(&y);
        for s in &mut *supports {
            s.add(&std::array::from_fn(|d| -weight(d) * along_all(&s.rows[d], &y)), v);
        }
        if size(v) <= still {
            return;
        }
    }
}

/// L D L^T of a symmetric block.
struct Factor {
    /// Below the diagonal, by rows.
    l: Small<6>,
    /// `D^-1`.
    inverse: Motion,
}

impl Factor {
    /// Directions that nothing holds are left out.
    #[inline(always)]
    fn new(mut l: Small<6>) -> Self {
        let (diagonal, mut inverse): (Motion, _) = (std::array::from_fn(|i| l[i][i]), [0.0; 6]);
        for k in 0..6 {
            inverse[k] = if l[k][k] > PIVOT * diagonal[k] { 1.0 / l[k][k] } else { 0.0 };
            for i in k + 1..6 {
                let x = l[i][k] * inverse[k];
                for j in k + 1..=i {
                    l[i][j] -= x * l[j][k];
                }
            }
            for i in k + 1..6 {
                l[i][k] *= inverse[k];
            }
        }
        Self { l, inverse }
    }

    #[inline(always)]
    fn solve(&self, y: &mut Motion) {
        for i in 0..6 {
            for k in 0..i {
                y[i] -= self.l[i][k] * y[k];
            }
        }
        for i in (0..6).rev() {
            y[i] *= self.inverse[i];
            for k in i + 1..6 {
                y[i] -= self.l[k][i] * y[k];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::multigrid::small::{mul_add, zero};

    #[test]
    fn a_factor_solves_with_its_block() {
        let mut random = Random::new(5);
        let mut block = zero();
        // seven random directions span all six
        for _ in 0..7 {
            let row: Motion = std::array::from_fn(|_| random.between(-1.0, 1.0) as f32);
            (0..6).for_each(|i| (0..6).for_each(|j| block[i][j] += row[i] * row[j]));
        }
        let x: Motion = std::array::from_fn(|i| i as f32 - 2.0);
        let mut y = [0.0; 6];
        mul_add(&block, &x, &mut y);
        Factor::new(block).solve(&mut y);
        assert!((0..6).all(|i| (y[i] - x[i]).abs() < 1e-2), "{y:?}");
    }

    /// Two directions alone: the rest stays as it is, and nothing is divided by zero.
    #[test]
    fn what_nothing_holds_is_left_out() {
        let mut block = zero();
        (block[0][0], block[4][4]) = (2.0, 4.0);
        let mut y = [1.0; 6];
        Factor::new(block).solve(&mut y);
        assert_eq!(y, [0.5, 0.0, 0.0, 0.0, 0.25, 0.0]);
    }
}
