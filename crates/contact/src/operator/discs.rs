//! W of contacts between discs in the plane, from normals and masses alone.
//!
//! As between spheres the arm lies along the normal and the radius drops out: with $y = R\omega$ as the rotational
//! velocity, n the normal from b to a and $t = (-n_y, n_x)$, the relative velocity at a contact is
//! $$ u_N = n \cdot (v_a - v_b), \qquad u_T = t \cdot (v_a - v_b) - (y_a + y_b), $$
//! an impulse $p = r_N n + r_T t$ on a (and -p on b) changes $v_{a,b}$ by $\pm p/m$ and both y by $-2 r_T/m$, and
//! $W_{cc} = (1/m_a + 1/m_b)\,\mathrm{diag}(1, 3)$: one contact is two products and three comparisons.
//! 56 bytes a contact and 24 bytes a body pass through the processor in a sweep.

use super::bodies::diagonal_mass;
use super::disc_groups::DiscGroups;
use super::gram::Gram;
use super::{BlockCsr, Bodies, Delassus, Numbers, Sweep, in_strands, positive, relax_exactly, sweep_strands};
use crate::block::{Block, add};
use crate::cone::Cone;
use crate::matrix::Csr;
use pulp::Arch;
use std::borrow::Cow;
use std::ops::Range;

/// (R^2 m / I) of a solid disc.
pub(super) const SPIN: f64 = 2.0;

/// One contact between two discs, or a disc and a body that never moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiscContact {
    /// Unit normal from b to a.
    pub normal: [f64; 2],
    /// First body.
    pub a: u32,
    /// Second body.
    pub b: u32,
    /// 1/m of the first body, 0 when it never moves.
    pub inv_mass_a: f64,
    /// 1/m of the second body, 0 when it never moves.
    pub inv_mass_b: f64,
}

/// The Delassus operator of a packing of discs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DiscContacts {
    bodies: usize,
    contacts: Vec<Ready>,
    groups: DiscGroups,
}

/// A contact with what a sweep would divide by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ready {
    pub contact: DiscContact,
    /// 1 / W_NN and 1 / W_TT.
    pub inverse: [f64; 2],
}

impl Ready {
    /// The bodies that an impulse moves.
    pub fn moved(&self) -> [Option<usize>; 2] {
        let k = &self.contact;
        [(k.a, k.inv_mass_a), (k.b, k.inv_mass_b)].map(|(k, inv_mass)| (inv_mass > 0.0).then_some(k as usize))
    }
}

/// The three velocities of a body; one slice, one bounds check.
#[inline(always)]
fn body(v: &[f64], k: u32) -> [f64; 3] {
    let s = 3 * k as usize;
    *v[s..s + 3].first_chunk().expect("three entries")
}

#[inline(always)]
fn set_body(v: &mut [f64], k: u32, to: [f64; 3]) {
    let s = 3 * k as usize;
    v[s..s + 3].copy_from_slice(&to);
}

impl DiscContact {
    /// The relative velocity of bodies that move with `a` and `b` (translation, then R omega).
    #[inline(always)]
    fn velocity(&self, a: &[f64; 3], b: &[f64; 3]) -> [f64; 2] {
        let ([x, y], d) = (self.normal, [a[0] - b[0], a[1] - b[1]]);
        [x * d[0] + y * d[1], (x * d[1] - y * d[0]) - (a[2] + b[2])]
    }

    /// Adds what the impulse `dr` does to the velocities of both bodies.
    #[inline(always)]
    fn answer(&self, dr: &[f64; 2], a: &mut [f64; 3], b: &mut [f64; 3]) {
        let [x, y] = self.normal;
        let (p, turn) = ([x * dr[0] - y * dr[1], y * dr[0] + x * dr[1]], SPIN * dr[1]);
        for i in 0..2 {
            a[i] += self.inv_mass_a * p[i];
            b[i] -= self.inv_mass_b * p[i];
        }
        a[2] -= self.inv_mass_a * turn;
        b[2] -= self.inv_mass_b * turn;
    }

    /// The rows of H for both bodies, as `row, body, 1/m, [translation, R omega]`.
    fn rows(&self) -> [(usize, usize, f64, [f64; 3]); 4] {
        let ([x, y], a, b) = (self.normal, self.a as usize, self.b as usize);
        [
            (0, a, self.inv_mass_a, [x, y, 0.0]),
            (0, b, self.inv_mass_b, [-x, -y, 0.0]),
            (1, a, self.inv_mass_a, [-y, x, -1.0]),
            (1, b, self.inv_mass_b, [y, -x, -1.0]),
        ]
    }
}

