//! Newton, interior point and proximal Newton in turn.

use super::super::{Formulation, Ipm, IpmOptions, Nsn, NsnOptions, Ppn, PpnOptions, Report};
use super::costs::System;
use super::gradients::{JAMMED, descend_while_it_pays};
use super::portfolio::Portfolio;
use super::shared::{Method, Shared};
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use std::ops::ControlFlow;

/// Below so many contacts in space Newton is tried before the interior point, so many iterations at most and only while two of
/// them halve the error: where it converges it takes four, and where it does not, that is soon seen.
const NEWTON: (usize, usize) = (100, 12);
/// Iterations, in all and without a smaller error, of an interior point that begins near the answer: what ends takes up to 28, with a
/// smaller error in every sixth at the latest.
const NEAR: (usize, usize) = (30, 8);
/// The same of one that begins afar: up to 42, in every ninth.
const AFAR: (usize, usize) = (45, 10);
/// What may be left of the error of one that made something of its start.
const PROGRESS: f64 = 0.1;
/// The same where all starts are tried.
const PATIENT: (usize, usize) = (usize::MAX, 60);
/// The same of a proximal Newton, at first.
const PROXIMAL: (usize, usize) = (100, 40);

/// The second-order methods on one problem.
pub(super) struct SecondOrder<'s, 'a, const D: usize> {
    pub problem: &'a LocalProblem<D, dyn Sweep<D>>,
    /// What all of them factor.
    pub system: &'s mut Option<System<'a, D>>,
    /// Accelerated gradients that take as long as a factorisation, where they may help out of a jam.
    pub gradients: Option<f64>,
    /// The error of the point they begin from.
    pub before: f64,
}

impl<const D: usize> SecondOrder<'_, '_, D> {
    /// The methods in turn, each first as long as it needs when all goes well: where one jams, another seldom does. Breaks where one ends
    /// the portfolio.
    pub fn run<W: Sweep<D> + 'static>(mut self, p: &mut Portfolio<'_, '_, D, W>) -> ControlFlow<Report> {
        if D == 3 && p.problem.contacts() < NEWTON.0 {
            self.newton(p)?;
        }
        let taken = self.interior_point(p)?;
        if let Some(gradients) = self.gradients {
            let report = descend_while_it_pays(p, gradients * taken as f64, JAMMED);
            p.unless_over(report)?;
        }
        self.proximal_newton(p, PROXIMAL)?;
        self.stage(p, "interior point", afar(), PATIENT)?;
        self.proximal_newton(p, (usize::MAX, usize::MAX))?;
        ControlFlow::Continue(())
    }

    fn newton<W: Sweep<D> + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>) -> ControlFlow<Report> {
        let options = NsnOptions { hybrid_sweeps: 0, rescues: 0, ..NsnOptions::default() };
        let method = Method::Newton(Nsn::new(Formulation::AlartCurnier, options));
        let Self { problem, system, .. } = self;
        let report = p.stage_while_halving(&mut Shared { method, problem, system }, NEWTON.1);
        p.say("newton", &report);
        self.before = p.unless_over(report)?.certificate.error;
        ControlFlow::Continue(())
    }

    /// From the best point where that is near, and from afar unless that has made something of it; returns the iterations taken.
    fn interior_point<W: Sweep<D> + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>) -> ControlFlow<Report, usize> {
        let near = Method::InteriorPoint(Ipm::new(IpmOptions { starts: Vec::new(), ..IpmOptions::default() }));
        let Self { problem, system, .. } = self;
        let report = p.stage_unless_jammed(&mut Shared { method: near, problem, system }, NEAR);
        let taken = report.iterations;
        if taken > 0 {
            p.say("interior point from here", &report);
        }
        let report = p.unless_over(report)?;
        if report.certificate.error <= PROGRESS * self.before {
            return ControlFlow::Continue(taken);
        }
        let report = self.stage(p, "interior point", afar(), AFAR)?;
        ControlFlow::Continue(taken + report.iterations)
    }

    fn proximal_newton<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        limits: (usize, usize),
    ) -> ControlFlow<Report, Report> {
        p.why.push("rounding or a jam ended the interior point: proximal Newton from the best point");
        self.stage(p, "proximal newton", Method::ProximalNewton(Ppn::new(PpnOptions::default())), limits)
    }

    fn stage<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        name: &'static str,
        method: Method,
        limits: (usize, usize),
    ) -> ControlFlow<Report, Report> {
        let Self { problem, system, .. } = self;
        let report = p.stage_unless_jammed(&mut Shared { method, problem, system }, limits);
        p.say(name, &report);
        p.unless_over(report)
    }
}

/// An interior point that begins anew.
fn afar() -> Method {
    Method::InteriorPoint(Ipm::new(IpmOptions { near: [0.0; 2], ..IpmOptions::default() }))
}
