//! The automatic choice.

use super::{
    Admm, AdmmOptions, Erased, Ipm, IpmOptions, Nsgs, NsgsOptions, Ppn, PpnOptions, Progress, Report, Solver, Status,
    Stop, Unknowns, Watch,
};
use crate::contact_system::{ContactSystem, Form};
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// The options of [`Auto`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct AutoOptions {
    /// Sweeps before the first decision.
    pub first_sweeps: usize,
    /// Factorisations that an interior point is expected to take, for weighing it against more sweeps.
    pub expected_factorisations: f64,
    /// Floating-point operations a second that a factorisation is expected to reach.
    pub flops: f64,
    /// From so many contacts on, multigrid ADMM has its turn before the interior point, where M and H are known.
    pub multigrid_from: usize,
    /// Most contacts for which W is formed and an interior point considered.
    pub interior_point_to: usize,
}

impl Default for AutoOptions {
    fn default() -> Self {
        Self {
            first_sweeps: 60,
            expected_factorisations: 25.0,
            flops: 2e9,
            multigrid_from: 5_000,
            interior_point_to: 200_000,
        }
    }
}

/// Runs a portfolio until the certificate holds: Gauss-Seidel sweeps first, then whatever is expected to be done
/// sooner, more sweeps (from the rate they showed), multigrid ADMM or an interior point (from the work its factor takes),
/// then a proximal Newton for the last digits or out of a jam, both once more with patience, then sweeps to the end of the
/// budget.
///
/// Each stage starts from the best point so far, and `Report::why` tells what was done. Nothing is lost: the best
/// certified point of all stages is returned.
#[derive(Debug, Clone)]
pub struct Auto<const D: usize> {
    options: AutoOptions,
    nsgs: Nsgs<D>,
}

impl<const D: usize> Auto<D> {
    /// A portfolio with these options.
    pub fn new(options: AutoOptions) -> Self {
        Self { options, nsgs: Nsgs::new(NsgsOptions::default()) }
    }
}

impl<const D: usize> Default for Auto<D> {
    fn default() -> Self {
        Self::new(AutoOptions::default())
    }
}

/// What the stages share.
struct Portfolio<'a, 'w, const D: usize, W> {
    problem: &'a LocalProblem<D, W>,
    x: &'a mut Unknowns<D>,
    stop: &'a Stop,
    watch: &'a mut Watch<'w>,
    begun: Instant,
    iterations: usize,
    /// The error that the first stage began with.
    first_error: f64,
    why: Vec<String>,
}

impl<const D: usize, W: Sweep<D> + 'static> Portfolio<'_, '_, D, W> {
    /// Runs one stage from the best point; its answer replaces it only when it is better.
    fn stage(&mut self, solver: &mut dyn Solver<D, W>, max_iterations: usize) -> Report {
        let elapsed = self.begun.elapsed();
        let time_limit = self.stop.time_limit.map(|t| t.saturating_sub(elapsed));
        let left = self.stop.max_iterations.saturating_sub(self.iterations);
        let stop = Stop { max_iterations: max_iterations.min(left), time_limit, ..*self.stop };
        let (before, begun) = (self.iterations, self.begun);
        let watch = &mut *self.watch;
        let first_error = &mut self.first_error;
        let mut shifted = |p: &Progress| {
            if first_error.is_nan() {
                *first_error = p.estimate;
            }
            watch(&Progress { iteration: before + p.iteration, start: begun, ..*p })
        };
        let report = solver.solve(self.problem, self.x, &stop, &mut shifted);
        self.iterations += report.iterations;
        report
    }

    fn say(&mut self, what: &str, report: &Report) {
        let error = report.certificate.error;
        self.why.push(format!("{what}: {} iterations, error {error:.1e}", report.iterations));
    }

    /// Whether the user or a limit ends the whole portfolio.
    fn over(&self, report: &Report) -> Option<Status> {
        match report.status {
            Status::Converged | Status::Interrupted => Some(report.status),
            _ if self.iterations >= self.stop.max_iterations => Some(Status::IterationLimit),
            _ if self.stop.time_limit.is_some_and(|t| self.begun.elapsed() >= t) => Some(Status::TimeLimit),
            _ => None,
        }
    }
}

impl<const D: usize, W: Sweep<D> + 'static> Solver<D, W> for Auto<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let begun = Instant::now();
        let mut p = Portfolio { problem, x, stop, watch, begun, iterations: 0, first_error: f64::NAN, why: Vec::new() };
        let mut report = self.run(&mut p);
        report.iterations = p.iterations;
        report.why = p.why;
        report.elapsed = begun.elapsed();
        report
    }
}

