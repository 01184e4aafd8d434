//! The automatic choice.

mod costs;
mod gradients;
mod held;
mod islands;
mod portfolio;
mod rolling;
mod second_order;
mod shared;

use super::plane::Plane;
use super::tnnmg::ground_velocity;
use super::{
    Aclm, Admm, AdmmOptions, Anderson, Erased, Lemke2d, Nsgs, NsgsOptions, Panagiotopoulos, Report, Solver, Status,
    Stop, Tnnmg, Unknowns, Watch,
};
use crate::block::norm2;
use crate::cone::rolls;
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use costs::{Choice, Costs, TIGHT, few_open, meets_in_faces, meets_in_points, multigrid_alone};
use gradients::Gradients;
use held::Held;
use islands::Room;
use portfolio::{Left, Portfolio};
use rolling::begin_rolling;
use second_order::SecondOrder;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// The options of [`Auto`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct AutoOptions {
    /// Contacts that share no body with others are solved by themselves, island by island.
    pub islands: bool,
    /// Sweeps before the first decision.
    pub first_sweeps: usize,
    /// Up to so many contacts sweeps are accelerated (Anderson), and from a warm start always; above, those after the
    /// first decision are relaxed.
    pub accelerate_to: usize,
    /// Relaxation of the sweeps that follow, kept while it gains more digits a sweep than none; 1 is none.
    pub omega: f64,
    /// Factorisations that an interior point is expected to take to 1e-4, for weighing it against more sweeps.
    pub expected_factorisations: f64,
    /// Floating-point operations a second that a factorisation is expected to reach.
    pub flops: f64,
    /// From so many contacts on, packings that come to rest are begun with [`Tnnmg`](super::Tnnmg), where M, H and the free
    /// velocities are known.
    pub supports_from: usize,
    /// The same for structures in which faces meet faces.
    pub faces_from: usize,
    /// From so many contacts on, multigrid ADMM has its turn before the interior point, where M and H are known.
    pub multigrid_from: usize,
    /// Most contacts for which W is formed and an interior point considered.
    pub interior_point_to: usize,
}

impl AutoOptions {
    /// The same for the stages that follow where bodies come to rest: multigrid ADMM is for those that were not begun with
    /// truncated Newton multigrid, which is faster and goes as far.
    fn of_stages(&self, rests: bool) -> Self {
        Self { multigrid_from: if rests { usize::MAX } else { self.multigrid_from }, ..self.clone() }
    }
}

impl Default for AutoOptions {
    fn default() -> Self {
        Self {
            islands: true,
            first_sweeps: 20,
            accelerate_to: 150_000,
            omega: 1.5,
            expected_factorisations: 20.0,
            flops: 1e10,
            supports_from: 8_000,
            faces_from: 16,
            multigrid_from: 5_000,
            interior_point_to: 200_000,
        }
    }
}

/// Runs a portfolio until the certificate holds, on every island of contacts that share no body with others by itself:
/// truncated Newton multigrid where many bodies come to rest, Gauss-Seidel sweeps elsewhere, accelerated unless contacts are
/// many; where faces meet faces, the guess that all contacts hold, and accelerated gradients; then whatever is expected to be done sooner, more
/// sweeps (from the rate they show), multigrid ADMM or an interior point (from the work its factor takes), after a try of Newton where
/// contacts are few, with more sweeps or gradients where it jams; then a proximal Newton for the last digits or out of a jam, both
/// once more with patience; then gradients and sweeps in turn to the end of the budget. A few contacts in the plane are pivoted by Lemke instead.
///
/// Each stage starts from the best point so far, and `Report::why` tells what was done. Nothing is lost: the best
/// certified point of all stages is returned.
#[derive(Debug, Clone)]
pub struct Auto<const D: usize> {
    options: AutoOptions,
    nsgs: Nsgs<D>,
    relaxed: Nsgs<D>,
    accelerated: Anderson<D>,
    truncated: Tnnmg<D>,
    halves: Panagiotopoulos<D>,
    room: Room<D>,
}

