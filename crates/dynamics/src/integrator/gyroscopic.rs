//! The free rotation of a body with three different moments of inertia.

use crate::rotation::cross;
use stickslip_contact::block::solve;

/// Most Newton steps; two or three are taken.
const STEPS: usize = 20;

/// One step of Euler's equations in the frame of the body, by the implicit midpoint rule:
/// $$ I(\Omega_1 - \Omega_0) + h\,\Omega_m \times I \Omega_m = h\tau, \qquad \Omega_m = \tfrac12 (\Omega_0 + \Omega_1). $$
///
/// Without a moment, $\Omega_m$ times the equation keeps the energy and $I\Omega_m$ times it the length of the angular
/// momentum, both to rounding. `impulse` is $h\tau$. Newton's method converges for any step that turns the body by less
/// than a radian or so; beyond, the last iterate is as good as the step.
///
/// # Reference
/// Simo & Wong, "Unconditionally stable algorithms for rigid body dynamics", 1991.
pub(crate) fn free_rotation(moments: &[f64; 3], before: &[f64; 3], impulse: &[f64; 3], h: f64) -> [f64; 3] {
    let mut after: [f64; 3] = std::array::from_fn(|i| before[i] + impulse[i] / moments[i]);
    let scale = moments.iter().fold(0.0, |m: f64, x| m.max(*x)) * norm1(&after).max(norm1(before));
    for _ in 0..STEPS {
        let mean: [f64; 3] = std::array::from_fn(|i| 0.5 * (before[i] + after[i]));
        let l: [f64; 3] = std::array::from_fn(|i| moments[i] * mean[i]);
        let c = cross(&mean, &l);
        let f: [f64; 3] = std::array::from_fn(|i| moments[i] * (after[i] - before[i]) + h * c[i] - impulse[i]);
        if norm1(&f) <= 4.0 * f64::EPSILON * scale {
            break;
        }
        let jacobian = derivative(moments, &mean, &l, h);
        let Some(d) = solve(jacobian, f) else { break };
        let next: [f64; 3] = std::array::from_fn(|i| after[i] - d[i]);
        if next == after {
            break;
        }
        after = next;
    }
    after
}

/// `I + h/2 (hat(mean) I - hat(I mean))`.
fn derivative(moments: &[f64; 3], mean: &[f64; 3], l: &[f64; 3], h: f64) -> [[f64; 3]; 3] {
    let hat = |a: &[f64; 3]| [[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]];
    let (m, n) = (hat(mean), hat(l));
    std::array::from_fn(|i| {
        std::array::from_fn(|j| if i == j { moments[i] } else { 0.0 } + 0.5 * h * (m[i][j] * moments[j] - n[i][j]))
    })
}

fn norm1(a: &[f64; 3]) -> f64 {
    a[0].abs() + a[1].abs() + a[2].abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energy_and_momentum_are_kept_to_rounding() {
        let moments = [1.0, 2.0, 3.5];
        let mut w = [0.1, 5.0, 0.2];
        let energy = |w: &[f64; 3]| (0..3).map(|i| moments[i] * w[i] * w[i]).sum::<f64>();
        let momentum = |w: &[f64; 3]| (0..3).map(|i| (moments[i] * w[i]).powi(2)).sum::<f64>();
        let (e, l, mut flipped) = (energy(&w), momentum(&w), false);
        for _ in 0..10_000 {
            w = free_rotation(&moments, &w, &[0.0; 3], 1e-3);
            flipped |= w[1] < -4.0;
        }
        assert!((energy(&w) / e - 1.0).abs() < 1e-12 && (momentum(&w) / l - 1.0).abs() < 1e-12);
        // the middle axis is unstable: it must have turned over
        assert!(flipped);
    }
}
