//! The whole problem in the plane as one complementarity problem.

use super::judge::Judge;
use super::{Report, Solver, Status, Stop, Unknowns, Watch};
use crate::cone::{Cone, Disc};
use crate::lcp::{LcpProblem, LcpStatus, Lemke, LemkeOptions};
use crate::matrix::{Dense, DenseLu};
use crate::operator::Delassus;
use crate::problem::LocalProblem;

/// The most unknowns of the complementarity problem: its tableau then takes 64 MB.
pub const MAX_LEMKE_UNKNOWNS: usize = 2000;

/// In the plane the friction cone is polyhedral, so Coulomb's law is exactly an LCP in
/// $(r_N, \beta^+, \beta^-, \lambda)$ with $r_T = \beta^+ - \beta^-$ a contact, solved by [`Lemke`] at once.
///
/// Copositive, so the path ends in a solution whenever q pushes no contact against the rest (W r = 0 impulses do no
/// work on q), whatever the friction: for high mu, where Gauss-Seidel may cycle, it is the reference. Work grows like
/// the cube of the contacts. Joints are eliminated first; a singular W of the joints, a ray, or more than
/// [`MAX_LEMKE_UNKNOWNS`] unknowns end as `Stalled` with the start untouched, and the report says which.
/// Iterations are pivots; all limits are looked at after every one of them, and met before the last they leave the start.
///
/// # Reference
/// Klarbring 1986; Stewart & Trinkle 1996; [C, section 4.2].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lemke2d {
    options: LemkeOptions,
}

/// One unknown of the complementarity problem.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// An impulse: `sign` times row `row` of W.
    Impulse { row: usize, sign: f64, contact: usize },
    /// The sliding speed of a contact.
    Speed { contact: usize },
}

/// The friction disc of a contact that rubs.
fn rubbing(cone: &Cone) -> Option<Disc> {
    let [t, _] = cone.discs::<2>();
    (!matches!(cone, Cone::Bilateral) && (t.slope > 0.0 || t.radius > 0.0)).then_some(t)
}

fn parts(cones: &[Cone]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (contact, cone) in cones.iter().enumerate().filter(|(_, c)| !matches!(c, Cone::Bilateral)) {
        parts.push(Part::Impulse { row: 2 * contact, sign: 1.0, contact });
        if rubbing(cone).is_some() {
            for sign in [1.0, -1.0] {
                parts.push(Part::Impulse { row: 2 * contact + 1, sign, contact });
            }
            parts.push(Part::Speed { contact });
        }
    }
    parts
}

/// W and q with the joints eliminated; `r_J = -(joint_q + joint_w r)`.
struct Condensed {
    w: Dense,
    q: Vec<f64>,
    joints: Vec<usize>,
    joint_w: Vec<Vec<f64>>,
    joint_q: Vec<f64>,
}

/// `None` when W of the joints is singular.
fn condense(mut w: Dense, mut q: Vec<f64>, cones: &[Cone]) -> Option<Condensed> {
    let is_joint = |i: &usize| matches!(cones[*i / 2], Cone::Bilateral);
    // rows that are zero throughout are padding
    let joints: Vec<usize> =
        (0..q.len()).filter(is_joint).filter(|&i| q[i] != 0.0 || w.row(i).iter().any(|x| *x != 0.0)).collect();
    if joints.is_empty() {
        return Some(Condensed { w, q, joints, joint_w: Vec::new(), joint_q: Vec::new() });
    }
    let lu = DenseLu::new(w.part(&joints, &joints))?;
    let joint_q = lu.solve(&joints.iter().map(|&j| q[j]).collect::<Vec<_>>());
    let columns: Vec<Vec<f64>> =
        (0..q.len()).map(|k| lu.solve(&joints.iter().map(|&j| w.row(j)[k]).collect::<Vec<_>>())).collect();
    for i in (0..q.len()).filter(|i| !is_joint(i)) {
        let through: Vec<f64> = joints.iter().map(|&j| w.row(i)[j]).collect();
        let dot = |x: &[f64]| through.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
        q[i] -= dot(&joint_q);
        for k in 0..columns.len() {
            w.row_mut(i)[k] -= dot(&columns[k]);
        }
    }
    Some(Condensed { w, q, joints, joint_w: columns, joint_q })
}

impl Lemke2d {
    /// A solver with these options.
    pub fn new(options: LemkeOptions) -> Self {
        Self { options }
    }

