//! Nonsmooth Gauss-Seidel, with relaxation, orders and freezing.

use super::course::Memory;
use super::sweeping::{Looks, Sweeping};
use super::{Report, Solver, Status, Stop, Unknowns, Watch};
use crate::block::{add, dot, sub};
use crate::certificate::Scales;
use crate::cone::Cone;
use crate::generate::{Random, colour_windows};
use crate::one_contact::{Exact, OneContact, OneContactKind};
use crate::operator::{Sweep, body_dofs};
use crate::problem::LocalProblem;
use crate::wide::wide;
use pulp::Arch;
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// In which order a sweep visits the contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, documented::DocumentedFields)]
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
        #[serde(default = "window")]
        window: usize,
    },
    /// Shuffled anew before every sweep.
    Shuffled {
        /// Seed of the shuffle.
        #[serde(default)]
        seed: u64,
    },
}

/// When the certificate is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum StopTest {
    /// When the moves of a sweep, which cost nothing to add up, suggest that it may hold; calibrated as it goes. After
    /// every sweep where contacts roll: it costs little beside those.
    #[default]
    Light,
    /// Every so many sweeps.
    Exact {
        /// Sweeps between two evaluations.
        #[serde(default = "every")]
        every: usize,
    },
}

/// The window of an order that names none.
fn window() -> usize {
    64
}

/// The sweeps of a test that names none.
fn every() -> usize {
    1
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

impl Freezing {
    /// The square of a move below which a contact has settled.
    fn settled(&self, stop: &Stop, scales: &Scales, n: usize) -> f64 {
        let share = stop.tolerance * scales.q / (n as f64).sqrt() / scales.impulse;
        (self.below * share).powi(2)
    }
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
    /// Order of the sweeps.
    pub order: Order,
    /// When the certificate is computed.
    pub stop_test: StopTest,
    /// Settled contacts sit out some sweeps, as in `{sweeps=10,below=0.01}`; none by default.
    pub freezing: Option<Freezing>,
    /// Ends as `stalled` once a sweep moves by no more than this, measured as the error is; none by default. For
    /// one-contact solvers of another law than the cone's (`lemke_polygon`, `qp_polygon`): their sweeps settle where the
    /// certificate does not hold. Not with `freezing`, where a sweep tells less.
    pub settled: Option<f64>,
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
    memory: Memory<D>,
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
        Self { options, memory: Memory::default(), order: Vec::new(), resting: Vec::new() }
    }

    fn prepare<W: Sweep<D> + ?Sized>(&mut self, problem: &LocalProblem<D, W>) {
        let n = problem.contacts();
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
        self.prepare(problem);
        // the default gets a loop of its own, compiled around it; a branch a contact costs the others little
        let omega = self.options.omega;
        match self.options.one_contact {
            OneContactKind::Exact if omega == 1.0 => run(self, &Straight, problem, x, stop, watch),
            OneContactKind::Exact => run(self, &Relaxed { one: Exact, omega }, problem, x, stop, watch),
            one => match one.refusal(problem) {
                None => {
                    let visit = Guarded::new(one, omega);
                    let report = run(self, &visit, problem, x, stop, watch);
                    visit.explain(report)
                }
                Some(why) => Sweeping::begin(problem, stop, &mut self.memory, x).refuse(x, why),
            },
        }
    }

    fn certifies_start(&self) -> bool {
        true
    }
}

fn run<const D: usize, W: Sweep<D> + ?Sized, O: Visit<D>>(
    nsgs: &mut Nsgs<D>,
    visit: &O,
    problem: &LocalProblem<D, W>,
    x: &mut Unknowns<D>,
    stop: &Stop,
    watch: &mut Watch<'_>,
) -> Report {
    let Nsgs { options, memory, order, resting } = nsgs;
    let sweeping = Sweeping::begin(problem, stop, memory, x);
    let looks = Looks {
        test: options.stop_test,
        settled: options.settled.filter(|_| options.freezing.is_none()),
        calibrated: false,
    };
    let freezing = options.freezing.map(|f| (f, f.settled(stop, &sweeping.course.scales, problem.contacts())));
    let (arch, mut iteration) = (Arch::new(), 0);
    sweeping.run(x, watch, &looks, |r, v| {
        let mut sweep = OneSweep { visit, problem, order: options.order, numbers: &mut *order, iteration, r, v };
        iteration += 1;
        let moved = match freezing {
            Some((f, settled)) => sweep.freezing(f.sweeps, settled, resting),
            None => wide(
                arch,
                #[inline(always)]
                || sweep.full(),
            ),
        };
        visit.swept(moved);
        moved
    })
}

