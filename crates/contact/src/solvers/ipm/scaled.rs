//! The problem in scaled variables, and one Newton iteration on it.
//!
//! $r = P r'' s_q / s_w$ with P = diag(1, mu, mu [, mu_r, mu_r]): every cone becomes the standard second-order cone,
//! $\mu \|u_T\|$ becomes $\|u''_T\|$, and all constants of the method are free of dimension.

use super::second_order_cone::{Scaling, Soc, dot, jordan, jordan_solve, longest_step};
use crate::block::{Block, norm_all, zero};
use crate::block_system::BlockSystem;
use crate::cone::Cone;
use crate::operator::{BlockCsr, Delassus};
use crate::problem::LocalProblem;
use std::borrow::Cow;

/// Friction below this is treated as this: a cone needs an inside.
const SMALLEST_MU: f64 = 1e-12;

/// The discs of one contact: rows in the contact, at most two rows each.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    len: usize,
}

/// The scaled data, constant during a solve.
pub(super) struct Scaled<const D: usize> {
    q: Vec<[f64; D]>,
    /// The scaled W and its factors.
    system: BlockSystem<'static, D>,
    /// Back to original impulses, row by row.
    back: Vec<[f64; D]>,
    /// The cones: owner contact and disc. Joints have none.
    cones: Vec<(usize, Part)>,
}

impl<const D: usize> Scaled<D> {
    /// Scales the problem; `None` when its pattern cannot be analysed.
    pub fn new<W: Delassus<D>>(w: &BlockCsr<D>, problem: &LocalProblem<D, W>) -> Option<Self> {
        let p: Vec<[f64; D]> = problem.cones.iter().map(row_scales::<D>).collect();
        let scaled_diagonal = (0..w.contacts()).flat_map(|c| {
            let (block, p) = (w.diagonal(c), &p[c]);
            (0..D).map(move |d| block[d][d] * p[d] * p[d]).collect::<Vec<_>>()
        });
        let (sum, count) = scaled_diagonal.fold((0.0, 0usize), |(s, n), x| (s + x, n + 1));
        let s_w = if sum > 0.0 { sum / count as f64 } else { 1.0 };
        let scaled_q: Vec<[f64; D]> =
            problem.q.iter().zip(&p).map(|(q, p)| std::array::from_fn(|d| q[d] * p[d])).collect();
        let s_q = match norm_all(&scaled_q) / (w.contacts().max(1) as f64).sqrt() {
            s if s > 0.0 => s,
            _ => 1.0,
        };
        let w =
            w.map_blocks(|c, j, b| std::array::from_fn(|d| std::array::from_fn(|e| p[c][d] * b[d][e] * p[j][e] / s_w)));
        let q = scaled_q.iter().map(|q| q.map(|x| x / s_q)).collect();
        let back = p.iter().map(|p| p.map(|x| x * s_q / s_w)).collect();
        let mut cones = Vec::new();
        for (c, cone) in problem.cones.iter().enumerate().filter(|(_, k)| !matches!(k, Cone::Bilateral)) {
            for disc in cone.discs::<D>().into_iter().filter(|d| d.len > 0) {
                cones.push((c, Part { start: disc.start, len: disc.len }));
            }
        }
        let system = BlockSystem::new(Cow::Owned(w))?;
        Some(Self { q, system, back, cones })
    }
}

fn row_scales<const D: usize>(cone: &Cone) -> [f64; D] {
    let mut p = [1.0; D];
    if !matches!(cone, Cone::Bilateral) {
        for disc in cone.discs::<D>() {
            p[disc.rows()].fill(disc.slope.max(SMALLEST_MU));
        }
    }
    p
}

impl Part {
    /// `J_k r`: the normal row and the rows of the disc.
    fn gather<const D: usize>(&self, r: &[f64; D]) -> Soc {
        let mut x = [r[0], 0.0, 0.0];
        for k in 0..self.len {
            x[1 + k] = r[self.start + k];
        }
        x
    }

    /// `out += (J' - E) x`, E x = (d . x_T) e.
    fn scatter<const D: usize>(&self, x: &Soc, d: &[f64; 2], out: &mut [f64; D]) {
        out[0] += x[0] - d[0] * x[1] - d[1] * x[2];
        for k in 0..self.len {
            out[self.start + k] += x[1 + k];
        }
    }
}

/// The unit vector along the sliding velocity; zero at rest.
fn direction(y: &Soc) -> [f64; 2] {
    let t = y[1].hypot(y[2]);
    if t > 0.0 { [y[1] / t, y[2] / t] } else { [0.0; 2] }
}

/// r and the duals y of every cone.
pub(super) struct Iterate<const D: usize> {
    r: Vec<[f64; D]>,
    y: Vec<Soc>,
}

/// Everything about the current point that predictor and corrector share.
struct Point<const D: usize> {
    scalings: Vec<Scaling>,
    directions: Vec<[f64; 2]>,
    rho: Vec<[f64; D]>,
    mu: f64,
}

impl<const D: usize> Iterate<D> {
    /// The start `r = start e`, `y = start e` with a little sliding so that its direction is defined.
    pub fn new(s: &Scaled<D>, start: f64) -> Self {
        let mut r = vec![[0.0; D]; s.q.len()];
        for &(c, _) in &s.cones {
            r[c][0] = start;
        }
        Self { r, y: vec![[start, 1e-3 * start, 0.0]; s.cones.len()] }
    }

    /// Impulses in the units of the problem.
    pub fn original(&self, s: &Scaled<D>, out: &mut [[f64; D]]) {
        for ((out, r), back) in out.iter_mut().zip(&self.r).zip(&s.back) {
            *out = std::array::from_fn(|d| r[d] * back[d]);
        }
    }

