//! The problem in scaled variables, and one Newton iteration on it.
//!
//! $r = P r'' s_q / s_w$ with P = diag(1, mu, mu [, mu_r, mu_r]): every cone becomes the standard second-order cone,
//! $\mu \|u_T\|$ becomes $\|u''_T\|$, and all constants of the method are free of dimension.

use super::second_order_cone::{Scaling, Soc, dot, jordan, jordan_solve, longest_step};
use crate::block::{Block, mul, norm_all, zero};
use crate::cone::Cone;
use crate::contact_system::{Accuracy, ContactSystem};
use crate::operator::Delassus;
use crate::problem::LocalProblem;

/// Friction below this is treated as this: a cone needs an inside.
const SMALLEST_MU: f64 = 1e-12;

/// The predictor only steers.
const PREDICTOR: Accuracy = Accuracy { target: 1e-6, gate: 1e-4 };
/// The corrector is the step.
const CORRECTOR: Accuracy = Accuracy { target: 1e-13, gate: 1e-4 };

/// The discs of one contact: rows in the contact, at most two rows each.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    len: usize,
}

/// The scaled data, constant during a solve.
pub(super) struct Scaled<'a, const D: usize, W: ?Sized> {
    q: Vec<[f64; D]>,
    /// The scaled W and its factors.
    pub system: ContactSystem<'a, D, W>,
    /// Back to original impulses, row by row.
    back: Vec<[f64; D]>,
    /// To scaled velocities, row by row.
    velocity: Vec<[f64; D]>,
    /// The cones: owner contact and disc. Joints have none.
    cones: Vec<(usize, Part)>,
    /// Whether every contact has one, over all of its rows: two cones that share a normal impulse have no [`Blocks::Balanced`], and
    /// joints no scale.
    one_each: bool,
}

impl<'a, const D: usize, W: Delassus<D> + ?Sized> Scaled<'a, D, W> {
    /// Scales the problem, on the system of its W.
    pub fn new(problem: &LocalProblem<D, W>, mut system: ContactSystem<'a, D, W>) -> Self {
        let p: Vec<[f64; D]> = problem.cones.iter().map(row_scales::<D>).collect();
        let mut sum = 0.0;
        for (c, p) in p.iter().enumerate() {
            let block = problem.w.diagonal(c);
            sum += (0..D).map(|d| block[d][d] * p[d] * p[d]).sum::<f64>();
        }
        let s_w = if sum > 0.0 { sum / (D * p.len()) as f64 } else { 1.0 };
        let scaled_q: Vec<[f64; D]> =
            problem.q.iter().zip(&p).map(|(q, p)| std::array::from_fn(|d| q[d] * p[d])).collect();
        let s_q = match norm_all(&scaled_q) / (p.len().max(1) as f64).sqrt() {
            s if s > 0.0 => s,
            _ => 1.0,
        };
        let q = scaled_q.iter().map(|q| q.map(|x| x / s_q)).collect();
        let velocity = p.iter().map(|p| p.map(|x| x / s_q)).collect();
        let back = p.iter().map(|p| p.map(|x| x * s_q / s_w)).collect();
        let mut cones = Vec::new();
        for (c, cone) in problem.cones.iter().enumerate().filter(|(_, k)| !matches!(k, Cone::Bilateral)) {
            for disc in cone.discs::<D>().into_iter().filter(|d| d.len > 0) {
                cones.push((c, Part { start: disc.start, len: disc.len }));
            }
        }
        // P W P / s_w
        system.rescale(p.iter().map(|p| p.map(|x| x / s_w.sqrt())).collect());
        let whole = |(k, (c, part)): (usize, &(usize, Part))| k == *c && part.len == D - 1;
        let one_each = cones.len() == p.len() && cones.iter().enumerate().all(whole);
        Self { q, system, back, velocity, cones, one_each }
    }

    /// The system of W again.
    pub fn into_system(mut self) -> ContactSystem<'a, D, W> {
        self.system.rescale(Vec::new());
        self.system
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
    point: Point<D>,
    predictor: Direction<D>,
    corrector: Direction<D>,
}

