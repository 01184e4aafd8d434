//! Soft contacts after Cundall and Strack, in place of hard ones.
//!
//! Bodies may overlap by $\delta = -g$. The normal force is a spring and a dashpot that never pull,
//! $$ F_N = \max(0,\ k_n \delta - c_n u_N), \qquad c_n = 2\zeta\sqrt{k_n m^*},\quad \zeta = \frac{-\ln e_n}{\sqrt{\pi^2 + \ln^2 e_n}}, $$
//! with $m^*$ the mass that the contact moves, and the friction is a spring that slips at Coulomb's limit,
//! $$ F_T \leftarrow F_T - k_t h u_T, \qquad \|F_T\| \le \mu F_N. $$
//! Velocities are advanced with the forces of the start of the step and positions with the new velocities: the leapfrog form
//! of Verlet's scheme. It is stable for $h < 2/\omega$; some twenty steps a collision, $h \le \pi\sqrt{m^*/k_n}/20$, are usual.
//!
//! # Reference
//! Cundall & Strack, "A discrete numerical model for granular assemblies", 1979; [B, section 5.2].

use crate::error::{WorldError, positive};
use crate::laws::Laws;
use serde::{Deserialize, Serialize};

/// The stiffnesses of soft contacts; friction and restitution come from the laws.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SoftSphere {
    /// Normal stiffness (N/m).
    pub k_n: f64,
    /// Tangential stiffness (N/m); 2/7 of the normal one is usual.
    pub k_t: f64,
}

impl SoftSphere {
    pub(crate) fn check(&self) -> Result<(), WorldError> {
        positive("k_n", self.k_n, "")?;
        positive("k_t", self.k_t, "")
    }

    /// Refuses laws that soft contacts do not know.
    pub(crate) fn check_laws(laws: &Laws) -> Result<(), WorldError> {
        let Some((a, b)) = laws.find(|law| law.too_hard().is_some()) else { return Ok(()) };
        let what = laws.named(a).zip(laws.named(b)).and_then(|(a, b)| laws.of(a.0, b.0).too_hard()).unwrap_or("this");
        let fault = format!(
            "soft contacts know no {what}, which the law of '{a}' with '{b}' asks for: take hard contacts, or a law of \
             friction and normal restitution alone"
        );
        Err(WorldError::Law { fault })
    }

    /// The dashpot of a contact with restitution `e` that moves the mass `m` (N s/m).
    pub fn damping(&self, e: f64, m: f64) -> f64 {
        // no restitution at all is critical damping
        let zeta = if e > 0.0 { -e.ln() / std::f64::consts::PI.hypot(e.ln()) } else { 1.0 };
        2.0 * zeta * (self.k_n * m).sqrt()
    }

    /// The force of a contact: normal, then tangential (N).
    ///
    /// `u` is its velocity, `w_n` its normal entry of W (1/kg), `last` the tangential force of the last step.
    pub(crate) fn force<const D: usize>(
        &self,
        (gap, u, w_n): (f64, &[f64; D], f64),
        (mu, e_n): (f64, f64),
        last: &[f64; D],
        h: f64,
    ) -> [f64; D] {
        let mut f = [0.0; D];
        f[0] = (-self.k_n * gap - self.damping(e_n, 1.0 / w_n) * u[0]).max(0.0);
        let tangents = D.min(3);
        for d in 1..tangents {
            f[d] = last[d] - self.k_t * h * u[d];
        }
        let (length, limit) = (f[1..tangents].iter().map(|x| x * x).sum::<f64>().sqrt(), mu * f[0]);
        if length > limit {
            f[1..tangents].iter_mut().for_each(|x| *x *= limit / length);
        }
        f
    }

    /// The energy that a contact holds at the end of a step in which its force was `f` (J).
    ///
    /// The leapfrog keeps $\tfrac12 m v^2 + \tfrac12 k \delta_k \delta_{k+1}$ to rounding, with the overlaps at both ends of the
    /// step: energies from one of them alone swing by $h \omega / 2$.
    pub(crate) fn stored<const D: usize>(&self, gap: f64, f: &[f64; D], after: &[f64; D], h: f64) -> f64 {
        let normal = 0.5 * self.k_n * gap.min(0.0) * (gap + h * after[0]).min(0.0);
        let tangential: f64 = (1..D.min(3)).map(|d| 0.5 * f[d] * (f[d] / self.k_t - h * after[d])).sum();
        normal + tangential.max(0.0)
    }

    /// The longest step that resolves a collision of two bodies of mass `m` with twenty steps (s).
    pub fn largest_step(&self, m: f64) -> f64 {
        std::f64::consts::PI * (0.5 * m / self.k_n).sqrt() / 20.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_on_collision_has_the_restitution_asked_for() {
        let soft = SoftSphere { k_n: 1e5, k_t: 3e4 };
        for e in [0.2, 0.5, 0.9, 1.0] {
            let (m, h) = (0.3, 1e-6);
            let (mut gap, mut u) = (0.0, -1.0);
            while gap <= 0.0 {
                // the dashpot alone, without the cut at zero force: the closed form
                u += h / m * (-soft.k_n * gap - soft.damping(e, m) * u);
                gap += h * u;
            }
            assert!((u - e).abs() < 1e-3, "{e} {u}");
        }
    }
}
