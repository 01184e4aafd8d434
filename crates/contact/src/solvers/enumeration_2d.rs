//! Every combination of statuses in the plane.

use super::judge::Judge;
use super::{Report, Solver, Status, Stop, Unknowns, Watch};
use crate::cone::Cone;
use crate::matrix::{Dense, DenseLu};
use crate::operator::Delassus;
use crate::problem::LocalProblem;
use documented::DocumentedFields;
use serde::{Deserialize, Serialize};

/// The most contacts that are enumerated unless told otherwise: 4^8 = 65,536 combinations with Coulomb's law.
pub const MAX_ENUMERATED_CONTACTS: usize = 8;

/// Tries open, stick and the two slips at every contact: each combination is one linear system, and the certificate
/// judges its answer.
///
/// Finds a solution whenever one has a nonsingular system, whatever the friction. More contacts than
/// [`Enumeration2dOptions::max_contacts`] end as `Stalled` at once. Iterations are combinations.
///
/// # Reference
/// Klarbring 1990, "Examples of non-uniqueness and non-existence of solutions to quasistatic contact problems with
/// friction".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Enumeration2d {
    options: Enumeration2dOptions,
}

/// The options of [`Enumeration2d`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Enumeration2dOptions {
    /// The most contacts that are tried: `4^n` combinations with Coulomb's law.
    pub max_contacts: usize,
}

impl Default for Enumeration2dOptions {
    fn default() -> Self {
        Self { max_contacts: MAX_ENUMERATED_CONTACTS }
    }
}

impl Enumeration2d {
    /// A solver with these options.
    pub fn new(options: Enumeration2dOptions) -> Self {
        Self { options }
    }
}

/// What a contact may do: two linear equations.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Equations {
    /// `u_N = 0`, or else `r_N = 0`.
    closed: bool,
    tangent: Tangent,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Tangent {
    /// `u_T = 0`.
    Stick,
    /// `r_T = slope r_N + constant`.
    Given { slope: f64, constant: f64 },
}

const NOTHING: Tangent = Tangent::Given { slope: 0.0, constant: 0.0 };

/// The statuses of a law.
fn statuses(cone: &Cone) -> Vec<Equations> {
    let [t, _] = cone.discs::<2>();
    if matches!(cone, Cone::Bilateral) {
        return vec![Equations { closed: true, tangent: Tangent::Stick }];
    }
    let slips = [1.0, -1.0].map(|s| Tangent::Given { slope: s * t.slope, constant: s * t.radius });
    let mut all = Vec::new();
    for closed in [false, true] {
        let moves = if t.radius > 0.0 || (closed && t.slope > 0.0) {
            vec![Tangent::Stick, slips[0], slips[1]]
        } else {
            vec![NOTHING]
        };
        all.extend(moves.into_iter().map(|tangent| Equations { closed, tangent }));
    }
    all
}

/// The system of one combination; rows of zeros (padding of joints) become `r = 0`.
fn system(w: &Dense, q: &[f64], chosen: &[Equations]) -> (Dense, Vec<f64>) {
    let n = q.len();
    let mut a = Dense::zeros(n, n);
    let mut b = vec![0.0; n];
    for (c, e) in chosen.iter().enumerate() {
        let (i, j) = (2 * c, 2 * c + 1);
        for (row, velocity) in [(i, e.closed), (j, e.tangent == Tangent::Stick)] {
            if velocity && w.row(row).iter().any(|x| *x != 0.0) {
                a.row_mut(row).copy_from_slice(w.row(row));
                b[row] = -q[row];
            } else {
                a.row_mut(row)[row] = w.max_abs();
            }
        }
        if let Tangent::Given { slope, constant } = e.tangent {
            a.row_mut(j)[i] = -slope * w.max_abs();
            b[j] = constant * w.max_abs();
        }
    }
    (a, b)
}

impl<W: Delassus<2>> Solver<2, W> for Enumeration2d {
    fn solve(
        &mut self,
        problem: &LocalProblem<2, W>,
        x: &mut Unknowns<2>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let mut judge = Judge::new(problem, x, stop);
        let mut error = judge.error(x);
        if let Some(status) = judge.verdict(error, 0, watch) {
            return judge.finish(x, status, 0);
        }
        // beyond thirty the count would leave the integers, and the time the age of the universe
        let most = self.options.max_contacts.min(30);
        let w = match problem.w.assemble() {
            Some(w) if problem.contacts() <= most => Dense::from(&w.to_csr()),
            _ => {
                let why = format!("{} contacts, more than the {most} that are enumerated", problem.contacts());
                return Report { why: why.into(), ..judge.finish(x, Status::Stalled, 0) };
            }
        };
        let choices: Vec<Vec<Equations>> = problem.cones.iter().map(statuses).collect();
        let count: usize = choices.iter().map(Vec::len).product();
        for k in 0..count {
            // the digits of k, one contact each
            let mut rest = k;
            let chosen: Vec<Equations> = choices
                .iter()
                .map(|c| {
                    let e = c[rest % c.len()];
                    rest /= c.len();
                    e
                })
                .collect();
            let (a, b) = system(&w, problem.q.as_flattened(), &chosen);
            let Some(lu) = DenseLu::new(a.clone()) else {
                // a singular one was tried too
                match judge.halt(k + 1, watch) {
                    Some(status) => return judge.finish(x, status, k + 1),
                    None => continue,
                }
            };
            x.r.as_flattened_mut().copy_from_slice(&lu.solve_refined(&a, &b));
            let reached = judge.error(x);
            // a nearly singular system is not the end of the search
            error = if reached.is_finite() { reached } else { f64::MAX };
            if let Some(status) = judge.verdict(error, k + 1, watch) {
                return judge.finish(x, status, k + 1);
            }
        }
        let status = if judge.best_error <= stop.tolerance { Status::Converged } else { Status::Stalled };
        judge.finish(x, status, count)
    }
}
