//! Smoothed-aggregation multigrid for `M + rho H T H^T` of rigid bodies.
//!
//! Aggregates of bodies become bodies again, with the rigid motions of the aggregate: six degrees of freedom in
//! space, three in the plane, on every level. One V-cycle is one forward block Gauss-Seidel sweep, the correction
//! from the next level and one backward sweep: a symmetric preconditioner.
//!
//! # Reference
//! Vaněk, Mandel, Brezina, Algebraic multigrid by smoothed aggregation, Computing 56, 1996.

mod aggregate;
mod assembled;
mod coarsest;
mod galerkin;
mod level;
mod mass;
pub(crate) mod small;
mod stiffness;

pub use stiffness::NoHierarchy;

use crate::matrix::Csr;
use crate::operator::Bodies;
use assembled::Assembled;
use coarsest::Coarsest;
use galerkin::Prolongation;
use level::Level;
use small::{Small, zero};

/// At most so many nodes on the coarsest level, which is solved directly.
const COARSEST: usize = 60;
/// Levels at most.
const LEVELS: usize = 12;

/// The hierarchy of `H T H^T + M / rho` for bodies of B degrees of freedom; rho changes without a new setup.
#[derive(Debug, Clone)]
pub struct Hierarchy<const B: usize> {
    levels: Vec<Level<B>>,
    coarsest: Coarsest,
    rho: f64,
}

impl<const B: usize> Hierarchy<B> {
    /// Sets up all levels; `weights(c)` is the diagonal of T at contact c.
    pub fn new<const D: usize>(
        bodies: &dyn Bodies<D>,
        contacts: usize,
        rho: f64,
        weights: &dyn Fn(usize) -> [f64; D],
    ) -> Result<Self, NoHierarchy> {
        let mass = mass_blocks::<B>(&bodies.mass()).ok_or(NoHierarchy::Layout(B))?;
        let pattern = stiffness::body_graph::<D, B>(bodies, contacts, mass.len());
        let a = stiffness::stiffness::<D, B>(bodies, contacts, &pattern, weights);
        let mut x = stiffness::positions::<D, B>(bodies, contacts, &pattern);
        let (mut levels, mut last) = (Vec::new(), Assembled::finest(pattern, a, mass));
        while levels.len() + 1 < LEVELS && last.nodes() > COARSEST {
            let Some((next, centres, p)) = last.coarsen(&x, rho) else { break };
            levels.push(std::mem::replace(&mut last, next).settle(p, rho));
            x = centres;
        }
        let last = last.settle(Prolongation::default(), rho);
        let coarsest = Coarsest::of(&last, COARSEST);
        levels.push(last);
        Ok(Self { levels, coarsest, rho })
    }

    /// Changes rho: the matrices of all levels, but not who moves with whom.
    pub fn set_rho(&mut self, rho: f64) {
        if rho != self.rho {
            self.rho = rho;
            self.levels.iter_mut().for_each(|l| l.set_rho(rho));
            self.coarsest = self.levels.last().map_or_else(Coarsest::default, |l| Coarsest::of(l, COARSEST));
        }
    }

    /// Nodes of each level, finest first.
    pub fn nodes(&self) -> Vec<usize> {
        self.levels.iter().map(Level::nodes).collect()
    }

    /// One V-cycle: `v += (rho H T H^T + M)^-1 g`, nearly.
    pub fn cycle(&mut self, g: &[f64], v: &mut [f64]) {
        let inverse = (1.0 / self.rho) as f32;
        let fine = &mut self.levels[0];
        for (b, g) in fine.b.iter_mut().zip(g.as_chunks::<B>().0) {
            *b = g.map(|g| g as f32 * inverse);
        }
        let last = self.levels.len() - 1;
        for l in 0..last {
            let (above, below) = self.levels.split_at_mut(l + 1);
            above[l].descend(&mut below[0].b);
        }
        if !self.coarsest.solve(&mut self.levels[last]) {
            self.levels[last].smooth();
        }
        for l in (0..last).rev() {
            let (above, below) = self.levels.split_at_mut(l + 1);
            above[l].ascend(&below[0].x);
        }
        for (v, x) in v.as_chunks_mut::<B>().0.iter_mut().zip(&self.levels[0].x) {
            (0..B).for_each(|i| v[i] += f64::from(x[i]));
        }
    }
}

