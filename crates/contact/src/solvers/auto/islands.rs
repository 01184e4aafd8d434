//! Contacts that share no body with others are problems of their own.
//!
//! W is then block diagonal, up to the order of its rows: every island is solved by itself, by what fits it, for as long as
//! it needs, and fits into the cache where the whole does not. With errors $e_i$ over $\|q_i\|$ on n_i of n contacts,
//! $\sum e_i^2 \|q_i\|^2 \le \varepsilon^2 \|q\|^2$ holds if $e_i \|q_i\| \le \varepsilon \max(\|q_i\|, \|q\| \sqrt{n_i / n}) / \sqrt2$: what
//! hardly moves need not be solved to the last digit of its own. The certificate of the whole decides all the same.

use super::super::course::{Course, Memory};
use super::super::{Progress, Report, Status, Stop, Unknowns};
use super::{Auto, Portfolio};
use crate::block::norm_all;
use crate::certificate::Measure;
use crate::one_contact::{Exact, OneContact};
use crate::operator::{Numbers, Sweep};
use crate::problem::LocalProblem;
use std::any::Any;
use std::ops::ControlFlow;
use std::time::Duration;

/// Not worth the while where one island has more than this share of all contacts.
const NEARLY_ALL: f64 = 0.6;
/// Islands with more than this share are solved last, from small to large: they may take all the time that is left.
const LARGE: f64 = 0.1;
/// Rounds in which the islands are solved to tighter tolerances, where the certificate of the whole does not hold yet.
const ROUNDS: usize = 3;
/// What the next round aims at, over what the certificate asks for.
const TIGHTER: f64 = 0.5;

/// The islands of a problem: union-find over what contacts share.
#[derive(Debug, Clone, Default)]
pub(super) struct Islands {
    /// The contact above in the tree of each; roots are their own.
    parent: Vec<u32>,
    /// The first contact that met each node.
    owner: Vec<u32>,
    /// Where each island begins among `contacts`, and the end of the last.
    start: Vec<u32>,
    /// Contacts, island after island, sorted inside.
    contacts: Vec<u32>,
    /// Islands in the order in which they are solved.
    order: Vec<u32>,
    /// Contacts of the largest.
    largest: usize,
}

const NONE: u32 = u32::MAX;

impl Islands {
    /// Finds them; whether it is worth solving them one by one.
    pub fn find<const D: usize, W: Sweep<D>>(&mut self, w: &W) -> bool {
        let (n, nodes) = (w.contacts(), w.nodes());
        if n < 2 || nodes == 0 {
            return false;
        }
        self.parent.clear();
        self.parent.extend(0..n as u32);
        self.owner.clear();
        self.owner.resize(nodes, NONE);
        let mut islands = n;
        let (parent, owner) = (&mut self.parent, &mut self.owner);
        for c in 0..n {
            w.meets(c, |node| {
                let first = &mut owner[node];
                if *first == NONE {
                    *first = c as u32;
                } else if *first != c as u32 {
                    islands -= usize::from(join(parent, *first, c as u32));
                }
            });
            if islands == 1 {
                return false;
            }
        }
        self.list(islands)
    }

    /// Lists the contacts of each; `false` when one has nearly all of them.
    fn list(&mut self, islands: usize) -> bool {
        let n = self.parent.len();
        self.start.clear();
        self.start.resize(islands + 1, 0);
        // islands are numbered by their first contacts, which are the roots
        let mut roots = 0;
        for c in 0..n {
            let above = self.parent[c] as usize;
            // what is above a contact stands before it, and holds the number of the island already
            let island = if above == c { roots } else { self.parent[above] };
            roots += u32::from(above == c);
            self.parent[c] = island;
            self.start[island as usize] += 1;
        }
        self.largest = self.start.iter().copied().max().unwrap_or(0) as usize;
        if self.largest as f64 > NEARLY_ALL * n as f64 {
            return false;
        }
        self.order.clear();
        self.order.extend(0..islands as u32);
        // as numbered, what lies near in space lies near in memory; few are large, and these come last
        let size = |i: u32| self.start[i as usize];
        let large = |i: u32| if f64::from(size(i)) > LARGE * n as f64 { size(i) } else { 0 };
        self.order.sort_unstable_by_key(|&i| (large(i), i));
        let mut sum = 0;
        for s in &mut self.start {
            sum += *s;
            *s = sum;
        }
        self.contacts.clear();
        self.contacts.resize(n, 0);
        for c in (0..n).rev() {
            let at = &mut self.start[self.parent[c] as usize];
            *at -= 1;
            self.contacts[*at as usize] = c as u32;
        }
        true
    }