/// Everything about the current point that predictor and corrector share.
#[derive(Default)]
struct Point<const D: usize> {
    scalings: Vec<Scaling>,
    /// Unit vectors along the sliding velocities.
    slides: Vec<[f64; 2]>,
    /// `J'y - W r - q - |y_T| e`.
    rho: Vec<[f64; D]>,
    mu: f64,
    /// The system.
    blocks: Blocks<D>,
    rhs: Vec<[f64; D]>,
}

/// The blocks of one contact each that make the system.
///
/// By contacts that is $(W + G)\,dr = (J^\top - E) S\,ds + \rho$. By bodies G would have to be inverted, whose eigenvalues are as far
/// apart as 1 and mu^2 where a contact slides: whatever is done with its entries, one end is lost. Multiplied by
/// $A = S^{-1} (I + E)$ from the left it becomes
/// $$ (A W + S)\, dr = ds + A \rho, $$
/// in which the eigenvalues of S are only as far apart as 1 and mu, $S^{-1}$ is known in closed form, and a residual is measured where
/// both sides of the complementarity have the same size.
enum Blocks<const D: usize> {
    /// G = (J' - E) F J.
    Plain(Vec<Block<D>>),
    /// A, S and S^-1.
    Balanced { a: Vec<Block<D>>, s: Vec<Block<D>>, inverse: Vec<Block<D>> },
}

impl<const D: usize> Default for Blocks<D> {
    fn default() -> Self {
        Self::Plain(Vec::new())
    }
}

impl<const D: usize> Blocks<D> {
    /// Empty, for so many contacts; joints have nothing but W.
    fn begin(&mut self, balanced: bool, contacts: usize) {
        let zeros = || vec![zero(); contacts];
        match self {
            // every contact has a cone that sets all of its blocks
            Self::Balanced { .. } if balanced => {}
            Self::Plain(g) if !balanced && g.len() == contacts => g.fill(zero()),
            _ if balanced => *self = Self::Balanced { a: zeros(), s: zeros(), inverse: zeros() },
            _ => *self = Self::Plain(zeros()),
        }
    }

    /// Takes in a cone of contact c that slides along d.
    fn add(&mut self, c: usize, part: &Part, scaling: &Scaling, d: &[f64; 2]) {
        match self {
            Self::Plain(g) => {
                let f = scaling.square();
                for j in 0..=part.len {
                    let mut out = [0.0; D];
                    part.scatter(&[f[0][j], f[1][j], f[2][j]], d, &mut out);
                    let at = if j == 0 { 0 } else { part.start + j - 1 };
                    (0..D).for_each(|i| g[c][i][at] += out[i]);
                }
            }
            Self::Balanced { a, s, inverse } => {
                for j in 0..D {
                    let mut unit = [0.0; 3];
                    unit[j] = 1.0;
                    let (of_s, of_inverse) = (scaling.apply(&unit), scaling.inverse(&unit));
                    // (I + E) e_j
                    unit[0] += if j > 0 { d[j - 1] } else { 0.0 };
                    let of_a = scaling.inverse(&unit);
                    for i in 0..D {
                        (a[c][i][j], s[c][i][j], inverse[c][i][j]) = (of_a[i], of_s[i], of_inverse[i]);
                    }
                }
            }
        }
    }
}

/// A direction of Newton: `ds` asked for in scaled space, dr and dy found.
#[derive(Default)]
struct Direction<const D: usize> {
    ds: Vec<Soc>,
    dr: Vec<[f64; D]>,
    dy: Vec<Soc>,
}

impl<const D: usize> Iterate<D> {
    /// The start `r = start e`, `y = start e` with a little sliding so that its direction is defined.
    pub fn new<W: ?Sized>(s: &Scaled<'_, D, W>, start: f64) -> Self {
        let mut r = vec![[0.0; D]; s.q.len()];
        for &(c, _) in &s.cones {
            r[c][0] = start;
        }
        let y = vec![[start, 1e-3 * start, 0.0]; s.cones.len()];
        Self { r, y, point: Point::default(), predictor: Direction::default(), corrector: Direction::default() }
    }

