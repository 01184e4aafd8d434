//! Newton, interior point and proximal Newton in turn.

use super::super::{Anderson, Formulation, Ipm, IpmOptions, Nsn, NsnOptions, Ppn, PpnOptions, Report};
use super::costs::{System, TIGHT};
use super::gradients::{FEW, JAMMED, JAMMED_ONCE, descend_while_it_pays};
use super::portfolio::Portfolio;
use super::shared::{Method, Shared};
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use std::ops::ControlFlow;

/// Below so many contacts in space Newton is tried before the interior point, so many iterations at most and only while two of
/// them halve the error: where it converges it takes four, and where it does not, that is soon seen. From a larger error than this it
/// hardly ever does.
const NEWTON: (usize, usize) = (100, 12);
const NEWTON_FROM: f64 = 1e-2;
/// Iterations, in all and without a smaller error, of an interior point that begins near the answer: what ends takes up to 28, with a
/// smaller error in every sixth at the latest.
const NEAR: (usize, usize) = (28, 7);
/// The same of one that begins afar: up to 42, in every ninth.
const AFAR: (usize, usize) = (45, 10);
/// The same where all starts are tried, each as long as the interior point itself thinks fit: none may come to more than the first.
const PATIENT: (usize, usize) = (usize::MAX, usize::MAX);
/// The same of a proximal Newton, at first.
const PROXIMAL: (usize, usize) = (100, 40);
/// An error from which on the point that an interior point leaves is polished, and the steps that may take while two of them halve it.
const POLISH: (f64, usize) = (1e-6, 6);
/// What may be left of the error of an interior point that made something of its start, and of sweeps that are worth another try.
const PROGRESS: f64 = 0.1;
const BETTER: f64 = 0.3;

/// What may help an interior point out of a jam, and how much of it takes as long as a factorisation.
pub(super) enum Rescue {
    /// Accelerated sweeps, and another interior point from where they come to: in packings.
    Sweeps(f64),
    /// Accelerated gradients.
    Gradients(f64),
    /// Nothing that is known.
    None,
}

/// The second-order methods on one problem.
pub(super) struct SecondOrder<'s, 'a, const D: usize> {
    pub problem: &'a LocalProblem<D, dyn Sweep<D>>,
    /// What all of them factor.
    pub system: &'s mut Option<System<'a, D>>,
    pub sweeps: &'s mut Anderson<D>,
    /// Accelerated gradients that take as long as an interior point, where they come first.
    pub few: Option<f64>,
    pub rescue: Rescue,
    /// The error of the point they begin from.
    pub before: f64,
    /// Starts of an interior point afar that were tried.
    pub tried: usize,
}

/// What an interior point came to.
struct Interior {
    taken: usize,
    /// Whether it made something of its start.
    gained: bool,
}

impl<const D: usize> SecondOrder<'_, '_, D> {
    /// The methods in turn, each first as long as it needs when all goes well: where one jams, another seldom does. Breaks where one ends
    /// the portfolio.
    pub fn run<W: Sweep<D> + 'static>(mut self, p: &mut Portfolio<'_, '_, D, W>) -> ControlFlow<Report> {
        if let Some(others) = self.few {
            let report = descend_while_it_pays(p, others, FEW, 0.0);
            self.before = p.unless_over(report)?.certificate.error;
        }
        if D == 3 && p.problem.contacts() < NEWTON.0 && self.before <= NEWTON_FROM {
            self.newton(p)?;
        }
        self.interior_points(p)?;
        self.proximal_newton(p, PROXIMAL)?;
        self.afar(p, usize::MAX, PATIENT)?;
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

    /// In packings, in the plane and where contacts are few, from the best point where that is near; in packings from a better one where
    /// it jams; then, and elsewhere at once, from afar: where faces meet a start near the answer jams more often than it saves, and
    /// gradients may help out of a jam. Where many digits are asked for these take long, and another start afar comes in between.
    fn interior_points<W: Sweep<D> + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>) -> ControlFlow<Report> {
        if !matches!(self.rescue, Rescue::Gradients(_)) {
            let here = self.begin_here(p)?;
            if !here.gained && here.taken > 0 && self.rescue(p, here.taken, JAMMED)? {
                self.begin_here(p)?;
            }
        }
        let mut taken = self.afar(p, 1, AFAR)?;
        let descends = matches!(self.rescue, Rescue::Gradients(_));
        if p.stop.tolerance < TIGHT {
            if descends {
                self.rescue(p, taken, JAMMED_ONCE)?;
            }
            taken = self.afar(p, 1, AFAR)?;
        }
        if descends {
            self.rescue(p, taken, JAMMED)?;
        }
        ControlFlow::Continue(())
    }

    /// An interior point from the next so many starts afar; the iterations that it took.
    fn afar<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        most: usize,
        limits: (usize, usize),
    ) -> ControlFlow<Report, usize> {
        let all = IpmOptions::default();
        let starts: Vec<_> = all.starts.iter().skip(self.tried).take(most).copied().collect();
        self.tried += starts.len();
        let method = Method::InteriorPoint(Ipm::new(IpmOptions { near: [0.0; 2], starts, ..all }));
        let report = self.stage(p, "interior point", method, limits)?;
        self.polish(p, report.certificate.error)?;
        ControlFlow::Continue(report.iterations)
    }

    /// An interior point from the best point, if that is near.
    fn begin_here<W: Sweep<D> + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>) -> ControlFlow<Report, Interior> {
        let method = Method::InteriorPoint(Ipm::new(IpmOptions { starts: Vec::new(), ..IpmOptions::default() }));
        let Self { problem, system, .. } = self;
        let report = p.stage_unless_jammed(&mut Shared { method, problem, system }, NEAR);
        if report.iterations > 0 {
            p.say("interior point from here", &report);
        }
        let report = p.unless_over(report)?;
        let (taken, mut error) = (report.iterations, report.certificate.error);
        if taken > 0 {
            error = self.polish(p, error)?;
        }
        let gained = error <= PROGRESS * self.before;
        self.before = error;
        ControlFlow::Continue(Interior { taken, gained })
    }

    /// A few steps of a proximal Newton where an interior point was ended by rounding, or nearly at its end: contacts then hold and
    /// slide as they will, which they seldom do after sweeps. Returns the error that is left of `error`.
    fn polish<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        error: f64,
    ) -> ControlFlow<Report, f64> {
        if error > POLISH.0 {
            return ControlFlow::Continue(error);
        }
        let options = PpnOptions { hybrid_sweeps: 0, polish_below: f64::INFINITY, rescues: 0, ..PpnOptions::default() };
        let Self { problem, system, .. } = self;
        let method = Method::ProximalNewton(Ppn::new(options));
        let report = p.stage_while_halving(&mut Shared { method, problem, system }, POLISH.1);
        p.say("proximal newton", &report);
        ControlFlow::Continue(p.unless_over(report)?.certificate.error)
    }

    /// As long as the interior point took that jammed, or so much longer; whether it gained.
    fn rescue<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        taken: usize,
        gradients: (f64, f64),
    ) -> ControlFlow<Report, bool> {
        let report = match self.rescue {
            Rescue::Sweeps(each) => {
                let report = p.stage(self.sweeps, (each * taken as f64) as usize);
                p.say("more accelerated sweeps", &report);
                report
            }
            Rescue::Gradients(each) => descend_while_it_pays(p, each * taken as f64, gradients, 0.0),
            Rescue::None => return ControlFlow::Continue(false),
        };
        let before = std::mem::replace(&mut self.before, p.unless_over(report)?.certificate.error);
        ControlFlow::Continue(self.before <= BETTER * before)
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
