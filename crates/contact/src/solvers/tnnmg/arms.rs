//! Blocks of H H^T from sums over contacts: the frames drop out, and the arms are all that is left.

use super::links::Vector;
use crate::block;

/// A 6 x 6 block by rows.
pub(super) type Block = block::Block<6>;

/// Sums over contacts between two bodies or parts: how many, their arms on either, and the products of these.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Arms {
    count: f64,
    a: [f64; 3],
    b: [f64; 3],
    products: [[f64; 3]; 3],
}

impl Arms {
    /// Adds a contact at arm `a` of the one and arm `b` of the other.
    #[inline(always)]
    pub fn add(&mut self, a: &Vector, b: &Vector) {
        self.add_part(1.0, a, b);
    }

    /// Adds so much of a contact.
    #[inline(always)]
    pub fn add_part(&mut self, part: f64, a: &Vector, b: &Vector) {
        let (a, b) = (a.map(|x| part * f64::from(x)), b.map(f64::from));
        self.count += part;
        for i in 0..3 {
            self.a[i] += a[i];
            self.b[i] += part * b[i];
            (0..3).for_each(|j| self.products[i][j] += a[i] * b[j]);
        }
    }

    /// Adds `sign [I, -[b]; [a], -[a][b]]` of all of them, [a] the matrix of the cross product with a.
    #[inline(always)]
    pub fn add_to(&self, sign: f64, block: &mut Block) {
        let (turn_a, turn_b) = (cross_matrix(&self.a), cross_matrix(&self.b));
        let trace = self.products[0][0] + self.products[1][1] + self.products[2][2];
        for i in 0..3 {
            block[i][i] += sign * self.count;
            block[3 + i][3 + i] += sign * trace;
            for j in 0..3 {
                block[i][3 + j] -= sign * turn_b[i][j];
                block[3 + i][j] += sign * turn_a[i][j];
                block[3 + i][3 + j] -= sign * self.products[j][i];
            }
        }
    }
}

#[inline(always)]
fn cross_matrix([x, y, z]: &[f64; 3]) -> [[f64; 3]; 3] {
    [[0.0, -z, *y], [*z, 0.0, -x], [-y, *x, 0.0]]
}
