//! From contacts to a contact problem and back: the only place that sees both bodies and problems.

use crate::bodies::Bodies;
use crate::contact_state::ContactState;
use crate::dump::{Dump, Dumped, global_problem};
use crate::laws::Laws;
use crate::ledger::StepWork;
use crate::options::{Activation, Options, Stabilisation};
use crate::space::{Rigid, Space};
use crate::warm_start::WarmStart;
use stickslip_contact::cone::Cone;
use stickslip_contact::operator::rigid::{contact_frame, relative_velocity, velocity_at, world_impulse};
use stickslip_contact::operator::{RigidContact, RigidContacts, SphereContact, SphereContacts, Sweep};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{Report, Solver, SolverSpec, Unknowns, unwatched};
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
    /// Contacts of the last step, sorted.
    pub last: &'a [ContactState<N>],
}

/// What comes back of a solve beside the contacts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outcome {
    pub(crate) work: StepWork,
    pub(crate) touching: usize,
    pub(crate) slipping: usize,
    /// Deepest overlap at the start of the step (m).
    pub(crate) penetration: f64,
    /// Sum and number of overlaps.
    pub(crate) overlap: (f64, usize),
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
    fn solve(&mut self, options: &Options) -> Report;
    /// Adds the impulses to `v`, marks the bodies that have any, and lists the contacts.
    fn apply(
        &mut self,
        input: &Input<'_, N, V>,
        v: &mut [[f64; V]],
        touched: &mut [bool],
        out: &mut Vec<ContactState<N>>,
    ) -> Outcome;
    /// The problem as it would be written to a file, with its answer.
    fn dump(&self, input: &Input<'_, N, V>) -> Dumped;
}

/// An operator that can be rebuilt in place from bodies and contacts.
pub trait Operator<const N: usize, const V: usize, const D: usize>: Sweep<D> + Default + Send
where
    Rigid: Space<N, V>,
{
    /// Empties it and takes the inertias.
    fn begin(&mut self, bodies: &Bodies<N, V>);
    /// The contact with its arms.
    fn arms(contact: &Contact<N>, bodies: &Bodies<N, V>) -> RigidContact<N>;
    /// Adds a contact.
    fn add(&mut self, contact: RigidContact<N>, bodies: &Bodies<N, V>);
    /// The change of velocity of a body, read off the state.
    fn change(state: &[f64], k: usize, bodies: &Bodies<N, V>) -> [f64; V];
}

#[inline(always)]
fn arm<const N: usize>(p: &[f64; N], x: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| p[i] - x[i])
}

impl<const N: usize, const V: usize, const D: usize> Operator<N, V, D> for RigidContacts<N, V, D>
where
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

impl Operator<3, 6, 3> for SphereContacts {
    fn begin(&mut self, bodies: &Bodies<3, 6>) {
        self.reset(bodies.len());
    }

