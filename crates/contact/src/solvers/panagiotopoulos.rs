//! Alternating normal and tangential problems.

use super::admm::{ConvexAdmm, ConvexMethod};
use super::course::{Course, Memory, Step};
use super::{Report, Solver, Stop, Unknowns, Watch};
use crate::block::{Block, add, dot, mul, norm, sub};
use crate::cone::{Cone, Disc};
use crate::one_contact::{Exact, OneContact};
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};

/// The options of [`Panagiotopoulos`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct PanagiotopoulosOptions {
    /// Most sweeps over either problem before the other has its turn; none by default: 20, or 100 iterations of ADMM.
    pub sweeps: Option<usize>,
    /// A problem gives way once a sweep moves less than this part of its first one; none by default: 0.1, or 0.01 with
    /// ADMM, whose first moves say little.
    pub inner: Option<f64>,
    /// What solves the two convex problems: sweeps, or ADMM with one factor for both.
    pub method: ConvexMethod,
}

impl PanagiotopoulosOptions {
    /// The most sweeps and the part of the first move.
    fn turn(&self) -> (usize, f64) {
        let (sweeps, inner) = match self.method {
            ConvexMethod::Own => (20, 0.1),
            ConvexMethod::Admm => (100, 0.01),
        };
        (self.sweeps.unwrap_or(sweeps), self.inner.unwrap_or(inner))
    }
}

/// Solves the normal problem with friction fixed, then the tangential one with bounds `mu r_N` fixed, and repeats.
///
/// Both are convex, and solved by projected Gauss-Seidel sweeps: one normal impulse at a time, one disc at a time.
/// Converges for small friction and weak coupling of normal and tangential directions; steep friction can make it
/// cycle. An iteration is one sweep over one of the two problems.
///
/// # Reference
/// Panagiotopoulos, A nonlinear programming approach to the unilateral contact and friction boundary value problem in
/// the theory of elasticity, Ing.-Archiv 44, 1975; [D, PANA-*].
#[derive(Debug, Default)]
pub struct Panagiotopoulos<const D: usize> {
    options: PanagiotopoulosOptions,
    memory: Memory<D>,
    admm: ConvexAdmm<D>,
}

/// A copy begins with room of its own.
impl<const D: usize> Clone for Panagiotopoulos<D> {
    fn clone(&self) -> Self {
        Self::new(self.options.clone())
    }
}

impl<const D: usize> Panagiotopoulos<D> {
    /// A solver with these options.
    pub fn new(options: PanagiotopoulosOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

/// Whose turn it is, and since when.
struct Turn {
    normal: bool,
    sweeps: usize,
    first_move: f64,
}

impl<const D: usize, W: Sweep<D> + ?Sized> Solver<D, W> for Panagiotopoulos<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let Self { options, memory, admm } = self;
        let (most, part) = options.turn();
        // what is frozen is read off the iterates, which acceleration would move
        admm.begin(false);
        let mut turn = Turn { normal: true, sweeps: 0, first_move: 0.0 };
        // the first move of the other problem's last turn: neither moving is a stall
        let mut before = f64::INFINITY;
        Course::begin(problem, stop, memory, x).run(x, watch, |course, x, _| {
            let moved = match options.method {
                ConvexMethod::Own => {
                    let moved = course.half_sweep(turn.normal, &mut x.r);
                    course.velocity(&x.r, &mut x.u);
                    moved
                }
                ConvexMethod::Admm => {
                    if turn.sweeps == 0 && course.iteration > 0 {
                        admm.sets_changed();
                    }
                    let part = |cone: &Cone, z: &[f64; D], old: &[f64; D]| project_part(cone, turn.normal, z, old);
                    match admm.step(course, x, &problem.cones, part, |_, _| 0.0) {
                        Ok(moved) => moved,
                        Err(end) => return end,
                    }
                }
            };
            if turn.sweeps == 0 {
                turn.first_move = moved;
            }
            turn.sweeps += 1;
            if moved <= part * turn.first_move || turn.sweeps >= most {
                let either = turn.first_move.max(before);
                before = turn.first_move;
                turn = Turn { normal: !turn.normal, sweeps: 0, first_move: 0.0 };
                return Step::by(either);
            }
            Step::TAKEN
        })
    }
}

/// The nearest point to z of the half-line of normal impulses with friction as in `old`, or of the discs with the
/// normal impulse as in `old`.
fn project_part<const D: usize>(cone: &Cone, normal: bool, z: &[f64; D], old: &[f64; D]) -> [f64; D] {
    if matches!(cone, Cone::Bilateral) {
        return *z;
    }
    let mut p = if normal { *old } else { *z };
    p[0] = if normal { z[0].max(0.0) } else { old[0] };
    if !normal {
        for disc in cone.discs::<D>().iter().filter(|d| d.len > 0) {
            let (length, limit) = (norm(&z[disc.rows()]), disc.limit(old[0]));
            if length > limit {
                disc.rows().for_each(|k| p[k] *= limit / length);
            }
        }
    }
    p
}

/// Solves the normal or the tangential part of contact c; joints are solved whole by both.
pub(super) fn relax_part<const D: usize, W: Sweep<D> + ?Sized>(
    p: &LocalProblem<D, W>,
    normal: bool,
    c: usize,
    r: &mut [[f64; D]],
    v: &mut [f64],
) -> f64 {
    let (w, cone, old) = (p.w.diagonal(c), &p.cones[c], r[c]);
    let free = add(&p.q[c], &p.w.row_of_others(c, r, v));
    let mut new = old;
    if matches!(cone, Cone::Bilateral) {
        Exact.solve(&w, &free, cone, &mut new);
    } else if normal {
        let u_n = free[0] + dot(&w[0], &old);
        new[0] = (old[0] - u_n / w[0][0]).max(0.0);
    } else {
        cone.discs::<D>().iter().filter(|d| d.len > 0).for_each(|d| project_disc(&w, &free, d, &mut new));
    }
    let dr = sub(&new, &old);
    p.w.push(c, &dr, v);
    r[c] = new;
    dot(&dr, &dr)
}

/// One projected gradient step of a disc, with the step of its own block of W.
fn project_disc<const D: usize>(w: &Block<D>, free: &[f64; D], disc: &Disc, r: &mut [f64; D]) {
    let u = add(free, &mul(w, r));
    // the largest row sum bounds the largest eigenvalue of the block
    let row = |i: usize| disc.rows().map(|j| w[i][j].abs()).sum::<f64>();
    let bound = disc.rows().map(row).fold(0.0, f64::max);
    if bound > 0.0 {
        disc.rows().for_each(|k| r[k] -= u[k] / bound);
    }
    let (length, limit) = (norm(&r[disc.rows()]), disc.limit(r[0]));
    if length > limit {
        disc.rows().for_each(|k| r[k] *= limit / length);
    }
}