impl<const D: usize> Auto<D> {
    fn run<W: Sweep<D> + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>) -> Report {
        // a cheap start: most small and warm problems end here
        let first = p.stage(&mut self.nsgs, self.options.first_sweeps);
        if let Some(status) = p.over(&first) {
            // a warm step of a simulation ends here and allocates nothing: no words for what the report says anyway
            return Report { status, ..first };
        }
        p.say("gauss-seidel first", &first);
        let costs = self.costs(p);
        let multigrid = self.multigrid_seconds(p);
        let others = Costs::sooner(p.problem.contacts(), costs.as_ref(), multigrid);
        let report = self.sweep_while_it_pays(p, first, others.as_ref());
        if let Some(status) = p.over(&report) {
            return Report { status, ..report };
        }
        if let Some(seconds) = multigrid.filter(|s| costs.as_ref().is_none_or(|c| *s < c.interior_point)) {
            p.why.push(format!("multigrid admm, expected to take {seconds:.1e} s: sweeps would take longer"));
            let report = p.stage(&mut Erased(Admm::multigrid(AdmmOptions::default())), MULTIGRID_ITERATIONS);
            p.say("multigrid admm", &report);
            if let Some(status) = p.over(&report) {
                return Report { status, ..report };
            }
        }
        let Some(costs) = costs else {
            p.why.push(
                "no interior point (Tresca contacts, or a factor of W that would not fit in memory): sweeps alone"
                    .into(),
            );
            return self.sweeps(p);
        };
        p.why
            .push(format!("interior point, expected to take {:.1e} s: sweeps would take longer", costs.interior_point));
        self.second_order(p)
    }

    /// Interior point and proximal Newton in turn, each first as long as it needs when all goes well: where one jams, the
    /// other seldom does. Then sweeps.
    fn second_order<W: Sweep<D> + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>) -> Report {
        for (interior_point, proximal) in [(INTERIOR_POINT_FIRST, PROXIMAL_FIRST), (usize::MAX, usize::MAX)] {
            let report = p.stage(&mut Erased(Ipm::new(IpmOptions::default())), interior_point);
            p.say("interior point", &report);
            if let Some(status) = p.over(&report) {
                return Report { status, ..report };
            }
            p.why.push("rounding or a jam ended the interior point: proximal Newton from the best point".into());
            let report = p.stage(&mut Erased(Ppn::new(PpnOptions::default())), proximal);
            p.say("proximal newton", &report);
            if let Some(status) = p.over(&report) {
                return Report { status, ..report };
            }
        }
        p.why.push("both stalled: sweeps from the best point".into());
        self.sweeps(p)
    }

    /// Sweeps to the end of the budget.
    fn sweeps<W: Sweep<D> + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>) -> Report {
        let report = p.stage(&mut self.nsgs, usize::MAX);
        p.say("gauss-seidel", &report);
        let status = p.over(&report).unwrap_or(report.status);
        Report { status, ..report }
    }

    /// Goes on sweeping in growing chunks while the rate they show promises an end before the interior point's.
    fn sweep_while_it_pays<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        first: Report,
        costs: Option<&Costs>,
    ) -> Report {
        let Some(costs) = costs else { return first };
        let mut last = first;
        let mut before = p.first_error;
        let mut sweeps = self.options.first_sweeps;
        loop {
            // digits gained in the last chunk, digits still to gain; the rate falls, so this is the least that it takes
            let gained = (before / last.certificate.error).ln();
            let missing = (last.certificate.error / p.stop.tolerance).ln();
            let more = if gained > 0.0 { sweeps as f64 * missing / gained } else { f64::INFINITY };
            if more * costs.sweep > costs.interior_point {
                return last;
            }
            sweeps *= 2;
            before = last.certificate.error;
            last = p.stage(&mut self.nsgs, sweeps);
            p.say("more sweeps", &last);
            if p.over(&last).is_some() {
                return last;
            }
        }
    }

    /// What a sweep and an interior point are expected to take; `None` when the latter cannot be had.
    fn costs<W: Sweep<D> + 'static>(&self, p: &Portfolio<'_, '_, D, W>) -> Option<Costs> {
        if !Ipm::knows(&p.problem.cones) || p.problem.contacts() > self.options.interior_point_to {
            return None;
        }
        let system = ContactSystem::new(&p.problem.w, Vec::new(), Form::Auto)?;
        let (contacts, blocks) = (p.problem.contacts() as f64, system.blocks() as f64);
        let flops = system.flops();
        // a small problem is bound by overheads, not by arithmetic
        let factorisation = flops / self.options.flops + 1e-6 * contacts + 1e-8 * blocks;
        // a long row is swept matrix-free where it can be
        let sweep = 5e-8 * contacts + (8e-9 * blocks).min(1e-7 * contacts);
        Some(Costs { sweep, interior_point: self.options.expected_factorisations * factorisation })
    }
}

/// Iterations of an interior point and of a proximal Newton after which the other is tried.
const INTERIOR_POINT_FIRST: usize = 60;
const PROXIMAL_FIRST: usize = 400;
/// Iterations of multigrid ADMM after which something else is tried.
const MULTIGRID_ITERATIONS: usize = 600;
/// A tolerance below which redundant contacts (walls) make multigrid ADMM slow.
const TIGHT: f64 = 1e-5;

impl<const D: usize> Auto<D> {
    /// What multigrid ADMM is expected to take, a setup and some iterations; `None` when it is not worth trying.
    fn multigrid_seconds<W: Sweep<D> + 'static>(&self, p: &Portfolio<'_, '_, D, W>) -> Option<f64> {
        let contacts = p.problem.contacts();
        if p.problem.w.bodies().is_none() || contacts < self.options.multigrid_from {
            return None;
        }
        let bodies = p.problem.w.state_len() as f64 / if D == 2 { 3.0 } else { 6.0 };
        let redundant = contacts as f64 > 8.0 * bodies;
        let iterations = if redundant && p.stop.tolerance < TIGHT { 400.0 } else { 80.0 };
        Some(contacts as f64 * (3e-6 + 3e-7 * iterations))
    }
}

impl Costs {
    /// The costs with the sooner of the two in the place of the interior point.
    fn sooner(contacts: usize, costs: Option<&Costs>, multigrid: Option<f64>) -> Option<Costs> {
        let sweep = costs.map_or(1e-7 * contacts as f64, |c| c.sweep);
        let seconds = costs.map(|c| c.interior_point).into_iter().chain(multigrid).reduce(f64::min)?;
        Some(Costs { sweep, interior_point: seconds })
    }
}

/// Expected seconds. From counts alone, never from a clock: the same problem takes the same path on every run.
struct Costs {
    sweep: f64,
    interior_point: f64,
}