impl<const D: usize> Auto<D> {
    /// A portfolio with these options.
    pub fn new(options: AutoOptions) -> Self {
        let relaxed = NsgsOptions { omega: options.omega, ..NsgsOptions::default() };
        Self {
            options,
            nsgs: Nsgs::new(NsgsOptions::default()),
            relaxed: Nsgs::new(relaxed),
            accelerated: Anderson::default(),
            truncated: Tnnmg::default(),
            halves: Panagiotopoulos::default(),
            room: Room::default(),
        }
    }
}

impl<const D: usize> Default for Auto<D> {
    fn default() -> Self {
        Self::new(AutoOptions::default())
    }
}

impl<const D: usize, W: Sweep<D> + Send + 'static> Solver<D, W> for Auto<D> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let islands = self.options.islands;
        self.solve_whole(Portfolio { islands, ..Portfolio::new(problem, x, stop, watch) })
    }

    fn certifies_start(&self) -> bool {
        true
    }
}

/// Iterations of truncated Newton multigrid in all after which something else is tried, and what may be left of the last
/// certified error at the next, or at the one after it, which may take so many iterations.
const TRUNCATED: (usize, f64, usize) = (250, 0.3, 40);
/// Iterations of accelerated gradients and of sweeps, the first time that they take turns.
const LAST: usize = 2000;
/// Iterations of multigrid ADMM after which something else is tried.
const MULTIGRID_ITERATIONS: usize = 600;
/// Fewer first sweeps where contacts roll: a factorisation is cheap beside them. Fewer yet where few do.
const ROLLING: f64 = 4.0;
const FEW_ROLLING: f64 = 10.0;
/// What accelerated sweeps over contacts that roll may promise to take over what would be done instead, where few digits are asked for
/// and where many are, which an interior point takes longer for than it is expected to.
const DEAR: [f64; 2] = [0.7, 1.0];
/// Fewer first sweeps where truncated Newton multigrid came before them and many digits are asked for.
const RESTED: f64 = 5.0;
/// Fewer first sweeps on a large problem from r = 0: they show what is easy, and multigrid starts anew.
const LARGE: f64 = 2.0;
/// Contacts in the plane up to which pivoting takes less than the analysis of anything else.
const FEW: usize = 12;
/// So many contacts are asked for islands at once.
const MANY: usize = 1000;
/// But for a warm start with an error of at most so many times the tolerance, which is swept so often first.
const NEAR: f64 = 10.0;
const FEW_SWEEPS: usize = 4;
/// Of fewer it is asked after so many accelerated sweeps, unless they promise the end within so many.
const TOGETHER: (f64, f64) = (8.0, 24.0);
/// The same from a warm start in the plane, where to look for islands takes as long as a few sweeps.
const TOGETHER_PLANE: (f64, f64) = (24.0, 60.0);
/// From so many contacts on, so many times as many first sweeps, in space and in the plane: an analysis takes as long as
/// some 50 of them, or 100.
const LATER: (usize, f64, f64) = (100, 2.5, 4.0);
/// The same in space where many digits are asked for of bodies that meet in points: contacts and bodies are analysed both.
const LATER_BY_BODIES: f64 = 5.0;
/// Accelerated sweeps that are taken before anything is analysed, which would take as long, where they promise the end.
const BLIND: f64 = 24.0;
/// The same in the plane, where an analysis takes as long as more of them.
const BLIND_PLANE: f64 = 60.0;
/// From so many contacts on more of them are: what an analysis takes grows faster than they do. At most so many times as
/// many.
const BLINDER: (f64, f64) = (1000.0, 5.0);
/// From a warm start so many times as many are taken whatever they promise, and twice those while they promise the end.
const WARM: f64 = 4.0;
/// The same in the plane, where an iteration is more sweeps.
const WARM_PLANE: f64 = 1.2;
/// Sweeps between two combinations from a warm start in the plane: a combination takes nearly as long as a sweep there.
const SWEEPS_PLANE: usize = 2;
/// What accelerated sweeps may take whatever they promise, over what would have been done instead, what they may take at most, and what
/// they may promise to take from begin to end: errors fall in steps, and they promise too much as often as too little.
const SPENT: [f64; 3] = [0.0, 0.6, 1.2];
/// The same where contacts are few.
const SPENT_SMALL: [f64; 3] = [0.0, 0.4, 1.0];
/// The same in packings in the plane, where errors stand still for hundreds of sweeps and then fall.
const SPENT_PLANE: [f64; 3] = [0.6, 0.8, 1.6];
/// The same in packings in space.
const SPENT_PACKING: [f64; 3] = [0.5, 0.7, 1.5];
/// The same from a warm start, which sweeps make more of than an interior point does.
const SPENT_WARM: [f64; 3] = [1.0, f64::INFINITY, 2.0];
/// The same where faces meet faces: in motion, an interior point takes longer than it is expected to, or jams.
const SPENT_WARM_FACES: [f64; 3] = [3.0, f64::INFINITY, 4.0];
/// The same against multigrid, which is for piles at rest and begins anew; after it come factors of thousands of bodies.
const SPENT_WARM_MULTIGRID: [f64; 3] = [20.0, f64::INFINITY, 30.0];
/// What may be missing of them, over what was done, where they are left to end, and what they may have taken by then, over what the
/// others would.
const NEARLY: [(f64, f64); 2] = [(0.05, f64::INFINITY), (0.2, 0.7)];
/// Accelerated sweeps that are left to end where faces meet faces, instead of gradients.
const FACED_SWEEPS: f64 = 150.0;
/// Iterations without a smaller error after which they are taken to stand still.
const STILL: f64 = 100.0;
/// An error that fell by less than this in a chunk of relaxed sweeps did not fall.
const STUCK: f64 = 0.8;
/// What is left of the rate of the few first sweeps on a large problem.
const SOON_LOST: f64 = 1.0 / 3.0;
/// What relaxation may gain at best, for deciding whether it is worth a try.
const RELAXATION_GAIN: f64 = 2.5;

