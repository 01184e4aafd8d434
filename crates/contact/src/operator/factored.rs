//! W as `H^T M^-1 H` with any factored M: products only.

use super::{BlockCsr, Bodies, Delassus};
use crate::block::Block;
use crate::mass::Mass;
use crate::matrix::Csr;
use crate::problem::{GlobalProblem, ProblemError, condensed_blocks};
use std::borrow::Cow;
use std::sync::Arc;

/// H and a factor of M. The diagonal blocks are computed once.
#[derive(Debug)]
pub struct Factored<const D: usize> {
    m: Arc<Csr>,
    h: Csr,
    /// H^T.
    ht: Csr,
    mass: Mass,
    diagonal: Vec<Block<D>>,
}

impl<const D: usize> Factored<D> {
    /// Factors M and solves D systems a contact for the diagonal.
    pub fn new(problem: &GlobalProblem<D>) -> Result<Self, ProblemError> {
        let mass = problem.factor_mass()?;
        let ht = problem.h.transpose();
        let mut y = vec![0.0; problem.dofs()];
        let mut diagonal = vec![[[0.0; D]; D]; problem.contacts()];
        for (c, block) in diagonal.iter_mut().enumerate() {
            for d in 0..D {
                y.fill(0.0);
                for (i, x) in ht.row(c * D + d) {
                    y[i] = x;
                }
                mass.solve_in_place(&mut y);
                for e in 0..D {
                    block[e][d] = ht.row(c * D + e).map(|(i, x)| x * y[i]).sum();
                }
            }
        }
        Ok(Self { m: problem.m.clone(), h: problem.h.clone(), ht, mass, diagonal })
    }
}

impl<const D: usize> Delassus<D> for Factored<D> {
    fn contacts(&self) -> usize {
        self.diagonal.len()
    }

    fn state_len(&self) -> usize {
        self.h.rows()
    }

    fn diagonal(&self, c: usize) -> Block<D> {
        self.diagonal[c]
    }

    fn assemble(&self) -> Option<Cow<'_, BlockCsr<D>>> {
        condensed_blocks(&self.mass, &self.h).ok().map(Cow::Owned)
    }

    fn bodies(&self) -> Option<&dyn Bodies<D>> {
        Some(self)
    }

    fn apply(&self, r: &[[f64; D]], out: &mut [[f64; D]], v: &mut [f64]) {
        self.response(r, v);
        self.relative_velocity(v, out);
    }
}

impl<const D: usize> Bodies<D> for Factored<D> {
    fn mass(&self) -> Csr {
        self.m.as_ref().clone()
    }

    fn jacobian(&self, c: usize, entry: &mut dyn FnMut(usize, usize, f64)) {
        for d in 0..D {
            self.ht.row(c * D + d).filter(|e| e.1 != 0.0).for_each(|(i, x)| entry(d, i, x));
        }
    }

    fn response(&self, r: &[[f64; D]], v: &mut [f64]) {
        let flat = r.as_flattened();
        for (i, v) in v.iter_mut().enumerate() {
            *v = self.h.row(i).map(|(j, x)| x * flat[j]).sum();
        }
        self.mass.solve_in_place(v);
    }

    fn relative_velocity(&self, v: &[f64], u: &mut [[f64; D]]) {
        for (j, u) in u.as_flattened_mut().iter_mut().enumerate() {
            *u = self.ht.row(j).map(|(i, x)| x * v[i]).sum();
        }
    }
}
