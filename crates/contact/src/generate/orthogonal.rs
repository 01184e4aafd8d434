//! Random orthogonal matrices.

use super::random::Random;
use crate::block::{Block, dot, norm, sub};

/// A random rotation or reflection: Gram-Schmidt, done twice, on normal random rows.
pub(super) fn orthogonal<const D: usize>(rng: &mut Random) -> Block<D> {
    let mut q = [[0.0; D]; D];
    let mut k = 0;
    while k < D {
        let mut x: [f64; D] = std::array::from_fn(|_| rng.normal());
        // the second pass removes what rounding of the first left
        for _ in 0..2 {
            for row in &q[..k] {
                let along = dot(row, &x);
                x = sub(&x, &row.map(|e| along * e));
            }
        }
        let length = norm(&x);
        // nearly dependent on the rows before: draw again
        if length > 1e-3 {
            q[k] = x.map(|e| e / length);
            k += 1;
        }
    }
    q
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_orthonormal() {
        let mut rng = Random::new(3);
        for _ in 0..1000 {
            let q = orthogonal::<5>(&mut rng);
            for i in 0..5 {
                for j in 0..5 {
                    let e = if i == j { 1.0 } else { 0.0 };
                    assert!((dot(&q[i], &q[j]) - e).abs() < 1e-14);
                }
            }
        }
    }
}