    /// How many there are.
    fn count(&self) -> usize {
        self.order.len()
    }

    /// The contacts of the k-th to be solved, in the order that their operator likes.
    fn get(&mut self, k: usize) -> &mut [u32] {
        let island = self.order[k] as usize;
        &mut self.contacts[self.start[island] as usize..self.start[island + 1] as usize]
    }
}

/// The root above a contact; the way there is shortened.
#[inline(always)]
fn root(parent: &mut [u32], mut c: u32) -> u32 {
    while parent[c as usize] != c {
        let above = parent[c as usize];
        parent[c as usize] = parent[above as usize];
        c = parent[c as usize];
    }
    c
}

/// Joins the trees of two contacts under the smaller root; whether they were two.
#[inline(always)]
fn join(parent: &mut [u32], a: u32, b: u32) -> bool {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b) as usize] = a.min(b);
    a != b
}

/// Room for one island at a time, of whatever operator.
#[derive(Debug, Default)]
pub(super) struct Room<const D: usize> {
    pub islands: Islands,
    numbers: Numbers,
    memory: Memory<D>,
    x: Unknowns<D>,
    part: Option<Box<dyn Any + Send>>,
}

/// A copy begins with room of its own.
impl<const D: usize> Clone for Room<D> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The problem of one island.
struct Part<const D: usize, W>(Option<LocalProblem<D, W>>);

impl<const D: usize, W: Sweep<D>> Part<D, W> {
    /// Takes the contacts of an island; `None` where the operator cannot be taken apart.
    fn take(
        &mut self,
        whole: &LocalProblem<D, W>,
        contacts: &mut [u32],
        numbers: &mut Numbers,
    ) -> Option<&LocalProblem<D, W>> {
        let (mut q, mut cones, mut v_free, room) = match self.0.take() {
            Some(LocalProblem { q, cones, v_free, w }) => (q, cones, v_free, Some(w)),
            None => (Vec::new(), Vec::new(), Vec::new(), None),
        };
        let w = whole.w.part(contacts, numbers, room)?;
        q.clear();
        q.extend(contacts.iter().map(|&c| whole.q[c as usize]));
        cones.clear();
        cones.extend(contacts.iter().map(|&c| whole.cones[c as usize]));
        v_free.clear();
        if !whole.v_free.is_empty() {
            // so many degrees of freedom a node
            let width = whole.w.state_len() / whole.w.nodes().max(1);
            let dofs = |&node: &u32| width * node as usize..width * (node as usize + 1);
            numbers.met().iter().for_each(|node| v_free.extend_from_slice(&whole.v_free[dofs(node)]));
        }
        Some(self.0.insert(LocalProblem { q, cones, v_free, w }))
    }
}

impl<const D: usize, W> Default for Part<D, W> {
    fn default() -> Self {
        Self(None)
    }
}

/// One round through the islands.
struct Round<'a> {
    islands: &'a mut Islands,
    /// The limits of the whole, the tolerance tightened from round to round.
    stop: Stop,
    /// `|q|` over the root of the contacts.
    share: f64,
}

impl Round<'_> {
    /// The limits of the k-th island, of so many contacts, whose q has this norm: the last has all the time that is left,
    /// the others half.
    fn limits(&self, k: usize, contacts: usize, q: f64, left: Option<Duration>) -> Stop {
        let loosened = match self.stop.measure {
            Measure::EpsGlob => 1.0,
            _ => (self.share * (contacts as f64).sqrt() / q.max(f64::MIN_POSITIVE)).max(1.0),
        };
        let last = k + 1 == self.islands.count();
        Stop {
            tolerance: self.stop.tolerance * std::f64::consts::FRAC_1_SQRT_2 * loosened,
            time_limit: if last { left } else { left.map(|t| t / 2) },
            since: None,
            ..self.stop
        }
    }
}

