//! One iteration of ADMM, with the shift of every contact given or followed.

use super::super::Stop;
use super::acceleration::{Acceleration, Outcome};
use super::metric::{Kind, Metric, NoMetric};
use super::penalty::Penalty;
use crate::block::{add, dot, sub};
use crate::cone::Cone;
use crate::matrix::Csr;
use crate::operator::Delassus;
use crate::problem::LocalProblem;
use std::time::Instant;

/// The iterates. Solves the second-order cone program `min 1/2 r'Wr + (q + s N)'r, r in K` when s stands still.
#[derive(Debug, Default)]
pub(crate) struct Alternating<const D: usize> {
    pub penalty: Penalty,
    metric: Metric,
    /// M, where it is known.
    mass: Option<Csr>,
    /// The impulse, in its cone.
    pub r: Vec<[f64; D]>,
    /// The velocity `H^T v + q` of the quadratic half.
    pub u: Vec<[f64; D]>,
    /// The shift of every contact's normal velocity.
    pub s: Vec<f64>,
    /// The reflected impulse that drives the quadratic half.
    e: Vec<[f64; D]>,
    /// `v = M^-1 H lambda`, or lambda where only W is known.
    v: Vec<f64>,
    g: Vec<f64>,
    scratch: Vec<[f64; D]>,
    acceleration: Acceleration,
    packed: Vec<f64>,
}

impl<const D: usize> Alternating<D> {
    /// Starts at r, whose velocity is u, with a shift of s; nothing is set up yet.
    pub fn begin<W: Delassus<D> + ?Sized>(
        &mut self,
        problem: &LocalProblem<D, W>,
        penalty: Penalty,
        (r, u): (&[[f64; D]], &[[f64; D]]),
    ) {
        self.penalty = penalty;
        self.metric = Metric::None;
        self.r.clear();
        self.r.extend_from_slice(r);
        self.e.clear();
        self.e.extend_from_slice(r);
        self.u.clear();
        self.u.extend_from_slice(u);
        self.s.clear();
        self.s.resize(r.len(), 0.0);
        self.v.clear();
        if let Some(bodies) = problem.w.bodies() {
            self.mass = Some(bodies.mass());
            self.v.resize(problem.w.state_len(), 0.0);
            bodies.response(r, &mut self.v);
        } else {
            self.v.extend(r.iter().flatten());
        }
        self.g.resize(self.v.len(), 0.0);
        self.scratch.resize(r.len(), [0.0; D]);
    }

    /// Makes the metric that of the penalty, if there is none yet.
    ///
    /// A factor that would still be on its way when the time since `start` is up is not begun.
    pub fn set_up<W: Delassus<D> + ?Sized>(
        &mut self,
        kind: Kind,
        problem: &LocalProblem<D, W>,
        (stop, start): (&Stop, Instant),
    ) -> Result<(), NoMetric> {
        if matches!(self.metric, Metric::None) {
            let entries = stop.most_entries(self.v.len(), start);
            self.metric = Metric::new(kind, problem, &self.penalty, entries)?;
        }
        Ok(())
    }

    /// A new rho for all contacts.
    pub fn set_rho(&mut self, rho: f64) {
        self.penalty.rho = rho;
        self.restart(|metric| metric.set_rho(rho));
    }

    /// The penalties of the contacts changed one by one.
    pub fn renew(&mut self) {
        self.restart(|_| false);
    }

    /// Starts from the impulse itself: the reflection belonged to other sets.
    pub fn reflect_anew(&mut self) {
        self.e.copy_from_slice(&self.r);
    }

    /// The reflection belonged to the old penalty.
    fn restart(&mut self, keep: impl FnOnce(&mut Metric) -> bool) {
        if !keep(&mut self.metric) {
            self.metric = Metric::None;
        }
        self.e.copy_from_slice(&self.r);
        self.acceleration.clear();
    }

    /// Accelerates from here on, with so many columns.
    pub fn accelerate(&mut self, depth: usize, damping: f64) {
        let measured = self.s.len() * (2 * D + 1);
        self.acceleration.begin(depth, damping, measured, measured + self.v.len());
        let mut x = std::mem::take(&mut self.acceleration.x);
        self.pack(&mut x);
        self.acceleration.x = x;
    }

    /// The iterate as one vector: `r / sqrt(rho), sqrt(rho) u, sqrt(rho) s, v`.
    fn pack(&self, out: &mut Vec<f64>) {
        let root = self.penalty.rho.sqrt();
        out.clear();
        out.extend(self.r.iter().flatten().map(|r| r / root));
        out.extend(self.u.iter().flatten().map(|u| u * root));
        out.extend(self.s.iter().map(|s| s * root));
        out.extend_from_slice(&self.v);
    }

    fn unpack(&mut self, x: &[f64]) {
        let (root, n) = (self.penalty.rho.sqrt(), self.s.len());
        let (r, rest) = x.split_at(n * D);
        let (u, rest) = rest.split_at(n * D);
        let (s, v) = rest.split_at(n);
        self.r.as_flattened_mut().iter_mut().zip(r).for_each(|(a, b)| *a = b * root);
        self.u.as_flattened_mut().iter_mut().zip(u).for_each(|(a, b)| *a = b / root);
        self.s.iter_mut().zip(s).for_each(|(a, b)| *a = b / root);
        self.v.copy_from_slice(v);
    }