impl DiscContacts {
    /// Empties the operator, keeping its memory, for contacts between `bodies` bodies.
    pub fn reset(&mut self, bodies: usize) {
        self.bodies = bodies;
        self.contacts.clear();
        self.groups.clear();
    }

    /// Adds a contact.
    ///
    /// # Panics
    /// When it names a body that does not exist.
    pub fn push_contact(&mut self, contact: DiscContact) {
        assert!((contact.a.max(contact.b) as usize) < self.bodies, "a contact names a body that is not there");
        let w = contact.inv_mass_a + contact.inv_mass_b;
        self.contacts.push(Ready { contact, inverse: [1.0 / w, 1.0 / ((1.0 + SPIN) * w)] });
    }

    /// To be called when all contacts are in: puts them into the order in which [`sweep`](Sweep::sweep) goes through them;
    /// `order` becomes the number that each was added with.
    pub fn arrange(&mut self, order: &mut Vec<u32>) {
        self.groups.arrange(&mut self.contacts, self.bodies, order);
    }

    #[cfg(test)]
    pub(super) fn groups(&self) -> &DiscGroups {
        &self.groups
    }

    /// The contacts in order.
    pub fn list(&self) -> impl Iterator<Item = &DiscContact> {
        self.contacts.iter().map(|k| &k.contact)
    }
}

impl Delassus<2> for DiscContacts {
    fn contacts(&self) -> usize {
        self.contacts.len()
    }

    fn state_len(&self) -> usize {
        3 * self.bodies
    }

    #[inline(always)]
    fn diagonal(&self, c: usize) -> Block<2> {
        let k = &self.contacts[c].contact;
        let w = k.inv_mass_a + k.inv_mass_b;
        [[w, 0.0], [0.0, (1.0 + SPIN) * w]]
    }

    fn assemble(&self) -> Option<Cow<'_, BlockCsr<2>>> {
        let mut gram = Gram::new(3 * self.bodies);
        for k in self.list() {
            let [normal_a, normal_b, tangent_a, tangent_b] = k.rows();
            for ((_, body, inv_mass, normal), (_, _, _, tangent)) in [(normal_a, tangent_a), (normal_b, tangent_b)] {
                for i in 0..3 {
                    let spin = if i == 2 { SPIN } else { 1.0 };
                    let h = [normal[i], tangent[i]];
                    gram.push(3 * body + i, h, h.map(|x| spin * inv_mass * x));
                }
            }
            gram.end_contact();
        }
        Some(Cow::Owned(gram.form()))
    }

    fn bodies(&self) -> Option<&dyn Bodies<2>> {
        Some(self)
    }

    fn apply(&self, r: &[[f64; 2]], out: &mut [[f64; 2]], v: &mut [f64]) {
        self.load(r, v);
        for (k, o) in self.list().zip(out) {
            *o = k.velocity(&body(v, k.a), &body(v, k.b));
        }
    }

    fn apply_plus(&self, r: &[[f64; 2]], q: &[[f64; 2]], out: &mut [[f64; 2]], v: &mut [f64]) {
        self.load(r, v);
        for ((k, o), q) in self.list().zip(out).zip(q) {
            *o = add(&k.velocity(&body(v, k.a), &body(v, k.b)), q);
        }
    }
}

/// Rotations are `y = R omega`, of inertia `m / SPIN`.
impl Bodies<2> for DiscContacts {
    fn mass(&self) -> Csr {
        diagonal_mass(self.diagonal_mass().unwrap_or_default())
    }

    fn diagonal_mass(&self) -> Option<Vec<f64>> {
        let mut inv_mass = vec![0.0; self.bodies];
        for k in self.list() {
            inv_mass[k.a as usize] = k.inv_mass_a;
            inv_mass[k.b as usize] = k.inv_mass_b;
        }
        let spin = [1.0, 1.0, SPIN];
        let entry = |i: usize| if inv_mass[i / 3] > 0.0 { 1.0 / (inv_mass[i / 3] * spin[i % 3]) } else { 1.0 };
        Some((0..3 * self.bodies).map(entry).collect())
    }