impl<const D: usize> Auto<D> {
    /// Solves the islands that were found one by one, from the best point, and certifies the whole. Breaks when that ends
    /// the portfolio.
    pub(super) fn solve_apart<W: Sweep<D> + Send + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
    ) -> ControlFlow<Report, Report> {
        let mut room = std::mem::take(&mut self.room);
        let mut part = room.part.take().and_then(|any| any.downcast::<Part<D, W>>().ok()).unwrap_or_default();
        let report = self.rounds(p, &mut part, &mut room);
        room.part = Some(part);
        self.room = room;
        p.unless_over(report)
    }

    fn rounds<W: Sweep<D> + Send + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        part: &mut Part<D, W>,
        room: &mut Room<D>,
    ) -> Report {
        let Room { islands, numbers, memory, x, .. } = room;
        p.why.islands(islands.count(), islands.largest, p.iterations);
        let (n, stop) = (p.problem.contacts(), p.left(usize::MAX));
        let mut course = Course::begin(p.problem, &stop, memory, p.x);
        if let Some(status) = course.verdict() {
            return course.finish(p.x, status);
        }
        let share = course.scales.q / (n as f64).sqrt();
        let mut round = Round { islands, stop, share };
        for _ in 0..ROUNDS {
            let status = self.round(p, &mut round, part, (numbers, x));
            let error = course.check(p.x);
            if error <= stop.tolerance || status != Status::Converged {
                let status = if error <= stop.tolerance { Status::Converged } else { status };
                return course.finish(p.x, status);
            }
            round.stop.tolerance *= TIGHTER * stop.tolerance / error;
        }
        // rounding, or scales that differ much from island to island
        course.finish(p.x, Status::Stalled)
    }

    /// Every island once; how the worst of them ended.
    fn round<W: Sweep<D> + Send + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        round: &mut Round<'_>,
        part: &mut Part<D, W>,
        (numbers, x): (&mut Numbers, &mut Unknowns<D>),
    ) -> Status {
        let (problem, n, begun, before) = (p.problem, p.problem.contacts(), p.begun, p.iterations);
        let (mut visits, mut status) = (0, Status::Converged);
        let largest = round.islands.largest;
        for k in 0..round.islands.count() {
            let contacts = round.islands.get(k);
            if let &mut [c] = contacts {
                let c = c as usize;
                Exact.visit(&problem.w.diagonal(c), &problem.q[c], &problem.cones[c], &mut p.x.r[c]);
                visits += 1;
                continue;
            }
            let Some(island) = part.take(problem, contacts, numbers) else { return Status::Stalled };
            x.r.clear();
            x.r.extend(contacts.iter().map(|&c| p.x.r[c as usize]));
            let many = contacts.len();
            let limits = round.limits(k, many, norm_all(&island.q), p.time_left());
            let (cold, watch) = (p.cold, &mut *p.watch);
            let mut seen = |p: &Progress| {
                let iteration = before + (visits + p.iteration * many) / n;
                watch(&Progress { iteration, error: None, estimate: p.estimate, start: begun })
            };
            let own = Portfolio { cold, ..Portfolio::new(island, x, &limits, &mut seen) };
            let report = self.solve_whole(own);
            round.islands.get(k).iter().zip(&x.r).for_each(|(&c, r)| p.x.r[c as usize] = *r);
            visits += report.iterations * many;
            if report.status != Status::Converged {
                status = report.status;
            }
            if many == largest {
                p.why.told_by(report.why);
            }
            let out_of_time = p.time_left().is_some_and(|t| t.is_zero());
            if status == Status::Interrupted || out_of_time {
                break;
            }
        }
        p.iterations = before + visits.div_ceil(n);
        status
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Random, RandomSparse};
    use crate::operator::{BlockCsr, Delassus, DiscContact, DiscContacts, MatrixFree};
    use crate::operator::{RigidContact, RigidContacts, RigidInertia, SphereContact, SphereContacts};

    /// Balls in contact by pairs; ball 0 never moves.
    fn balls(pairs: &[(u32, u32)]) -> SphereContacts {
        let inv_mass = |k: u32| f64::from(u8::from(k > 0));
        let contact = |&(a, b): &(u32, u32)| {
            let (inv_mass_a, inv_mass_b) = (inv_mass(a), inv_mass(b));
            SphereContact { normal: [0.0, 0.0, 1.0], a, b, inv_mass_a, inv_mass_b }
        };
        SphereContacts::new(20, pairs.iter().map(contact).collect())
    }

    #[test]
    fn what_never_moves_joins_nothing_and_large_ones_come_last() {
        let mut islands = Islands::default();
        assert!(islands.find(&balls(&[(1, 0), (2, 3), (4, 0), (3, 5), (6, 1), (5, 2), (7, 0)])));
        let all: Vec<_> = (0..islands.count()).map(|k| islands.get(k).to_vec()).collect();
        assert_eq!(all, [&[2][..], &[6], &[0, 4], &[1, 3, 5]]);
        // found anew in the same room
        assert!(islands.find(&balls(&[(1, 2), (3, 4)])));
        assert_eq!((islands.count(), islands.get(0).to_vec(), islands.get(1).to_vec()), (2, vec![0], vec![1]));
    }

    #[test]
    fn one_island_or_nearly_is_not_worth_it() {
        let mut islands = Islands::default();
        assert!(!islands.find(&balls(&[(1, 2), (3, 4), (2, 3)])));
        assert!(!islands.find(&balls(&[(1, 2), (2, 3), (3, 4), (5, 6)])));
        assert!(!islands.find(&balls(&[(1, 2)])) && !islands.find(&balls(&[])));
    }

    /// Every island as a part: products, blocks and masses agree with the whole.
    fn parts_agree<const D: usize, W: Sweep<D>>(w: &W) {
        let (mut islands, mut numbers, mut random) = (Islands::default(), Numbers::default(), Random::new(5));
        assert!(islands.find(w));
        let any = |_| std::array::from_fn(|_| random.between(-1.0, 1.0));
        let r: Vec<[f64; D]> = (0..w.contacts()).map(any).collect();
        let (mut u, mut v) = (r.clone(), vec![0.0; w.state_len()]);
        w.apply(&r, &mut u, &mut v);
        let mut room = None;
        for k in 0..islands.count() {
            let contacts = islands.get(k);
            let part = w.part(contacts, &mut numbers, room).unwrap();
            assert_eq!(part.contacts(), contacts.len());
            let own: Vec<[f64; D]> = contacts.iter().map(|&c| r[c as usize]).collect();
            let (mut own_u, mut assembled, mut own_v) = (own.clone(), own.clone(), vec![0.0; part.state_len()]);
            part.apply(&own, &mut own_u, &mut own_v);
            part.assemble().unwrap().apply(&own, &mut assembled, &mut []);
            for (k, &c) in contacts.iter().enumerate() {
                assert_eq!(part.diagonal(k), w.diagonal(c as usize));
                for (of_part, of_blocks, of_whole) in (0..D).map(|d| (own_u[k][d], assembled[k][d], u[c as usize][d])) {
                    assert!((of_part - of_whole).abs() < 1e-12 && (of_blocks - of_whole).abs() < 1e-12);
                }
            }
            if let Some(bodies) = part.bodies() {
                // M (M^-1 H r) = H r
                let mut hr = vec![0.0; part.state_len()];
                (0..own.len()).for_each(|k| bodies.jacobian(k, &mut |d, i, x| hr[i] += x * own[k][d]));
                bodies.response(&own, &mut own_v);
                assert!(bodies.mass().mul(&own_v).iter().zip(&hr).all(|(a, b)| (a - b).abs() < 1e-12));
            }
            room = Some(part);
        }
    }

    #[test]
    fn parts_of_every_operator_agree_with_the_whole() {
        let pairs = [(1, 0), (2, 3), (4, 0), (3, 5), (6, 1), (5, 2), (7, 0)];
        parts_agree(&balls(&pairs));
        let inv_mass = |k: u32| f64::from(k);
        let (mut discs, mut rigid) = (DiscContacts::default(), RigidContacts::<3, 6, 5>::default());
        discs.reset(8);
        rigid.reset((0..8).map(|k| RigidInertia {
            inv_mass: inv_mass(k),
            inv_inertia: [2.0, 3.0, 4.0, 0.5, 0.1, 0.2].map(|x| x * inv_mass(k)),
        }));
        for (a, b) in pairs {
            let (inv_mass_a, inv_mass_b) = (inv_mass(a), inv_mass(b));
            discs.push_contact(DiscContact { normal: [0.6, 0.8], a, b, inv_mass_a, inv_mass_b });
            rigid.push_contact(RigidContact {
                normal: [0.6, 0.0, 0.8],
                arm_a: [0.1, 0.2, 0.3],
                arm_b: [-0.2, 0.5, 0.0],
                a,
                b,
            });
        }
        discs.arrange(&mut Vec::new());
        parts_agree(&discs);
        parts_agree(&rigid);
        let scattered = RandomSparse { contacts: 30, bodies: 70, ..RandomSparse::default() };
        let free: LocalProblem<3, MatrixFree<3>> =
            LocalProblem::matrix_free(&scattered.global().unwrap()).unwrap().unwrap();
        parts_agree(&free.w);
        parts_agree::<3, BlockCsr<3>>(&free.w.assemble().unwrap());
    }
}
