//! Systems $(A W + C)\, x = b$ with A and C block diagonal, one block a contact: what every second-order method solves.
//!
//! | method | A | C |
//! |---|---|---|
//! | interior point | I | $(J^\top - E) F J$ |
//! | Newton on $\Phi(r, W r + q)$ | $\partial\Phi/\partial u$ | $\alpha A M + \partial\Phi/\partial r$ |
//!
//! Two forms of the same system are factored. The local form is the matrix itself, by contacts. The global form
//! eliminates x instead: with $W = H^\top M^{-1} H$ and $v = M^{-1} H x$,
//! $$ (M + H\,C^{-1} A\,H^\top)\, v = H\,C^{-1} b, \qquad x = C^{-1} (b - A H^\top v), $$
//! by bodies, regular whatever the rank of H. It has as many rows as there are degrees of freedom: where many contacts
//! share few bodies (walls, towers, pyramids) it is far smaller.
//!
//! Where M and H are not known but many contacts share the same two bodies, the local form is gathered by pairs.
//!
//! In every form the answer is refined against $A W + C$ and believed only when its residual is small: an LU of a singular
//! matrix returns anything without a word.

mod local;
mod pairs;
mod small_lu;
mod velocity;

use crate::block::{Block, add, mul, norm_all, sub};
use crate::operator::{BlockCsr, Delassus};
use local::Local;
use pairs::Pairs;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use velocity::Velocity;

/// Steps of refinement at most: an interior point close to the end leaves factors that gain one or two digits each.
const REFINEMENTS: usize = 10;

/// How well a system has to be solved, as residuals relative to the right-hand side.
#[derive(Debug, Clone, Copy)]
pub struct Accuracy {
    /// Refinement ends here.
    pub target: f64,
    /// An answer that stays above this is refused.
    pub gate: f64,
}

/// Which matrix is factored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The one that takes fewer operations, counted by the symbolic analysis; by pairs of bodies where W shows them
    /// and is large.
    #[default]
    Auto,
    /// `A W + C`, by contacts.
    Local,
    /// `M + H C^-1 A H^T`, by bodies; where the operator does not know M and H, the local one.
    Global,
}

/// The system of one operator, factored anew for every A and C.
pub struct ContactSystem<'a, const D: usize, W: ?Sized> {
    w: &'a W,
    /// S of `S W S`, row by row; empty when it is the identity.
    scale: Vec<[f64; D]>,
    factor: Factor<'a, D>,
    /// A and C of the last factorisation; an empty A is the identity.
    a: Vec<Block<D>>,
    c: Vec<Block<D>>,
    /// Inverses of C where they are known, of the unscaled system.
    inverse: Vec<Block<D>>,
    /// A and C of the unscaled system.
    unscaled_a: Vec<Block<D>>,
    unscaled_c: Vec<Block<D>>,
    /// Residual, step, a scaled vector, and the state of the operator.
    left: Vec<[f64; D]>,
    step: Vec<[f64; D]>,
    scaled: Vec<[f64; D]>,
    state: Vec<f64>,
}

enum Factor<'a, const D: usize> {
    Local(Box<Local<'a, D>>),
    Global(Box<dyn Velocity<D>>),
    Pairs(Box<Pairs<D>>),
}

impl<'a, const D: usize, W: Delassus<D> + ?Sized> ContactSystem<'a, D, W> {
    /// Analyses the system of W; `None` when no form of it fits in memory.
    pub fn new(w: &'a W, form: Form) -> Option<Self> {
        let zero = vec![[0.0; D]; w.contacts()];
        let factor = choose(w, form)?;
        Some(Self {
            w,
            scale: Vec::new(),
            factor,
            a: Vec::new(),
            c: Vec::new(),
            inverse: Vec::new(),
            unscaled_a: Vec::new(),
            unscaled_c: Vec::new(),
            left: zero.clone(),
            step: zero.clone(),
            scaled: zero,
            state: vec![0.0; w.state_len()],
        })
    }