/// The whole answer to a problem that was solved before it began.
const START: &str = "the start is the answer";

/// What the cheap start left.
struct Start {
    report: Report,
    /// Digits (to base e) that a sweep gained.
    rate: f64,
    /// Accelerated sweeps that are missing.
    missing: f64,
    /// Whether it was decided already that these would take longer than something else.
    decided: bool,
    /// Whether the contacts are in islands that are to be solved one by one.
    apart: bool,
    /// Whether sweeps stood still.
    standstill: bool,
}

/// Accelerated sweeps whose error no longer falls.
#[derive(Default)]
struct Standstill {
    least: f64,
    at: f64,
    lasted: bool,
}

impl Standstill {
    /// Whether the least error has not fallen for most of the iterations done, and for a hundred at least.
    fn lasts(&mut self, done: f64, error: f64) -> bool {
        if self.at == 0.0 || error < STUCK * self.least {
            (self.least, self.at) = (error, done);
        }
        self.lasted = done - self.at >= (0.6 * done).max(STILL);
        self.lasted
    }
}

/// What is asked of all stages.
#[derive(Clone, Copy)]
struct Asked {
    cold: bool,
    /// What sweeps may take whatever they promise, what they may take, and promise to, over what would be done instead.
    spent: [f64; 3],
}

/// The accelerated sweeps that are taken whatever they promise, and those that are while they promise the end.
fn blindly<const D: usize>(cold: bool, first: f64, blind: f64) -> (f64, f64) {
    // from a warm start loads have found their way: most steps of a simulation end here
    let warm = if D == 2 { WARM_PLANE } else { WARM };
    if cold { (first, first + blind) } else { (first + warm * blind, first + 2.0 * warm * blind) }
}

