//! The linear system of a nonsmooth Newton step.

use crate::block::{Block, add, dot, mul, norm_all, solve, sub, zero};
use crate::one_contact::alart_curnier::Linearised;
use crate::operator::BlockCsr;
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};

/// Up to this many unknowns the system is factored dense.
const DENSE: usize = 300;
/// A solution counts when `|K x - b| <= GATE |b|`; an LU of a singular matrix may return anything.
const GATE: f64 = 1e-6;
/// Steps of iterative refinement at most.
const REFINEMENTS: usize = 3;
/// Refinement ends here.
const REFINED: f64 = 1e-14;
/// The first regularisation when there was none, and the factor and number of the next ones.
const REGULARISATION: (f64, f64, usize) = (1e-9, 1e2, 4);

/// Solves $ (A (W + \alpha M) + B)\, dr = -\Phi $, M a positive diagonal, A and B block diagonal.
///
/// Contacts with A = 0 (open) are eliminated first. The rest is factored by LU, dense or sparse by size, with partial
/// pivoting, refined, and believed only when the residual is small: LU of a singular matrix returns garbage without a
/// word. When it is not, $\alpha$ is raised, which moves the system towards the always solvable one of $W + \alpha M$
/// positive definite. The symbolic analysis is kept while the same contacts are closed.
#[derive(Default)]
pub(super) struct LinearSystem<const D: usize> {
    /// Contacts that are not eliminated, and the place of each contact among them.
    active: Vec<usize>,
    place: Vec<usize>,
    /// Block rows of K over the active contacts.
    ptr: Vec<usize>,
    col: Vec<usize>,
    blocks: Vec<Block<D>>,
    rhs: Vec<[f64; D]>,
    x: Vec<[f64; D]>,
    residual: Vec<[f64; D]>,
    sparse: Option<Pattern>,
}

/// The scalar columns of K: which blocks each block column gathers, and its symbolic analysis.
struct Pattern {
    matrix: SymbolicSparseColMat<usize>,
    /// Blocks in the order of the columns, and where each block column starts among them.
    order: Vec<usize>,
    starts: Vec<usize>,
    symbolic: SymbolicLu<usize>,
}

/// The eliminated contacts have no place.
const ELIMINATED: usize = usize::MAX;

enum Factor {
    Dense(faer::linalg::solvers::PartialPivLu<f64>),
    Sparse(Lu<usize, f64>),
}

impl<const D: usize> LinearSystem<D> {
    /// Writes the step to `dr`; returns the alpha that was needed, `None` when no system could be solved.
    pub fn solve(
        &mut self,
        w: &BlockCsr<D>,
        parts: &[Linearised<D>],
        weights: &[[f64; D]],
        alpha: f64,
        dr: &mut [[f64; D]],
    ) -> Option<f64> {
        self.eliminate_open(parts, dr);
        let (first, factor, retries) = REGULARISATION;
        let mut alpha = alpha;
        for _ in 0..=retries {
            self.assemble(w, parts, weights, alpha, dr);
            if self.solve_once() {
                for (&c, x) in self.active.iter().zip(&self.x) {
                    dr[c] = *x;
                }
                return Some(alpha);
            }
            alpha = if alpha > 0.0 { alpha * factor } else { first };
        }
        None
    }

    /// Solves the contacts with A = 0 on their own and lists the others.
    fn eliminate_open(&mut self, parts: &[Linearised<D>], dr: &mut [[f64; D]]) {
        let mut place = std::mem::take(&mut self.place);
        place.clear();
        let mut active = Vec::with_capacity(self.active.len());
        for (c, part) in parts.iter().enumerate() {
            let alone = (part.a == zero()).then(|| solve(part.b, part.phi.map(|x| -x))).flatten();
            match alone {
                Some(x) => {
                    dr[c] = x;
                    place.push(ELIMINATED);
                }
                None => {
                    place.push(active.len());
                    active.push(c);
                }
            }
        }
        if active != self.active {
            self.sparse = None;
        }
        (self.active, self.place) = (active, place);
    }

    /// K and the right-hand side on the active contacts.
    fn assemble(
        &mut self,
        w: &BlockCsr<D>,
        parts: &[Linearised<D>],
        weights: &[[f64; D]],
        alpha: f64,
        dr: &[[f64; D]],
    ) {
        self.ptr.clear();
        self.ptr.push(0);
        self.col.clear();
        self.blocks.clear();
        self.rhs.clear();
        for &c in &self.active {
            let part = &parts[c];
            let mut known = [0.0; D];
            for (j, block) in w.block_row(c) {
                if self.place[j] == ELIMINATED {
                    known = add(&known, &mul(block, &dr[j]));
                    continue;
                }
                let mut k = zero::<D>();
                let mut shifted = *block;
                if j == c {
                    k = part.b;
                    (0..D).for_each(|d| shifted[d][d] += alpha * weights[c][d]);
                }
                for i in 0..D {
                    for m in 0..D {
                        (0..D).for_each(|e| k[i][e] += part.a[i][m] * shifted[m][e]);
                    }
                }
                self.col.push(self.place[j]);
                self.blocks.push(k);
            }
            self.ptr.push(self.col.len());
            let pushed = mul(&part.a, &known);
            self.rhs.push(std::array::from_fn(|d| -part.phi[d] - pushed[d]));
        }
    }