    /// The arms of balls end on their surfaces, along the normal.
    #[inline(always)]
    fn arms(c: &Contact<3>, bodies: &Bodies<3, 6>) -> RigidContact<3> {
        let (a, b) = (c.a as usize, c.b as usize);
        let along = |k: usize, sign: f64| {
            if bodies.movable[k] { c.normal.map(|n| sign * bodies.radius[k] * n) } else { arm(&c.point, &bodies.x[k]) }
        };
        RigidContact { normal: c.normal, arm_a: along(a, -1.0), arm_b: along(b, 1.0), a: c.a, b: c.b }
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

/// A problem of `D` rows a contact over the operator `W`, kept from step to step.
pub(crate) struct Stage<const N: usize, const V: usize, const D: usize, W> {
    problem: LocalProblem<D, W>,
    x: Unknowns<D>,
    rows: Vec<Row<D>>,
    solver: Box<dyn Solver<D, W> + Send>,
    state: Vec<f64>,
}

impl<const N: usize, const V: usize, const D: usize, W> Stage<N, V, D, W>
where
    Rigid: Space<N, V>,
    W: Operator<N, V, D> + 'static,
{
    /// An empty problem with its solver.
    pub fn new(solver: &SolverSpec) -> Self {
        Self {
            problem: LocalProblem { w: W::default(), q: Vec::new(), cones: Vec::new() },
            x: Unknowns { r: Vec::new(), u: Vec::new() },
            rows: Vec::new(),
            solver: solver.build::<D, W>(),
            state: Vec::new(),
        }
    }
}

/// What the law of a contact asks for; `None` when it does not take part.
#[inline(always)]
fn discretise<const D: usize>(
    (options, h): (&Options, f64),
    (e_n, e_t): (f64, f64),
    cone: &Cone,
    (gap, slack): (f64, f64),
    before: &[f64; D],
    free: &[f64; D],
) -> Option<([f64; D], f64)> {
    let mut bias = [0.0; D];
    if matches!(cone, Cone::Bilateral) {
        return Some((bias, 0.0));
    }
    let mut push = 0.0;
    if let (Stabilisation::Push { beta }, true) = (options.stabilisation, gap < 0.0) {
        push = beta * gap / h;
    }
    match options.activation {
        // the velocity law of impacts, once the gap would close [E, eq. 31]
        Activation::Predicted { gamma } if gap + gamma * h * before[0] > 0.0 => return None,
        Activation::Speculative if e_n > 0.0 && gap + h * before[0].min(free[0]) > 0.0 => return None,
        Activation::Speculative if gap + h * free[0] > slack => return None,
        Activation::Predicted { .. } => bias[0] = e_n * before[0].min(0.0),
        Activation::Speculative if e_n > 0.0 => bias[0] = e_n * before[0].min(0.0),
        Activation::Speculative => bias[0] = gap.max(0.0) / h,
    }
    // the faster of rebound and push; only what the push adds is its own
    let rebound = bias[0];
    bias[0] = rebound.min(push);
    push = bias[0] - rebound;
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
    W: Operator<N, V, D> + 'static,
{
    fn assemble(&mut self, input: &Input<'_, N, V>) {
        let Input { bodies, laws, options, h, contacts, v_free, slack, last } = *input;
        let p = &mut self.problem;
        p.w.begin(bodies);
        p.q.clear();
        p.cones.clear();
        self.rows.clear();
        self.x.r.clear();
        let mut warm = WarmStart::new(if options.warm_start { last } else { &[] });
        for (index, c) in contacts.iter().enumerate() {
            let (a, b) = (c.a as usize, c.b as usize);
            let law = laws.of(bodies.material[a], bodies.material[b]);
            let cone = law.cone();
            let k = W::arms(c, bodies);
            let before: [f64; D] = relative_velocity(&k, &bodies.v[a], &bodies.v[b]);
            let free: [f64; D] = relative_velocity(&k, &v_free[a], &v_free[b]);
            let near = (c.gap, slack[a] + slack[b]);
            let Some((bias, push)) = discretise((options, h), law.restitution(), &cone, near, &before, &free) else {
                continue;
            };
            p.w.add(k, bodies);
            p.q.push(std::array::from_fn(|d| free[d] + bias[d]));
            p.cones.push(cone);
            self.rows.push(Row { contact: index as u32, before, bias, push });
            self.x.r.push(warm.find((c.a, c.b, c.feature)).map_or([0.0; D], |s| on_frame(&c.normal, s)));
        }
    }

    fn contacts(&self) -> usize {
        self.rows.len()
    }

    fn solve(&mut self, options: &Options) -> Report {
        self.solver.solve(&self.problem, &mut self.x, &options.stop(), &mut unwatched())
    }

    fn apply(
        &mut self,
        input: &Input<'_, N, V>,
        v: &mut [[f64; V]],
        touched: &mut [bool],
        out: &mut Vec<ContactState<N>>,
    ) -> Outcome {
        let bodies = input.bodies;
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
        for ((row, r), u) in self.rows.iter().zip(&self.x.r).zip(&self.x.u) {
            let c = &input.contacts[row.contact as usize];
            let after: [f64; D] = std::array::from_fn(|d| u[d] - row.bias[d]);
            let (impulse, moment) = world_impulse(&c.normal, r);
            let status = self.problem.cones[out.len()].status(r, 1e-9);
            if r.iter().any(|x| *x != 0.0) {
                touched[c.a as usize] = true;
                touched[c.b as usize] = true;
                outcome.take::<N, D>(row, r, &after, status);
                let k = W::arms(c, bodies);
                outcome.drive(input, &k, &impulse, &moment);
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
        let rows = self.rows.iter().map(|row| {
            let c = &input.contacts[row.contact as usize];
            (W::arms(c, input.bodies), row.bias)
        });
        let problem = global_problem::<N, V, D>(input.bodies, input.v_free, rows, &self.problem.cones);
        Dumped { problem: Dump::of(&problem), r: self.x.r.as_flattened().to_vec() }
    }
}

impl Outcome {
    /// The works of one contact: impulses times mean velocities.
    #[inline(always)]
    fn take<const N: usize, const D: usize>(
        &mut self,
        row: &Row<D>,
        r: &[f64; D],
        after: &[f64; D],
        status: stickslip_contact::cone::ContactStatus,
    ) {
        use stickslip_contact::cone::ContactStatus;
        self.touching += 1;
        self.slipping += usize::from(status == ContactStatus::Slip);
        let work = |d: usize| 0.5 * r[d] * (row.before[d] + after[d]);
        // half of what a push gives is the scheme's doing, and so is all that a joint works
        let pushed = -0.5 * r[0] * row.push;
        if status == ContactStatus::Joint {
            self.work.scheme -= (0..D).map(work).sum::<f64>();
            return;
        }
        self.work.scheme -= pushed;
        self.work.impact -= work(0) - pushed;
        for d in 1..D {
            if d < N { self.work.friction -= work(d) } else { self.work.rolling -= work(d) }
        }
    }

    /// The work that driven bodies do through a contact.
    #[inline(always)]
    fn drive<const N: usize, const V: usize>(
        &mut self,
        input: &Input<'_, N, V>,
        k: &RigidContact<N>,
        impulse: &[f64; N],
        moment: &[f64; 3],
    ) where
        Rigid: Space<N, V>,
    {
        for (slot, arm, sign) in [(k.a as usize, &k.arm_a, 1.0), (k.b as usize, &k.arm_b, -1.0)] {
            if input.bodies.movable[slot] {
                continue;
            }
            let mean: [f64; V] = std::array::from_fn(|i| 0.5 * (input.bodies.v[slot][i] + input.v_free[slot][i]));
            let at = velocity_at(&mean, arm);
            let turn = if N == 2 { moment[0] * mean[2] } else { (0..3).map(|i| moment[i] * mean[V - 3 + i]).sum() };
            self.work.driven -= sign * (impulse.iter().zip(&at).map(|(p, u)| p * u).sum::<f64>() + turn);
        }
    }

    #[inline(always)]
    fn measure(&mut self, gap: f64) {
        if gap < 0.0 {
            self.penetration = self.penetration.max(-gap);
            self.overlap.0 -= gap;
            self.overlap.1 += 1;
        }
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