/// What accelerated sweeps are asked for.
fn asked<const D: usize>(cold: bool, costs: &Costs) -> Asked {
    let spent = match costs.multigrid {
        _ if cold && costs.is_small => SPENT_SMALL,
        _ if cold && costs.is_packing && D == 2 => SPENT_PLANE,
        _ if cold && costs.is_packing => SPENT_PACKING,
        _ if cold => SPENT,
        _ if costs.faces => SPENT_WARM_FACES,
        Some(_) => SPENT_WARM_MULTIGRID,
        None => SPENT_WARM,
    };
    Asked { cold, spent }
}

/// Whether so little is missing that iterations are left to end, for what the `others` take.
fn is_near_the_end(done: f64, missing: f64, others: f64) -> bool {
    NEARLY.iter().any(|(part, most)| missing <= part * done && done <= most * others)
}

/// Whether accelerated sweeps are worth going on with, of which so many are done and missing, against others.
fn pays(p: Asked, done: f64, missing: f64, others: f64) -> bool {
    let [free, spent, promised] = p.spent.map(|part| part * others);
    // from a warm start they may take longer than the others would, if they promise an end
    let soon = p.cold && is_near_the_end(done, missing, others);
    soon || done <= free || (done <= spent && done + missing <= promised)
}

/// The digits (to base e) that a sweep gains where so many are missing.
fn rate(error: f64, tolerance: f64, missing: f64) -> f64 {
    (error / tolerance).ln() / missing
}

/// Whether many bodies come to rest on each other and on ground that stands still, or moves as one: truncated Newton multigrid knows them.
/// `u` is room.
fn comes_to_rest<const D: usize, W: Sweep<D> + 'static>(
    options: &AutoOptions,
    problem: &LocalProblem<D, W>,
    u: &mut Vec<[f64; D]>,
) -> bool {
    let contacts = problem.contacts();
    let AutoOptions { supports_from, faces_from, .. } = *options;
    let enough = contacts >= supports_from.min(faces_from);
    let knows = enough && !problem.v_free.is_empty() && Tnnmg::<D>::knows(&problem.cones);
    let Some(bodies) = problem.w.bodies().filter(|_| knows) else { return false };
    // large packings are asked whatever they are made of
    let points = meets_in_points(problem) && (contacts >= supports_from || !meets_in_faces(problem));
    if contacts < if points { supports_from } else { faces_from } {
        return false;
    }
    // whoever asks may have solved a problem of another size before
    u.resize(contacts, [0.0; D]);
    ground_velocity(bodies, (&problem.q, &problem.v_free), u).is_some()
}

/// Whether all contacts open by themselves, but for what a tolerance allows: nothing need be asked then.
fn separates<const D: usize, W>(problem: &LocalProblem<D, W>, tolerance: f64) -> bool {
    let sizes = |(closing, all): (f64, f64), q: &[f64; D]| (closing + q[0].min(0.0).powi(2), all + norm2(q));
    let (closing, all) = problem.q.iter().fold((0.0, 0.0), sizes);
    closing <= tolerance * tolerance * all
}

fn is_few<const D: usize, W: Sweep<D>>(p: &Portfolio<'_, '_, D, W>) -> bool {
    p.problem.contacts() <= FEW
}

/// By how much more sweeps begin where an analysis takes as long as more of them.
fn later<const D: usize, W: Sweep<D>>(p: &Portfolio<'_, '_, D, W>) -> f64 {
    match D {
        _ if p.problem.contacts() < LATER.0 || rolls(&p.problem.cones) => 1.0,
        2 => LATER.2,
        _ if p.stop.tolerance < TIGHT && p.problem.w.bodies().is_some() && meets_in_points(p.problem) => {
            LATER_BY_BODIES
        }
        _ => LATER.1,
    }
}

