//! The best iterate, its certificate and the report: what the solvers of the plane share.

use super::{Flow, Progress, Report, Status, Stop, Unknowns, Watch, Why};
use crate::certificate::{Certificate, Scales};
use crate::operator::Delassus;
use crate::problem::LocalProblem;
use std::time::Instant;

/// Certifies iterates and keeps the best of them.
pub(super) struct Judge<'a, const D: usize, W: ?Sized> {
    problem: &'a LocalProblem<D, W>,
    stop: &'a Stop,
    scales: Scales,
    start: Instant,
    v: Vec<f64>,
    best: Vec<[f64; D]>,
    pub best_error: f64,
}

impl<'a, const D: usize, W: Delassus<D> + ?Sized> Judge<'a, D, W> {
    /// Starts the clock; the start itself has yet to be judged.
    pub fn new(problem: &'a LocalProblem<D, W>, x: &mut Unknowns<D>, stop: &'a Stop) -> Self {
        let n = problem.contacts();
        x.r.resize(n, [0.0; D]);
        x.u.resize(n, [0.0; D]);
        let v = vec![0.0; problem.w.state_len()];
        let (scales, best) = (Scales::of(problem), vec![[0.0; D]; n]);
        Self { problem, stop, scales, start: stop.start(), v, best, best_error: f64::INFINITY }
    }

    /// Sets `x.u = W r + q` and returns the error.
    pub fn error(&mut self, x: &mut Unknowns<D>) -> f64 {
        self.problem.velocity(&x.r, &mut x.u, &mut self.v);
        let error = self.scales.error(self.stop.measure, &self.problem.cones, &x.r, &x.u);
        if error < self.best_error {
            self.best_error = error;
            self.best.copy_from_slice(&x.r);
        }
        error
    }

    /// Whether to end after this iterate.
    pub fn verdict(&self, error: f64, iteration: usize, watch: &mut Watch<'_>) -> Option<Status> {
        let flow = watch(&Progress { iteration, error: Some(error), estimate: error, start: self.start });
        if error <= self.stop.tolerance {
            Some(Status::Converged)
        } else if !error.is_finite() {
            Some(Status::Diverged)
        } else if flow == Flow::Stop {
            Some(Status::Interrupted)
        } else {
            self.stop.limit(iteration, self.start)
        }
    }

    /// Whether to end on the way, between two iterates that can be judged.
    pub fn halt(&self, iteration: usize, watch: &mut Watch<'_>) -> Option<Status> {
        let flow = watch(&Progress { iteration, error: None, estimate: self.best_error, start: self.start });
        if flow == Flow::Stop { Some(Status::Interrupted) } else { self.stop.limit(iteration, self.start) }
    }

    /// Puts the best iterate into x and reports.
    pub fn finish(mut self, x: &mut Unknowns<D>, status: Status, iterations: usize) -> Report {
        x.r.copy_from_slice(&self.best);
        self.problem.velocity(&x.r, &mut x.u, &mut self.v);
        let certificate = Certificate::new(self.problem, &self.scales, self.stop.measure, &x.r, &x.u);
        Report { status, iterations, certificate, elapsed: self.start.elapsed(), why: Why::default() }
    }
}
