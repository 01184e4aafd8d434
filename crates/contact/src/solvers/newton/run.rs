//! What the Newton solvers share: the certified best iterate, the limits, the watcher, the sweeps of Gauss-Seidel.

use super::super::nsgs::sweep_once;
use super::super::{Flow, Progress, Report, Status, Stop, Unknowns, Watch, Why};
use super::Formulation;
use super::linear_system::LinearSystem;
use crate::block::add;
use crate::certificate::{Certificate, Scales};
use crate::cone::Cone;
use crate::contact_system::{ContactSystem, Form};
use crate::one_contact::alart_curnier::Linearised;
use crate::operator::{Delassus, Sweep};
use crate::problem::LocalProblem;
use std::time::Instant;

/// One solve.
pub(super) struct Run<'p, 'a, 'w, const D: usize, W: ?Sized> {
    problem: &'p LocalProblem<D, W>,
    stop: &'a Stop,
    watch: &'a mut Watch<'w>,
    scales: Scales,
    start: Instant,
    pub rows: Rows<D>,
    /// State of a matrix-free operator.
    v: Vec<f64>,
    best: Vec<[f64; D]>,
    best_error: f64,
    /// Factorisations and sweeps so far.
    pub iteration: usize,
    /// Iteration of the best iterate.
    best_iteration: usize,
    /// The last iteration that the watcher saw.
    announced: Option<usize>,
}

/// Constants of every contact.
pub(super) struct Rows<const D: usize> {
    formulation: Formulation,
    /// `1 / W` in the sense of the formulation.
    pub rho: Vec<[f64; D]>,
    /// Weights M of the proximal term: the mean diagonal of W on normal and tangential rows, of W_RR on rolling rows.
    pub weights: Vec<[f64; D]>,
    /// `1 / unit` of an impulse row: 1, and the inverse of a length for moments, so that norms can be added.
    units: Vec<[f64; D]>,
}

impl<const D: usize> Rows<D> {
    fn new<W: Delassus<D> + ?Sized>(problem: &LocalProblem<D, W>, formulation: Formulation, scales: &Scales) -> Self {
        // an entry of W far below the mean would make rho overshoot
        let floor = 1e-3 * scales.impulse;
        let mut rows = Self { formulation, rho: Vec::new(), weights: Vec::new(), units: Vec::new() };
        for (c, cone) in problem.cones.iter().enumerate() {
            let w = problem.w.diagonal(c);
            rows.rho.push(formulation.step_sizes(&w, cone, floor));
            let (mut weight, mut unit) = ([scales.impulse; D], [1.0; D]);
            if matches!(cone, Cone::Rolling { .. }) {
                for d in cone.discs::<D>()[1].rows() {
                    weight[d] /= scales.length * scales.length;
                    unit[d] /= scales.length;
                }
            }
            rows.weights.push(weight);
            rows.units.push(unit);
        }
        rows
    }

    /// Phi, A and B of every contact.
    pub fn linearise(&self, cones: &[Cone], r: &[[f64; D]], u: &[[f64; D]], parts: &mut Vec<Linearised<D>>) {
        parts.clear();
        for (c, cone) in cones.iter().enumerate() {
            parts.push(self.formulation.linearise(cone, &self.rho[c], &r[c], &u[c]));
        }
    }

    /// `|Phi|` in one unit.
    pub fn size_of_phi(&self, parts: &[Linearised<D>]) -> f64 {
        self.norm(parts.iter().map(|l| l.phi))
    }

    /// The norm of impulses, moments divided by the length.
    pub fn norm(&self, impulses: impl Iterator<Item = [f64; D]>) -> f64 {
        let mut sum = 0.0;
        for (unit, x) in self.units.iter().zip(impulses) {
            (0..D).for_each(|d| sum += (unit[d] * x[d]).powi(2));
        }
        sum.sqrt()
    }
}

impl<'p, 'a, 'w, const D: usize, W: Delassus<D> + ?Sized> Run<'p, 'a, 'w, D, W> {
    pub fn new(
        problem: &'p LocalProblem<D, W>,
        formulation: Formulation,
        x: &mut Unknowns<D>,
        stop: &'a Stop,
        watch: &'a mut Watch<'w>,
    ) -> Self {
        let n = problem.contacts();
        x.r.resize(n, [0.0; D]);
        x.u.resize(n, [0.0; D]);
        let start = stop.start();
        let scales = Scales::of(problem);
        let rows = Rows::new(problem, formulation, &scales);
        let v = vec![0.0; problem.w.state_len()];
        let best = vec![[0.0; D]; n];
        let (best_error, best_iteration, announced) = (f64::INFINITY, 0, None);
        Self { problem, stop, watch, scales, start, rows, v, best, best_error, iteration: 0, best_iteration, announced }
    }

