//! From contacts to a contact problem and back: the only place that sees both bodies and problems.

use crate::bodies::Bodies;
use crate::contact_state::ContactState;
use crate::dump::{Dump, Dumped, global_problem};
use crate::laws::Laws;
use crate::options::{Activation, Engine, Options, Stabilisation};
use crate::outcome::Outcome;
use crate::space::{Rigid, Space};
use crate::step::DEAD;
use crate::warm_start::WarmStart;
use stickslip_contact::certificate::Scales;
use stickslip_contact::cone::Cone;
use stickslip_contact::operator::rigid::{contact_frame, relative_velocity, world_impulse};
use stickslip_contact::operator::{
    DiscContact, DiscContacts, RigidContact, RigidContacts, SphereContact, SphereContacts,
};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{Compiled, Solver, SolverSpec, Status, Unknowns, unwatched};
use stickslip_geometry::Contact;

/// What the contacts of a step are made from.
pub struct Input<'a, const N: usize, const V: usize>
where
    Rigid: Space<N, V>,
{
    /// The bodies; their velocities are those at the start of the step.
    pub bodies: &'a Bodies<N, V>,
    /// The laws.
    pub laws: &'a Laws,
    /// The options.
    pub options: &'a Options,
    /// The step (s).
    pub h: f64,
    /// Contacts within reach, sorted.
    pub contacts: &'a [Contact<N>],
    /// Velocities at the end of the step without contacts.
    pub v_free: &'a [[f64; V]],
    /// How far a contact of each body may be from closing and still take part (m).
    pub slack: &'a [f64],
    /// Gaps of loaded contacts of each body that count as none (m).
    pub dead: &'a [f64],
    /// Contacts of the last step, sorted.
    pub last: &'a [ContactState<N>],
    /// The length of the last step (s).
    pub last_h: f64,
}

/// The velocities that impulses change.
pub struct Impelled<'a, const V: usize> {
    /// At the end of the step, but for spinning friction.
    pub v: &'a mut [[f64; V]],
    /// What spinning friction adds to them; empty when there is none.
    pub spun: &'a mut Vec<[f64; V]>,
    /// Bodies that an impulse moved.
    pub touched: &'a mut [bool],
}

/// How a solve ended.
#[derive(Debug, Clone, Copy)]
pub struct Solved {
    pub(crate) status: Status,
    pub(crate) iterations: usize,
    pub(crate) error: f64,
}

