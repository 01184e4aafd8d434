//! The quadratic half of an iteration: the velocity that minimises energy plus penalty.
//!
//! With `K = M + rho H T H^T` it moves by `v += K^-1 (H e - M v)` (f and w sit in q), and so does any symmetric
//! preconditioner in the place of `K^-1`. Where only W is known the same step reads, with `R = rho T`,
//! `lambda += (W + R^-1)^-1 R^-1 (e - lambda)`, `u = W lambda + q`.

use super::penalty::Penalty;
use crate::cholesky::{Cholesky, NoFactor};
use crate::cone::rolls;
use crate::matrix::{Csr, Triplet};
use crate::multigrid::Hierarchy;
use crate::operator::{Bodies, Delassus};
use crate::problem::LocalProblem;
use std::borrow::Cow;

/// Entries of a factor that still fit in memory (8 bytes each).
const MOST_ENTRIES: usize = 500_000_000;

/// How the system with K is solved.
#[derive(Debug, Default)]
pub(crate) enum Metric {
    /// Not yet set up.
    #[default]
    None,
    /// A factor of K.
    Bodies(Cholesky),
    /// A factor of `W + R^-1`.
    Local(Cholesky),
    /// One cycle for bodies in space.
    Space(Box<Hierarchy<6>>),
    /// One cycle for bodies in the plane.
    Plane(Box<Hierarchy<3>>),
}

/// Which of them is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A factorisation, of whatever form the operator has.
    Factor,
    /// One multigrid cycle.
    Cycle,
}

/// Why there is no metric.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NoMetric {
    /// Its factor would take longer than there is time.
    OutOfTime,
    /// For a reason that a user can read.
    Because(Cow<'static, str>),
}

const TOO_LARGE: NoMetric =
    NoMetric::Because(Cow::Borrowed("the factor of M + rho H H^T would not fit in memory; try mg-admm or nsgs"));
const INDEFINITE: NoMetric = NoMetric::Because(Cow::Borrowed(
    "W + I / rho is not positive definite, and so W is not: check its signs; nsgs needs no factor",
));
const NO_BODIES: NoMetric = NoMetric::Because(Cow::Borrowed(
    "multigrid needs M and H behind W: open the global form of the problem, matrix-free; an assembled W no longer has \
     them, and admm works without",
));

impl Metric {
    /// Sets up for a penalty, with a factor of at most `entries`; the error says what is missing.
    pub fn new<const D: usize, W: Delassus<D> + ?Sized>(
        kind: Kind,
        problem: &LocalProblem<D, W>,
        penalty: &Penalty,
        entries: usize,
    ) -> Result<Self, NoMetric> {
        let most = entries.min(MOST_ENTRIES);
        let refused = |why: NoFactor| match why {
            NoFactor::NotDefinite => INDEFINITE,
            NoFactor::TooLarge if entries < MOST_ENTRIES => NoMetric::OutOfTime,
            NoFactor::TooLarge => TOO_LARGE,
        };
        match (kind, problem.w.bodies()) {
            (Kind::Factor, Some(bodies)) => {
                let k = penalised_mass(bodies, problem, penalty);
                Cholesky::within(&k, most).map(Metric::Bodies).map_err(refused)
            }
            (Kind::Factor, None) => {
                let mut k = Triplet::from(&problem.w.assemble().ok_or(TOO_LARGE)?.to_csr());
                for c in 0..problem.contacts() {
                    let weights = penalty.weights::<D>(&problem.cones, c);
                    (0..D).for_each(|d| k.push(c * D + d, c * D + d, 1.0 / (penalty.rho * weights[d])));
                }
                Cholesky::within(&Csr::from(&k), most).map(Metric::Local).map_err(refused)
            }
            (Kind::Cycle, None) => Err(NO_BODIES),
            (Kind::Cycle, Some(bodies)) => {
                let (n, weights) = (problem.contacts(), |c: usize| penalty.weights::<D>(&problem.cones, c));
                let plane = D == 2 || (D == 3 && rolls(&problem.cones));
                if plane {
                    let hierarchy = Hierarchy::new(bodies, n, penalty.rho, &weights);
                    hierarchy.map(|h| Metric::Plane(Box::new(h))).map_err(|e| NoMetric::Because(e.to_string().into()))
                } else {
                    let hierarchy = Hierarchy::new(bodies, n, penalty.rho, &weights);
                    hierarchy.map(|h| Metric::Space(Box::new(h))).map_err(|e| NoMetric::Because(e.to_string().into()))
                }
            }
        }
    }

    /// Takes over a new rho with the same t, if that can be had without a new setup.
    pub fn set_rho(&mut self, rho: f64) -> bool {
        match self {
            Metric::Space(h) => h.set_rho(rho),
            Metric::Plane(h) => h.set_rho(rho),
            _ => return false,
        }
        true
    }

    /// `x += K^-1 g`; `g` is scratch afterwards.
    pub fn solve_add(&mut self, g: &mut [f64], x: &mut [f64]) {
        match self {
            Metric::None => {}
            Metric::Bodies(factor) | Metric::Local(factor) => {
                factor.solve_in_place(g);
                x.iter_mut().zip(g).for_each(|(x, g)| *x += *g);
            }
            Metric::Space(h) => h.cycle(g, x),
            Metric::Plane(h) => h.cycle(g, x),
        }
    }
}

/// `M + rho H T H^T`, its lower triangle.
fn penalised_mass<const D: usize, W: ?Sized>(
    bodies: &dyn Bodies<D>,
    problem: &LocalProblem<D, W>,
    penalty: &Penalty,
) -> Csr {
    let mut k = Triplet::from(&bodies.mass());
    let mut rows: [Vec<(usize, f64)>; D] = std::array::from_fn(|_| Vec::new());
    for c in 0..problem.cones.len() {
        rows.iter_mut().for_each(Vec::clear);
        bodies.jacobian(c, &mut |d, i, x| rows[d].push((i, x)));
        let weights = penalty.weights::<D>(&problem.cones, c);
        for (row, t) in rows.iter().zip(weights) {
            for (i, x) in row {
                for (j, y) in row.iter().filter(|(j, _)| j <= i) {
                    k.push(*i, *j, penalty.rho * t * x * y);
                }
            }
        }
    }
    Csr::from(&k)
}