    /// Moves the iterate to where the acceleration wants it.
    pub fn accelerated(&mut self) {
        let (mut packed, mut acceleration) = (std::mem::take(&mut self.packed), std::mem::take(&mut self.acceleration));
        self.pack(&mut packed);
        match acceleration.advance(&packed) {
            Outcome::Accelerated => self.unpack(&acceleration.x),
            Outcome::Plain => acceleration.x.copy_from_slice(&packed),
            Outcome::TakenBack => {
                self.unpack(&acceleration.g);
                acceleration.x.copy_from_slice(&acceleration.g);
            }
        }
        (self.packed, self.acceleration) = (packed, acceleration);
    }

    /// One iteration; `project(cone, z, r)` is the projection of z on the set of a contact, in units where rotations
    /// are velocities, and `shift(c, u)` the next shift. Returns `|r - r_before|`.
    ///
    /// Step 1, `r <- P(r - rho (u + s N))`; step 2, `e = 2 r - r_before - rho (s_next - s) N`; step 3,
    /// `v += K^-1 (H e - M v)`, `u = H^T v + q`.
    pub fn step<W: Delassus<D> + ?Sized>(
        &mut self,
        problem: &LocalProblem<D, W>,
        cones: &[Cone],
        project: impl Fn(&Cone, &[f64; D], &[f64; D]) -> [f64; D],
        shift: impl Fn(usize, &[f64; D]) -> f64,
    ) -> f64 {
        let mut moved = 0.0;
        for c in 0..cones.len() {
            moved += self.project(c, &cones[c], &project, &shift);
        }
        self.move_velocity(problem);
        moved.sqrt()
    }

    #[inline(always)]
    fn project(
        &mut self,
        c: usize,
        cone: &Cone,
        project: &impl Fn(&Cone, &[f64; D], &[f64; D]) -> [f64; D],
        shift: &impl Fn(usize, &[f64; D]) -> f64,
    ) -> f64 {
        let rho = self.penalty.rho * self.penalty.t(c);
        let (units, old) = (self.penalty.units::<D>(cone), self.r[c]);
        let next = shift(c, &self.u[c]);
        // in units where rotations are velocities: r / S, S u
        let from: [f64; D] = std::array::from_fn(|d| old[d] / units[d]);
        let mut z: [f64; D] = std::array::from_fn(|d| from[d] - rho * units[d] * self.u[c][d]);
        z[0] -= rho * self.s[c];
        let p = if self.penalty.length == 1.0 {
            project(cone, &z, &from)
        } else {
            project(&cone.rescaled(1.0, self.penalty.length), &z, &from)
        };
        let new: [f64; D] = std::array::from_fn(|d| p[d] * units[d]);
        self.e[c] = std::array::from_fn(|d| 2.0 * new[d] - old[d]);
        self.e[c][0] -= rho * (next - self.s[c]);
        self.s[c] = next;
        self.r[c] = new;
        let dr = sub(&new, &old);
        dot(&dr, &dr)
    }

    fn move_velocity<W: Delassus<D> + ?Sized>(&mut self, problem: &LocalProblem<D, W>) {
        let w = &problem.w;
        if matches!(self.metric, Metric::Local(_)) {
            for (c, e) in self.e.iter().enumerate() {
                let weights = self.penalty.weights::<D>(&problem.cones, c);
                for d in 0..D {
                    self.g[c * D + d] = (e[d] - self.v[c * D + d]) / (self.penalty.rho * weights[d]);
                }
            }
            self.metric.solve_add(&mut self.g, &mut self.v);
            self.scratch.as_flattened_mut().copy_from_slice(&self.v);
            problem.velocity(&self.scratch, &mut self.u, &mut []);
            return;
        }
        let Some(bodies) = w.bodies() else { return };
        // the operator gives M^-1 H e
        bodies.response(&self.e, &mut self.g);
        self.g.iter_mut().zip(&self.v).for_each(|(g, v)| *g -= v);
        if let Some(mass) = &self.mass {
            mul_in_place(mass, &mut self.g);
        }
        self.metric.solve_add(&mut self.g, &mut self.v);
        bodies.relative_velocity(&self.v, &mut self.u);
        self.u.iter_mut().zip(&problem.q).for_each(|(u, q)| *u = add(u, q));
    }
}

/// `x = M x` for an M whose blocks are runs of at most 24 rows near the diagonal.
fn mul_in_place(m: &Csr, x: &mut [f64]) {
    // diagonal for most bodies; otherwise a copy
    let diagonal = m.nnz() == m.rows() && m.columns().iter().enumerate().all(|(i, &j)| i == j as usize);
    if diagonal {
        x.iter_mut().zip(m.values()).for_each(|(x, m)| *x *= m);
    } else {
        let y = m.mul(x);
        x.copy_from_slice(&y);
    }
}
