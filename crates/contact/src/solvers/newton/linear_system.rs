//! The linear system of a nonsmooth Newton step.

use crate::block::{Block, zero};
use crate::contact_system::{Accuracy, ContactSystem};
use crate::one_contact::alart_curnier::Linearised;
use crate::operator::Delassus;

/// An answer counts when its residual is this small.
const ACCURACY: Accuracy = Accuracy { target: 1e-14, gate: 1e-6 };
/// The first regularisation when there was none, and the factor and number of the next ones.
const REGULARISATION: (f64, f64, usize) = (1e-9, 1e2, 4);

/// Solves $ (A (W + \alpha M) + B)\, dr = -\Phi $, M a positive diagonal, A and B block diagonal.
///
/// When the system cannot be solved, $\alpha$ is raised, which moves it towards the always solvable one of
/// $W + \alpha M$ positive definite.
pub(in crate::solvers) struct LinearSystem<'a, const D: usize, W: ?Sized> {
    system: ContactSystem<'a, D, W>,
    a: Vec<Block<D>>,
    c: Vec<Block<D>>,
    b: Vec<[f64; D]>,
}

impl<'a, const D: usize, W: Delassus<D> + ?Sized> LinearSystem<'a, D, W> {
    /// On the system of W.
    pub fn new(system: ContactSystem<'a, D, W>) -> Self {
        Self { system, a: Vec::new(), c: Vec::new(), b: Vec::new() }
    }

    /// The system of W again.
    pub fn into_system(self) -> ContactSystem<'a, D, W> {
        self.system
    }

    /// Multiplications and additions of one factorisation.
    pub fn flops(&self) -> f64 {
        self.system.flops()
    }

    /// `out = W x`.
    pub fn apply(&mut self, x: &[[f64; D]], out: &mut [[f64; D]]) {
        self.system.apply(x, out);
    }

    /// Writes the step to `dr`; returns the alpha that was needed, `None` when no system could be solved.
    pub fn solve(
        &mut self,
        parts: &[Linearised<D>],
        weights: &[[f64; D]],
        alpha: f64,
        dr: &mut [[f64; D]],
    ) -> Option<f64> {
        let (first, factor, retries) = REGULARISATION;
        let mut alpha = alpha;
        self.a.clear();
        self.a.extend(parts.iter().map(|p| p.a));
        self.b.clear();
        self.b.extend(parts.iter().map(|p| p.phi.map(|x| -x)));
        for _ in 0..=retries {
            self.c.clear();
            self.c.extend(parts.iter().zip(weights).map(|(part, weight)| shifted(part, weight, alpha)));
            if self.system.factor(&self.a, &self.c) && self.system.solve(&self.b, ACCURACY, dr) {
                return Some(alpha);
            }
            alpha = if alpha > 0.0 { alpha * factor } else { first };
        }
        None
    }
}

/// `alpha A M + B`.
fn shifted<const D: usize>(part: &Linearised<D>, weight: &[f64; D], alpha: f64) -> Block<D> {
    let mut c = part.b;
    if alpha > 0.0 && part.a != zero() {
        for i in 0..D {
            (0..D).for_each(|j| c[i][j] += alpha * part.a[i][j] * weight[j]);
        }
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{add, mul};
    use crate::contact_system::Form;
    use crate::generate::{Random, RandomSparse};
    use crate::operator::{BlockCsr, Sweep};

    /// W of a random problem with A and B of every kind of contact; K dr + Phi = 0 checked row by row.
    fn check(contacts: usize) {
        let problem = RandomSparse { contacts, bodies: contacts, ..RandomSparse::default() }.local::<3>().unwrap();
        let mut dice = Random::new(7);
        let parts: Vec<Linearised<3>> = (0..contacts)
            .map(|c| {
                let mut l = Linearised::no_impulse(&std::array::from_fn(|_| dice.normal()));
                if c % 3 != 0 {
                    (0..3).for_each(|d| (l.a[d][d], l.b[d][d]) = (1.0, 0.1 * (c % 2) as f64));
                }
                l
            })
            .collect();
        let (weights, alpha) = (vec![[1.0; 3]; contacts], 1e-3);
        let mut dr = vec![[0.0; 3]; contacts];
        let mut system = LinearSystem::new(ContactSystem::new(&problem.w, Form::Auto).unwrap());
        // twice: the second solve reuses the analysis
        for _ in 0..2 {
            assert_eq!(system.solve(&parts, &weights, alpha, &mut dr), Some(alpha));
            for (c, part) in parts.iter().enumerate() {
                let mut wdr = problem.w.row(c, &dr, &[]);
                (0..3).for_each(|d| wdr[d] += alpha * dr[c][d]);
                let left = add(&add(&mul(&part.a, &wdr), &mul(&part.b, &dr[c])), &part.phi);
                assert!(left.iter().all(|x| x.abs() < 1e-8), "contact {c}: {left:?}");
            }
        }
    }

    #[test]
    fn dense_and_sparse_solve_the_system() {
        check(20);
        check(400);
    }

    #[test]
    fn a_singular_system_is_regularised_and_a_hopeless_one_refused() {
        // two contacts with the same row of W: rank one
        let one = [[1.0, 0.0], [0.0, 1.0]];
        let w = BlockCsr::new(vec![0, 2, 4], vec![0, 1, 0, 1], vec![one; 4]).unwrap();
        let part = |phi| Linearised { phi, a: one, b: zero() };
        let weights = [[1.0; 2]; 2];
        let mut dr = [[0.0; 2]; 2];
        let mut system = LinearSystem::new(ContactSystem::new(&w, Form::Auto).unwrap());
        // consistent or not, what comes back is finite
        for phi in [[1.0, 2.0], [3.0, -1.0]] {
            let alpha = system.solve(&[part([1.0, 2.0]), part(phi)], &weights, 0.0, &mut dr);
            assert!(alpha.is_some() && dr.iter().flatten().all(|x| x.is_finite()));
        }
        let bad = Linearised { phi: [1.0, 1.0], a: [[0.0, 0.0], [f64::NAN, 0.0]], b: zero() };
        assert_eq!(system.solve(&[bad, bad], &weights, 0.0, &mut dr), None);
    }
}
