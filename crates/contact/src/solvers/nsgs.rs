//! Nonsmooth Gauss-Seidel, with relaxation, orders and freezing.

use super::{Flow, Progress, Report, Solver, Status, Stop, Unknowns, Watch, Why};
use crate::block::{add, dot, norm_all, sub};
use crate::certificate::{Certificate, Measure, Scales};
use crate::cone::{Cone, rolls};
use crate::generate::{Random, colour_windows};
use crate::one_contact::{Exact, OneContact, OneContactKind};
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// In which order a sweep visits the contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// As numbered.
    #[default]
    Natural,
    /// Forwards and backwards in turn: fewer sweeps on large walls at loose tolerances, more elsewhere.
    Symmetric,
    /// As numbered, but inside windows of so many contacts those that share no body come together: the processor need
    /// not wait for the body that the contact before has just moved. As natural where the bodies are not known.
    Windowed {
        /// Contacts in a window; 64 to 4096 do equally well.
        window: usize,
    },
    /// Shuffled anew before every sweep.
    Shuffled {
        /// Seed of the shuffle.
        seed: u64,
    },
}

/// When the certificate is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum StopTest {
    /// When the moves of a sweep, which cost nothing to add up, suggest that it may hold; calibrated as it goes. After
    /// every sweep where contacts roll: it costs little beside those.
    #[default]
    Light,
    /// Every so many sweeps.
    Exact {
        /// Sweeps between two evaluations.
        every: usize,
    },
}

/// Lets contacts rest that no longer move.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct Freezing {
    /// Sweeps that a settled contact sits out.
    pub sweeps: u16,
    /// A contact has settled when its move is below this part of the tolerance's share, `tol |q| / sqrt(n)`.
    pub below: f64,
}

impl Default for Freezing {
    fn default() -> Self {
        Self { sweeps: 10, below: 0.01 }
    }
}

/// The options of [`Nsgs`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct NsgsOptions {
    /// The solver of one contact: a name, or a table as `{sbp={relative=0.5}}`.
    pub one_contact: OneContactKind,
    /// Relaxation: `r <- r + omega (r* - r)`, r* the one-contact solution, where that lies in K, and `P_K(r*)` elsewhere
    /// (relaxed and thrown back on the cone, sliding contacts would go to and fro); 1 is Gauss-Seidel.
    pub omega: f64,
    /// Order of the sweeps: `natural`, `symmetric` (forwards and backwards in turn) or `{shuffled={seed=N}}`.
    pub order: Order,
    /// When the certificate is computed: `light`, when the moves of a sweep suggest that it holds, or `{exact={every=N}}`.
    pub stop_test: StopTest,
    /// Settled contacts sit out some sweeps, as in `{sweeps=10,below=0.01}`; none by default.
    pub freezing: Option<Freezing>,
    /// Ends as `stalled` once a sweep moves by no more than this, measured as the error is; none by default. For
    /// one-contact solvers of another law than the cone's (`lemke_polygon`, `qp_polygon`): their sweeps settle where the
    /// certificate does not hold. Not with `freezing`, where a sweep tells less.
    pub settled: Option<f64>,
}

impl NsgsOptions {
    /// Whether a sweep with this light estimate is one that has settled.
    fn has_settled(&self, estimate: f64) -> bool {
        self.freezing.is_none() && self.settled.is_some_and(|s| estimate <= s)
    }
}

impl Default for NsgsOptions {
    fn default() -> Self {
        Self {
            one_contact: OneContactKind::default(),
            omega: 1.0,
            order: Order::default(),
            stop_test: StopTest::default(),
            freezing: None,
            settled: None,
        }
    }
}

/// Solves the contacts one after the other, each exactly with the others held fixed [D, eq. 11].
///
/// Converges for moderate friction or weak coupling (no general proof with Coulomb's law); sweeps grow with the
/// height of a pile. Scratch is kept between calls: a warm call allocates nothing.
///
/// # Reference
/// Jean & Touzot 1988; Moreau 1994; NLGS of [A, section 3.2] with the increment form of the velocity update.
#[derive(Debug, Clone)]
pub struct Nsgs<const D: usize> {
    options: NsgsOptions,
    /// State of a matrix-free operator.
    v: Vec<f64>,
    best: Vec<[f64; D]>,
    order: Vec<u32>,
    resting: Vec<u16>,
}

impl<const D: usize> Default for Nsgs<D> {
    fn default() -> Self {
        Self::new(NsgsOptions::default())
    }
}

impl<const D: usize> Nsgs<D> {
    /// A solver with these options.
    pub fn new(options: NsgsOptions) -> Self {
        Self { options, v: Vec::new(), best: Vec::new(), order: Vec::new(), resting: Vec::new() }
    }

