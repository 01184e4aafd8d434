//! W as `H^T M^-1 H` with a block-diagonal M (rigid bodies), never formed.
//!
//! Each contact keeps its rows of H and of M^-1 H on the runs of consecutive degrees of freedom that it touches;
//! the state is `v = M^-1 H r`.

use super::gram::Gram;
use super::{BlockCsr, Bodies, Delassus, Numbers, Sweep, WINDOW, sweep_strands};
use crate::block::{Block, dot};
use crate::cone::Cone;
use crate::mass::Mass;
use crate::matrix::Csr;
use crate::problem::{GlobalProblem, LocalProblem, ProblemError};
use pulp::Arch;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Consecutive degrees of freedom that one contact touches, usually one body.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Run {
    dof: u32,
    len: u32,
    /// Where its `D x len` values start.
    at: usize,
}

impl Run {
    fn dofs(&self) -> std::ops::Range<usize> {
        self.dof as usize..(self.dof + self.len) as usize
    }
}

/// So many velocities are near enough to the processor that it does not pay to leave any out.
const NEAR: usize = 4096;

/// The matrix-free Delassus operator of rigid bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixFree<const D: usize> {
    dofs: usize,
    /// M, of more degrees of freedom than these where some are left out.
    mass: Arc<Csr>,
    /// Those that are kept of it; all when empty.
    kept: Vec<u32>,
    ptr: Vec<usize>,
    runs: Vec<Run>,
    /// H^T on the runs, row by row.
    jacobian: Vec<f64>,
    /// (M^-1 H)^T on the runs, row by row.
    response: Vec<f64>,
    diagonal: Vec<Block<D>>,
}

impl<const D: usize> MatrixFree<D> {
    /// The operator of a global problem; `None` when M is not block diagonal.
    pub fn new(problem: &GlobalProblem<D>, mass: &Mass) -> Option<Self> {
        let Mass::BlockDiagonal(blocks) = mass else { return None };
        let ht = problem.h.transpose();
        let n = problem.contacts();
        let mut op = MatrixFree {
            dofs: problem.dofs(),
            mass: problem.m.clone(),
            kept: Vec::new(),
            ptr: vec![0],
            runs: Vec::with_capacity(2 * n),
            jacobian: Vec::with_capacity(ht.nnz()),
            response: Vec::with_capacity(ht.nnz()),
            diagonal: Vec::with_capacity(n),
        };
        let (mut touched, mut dofs): (Vec<usize>, Vec<u32>) = (Vec::new(), Vec::new());
        let (mut jac, mut res) = (Vec::new(), Vec::new());
        for c in 0..n {
            // every degree of freedom of every block that the contact touches
            let rows = || (0..D).flat_map(|d| ht.row(c * D + d).map(move |(i, x)| (d, i, x))).filter(|e| e.2 != 0.0);
            touched.clear();
            touched.extend(rows().map(|(_, i, _)| blocks.of(i)));
            touched.sort_unstable();
            touched.dedup();
            dofs.clear();
            touched.iter().for_each(|&b| dofs.extend_from_slice(blocks.get(b).dofs));
            dofs.sort_unstable();
            for rows in [&mut jac, &mut res] {
                rows.clear();
                rows.resize(dofs.len(), [0.0; D]);
            }
            // where a degree of freedom of one of these blocks stands among them
            let at = |i: usize| dofs.partition_point(|&j| (j as usize) < i);
            for (d, i, x) in rows() {
                jac[at(i)][d] = x;
            }
            for b in touched.iter().map(|&b| blocks.get(b)) {
                for (row, &i) in b.inverse.chunks_exact(b.dofs.len()).zip(b.dofs) {
                    let response = &mut res[at(i as usize)];
                    for (m, &j) in row.iter().zip(b.dofs) {
                        let jacobian = &jac[at(j as usize)];
                        (0..D).for_each(|d| response[d] += m * jacobian[d]);
                    }
                }
            }
            op.push_contact(&dofs, &jac, &res);
        }
        // few contacts among many bodies: those that are not touched would only pass through the processor
        let touched = op.jacobian.len() / D;
        if op.dofs > NEAR && 2 * touched < op.dofs {
            let mut all: Vec<u32> = (0..n as u32).collect();
            return op.part(&mut all, &mut Numbers::default(), None);
        }
        Some(op)
    }