    fn jacobian(&self, c: usize, entry: &mut dyn FnMut(usize, usize, f64)) {
        for (d, body, _, row) in
            self.contacts[c].contact.rows().into_iter().filter(|(_, _, inv_mass, _)| *inv_mass > 0.0)
        {
            (0..3).filter(|&i| row[i] != 0.0).for_each(|i| entry(d, 3 * body + i, row[i]));
        }
    }

    fn response(&self, r: &[[f64; 2]], v: &mut [f64]) {
        self.load(r, v);
    }

    fn relative_velocity(&self, v: &[f64], u: &mut [[f64; 2]]) {
        u.iter_mut().enumerate().for_each(|(c, u)| *u = self.row(c, &[], v));
    }
}

impl Sweep<2> for DiscContacts {
    #[inline(always)]
    fn row(&self, c: usize, _r: &[[f64; 2]], v: &[f64]) -> [f64; 2] {
        let k = &self.contacts[c].contact;
        k.velocity(&body(v, k.a), &body(v, k.b))
    }

    #[inline(always)]
    fn push(&self, c: usize, dr: &[f64; 2], v: &mut [f64]) {
        let k = &self.contacts[c].contact;
        let (mut a, mut b) = (body(v, k.a), body(v, k.b));
        k.answer(dr, &mut a, &mut b);
        set_body(v, k.a, a);
        set_body(v, k.b, b);
    }

    fn load(&self, r: &[[f64; 2]], v: &mut [f64]) {
        v.fill(0.0);
        in_strands::<4>(0..r.len(), |c| self.push(c, &r[c], v));
    }

    /// `r_N <- (r_N - u_N / w)_+`, `r_T <- r_T - u_T / 3 w` cut back to `mu r_N`.
    #[inline(always)]
    fn relax(&self, c: usize, q: &[f64; 2], cone: &Cone, r: &mut [[f64; 2]], v: &mut [f64]) -> [f64; 2] {
        let &Cone::Coulomb { mu } = cone else { return relax_exactly(self, c, q, cone, r, v) };
        let (Ready { contact: k, inverse }, old) = (&self.contacts[c], r[c]);
        let (mut a, mut b) = (body(v, k.a), body(v, k.b));
        let u = k.velocity(&a, &b);
        let n = positive(old[0] - inverse[0] * (u[0] + q[0]));
        let t = old[1] - inverse[1] * (u[1] + q[1]);
        let new = [n, within(t, mu * n)];
        let dr = [new[0] - old[0], new[1] - old[1]];
        k.answer(&dr, &mut a, &mut b);
        set_body(v, k.a, a);
        set_body(v, k.b, b);
        r[c] = new;
        dr
    }

    /// In groups of four of which no two move the same body.
    #[inline(always)]
    fn sweep(
        &self,
        arch: Arch,
        window: Range<usize>,
        q: &[[f64; 2]],
        cones: &[Cone],
        r: &mut [[f64; 2]],
        v: &mut [f64],
    ) {
        if self.groups.len() < self.contacts.len() {
            return sweep_strands::<4, 2, Self>(self, window, q, cones, r, v);
        }
        self.groups.sweep(
            arch,
            (q, cones),
            r,
            v,
            #[inline(always)]
            |c, r, v| {
                self.relax(c, &q[c], &cones[c], r, v);
            },
        );
    }

    fn blocks_a_visit(&self) -> Option<f64> {
        Some(12.0)
    }

    fn nodes(&self) -> usize {
        self.bodies
    }

    #[inline(always)]
    fn meets(&self, c: usize, meet: impl FnMut(usize)) {
        self.contacts[c].moved().into_iter().flatten().for_each(meet);
    }

    fn part(&self, contacts: &mut [u32], numbers: &mut Numbers, room: Option<Self>) -> Option<Self> {
        let mut part = room.unwrap_or_default();
        numbers.begin(self.bodies);
        part.reset(0);
        part.contacts.extend(contacts.iter().map(|&c| {
            let Ready { contact: k, inverse } = self.contacts[c as usize];
            Ready { contact: DiscContact { a: numbers.of(k.a), b: numbers.of(k.b), ..k }, inverse }
        }));
        part.bodies = numbers.met().len();
        let order = numbers.order();
        part.arrange(order);
        order.iter_mut().for_each(|c| *c = contacts[*c as usize]);
        contacts.copy_from_slice(order);
        Some(part)
    }
}