    fn prepare<W: Sweep<D> + ?Sized>(&mut self, problem: &LocalProblem<D, W>, x: &mut Unknowns<D>) {
        let n = problem.contacts();
        x.r.resize(n, [0.0; D]);
        x.u.resize(n, [0.0; D]);
        self.v.resize(problem.w.state_len(), 0.0);
        self.best.resize(n, [0.0; D]);
        self.order.clear();
        if matches!(self.options.order, Order::Shuffled { .. }) {
            self.order.extend(0..n as u32);
        }
        if let Order::Windowed { window } = self.options.order {
            self.order.extend(0..n as u32);
            windowed(&problem.w, window, &mut self.order);
        }
        self.resting.clear();
        self.resting.resize(if self.options.freezing.is_some() { n } else { 0 }, 0);
    }
}

impl<const D: usize, W: Sweep<D> + ?Sized> Solver<D, W> for Nsgs<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        self.prepare(problem, x);
        // the default gets a loop of its own, compiled around it; a branch a contact costs the others little
        match self.options.one_contact {
            OneContactKind::Exact => run(self, Exact, problem, x, stop, watch),
            kind => match problem.cones.iter().position(|c| !kind.treats(c)) {
                None => run(self, kind, problem, x, stop, watch),
                Some(c) => refuse(self, problem, x, stop, format!("{} does not treat contact {c}", kind.name())),
            },
        }
    }
}

/// Nothing done: the certificate of the start, and why.
fn refuse<const D: usize, W: Sweep<D> + ?Sized>(
    nsgs: &mut Nsgs<D>,
    problem: &LocalProblem<D, W>,
    x: &mut Unknowns<D>,
    stop: &Stop,
    why: String,
) -> Report {
    let mut run = Run::new(problem, stop);
    run.check(nsgs, x);
    Report { why: why.into(), ..run.finish(nsgs, x, Status::Unsupported, 0) }
}

/// What one solve carries from sweep to sweep.
struct Run<'a, const D: usize, W: ?Sized> {
    problem: &'a LocalProblem<D, W>,
    stop: &'a Stop,
    scales: Scales,
    start: Instant,
    /// Error of the best certified iterate, which sits in `Nsgs::best`.
    best_error: f64,
    /// Whether x is that iterate, with its u.
    at_best: bool,
    /// Certified error over light estimate, from the last evaluation.
    calibration: f64,
    last_check: usize,
    /// Whether contacts roll: one visit takes many times as long as its share of a certificate.
    rolls: bool,
    /// Contacts solved since the clock was last read.
    unclocked: usize,
}

/// A sweep over this many contacts takes longer than reading the clock.
const CLOCK_WORTH: usize = 1000;

fn run<const D: usize, W: Sweep<D> + ?Sized, O: OneContact<D>>(
    nsgs: &mut Nsgs<D>,
    one: O,
    problem: &LocalProblem<D, W>,
    x: &mut Unknowns<D>,
    stop: &Stop,
    watch: &mut Watch<'_>,
) -> Report {
    let mut run = Run::new(problem, stop);
    let start = run.start;
    let mut iteration = 0;
    // a warm start may be the answer already
    let mut error = run.check(nsgs, x);
    let status = loop {
        let progress = Progress { iteration, error: Some(error), estimate: error, start };
        let flow = watch(&progress);
        if let Some(status) = run.verdict(error, iteration).or_else(|| interrupted(flow)) {
            break status;
        }
        // sweep until the light test asks for the certificate
        let status = loop {
            let moved = nsgs.sweep(&one, &run, x, iteration);
            iteration += 1;
            let estimate = run.light(moved, &x.r);
            let settled = nsgs.options.has_settled(estimate);
            if settled || run.wants_check(&nsgs.options, estimate, iteration) {
                error = run.check(nsgs, x);
                if estimate > 0.0 && error.is_finite() {
                    run.calibration = error / estimate;
                }
                run.last_check = iteration;
                // the fixed point of the law that is swept, not what came nearest to that of the cone
                run.at_best |= settled;
                break if (settled || moved == 0.0) && error > stop.tolerance { Some(Status::Stalled) } else { None };
            }
            let progress = Progress { iteration, error: None, estimate, start };
            if let Some(status) = interrupted(watch(&progress)) {
                error = run.check(nsgs, x);
                break Some(if error <= stop.tolerance { Status::Converged } else { status });
            }
        };
        if let Some(status) = status {
            break status;
        }
    };
    run.finish(nsgs, x, status, iteration)
}

fn interrupted(flow: Flow) -> Option<Status> {
    (flow == Flow::Stop).then_some(Status::Interrupted)
}

