//! The equations that a nonsmooth Newton method solves: one function of (r, u) a contact, zero where the law holds.

use super::{alart_curnier, fischer_burmeister, jean_moreau, natural_map};
use crate::block::{Block, zero};
use crate::cone::Cone;
use crate::one_contact::alart_curnier::{Linearised, step_sizes};
use serde::{Deserialize, Serialize};

/// The function $\Phi(r, u)$ of each contact. A joint is $\Phi = \rho u$ in all of them.
///
/// | formulation | Coulomb, frictionless, joint | rolling | Tresca |
/// |---|---|---|---|
/// | Alart–Curnier | yes | yes | yes |
/// | Jean–Moreau | yes | yes | yes |
/// | natural map | yes | yes | yes |
/// | Fischer–Burmeister | yes | no | no |
///
/// # Reference
/// [D, sl. "Nonsmooth Newton methods"].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formulation {
    /// `r_T - P_{B(mu (r_N - rho_N u_N)+)}(r_T - rho_T u_T)`.
    #[default]
    AlartCurnier,
    /// `r_T - P_{B(mu (r_N)+)}(r_T - rho_T u_T)`.
    JeanMoreau,
    /// `r - P_K(r - rho (u + g(u)))`.
    NaturalMap,
    /// `x + y - (x o x + y o y)^(1/2)` on the second-order cone.
    FischerBurmeister,
}

impl Formulation {
    /// Whether the formulation can express the law of this cone.
    pub fn treats(&self, cone: &Cone) -> bool {
        match self {
            Formulation::FischerBurmeister => !matches!(cone, Cone::Rolling { .. } | Cone::Tresca { .. }),
            _ => true,
        }
    }

    /// The numbers rho of one contact (1 / W), from its diagonal block with its diagonal kept above `floor`.
    pub(crate) fn step_sizes<const D: usize>(&self, w: &Block<D>, cone: &Cone, floor: f64) -> [f64; D] {
        if matches!(cone, Cone::Bilateral) {
            // zero marks a row of padding
            return std::array::from_fn(|d| if w[d][d] > 0.0 { 1.0 / w[d][d].max(floor) } else { 0.0 });
        }
        let mut w = *w;
        (0..D).for_each(|d| w[d][d] = w[d][d].max(floor));
        match self {
            Formulation::AlartCurnier | Formulation::JeanMoreau => step_sizes(&w, cone),
            Formulation::NaturalMap => {
                let rows = cone.live_rows::<D>();
                [rows as f64 / (0..rows).map(|d| w[d][d]).sum::<f64>(); D]
            }
            Formulation::FischerBurmeister => [fischer_burmeister::step_size(&w, cone); D],
        }
    }

    /// Phi with `A = dPhi/du` and `B = dPhi/dr`.
    #[inline]
    pub(crate) fn linearise<const D: usize>(
        &self,
        cone: &Cone,
        rho: &[f64; D],
        r: &[f64; D],
        u: &[f64; D],
    ) -> Linearised<D> {
        if matches!(cone, Cone::Bilateral) {
            return joint(rho, r, u);
        }
        match self {
            Formulation::AlartCurnier => alart_curnier::linearise(cone, rho, r, u),
            Formulation::JeanMoreau => jean_moreau::linearise(cone, rho, r, u),
            Formulation::NaturalMap => natural_map::linearise(cone, rho, r, u),
            Formulation::FischerBurmeister => fischer_burmeister::linearise(cone, rho, r, u),
        }
    }
}