/// M by bodies of B degrees of freedom; `None` when it couples two.
pub(crate) fn mass_blocks<const B: usize>(m: &Csr) -> Option<Vec<Small<B>>> {
    if !m.rows().is_multiple_of(B) {
        return None;
    }
    let mut blocks = vec![zero::<B>(); m.rows() / B];
    for i in 0..m.rows() {
        for (j, x) in m.row(i).filter(|e| e.1 != 0.0) {
            if i / B != j / B {
                return None;
            }
            // the symmetric part: a preconditioner is symmetric
            blocks[i / B][j % B][i % B] += 0.5 * x as f32;
            blocks[i / B][i % B][j % B] += 0.5 * x as f32;
        }
    }
    Some(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{BoxWall, RandomSparse, SphereLattice};
    use crate::operator::Delassus;
    use crate::problem::LocalProblem;

    /// `(M + rho H H^T) v`.
    fn product<const D: usize>(bodies: &dyn Bodies<D>, contacts: usize, rho: f64, v: &[f64]) -> Vec<f64> {
        let mut out = bodies.mass().mul(v);
        for c in 0..contacts {
            let (mut u, mut entries) = ([0.0; D], Vec::new());
            bodies.jacobian(c, &mut |d, i, x| {
                u[d] += x * v[i];
                entries.push((d, i, x));
            });
            entries.iter().for_each(|(d, i, x)| out[*i] += rho * x * u[*d]);
        }
        out
    }

    /// The factor by which a few cycles reduce the residual, the geometric mean of the last.
    fn reduction<const D: usize, const B: usize>(bodies: &dyn Bodies<D>, contacts: usize, rho: f64) -> f64 {
        let mut hierarchy = Hierarchy::<B>::new(bodies, contacts, 1.0, &|_| [1.0; D]).unwrap();
        hierarchy.set_rho(rho);
        let n = bodies.mass().rows();
        let f: Vec<f64> = (0..n).map(|i| ((i * 7 + 3) as f64).sin()).collect();
        let (mut v, mut norms) = (vec![0.0; n], Vec::new());
        for _ in 0..14 {
            let kv = product(bodies, contacts, rho, &v);
            let g: Vec<f64> = f.iter().zip(&kv).map(|(f, k)| f - k).collect();
            norms.push(crate::block::norm(&g));
            hierarchy.cycle(&g, &mut v);
        }
        (norms[12] / norms[4]).powf(1.0 / 8.0)
    }

    #[test]
    fn a_cycle_reduces_the_residual_whatever_the_size() {
        for n in [5, 9, 14] {
            let w = SphereLattice { nx: n, ny: n, nz: n, ..SphereLattice::default() }.spheres().unwrap().w;
            let factor = reduction::<3, 6>(&w, w.contacts(), 40.0);
            assert!(factor < 0.6, "{n}: {factor}");
        }
        for n in [8, 24] {
            let global = BoxWall { columns: n, courses: n, ..BoxWall::default() }.generate().unwrap();
            let w = LocalProblem::matrix_free(&global).unwrap().unwrap().w;
            let factor = reduction::<3, 6>(&w, w.contacts(), 50.0);
            assert!(factor < 0.8, "{n}: {factor}");
        }
    }

    #[test]
    fn in_the_plane_too() {
        let global = RandomSparse { contacts: 400, bodies: 200, ..RandomSparse::default() }.global::<2>().unwrap();
        let w = LocalProblem::matrix_free(&global).unwrap().unwrap().w;
        assert!(reduction::<2, 3>(&w, w.contacts(), 5.0) < 0.8);
        assert_eq!(Hierarchy::<6>::new::<2>(&w, 0, 1.0, &|_| [1.0; 2]).is_ok(), w.state_len().is_multiple_of(6),);
    }
}