/// The contact problem of a world, whatever its rows and operator.
pub trait ContactStage<const N: usize, const V: usize>: Send
where
    Rigid: Space<N, V>,
{
    /// Builds the problem: which contacts take part, their laws, frames, free velocities and starts.
    fn assemble(&mut self, input: &Input<'_, N, V>);
    /// Contacts that take part.
    fn contacts(&self) -> usize;
    /// Solves it.
    fn solve(&mut self, options: &Options) -> Solved;
    /// Displacements that take the overlaps left at the end of the step away, into `out`; whether there are any.
    fn project(&mut self, input: &Input<'_, N, V>, theta: f64, out: &mut Vec<[f64; V]>) -> bool;
    /// Adds the impulses to the velocities, marks the bodies that have any, and lists the contacts.
    fn apply(&mut self, input: &Input<'_, N, V>, into: Impelled<'_, V>, out: &mut Vec<ContactState<N>>) -> Outcome;
    /// The problem as it would be written to a file, with its answer.
    fn dump(&self, input: &Input<'_, N, V>) -> Dumped;
}

/// An operator that can be rebuilt in place from bodies and contacts.
pub trait Operator<const N: usize, const V: usize, const D: usize>: Compiled<D> + Default + Send
where
    Rigid: Space<N, V>,
{
    /// Empties it and takes the inertias.
    fn begin(&mut self, bodies: &Bodies<N, V>);
    /// The contact with its arms.
    fn arms(contact: &Contact<N>, bodies: &Bodies<N, V>) -> RigidContact<N>;
    /// Adds a contact.
    fn add(&mut self, contact: RigidContact<N>, bodies: &Bodies<N, V>);
    /// All contacts are in. An operator that likes them in another order has them in it from here on, and says in which:
    /// `order` becomes the number that each was added with, and stays empty where nothing changes.
    fn finish(&mut self, _order: &mut Vec<u32>) {}
    /// The change of velocity of a body, read off the state.
    fn change(state: &[f64], k: usize, bodies: &Bodies<N, V>) -> [f64; V];
}

#[inline(always)]
fn arm<const N: usize>(p: &[f64; N], x: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| p[i] - x[i])
}

impl<const N: usize, const V: usize, const D: usize> Operator<N, V, D> for RigidContacts<N, V, D>
where
    Self: Compiled<D>,
    Rigid: Space<N, V>,
{
    fn begin(&mut self, bodies: &Bodies<N, V>) {
        self.reset((0..bodies.len()).map(|k| bodies.response(k)));
    }

    /// Both arms end in the same point: the contact keeps the angular momentum.
    #[inline(always)]
    fn arms(c: &Contact<N>, bodies: &Bodies<N, V>) -> RigidContact<N> {
        let (a, b) = (c.a as usize, c.b as usize);
        let (arm_a, arm_b) = (arm(&c.point, &bodies.x[a]), arm(&c.point, &bodies.x[b]));
        RigidContact { normal: c.normal, arm_a, arm_b, a: c.a, b: c.b }
    }

    #[inline(always)]
    fn add(&mut self, contact: RigidContact<N>, _: &Bodies<N, V>) {
        self.push_contact(contact);
    }

    #[inline(always)]
    fn change(state: &[f64], k: usize, _: &Bodies<N, V>) -> [f64; V] {
        std::array::from_fn(|i| state[V * k + i])
    }
}

/// The arms of balls end on their surfaces, along the normal.
#[inline(always)]
fn ball_arms<const N: usize, const V: usize>(c: &Contact<N>, bodies: &Bodies<N, V>) -> RigidContact<N>
where
    Rigid: Space<N, V>,
{
    let along = |k: u32, sign: f64| {
        let k = k as usize;
        if bodies.movable[k] { c.normal.map(|n| sign * bodies.radius[k] * n) } else { arm(&c.point, &bodies.x[k]) }
    };
    RigidContact { normal: c.normal, arm_a: along(c.a, -1.0), arm_b: along(c.b, 1.0), a: c.a, b: c.b }
}

impl Operator<3, 6, 3> for SphereContacts {
    fn begin(&mut self, bodies: &Bodies<3, 6>) {
        self.reset(bodies.len());
    }

    #[inline(always)]
    fn arms(c: &Contact<3>, bodies: &Bodies<3, 6>) -> RigidContact<3> {
        ball_arms(c, bodies)
    }

    #[inline(always)]
    fn add(&mut self, k: RigidContact<3>, bodies: &Bodies<3, 6>) {
        let inv_mass = |k: u32| bodies.inv_mass[k as usize];
        let (inv_mass_a, inv_mass_b) = (inv_mass(k.a), inv_mass(k.b));
        self.push_contact(SphereContact { normal: k.normal, a: k.a, b: k.b, inv_mass_a, inv_mass_b });
    }

    /// The state holds R omega.
    #[inline(always)]
    fn change(state: &[f64], k: usize, bodies: &Bodies<3, 6>) -> [f64; 6] {
        let s = &state[6 * k..6 * k + 6];
        let inv = if bodies.movable[k] { 1.0 / bodies.radius[k] } else { 0.0 };
        [s[0], s[1], s[2], s[3] * inv, s[4] * inv, s[5] * inv]
    }
}

impl Operator<2, 3, 2> for DiscContacts {
    fn begin(&mut self, bodies: &Bodies<2, 3>) {
        self.reset(bodies.len());
    }

    #[inline(always)]
    fn arms(c: &Contact<2>, bodies: &Bodies<2, 3>) -> RigidContact<2> {
        ball_arms(c, bodies)
    }

    #[inline(always)]
    fn add(&mut self, k: RigidContact<2>, bodies: &Bodies<2, 3>) {
        let inv_mass = |k: u32| bodies.inv_mass[k as usize];
        let (inv_mass_a, inv_mass_b) = (inv_mass(k.a), inv_mass(k.b));
        self.push_contact(DiscContact { normal: k.normal, a: k.a, b: k.b, inv_mass_a, inv_mass_b });
    }

    fn finish(&mut self, order: &mut Vec<u32>) {
        self.arrange(order);
    }

    /// The state holds R omega.
    #[inline(always)]
    fn change(state: &[f64], k: usize, bodies: &Bodies<2, 3>) -> [f64; 3] {
        let s = &state[3 * k..3 * k + 3];
        [s[0], s[1], if bodies.movable[k] { s[2] / bodies.radius[k] } else { 0.0 }]
    }
}

/// What a contact that takes part keeps beside the problem.
#[derive(Debug, Clone, Copy)]
struct Row<const D: usize> {
    /// Its number among the detected contacts.
    contact: u32,
    /// Relative velocity at the start of the step.
    before: [f64; D],
    /// What the law adds to the velocity: `e u^-`, `g/h`, or a push out of an overlap.
    bias: [f64; D],
    /// The part of the normal bias that pushes (not positive).
    push: f64,
}

/// The order that the operator likes its contacts in.
#[derive(Debug, Default)]
struct Order<const D: usize> {
    /// The number that each was assembled with; empty where it is its own.
    of: Vec<u32>,
    /// Where each of those is now.
    place: Vec<u32>,
    vectors: Vec<[f64; D]>,
    cones: Vec<Cone>,
    rows: Vec<Row<D>>,
}

impl<const D: usize> Order<D> {
    /// Forgets the last order; to be filled by the operator.
    fn begin(&mut self) -> &mut Vec<u32> {
        self.of.clear();
        &mut self.of
    }

    /// Puts what belongs to the contacts into the order.
    fn apply<W>(&mut self, p: &mut LocalProblem<D, W>, rows: &mut Vec<Row<D>>, r: &mut Vec<[f64; D]>) {
        self.place.clear();
        if self.of.is_empty() {
            return;
        }
        self.place.resize(self.of.len(), 0);
        self.of.iter().enumerate().for_each(|(new, &old)| self.place[old as usize] = new as u32);
        reorder(&mut p.q, &self.of, &mut self.vectors);
        reorder(r, &self.of, &mut self.vectors);
        reorder(&mut p.cones, &self.of, &mut self.cones);
        reorder(rows, &self.of, &mut self.rows);
    }

    /// The contacts, of which there are so many, as they were assembled: sorted.
    #[inline(always)]
    fn sorted(&self, contacts: usize) -> impl Iterator<Item = usize> {
        (0..contacts).map(|k| self.place.get(k).map_or(k, |&place| place as usize))
    }
}

fn reorder<T: Copy>(x: &mut Vec<T>, order: &[u32], room: &mut Vec<T>) {
    room.clear();
    room.extend(order.iter().map(|&k| x[k as usize]));
    std::mem::swap(x, room);
}

/// A problem of `D` rows a contact over the operator `W`, kept from step to step.
pub(crate) struct Stage<const N: usize, const V: usize, const D: usize, W> {
    problem: LocalProblem<D, W>,
    x: Unknowns<D>,
    rows: Vec<Row<D>>,
    order: Order<D>,
    solver: Box<dyn Solver<D, W> + Send>,
    state: Vec<f64>,
    /// Impulses of a projection of positions.
    depth: Vec<f64>,
}

/// The part of the deepest overlap that a projection may leave.
const PROJECTED: f64 = 1e-6;
/// Sweeps of a projection of positions; what they leave is left to the next step.
const PROJECTION_SWEEPS: usize = 100;

impl<const N: usize, const V: usize, const D: usize, W> Stage<N, V, D, W>
where
    Rigid: Space<N, V>,
    W: Operator<N, V, D>,
{
    /// An empty problem with its solver.
    pub fn new(solver: &SolverSpec) -> Self {
        Self {
            problem: LocalProblem { w: W::default(), q: Vec::new(), cones: Vec::new(), v_free: Vec::new() },
            x: Unknowns { r: Vec::new(), u: Vec::new() },
            rows: Vec::new(),
            order: Order::default(),
            solver: solver.build::<D, W>(),
            state: Vec::new(),
            depth: Vec::new(),
        }
    }
}

/// How near a contact is to closing.
#[derive(Clone, Copy)]
struct Near {
    gap: f64,
    slack: f64,
    dead: f64,
    /// It carried an impulse in the last step.
    loaded: bool,
}

/// What the law of a contact asks for; `None` when it does not take part.
#[inline(always)]
fn discretise<const D: usize>(
    (options, h): (&Options, f64),
    (e_n, e_t): (f64, f64),
    cone: &Cone,
    Near { gap, slack, dead, loaded }: Near,
    before: &[f64; D],
    free: &[f64; D],
) -> Option<([f64; D], f64)> {
    let mut bias = [0.0; D];
    if matches!(cone, Cone::Bilateral) {
        return Some((bias, 0.0));
    }
    // slower than forces make a body in a step or two is rest, not impact: without this, loaded contacts chatter
    let resting = before[0] >= -dead / (DEAD * h);
    let (shallow, dead) = (dead, if loaded { dead } else { 0.0 });
    // a projection leaves gaps of the size of its tolerance: what it has closed must not open by them
    let closed = if options.stabilisation == Stabilisation::Project { shallow } else { 0.0 };
    match options.activation {
        // the velocity law of impacts, once the gap would close [E, eq. 31]
        Activation::Predicted { gamma } if gap + gamma * h * before[0] > closed => return None,
        Activation::Speculative if e_n > 0.0 && !(resting && loaded) && gap + h * before[0].min(free[0]) > 0.0 => {
            return None;
        }
        Activation::Speculative if gap + h * free[0] > slack => return None,
        Activation::Predicted { .. } => bias[0] = e_n * before[0].min(0.0),
        Activation::Speculative if e_n > 0.0 && !resting => bias[0] = e_n * before[0],
        Activation::Speculative => bias[0] = (gap - dead).max(0.0) / h,
    }
    let mut push = 0.0;
    // loaded or not: where bodies are wedged, no velocity undoes an overlap of the size of the tolerance
    if let (Stabilisation::Push { beta }, true) = (options.stabilisation, gap < -shallow) {
        // the faster of rebound and push; only what the push adds is its own
        let rebound = bias[0];
        bias[0] = rebound.min(beta * (gap + shallow) / h);
        push = bias[0] - rebound;
    }
    if e_t > 0.0 {
        // friction sees the formal velocity too [B, eq. 2.26]
        let t = cone.discs::<D>()[0];
        for k in t.rows() {
            bias[k] = e_t * before[k];
        }
    }
    Some((bias, push))
}

impl<const N: usize, const V: usize, const D: usize, W> ContactStage<N, V> for Stage<N, V, D, W>
where
    Rigid: Space<N, V>,
    W: Operator<N, V, D>,
{
    fn assemble(&mut self, input: &Input<'_, N, V>) {
        let Input { bodies, laws, options, h, contacts, v_free, slack, dead, last, last_h } = *input;
        let soft = if let Engine::SoftSphere(soft) = options.engine { Some(soft) } else { None };
        let p = &mut self.problem;
        p.w.begin(bodies);
        p.q.clear();
        p.cones.clear();
        self.rows.clear();
        self.x.r.clear();
        let mut warm = WarmStart::new(last);
        for (index, c) in contacts.iter().enumerate() {
            let (a, b) = (c.a as usize, c.b as usize);
            let law = laws.of(bodies.material[a], bodies.material[b]);
            let cone = law.cone();
            let k = W::arms(c, bodies);
            let before: [f64; D] = relative_velocity(&k, &bodies.v[a], &bodies.v[b]);
            let free: [f64; D] = relative_velocity(&k, &v_free[a], &v_free[b]);
            let warm = warm.find((c.a, c.b, c.feature)).map(|s| on_frame::<N, D>(&c.normal, s));
            if let Some(soft) = soft {
                if c.gap < 0.0 {
                    p.w.add(k, bodies);
                    let w_n = p.w.diagonal(self.rows.len())[0][0];
                    let last = warm.map_or([0.0; D], |r| r.map(|x| x / last_h));
                    let f = soft.force((c.gap, &before, w_n), (law.mu(), law.restitution().0), &last, h);
                    p.q.push(free);
                    p.cones.push(cone);
                    self.rows.push(Row { contact: index as u32, before, bias: [0.0; D], push: 0.0 });
                    self.x.r.push(f.map(|f| h * f));
                }
                continue;
            }
            // a contact that carries a load rests: gaps of the size of the tolerance must not shift it to its neighbours
            let loaded = warm.is_some_and(|r| r[0] > 0.0);
            let near = Near { gap: c.gap, slack: slack[a] + slack[b], dead: dead[a] + dead[b], loaded };
            let Some((bias, push)) = discretise((options, h), law.restitution(), &cone, near, &before, &free) else {
                continue;
            };
            p.w.add(k, bodies);
            p.q.push(std::array::from_fn(|d| free[d] + bias[d]));
            p.cones.push(cone);
            self.rows.push(Row { contact: index as u32, before, bias, push });
            self.x.r.push(if options.warm_start { warm.unwrap_or([0.0; D]) } else { [0.0; D] });
        }
        p.w.finish(self.order.begin());
        self.order.apply(p, &mut self.rows, &mut self.x.r);
    }

    fn contacts(&self) -> usize {
        self.rows.len()
    }

    fn solve(&mut self, options: &Options) -> Solved {
        if let Engine::SoftSphere(_) = options.engine {
            // the forces are known; what is left is where they lead
            self.x.u.resize(self.rows.len(), [0.0; D]);
            self.state.resize(self.problem.w.state_len(), 0.0);
            self.problem.velocity(&self.x.r, &mut self.x.u, &mut self.state);
            return Solved { status: Status::Converged, iterations: 0, error: 0.0 };
        }
        let stop = options.stop();
        let p = &self.problem;
        // what rests needs no solver: the impulses of the last step are certified as they are
        if !self.solver.certifies_start() {
            self.x.u.resize(self.rows.len(), [0.0; D]);
            self.state.resize(p.w.state_len(), 0.0);
            p.velocity(&self.x.r, &mut self.x.u, &mut self.state);
            let error = Scales::of(p).error(stop.measure, &p.cones, &self.x.r, &self.x.u);
            if error <= stop.tolerance {
                return Solved { status: Status::Converged, iterations: 0, error };
            }
        }
        let report = self.solver.solve(p, &mut self.x, &stop, &mut unwatched());
        Solved { status: report.status, iterations: report.iterations, error: report.certificate.error }
    }

    fn project(&mut self, input: &Input<'_, N, V>, theta: f64, out: &mut Vec<[f64; V]>) -> bool {
        let p = &self.problem;
        // gaps at the end of the step, to first order; the formal velocities are not needed any more
        let mut deepest: f64 = 0.0;
        for (row, u) in self.rows.iter().zip(&mut self.x.u) {
            let touched = input.options.activation == Activation::Speculative;
            let theta = if touched { 1.0 } else { theta };
            let mean = theta * (u[0] - row.bias[0]) + (1.0 - theta) * row.before[0];
            u[0] = input.contacts[row.contact as usize].gap + input.h * mean;
            deepest = deepest.max(-u[0]);
        }
        if deepest <= 0.0 {
            return false;
        }
        self.state.resize(p.w.state_len(), 0.0);
        self.state.fill(0.0);
        self.depth.clear();
        self.depth.resize(self.rows.len(), 0.0);
        for _ in 0..PROJECTION_SWEEPS {
            let mut worst: f64 = 0.0;
            for c in 0..self.rows.len() {
                let gap = self.x.u[c][0] + p.w.row(c, &self.x.r, &self.state)[0];
                let old = self.depth[c];
                self.depth[c] = (old - gap / p.w.diagonal(c)[0][0]).max(0.0);
                let mut dr = [0.0; D];
                dr[0] = self.depth[c] - old;
                p.w.push(c, &dr, &mut self.state);
                worst = worst.max(if self.depth[c] > 0.0 { gap.abs() } else { -gap });
            }
            if worst <= PROJECTED * deepest {
                break;
            }
        }
        out.clear();
        out.extend((0..input.bodies.len()).map(|k| W::change(&self.state, k, input.bodies)));
        true
    }

    fn apply(&mut self, input: &Input<'_, N, V>, into: Impelled<'_, V>, out: &mut Vec<ContactState<N>>) -> Outcome {
        let bodies = input.bodies;
        let Impelled { v, spun, touched } = into;
        self.state.resize(self.problem.w.state_len(), 0.0);
        self.problem.w.load(&self.x.r, &mut self.state);
        for k in 0..bodies.len() {
            if bodies.movable[k] {
                let dv = W::change(&self.state, k, bodies);
                for i in 0..V {
                    v[k][i] += dv[i];
                }
            }
        }
        let mut outcome = Outcome::default();
        out.clear();
        for k in self.order.sorted(self.rows.len()) {
            let (row, r, u) = (&self.rows[k], &self.x.r[k], &self.x.u[k]);
            let c = &input.contacts[row.contact as usize];
            let after: [f64; D] = std::array::from_fn(|d| u[d] - row.bias[d]);
            let (impulse, moment) = world_impulse(&c.normal, r);
            let status = self.problem.cones[k].status(r, 1e-9);
            if r.iter().any(|x| *x != 0.0) {
                touched[c.a as usize] = true;
                touched[c.b as usize] = true;
                outcome.take::<N, D>((&row.before, row.push), r, &after, status);
                let k = W::arms(c, bodies);
                outcome.drive(input, &k, &impulse, &moment);
                if N == 3 {
                    outcome.spin(input, &k, r[0], (v, spun));
                }
            }
            if let Engine::SoftSphere(soft) = input.options.engine {
                outcome.work.stored += soft.stored(c.gap, &r.map(|r| r / input.h), &after, input.h);
            }
            outcome.measure(c.gap);
            out.push(ContactState {
                a: c.a,
                b: c.b,
                feature: c.feature,
                status,
                point: c.point,
                normal: c.normal,
                gap: c.gap,
                impulse,
                moment,
                velocity: std::array::from_fn(|d| after[d]),
            });
        }
        outcome
    }

    fn dump(&self, input: &Input<'_, N, V>) -> Dumped {
        let sorted = || self.order.sorted(self.rows.len());
        let rows = sorted().map(|k| {
            let c = &input.contacts[self.rows[k].contact as usize];
            (W::arms(c, input.bodies), self.rows[k].bias)
        });
        let cones: Vec<Cone> = sorted().map(|k| self.problem.cones[k]).collect();
        let problem = global_problem::<N, V, D>(input.bodies, input.v_free, rows, &cones);
        Dumped { problem: Dump::of(&problem), r: sorted().flat_map(|k| self.x.r[k]).collect() }
    }
}

/// An impulse of the last step on the frame of this one.
#[inline(always)]
fn on_frame<const N: usize, const D: usize>(normal: &[f64; N], state: &ContactState<N>) -> [f64; D] {
    let e = contact_frame(normal);
    let along = |d: usize, p: &[f64]| e[d].iter().zip(p).map(|(e, p)| e * p).sum::<f64>();
    let mut r = [0.0; D];
    for d in 0..N {
        r[d] = along(d, &state.impulse);
    }
    if D > N {
        if N == 2 {
            r[2] = state.moment[0];
        } else {
            (r[3], r[4]) = (along(1, &state.moment), along(2, &state.moment));
        }
    }
    r
}
