//! Blocks of H H^T from sums over contacts: the frames drop out, and the arms are all that is left.

use super::links::{Motion, Vector, cross, halves};
use crate::block;
use crate::multigrid::small;

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
    pub fn add(&mut self, a: &Vector, b: &Vector) {
        let (a, b) = (a.map(f64::from), b.map(f64::from));
        self.count += 1.0;
        for i in 0..3 {
            self.a[i] += a[i];
            self.b[i] += b[i];
            (0..3).for_each(|j| self.products[i][j] += a[i] * b[j]);
        }
    }

    /// The block that couples the two, `-[I, -[b]; [a], -[a][b]]` of all contacts, [a] the matrix of the cross product with a.
    pub fn block(&self) -> Block {
        let (turn_a, turn_b, mut block) = (cross_matrix(&self.a), cross_matrix(&self.b), Block::default());
        let trace = self.products[0][0] + self.products[1][1] + self.products[2][2];
        for i in 0..3 {
            block[i][i] = -self.count;
            block[3 + i][3 + i] = -trace;
            for j in 0..3 {
                block[i][3 + j] = turn_b[i][j];
                block[3 + i][j] = -turn_a[i][j];
                block[3 + i][3 + j] += self.products[j][i];
            }
        }
        block
    }
}

fn cross_matrix([x, y, z]: &[f64; 3]) -> [[f64; 3]; 3] {
    [[0.0, -z, *y], [*z, 0.0, -x], [-y, *x, 0.0]]
}

/// Sums over the contacts of one body or part, and over what drags it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OwnArms {
    count: f64,
    arm: [f64; 3],
    /// Of `a_i^2`, and of `a_i a_j` with j behind i.
    squares: [f64; 3],
    mixed: [f64; 3],
    /// The drag of rotations.
    about: f64,
}

impl OwnArms {
    /// Adds so much of a contact at this arm.
    #[inline(always)]
    pub fn add(&mut self, part: f64, arm: &Vector) {
        let a = arm.map(f64::from);
        self.count += part;
        for i in 0..3 {
            self.arm[i] += part * a[i];
            self.squares[i] += part * a[i] * a[i];
            self.mixed[i] += part * a[i] * a[(i + 1) % 3];
        }
    }

    /// Adds what drags a body at this place: a slight contact at its centre, and more about it.
    #[inline(always)]
    pub fn add_drag(&mut self, [along, about]: &[f32; 2], place: &Vector) {
        self.add(f64::from(*along), place);
        self.about += f64::from(*about);
    }

    /// What answers rotations, `-[a][a]` of all of them.
    #[inline(always)]
    fn rotation(&self) -> [[f64; 3]; 3] {
        let (mut block, all) = ([[0.0; 3]; 3], self.squares[0] + self.squares[1] + self.squares[2]);
        for i in 0..3 {
            let j = (i + 1) % 3;
            block[i][i] = all - self.squares[i] + self.about;
            (block[i][j], block[j][i]) = (-self.mixed[i], -self.mixed[i]);
        }
        block
    }

    /// The diagonal block `[I, -[a]; [a], -[a][a]]` of all of them.
    pub fn block(&self) -> Block {
        let (turn, rotation, mut block) = (cross_matrix(&self.arm), self.rotation(), Block::default());
        for i in 0..3 {
            block[i][i] = self.count;
            for j in 0..3 {
                block[i][3 + j] = -turn[i][j];
                block[3 + i][j] = turn[i][j];
                block[3 + i][3 + j] = rotation[i][j];
            }
        }
        block
    }

    /// Its inverse; a rotation that nothing holds is left out.
    #[inline(always)]
    pub fn inverse(&self) -> OwnInverse {
        let per_count = if self.count > 0.0 { 1.0 / self.count } else { 0.0 };
        let (mean, held) = (self.arm.map(|a| a * per_count), self.rotation());
        // about the mean of the arms: what their sum answers is taken off
        let across: f64 = (0..3).map(|i| mean[i] * self.arm[i]).sum();
        let mut about = held;
        for i in 0..3 {
            about[i][i] -= across;
            (0..3).for_each(|j| about[i][j] += mean[i] * self.arm[j]);
        }
        for i in 0..3 {
            if about[i][i] <= HELD * held[i][i] {
                (0..3).for_each(|j| (about[i][j], about[j][i]) = (0.0, 0.0));
            }
        }
        let rotation = small::inverse(&about.map(|row| row.map(|x| x as f32)));
        OwnInverse { per_count: per_count as f32, mean: mean.map(|x| x as f32), rotation }
    }
}

/// What must be left of what holds a rotation about the mean of the arms: below it is rounding.
const HELD: f64 = 1e-6;

/// The inverse of the diagonal block of one body or part: about the mean of its arms translation and rotation do not meet.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OwnInverse {
    per_count: f32,
    mean: Vector,
    rotation: small::Small<3>,
}

impl OwnInverse {
    /// The motion that answers a force and a moment.
    #[inline(always)]
    pub fn times(&self, g: &Motion) -> Motion {
        let ((force, moment), mean) = (halves(g), &self.mean);
        let turn = cross(mean, &force);
        let mut omega = [0.0; 3];
        small::mul_add(&self.rotation, &std::array::from_fn(|i| moment[i] - turn[i]), &mut omega);
        let carried = cross(mean, &omega);
        let v: Vector = std::array::from_fn(|i| self.per_count * force[i] + carried[i]);
        [v[0], v[1], v[2], omega[0], omega[1], omega[2]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;

    fn sums(contacts: usize) -> OwnArms {
        let (mut random, mut sums) = (Random::new(contacts as u64), OwnArms::default());
        for _ in 0..contacts {
            sums.add(1.0, &std::array::from_fn(|_| random.between(-1.0, 1.0) as f32));
        }
        sums
    }

    #[test]
    fn an_inverse_solves_with_its_block() {
        let mut sums = sums(5);
        sums.add_drag(&[0.1, 0.2], &[0.5, -0.3, 0.1]);
        let (block, inverse) = (sums.block(), sums.inverse());
        let x: Motion = std::array::from_fn(|i| i as f32 - 2.0);
        let g = block.map(|row| row.iter().zip(&x).map(|(a, x)| a * f64::from(*x)).sum::<f64>() as f32);
        let back = inverse.times(&g);
        assert!((0..6).all(|i| (back[i] - x[i]).abs() < 1e-5), "{back:?}");
    }

    /// One contact holds no rotation about itself, two none about the line between them, and nothing becomes infinite.
    #[test]
    fn what_nothing_holds_is_left_out() {
        for contacts in 0..3 {
            let z = sums(contacts).inverse().times(&[1.0; 6]);
            assert!(z.iter().all(|z| z.abs() < 1e3), "{contacts}: {z:?}");
        }
        assert_eq!(sums(1).inverse().rotation, small::zero());
    }

    /// The same sums as between a part and itself, but for the sign.
    #[test]
    fn own_blocks_are_those_of_contacts_with_itself() {
        let (mut own, mut between) = (OwnArms::default(), Arms::default());
        for arm in [[0.5, -1.0, 0.25], [1.0, 0.5, 2.0]] {
            own.add(1.0, &arm);
            between.add(&arm, &arm);
        }
        assert_eq!(own.block(), between.block().map(|row| row.map(|x| -x)));
    }
}
