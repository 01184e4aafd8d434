//! The nonsymmetric quadratic program.

use super::{Halt, QpError, QpStatus, check_square, dot};
use crate::block::norm;
use crate::matrix::{Dense, DenseLu};
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// Find x and $\lambda$ with
/// $$ A x + b + N^\top \lambda = 0, \qquad 0 \le \lambda \perp g - G x \ge 0. $$
///
/// With A symmetric and N = G these are the KKT conditions of $\min \frac12 x \cdot A x + b \cdot x$ over
/// $G x \le g$. Friction needs both generalisations: a sliding contact pushes back along the normal of the friction
/// polygon (N) while the polygon grows with the normal impulse, which tilts its faces (G).
#[derive(Debug, Clone, PartialEq)]
pub struct NonsymmetricQp {
    a: Dense,
    b: Vec<f64>,
    gm: Dense,
    g: Vec<f64>,
    nm: Dense,
}

/// The options of [`NonsymmetricQp::solve`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct NonsymmetricOptions {
    /// The certificate's error must come down to this.
    pub tolerance: f64,
    /// Most changes of the active set.
    pub max_iterations: usize,
}

impl Default for NonsymmetricOptions {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 1000 }
    }
}

/// The end of a solve.
#[derive(Debug, Clone, PartialEq)]
pub struct NonsymmetricSolution {
    /// The point.
    pub x: Vec<f64>,
    /// The multiplier of each constraint.
    pub lambda: Vec<f64>,
    /// How it ended.
    pub status: QpStatus,
    /// Changes of the active set.
    pub iterations: usize,
    /// `(|A x + b + N^T lambda| / a + |min(lambda / a, g - G x)|) / max(|b| / a, sqrt(eps) |x|)`, a the largest entry
    /// of A in size; meant for rows of G and N of length near one.
    pub error: f64,
}

impl NonsymmetricQp {
    /// `g_rows` is G, `n_rows` is N (of the same shape).
    pub fn new(a: Dense, b: Vec<f64>, g_rows: Dense, g: Vec<f64>, n_rows: Dense) -> Result<Self, QpError> {
        check_square(&a, b.len())?;
        for (m, what_rows, what_cols) in
            [(&g_rows, "rows of G", "columns of G"), (&n_rows, "rows of N", "columns of N")]
        {
            if m.rows() != g.len() {
                return Err(QpError::Size { what: what_rows, found: m.rows(), expected: g.len() });
            }
            if m.cols() != b.len() {
                return Err(QpError::Size { what: what_cols, found: m.cols(), expected: b.len() });
            }
            if let Some(row) = (0..m.rows()).find(|&i| m.row(i).iter().any(|x| !x.is_finite())) {
                return Err(QpError::NotFinite { what: "G or N", row });
            }
        }
        for (what, v) in [("b", &b), ("g", &g)] {
            if let Some(row) = v.iter().position(|x| !x.is_finite()) {
                return Err(QpError::NotFinite { what, row });
            }
        }
        Ok(Self { a, b, gm: g_rows, g, nm: n_rows })
    }

    /// `g - G x`.
    fn room(&self, x: &[f64]) -> Vec<f64> {
        self.gm.mul(x).iter().zip(&self.g).map(|(gx, g)| g - gx).collect()
    }

    /// The certificate of any (x, lambda).
    pub fn error(&self, x: &[f64], lambda: &[f64]) -> f64 {
        let mut force: Vec<f64> = self.a.mul(x).iter().zip(&self.b).map(|(a, b)| a + b).collect();
        for (k, l) in lambda.iter().enumerate() {
            force.iter_mut().zip(self.nm.row(k)).for_each(|(f, n)| *f += l * n);
        }
        let a = if self.a.max_abs() > 0.0 { self.a.max_abs() } else { 1.0 };
        let least = |l: f64, room: f64| if l / a < room { l / a } else { room };
        let map: Vec<f64> = lambda.iter().zip(self.room(x)).map(|(&l, room)| least(l, room)).collect();
        let size = (norm(&self.b) / a).max(f64::EPSILON.sqrt() * norm(x));
        let off = norm(&force) / a + norm(&map);
        if size > 0.0 { off / size } else { off }
    }

    /// An active set method from `start`, which must satisfy `G x <= g`.
    ///
    /// Each round solves the nonsymmetric KKT system of the active constraints, walks towards its solution and takes in
    /// the constraint met first; arrived, it drops the most negative multiplier. Finite for A with positive definite
    /// symmetric part and N = G without degeneracy. With N different from G there is no proof (nor uniqueness); a
    /// cycle ends at the limit and is reported.
    ///
    /// # Reference
    /// Fletcher 1971, "A general quadratic programming algorithm", generalised to nonsymmetric A as in [C, section 4.3].
    pub fn solve(&self, start: &[f64], options: &NonsymmetricOptions) -> NonsymmetricSolution {
        self.solve_until(start, options, &mut |_| false)
    }