    /// Makes it the system of `S W S`, S diagonal and positive (empty for the identity), to be factored anew. The
    /// analysis is that of W: with $y = S x$,
    /// $$ (S W S + C)\, x = b \iff (W + S^{-1} C S^{-1})\, y = S^{-1} b, \qquad
    ///    (A S W S + C)\, x = b \iff (A S\, W + C S^{-1})\, y = b. $$
    pub fn rescale(&mut self, scale: Vec<[f64; D]>) {
        self.scale = scale;
    }

    /// Whether pairs of bodies are factored, not contacts.
    pub fn is_by_pairs(&self) -> bool {
        matches!(self.factor, Factor::Pairs(_))
    }

    /// Whether bodies are factored, not contacts.
    pub fn is_global(&self) -> bool {
        matches!(self.factor, Factor::Global(_))
    }

    /// Multiplications and additions of one factorisation.
    pub fn flops(&self) -> f64 {
        match &self.factor {
            Factor::Local(f) => f.flops(),
            Factor::Global(f) => f.flops(),
            Factor::Pairs(f) => f.flops(),
        }
    }

    /// Blocks that a product with W reads: those of W, or one a body that a contact touches.
    pub fn blocks(&self) -> usize {
        match &self.factor {
            Factor::Local(f) => f.w().stored_blocks(),
            Factor::Global(f) => f.touches(),
            Factor::Pairs(f) => f.blocks(),
        }
    }

    /// `out = S W S x`.
    pub fn apply(&mut self, x: &[[f64; D]], out: &mut [[f64; D]]) {
        if self.scale.is_empty() {
            return self.w.apply(x, out, &mut self.state);
        }
        for ((y, x), s) in self.scaled.iter_mut().zip(x).zip(&self.scale) {
            *y = std::array::from_fn(|d| s[d] * x[d]);
        }
        match &self.factor {
            Factor::Local(f) => f.w().apply(&self.scaled, out, &mut []),
            _ => self.w.apply(&self.scaled, out, &mut self.state),
        }
        for (y, s) in out.iter_mut().zip(&self.scale) {
            (0..D).for_each(|d| y[d] *= s[d]);
        }
    }

    /// Factors for these A (empty for the identity) and C; false when that shows the system to be singular.
    pub fn factor(&mut self, a: &[Block<D>], c: &[Block<D>]) -> bool {
        self.inverse.clear();
        self.factor_known(a, c)
    }

    /// The same for an A that is not empty and a C whose inverse is known better than its entries tell: where its eigenvalues are far
    /// apart, the largest drowns the smallest.
    pub fn factor_inverted(&mut self, a: &[Block<D>], c: &[Block<D>], inverse: &[Block<D>]) -> bool {
        self.inverse.clear();
        self.inverse.extend_from_slice(inverse);
        // (C S^-1)^-1
        for (inverse, s) in self.inverse.iter_mut().zip(&self.scale) {
            (0..D).for_each(|i| inverse[i] = inverse[i].map(|x| s[i] * x));
        }
        self.factor_known(a, c)
    }

    /// Factors, with the inverses of C where they are known.
    fn factor_known(&mut self, a: &[Block<D>], c: &[Block<D>]) -> bool {
        self.a.clear();
        self.a.extend_from_slice(a);
        self.c.clear();
        self.c.extend_from_slice(c);
        let (a, c) = if self.scale.is_empty() {
            (a, c)
        } else {
            self.unscale();
            (&self.unscaled_a[..], &self.unscaled_c[..])
        };
        match &mut self.factor {
            Factor::Local(f) => f.factor(a, c),
            Factor::Global(f) => f.factor(a, c, &self.inverse),
            Factor::Pairs(f) => f.factor(a, c, &self.inverse),
        }
    }

