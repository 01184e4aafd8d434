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
