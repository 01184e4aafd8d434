//! Newton, interior point and proximal Newton in turn.

use super::super::{Anderson, Formulation, Ipm, IpmOptions, Nsn, NsnOptions, Paused, Ppn, PpnOptions, Report};
use super::costs::{System, TIGHT};
use super::gradients::{FEW, Gradients};
use super::is_near_the_end;
use super::portfolio::{Left, Patience, Portfolio};
use super::shared::{Method, Shared};
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use std::ops::ControlFlow;

/// Below so many contacts in space Newton is tried before the interior point, so many iterations at most and only while two of
/// them halve the error: where it converges it takes four, and where it does not, that is soon seen. From a larger error than this it
/// hardly ever does.
const NEWTON: (usize, usize) = (100, 12);
const NEWTON_FROM: f64 = 1e-2;
/// Of an interior point that begins near the answer: what ends takes up to 28 iterations, with a smaller error in every sixth at the latest.
const NEAR: Patience = Patience { most: 28, idle: 7, fallen: 0.9 };
/// Of one that begins afar. Of 160 that ended all but five halved their errors in every tenth iteration; those that did not end took 38
/// iterations to give up by themselves. It is only paused, until other methods have had as long.
const AFAR: Patience = Patience { most: usize::MAX, idle: 10, fallen: 0.5 };
/// Where all starts are tried, each as long as the interior point itself thinks fit: none may come to more than the first.
const PATIENT: Patience = Patience { most: usize::MAX, idle: usize::MAX, fallen: 0.9 };
/// Of a proximal Newton, at first.
const PROXIMAL: Patience = Patience { most: 100, idle: 40, fallen: 0.9 };
/// An error from which on the point that an interior point leaves is polished, and the steps that may take while two of them halve it.
const POLISH: (f64, usize) = (1e-6, 6);
/// What may be left of the error of an interior point that made something of its start, and of sweeps that are worth another try.
const PROGRESS: f64 = 0.1;
const BETTER: f64 = 0.3;

/// First-order methods take turns where an interior point jams: for as long in all as it took, before another start of it is tried, and
/// so many times as long after.
const TURNS_ONCE: f64 = 1.0;
const TURNS: f64 = 6.0;

/// What is left of the error that sweeps left where others have gained on it: they begin anew from there. A point that is a little better is
/// no better start, if it lies near no contact's law as those of an interior point do.
const OVERTAKEN: f64 = 0.3;

/// What may help an interior point out of a jam.
pub(super) struct Rescue {
    /// Accelerated sweeps that take as long as a factorisation; gradients help more where faces meet.
    pub sweeps: Option<f64>,
    /// Accelerated gradients that do.
    pub gradients: f64,
    /// Whether an interior point begins from where sweeps came to first.
    pub near: bool,
    /// And another one from where more of them come to, if it jams.
    pub again: bool,
}

/// The second-order methods on one problem.
pub(super) struct SecondOrder<'s, 'a, const D: usize> {
    pub problem: &'a LocalProblem<D, dyn Sweep<D>>,
    /// What all of them factor.
    pub system: &'s mut Option<System<'a, D>>,
    pub sweeps: &'s mut Anderson<D>,
    /// What these left behind on this problem.
    pub swept: Left,
    pub gradients: &'s mut Gradients<D>,
    /// Accelerated gradients that take as long as an interior point, where they come first.
    pub few: Option<f64>,
    pub rescue: Option<Rescue>,
    /// The error of the point they begin from.
    pub before: f64,
    /// Starts of an interior point afar that were tried.
    pub tried: usize,
}

