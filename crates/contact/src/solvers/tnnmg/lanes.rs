//! The product of one contact in eight lanes: both its bodies at once.

use super::links::{Motion, Vector, at, cross};
use pulp::Arch;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::__m256;

/// Two vectors with a zero behind each: velocity and rotation of a body, or the arms of a contact.
pub(super) type Eight = [f32; 8];

/// Six numbers in their lanes.
#[inline(always)]
pub(super) fn eight(m: &Motion) -> Eight {
    [m[0], m[1], m[2], 0.0, m[3], m[4], m[5], 0.0]
}

/// And back.
#[inline(always)]
pub(super) fn six(m: &Eight) -> Motion {
    [m[0], m[1], m[2], m[4], m[5], m[6]]
}

/// Both vectors.
#[inline(always)]
pub(super) fn vectors(x: &Eight) -> [Vector; 2] {
    [[x[0], x[1], x[2]], [x[4], x[5], x[6]]]
}

/// The scalar product of two motions, both halves side by side.
#[inline(always)]
pub(super) fn along_all<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    (0..N / 2).map(|i| a[i] * b[i] + a[i + N / 2] * b[i + N / 2]).sum()
}

/// `y += alpha x`.
#[inline(always)]
pub(super) fn add<const N: usize>(alpha: f32, x: &[f32; N], y: &mut [f32; N]) {
    (0..N).for_each(|i| y[i] += alpha * x[i]);
}

/// The velocity of a body that moves with `a` against one that moves with `b`, at the end of their `arms`.
#[inline(always)]
pub(super) fn velocity(arms: &Eight, a: &Eight, b: &Eight) -> Vector {
    let [arm_a, arm_b] = vectors(arms);
    let (u, w) = (at(&six(a), &arm_a), at(&six(b), &arm_b));
    [u[0] - w[0], u[1] - w[1], u[2] - w[2]]
}

/// Force and moment on both bodies that answer the velocity at their contact, in `all` directions or as far as it `holds`.
///
/// With AVX2 and without, every operation is the same, and so are the bits.
#[inline(always)]
pub(super) fn answers(
    arch: Arch,
    arms: &Eight,
    [a, b]: [&Eight; 2],
    all: bool,
    holds: impl FnOnce(Vector) -> Vector,
) -> [Eight; 2] {
    match arch {
        #[cfg(target_arch = "x86_64")]
        Arch::V3(simd) if all => Lanes(simd).answers(arms, a, b),
        _ => {
            let (p, [arm_a, arm_b]) = (holds(velocity(arms, a, b)), vectors(arms));
            [(arm_a, p), (arm_b, p.map(|p| -p))].map(|(arm, p)| {
                let moment = cross(&arm, &p);
                eight(&[p[0], p[1], p[2], moment[0], moment[1], moment[2]])
            })
        }
    }
}

/// The instructions of AVX2 on two vectors.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Lanes(pulp::x86::V3);

#[cfg(target_arch = "x86_64")]
impl Lanes {
    #[inline(always)]
    fn answers(self, arms: &Eight, a: &Eight, b: &Eight) -> [Eight; 2] {
        let avx = self.0.avx;
        let (arms, a, b): (__m256, __m256, __m256) = (pulp::cast(*arms), pulp::cast(*a), pulp::cast(*b));
        let (v, omega) = self.exchange(a, b);
        let ends = avx._mm256_add_ps(v, self.cross(omega, arms));
        // that of a against b, and of b against a
        let u = avx._mm256_sub_ps(ends, avx._mm256_permute2f128_ps::<0x01>(ends, ends));
        let (a, b) = self.exchange(u, self.cross(arms, u));
        [pulp::cast(a), pulp::cast(b)]
    }

    /// Both first vectors, and both second ones.
    #[inline(always)]
    fn exchange(self, a: __m256, b: __m256) -> (__m256, __m256) {
        let avx = self.0.avx;
        (avx._mm256_permute2f128_ps::<0x20>(a, b), avx._mm256_permute2f128_ps::<0x31>(a, b))
    }

    /// `a x b` of both.
    #[inline(always)]
    fn cross(self, a: __m256, b: __m256) -> __m256 {
        let avx = self.0.avx;
        let (left, right) = (avx._mm256_mul_ps(a, self.turned(b)), avx._mm256_mul_ps(self.turned(a), b));
        self.turned(avx._mm256_sub_ps(left, right))
    }

    /// (y, z, x) of both.
    #[inline(always)]
    fn turned(self, x: __m256) -> __m256 {
        self.0.avx._mm256_permute_ps::<0b11_00_10_01>(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;

    #[test]
    fn both_bodies_at_once_are_the_bits_of_one_after_the_other() {
        let mut random = Random::new(3);
        for _ in 0..100 {
            let [arms, a, b] =
                std::array::from_fn(|_| eight(&std::array::from_fn(|_| random.between(-1.0, 1.0) as f32)));
            let [wide, alone] = [Arch::new(), Arch::Scalar]
                .map(|arch| answers(arch, &arms, [&a, &b], true, |u| u).map(|x| x.map(f32::to_bits)));
            assert_eq!(wide, alone);
        }
    }
}
