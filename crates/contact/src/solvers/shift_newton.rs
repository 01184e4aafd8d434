//! Newton on the shift: $g(u(s)) - s = 0$, where u(s) is the velocity of the convex problem with the shift s.

use super::newton::{LinearSystem, linearise_shifted, shift_slope};
use crate::block::dot;
use crate::cone::Cone;
use crate::contact_system::{ContactSystem, Form};
use crate::one_contact::alart_curnier::Linearised;
use crate::operator::Delassus;
use crate::problem::LocalProblem;

/// A residual that grows by more than this takes the last step back.
const GROWTH: f64 = 2.0;

/// The derivative of u(s), by the active set of the convex problem.
///
/// Its answer satisfies $r = P_K(r - \rho\,(u + s N))$ for any $\rho > 0$, so that
/// $$ (I - P' + \rho P' W)\,dr = -\rho P' N\,ds, \qquad du = W dr. $$
/// Newton's $ds = g'(u)\,du + (g(u) - s)$ put in gives one system in dr, $ (A W + B)\,dr = -\rho P' N (g(u) - s)$ with
/// $A = \rho P' (I + N g')$ and $B = I - P'$.
///
/// # Reference
/// Acary, Cadoux, Lemaréchal, Malick 2011, section 4; implicit differentiation as in Qi & Sun 1993.
pub(super) struct ShiftNewton<'a, const D: usize, W: ?Sized> {
    problem: &'a LocalProblem<D, W>,
    /// None where W does not fit in memory: the fixed point is left.
    system: Option<LinearSystem<'a, D, W>>,
    parts: Vec<Linearised<D>>,
    dr: Vec<[f64; D]>,
    du: Vec<[f64; D]>,
    weights: Vec<[f64; D]>,
    /// `|g(u) - s|` before the last step, and what the fixed point would have made of it.
    before: f64,
    plain: Vec<f64>,
}

impl<'a, const D: usize, W: Delassus<D> + ?Sized> ShiftNewton<'a, D, W> {
    /// Analyses W; `impulse` is the mean of its diagonal.
    pub fn new(problem: &'a LocalProblem<D, W>, impulse: f64) -> Self {
        let (n, zero) = (problem.contacts(), [0.0; D]);
        let system = ContactSystem::new(&problem.w, Form::Auto).map(LinearSystem::new);
        let (dr, du, weights) = (vec![zero; n], vec![zero; n], vec![[impulse; D]; n]);
        Self { problem, system, parts: Vec::new(), dr, du, weights, before: f64::INFINITY, plain: Vec::new() }
    }

    /// The next s from the solved problem of the present one, with `next = g(u)` and `|next - s|`.
    pub fn update(&mut self, (r, u): (&[[f64; D]], &[[f64; D]]), s: &mut [f64], next: &[f64], residual: f64) {
        if residual > GROWTH * self.before {
            self.before = f64::INFINITY;
            return s.copy_from_slice(&self.plain);
        }
        self.before = residual;
        self.plain.clear();
        self.plain.extend_from_slice(next);
        if self.step((r, u), s, next).is_none() {
            s.copy_from_slice(next);
        }
    }

    /// One step of Newton; speeds are not negative.
    fn step(&mut self, (r, u): (&[[f64; D]], &[[f64; D]]), s: &mut [f64], next: &[f64]) -> Option<()> {
        let cones = &self.problem.cones;
        self.parts.clear();
        for (c, cone) in cones.iter().enumerate() {
            let rho = 1.0 / self.problem.w.diagonal(c)[0][0];
            self.parts.push(linearised(cone, rho, (&r[c], &u[c]), s[c], next[c]));
        }
        let system = self.system.as_mut()?;
        system.solve(&self.parts, &self.weights, 0.0, &mut self.dr)?;
        system.apply(&self.dr, &mut self.du);
        for (c, cone) in cones.iter().enumerate() {
            s[c] = (next[c] + dot(&shift_slope(cone, &u[c]), &self.du[c])).max(0.0);
        }
        Some(())
    }
}

/// A and B of a contact, with $\rho P' N (g(u) - s)$ in the place of Phi.
fn linearised<const D: usize>(cone: &Cone, rho: f64, (r, u): (&[f64; D], &[f64; D]), s: f64, g: f64) -> Linearised<D> {
    if matches!(cone, Cone::Bilateral) {
        // P' is the identity, and rows of padding have no velocity
        let mut l = Linearised::no_impulse(&[0.0; D]);
        for d in 0..D {
            (l.a[d][d], l.b[d][d]) = (rho, 0.0);
        }
        return l;
    }
    let mut l = linearise_shifted(cone, rho, (r, u), s);
    for d in 0..D {
        let derivative = if d == 0 { 1.0 - l.b[0][0] } else { -l.b[d][0] };
        l.phi[d] = rho * derivative * (g - s);
    }
    l
}
