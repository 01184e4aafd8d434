//! Expected seconds, from counts alone, never from a clock: the same problem takes the same path on every run.

use super::super::Ipm;
use super::AutoOptions;
use crate::cone::Cone;
use crate::contact_system::{ContactSystem, Form};
use crate::operator::Sweep;
use crate::problem::LocalProblem;

/// What each method is expected to take.
pub(super) struct Costs {
    /// One sweep.
    pub sweep: f64,
    /// An interior point to the end; `None` when it cannot be had.
    pub interior_point: Option<f64>,
    /// Multigrid ADMM to the end; `None` when it is not worth trying.
    pub multigrid: Option<f64>,
}

/// A tolerance below which redundant contacts (walls) make multigrid ADMM slow.
const TIGHT: f64 = 1e-5;

impl Costs {
    pub fn of<const D: usize, W: Sweep<D> + 'static>(
        options: &AutoOptions,
        problem: &LocalProblem<D, W>,
        tolerance: f64,
    ) -> Self {
        let contacts = problem.contacts() as f64;
        let system = (Ipm::knows(&problem.cones) && problem.contacts() <= options.interior_point_to)
            .then(|| ContactSystem::new(&problem.w, Vec::new(), Form::Auto))
            .flatten();
        // assembled rows have a block for every neighbour; matrix-free ones touch two bodies, as dear as some blocks
        let neighbours = match &system {
            Some(system) if problem.w.bodies().is_none() => system.blocks() as f64 / contacts,
            _ if D == 2 => 4.0,
            _ => 12.0,
        };
        let interior_point = system.map(|system| {
            // a small problem is bound by overheads, not by arithmetic
            let factorisation = system.flops() / options.flops + 8e-7 * contacts + 1e-8 * system.blocks() as f64;
            options.factorisations(tolerance) * factorisation
        });
        let one_contact = if rolls(&problem.cones) { 1e-6 } else { 4e-8 };
        let sweep = contacts * (one_contact + 6e-9 * neighbours);
        Self { sweep, interior_point, multigrid: multigrid(options, problem, tolerance) }
    }

    /// The sooner of the methods that are not sweeps.
    pub fn others(&self) -> Option<f64> {
        self.interior_point.into_iter().chain(self.multigrid).reduce(f64::min)
    }
}

/// Whether there is rolling friction: one such contact takes many times as long as one without.
pub(super) fn rolls(cones: &[Cone]) -> bool {
    cones.iter().any(|c| matches!(c, Cone::Rolling { .. }))
}

impl AutoOptions {
    /// Factorisations that an interior point is expected to take: some for the active set, one more for each digit.
    fn factorisations(&self, tolerance: f64) -> f64 {
        self.expected_factorisations + (1e-4 / tolerance).log10().max(0.0)
    }
}

/// What multigrid ADMM is expected to take: a setup and some iterations.
fn multigrid<const D: usize, W: Sweep<D> + 'static>(
    options: &AutoOptions,
    problem: &LocalProblem<D, W>,
    tolerance: f64,
) -> Option<f64> {
    let contacts = problem.contacts();
    if problem.w.bodies().is_none() || contacts < options.multigrid_from {
        return None;
    }
    let bodies = problem.w.state_len() as f64 / if D == 2 { 3.0 } else { 6.0 };
    let redundant = contacts as f64 > 8.0 * bodies;
    let iterations = if redundant && tolerance < TIGHT { 400.0 } else { 80.0 };
    Some(contacts as f64 * (2e-6 + 1.3e-7 * iterations))
}
