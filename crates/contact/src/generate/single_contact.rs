//! One contact with a random W.

use serde::{Deserialize, Serialize};

use super::error::{GenerateError, dimension, interval, positive, within};
use super::orthogonal::orthogonal;
use super::random::Random;
use crate::block::Block;
use crate::cone::Cone;
use crate::operator::BlockCsr;
use crate::problem::LocalProblem;

/// One contact of D = 2, 3 or 5 rows: $W = Q \Lambda Q^\top$ with a random orthogonal Q.
///
/// The smallest eigenvalue is 1, the largest is `condition`, the others lie between, uniform in their logarithm.
/// The components of q are normal random numbers times `q_scale`; Coulomb's cone for D = 2 and 3, rolling
/// friction for D = 5.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SingleContact {
    /// Condition number of W, 1 to 1e12.
    pub condition: f64,
    /// The coefficient of friction is uniform in this interval.
    pub mu: [f64; 2],
    /// The coefficient of rolling friction (D = 5) is uniform in this interval.
    pub mu_r: [f64; 2],
    /// Standard deviation of the components of q.
    pub q_scale: f64,
    /// Seed of everything.
    pub seed: u64,
}

impl Default for SingleContact {
    fn default() -> Self {
        Self { condition: 10.0, mu: [0.1, 1.0], mu_r: [0.01, 0.3], q_scale: 1.0, seed: 1 }
    }
}

impl SingleContact {
    /// The reduced problem.
    pub fn generate<const D: usize>(&self) -> Result<LocalProblem<D>, GenerateError> {
        dimension::<D>()?;
        within("condition", self.condition, 1.0, 1e12)?;
        interval("mu", self.mu, 0.0, f64::MAX)?;
        interval("mu_r", self.mu_r, 0.0, f64::MAX)?;
        positive("q_scale", self.q_scale)?;
        let mut rng = Random::new(self.seed);
        let w = BlockCsr::new(vec![0, 1], vec![0], vec![self.block(&mut rng)])?;
        let q = std::array::from_fn(|_| self.q_scale * rng.normal());
        let cone = random_cone::<D>(&mut rng, self.mu, self.mu_r);
        Ok(LocalProblem::assembled(w, vec![q], vec![cone])?.0)
    }

    fn block<const D: usize>(&self, rng: &mut Random) -> Block<D> {
        let q = orthogonal::<D>(rng);
        let mut lambda: [f64; D] = std::array::from_fn(|_| rng.log_between(1.0, self.condition));
        (lambda[0], lambda[D - 1]) = (1.0, self.condition);
        let mut w = [[0.0; D]; D];
        for i in 0..D {
            for j in 0..=i {
                w[i][j] = (0..D).map(|k| lambda[k] * q[k][i] * q[k][j]).sum();
                w[j][i] = w[i][j];
            }
        }
        w
    }
}

/// Coulomb's cone, or the rolling one for five rows, with uniform coefficients.
pub(super) fn random_cone<const D: usize>(rng: &mut Random, mu: [f64; 2], mu_r: [f64; 2]) -> Cone {
    // both are drawn for every D, so that the sequence does not depend on it
    let (mu, mu_r) = (rng.between(mu[0], mu[1]), rng.between(mu_r[0], mu_r[1]));
    if D == 5 { Cone::Rolling { mu, mu_r } } else { Cone::Coulomb { mu } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{dot, mul, norm, solve};
    use crate::operator::Delassus;

    /// Power iteration on W and on its inverse.
    fn condition<const D: usize>(w: &Block<D>) -> f64 {
        let (mut x, mut y) = ([1.0; D], [1.0; D]);
        for _ in 0..20_000 {
            x = mul(w, &x);
            let n = norm(&x);
            x = x.map(|e| e / n);
            y = solve(*w, y).unwrap();
            let n = norm(&y);
            y = y.map(|e| e / n);
        }
        dot(&x, &mul(w, &x)) / dot(&y, &mul(w, &y))
    }

    fn check<const D: usize>() {
        for seed in 0..20 {
            let options = SingleContact { condition: 1e3, seed, ..Default::default() };
            let p = options.generate::<D>().unwrap();
            assert_eq!(p.contacts(), 1);
            assert_eq!(p, options.generate::<D>().unwrap());
            let w = p.w.diagonal(0);
            assert!((0..D).all(|i| (0..D).all(|j| w[i][j] == w[j][i])));
            assert!((condition(&w) / 1e3 - 1.0).abs() < 1e-6, "{}", condition(&w));
            assert_eq!(matches!(p.cones[0], Cone::Rolling { .. }), D == 5);
        }
    }

    #[test]
    fn w_has_the_condition_number_asked_for() {
        check::<2>();
        check::<3>();
        check::<5>();
    }

    #[test]
    fn extreme_condition_numbers_work() {
        for seed in 0..200 {
            assert!(SingleContact { condition: 1.0, seed, ..Default::default() }.generate::<3>().is_ok());
            assert!(SingleContact { condition: 1e12, seed, ..Default::default() }.generate::<5>().is_ok());
        }
    }

    #[test]
    fn bad_options_are_refused() {
        let good = SingleContact::default;
        for bad in [
            SingleContact { condition: 0.5, ..good() },
            SingleContact { condition: f64::NAN, ..good() },
            SingleContact { mu: [-1.0, 1.0], ..good() },
            SingleContact { mu: [0.5, 0.4], ..good() },
            SingleContact { mu_r: [0.0, f64::INFINITY], ..good() },
            SingleContact { q_scale: 0.0, ..good() },
        ] {
            assert!(bad.generate::<3>().is_err(), "{bad:?}");
        }
        assert_eq!(good().generate::<4>().unwrap_err(), GenerateError::Dimension(4));
        assert_eq!(good().generate::<1>().unwrap_err(), GenerateError::Dimension(1));
    }
}