/// `x` cut back to `[-limit, limit]`.
#[inline(always)]
pub(super) fn within(x: f64, limit: f64) -> f64 {
    let x = if x < limit { x } else { limit };
    if x > -limit { x } else { -limit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::operator::{RigidContact, RigidContacts, RigidInertia};

    /// Four discs of radii 0.5, 1, ... and masses 1, 2, ... on a fixed body, as discs and as rigid bodies.
    fn pile() -> (DiscContacts, RigidContacts<2, 3, 2>) {
        let (mut discs, mut rigid) = (DiscContacts::default(), RigidContacts::default());
        let (radius, mass) = (|k: u32| 0.5 * f64::from(k + 1), |k: u32| f64::from(k + 1));
        let inertia = |k: u32| RigidInertia {
            inv_mass: 1.0 / mass(k),
            inv_inertia: [SPIN / (mass(k) * radius(k) * radius(k)), 0.0, 0.0],
        };
        discs.reset(5);
        rigid.reset((0..4).map(inertia).chain([RigidInertia::FIXED]));
        for (a, b, n) in
            [(0, 1, [0.6, 0.8]), (1, 2, [-0.8, 0.6]), (0, 2, [0.0, 1.0]), (2, 3, [1.0, 0.0]), (3, 4, [0.0, 1.0])]
        {
            let inv_mass = |k: u32| if k < 4 { 1.0 / mass(k) } else { 0.0 };
            let (inv_mass_a, inv_mass_b) = (inv_mass(a), inv_mass(b));
            discs.push_contact(DiscContact { normal: n, a, b, inv_mass_a, inv_mass_b });
            let arm = |k: u32, sign: f64| n.map(|x| if k < 4 { sign * radius(k) * x } else { 0.3 });
            rigid.push_contact(RigidContact { normal: n, arm_a: arm(a, -1.0), arm_b: arm(b, 1.0), a, b });
        }
        (discs, rigid)
    }

    #[test]
    fn discs_are_rigid_bodies_and_agree_with_their_assembled_operator() {
        let (discs, rigid) = pile();
        let (n, mut random) = (discs.contacts(), Random::new(7));
        let r: Vec<[f64; 2]> = (0..n).map(|_| [random.between(-1.0, 1.0), random.between(-1.0, 1.0)]).collect();
        let mut v = vec![0.0; discs.state_len()];
        let [mut u, mut of_rigid, mut of_blocks] = [const { Vec::new() }; 3];
        for out in [&mut u, &mut of_rigid, &mut of_blocks] {
            out.resize(n, [0.0; 2]);
        }
        rigid.apply(&r, &mut of_rigid, &mut v);
        discs.assemble().unwrap().apply(&r, &mut of_blocks, &mut []);
        discs.apply(&r, &mut u, &mut v);
        for other in [&of_rigid, &of_blocks] {
            assert!(u.as_flattened().iter().zip(other.as_flattened()).all(|(x, y)| (x - y).abs() < 1e-14));
        }
        for c in 0..n {
            let (x, y) = (discs.diagonal(c), rigid.diagonal(c));
            assert!(x.as_flattened().iter().zip(y.as_flattened()).all(|(x, y)| (x - y).abs() < 1e-14));
        }
        // M (M^-1 H r) = H r, entry by entry
        let mut hr = vec![0.0; discs.state_len()];
        (0..n).for_each(|c| discs.jacobian(c, &mut |d, i, x| hr[i] += x * r[c][d]));
        discs.response(&r, &mut v);
        assert!(discs.mass().mul(&v).iter().zip(&hr).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn its_own_way_of_solving_a_contact_is_the_exact_one() {
        let (discs, _) = pile();
        let mut random = Random::new(11);
        let mut any = || [random.between(-1.0, 1.0), random.between(-1.0, 1.0)];
        for mu in [0.0, 0.2, 1.5] {
            for c in (0..discs.contacts()).cycle().take(400) {
                let r: Vec<[f64; 2]> = (0..discs.contacts()).map(|_| any()).collect();
                let (q, mut v) = (any(), vec![0.0; discs.state_len()]);
                discs.load(&r, &mut v);
                let (mut own, mut other, mut w) = (r.clone(), r, v.clone());
                let cone = Cone::Coulomb { mu };
                discs.relax(c, &q, &cone, &mut own, &mut v);
                relax_exactly(&discs, c, &q, &cone, &mut other, &mut w);
                assert!(own.as_flattened().iter().zip(other.as_flattened()).all(|(x, y)| (x - y).abs() < 1e-13));
                assert!(v.iter().zip(&w).all(|(x, y)| (x - y).abs() < 1e-13));
            }
        }
    }
}