    /// Moves both sides off the boundary by `lift sqrt(mu) e`.
    pub fn lift(&mut self, s: &Scaled<D>, lift: f64) {
        let by = lift * self.mu(s).max(0.0).sqrt();
        let mut lifted = vec![false; self.r.len()];
        for (&(c, _), y) in s.cones.iter().zip(&mut self.y) {
            y[0] += by;
            if !std::mem::replace(&mut lifted[c], true) {
                self.r[c][0] += by;
            }
        }
    }

    fn mu(&self, s: &Scaled<D>) -> f64 {
        let sum: f64 = s.cones.iter().zip(&self.y).map(|((c, p), y)| dot(&p.gather(&self.r[*c]), y)).sum();
        sum / s.cones.len().max(1) as f64
    }

    fn point(&self, s: &Scaled<D>) -> Option<Point<D>> {
        // rho = J'y - W r - q - |y_T| e
        let mut rho = vec![[0.0; D]; self.r.len()];
        s.system.w().apply(&self.r, &mut rho, &mut []);
        for (rho, q) in rho.iter_mut().zip(&s.q) {
            *rho = std::array::from_fn(|d| -rho[d] - q[d]);
        }
        let mut scalings = Vec::with_capacity(self.y.len());
        let mut directions = Vec::with_capacity(self.y.len());
        for ((c, part), y) in s.cones.iter().zip(&self.y) {
            let d = direction(y);
            part.scatter(y, &d, &mut rho[*c]);
            scalings.push(Scaling::new(&part.gather(&self.r[*c]), y)?);
            directions.push(d);
        }
        Some(Point { scalings, directions, rho, mu: self.mu(s) })
    }

    /// One predictor-corrector iteration; returns the step taken, `None` when the system cannot be solved.
    pub fn newton(&mut self, s: &mut Scaled<D>, fraction: f64) -> Option<f64> {
        let point = self.point(s)?;
        // G = (J' - E) F J
        let mut g: Vec<Block<D>> = vec![zero(); self.r.len()];
        for (((c, part), scaling), d) in s.cones.iter().zip(&point.scalings).zip(&point.directions) {
            let f = scaling.square();
            for j in 0..=part.len {
                let column = [f[0][j], f[1][j], f[2][j]];
                let mut out = [0.0; D];
                part.scatter(&column, d, &mut out);
                let at = if j == 0 { 0 } else { part.start + j - 1 };
                for i in 0..D {
                    g[*c][i][at] += out[i];
                }
            }
        }
        if !s.system.factor(g) {
            return None;
        }
        let solve = |ds: &[Soc]| -> Option<(Vec<[f64; D]>, Vec<Soc>)> {
            let mut rhs = point.rho.clone();
            for ((((c, part), scaling), d), ds) in s.cones.iter().zip(&point.scalings).zip(&point.directions).zip(ds) {
                part.scatter(&scaling.apply(ds), d, &mut rhs[*c]);
            }
            let dr = s.system.solve(&rhs)?;
            let dy = s.cones.iter().zip(&point.scalings).zip(ds).map(|(((c, part), scaling), ds)| {
                let sdx = scaling.apply(&part.gather(&dr[*c]));
                scaling.apply(&[ds[0] - sdx[0], ds[1] - sdx[1], ds[2] - sdx[2]])
            });
            let dy = dy.collect();
            Some((dr, dy))
        };
        // predictor: ds = -lambda
        let affine: Vec<Soc> = point.scalings.iter().map(|k| k.lambda.map(|x| -x)).collect();
        let (dr_a, dy_a) = solve(&affine)?;
        let a = self.step(s, &dr_a, &dy_a).min(1.0);
        let mu_a = self.moved(&dr_a, &dy_a, a).mu(s);
        let sigma = (mu_a / point.mu).powi(3).clamp(0.0, 1.0);
        // corrector: lambda o ds = sigma mu e - lambda o lambda - (S^-1 dy) o (S dx)
        let mut ds = Vec::with_capacity(affine.len());
        for (((c, part), k), dy) in s.cones.iter().zip(&point.scalings).zip(&dy_a) {
            let second = jordan(&k.inverse(dy), &k.apply(&part.gather(&dr_a[*c])));
            let square = jordan(&k.lambda, &k.lambda);
            let mut rhs: Soc = std::array::from_fn(|i| -square[i] - second[i]);
            rhs[0] += sigma * point.mu;
            ds.push(jordan_solve(&k.lambda, &rhs));
        }
        let (dr, dy) = solve(&ds)?;
        let a = (fraction * self.step(s, &dr, &dy)).min(1.0);
        *self = self.moved(&dr, &dy, a);
        Some(a)
    }

    /// The longest common step that leaves no cone.
    fn step(&self, s: &Scaled<D>, dr: &[[f64; D]], dy: &[Soc]) -> f64 {
        let mut a: f64 = 1e3;
        for (((c, part), y), dy) in s.cones.iter().zip(&self.y).zip(dy) {
            a = a.min(longest_step(y, dy)).min(longest_step(&part.gather(&self.r[*c]), &part.gather(&dr[*c])));
        }
        a
    }

    fn moved(&self, dr: &[[f64; D]], dy: &[Soc], a: f64) -> Self {
        let r = self.r.iter().zip(dr).map(|(r, d)| std::array::from_fn(|k| r[k] + a * d[k])).collect();
        let y = self.y.iter().zip(dy).map(|(y, d)| std::array::from_fn(|k| y[k] + a * d[k])).collect();
        Self { r, y }
    }
}