    pub fn cones(&self) -> &'p [Cone] {
        &self.problem.cones
    }

    /// `u = W r + q + alpha M (r - centre)` from `wr = W r`.
    pub fn shifted_velocity(
        &self,
        r: &[[f64; D]],
        wr: &[[f64; D]],
        alpha: f64,
        centre: &[[f64; D]],
        u: &mut Vec<[f64; D]>,
    ) {
        u.clear();
        for c in 0..r.len() {
            let mut x = add(&wr[c], &self.problem.q[c]);
            if alpha > 0.0 {
                (0..D).for_each(|d| x[d] += alpha * self.rows.weights[c][d] * (r[c][d] - centre[c][d]));
            }
            u.push(x);
        }
    }

    /// Size of rounding in Phi: `eps (|r| + |rho q|)`.
    pub fn rounding(&self, r: &[[f64; D]]) -> f64 {
        let free = self.rows.rho.iter().zip(&self.problem.q).map(|(rho, q)| std::array::from_fn(|d| rho[d] * q[d]));
        f64::EPSILON * (self.rows.norm(r.iter().copied()) + self.rows.norm(free))
    }

    /// Certifies r with `u = W r + q`, keeping the best.
    pub fn check(&mut self, r: &[[f64; D]], u: &[[f64; D]]) -> f64 {
        let error = self.scales.error(self.stop.measure, &self.problem.cones, r, u);
        if error < self.best_error {
            self.best_error = error;
            self.best.copy_from_slice(r);
            self.best_iteration = self.iteration;
        }
        error
    }

    /// Error of the best iterate.
    pub fn best_error(&self) -> f64 {
        self.best_error
    }

    /// Goes back to the best iterate.
    pub fn recall(&self, r: &mut [[f64; D]]) {
        r.copy_from_slice(&self.best);
    }

    /// Iterations since the best iterate.
    pub fn since_best(&self) -> usize {
        self.iteration - self.best_iteration
    }

    /// Tells the watcher and compares with the limits.
    pub fn verdict(&mut self, error: f64) -> Option<Status> {
        let mut flow = Flow::Continue;
        if self.announced != Some(self.iteration) {
            self.announced = Some(self.iteration);
            let (iteration, start) = (self.iteration, self.start);
            flow = (self.watch)(&Progress { iteration, error: Some(error), estimate: error, start });
        }
        if self.best_error <= self.stop.tolerance {
            Some(Status::Converged)
        } else if !self.best_error.is_finite() {
            Some(Status::Diverged)
        } else if flow == Flow::Stop {
            Some(Status::Interrupted)
        } else {
            self.stop.limit(self.iteration, self.start)
        }
    }

    /// The best iterate with its certificate.
    pub fn finish(mut self, x: &mut Unknowns<D>, status: Status) -> Report {
        if self.best_error.is_finite() {
            x.r.copy_from_slice(&self.best);
        } else {
            x.r.fill([0.0; D]);
        }
        self.problem.velocity(&x.r, &mut x.u, &mut self.v);
        let certificate = Certificate::new(self.problem, &self.scales, self.stop.measure, &x.r, &x.u);
        Report { status, iterations: self.iteration, certificate, elapsed: self.start.elapsed(), why: Why::default() }
    }

    /// Whether so many operations may end within the time that is left.
    pub fn leaves_time_for(&self, flops: f64) -> bool {
        self.stop.leaves_time_for(flops, self.start)
    }

    /// Ends before anything was factored; the reason goes into the report.
    pub fn refuse(self, x: &mut Unknowns<D>, (status, reason): (Status, Option<String>)) -> Report {
        Report { why: reason.map(Why::from).unwrap_or_default(), ..self.finish(x, status) }
    }

    /// The scratch of a solve when every law is treated, a factor fits in memory, and the start x.r is not the end; on a
    /// `system` that may have been analysed already.
    pub fn scratch(
        &mut self,
        formulation: Formulation,
        form: Form,
        system: Option<ContactSystem<'p, D, W>>,
        x: &mut Unknowns<D>,
    ) -> Result<Scratch<'p, D, W>, (Status, Option<String>)> {
        if let Some((c, cone)) = self.problem.cones.iter().enumerate().find(|(_, cone)| !formulation.treats(cone)) {
            let why =
                format!("{formulation:?} has no function for the law of contact {c}, {cone:?}; take nsn-ac or nsn-nm");
            return Err((Status::Unsupported, Some(why)));
        }
        // an analysis may take longer than there is time, and a start that holds needs none
        self.problem.velocity(&x.r, &mut x.u, &mut self.v);
        let error = self.check(&x.r, &x.u);
        if let Some(status) = self.verdict(error) {
            return Err((status, None));
        }
        let system = system.or_else(|| ContactSystem::new(&self.problem.w, form));
        let too_large =
            || (Status::Unsupported, Some("no factor of W would fit in memory; try nsgs or aclm".to_string()));
        let system = system.ok_or_else(too_large)?;
        let zero = vec![[0.0; D]; self.problem.contacts()];
        Ok(Scratch {
            system: LinearSystem::new(system),
            wr: zero.clone(),
            u: zero.clone(),
            trial: zero.clone(),
            dr: zero.clone(),
            centre: zero,
            parts: Vec::new(),
        })
    }
}