    /// Sets A and C of the unscaled system, see [`rescale`](Self::rescale).
    fn unscale(&mut self) {
        let Self { scale, a, c, unscaled_a, unscaled_c, .. } = self;
        unscaled_a.clear();
        unscaled_a.extend(a.iter().zip(scale.iter()).map(|(a, s)| from_entries(|i, j| a[i][j] * s[j])));
        unscaled_c.clear();
        let both_sides = a.is_empty();
        unscaled_c.extend(
            c.iter()
                .zip(scale.iter())
                .map(|(c, s)| from_entries(|i, j| if both_sides { c[i][j] / (s[i] * s[j]) } else { c[i][j] / s[j] })),
        );
    }

    /// Solves with the last factors and refines; false when the residual stays above the gate or x is not finite.
    pub fn solve(&mut self, b: &[[f64; D]], accuracy: Accuracy, x: &mut [[f64; D]]) -> bool {
        let size = norm_all(b);
        x.fill([0.0; D]);
        if size == 0.0 || !size.is_finite() {
            return size == 0.0;
        }
        self.left.copy_from_slice(b);
        let mut error = f64::INFINITY;
        for _ in 0..=REFINEMENTS {
            self.solve_once();
            for (x, step) in x.iter_mut().zip(&self.step) {
                *x = add(x, step);
            }
            let now = self.residual(b, x) / size;
            if now.is_nan() || now >= error {
                // a step that does not help is taken back
                for (x, step) in x.iter_mut().zip(&self.step) {
                    *x = sub(x, step);
                }
                break;
            }
            // once the factor stops gaining digits, more steps are wasted
            let slow = now > 0.1 * error;
            error = now;
            if error <= accuracy.target || (slow && error <= accuracy.gate) {
                break;
            }
        }
        error <= accuracy.gate && x.as_flattened().iter().all(|x| x.is_finite())
    }

    /// Sets `step` to the unrefined solution for `left`.
    fn solve_once(&mut self) {
        let divide = |x: &mut [f64; D], s: &[f64; D]| (0..D).for_each(|d| x[d] /= s[d]);
        let both_sides = !self.scale.is_empty() && self.a.is_empty();
        if both_sides {
            self.scaled.copy_from_slice(&self.left);
            self.scaled.iter_mut().zip(&self.scale).for_each(|(x, s)| divide(x, s));
        }
        let b = if both_sides { &self.scaled } else { &self.left };
        match &mut self.factor {
            Factor::Local(f) => f.solve(b, &mut self.step),
            Factor::Global(f) => f.solve(b, &mut self.step),
            Factor::Pairs(f) => f.solve(b, &mut self.step),
        }
        self.step.iter_mut().zip(&self.scale).for_each(|(x, s)| divide(x, s));
    }

    /// Sets `left = b - (A W + C) x` and returns its norm.
    fn residual(&mut self, b: &[[f64; D]], x: &[[f64; D]]) -> f64 {
        let mut left = std::mem::take(&mut self.left);
        self.apply(x, &mut left);
        for (c, left) in left.iter_mut().enumerate() {
            let product = if self.a.is_empty() { *left } else { mul(&self.a[c], left) };
            *left = sub(&b[c], &add(&product, &mul(&self.c[c], &x[c])));
        }
        self.left = left;
        norm_all(&self.left)
    }
}

fn from_entries<const D: usize>(entry: impl Fn(usize, usize) -> f64) -> Block<D> {
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

/// The form asked for, or the one with fewer operations.
fn choose<const D: usize, W: Delassus<D> + ?Sized>(w: &W, form: Form) -> Option<Factor<'_, D>> {
    let global = if form == Form::Local { None } else { w.bodies().and_then(|b| velocity::new(b, w.contacts())) };
    let local = || Local::new(w.assemble()?);
    let Some(global) = global else {
        return if form == Form::Local { local().map(|f| Factor::Local(Box::new(f))) } else { by_pairs(w.assemble()?) };
    };
    // with half as many unknowns by bodies there is no need to look at the other
    if form == Form::Global || 2 * global.rows() <= D * w.contacts() {
        return Some(Factor::Global(global));
    }
    match local() {
        Some(local) if local.flops() < global.flops() => Some(Factor::Local(Box::new(local))),
        _ => Some(Factor::Global(global)),
    }
}