    /// The entries of the degrees of freedom that are kept.
    fn kept(&self, v: Vec<f64>) -> Vec<f64> {
        if self.kept.is_empty() { v } else { self.kept.iter().map(|&dof| v[dof as usize]).collect() }
    }

    /// Without contacts.
    fn empty(mass: Arc<Csr>) -> Self {
        let (dofs, ptr) = (mass.rows(), vec![0]);
        let [jacobian, response] = [Vec::new(), Vec::new()];
        Self { dofs, mass, kept: Vec::new(), ptr, runs: Vec::new(), jacobian, response, diagonal: Vec::new() }
    }

    /// Drops all contacts, keeping their memory, for so many degrees of freedom.
    fn clear(&mut self, dofs: usize) {
        self.dofs = dofs;
        self.kept.clear();
        self.ptr.truncate(1);
        self.runs.clear();
        self.jacobian.clear();
        self.response.clear();
        self.diagonal.clear();
    }

    /// Adds a contact by its rows of H and of M^-1 H on the degrees of freedom that it touches.
    fn push_contact(&mut self, dofs: &[u32], jac: &[[f64; D]], res: &[[f64; D]]) {
        let mut block = [[0.0; D]; D];
        let mut begin = 0;
        for run in dofs.chunk_by(|a, b| a + 1 == *b) {
            let (jac, res) = (&jac[begin..begin + run.len()], &res[begin..begin + run.len()]);
            begin += run.len();
            self.runs.push(Run { dof: run[0], len: run.len() as u32, at: self.jacobian.len() });
            for d in 0..D {
                self.jacobian.extend(jac.iter().map(|j| j[d]));
                self.response.extend(res.iter().map(|r| r[d]));
            }
            for (jac, res) in jac.iter().zip(res) {
                for d in 0..D {
                    (0..D).for_each(|e| block[d][e] += jac[d] * res[e]);
                }
            }
        }
        self.diagonal.push(block);
        self.ptr.push(self.runs.len());
    }

    #[inline(always)]
    fn runs(&self, c: usize) -> &[Run] {
        &self.runs[self.ptr[c]..self.ptr[c + 1]]
    }
}

impl<const D: usize> LocalProblem<D, MatrixFree<D>> {
    /// The reduced problem of a global one without forming W; `Ok(None)` when M is not block diagonal.
    pub fn matrix_free(problem: &GlobalProblem<D>) -> Result<Option<Self>, ProblemError> {
        Self::matrix_free_with(problem, &problem.factor_mass()?)
    }

    /// The same, with M already factored.
    pub fn matrix_free_with(problem: &GlobalProblem<D>, mass: &Mass) -> Result<Option<Self>, ProblemError> {
        let new = |w: MatrixFree<D>| {
            let v_free = problem.body_velocity(mass);
            let (q, v_free) = (problem.relative_velocity(&v_free), w.kept(v_free));
            Ok(LocalProblem::new(w, q, problem.cones.clone())?.with_v_free(v_free))
        };
        MatrixFree::new(problem, mass).map(new).transpose()
    }
}

impl<const D: usize> Delassus<D> for MatrixFree<D> {
    fn contacts(&self) -> usize {
        self.diagonal.len()
    }

    fn state_len(&self) -> usize {
        self.dofs
    }

    #[inline(always)]
    fn diagonal(&self, c: usize) -> Block<D> {
        self.diagonal[c]
    }