    /// Unknowns of the complementarity problem; more than [`MAX_LEMKE_UNKNOWNS`] are not tried.
    pub fn unknowns<W: Delassus<2>>(problem: &LocalProblem<2, W>) -> usize {
        parts(&problem.cones).len()
    }

    /// r of the complementarity problem, the status and the pivots; or why it cannot be set up.
    fn answer<W: Delassus<2>>(
        &self,
        problem: &LocalProblem<2, W>,
        halt: &mut dyn FnMut(usize) -> bool,
    ) -> Result<(Vec<[f64; 2]>, LcpStatus, usize), String> {
        let parts = parts(&problem.cones);
        if parts.len() > MAX_LEMKE_UNKNOWNS || problem.contacts() > MAX_LEMKE_UNKNOWNS {
            return Err(format!("{} unknowns, more than the {MAX_LEMKE_UNKNOWNS} that are pivoted", parts.len()));
        }
        let assembled = problem.w.assemble().ok_or("W would not fit in memory")?;
        let w = Dense::from(&assembled.to_csr());
        let c = condense(w, problem.q.as_flattened().to_vec(), &problem.cones).ok_or("W of the joints is singular")?;
        // impulses scaled to velocities, so that speeds and impulses mix
        let scale = (0..c.q.len()).map(|i| c.w.row(i)[i].abs()).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let disc = |contact: usize| rubbing(&problem.cones[contact]);
        let m = Dense::from_fn(parts.len(), parts.len(), |i, j| match (parts[i], parts[j]) {
            (Part::Impulse { row, sign, .. }, Part::Impulse { row: k, sign: s, .. }) => {
                sign * s * c.w.row(row)[k] / scale
            }
            (Part::Impulse { row, contact, .. }, Part::Speed { contact: k }) => {
                f64::from(u8::from(contact == k && row % 2 == 1))
            }
            (Part::Speed { contact }, Part::Impulse { row, contact: k, .. }) if contact == k => {
                if row % 2 == 1 {
                    -1.0
                } else {
                    disc(contact).map_or(0.0, |d| d.slope)
                }
            }
            _ => 0.0,
        });
        let q = parts.iter().map(|p| match *p {
            Part::Impulse { row, sign, .. } => sign * c.q[row],
            Part::Speed { contact } => disc(contact).map_or(0.0, |d| d.radius * scale),
        });
        let lcp = LcpProblem::new(m, q.collect()).map_err(|e| e.to_string())?;
        let found = Lemke::new(self.options.clone()).solve_until(&lcp, halt);
        let mut r = vec![0.0; c.q.len()];
        for (p, z) in parts.iter().zip(&found.z) {
            if let Part::Impulse { row, sign, .. } = p {
                r[*row] += sign * z / scale;
            }
        }
        let forces: Vec<f64> = (0..c.joints.len())
            .map(|a| -c.joint_q[a] - r.iter().zip(&c.joint_w).map(|(r, column)| column[a] * r).sum::<f64>())
            .collect();
        c.joints.iter().zip(forces).for_each(|(&j, f)| r[j] = f);
        Ok((r.as_chunks::<2>().0.to_vec(), found.status, found.iterations))
    }
}

impl<W: Delassus<2>> Solver<2, W> for Lemke2d {
    fn solve(
        &mut self,
        problem: &LocalProblem<2, W>,
        x: &mut Unknowns<2>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let mut judge = Judge::new(problem, x, stop);
        let error = judge.error(x);
        if let Some(status) = judge.verdict(error, 0, watch) {
            return judge.finish(x, status, 0);
        }
        let mut halted = None;
        let answer = self.answer(problem, &mut |pivots| {
            halted = judge.halt(pivots, watch);
            halted.is_some()
        });
        let (r, status, pivots) = match answer {
            Ok(answer) => answer,
            Err(why) => return Report { why: why.into(), ..judge.finish(x, Status::Stalled, 0) },
        };
        if let Some(status) = halted {
            return judge.finish(x, status, pivots);
        }
        x.r = r;
        let error = judge.error(x);
        let status = match (error <= stop.tolerance, status) {
            (true, _) => Status::Converged,
            (_, LcpStatus::IterationLimit) => Status::IterationLimit,
            _ => Status::Stalled,
        };
        judge.finish(x, status, pivots)
    }
}