/// Operations of a factorisation below which gathering by pairs costs more than it saves.
const LARGE: f64 = 1e8;

/// By contacts, or by pairs of bodies where W shows them and a factorisation is worth the search.
fn by_pairs<const D: usize>(w: Cow<'_, BlockCsr<D>>) -> Option<Factor<'_, D>> {
    let local = Local::new(w.clone());
    if local.as_ref().is_none_or(|f| f.flops() > LARGE)
        && let Some(pairs) = Pairs::new(&w)
        && local.as_ref().is_none_or(|f| 2.0 * pairs.flops() < f.flops())
    {
        return Some(Factor::Pairs(Box::new(pairs)));
    }
    local.map(|f| Factor::Local(Box::new(f)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{BoxWall, ElasticBlock, RandomSparse, SphereLattice};
    use crate::operator::Factored;
    use crate::problem::{GlobalProblem, LocalProblem};

    const EXACT: Accuracy = Accuracy { target: 1e-13, gate: 1e-8 };

    fn wave<const D: usize>(n: usize, phase: f64) -> Vec<[f64; D]> {
        (0..n).map(|c| std::array::from_fn(|d| (phase + c as f64 + 0.7 * d as f64).sin())).collect()
    }

    /// A positive definite, unsymmetric block.
    fn block<const D: usize>(c: usize, size: f64) -> Block<D> {
        let entry = |i: usize, j: usize| if i == j { 1.0 } else { 0.2 * ((c + 3 * i + 7 * j) as f64).sin() };
        std::array::from_fn(|i| std::array::from_fn(|j| size * entry(i, j)))
    }

    /// Solves in one form; the residual is recomputed with the operator itself.
    fn solve<const D: usize, W: Delassus<D> + ?Sized>(
        w: &W,
        form: Form,
        a: &[Block<D>],
        c: &[Block<D>],
    ) -> Vec<[f64; D]> {
        let n = w.contacts();
        let mut system = ContactSystem::new(w, form).unwrap();
        assert_eq!(system.is_global(), form == Form::Global);
        assert!(system.flops() > 0.0 && system.blocks() > 0);
        let (b, mut x, mut wx) = (wave::<D>(n, 0.3), wave::<D>(n, 2.0), wave::<D>(n, 1.0));
        assert!(system.factor(a, c) && system.solve(&b, EXACT, &mut x), "{form:?}");
        w.apply(&x, &mut wx, &mut vec![0.0; w.state_len()]);
        for i in 0..n {
            let product = if a.is_empty() { wx[i] } else { mul(&a[i], &wx[i]) };
            let left = sub(&b[i], &add(&product, &mul(&c[i], &x[i])));
            assert!(left.iter().all(|x| x.abs() < 1e-7), "{form:?} {i}: {left:?}");
        }
        x
    }

    /// Both forms give the same answer, for an interior point's A and C and for a Newton method's with open contacts.
    fn agree<const D: usize, W: Delassus<D> + ?Sized>(w: &W) {
        let n = w.contacts();
        let mean = (0..n).map(|c| w.diagonal(c)[0][0]).sum::<f64>() / n as f64;
        let c: Vec<Block<D>> = (0..n).map(|i| block(i, mean * 10f64.powi((i % 4) as i32 - 2))).collect();
        let mut a: Vec<Block<D>> = (0..n).map(|i| block(i + 1, 1.0)).collect();
        a.iter_mut().step_by(3).for_each(|a| *a = [[0.0; D]; D]);
        for a in [&[][..], &a] {
            let (local, global) = (solve(w, Form::Local, a, &c), solve(w, Form::Global, a, &c));
            let difference: Vec<[f64; D]> = local.iter().zip(&global).map(|(x, y)| sub(x, y)).collect();
            assert!(norm_all(&difference) < 1e-7 * norm_all(&local));
        }
    }

    fn agree_matrix_free<const D: usize>(problem: &GlobalProblem<D>) {
        agree(&LocalProblem::matrix_free(problem).unwrap().unwrap().w);
    }

    #[test]
    fn local_and_global_form_agree() {
        agree(&SphereLattice { nx: 4, ny: 3, nz: 4, ..SphereLattice::default() }.spheres().unwrap().w);
        agree_matrix_free(&BoxWall { columns: 3, courses: 4, ..BoxWall::default() }.generate().unwrap());
        let random = RandomSparse { contacts: 60, bodies: 25, ..RandomSparse::default() };
        agree_matrix_free(&random.global::<2>().unwrap());
        agree_matrix_free(&random.global::<3>().unwrap());
        agree_matrix_free(&random.global::<5>().unwrap());
        // a mass matrix that is not block diagonal
        let elastic = ElasticBlock { elements: [3, 2, 2], ..ElasticBlock::default() }.generate().unwrap();
        agree(&Factored::new(&elastic).unwrap());
    }

    /// Blocks with eigenvalues 1e5 and 1e-5: their inverse is better known than their entries tell it.
    #[test]
    fn an_inverse_that_is_known_is_taken_where_entries_do_not_tell_it() {
        let wall = BoxWall { columns: 3, courses: 4, ..BoxWall::default() }.generate().unwrap();
        let w = LocalProblem::matrix_free(&wall).unwrap().unwrap().w;
        let n = w.contacts();
        // big v v' + (I - v v') / big, v a unit vector that no entry of is round
        let (v, big) = ([(1.0f64 / 3.0).sqrt(), 0.4, -(1.0 - 1.0 / 3.0 - 0.16f64).sqrt()], 1e5);
        let with = |along: f64, across: f64| -> Block<3> {
            from_entries(|i, j| (along - across) * v[i] * v[j] + if i == j { across } else { 0.0 })
        };
        let (a, c, inverse) = (vec![with(1.0, 1.0); n], vec![with(big, 1.0 / big); n], vec![with(1.0 / big, big); n]);
        let (expected, mut x): (Vec<[f64; 3]>, _) = (wave(n, 0.3), wave(n, 0.0));
        let mut b: Vec<[f64; 3]> = wave(n, 0.0);
        for scale in [Vec::new(), vec![[0.5, 2.0, 2.0]; n]] {
            let mut system = ContactSystem::new(&w, Form::Global).unwrap();
            system.rescale(scale);
            system.apply(&expected, &mut b);
            b.iter_mut().zip(&expected).for_each(|(b, x)| *b = add(b, &mul(&c[0], x)));
            assert!(system.factor_inverted(&a, &c, &inverse) && system.solve(&b, EXACT, &mut x));
            let difference: Vec<[f64; 3]> = x.iter().zip(&expected).map(|(x, y)| sub(x, y)).collect();
            assert!(norm_all(&difference) < 1e-4 * norm_all(&expected), "{:.1e}", norm_all(&difference));
        }
    }

    #[test]
    fn many_contacts_on_few_bodies_are_factored_by_bodies() {
        let wall = BoxWall { columns: 4, courses: 6, ..BoxWall::default() }.generate().unwrap();
        let w = LocalProblem::matrix_free(&wall).unwrap().unwrap().w;
        let (auto, local) = (ContactSystem::new(&w, Form::Auto).unwrap(), ContactSystem::new(&w, Form::Local).unwrap());
        assert!(auto.is_global() && auto.flops() < local.flops());
        // an operator that knows no bodies is never factored by bodies
        let assembled = w.assemble().unwrap().into_owned();
        assert!(!ContactSystem::new(&assembled, Form::Global).unwrap().is_global());
    }

    /// A wall of which only W is left: four corners a face, six motions a pair.
    #[test]
    fn pairs_of_bodies_are_found_in_a_large_w() {
        let wall = BoxWall { columns: 12, courses: 12, ..BoxWall::default() }.generate().unwrap();
        let w = LocalProblem::matrix_free(&wall).unwrap().unwrap().w.assemble().unwrap().into_owned();
        let n = w.contacts();
        let scale: Vec<[f64; 3]> = (0..n).map(|c| [1.0 + 0.1 * (c % 7) as f64, 0.5, 2.0]).collect();
        for scale in [Vec::new(), scale] {
            let mut pairs = ContactSystem::new(&w, Form::Auto).unwrap();
            let mut local = ContactSystem::new(&w, Form::Local).unwrap();
            pairs.rescale(scale.clone());
            local.rescale(scale);
            assert!(pairs.is_by_pairs() && !local.is_by_pairs());
            assert!(pairs.flops() < 0.5 * local.flops(), "{} {}", pairs.flops(), local.flops());
            let c: Vec<Block<3>> = (0..n).map(|i| block(i, 10f64.powi((i % 6) as i32 - 5))).collect();
            let mut a: Vec<Block<3>> = (0..n).map(|i| block(i + 1, 1.0)).collect();
            a.iter_mut().step_by(3).for_each(|a| *a = [[0.0; 3]; 3]);
            for a in [&[][..], &a] {
                let (b, mut x, mut y) = (wave::<3>(n, 0.3), wave(n, 0.0), wave(n, 0.0));
                assert!(pairs.factor(a, &c) && pairs.solve(&b, EXACT, &mut x));
                assert!(local.factor(a, &c) && local.solve(&b, EXACT, &mut y));
                let difference: Vec<[f64; 3]> = x.iter().zip(&y).map(|(x, y)| sub(x, y)).collect();
                assert!(norm_all(&difference) < 1e-7 * norm_all(&y));
            }
        }
        // a packing has one contact a pair: nothing to gather
        let packing = SphereLattice { nx: 4, ny: 3, nz: 4, ..SphereLattice::default() }.spheres().unwrap();
        let w = packing.w.assemble().unwrap().into_owned();
        assert!(!ContactSystem::new(&w, Form::Auto).unwrap().is_by_pairs());
    }

    #[test]
    fn singular_and_hopeless_systems_are_refused_without_a_nan() {
        // two contacts with the same rows of W
        let one = [[1.0, 0.0], [0.0, 1.0]];
        let w = BlockCsr::new(vec![0, 2, 4], vec![0, 1, 0, 1], vec![one; 4]).unwrap();
        let mut system = ContactSystem::new(&w, Form::Auto).unwrap();
        let mut x = [[0.0; 2]; 2];
        let inconsistent = [[1.0, 2.0], [3.0, -1.0]];
        assert!(!system.factor(&[], &[[[0.0; 2]; 2]; 2]) || !system.solve(&inconsistent, EXACT, &mut x));
        assert!(!system.factor(&[], &[[[f64::NAN; 2]; 2]; 2]) || !system.solve(&inconsistent, EXACT, &mut x));
        assert!(system.factor(&[], &[one; 2]) && system.solve(&inconsistent, EXACT, &mut x));
        assert!(!system.solve(&[[f64::NAN; 2]; 2], EXACT, &mut x));
        assert!(x.as_flattened().iter().all(|x| x.is_finite()));
        // the same by bodies: a wall is hyperstatic, and C = 0 is softened, never divided by
        let wall = BoxWall { columns: 3, courses: 3, ..BoxWall::default() }.generate().unwrap();
        let w = LocalProblem::matrix_free(&wall).unwrap().unwrap().w;
        let n = w.contacts();
        let mut system = ContactSystem::new(&w, Form::Global).unwrap();
        let mut x = vec![[0.0; 3]; n];
        let solved = system.factor(&[], &vec![[[0.0; 3]; 3]; n]) && system.solve(&wave(n, 0.0), EXACT, &mut x);
        assert!(!solved, "W has no full rank, and this right-hand side is not in its range");
        assert!(!system.factor(&[], &vec![[[f64::NAN; 3]; 3]; n]));
    }
}