impl<'a, const D: usize, W: Sweep<D> + ?Sized> Run<'a, D, W> {
    fn new(problem: &'a LocalProblem<D, W>, stop: &'a Stop) -> Self {
        let (scales, start) = (Scales::of(problem), Instant::now());
        let (best_error, rolls) = (f64::INFINITY, rolls(&problem.cones));
        let (at_best, calibration, last_check, unclocked) = (false, 1.0, 0, 0);
        Self { problem, stop, scales, start, best_error, at_best, calibration, last_check, rolls, unclocked }
    }

    /// The light estimate: the moves of a sweep as velocities, over what the measure puts errors over.
    fn light(&self, moved: f64, r: &[[f64; D]]) -> f64 {
        let w = self.scales.impulse;
        match self.stop.measure {
            Measure::Scaled => w * moved / self.scales.q.max(f64::MIN_POSITIVE),
            Measure::Force => w * moved / self.scales.q.max(w * norm_all(r)).max(f64::MIN_POSITIVE),
            Measure::Fclib => w.min(1.0) * moved / self.scales.q.max(f64::MIN_POSITIVE),
            Measure::Siconos => w.min(1.0) * moved / self.scales.q.max(norm_all(r)).max(f64::MIN_POSITIVE),
            Measure::EpsGlob => w * moved / (r.len() as f64).sqrt(),
        }
    }

    /// Whether the time is up; the clock is read when enough work was done for it to have moved.
    fn out_of_time(&mut self) -> bool {
        self.unclocked += self.problem.contacts();
        let Some(limit) = self.stop.time_limit.filter(|_| self.unclocked >= CLOCK_WORTH) else { return false };
        self.unclocked = 0;
        self.start.elapsed() >= limit
    }

    fn wants_check(&mut self, options: &NsgsOptions, estimate: f64, iteration: usize) -> bool {
        let out_of_time = self.out_of_time();
        let forced = iteration >= self.stop.max_iterations || out_of_time || !estimate.is_finite() || estimate == 0.0;
        let since = iteration - self.last_check;
        forced
            || match options.stop_test {
                StopTest::Exact { every } => since >= every.max(1),
                // the calibration drifts slowly: look again after a tenth more sweeps at the latest
                StopTest::Light => {
                    self.rolls
                        || estimate * self.calibration <= self.stop.tolerance
                        || since >= (self.last_check / 10).max(20)
                }
            }
    }

    /// Certifies x.r, keeping the best. The state v is recomputed from r on the way.
    fn check(&mut self, nsgs: &mut Nsgs<D>, x: &mut Unknowns<D>) -> f64 {
        self.problem.velocity(&x.r, &mut x.u, &mut nsgs.v);
        let error = self.scales.error(self.stop.measure, &self.problem.cones, &x.r, &x.u);
        self.at_best = error < self.best_error;
        if self.at_best {
            self.best_error = error;
            nsgs.best.copy_from_slice(&x.r);
        }
        error
    }

    fn verdict(&self, error: f64, iteration: usize) -> Option<Status> {
        if error <= self.stop.tolerance {
            Some(Status::Converged)
        } else if !error.is_finite() {
            Some(Status::Diverged)
        } else if iteration >= self.stop.max_iterations {
            Some(Status::IterationLimit)
        } else if self.stop.time_limit.is_some_and(|t| self.start.elapsed() >= t) {
            Some(Status::TimeLimit)
        } else {
            None
        }
    }

    /// The report of the best iterate; the last thing before it was a check.
    fn finish(&self, nsgs: &mut Nsgs<D>, x: &mut Unknowns<D>, status: Status, iterations: usize) -> Report {
        if !self.at_best {
            if self.best_error.is_finite() {
                x.r.copy_from_slice(&nsgs.best);
            } else {
                x.r.fill([0.0; D]);
            }
            self.problem.velocity(&x.r, &mut x.u, &mut nsgs.v);
        }
        let certificate = Certificate::new(self.problem, &self.scales, self.stop.measure, &x.r, &x.u);
        Report { status, iterations, certificate, elapsed: self.start.elapsed(), why: Why::default() }
    }
}

impl<const D: usize> Nsgs<D> {
    /// One sweep; returns the norm of all moves.
    fn sweep<W: Sweep<D> + ?Sized, O: OneContact<D>>(
        &mut self,
        one: &O,
        run: &Run<'_, D, W>,
        x: &mut Unknowns<D>,
        iteration: usize,
    ) -> f64 {
        let n = run.problem.contacts();
        let mut sum = 0.0;
        if !self.resting.is_empty() {
            return self.freezing_sweep(one, run, x, iteration);
        }
        let (omega, p, r, v) = (self.options.omega, run.problem, &mut x.r[..], &mut self.v[..]);
        match self.options.order {
            Order::Symmetric if iteration % 2 == 1 => {
                for c in (0..n).rev() {
                    sum += relax(p, one, omega, c, r, v);
                }
            }
            Order::Shuffled { seed } => {
                shuffle(&mut self.order, seed.wrapping_add(iteration as u64));
                for &c in &self.order {
                    sum += relax(p, one, omega, c as usize, r, v);
                }
            }
            Order::Windowed { .. } => {
                for &c in &self.order {
                    sum += relax(p, one, omega, c as usize, r, v);
                }
            }
            _ => {
                for c in 0..n {
                    sum += relax(p, one, omega, c, r, v);
                }
            }
        }
        sum.sqrt()
    }

