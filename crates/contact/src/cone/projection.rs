//! The Euclidean projection on a cone.

use super::{Cone, Disc};
use crate::block::{norm, norm2};

impl Cone {
    /// `P_K(z)`, the point of K nearest to `z`.
    ///
    /// With $n$ the normal part of the answer, each disc part is $z_k$ cut back to $\mu_k n + \rho_k$, and $n$ is the
    /// zero of the increasing function
    /// $ n - z_N - \sum_k \mu_k (\|z_k\| - \mu_k n - \rho_k)_+ $, or 0 where that zero is negative.
    #[inline(always)]
    pub fn project<const D: usize>(&self, z: &[f64; D]) -> [f64; D] {
        match *self {
            Cone::Bilateral => *z,
            Cone::Coulomb { mu } if D <= 3 => coulomb(mu, z),
            _ => self.project_on_discs(z),
        }
    }

    /// Whether `z` lies in K.
    #[inline(always)]
    pub fn contains<const D: usize>(&self, z: &[f64; D]) -> bool {
        match *self {
            Cone::Coulomb { mu } if D <= 3 => in_coulomb(mu, z[0], norm2(&z[1..])),
            _ => self.project(z) == *z,
        }
    }

    /// Any cone but the bilateral one.
    #[inline(always)]
    fn project_on_discs<const D: usize>(&self, z: &[f64; D]) -> [f64; D] {
        let [t, r] = self.discs::<D>();
        let a = norm(&z[t.rows()]);
        let b = if r.len > 0 { norm(&z[r.rows()]) } else { 0.0 };
        let n = normal_part(z[0], &t, a, &r, b).max(0.0);
        let mut p = *z;
        p[0] = n;
        cut(&mut p, &t, a, n);
        if r.len > 0 {
            cut(&mut p, &r, b, n);
        }
        p
    }
}

/// Coulomb's cone: most points lie inside it or inside its polar, which takes no root and no division to see.
#[inline(always)]
fn coulomb<const D: usize>(mu: f64, z: &[f64; D]) -> [f64; D] {
    if D == 2 {
        return wedge(mu, z);
    }
    let (n, square) = (z[0], norm2(&z[1..]));
    if in_coulomb(mu, n, square) {
        return *z;
    }
    if n <= 0.0 && mu * mu * square <= n * n {
        return [0.0; D];
    }
    let length = square.sqrt();
    let n = (n + mu * length) / (1.0 + mu * mu);
    let s = mu * n / length;
    std::array::from_fn(|k| if k == 0 { n } else { s * z[k] })
}

/// Coulomb's cone in the plane, without a branch: to which part of it contacts belong is as good as random.
#[inline(always)]
fn wedge<const D: usize>(mu: f64, z: &[f64; D]) -> [f64; D] {
    let (n, t) = (z[0], z[1].abs());
    let on_edge = (n + mu * t) / (1.0 + mu * mu);
    // not a maximum, which would hide what is not a number
    let on_edge = if on_edge < 0.0 { 0.0 } else { on_edge };
    let inside = t <= mu * n;
    let mut p = *z;
    p[0] = if inside { n } else { on_edge };
    p[1] = if inside { z[1] } else { (mu * on_edge).copysign(z[1]) };
    p
}

/// `|t| <= mu n`, without a root.
#[inline(always)]
fn in_coulomb(mu: f64, n: f64, square: f64) -> bool {
    n >= 0.0 && square <= mu * mu * n * n
}

/// Cuts the rows of a disc back to its limit.
#[inline(always)]
fn cut<const D: usize>(p: &mut [f64; D], disc: &Disc, length: f64, n: f64) {
    let limit = disc.limit(n);
    if length > limit {
        let s = limit / length;
        for k in disc.rows() {
            p[k] *= s;
        }
    }
}