    /// The start at impulses r and velocities u of the problem, both `lift` off the boundary of their cones; `None` where the
    /// natural map there, its root mean square in scaled variables, is larger than `near`.
    pub fn near<W: ?Sized>(
        s: &Scaled<'_, D, W>,
        (near, lift): (f64, f64),
        r: &[[f64; D]],
        u: &[[f64; D]],
    ) -> Option<Self> {
        let mut start = Self::new(s, lift);
        for ((scaled, r), back) in start.r.iter_mut().zip(r).zip(&s.back) {
            *scaled = std::array::from_fn(|d| r[d] / back[d]);
        }
        let mut square = 0.0;
        for (&(c, part), y) in s.cones.iter().zip(&mut start.y) {
            let x = part.gather(&start.r[c]);
            let v = part.gather(&std::array::from_fn::<_, D, _>(|d| u[c][d] * s.velocity[c][d]));
            let f = Cone::Coulomb { mu: 1.0 }.natural_map(&x, &v);
            square += dot(&f, &f);
            let slides = v[1].hypot(v[2]);
            start.r[c][0] = x[0].max(x[1].hypot(x[2])) + lift;
            // what does not slide keeps the little that defines a direction
            *y = [v[0].max(0.0) + slides + lift, if slides > 0.0 { v[1] } else { y[1] }, v[2]];
        }
        (square <= near * near * s.cones.len() as f64).then_some(start)
    }

    /// Impulses in the units of the problem.
    pub fn original<W: ?Sized>(&self, s: &Scaled<'_, D, W>, out: &mut [[f64; D]]) {
        for ((out, r), back) in out.iter_mut().zip(&self.r).zip(&s.back) {
            *out = std::array::from_fn(|d| r[d] * back[d]);
        }
    }

    /// Moves both sides off the boundary by `lift sqrt(mu) e`.
    pub fn lift<W: ?Sized>(&mut self, s: &Scaled<'_, D, W>, lift: f64) {
        let by = lift * self.mu_after(s, 0.0).max(0.0).sqrt();
        let mut lifted = vec![false; self.r.len()];
        for (&(c, _), y) in s.cones.iter().zip(&mut self.y) {
            y[0] += by;
            if !std::mem::replace(&mut lifted[c], true) {
                self.r[c][0] += by;
            }
        }
    }

    /// `<y, J r> / cones` after a step a along the predictor.
    fn mu_after<W: ?Sized>(&self, s: &Scaled<'_, D, W>, a: f64) -> f64 {
        let mut sum = 0.0;
        for (k, ((c, part), y)) in s.cones.iter().zip(&self.y).enumerate() {
            let mut x = part.gather(&self.r[*c]);
            let mut y = *y;
            if a > 0.0 {
                let (dx, dy) = (part.gather(&self.predictor.dr[*c]), &self.predictor.dy[k]);
                (x, y) = (std::array::from_fn(|i| x[i] + a * dx[i]), std::array::from_fn(|i| y[i] + a * dy[i]));
            }
            sum += dot(&x, &y);
        }
        sum / s.cones.len().max(1) as f64
    }

    /// Scalings, sliding directions, residual and blocks of the current point; `None` when it is on the boundary.
    fn look<W: Delassus<D> + ?Sized>(&mut self, s: &mut Scaled<'_, D, W>) -> Option<()> {
        let Point { scalings, slides, rho, blocks, .. } = &mut self.point;
        rho.resize(self.r.len(), [0.0; D]);
        s.system.apply(&self.r, rho);
        for (rho, q) in rho.iter_mut().zip(&s.q) {
            *rho = std::array::from_fn(|d| -rho[d] - q[d]);
        }
        scalings.clear();
        slides.clear();
        blocks.begin(s.system.is_global() && s.one_each, self.r.len());
        for ((c, part), y) in s.cones.iter().zip(&self.y) {
            let d = direction(y);
            part.scatter(y, &d, &mut rho[*c]);
            let scaling = Scaling::new(&part.gather(&self.r[*c]), y)?;
            blocks.add(*c, part, &scaling, &d);
            scalings.push(scaling);
            slides.push(d);
        }
        self.point.mu = self.mu_after(s, 0.0);
        Some(())
    }