    fn assemble(&self) -> Option<Cow<'_, BlockCsr<D>>> {
        let mut gram = Gram::new(self.dofs);
        for c in 0..self.contacts() {
            for run in self.runs(c) {
                for (i, dof) in run.dofs().enumerate() {
                    let column = |rows: &[f64]| std::array::from_fn(|d| rows[run.at + d * run.len as usize + i]);
                    gram.push(dof, column(&self.jacobian), column(&self.response));
                }
            }
            gram.end_contact();
        }
        Some(Cow::Owned(gram.form()))
    }

    fn bodies(&self) -> Option<&dyn Bodies<D>> {
        Some(self)
    }

    fn apply(&self, r: &[[f64; D]], out: &mut [[f64; D]], v: &mut [f64]) {
        self.load(r, v);
        for (c, o) in out.iter_mut().enumerate() {
            *o = self.row(c, r, v);
        }
    }
}

impl<const D: usize> Bodies<D> for MatrixFree<D> {
    fn mass(&self) -> Csr {
        if self.kept.is_empty() { self.mass.as_ref().clone() } else { self.mass.principal(&self.kept) }
    }

    fn jacobian(&self, c: usize, entry: &mut dyn FnMut(usize, usize, f64)) {
        for run in self.runs(c) {
            let n = run.len as usize;
            for k in (0..D * n).filter(|k| self.jacobian[run.at + k] != 0.0) {
                entry(k / n, run.dof as usize + k % n, self.jacobian[run.at + k]);
            }
        }
    }

    fn response(&self, r: &[[f64; D]], v: &mut [f64]) {
        self.load(r, v);
    }

    fn relative_velocity(&self, v: &[f64], u: &mut [[f64; D]]) {
        u.iter_mut().enumerate().for_each(|(c, u)| *u = self.row(c, &[], v));
    }
}

/// `u += H^T v` over one run; a length known to the compiler (one body, or two neighbours) needs no loop.
#[inline(always)]
fn add_velocity<const D: usize>(values: &[f64], v: &[f64], u: &mut [f64; D]) {
    #[inline(always)]
    fn fixed<const D: usize, const N: usize>(values: &[f64], v: &[f64], u: &mut [f64; D]) {
        if let ([v], rows) = (v.as_chunks::<N>().0, values.as_chunks::<N>().0) {
            u.iter_mut().zip(rows).for_each(|(u, h)| *u += dot(h, v));
        }
    }
    match v.len() {
        6 => fixed::<D, 6>(values, v, u),
        12 => fixed::<D, 12>(values, v, u),
        3 => fixed::<D, 3>(values, v, u),
        n => {
            for (u, h) in u.iter_mut().zip(values.chunks_exact(n)) {
                *u += h.iter().zip(v).map(|(h, v)| h * v).sum::<f64>();
            }
        }
    }
}

/// `v += M^-1 H dr` over one run.
#[inline(always)]
fn add_response<const D: usize>(values: &[f64], dr: &[f64; D], v: &mut [f64]) {
    #[inline(always)]
    fn fixed<const D: usize, const N: usize>(values: &[f64], dr: &[f64; D], v: &mut [f64]) {
        if let ([v], rows) = (v.as_chunks_mut::<N>().0, values.as_chunks::<N>().0) {
            let mut sum = *v;
            for (dr, h) in dr.iter().zip(rows) {
                (0..N).for_each(|k| sum[k] += h[k] * dr);
            }
            *v = sum;
        }
    }
    match v.len() {
        6 => fixed::<D, 6>(values, dr, v),
        12 => fixed::<D, 12>(values, dr, v),
        3 => fixed::<D, 3>(values, dr, v),
        n => {
            for (dr, h) in dr.iter().zip(values.chunks_exact(n)) {
                v.iter_mut().zip(h).for_each(|(v, h)| *v += h * dr);
            }
        }
    }
}

