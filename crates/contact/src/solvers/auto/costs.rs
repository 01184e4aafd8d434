//! Expected seconds, from counts alone, never from a clock: the same problem takes the same path on every run.

use super::super::Ipm;
use super::AutoOptions;
use super::gradients;
use super::second_order::Rescue;
use crate::certificate::Certificate;
use crate::cone::{Cone, rolls};
use crate::contact_system::{ContactSystem, Form};
use crate::operator::{Sweep, body_dofs};
use crate::problem::LocalProblem;

/// What all second-order stages factor, analysed once.
pub(super) type System<'a, const D: usize> = ContactSystem<'a, D, dyn Sweep<D>>;

/// What is analysed, and what it says.
pub(super) struct Choice<'a, const D: usize> {
    pub system: Option<System<'a, D>>,
    pub costs: Costs,
}

impl<'a, const D: usize> Choice<'a, D> {
    /// Nothing is analysed that would not be factored: not where multigrid is to follow.
    pub fn of<W: Sweep<D> + 'static>(
        options: &AutoOptions,
        problem: &'a LocalProblem<D, W>,
        large: bool,
        tolerance: f64,
    ) -> Self {
        let system = if large { None } else { Costs::system(options, problem) };
        let costs = Costs::of(options, problem, system.as_ref(), tolerance);
        Self { system, costs }
    }
}

/// What each method is expected to take.
pub(super) struct Costs {
    /// One sweep and what accelerates it, measured from begin to end.
    pub sweep: f64,
    /// One factorisation, where it can be had.
    factorisation: Option<f64>,
    /// Whether many contacts share the same two bodies.
    pub faces: bool,
    /// Whether there are many contacts and they do not.
    pub is_packing: bool,
    /// Whether the bodies behind W are known: what then comes to rest was taken by truncated Newton multigrid, and the rest moves.
    knows_bodies: bool,
    /// Whether contacts roll.
    rolls: bool,
    /// Whether they are so few that an interior point takes little more than a few sweeps.
    pub is_small: bool,
    /// An interior point to the end; `None` when it cannot be had.
    pub interior_point: Option<f64>,
    /// Multigrid ADMM to the end; `None` when it is not worth trying.
    pub multigrid: Option<f64>,
}

/// A tolerance below which redundant contacts (walls) make multigrid ADMM slow, and any others sweeps.
pub(super) const TIGHT: f64 = 1e-5;
/// So many contacts between points make a packing in which an interior point may need twice as long as elsewhere.
const MANY: f64 = 500.0;
/// What so many need in the plane where few digits are asked for, over what is expected.
const PLANE: f64 = 1.5;
/// What so many contacts between faces need: large fronts run faster than small ones.
const FACED: f64 = 0.6;
/// What fewer contacts in space need.
const FEWER: f64 = 0.55;
/// What fewer yet than so many need.
const FEWEST: (f64, f64) = (100.0, 0.35);

/// Friction up to which contacts in space are taken to slide, and what one that slides takes more than one that holds (s).
const SLIDES: (f64, f64) = (0.2, 1e-7);

/// The share of contacts with so little friction that they slide.
fn smooth(cones: &[Cone]) -> f64 {
    let slides = |cone: &&Cone| matches!(cone, Cone::Coulomb { mu } if *mu > 0.0 && *mu <= SLIDES.0);
    cones.iter().filter(slides).count() as f64 / cones.len().max(1) as f64
}

/// What a contact that rolls takes more in a factorisation by bodies (s).
const ROLLING_BODIES: f64 = 1e-6;

/// What a sweep takes without contacts (s).
const OVERHEAD: f64 = 5e-7;

/// What an accelerated gradient takes, over an accelerated sweep.
const GRADIENT: f64 = 0.5;

/// Bytes of all contacts up to which they are near the processor, and from which on they are not, in the plane and in space;
/// seconds that a byte then takes.
const AFAR: [(f64, f64, f64); 2] = [(6e5, 2e6, 3e-11), (1.5e6, 3.5e6, 1.5e-11)];

/// What an accelerated sweep waits for memory: a block of W for every neighbour, and the columns of the acceleration.
fn from_afar<const D: usize>(contacts: f64, neighbours: f64) -> f64 {
    let (near, far, byte) = AFAR[usize::from(D > 2)];
    let bytes = contacts * (8.0 * (D * D) as f64 * neighbours + 80.0 * D as f64);
    bytes * byte * ((bytes - near) / (far - near)).clamp(0.0, 1.0)
}

/// Most of the contacts that sweeps leave open where they may yet all hold.
const OPEN: f64 = 0.4;
/// Blocks a row of W, and contacts a body, from which on faces meet faces: spheres have fewer, and seldom all hold.
const FACES: [f64; 2] = [11.5, 4.0];
/// And contacts between the same two bodies.
const SHARED: f64 = 2.0;