/// `Phi = rho u`; on a row of padding `Phi = r`.
fn joint<const D: usize>(rho: &[f64; D], r: &[f64; D], u: &[f64; D]) -> Linearised<D> {
    let mut l = Linearised { phi: *r, a: zero(), b: zero() };
    for d in 0..D {
        if rho[d] > 0.0 {
            l.phi[d] = rho[d] * u[d];
            l.a[d][d] = rho[d];
        } else {
            l.b[d][d] = 1.0;
        }
    }
    l
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{norm, sub};
    use crate::generate::Random;

    const ALL: [Formulation; 4] =
        [Formulation::AlartCurnier, Formulation::JeanMoreau, Formulation::NaturalMap, Formulation::FischerBurmeister];

    fn cones() -> [Cone; 5] {
        [
            Cone::Coulomb { mu: 0.4 },
            Cone::Rolling { mu: 0.4, mu_r: 0.2 },
            Cone::Tresca { radius: 0.5 },
            Cone::Frictionless,
            Cone::Bilateral,
        ]
    }

    /// Both derivatives against central differences; a point where two step lengths disagree is at a kink.
    fn check<const D: usize>(f: Formulation, cone: Cone, r: [f64; D], u: [f64; D]) -> bool {
        let rho: [f64; D] = match f {
            Formulation::AlartCurnier | Formulation::JeanMoreau => std::array::from_fn(|k| 0.5 + 0.1 * k as f64),
            _ => [0.7; D],
        };
        let l = f.linearise(&cone, &rho, &r, &u);
        let slope = |is_u: bool, j: usize, h: f64| {
            let at = |s: f64| {
                let (mut r, mut u) = (r, u);
                if is_u {
                    u[j] += s
                } else {
                    r[j] += s
                }
                f.linearise(&cone, &rho, &r, &u).phi
            };
            sub(&at(h), &at(-h)).map(|x| x / (2.0 * h))
        };
        let mut smooth = true;
        for j in 0..D {
            for (is_u, part) in [(true, &l.a), (false, &l.b)] {
                let (fine, coarse) = (slope(is_u, j, 1e-6), slope(is_u, j, 1e-4));
                if norm(&sub(&fine, &coarse)) > 1e-5 {
                    smooth = false;
                    continue;
                }
                for i in 0..D {
                    let found = part[i][j];
                    assert!((fine[i] - found).abs() < 1e-6, "{f:?} {cone:?} ({i}, {j}): {} {found}", fine[i]);
                }
            }
        }
        smooth
    }

    fn random<const D: usize>(dice: &mut Random) -> [f64; D] {
        std::array::from_fn(|_| dice.normal())
    }

    fn check_dimension<const D: usize>() {
        let mut dice = Random::new(D as u64);
        for f in ALL {
            for cone in cones().into_iter().filter(|c| f.treats(c)) {
                let smooth = (0..400).filter(|_| check::<D>(f, cone, random(&mut dice), random(&mut dice))).count();
                assert!(smooth > 300, "{f:?} {cone:?}: {smooth}");
            }
        }
    }

    #[test]
    fn derivatives_match_finite_differences() {
        check_dimension::<2>();
        check_dimension::<3>();
        check_dimension::<5>();
    }

    #[test]
    fn every_function_vanishes_where_the_law_holds() {
        let mu = 0.5;
        for (r, u) in [([0.0; 3], [1.0, 3.0, -2.0]), ([2.0, 0.6, 0.1], [0.0; 3]), ([2.0, -0.6, 0.8], [0.0, 3.0, -4.0])]
        {
            for f in ALL {
                let phi = f.linearise(&Cone::Coulomb { mu }, &[0.7; 3], &r, &u).phi;
                assert!(norm(&phi) < 1e-14, "{f:?} {r:?}: {phi:?}");
            }
        }
    }

    #[test]
    fn nothing_is_a_nan_at_the_apex_and_on_the_edges() {
        for f in ALL {
            for cone in cones().into_iter().filter(|c| f.treats(c)) {
                for (r, u) in [([0.0; 3], [0.0; 3]), ([1.0, 0.4, 0.0], [1.0, 0.4, 0.0]), ([0.0; 3], [0.0, 1.0, 0.0])] {
                    let l = f.linearise(&cone, &[0.7; 3], &r, &u);
                    let mut all = l.phi.iter().chain(l.a.as_flattened()).chain(l.b.as_flattened());
                    assert!(all.all(|x| x.is_finite()), "{f:?} {cone:?}: {l:?}");
                }
            }
        }
    }
}