    /// The same, asking after every change of the active set whether to stop.
    pub fn solve_until(
        &self,
        start: &[f64],
        options: &NonsymmetricOptions,
        halt: &mut Halt<'_>,
    ) -> NonsymmetricSolution {
        let mut x = start.to_vec();
        let mut lambda = vec![0.0; self.g.len()];
        let mut active: Vec<usize> = Vec::new();
        let mut status = QpStatus::IterationLimit;
        let mut iterations = 0;
        while iterations < options.max_iterations {
            if iterations > 0 && halt(iterations) {
                status = QpStatus::Interrupted;
                break;
            }
            iterations += 1;
            let Some((target, forces)) = self.on_active(&active) else {
                status = QpStatus::Stalled;
                break;
            };
            let (t, blocking) = self.first_constraint(&x, &target, &active);
            x.iter_mut().zip(&target).for_each(|(x, y)| *x += t * (y - *x));
            if let Some(k) = blocking {
                active.push(k);
                continue;
            }
            x = target;
            let least = (0..active.len()).min_by(|&i, &j| forces[i].total_cmp(&forces[j]));
            match least.filter(|&k| forces[k] < 0.0) {
                Some(k) => _ = active.remove(k),
                None => {
                    active.iter().zip(&forces).for_each(|(&k, l)| lambda[k] = *l);
                    status = QpStatus::Solved;
                    break;
                }
            }
        }
        let error = self.error(&x, &lambda);
        // written so that NaN is no solution
        if status == QpStatus::Solved && !matches!(error.partial_cmp(&options.tolerance), Some(o) if o.is_le()) {
            status = QpStatus::Stalled;
        }
        NonsymmetricSolution { x, lambda, status, iterations, error }
    }

    /// `[A N_a^T; G_a 0] (x, lambda) = (-b, g_a)`.
    fn on_active(&self, active: &[usize]) -> Option<(Vec<f64>, Vec<f64>)> {
        let n = self.b.len();
        let size = n + active.len();
        let k = Dense::from_fn(size, size, |i, j| match (i < n, j < n) {
            (true, true) => self.a.row(i)[j],
            (true, false) => self.nm.row(active[j - n])[i],
            (false, true) => self.gm.row(active[i - n])[j],
            (false, false) => 0.0,
        });
        let rhs: Vec<f64> = self.b.iter().map(|b| -b).chain(active.iter().map(|&c| self.g[c])).collect();
        let mut x = DenseLu::new(k.clone())?.solve_refined(&k, &rhs);
        let forces = x.split_off(n);
        Some((x, forces))
    }

    /// The part of the way to the target that the constraints allow, and the one that ends it.
    fn first_constraint(&self, x: &[f64], target: &[f64], active: &[usize]) -> (f64, Option<usize>) {
        let d: Vec<f64> = target.iter().zip(x).map(|(y, x)| y - x).collect();
        let (mut t, mut blocking) = (1.0, None);
        for (k, room) in self.room(x).into_iter().enumerate().filter(|(k, _)| !active.contains(k)) {
            let rate = dot(self.gm.row(k), &d);
            // a constraint that the target meets up to rounding does not stop anything
            let slack = 1e-14 * (self.g[k].abs() + norm(self.gm.row(k)) * norm(target));
            if rate > 0.0 && room - rate < -slack && room.max(0.0) / rate < t {
                (t, blocking) = (room.max(0.0) / rate, Some(k));
            }
        }
        (t, blocking)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symmetric_one_is_an_ordinary_qp() {
        // min (x-2)^2/2 + (y-2)^2/2 over x <= 1, x + y <= 2: x = y = 1
        let a = Dense::from_rows(&[&[1.0, 0.0], &[0.0, 1.0]]).unwrap();
        let g = Dense::from_rows(&[&[1.0, 0.0], &[1.0, 1.0]]).unwrap();
        let qp = NonsymmetricQp::new(a, vec![-2.0, -2.0], g.clone(), vec![1.0, 2.0], g).unwrap();
        let s = qp.solve(&[0.0, 0.0], &NonsymmetricOptions::default());
        assert_eq!(s.status, QpStatus::Solved);
        assert!((s.x[0] - 1.0).abs() + (s.x[1] - 1.0).abs() < 1e-14 && s.error < 1e-14);
        let short = NonsymmetricOptions { max_iterations: 1, ..Default::default() };
        assert_eq!(qp.solve(&[0.0, 0.0], &short).status, QpStatus::IterationLimit);
    }

    #[test]
    fn bad_data_are_refused() {
        let one = || Dense::from_rows(&[&[1.0]]).unwrap();
        assert!(NonsymmetricQp::new(one(), vec![f64::NAN], one(), vec![1.0], one()).is_err());
        assert!(NonsymmetricQp::new(one(), vec![1.0], Dense::zeros(1, 2), vec![1.0], one()).is_err());
        assert!(NonsymmetricQp::new(one(), vec![1.0], one(), vec![f64::NAN], one()).is_err());
    }
}