/// What tells the two bodies of every contact: their numbers, or the row of W where these are not known, which contacts of the same two
/// share.
fn touching<const D: usize, W: Sweep<D>>(w: &W) -> impl Iterator<Item = [usize; 3]> {
    // what contacts are coupled through: bodies, or their degrees of freedom
    let width = if w.nodes() == w.state_len() { body_dofs::<D>() } else { 1 };
    let assembled = w.state_len() == 0;
    (0..w.contacts()).map(move |c| {
        let [mut low, mut high, mut row] = [usize::MAX, 0, 0usize];
        w.meets(c, |node| {
            (low, high) = (low.min(node / width), high.max(node / width));
            if assembled {
                row = row.wrapping_mul(31).wrapping_add(node);
            }
        });
        [low, high, row]
    })
}

/// Contacts between the same two bodies, in the plane and in space, where edges or faces meet.
const SHARED_BY_FACES: [f64; 2] = [1.7, 3.0];

/// Whether bodies meet in faces, as far as contacts of the same two bodies follow each other, which is quickly told.
pub(super) fn meets_in_faces<const D: usize, W: Sweep<D>>(problem: &LocalProblem<D, W>) -> bool {
    let (mut runs, mut last) = (0, None);
    for pair in touching(&problem.w) {
        runs += usize::from(last.replace(pair) != Some(pair));
    }
    problem.contacts() as f64 >= SHARED_BY_FACES[usize::from(D > 2)] * runs as f64
}

/// Pairs of bodies that touch.
fn pairs<const D: usize, W: Sweep<D>>(w: &W) -> usize {
    let mut pairs: Vec<_> = touching(w).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs.len()
}

impl Costs {
    pub fn of<const D: usize, W: Sweep<D> + 'static>(
        options: &AutoOptions,
        problem: &LocalProblem<D, W>,
        system: Option<&System<'_, D>>,
        tolerance: f64,
    ) -> Self {
        let contacts = problem.contacts() as f64;
        // assembled rows have a block for every neighbour; matrix-free ones touch two bodies, as dear as some blocks
        let assembled = || system.map(|system| system.blocks() as f64 / contacts);
        let neighbours = problem.w.blocks_a_visit().or_else(assembled).unwrap_or(if D == 2 { 12.0 } else { 20.0 });
        let rolls = rolls(&problem.cones);
        let (one_contact, one_block) = match D {
            _ if rolls => (4e-7, 6e-9),
            2 => (1.1e-8, 1.7e-9),
            _ => (3e-8 + SLIDES.1 * smooth(&problem.cones), 3.2e-9),
        };
        let sweep = OVERHEAD + contacts * (one_contact + one_block * neighbours) + from_afar::<D>(contacts, neighbours);
        let may_be_faces = match problem.w.bodies() {
            Some(_) => contacts > FACES[1] * bodies(problem),
            None => neighbours > FACES[0],
        };
        let faces = may_be_faces && contacts >= SHARED * pairs(&problem.w) as f64;
        let is_packing = !faces && contacts >= MANY;
        // a small problem is bound by overheads, not by arithmetic
        let seconds = |s: &System<'_, D>| {
            let rolling = if rolls && s.is_global() { ROLLING_BODIES } else { 0.0 };
            s.flops() / options.flops + (8e-7 + rolling) * contacts + 1e-8 * s.blocks() as f64
        };
        let factorisation = system.map(seconds);
        // loads have yet to find their way
        let is_loaded_slowly = is_packing && tolerance >= TIGHT;
        let active_set = if contacts < FEWEST.0 && D > 2 {
            FEWEST.1
        } else if contacts < MANY && D > 2 {
            FEWER
        } else if is_loaded_slowly && D == 2 {
            PLANE
        } else if is_loaded_slowly {
            2.0
        } else if faces && contacts >= MANY {
            FACED
        } else {
            1.0
        };
        let interior_point = factorisation.map(|f| options.factorisations(tolerance, active_set) * f);
        Self {
            sweep,
            factorisation,
            faces,
            is_packing,
            knows_bodies: problem.w.bodies().is_some(),
            rolls,
            is_small: contacts < FEWEST.0 && D > 2,
            interior_point,
            multigrid: multigrid(options, problem, tolerance),
        }
    }

    /// What is analysed once for all factorisations; `None` when it cannot be had.
    pub fn system<'a, const D: usize>(
        options: &AutoOptions,
        problem: &'a LocalProblem<D, dyn Sweep<D>>,
    ) -> Option<System<'a, D>> {
        (Ipm::knows(&problem.cones) && problem.contacts() <= options.interior_point_to)
            .then(|| ContactSystem::new(&problem.w, Form::Auto))
            .flatten()
    }

    /// Whether it is worth a factorisation to ask if all contacts hold: faces meet, and sweeps from here or an interior
    /// point would take longer. Multigrid ADMM finds out by itself.
    pub fn may_hold(&self, error: f64, tolerance: f64, rate: f64) -> bool {
        // the rate of sweeps falls as they go on
        let sweeps = 2.0 * self.sweep * (error / tolerance).ln() / rate;
        let other = self.interior_point.map_or(sweeps, |o| o.min(sweeps));
        let cheap = self.factorisation.is_some_and(|f| f < 0.5 * other) && self.multigrid.is_none();
        self.faces && cheap
    }

    /// What accelerated gradients may take where they follow the first sweeps of a cold start.
    pub fn descends(&self, cold: bool, tolerance: f64) -> Option<(f64, f64)> {
        let may_rest = !self.knows_bodies && tolerance < TIGHT;
        let spent = if may_rest { gradients::FACES_AT_REST } else { gradients::FACES };
        (cold && self.faces && !self.rolls).then_some(spent)
    }

    /// Accelerated gradients that take as long as the interior point where contacts are few and so are the digits asked for.
    pub fn gradients_of_few(&self, cold: bool, tolerance: f64) -> Option<f64> {
        self.interior_point
            .filter(|_| cold && self.is_small && !self.rolls && tolerance >= TIGHT)
            .map(|i| i / self.gradient())
    }

    /// One accelerated gradient: a product, and no contact solved.
    pub fn gradient(&self) -> f64 {
        GRADIENT * self.sweep
    }

    /// What may help an interior point out of a jam, from a cold start.
    pub fn rescue<const D: usize>(&self, cold: bool, tolerance: f64) -> Option<Rescue> {
        let factorisation = self.factorisation.filter(|_| cold)?;
        // of discs it jams as often as not, and then takes as long as one from afar
        let near = match D {
            2 => tolerance < TIGHT,
            3 => self.is_packing,
            _ => true,
        };
        Some(Rescue {
            sweeps: (!self.faces).then_some(factorisation / self.sweep),
            gradients: factorisation / self.gradient(),
            near: near || self.is_small,
            again: D == 3 && self.is_packing,
        })
    }

    /// The sooner of the methods that are not sweeps.
    pub fn others(&self) -> Option<f64> {
        self.interior_point.into_iter().chain(self.multigrid).reduce(f64::min)
    }
}

