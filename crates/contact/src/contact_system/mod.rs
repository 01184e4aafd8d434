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
//! Either way the answer is refined against $A W + C$ and believed only when its residual is small: an LU of a singular
//! matrix returns anything without a word.

mod local;
mod velocity;

use crate::block::{Block, add, mul, norm_all, sub};
use crate::operator::Delassus;
use local::Local;
use serde::{Deserialize, Serialize};
use velocity::Velocity;

/// Steps of refinement at most.
const REFINEMENTS: usize = 3;

/// How well a system has to be solved, as residuals relative to the right-hand side.
#[derive(Debug, Clone, Copy)]
pub struct Accuracy {
    /// Refinement ends here.
    pub target: f64,
    /// An answer that stays above this is refused.
    pub gate: f64,
}

/// Which matrix is factored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The one that takes fewer operations, counted by the symbolic analysis.
    #[default]
    Auto,
    /// `A W + C`, by contacts.
    Local,
    /// `M + H C^-1 A H^T`, by bodies; where the operator does not know M and H, the local one.
    Global,
}

/// The system of one operator, factored anew for every A and C.
pub struct ContactSystem<'a, const D: usize, W> {
    w: &'a W,
    /// S of `S W S`, row by row; empty when it is the identity.
    scale: Vec<[f64; D]>,
    factor: Factor<'a, D>,
    /// A and C of the last factorisation; an empty A is the identity.
    a: Vec<Block<D>>,
    c: Vec<Block<D>>,
    /// Residual, step, scaled x, and the state of the operator.
    left: Vec<[f64; D]>,
    step: Vec<[f64; D]>,
    scaled: Vec<[f64; D]>,
    state: Vec<f64>,
}

enum Factor<'a, const D: usize> {
    Local(Local<'a, D>),
    Global(Box<dyn Velocity<D>>),
}

impl<'a, const D: usize, W: Delassus<D>> ContactSystem<'a, D, W> {
    /// Analyses the system of `S W S`, S diagonal (`scale`, empty for the identity); `None` when no form of it fits in
    /// memory.
    pub fn new(w: &'a W, scale: Vec<[f64; D]>, form: Form) -> Option<Self> {
        let (n, v) = (w.contacts(), w.state_len());
        let zero = vec![[0.0; D]; n];
        let factor = choose(w, &scale, form)?;
        let (left, step, scaled) = (zero.clone(), zero.clone(), zero);
        Some(Self { w, scale, factor, a: Vec::new(), c: Vec::new(), left, step, scaled, state: vec![0.0; v] })
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
        }
    }

    /// `out = S W S x`.
    pub fn apply(&mut self, x: &[[f64; D]], out: &mut [[f64; D]]) {
        if self.scale.is_empty() {
            return self.w.apply(x, out, &mut self.state);
        }
        if let Factor::Local(f) = &self.factor {
            return f.w().apply(x, out, &mut []);
        }
        for ((y, x), s) in self.scaled.iter_mut().zip(x).zip(&self.scale) {
            *y = std::array::from_fn(|d| s[d] * x[d]);
        }
        self.w.apply(&self.scaled, out, &mut self.state);
        for (y, s) in out.iter_mut().zip(&self.scale) {
            (0..D).for_each(|d| y[d] *= s[d]);
        }
    }

    /// Factors for these A (empty for the identity) and C; false when that shows the system to be singular.
    pub fn factor(&mut self, a: &[Block<D>], c: &[Block<D>]) -> bool {
        self.a.clear();
        self.a.extend_from_slice(a);
        self.c.clear();
        self.c.extend_from_slice(c);
        match &mut self.factor {
            Factor::Local(f) => f.factor(a, c),
            Factor::Global(f) => f.factor(a, c),
        }
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
            match &mut self.factor {
                Factor::Local(f) => f.solve(&self.left, &mut self.step),
                Factor::Global(f) => f.solve(&self.left, &mut self.step),
            }
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

/// The form asked for, or the one with fewer operations.
fn choose<'a, const D: usize, W: Delassus<D>>(w: &'a W, scale: &[[f64; D]], form: Form) -> Option<Factor<'a, D>> {
    let global = if form == Form::Local { None } else { w.bodies().and_then(|b| velocity::new(b, w.contacts(), scale)) };
    let local = || Local::new(w.assemble()?, scale);
    let Some(global) = global else { return local().map(Factor::Local) };
    // with half as many unknowns by bodies there is no need to look at the other
    if form == Form::Global || 2 * global.rows() <= D * w.contacts() {
        return Some(Factor::Global(global));
    }
    match local() {
        Some(local) if local.flops() < global.flops() => Some(Factor::Local(local)),
        _ => Some(Factor::Global(global)),
    }
}