/// A solve by `newton` on a system that may have been analysed already, and is when this returns, unless it cannot be.
pub(super) fn solve_on<'a, const D: usize, W: Sweep<D> + ?Sized>(
    (formulation, form): (Formulation, Form),
    problem: &'a LocalProblem<D, W>,
    system: &mut Option<ContactSystem<'a, D, W>>,
    x: &mut Unknowns<D>,
    stop: &Stop,
    watch: &mut Watch<'_>,
    newton: impl FnOnce(&mut Run<'_, '_, '_, D, W>, &mut Unknowns<D>, &mut Scratch<'_, D, W>) -> Status,
) -> Report {
    let mut run = Run::new(problem, formulation, x, stop, watch);
    let mut scratch = match run.scratch(formulation, form, system.take(), x) {
        Ok(scratch) => scratch,
        Err(ended) => return run.refuse(x, ended),
    };
    let status = newton(&mut run, x, &mut scratch);
    *system = Some(scratch.system.into_system());
    run.finish(x, status)
}

/// Scratch of the Newton loops: the system, the iterate, a trial and their linearisations.
pub(super) struct Scratch<'a, const D: usize, W: ?Sized> {
    pub system: LinearSystem<'a, D, W>,
    pub wr: Vec<[f64; D]>,
    pub u: Vec<[f64; D]>,
    pub trial: Vec<[f64; D]>,
    pub dr: Vec<[f64; D]>,
    /// The centre of a proximal term.
    pub centre: Vec<[f64; D]>,
    pub parts: Vec<Linearised<D>>,
}

impl<const D: usize, W: Delassus<D> + ?Sized> Scratch<'_, D, W> {
    /// The certified error of r.
    pub fn certify(&mut self, run: &mut Run<'_, '_, '_, D, W>, r: &[[f64; D]]) -> f64 {
        self.system.apply(r, &mut self.wr);
        run.shifted_velocity(r, &self.wr, 0.0, &[], &mut self.u);
        run.check(r, &self.u)
    }

    /// `|Phi|` at r with the proximal term of this alpha, and its linearisation; `wr` must be `W r`.
    pub fn evaluate(&mut self, run: &Run<'_, '_, '_, D, W>, r: &[[f64; D]], alpha: f64) -> f64 {
        run.shifted_velocity(r, &self.wr, alpha, &self.centre, &mut self.u);
        run.rows.linearise(run.cones(), r, &self.u, &mut self.parts);
        run.rows.size_of_phi(&self.parts)
    }

    /// The same at the trial `r + a dr`.
    pub fn try_step(&mut self, run: &Run<'_, '_, '_, D, W>, r: &[[f64; D]], a: f64, alpha: f64) -> f64 {
        for ((trial, r), dr) in self.trial.iter_mut().zip(r).zip(&self.dr) {
            *trial = std::array::from_fn(|d| r[d] + a * dr[d]);
        }
        self.system.apply(&self.trial, &mut self.wr);
        let trial = std::mem::take(&mut self.trial);
        let size = self.evaluate(run, &trial, alpha);
        self.trial = trial;
        size
    }
}

impl<const D: usize, W: Sweep<D> + ?Sized> Run<'_, '_, '_, D, W> {
    /// Sweeps of Gauss-Seidel from x.r; a status when a limit of the run is met.
    ///
    /// x.r becomes the last iterate, not the best: another point to start Newton from is what a rescue is for.
    pub fn sweeps(&mut self, sweeps: usize, x: &mut Unknowns<D>) -> Option<Status> {
        self.problem.w.load(&x.r, &mut self.v);
        for _ in 0..sweeps {
            sweep_once(self.problem, &mut x.r, &mut self.v);
            self.iteration += 1;
            self.problem.velocity(&x.r, &mut x.u, &mut self.v);
            let error = self.check(&x.r, &x.u);
            if let Some(status) = self.verdict(error) {
                return Some(status);
            }
        }
        None
    }
}