/// Whether so few contacts are open that they may yet all hold.
pub(super) fn few_open(last: &Certificate) -> bool {
    last.open as f64 <= OPEN * (last.open + last.slip + last.stick) as f64
}

impl AutoOptions {
    /// Factorisations that an interior point is expected to take: some for the active set, and one more for each digit.
    /// Loads find their way through many points slowly; once they have, digits are cheap and sweeps dear.
    fn factorisations(&self, tolerance: f64, active_set: f64) -> f64 {
        let active_set = self.expected_factorisations * active_set;
        active_set + (1e-4 / tolerance).log10().max(0.0)
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
    let iterations = if slow_multigrid(problem, tolerance) { 300.0 } else { 60.0 };
    Some(contacts as f64 * (2e-6 + 1.3e-7 * iterations))
}

/// Whether redundant contacts and many digits make multigrid ADMM slow.
fn slow_multigrid<const D: usize, W: Sweep<D>>(problem: &LocalProblem<D, W>, tolerance: f64) -> bool {
    !meets_in_points(problem) && tolerance < TIGHT
}

/// Whether bodies meet in points: where faces meet there are more contacts a body.
pub(super) fn meets_in_points<const D: usize, W: Sweep<D>>(problem: &LocalProblem<D, W>) -> bool {
    problem.contacts() as f64 <= 8.0 * bodies(problem)
}

/// Whether multigrid ADMM leaves no room for factorisations, whose cost grows faster with the contacts.
pub(super) fn multigrid_alone<const D: usize, W: Sweep<D> + 'static>(
    options: &AutoOptions,
    problem: &LocalProblem<D, W>,
    tolerance: f64,
) -> bool {
    multigrid(options, problem, tolerance).is_some() && !slow_multigrid(problem, tolerance)
}

/// Bodies behind a matrix-free operator.
fn bodies<const D: usize, W: Sweep<D>>(problem: &LocalProblem<D, W>) -> f64 {
    problem.w.state_len() as f64 / body_dofs::<D>() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{BoxWall, RandomSparse};
    use crate::operator::{Delassus, MatrixFree};

    /// Four corners a joint; where only W is left, they share its row.
    #[test]
    fn contacts_of_the_same_two_bodies_are_told_with_and_without_these() {
        let wall = BoxWall { columns: 4, courses: 6, ..BoxWall::default() }.generate().unwrap();
        let by_bodies: LocalProblem<3, MatrixFree<3>> = LocalProblem::matrix_free(&wall).unwrap().unwrap();
        let assembled = by_bodies.w.assemble().unwrap().into_owned();
        assert_eq!(4 * pairs(&by_bodies.w), wall.contacts());
        assert_eq!(4 * pairs(&assembled), wall.contacts());
        assert!(meets_in_faces(&by_bodies));
    }

    /// Bodies with many contacts have long rows, as faces have, but no two of the same.
    #[test]
    fn scattered_contacts_are_no_faces_however_many_a_body_has() {
        let sparse = RandomSparse { contacts: 200, bodies: 40, ..RandomSparse::default() }.local::<3>().unwrap();
        let options = AutoOptions::default();
        assert!(sparse.w.blocks_a_visit().is_some_and(|blocks| blocks > FACES[0]));
        assert!(!Choice::of(&options, &sparse, false, 1e-4).costs.faces);
    }
}
