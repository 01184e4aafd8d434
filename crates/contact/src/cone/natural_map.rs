//! The natural map: the one equation that an exact solution of the law makes vanish.

use super::Cone;
use crate::block::{norm, sub};

impl Cone {
    /// `F(r, u) = r - P_K(r - u - g(u))`, zero exactly at the solutions of the contact law [D, sl. "VI based methods"].
    #[inline(always)]
    pub fn natural_map<const D: usize>(&self, r: &[f64; D], u: &[f64; D]) -> [f64; D] {
        match *self {
            Cone::Bilateral => *u,
            Cone::Coulomb { mu } if D <= 3 => coulomb(mu, r, u),
            _ => {
                let mut z = sub(r, u);
                z[0] -= self.shift(u);
                sub(r, &self.project(&z))
            }
        }
    }
}

/// The same for Coulomb's cone, of which there are most.
#[inline(always)]
fn coulomb<const D: usize>(mu: f64, r: &[f64; D], u: &[f64; D]) -> [f64; D] {
    let mut z = sub(r, u);
    z[0] -= mu * norm(&u[1..]);
    sub(r, &Cone::Coulomb { mu }.project(&z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vanishes_at_take_off_stick_and_slip_and_nowhere_near() {
        let c = Cone::Coulomb { mu: 0.5 };
        assert_eq!(c.natural_map(&[0.0; 3], &[1.0, 3.0, -2.0]), [0.0; 3]);
        assert_eq!(c.natural_map(&[2.0, 0.6, 0.0], &[0.0; 3]), [0.0; 3]);
        // slip: friction opposes the sliding velocity on the boundary of the cone
        let f = c.natural_map(&[2.0, -1.0, 0.0], &[0.0, 3.0, 0.0]);
        assert!(f.iter().all(|x| x.abs() < 1e-15), "{f:?}");
        // friction along the velocity is wrong
        assert!(c.natural_map(&[2.0, 1.0, 0.0], &[0.0, 3.0, 0.0])[1].abs() > 0.5);
        assert_eq!(Cone::Bilateral.natural_map(&[5.0, -3.0], &[0.0, 0.25]), [0.0, 0.25]);
    }
}