impl<const D: usize> Sweep<D> for MatrixFree<D> {
    #[inline(always)]
    fn row(&self, c: usize, _r: &[[f64; D]], v: &[f64]) -> [f64; D] {
        let mut u = [0.0; D];
        for run in self.runs(c) {
            let n = run.len as usize;
            let values = &self.jacobian[run.at..run.at + D * n];
            add_velocity(values, &v[run.dof as usize..run.dof as usize + n], &mut u);
        }
        u
    }

    #[inline(always)]
    fn push(&self, c: usize, dr: &[f64; D], v: &mut [f64]) {
        for run in self.runs(c) {
            let n = run.len as usize;
            let values = &self.response[run.at..run.at + D * n];
            add_response(values, dr, &mut v[run.dof as usize..run.dof as usize + n]);
        }
    }

    fn load(&self, r: &[[f64; D]], v: &mut [f64]) {
        v.fill(0.0);
        for (c, rc) in r.iter().enumerate() {
            self.push(c, rc, v);
        }
    }

    #[inline(always)]
    fn sweep(&self, _: Arch, window: Range<usize>, q: &[[f64; D]], cones: &[Cone], r: &mut [[f64; D]], v: &mut [f64]) {
        sweep_strands::<4, D, Self>(self, window, q, cones, r, v);
    }

    fn window(&self) -> usize {
        WINDOW
    }

    fn blocks_a_visit(&self) -> Option<f64> {
        Some(18.0)
    }

    fn nodes(&self) -> usize {
        self.dofs
    }

    fn meets(&self, c: usize, meet: impl FnMut(usize)) {
        self.runs(c).iter().flat_map(Run::dofs).for_each(meet);
    }

    fn part(&self, contacts: &mut [u32], numbers: &mut Numbers, room: Option<Self>) -> Option<Self> {
        numbers.begin(self.dofs);
        for &c in &*contacts {
            self.runs(c as usize).iter().flat_map(Run::dofs).for_each(|dof| {
                numbers.of(dof as u32);
            });
        }
        // in the order of the old numbers, so that what was a run stays one
        numbers.sort();
        let mut part = room.unwrap_or_else(|| Self::empty(self.mass.clone()));
        part.clear(numbers.met().len());
        part.mass.clone_from(&self.mass);
        let number = |&dof: &u32| self.kept.get(dof as usize).copied().unwrap_or(dof);
        part.kept.extend(numbers.met().iter().map(number));
        for &c in &*contacts {
            for run in self.runs(c as usize) {
                let values = run.at..run.at + D * run.len as usize;
                part.runs.push(Run { dof: numbers.of(run.dof), len: run.len, at: part.jacobian.len() });
                part.jacobian.extend_from_slice(&self.jacobian[values.clone()]);
                part.response.extend_from_slice(&self.response[values]);
            }
            part.diagonal.push(self.diagonal[c as usize]);
            part.ptr.push(part.runs.len());
        }
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::RandomSparse;

    #[test]
    fn bodies_without_contacts_are_left_out_where_they_are_many() {
        let few = RandomSparse { contacts: 10, bodies: 900, ..RandomSparse::default() }.global::<3>().unwrap();
        let w = MatrixFree::new(&few, &few.factor_mass().unwrap()).unwrap();
        assert!(w.state_len() <= 120 && few.dofs() == 5400);
        assert_eq!((w.mass().rows(), w.contacts()), (w.state_len(), 10));
        let r: Vec<[f64; 3]> = (0..10).map(|c| [1.0, 0.1 * c as f64, -0.5]).collect();
        let [mut u, mut blocks] = [vec![[0.0; 3]; 10], vec![[0.0; 3]; 10]];
        w.apply(&r, &mut u, &mut vec![0.0; w.state_len()]);
        few.condense().unwrap().0.w.apply(&r, &mut blocks, &mut []);
        assert!(u.as_flattened().iter().zip(blocks.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}