    /// One predictor-corrector iteration; returns the step taken, `None` when the system cannot be solved.
    pub fn newton<W: Delassus<D> + ?Sized>(&mut self, s: &mut Scaled<'_, D, W>, fraction: f64) -> Option<f64> {
        self.look(s)?;
        let factored = match &self.point.blocks {
            Blocks::Plain(g) => s.system.factor(&[], g),
            Blocks::Balanced { a, s: c, inverse } => s.system.factor_inverted(a, c, inverse),
        };
        if !factored {
            return None;
        }
        // predictor: ds = -lambda
        self.predictor.ds.clear();
        self.predictor.ds.extend(self.point.scalings.iter().map(|k| k.lambda.map(|x| -x)));
        self.predictor.find(s, &mut self.point, PREDICTOR)?;
        let a = self.longest(s, &self.predictor).min(1.0);
        let sigma = (self.mu_after(s, a) / self.point.mu).powi(3).clamp(0.0, 1.0);
        // corrector: lambda o ds = sigma mu e - lambda o lambda - (S^-1 dy) o (S dx)
        self.corrector.ds.clear();
        for (((c, part), k), dy) in s.cones.iter().zip(&self.point.scalings).zip(&self.predictor.dy) {
            let second = jordan(&k.inverse(dy), &k.apply(&part.gather(&self.predictor.dr[*c])));
            let square = jordan(&k.lambda, &k.lambda);
            let mut rhs: Soc = std::array::from_fn(|i| -square[i] - second[i]);
            rhs[0] += sigma * self.point.mu;
            self.corrector.ds.push(jordan_solve(&k.lambda, &rhs));
        }
        self.corrector.find(s, &mut self.point, CORRECTOR)?;
        let a = (fraction * self.longest(s, &self.corrector)).min(1.0);
        for (r, d) in self.r.iter_mut().zip(&self.corrector.dr) {
            (0..D).for_each(|k| r[k] += a * d[k]);
        }
        for (y, d) in self.y.iter_mut().zip(&self.corrector.dy) {
            (0..3).for_each(|k| y[k] += a * d[k]);
        }
        Some(a)
    }

    /// The longest common step that leaves no cone.
    fn longest<W: ?Sized>(&self, s: &Scaled<'_, D, W>, direction: &Direction<D>) -> f64 {
        let mut a: f64 = 1e3;
        for (((c, part), y), dy) in s.cones.iter().zip(&self.y).zip(&direction.dy) {
            let dx = part.gather(&direction.dr[*c]);
            a = a.min(longest_step(y, dy)).min(longest_step(&part.gather(&self.r[*c]), &dx));
        }
        a
    }
}

impl<const D: usize> Point<D> {
    /// Of the system, for the `ds` asked for.
    fn set_right_hand_side(&mut self, cones: &[(usize, Part)], ds: &[Soc]) {
        let Self { rhs, rho, scalings, slides, .. } = self;
        match &self.blocks {
            Blocks::Plain(_) => {
                rhs.clone_from(rho);
                for ((((c, part), k), slide), ds) in cones.iter().zip(scalings).zip(slides).zip(ds) {
                    part.scatter(&k.apply(ds), slide, &mut rhs[*c]);
                }
            }
            Blocks::Balanced { a, .. } => {
                rhs.clear();
                rhs.extend(a.iter().zip(rho).map(|(a, rho)| mul(a, rho)));
                for ((c, _), ds) in cones.iter().zip(ds) {
                    (0..D).for_each(|d| rhs[*c][d] += ds[d]);
                }
            }
        }
    }
}

impl<const D: usize> Direction<D> {
    /// Solves for dr and dy.
    fn find<W: Delassus<D> + ?Sized>(
        &mut self,
        s: &mut Scaled<'_, D, W>,
        point: &mut Point<D>,
        accuracy: Accuracy,
    ) -> Option<()> {
        point.set_right_hand_side(&s.cones, &self.ds);
        self.dr.resize(point.rhs.len(), [0.0; D]);
        if !s.system.solve(&point.rhs, accuracy, &mut self.dr) {
            return None;
        }
        self.dy.clear();
        for (((c, part), k), ds) in s.cones.iter().zip(&point.scalings).zip(&self.ds) {
            let sdx = k.apply(&part.gather(&self.dr[*c]));
            self.dy.push(k.apply(&[ds[0] - sdx[0], ds[1] - sdx[1], ds[2] - sdx[2]]));
        }
        Some(())
    }
}