    /// A sweep that passes over resting contacts.
    fn freezing_sweep<W: Sweep<D> + ?Sized, O: OneContact<D>>(
        &mut self,
        one: &O,
        run: &Run<'_, D, W>,
        x: &mut Unknowns<D>,
        iteration: usize,
    ) -> f64 {
        let n = run.problem.contacts();
        let Freezing { sweeps, below } = self.options.freezing.unwrap_or_default();
        let share = run.stop.tolerance * run.scales.q / (n as f64).sqrt() / run.scales.impulse;
        let settled = (below * share).powi(2);
        if let Order::Shuffled { seed } = self.options.order {
            shuffle(&mut self.order, seed.wrapping_add(iteration as u64));
        }
        let backwards = self.options.order == Order::Symmetric && iteration % 2 == 1;
        let mut sum = 0.0;
        for k in 0..n {
            let c = match self.order.get(k) {
                Some(&c) => c as usize,
                None if backwards => n - 1 - k,
                None => k,
            };
            if self.resting[c] > 0 {
                self.resting[c] -= 1;
                continue;
            }
            let moved = relax(run.problem, one, self.options.omega, c, &mut x.r, &mut self.v);
            if moved <= settled {
                self.resting[c] = sweeps;
            }
            sum += moved;
        }
        // a sweep in which everything rested says nothing
        if sum == 0.0 && self.resting.iter().any(|s| *s > 0) {
            self.resting.fill(0);
            return f64::MIN_POSITIVE;
        }
        sum.sqrt()
    }
}

/// Solves contact c with the others held fixed; returns the square of its move.
#[inline(always)]
pub(super) fn relax<const D: usize, W: Sweep<D> + ?Sized, O: OneContact<D>>(
    p: &LocalProblem<D, W>,
    one: &O,
    omega: f64,
    c: usize,
    r: &mut [[f64; D]],
    v: &mut [f64],
) -> f64 {
    let old = r[c];
    let w = p.w.diagonal(c);
    let cone = &p.cones[c];
    let free = add(&p.q[c], &p.w.row_of_others(c, r, v));
    let mut new = old;
    one.visit(&w, &free, cone, &mut new);
    if omega != 1.0 && !matches!(cone, Cone::Bilateral) {
        let relaxed = std::array::from_fn(|k| old[k] + omega * (new[k] - old[k]));
        // what an inexact one-contact solver returns may lie outside
        new = if cone.contains(&relaxed) { relaxed } else { cone.project(&new) };
    }
    let dr = sub(&new, &old);
    p.w.push(c, &dr, v);
    r[c] = new;
    dot(&dr, &dr)
}

/// One sweep over all contacts as numbered, each solved exactly; returns the norm of all moves.
pub(crate) fn sweep_once<const D: usize, W: Sweep<D> + ?Sized>(
    p: &LocalProblem<D, W>,
    r: &mut [[f64; D]],
    v: &mut [f64],
) -> f64 {
    (0..p.contacts()).map(|c| relax(p, &Exact, 1.0, c, r, v)).sum::<f64>().sqrt()
}

/// Colours the contacts of every window by the degrees of freedom that they touch first on each body.
fn windowed<const D: usize, W: Sweep<D> + ?Sized>(w: &W, window: usize, order: &mut [u32]) {
    let Some(bodies) = w.bodies() else { return };
    let size = if D == 2 { 3 } else { 6 };
    colour_windows(order, window, w.state_len().div_ceil(size), |&c| {
        let mut touched = [None; 2];
        bodies.jacobian(c as usize, &mut |_, dof, _| {
            let body = (dof / size) as u32;
            match touched {
                [None, _] => touched[0] = Some(body),
                [Some(a), None] if a != body => touched[1] = Some(body),
                _ => {}
            }
        });
        touched
    });
}

/// Fisher-Yates: the same permutation for the same seed everywhere.
fn shuffle(order: &mut [u32], seed: u64) {
    let mut random = Random::new(seed);
    for i in (1..order.len()).rev() {
        order.swap(i, (random.bits() % (i as u64 + 1)) as usize);
    }
}
