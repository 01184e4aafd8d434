//! The velocity of the ground that bodies lie on.

use crate::block::norm2;
use crate::operator::Bodies;

/// The size of what it leaves of w, over that of q, below which the ground moves as one: gaps of a step ahead are not quite nothing.
const AS_ONE: f64 = 0.05;

/// A velocity in the axes of the world.
pub(in crate::solvers) type Velocity = [f64; 3];

/// The velocity that all that never moves has in common, by what `q = H^T v_free + w` says of it: $w_c = -H_c^\top v$ where a contact is
/// with the ground, and nothing elsewhere. Seen from there the ground is at rest. `None` where there is no such velocity, or where
/// bodies do not meet in pairs. `u` is room for as many contacts as there are.
pub(in crate::solvers) fn velocity<const D: usize>(
    bodies: &dyn Bodies<D>,
    (q, v_free): (&[[f64; D]], &[f64]),
    u: &mut [[f64; D]],
) -> Option<Velocity> {
    bodies.relative_velocity(v_free, u);
    let (mut all, mut of_w) = (0.0, 0.0);
    for (w, q) in u.iter_mut().zip(q) {
        *w = std::array::from_fn(|d| q[d] - w[d]);
        (all, of_w) = (all + norm2(q), of_w + norm2(w));
    }
    let most = AS_ONE * AS_ONE * all;
    if of_w <= most {
        return Some([0.0; 3]);
    }
    let mut ground = Vec::new();
    let mut elsewhere = 0.0;
    for (c, w) in u.iter().enumerate() {
        let link = bodies.link(c)?;
        if link.bodies[1].is_none() {
            ground.push(std::array::from_fn(|i| -(0..D).map(|d| w[d] * link.frame[d][i]).sum::<f64>()));
        } else {
            elsewhere += norm2(w);
        }
        if elsewhere > most {
            return None;
        }
    }
    let sum = ground.iter().fold([0.0; 3], |sum: Velocity, v: &Velocity| std::array::from_fn(|i| sum[i] + v[i]));
    let mean = sum.map(|x| x / ground.len() as f64);
    let apart = |v: &Velocity| norm2(&std::array::from_fn::<_, 3, _>(|i| v[i] - mean[i]));
    (elsewhere + ground.iter().map(apart).sum::<f64>() <= most).then_some(mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::BoxWall;
    use crate::operator::MatrixFree;
    use crate::problem::{GlobalProblem, LocalProblem};

    const BRICKS: usize = 6;
    const VELOCITY: Velocity = [0.3, -0.1, 0.2];

    /// A column of bricks, the first four contacts of which are with the ground.
    fn column() -> GlobalProblem<3> {
        BoxWall { columns: 1, courses: BRICKS, ..BoxWall::default() }.generate().unwrap()
    }

    fn ground(problem: &GlobalProblem<3>) -> Option<Velocity> {
        let local: LocalProblem<3, MatrixFree<3>> = LocalProblem::matrix_free(problem).unwrap().unwrap();
        velocity(&local.w, (&local.q, &local.v_free), &mut vec![[0.0; 3]; local.contacts()])
    }

    /// u_N along +z, u_T along +x and +y.
    fn seen([x, y, z]: Velocity) -> [f64; 3] {
        [-z, -x, -y]
    }

    #[test]
    fn what_all_ground_contacts_say_is_its_velocity() {
        let mut problem = column();
        assert_eq!(ground(&problem), Some([0.0; 3]));
        problem.w[..4].fill(seen(VELOCITY));
        let found = ground(&problem).unwrap();
        assert!((0..3).all(|i| (found[i] - VELOCITY[i]).abs() < 1e-14), "{found:?}");
    }

    #[test]
    fn ground_that_does_not_move_as_one_has_none() {
        let mut sinks = column();
        sinks.w[..2].fill([0.4, 0.0, 0.0]);
        assert_eq!(ground(&sinks), None);
        let mut apart = column();
        apart.w[4..8].fill([0.4, 0.0, 0.0]);
        assert_eq!(ground(&apart), None);
    }
}