    /// Factors, solves, refines and judges; the answer is in `self.x`.
    fn solve_once(&mut self) -> bool {
        let size = norm_all(&self.rhs);
        self.x.clear();
        self.x.resize(self.active.len(), [0.0; D]);
        if !(size.is_finite() && self.blocks.iter().all(|b| b.as_flattened().iter().all(|x| x.is_finite()))) {
            return false;
        }
        if size == 0.0 {
            return true;
        }
        let Some(factor) = self.factor() else { return false };
        self.residual.clone_from(&self.rhs);
        let mut error = f64::INFINITY;
        for _ in 0..=REFINEMENTS {
            let before = self.x.clone();
            let correction = back_substitute(&factor, &self.residual);
            for (x, d) in self.x.iter_mut().zip(&correction) {
                *x = add(x, d);
            }
            let now = self.update_residual() / size;
            if now.is_nan() || now >= error {
                self.x = before;
                break;
            }
            error = now;
            if error <= REFINED {
                break;
            }
        }
        error <= GATE && self.x.iter().flatten().all(|x| x.is_finite())
    }

    /// `b - K x` and its norm.
    fn update_residual(&mut self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.active.len() {
            let span = self.ptr[i]..self.ptr[i + 1];
            let mut y = self.rhs[i];
            for (&j, block) in self.col[span.clone()].iter().zip(&self.blocks[span]) {
                y = sub(&y, &mul(block, &self.x[j]));
            }
            sum += dot(&y, &y);
            self.residual[i] = y;
        }
        sum.sqrt()
    }

    fn factor(&mut self) -> Option<Factor> {
        let n = self.active.len() * D;
        if n <= DENSE {
            let mut k = faer::Mat::<f64>::zeros(n, n);
            for i in 0..self.active.len() {
                for b in self.ptr[i]..self.ptr[i + 1] {
                    let j = self.col[b];
                    for d in 0..D {
                        (0..D).for_each(|e| k[(i * D + d, j * D + e)] = self.blocks[b][d][e]);
                    }
                }
            }
            return Some(Factor::Dense(k.partial_piv_lu()));
        }
        if self.sparse.is_none() {
            self.sparse = self.analyse();
        }
        let pattern = self.sparse.as_ref()?;
        let mut values = Vec::with_capacity(self.blocks.len() * D * D);
        for column in pattern.starts.windows(2) {
            for e in 0..D {
                for &b in &pattern.order[column[0]..column[1]] {
                    values.extend((0..D).map(|d| self.blocks[b][d][e]));
                }
            }
        }
        let matrix = SparseColMatRef::new(pattern.matrix.as_ref(), &values);
        Lu::try_new_with_symbolic(pattern.symbolic.clone(), matrix).ok().map(Factor::Sparse)
    }

    /// The pattern by columns; zeros inside blocks are kept, so that stick and slip share it.
    fn analyse(&self) -> Option<Pattern> {
        let contacts = self.active.len();
        let mut starts = vec![0; contacts + 1];
        self.col.iter().for_each(|&j| starts[j + 1] += 1);
        (0..contacts).for_each(|j| starts[j + 1] += starts[j]);
        let mut next = starts.clone();
        let (mut order, mut row) = (vec![0; self.col.len()], vec![0; self.col.len()]);
        for i in 0..contacts {
            for b in self.ptr[i]..self.ptr[i + 1] {
                let k = &mut next[self.col[b]];
                (order[*k], row[*k]) = (b, i);
                *k += 1;
            }
        }
        let n = contacts * D;
        let (mut col_ptr, mut row_idx) = (vec![0], Vec::with_capacity(order.len() * D * D));
        for column in starts.windows(2) {
            for _ in 0..D {
                for &i in &row[column[0]..column[1]] {
                    row_idx.extend(i * D..(i + 1) * D);
                }
                col_ptr.push(row_idx.len());
            }
        }
        let matrix = SymbolicSparseColMat::new_checked(n, n, col_ptr, None, row_idx);
        let symbolic = SymbolicLu::try_new(matrix.as_ref()).ok()?;
        Some(Pattern { matrix, order, starts, symbolic })
    }
}

fn back_substitute<const D: usize>(factor: &Factor, b: &[[f64; D]]) -> Vec<[f64; D]> {
    let mut x = faer::Mat::from_fn(b.len() * D, 1, |i, _| b[i / D][i % D]);
    match factor {
        Factor::Dense(lu) => lu.solve_in_place(&mut x),
        Factor::Sparse(lu) => lu.solve_in_place(&mut x),
    }
    (0..b.len()).map(|c| std::array::from_fn(|d| x[(c * D + d, 0)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Random, RandomSparse};
    use crate::operator::Sweep;

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
        let mut system = LinearSystem::default();
        // twice: the second solve reuses the analysis
        for _ in 0..2 {
            assert_eq!(system.solve(&problem.w, &parts, &weights, alpha, &mut dr), Some(alpha));
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
        let mut system = LinearSystem::default();
        // consistent or not, what comes back is finite
        for phi in [[1.0, 2.0], [3.0, -1.0]] {
            let alpha = system.solve(&w, &[part([1.0, 2.0]), part(phi)], &weights, 0.0, &mut dr);
            assert!(alpha.is_some() && dr.iter().flatten().all(|x| x.is_finite()));
        }
        let bad = Linearised { phi: [1.0, 1.0], a: [[0.0, 0.0], [f64::NAN, 0.0]], b: zero() };
        assert_eq!(system.solve(&w, &[bad, bad], &weights, 0.0, &mut dr), None);
    }
}