/// How a contact is visited; returns the square of its move.
trait Visit<const D: usize> {
    fn visit<W: Sweep<D> + ?Sized>(&self, p: &LocalProblem<D, W>, c: usize, r: &mut [[f64; D]], v: &mut [f64]) -> f64;

    /// Told after every sweep how far it moved.
    #[inline(always)]
    fn swept(&self, _moved: f64) {}
}

/// The exact solution, in the way of the operator.
struct Straight;

impl<const D: usize> Visit<D> for Straight {
    #[inline(always)]
    fn visit<W: Sweep<D> + ?Sized>(&self, p: &LocalProblem<D, W>, c: usize, r: &mut [[f64; D]], v: &mut [f64]) -> f64 {
        let dr = p.w.relax(c, &p.q[c], &p.cones[c], r, v);
        dot(&dr, &dr)
    }
}

/// What a one-contact solver says, gone towards by `omega`.
struct Relaxed<O> {
    one: O,
    omega: f64,
}

impl<const D: usize, O: OneContact<D>> Visit<D> for Relaxed<O> {
    #[inline(always)]
    fn visit<W: Sweep<D> + ?Sized>(&self, p: &LocalProblem<D, W>, c: usize, r: &mut [[f64; D]], v: &mut [f64]) -> f64 {
        let (old, w, cone) = (r[c], p.w.diagonal(c), &p.cones[c]);
        let free = add(&p.q[c], &p.w.row_of_others(c, r, v));
        let mut new = old;
        self.one.visit(&w, &free, cone, &mut new);
        if self.omega != 1.0 && !matches!(cone, Cone::Bilateral) {
            let relaxed = std::array::from_fn(|k| old[k] + self.omega * (new[k] - old[k]));
            // what an inexact one-contact solver returns may lie outside
            new = if cone.contains(&relaxed) { relaxed } else { cone.project(&new) };
        }
        let dr = sub(&new, &old);
        p.w.push(c, &dr, v);
        r[c] = new;
        dot(&dr, &dr)
    }
}

/// Sweeps over which the moves of active sets must come down, and to what part.
const CYCLE: (usize, f64) = (500, 0.9);

/// A one-contact solver by name. Active sets take one step a visit, and may go to and fro between two of them for ever:
/// when the least move of many sweeps is hardly below that of as many before, contacts are solved exactly from there on.
struct Guarded {
    inexact: Relaxed<OneContactKind>,
    exact: Relaxed<Exact>,
    /// Sweeps so far, and the one from which on contacts are solved exactly.
    sweeps: Cell<usize>,
    from: Cell<Option<usize>>,
    /// The least move of these sweeps, and of those before.
    least: Cell<[f64; 2]>,
}

impl Guarded {
    fn new(one: OneContactKind, omega: f64) -> Self {
        let (inexact, exact) = (Relaxed { one, omega }, Relaxed { one: Exact, omega });
        let least = Cell::new([f64::INFINITY; 2]);
        Self { inexact, exact, sweeps: Cell::new(0), from: Cell::new(None), least }
    }

    fn takes_active_sets(&self) -> bool {
        matches!(self.inexact.one, OneContactKind::Pdas(_) | OneContactKind::Ipdas(_) | OneContactKind::Epdas(_))
    }

    /// Says what the method did other than its paper, or why its sweeps end short of the certificate.
    fn explain(&self, mut report: Report) -> Report {
        let name = self.inexact.one.name();
        if let Some(from) = self.from.get() {
            let what = "active sets that go to and fro; contacts are solved exactly from there on";
            report.why.push(format!("{name}, after {from} sweeps: {what}"));
        }
        let polygon = matches!(self.inexact.one, OneContactKind::LemkePolygon(_) | OneContactKind::QpPolygon(_));
        if polygon && matches!(report.status, Status::IterationLimit | Status::Stalled) {
            let what =
                "friction on a polygon of nu sides: sweeps end where it differs from the cone, at errors of about 1/nu";
            report.why.push(format!("{name}: {what}"));
        }
        report
    }
}

impl<const D: usize> Visit<D> for Guarded {
    #[inline(always)]
    fn visit<W: Sweep<D> + ?Sized>(&self, p: &LocalProblem<D, W>, c: usize, r: &mut [[f64; D]], v: &mut [f64]) -> f64 {
        if self.from.get().is_some() { self.exact.visit(p, c, r, v) } else { self.inexact.visit(p, c, r, v) }
    }