/// Whether iterations in turns are left to end, of which there were to be so many: what seems near may stay so for long.
fn may_end(done: f64, missing: f64, were_to_be: f64) -> bool {
    done <= 2.0 * were_to_be && is_near_the_end(done, missing, 2.0 * were_to_be)
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
            let report = self.gradients.descend_while_it_pays(p, self.before, others, FEW, 0.0);
            self.before = p.unless_over(report)?.certificate.error;
        }
        if D == 3 && p.problem.contacts() < NEWTON.0 && self.before <= NEWTON_FROM {
            self.newton(p)?;
        }
        let taken = self.interior_points(p)?;
        if p.stop.tolerance < TIGHT {
            // near the answer it is worth more than what creeps
            self.proximal_newton(p, PROXIMAL)?;
            self.turns(p, taken, TURNS)?;
        } else {
            self.turns(p, taken, TURNS)?;
            self.proximal_newton(p, PROXIMAL)?;
        }
        self.begin_afar(p, usize::MAX, PATIENT, &mut Paused::default())?;
        self.proximal_newton(p, PATIENT)?;
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

    /// From the best point first, where that is near and [`Rescue::near`] says so; in packings from a better one where it jams. Then, and
    /// elsewhere at once, from afar: where faces meet a start near the answer jams more often than it saves. Where many digits are asked
    /// for first-order methods take long, and another start afar comes before their last turns; in the plane all of them.
    fn interior_points<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
    ) -> ControlFlow<Report, usize> {
        if self.rescue.as_ref().is_none_or(|r| r.near) {
            let here = self.begin_here(p)?;
            let again = self.rescue.as_ref().is_some_and(|r| r.again);
            if again && !here.gained && here.taken > 0 && self.sweep_on(p, here.taken)? {
                self.begin_here(p)?;
            }
        }
        let mut taken = self.afar(p)?;
        let more = match p.stop.tolerance < TIGHT {
            true if D == 2 => usize::MAX,
            true => 1,
            false => 0,
        };
        for _ in 0..more {
            let now = self.afar(p)?;
            if now == 0 {
                break;
            }
            taken = now;
        }
        ControlFlow::Continue(taken)
    }

    /// An interior point from the next start afar, and first-order methods for as long as it took whenever its error does not fall; the
    /// iterations that it took.
    fn afar<W: Sweep<D> + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>) -> ControlFlow<Report, usize> {
        let (mut taken, mut paused) = (0, Paused::default());
        loop {
            let before = self.before;
            let now = self.begin_afar(p, 1, AFAR, &mut paused)?;
            taken += now;
            // where another start often arrives, it comes first, unless this one did
            if D > 2 || p.stop.tolerance >= TIGHT || self.before <= PROGRESS * before {
                self.turns(p, now, TURNS_ONCE)?;
            }
            if now == 0 || !paused.is_some() {
                return ControlFlow::Continue(taken);
            }
        }
    }

    /// An interior point from a start that was paused, or the next so many afar; the iterations that it took.
    fn begin_afar<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        most: usize,
        limits: Patience,
        paused: &mut Paused<D>,
    ) -> ControlFlow<Report, usize> {
        let all = IpmOptions::default();
        let most = if paused.is_some() { 0 } else { most };
        let starts: Vec<_> = all.starts.iter().skip(self.tried).take(most).copied().collect();
        self.tried += starts.len();
        let ipm = Ipm::new(IpmOptions { near: [0.0; 2], starts, ..all });
        let report = self.stage(p, "interior point", Method::InteriorPoint(ipm, paused), limits)?;
        self.before = self.polish(p, report.certificate.error)?;
        ControlFlow::Continue(report.iterations)
    }

    /// An interior point from the best point, if that is near.
    fn begin_here<W: Sweep<D> + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>) -> ControlFlow<Report, Interior> {
        let mut paused = Paused::default();
        let ipm = Ipm::new(IpmOptions { starts: Vec::new(), ..IpmOptions::default() });
        let method = Method::InteriorPoint(ipm, &mut paused);
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

    /// Accelerated sweeps for as long as the interior point took that jammed; whether they gained.
    fn sweep_on<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        taken: usize,
    ) -> ControlFlow<Report, bool> {
        let Some(each) = self.rescue.as_ref().and_then(|r| r.sweeps) else { return ControlFlow::Continue(false) };
        let before = self.before;
        self.sweep(p, each * taken as f64)?;
        ControlFlow::Continue(self.before <= BETTER * before)
    }

    /// So many accelerated sweeps, and up to twice as many where they are near the end.
    fn sweep<W: Sweep<D> + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>, sweeps: f64) -> ControlFlow<Report> {
        let pays = |done: f64, missing: f64, _: f64| done <= sweeps || may_end(done, missing, sweeps);
        if self.swept.goes_on(self.before, OVERTAKEN) {
            self.sweeps.go_on();
        }
        let (report, _) = p.stage_while(self.sweeps, pays);
        p.say("more accelerated sweeps", &report);
        self.swept = Left::at(&report);
        self.before = p.unless_over(report)?.certificate.error;
        ControlFlow::Continue(())
    }

    /// Sweeps and gradients in turn, each twice as long as the last time, for so many times as long in all as the interior point took that
    /// jammed: what gains on one problem stands still on the next. Where faces meet, gradients alone.
    fn turns<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        taken: usize,
        times: f64,
    ) -> ControlFlow<Report> {
        let Some(Rescue { sweeps, gradients, .. }) = self.rescue else { return ControlFlow::Continue(()) };
        let (mut spent, mut next) = (0.0, if sweeps.is_some() { 0.5 * times.min(1.0) } else { times });
        while spent < times {
            if let Some(each) = sweeps {
                self.sweep(p, next * each * taken as f64)?;
                spent += next;
            }
            let all = next * gradients * taken as f64;
            let pays = |done: f64, missing: f64, _: f64| done <= all || may_end(done, missing, all);
            let report = self.gradients.descend(p, self.before, pays);
            self.before = p.unless_over(report)?.certificate.error;
            spent += next;
            next *= 2.0;
        }
        ControlFlow::Continue(())
    }

    fn proximal_newton<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        limits: Patience,
    ) -> ControlFlow<Report> {
        p.why.push("rounding or a jam ended the interior point: proximal Newton from the best point");
        let report =
            self.stage(p, "proximal newton", Method::ProximalNewton(Ppn::new(PpnOptions::default())), limits)?;
        self.before = report.certificate.error;
        ControlFlow::Continue(())
    }

    fn stage<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        name: &'static str,
        method: Method<'_, D>,
        limits: Patience,
    ) -> ControlFlow<Report, Report> {
        let Self { problem, system, .. } = self;
        let report = p.stage_unless_jammed(&mut Shared { method, problem, system }, limits);
        p.say(name, &report);
        p.unless_over(report)
    }
}