/// The zero of the increasing function above, by the set of discs that are cut.
#[inline(always)]
fn normal_part(z_n: f64, t: &Disc, a: f64, r: &Disc, b: f64) -> f64 {
    // pull of a disc: its share of the numerator and of the denominator while it is cut
    let pull = |d: &Disc, len: f64| (d.slope * (len - d.radius), d.slope * d.slope);
    let (ta, tt) = pull(t, a);
    let (rb, rr) = pull(r, b);
    let cut_t = |n: f64| a > t.slope * n + t.radius;
    let cut_r = |n: f64| b > r.slope * n + r.radius;
    if !cut_t(z_n) && !cut_r(z_n) {
        return z_n;
    }
    // one disc cut: right when the other stays free there
    if cut_t(z_n) {
        let n = (z_n + ta) / (1.0 + tt);
        if !cut_r(n) {
            return n;
        }
    }
    if cut_r(z_n) {
        let n = (z_n + rb) / (1.0 + rr);
        if !cut_t(n) {
            return n;
        }
    }
    (z_n + ta + rb) / (1.0 + tt + rr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{dot, sub};
    use proptest::prelude::*;

    fn any_cone() -> impl Strategy<Value = Cone> {
        prop_oneof![
            (0.0..10.0f64).prop_map(|mu| Cone::Coulomb { mu }),
            (0.0..10.0f64, 0.0..10.0f64).prop_map(|(mu, mu_r)| Cone::Rolling { mu, mu_r }),
            (0.0..5.0f64).prop_map(|radius| Cone::Tresca { radius }),
            Just(Cone::Frictionless),
        ]
    }

    fn inside<const D: usize>(cone: &Cone, p: &[f64; D], slack: f64) -> bool {
        let [t, r] = cone.discs::<D>();
        p[0] >= 0.0 && [t, r].iter().all(|d| norm(&p[d.rows()]) <= d.limit(p[0]) + slack)
    }

    /// The projection is the one point p of K with (z - p).(y - p) <= 0 for every y of K.
    fn check<const D: usize>(cone: Cone, z: [f64; D], y: [f64; D]) {
        let p = cone.project(&z);
        assert!(inside(&cone, &p, 1e-12), "{cone:?} {z:?} -> {p:?}");
        let y = cone.project(&y);
        assert!(dot(&sub(&z, &p), &sub(&y, &p)) <= 1e-10, "{cone:?} {z:?} {y:?} -> {p:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn is_the_nearest_point_in_two_rows(c in any_cone(), z in prop::array::uniform2(-5.0..5.0f64), y in prop::array::uniform2(-5.0..5.0f64)) {
            check(c, z, y);
        }
        #[test]
        fn is_the_nearest_point_in_three_rows(c in any_cone(), z in prop::array::uniform3(-5.0..5.0f64), y in prop::array::uniform3(-5.0..5.0f64)) {
            check(c, z, y);
        }
        #[test]
        fn is_the_nearest_point_in_five_rows(c in any_cone(), z in prop::array::uniform5(-5.0..5.0f64), y in prop::array::uniform5(-5.0..5.0f64)) {
            check(c, z, y);
        }
    }

    #[test]
    fn known_points() {
        let c = Cone::Coulomb { mu: 1.0 };
        assert_eq!(c.project(&[-2.0, 1.0, 0.0]), [0.0, 0.0, 0.0]);
        assert_eq!(c.project(&[2.0, 1.0, 0.0]), [2.0, 1.0, 0.0]);
        assert_eq!(c.project(&[0.0, 2.0, 0.0]), [1.0, 1.0, 0.0]);
        assert_eq!(Cone::Frictionless.project(&[2.0, 1.0, 3.0]), [2.0, 0.0, 0.0]);
        assert_eq!(Cone::Tresca { radius: 1.0 }.project(&[-1.0, 3.0, 4.0]), [0.0, 0.6000000000000001, 0.8]);
        assert_eq!(Cone::Bilateral.project(&[-1.0, 3.0]), [-1.0, 3.0]);
    }
}