/// By how much fewer sweeps begin where contacts roll.
fn fewer_first<const D: usize, W: Sweep<D>>(p: &Portfolio<'_, '_, D, W>) -> f64 {
    match (rolls(&p.problem.cones), is_few(p)) {
        (false, _) => 1.0,
        (true, true) => FEW_ROLLING,
        (true, false) => ROLLING,
    }
}

impl<const D: usize> Auto<D> {
    /// The whole portfolio.
    fn solve_whole<W: Sweep<D> + Send + 'static>(&mut self, mut p: Portfolio<'_, '_, D, W>) -> Report {
        self.accelerated.remember();
        self.accelerated.set_sweeps(if D == 2 && !p.cold { SWEEPS_PLANE } else { 1 });
        let (ControlFlow::Break(mut report) | ControlFlow::Continue(mut report)) = self.run(&mut p);
        report.iterations = p.iterations;
        report.why = p.why;
        report
    }

    /// The stages in turn; one that ends the portfolio breaks.
    fn run<W: Sweep<D> + Send + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>) -> ControlFlow<Report, Report> {
        let tolerance = p.stop.tolerance;
        if p.cold && separates(p.problem, tolerance) {
            let report = p.stage(&mut self.nsgs, 0);
            if report.status == Status::Converged {
                p.why = START.into();
            }
            p.unless_over(report)?;
        }
        let rests = p.cold && comes_to_rest(&self.options, p.problem, &mut p.x.u);
        let options = &self.options.of_stages(rests);
        let large = multigrid_alone(options, p.problem, tolerance);
        let accelerates = !p.cold || rests || p.problem.contacts() <= options.accelerate_to;
        let mut choice = None;
        let rolls = rolls(&p.problem.cones);
        // in many contacts a few sweeps take longer than to look for islands, and more memory than the processor has near
        if p.islands && p.problem.contacts() >= MANY && !rolls {
            p.islands = false;
            if !p.cold {
                self.sweep_if_near(p)?;
            }
            if self.room.islands.find(&p.problem.w) {
                self.solve_apart(p)?;
            }
        }
        if rests {
            let report = p.stage_while_falling(&mut self.truncated, TRUNCATED);
            p.say("truncated newton multigrid", &report);
            p.unless_over(report)?;
        }
        let far = if rolls {
            begin_rolling(p, &mut self.halves, |p| Choice::of(options, p, large, tolerance), &mut choice)?
        } else {
            None
        };
        let start = if let Some(report) = far {
            Start { report, rate: 0.0, missing: f64::INFINITY, decided: true, apart: false, standstill: false }
        } else if accelerates && (p.cold || !rolls) {
            self.accelerate(p, options, (large, rests), &mut choice)?
        } else {
            self.sweep_first(p, large, accelerates)?
        };
        if start.apart {
            self.solve_apart(p)?;
        }
        if D == 2 && is_few(p) {
            let report = p.stage(&mut Erased(Plane(Lemke2d::default())), usize::MAX);
            p.say("few contacts in the plane, lemke", &report);
            p.unless_over(report)?;
        }
        let Choice { mut system, costs } = choice.unwrap_or_else(|| Choice::of(options, p.problem, large, tolerance));
        if let Some(system) = &mut system
            && costs.may_hold(start.report.certificate.error, tolerance, start.rate)
            && few_open(&start.report.certificate)
        {
            let report = p.stage(&mut Erased(Held { system }), usize::MAX);
            p.say("all contacts held", &report);
            p.unless_over(report)?;
        }
        let mut gradients = Gradients::default();
        let mut error = start.report.certificate.error;
        let mut swept = if accelerates && !start.apart { Left::at(&start.report) } else { Left::default() };
        if start.standstill {
            let report = gradients.descend_after_standstill(p, error, start.report.iterations as f64);
            error = p.unless_over(report)?.certificate.error;
        }
        let report = match (costs.others(), costs.descends(p.cold && accelerates, tolerance)) {
            _ if start.decided => start.report,
            (Some(others), Some(spent)) => {
                let sweeps = start.report.iterations as f64 * costs.sweep / costs.gradient();
                gradients.descend_while_it_pays(p, error, others / costs.gradient(), spent, sweeps)
            }
            (Some(others), None) if accelerates => {
                let asked = asked::<D>(p.cold, &costs);
                let report = self.accelerate_while_it_pays(p, start, asked, others / costs.sweep);
                swept = Left::at(&report);
                report
            }
            _ => self.sweep_while_it_pays(p, start, &costs),
        };
        let report = p.unless_over(report)?;
        if let Some(seconds) = costs.multigrid.filter(|s| costs.interior_point.is_none_or(|i| *s < i)) {
            p.why.push(format!("multigrid admm, expected to take {seconds:.1e} s: sweeps would take longer"));
            let mut admm = Erased(Admm::multigrid(AdmmOptions::default()));
            let report = p.stage_anew(&mut admm, MULTIGRID_ITERATIONS, &report);
            p.say("multigrid admm", &report);
            p.unless_over(report)?;
        }
        let problem: &LocalProblem<D, dyn Sweep<D>> = p.problem;
        let mut interior_point = costs.interior_point;
        if large {
            system = Costs::system(options, problem);
            interior_point = Costs::of(options, p.problem, system.as_ref(), tolerance).interior_point;
        }
        match interior_point {
            Some(seconds) => {
                p.why.push(format!("interior point, expected to take {seconds:.1e} s: sweeps would take longer"));
                let (rescue, before) = (costs.rescue::<D>(p.cold, tolerance), report.certificate.error);
                let few = costs.gradients_of_few(p.cold, tolerance);
                let sweeps = &mut self.accelerated;
                let (system, gradients, tried) = (&mut system, &mut gradients, 0);
                SecondOrder { problem, system, sweeps, swept, gradients, few, rescue, before, tried }.run(p)?;
                p.why.push("all stalled: gradients and sweeps from the best point");
                ControlFlow::Continue(self.go_on(p))
            }
            None => {
                p.why.push(
                    "no interior point (Tresca contacts, or a factor of W that would not fit in memory): sweeps alone",
                );
                ControlFlow::Continue(self.sweeps(p))
            }
        }
    }

    /// A few accelerated sweeps from a start that is nearly the answer: at rest, loads hardly change from step to step, and
    /// these take less than to look for anything.
    fn sweep_if_near<W: Sweep<D> + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>) -> ControlFlow<Report> {
        let near = NEAR * p.stop.tolerance;
        let far = |iteration, error| iteration == 0 && error > near;
        let report = p.stage_until(&mut self.accelerated, FEW_SWEEPS, far);
        if p.iterations > 0 || p.over(&report).is_some() {
            self.say_accelerated(p, report, 0)?;
        }
        ControlFlow::Continue(())
    }

    /// Accelerated sweeps, without anything else analysed while they promise an end soon, and then for as long as they pay:
    /// most small and warm problems end here.
    fn accelerate<'a, W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'a, '_, D, W>,
        options: &AutoOptions,
        (large, rests): (bool, bool),
        choice: &mut Option<Choice<'a, D>>,
    ) -> ControlFlow<Report, Start> {
        let (problem, tolerance, cold, before) = (p.problem, p.stop.tolerance, p.cold, p.iterations);
        // few contacts in the plane are pivoted sooner
        let pivoted = D == 2 && is_few(p);
        let rolls = rolls(&problem.cones);
        // sweeps over many contacts that roll are as dear as what they are tried before, which makes nothing of them
        let fewer = fewer_first(p);
        let dear = rolls && cold && !is_few(p);
        let rested = if rests && tolerance < TIGHT { RESTED } else { 1.0 };
        let first = if pivoted { 0.0 } else { later(p) * options.first_sweeps as f64 / (fewer * rested) };
        let blind = if D == 2 { BLIND_PLANE } else { BLIND / fewer };
        let more = (problem.contacts() as f64 / BLINDER.0).clamp(1.0, BLINDER.1);
        let (least, most) = blindly::<D>(cold, first, blind * more);
        let (mut asks, mut apart, mut descends) = (false, false, false);
        let mut standstill = Standstill::default();
        let (mut looks, islands) = (p.islands && !rolls, &mut self.room.islands);
        let (together, within) = if D == 2 && !cold { TOGETHER_PLANE } else { TOGETHER };
        let (report, missing) = p.stage_while(&mut self.accelerated, |done, missing, error| {
            if looks && done >= together && done + missing > within {
                (looks, apart) = (false, islands.find(&problem.w));
                if apart {
                    return false;
                }
            }
            if done < least || done + missing <= most {
                return true;
            }
            if pivoted {
                return false;
            }
            let Choice { costs, .. } = choice.get_or_insert_with(|| Choice::of(options, problem, large, tolerance));
            asks = costs.may_hold(error, tolerance, rate(error, tolerance, missing));
            let asked = asked::<D>(cold, costs);
            // what may take any number of sweeps is left where it would be swept in the end all the same
            let pays = |others: f64| {
                let sweeps = others / costs.sweep;
                if dear {
                    done + missing <= DEAR[usize::from(tolerance < TIGHT)] * sweeps
                } else {
                    pays(asked, done, missing, sweeps)
                }
            };
            let goes_on = !asks && costs.others().map_or(rests, pays);
            let faced = costs.descends(cold, tolerance).is_some() && done + missing > FACED_SWEEPS;
            descends = faced || (cold && !dear && standstill.lasts(done, error));
            goes_on && !descends
        });
        let standstill = descends && standstill.lasted;
        if apart {
            let report = p.unless_over(report)?;
            return ControlFlow::Continue(Start { report, rate: 0.0, missing, decided: false, apart, standstill });
        }
        let report = self.say_accelerated(p, report, before)?;
        let rate = rate(report.certificate.error, tolerance, missing);
        let decided = choice.is_some() && !asks && !descends;
        ControlFlow::Continue(Start { report, rate, missing, decided, apart, standstill })
    }

    /// What accelerated sweeps came to that began after so many iterations.
    fn say_accelerated<W: Sweep<D> + 'static>(
        &self,
        p: &mut Portfolio<'_, '_, D, W>,
        report: Report,
        before: usize,
    ) -> ControlFlow<Report, Report> {
        if before > 0 || p.over(&report).is_none() {
            p.say("accelerated sweeps", &report);
        } else {
            p.why = if p.iterations > 0 { "accelerated sweeps alone" } else { START }.into();
        }
        p.unless_over(report)
    }

    /// Plain sweeps first, where contacts are many, or roll and start warm: accelerated ones follow those.
    fn sweep_first<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        large: bool,
        accelerates: bool,
    ) -> ControlFlow<Report, Start> {
        let (rolls, few) = (rolls(&p.problem.cones), is_few(p));
        let fewer = if large && p.cold && !rolls { LARGE } else { fewer_first(p) };
        let (first, rate) = p.sweeps(&mut self.nsgs, (self.options.first_sweeps as f64 / fewer) as usize);
        if p.over(&first).is_some() {
            p.why = if p.iterations > 0 { "gauss-seidel sweeps alone" } else { START }.into();
        }
        let report = p.unless_over(first)?;
        p.say("gauss-seidel first", &report);
        let mut missing = f64::INFINITY;
        if accelerates {
            let blind = if few { BLIND } else { BLIND / ROLLING };
            let ((least, most), before) = (blindly::<D>(p.cold, 0.0, blind), p.iterations);
            let soon = |done: f64, missing: f64, _: f64| done < least || done + missing <= most;
            let (report, left) = p.stage_while(&mut self.accelerated, soon);
            self.say_accelerated(p, report, before)?;
            missing = left;
        }
        ControlFlow::Continue(Start { report, rate, missing, decided: false, apart: false, standstill: false })
    }

    /// Gradients and sweeps in turn, each twice as long as the last time, to the end of the budget: where one creeps, the other
    /// may not.
    fn go_on<W: Sweep<D> + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>) -> Report {
        let (mut iterations, mut idle, mut gradients) = (LAST, 0, Erased(Aclm::default()));
        loop {
            let sweeps: &mut dyn Solver<D, W> = &mut self.nsgs;
            for (name, solver) in [("accelerated gradients", &mut gradients as _), ("gauss-seidel", sweeps)] {
                let report = p.stage(solver, iterations);
                p.say(name, &report);
                // stalled, diverged or unsupported: what ends by itself would end so again
                let turns = report.status == Status::IterationLimit && report.iterations > 0;
                idle = if turns { 0 } else { idle + 1 };
                if let Some(status) = p.over(&report).or((idle == 2).then_some(report.status)) {
                    return Report { status, ..report };
                }
            }
            iterations = iterations.saturating_mul(2);
        }
    }

    /// Sweeps to the end of the budget.
    fn sweeps<W: Sweep<D> + 'static>(&mut self, p: &mut Portfolio<'_, '_, D, W>) -> Report {
        let report = p.stage(&mut self.nsgs, usize::MAX);
        p.say("gauss-seidel", &report);
        let status = p.over(&report).unwrap_or(report.status);
        Report { status, ..report }
    }

    /// Goes on with accelerated sweeps while the error they leave promises an end before the `others`, given in sweeps.
    fn accelerate_while_it_pays<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        start: Start,
        asked: Asked,
        others: f64,
    ) -> Report {
        if !pays(asked, 0.0, start.missing, others) {
            return start.report;
        }
        let pays = |done: f64, missing: f64, _: f64| pays(asked, done, missing, others);
        let (report, _) = p.stage_while(&mut self.accelerated, pays);
        p.say("more accelerated sweeps", &report);
        report
    }

    /// Goes on sweeping in growing chunks while the rate they show promises an end before the other methods'.
    fn sweep_while_it_pays<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        Start { report: first, rate: plain, .. }: Start,
        costs: &Costs,
    ) -> Report {
        let Some(others) = costs.others() else { return first };
        let (mut last, mut rate) = (first, plain);
        let mut relax = self.options.omega != 1.0;
        // what the first sweeps showed is without relaxation
        let mut hope = match costs.multigrid {
            None if relax => RELAXATION_GAIN,
            None => 1.0,
            // and that of a few sweeps is soon lost
            Some(_) if p.cold => SOON_LOST,
            Some(_) => 1.0,
        };
        // as many as were taken: errors fall in steps
        let mut sweeps = (3 * self.options.first_sweeps).max(p.iterations);
        loop {
            // the rate falls as sweeps go on, so this is the least that it takes
            let missing = (last.certificate.error / p.stop.tolerance).ln();
            let more = missing / (hope * rate);
            // no more is spent on sweeps than on what would have been done instead
            let spent = p.iterations as f64 * costs.sweep;
            if more.is_nan() || more * costs.sweep + 0.5 * spent > others {
                return last;
            }
            let before = last.certificate.error;
            let (solver, name) = match relax {
                true => (&mut self.relaxed, "relaxed sweeps"),
                false => (&mut self.nsgs, "more sweeps"),
            };
            (last, rate) = p.sweeps(solver, sweeps);
            p.say(name, &last);
            if p.over(&last).is_some() {
                return last;
            }
            hope = 1.0;
            // in large packings moves stay large while the error falls
            if costs.is_packing {
                rate = rate.max((before / last.certificate.error).ln() / sweeps as f64);
            }
            // where relaxation throws contacts back and forth, the error does not fall
            if relax && last.certificate.error > STUCK * before {
                (relax, rate) = (false, 0.5 * plain);
            }
            sweeps *= 2;
        }
    }
}