    fn swept(&self, moved: f64) {
        let sweeps = self.sweeps.get() + 1;
        self.sweeps.set(sweeps);
        let [now, before] = self.least.get();
        let now = now.min(moved);
        self.least.set([now, before]);
        if sweeps.is_multiple_of(CYCLE.0) {
            if self.takes_active_sets() && self.from.get().is_none() && now > CYCLE.1 * before {
                self.from.set(Some(sweeps));
            }
            self.least.set([f64::INFINITY, now]);
        }
    }
}

/// One sweep on its way.
struct OneSweep<'a, const D: usize, W: ?Sized, O> {
    visit: &'a O,
    problem: &'a LocalProblem<D, W>,
    order: Order,
    /// The contacts in order, where that is not as numbered.
    numbers: &'a mut [u32],
    iteration: usize,
    r: &'a mut [[f64; D]],
    v: &'a mut [f64],
}

impl<const D: usize, W: Sweep<D> + ?Sized, O: Visit<D>> OneSweep<'_, D, W, O> {
    #[inline(always)]
    fn at(&mut self, c: usize) -> f64 {
        self.visit.visit(self.problem, c, self.r, self.v)
    }

    /// Over all contacts; returns the norm of all moves.
    #[inline(always)]
    fn full(&mut self) -> f64 {
        let n = self.problem.contacts();
        let mut sum = 0.0;
        match self.order {
            Order::Symmetric if self.iteration % 2 == 1 => {
                for c in (0..n).rev() {
                    sum += self.at(c);
                }
            }
            Order::Shuffled { .. } | Order::Windowed { .. } => {
                self.renumber();
                for k in 0..self.numbers.len() {
                    sum += self.at(self.numbers[k] as usize);
                }
            }
            _ => {
                for c in 0..n {
                    sum += self.at(c);
                }
            }
        }
        sum.sqrt()
    }

    /// Shuffles where that is asked for.
    fn renumber(&mut self) {
        if let Order::Shuffled { seed } = self.order {
            shuffle(self.numbers, seed.wrapping_add(self.iteration as u64));
        }
    }

    /// Passes over resting contacts; those whose squared move is at most `settled` rest for so many sweeps.
    fn freezing(&mut self, sweeps: u16, settled: f64, resting: &mut [u16]) -> f64 {
        let n = self.problem.contacts();
        self.renumber();
        let backwards = self.order == Order::Symmetric && self.iteration % 2 == 1;
        let mut sum = 0.0;
        for k in 0..n {
            let c = match self.numbers.get(k) {
                Some(&c) => c as usize,
                None if backwards => n - 1 - k,
                None => k,
            };
            if resting[c] > 0 {
                resting[c] -= 1;
                continue;
            }
            let moved = self.at(c);
            if moved <= settled {
                resting[c] = sweeps;
            }
            sum += moved;
        }
        // a sweep in which everything rested says nothing
        if sum == 0.0 && resting.iter().any(|s| *s > 0) {
            resting.fill(0);
            return f64::MIN_POSITIVE;
        }
        sum.sqrt()
    }
}

/// One sweep over all contacts as numbered, each solved exactly; returns the norm of all moves.
#[inline(always)]
pub(crate) fn sweep_once<const D: usize, W: Sweep<D> + ?Sized>(
    p: &LocalProblem<D, W>,
    r: &mut [[f64; D]],
    v: &mut [f64],
) -> f64 {
    (0..p.contacts()).map(|c| Straight.visit(p, c, r, v)).sum::<f64>().sqrt()
}

/// The same with any one-contact solver.
pub(crate) fn sweep_by<const D: usize, W: Sweep<D> + ?Sized>(
    p: &LocalProblem<D, W>,
    one: OneContactKind,
    r: &mut [[f64; D]],
    v: &mut [f64],
) -> f64 {
    let visit = Relaxed { one, omega: 1.0 };
    (0..p.contacts()).map(|c| visit.visit(p, c, r, v)).sum::<f64>().sqrt()
}

/// Colours the contacts of every window by the degrees of freedom that they touch first on each body.
fn windowed<const D: usize, W: Sweep<D> + ?Sized>(w: &W, window: usize, order: &mut [u32]) {
    let Some(bodies) = w.bodies() else { return };
    let size = body_dofs::<D>();
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
