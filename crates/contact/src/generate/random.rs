//! A small random number generator, the same bits everywhere.

/// SplitMix64: 64 bits of state, one addition and a bit mixer a number.
///
/// The derived distributions use `+ - * /` and `sqrt` alone: `exp`, `ln` and `cos` differ between platforms.
///
/// # Reference
/// Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014, figure 17.
#[derive(Debug, Clone, PartialEq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `[0, 1)`, a multiple of `2^-53`.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform in `[low, high)`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// The logarithm is uniform in `[ln low, ln high)`; `0 < low <= high`.
    ///
    /// With random bits $b_k$ the value is $\mathrm{low} \prod_k (\mathrm{high}/\mathrm{low})^{b_k 2^{-k}}$: square
    /// roots instead of an exponential.
    pub fn log_between(&mut self, low: f64, high: f64) -> f64 {
        let mut bits = self.bits();
        let (mut value, mut root) = (low, high / low);
        for _ in 0..40 {
            root = root.sqrt();
            if bits & 1 == 1 {
                value *= root;
            }
            bits >>= 1;
        }
        value.min(high)
    }

    /// Nearly normal, mean 0 and variance 1: twelve uniform numbers minus six, so never beyond 6.
    pub fn normal(&mut self) -> f64 {
        let mut s = -6.0;
        for _ in 0..12 {
            s += self.uniform();
        }
        s
    }

    /// Uniform in `0..n`; `n > 0`.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.bits() as u128 * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence_of_seed_1234567() {
        let mut rng = Random::new(1234567);
        let expected = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431];
        assert_eq!(expected, std::array::from_fn(|_| rng.bits()));
    }

    #[test]
    fn moments_of_the_distributions() {
        let mut rng = Random::new(7);
        let n = 200_000;
        let uniform: Vec<f64> = (0..n).map(|_| rng.uniform()).collect();
        let normal: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
        let mean = |x: &[f64]| x.iter().sum::<f64>() / n as f64;
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>() / n as f64;
        assert!(uniform.iter().all(|x| (0.0..1.0).contains(x)));
        assert!((mean(&uniform) - 0.5).abs() < 3e-3);
        assert!(mean(&normal).abs() < 1e-2 && (square(&normal) - 1.0).abs() < 2e-2);
        let logs: Vec<f64> = (0..n).map(|_| rng.log_between(1e-2, 1e4).log10()).collect();
        assert!(logs.iter().all(|x| (-2.0..=4.0).contains(x)));
        assert!((mean(&logs) - 1.0).abs() < 2e-2);
        assert!((0..1000).map(|_| rng.below(3)).all(|k| k < 3));
    }
}
