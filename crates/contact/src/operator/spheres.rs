//! W of contacts between spheres, from normals and masses alone.
//!
//! For solid spheres the moment arm is parallel to the normal, so the radius drops out: with $y = R\omega$ as the
//! rotational velocity, the relative velocity at a contact of bodies a and b with normal n (from b to a) is
//! $$ v_a - v_b - (y_a + y_b) \times n, $$
//! an impulse p on a (and -p on b) changes $v_{a,b}$ by $\pm p/m$ and both y by $-\tfrac52 (n \times p)/m$, and
//! $W_{cc} = (1/m_a + 1/m_b)\,\mathrm{diag}(1, \tfrac72, \tfrac72)$: one contact is solved in closed form.
//! 56 bytes a contact and 48 bytes a body pass through the processor in a sweep.

use super::bodies::diagonal_mass;
use super::gram::Gram;
use super::{
    BlockCsr, Bodies, Delassus, Link, Numbers, Sweep, WINDOW, in_strands, positive, relax_exactly, sweep_strands,
};
use crate::block::{Block, add, zero};
use crate::cone::Cone;
use crate::matrix::Csr;
use crate::wide::wide;
use pulp::Arch;
use std::borrow::Cow;
use std::ops::Range;

/// (R^2 m / I) of a solid sphere.
const SPIN: f64 = 2.5;

/// One contact between two spheres, or a sphere and a body that never moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SphereContact {
    /// Unit normal from b to a.
    pub normal: [f64; 3],
    /// First body.
    pub a: u32,
    /// Second body.
    pub b: u32,
    /// 1/m of the first body, 0 when it never moves.
    pub inv_mass_a: f64,
    /// 1/m of the second body, 0 when it never moves.
    pub inv_mass_b: f64,
}

/// The Delassus operator of a packing of spheres.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SphereContacts {
    bodies: usize,
    contacts: Vec<SphereContact>,
}

/// Two unit vectors that complete `n` to a right-handed frame, without a square root (Duff et al. 2017).
#[inline(always)]
pub(crate) fn frame(n: &[f64; 3]) -> [[f64; 3]; 2] {
    let sign = 1.0f64.copysign(n[2]);
    let a = -1.0 / (sign + n[2]);
    let b = n[0] * n[1] * a;
    [[1.0 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]], [b, sign + n[1] * n[1] * a, -n[1]]]
}

#[inline(always)]
fn cross(a: [f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The six velocities of a body; one slice, one bounds check.
#[inline(always)]
fn body(v: &[f64], k: u32) -> &[f64; 6] {
    let s = 6 * k as usize;
    v[s..s + 6].first_chunk().expect("six entries")
}

impl SphereContacts {
    /// Contacts between `bodies` bodies.
    ///
    /// # Panics
    /// When a contact names a body that does not exist.
    pub fn new(bodies: usize, contacts: Vec<SphereContact>) -> Self {
        assert!(contacts.iter().all(|c| (c.a.max(c.b) as usize) < bodies), "a contact names a body that is not there");
        Self { bodies, contacts }
    }

    /// Empties the operator, keeping its memory, for contacts between `bodies` bodies.
    pub fn reset(&mut self, bodies: usize) {
        self.bodies = bodies;
        self.contacts.clear();
    }

    /// Adds a contact.
    ///
    /// # Panics
    /// When it names a body that does not exist.
    pub fn push_contact(&mut self, contact: SphereContact) {
        assert!((contact.a.max(contact.b) as usize) < self.bodies, "a contact names a body that is not there");
        self.contacts.push(contact);
    }

    /// The contacts in order.
    pub fn list(&self) -> &[SphereContact] {
        &self.contacts
    }

    /// Number of bodies.
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    /// The velocity at contact `c` for body velocities `v` (six a body: translation, then R omega).
    #[inline(always)]
    pub fn velocity(&self, c: usize, v: &[f64]) -> [f64; 3] {
        let k = &self.contacts[c];
        k.velocity(&frame(&k.normal), body(v, k.a), body(v, k.b))
    }
}

impl SphereContact {
    /// The relative velocity, on its normal and the tangents given, of bodies that move with `a` and `b`.
    #[inline(always)]
    fn velocity(&self, [s, t]: &[[f64; 3]; 2], a: &[f64; 6], b: &[f64; 6]) -> [f64; 3] {
        let spin = cross([a[3] + b[3], a[4] + b[4], a[5] + b[5]], &self.normal);
        let d = [a[0] - b[0] - spin[0], a[1] - b[1] - spin[1], a[2] - b[2] - spin[2]];
        let along = |e: &[f64; 3]| d[0] * e[0] + d[1] * e[1] + d[2] * e[2];
        [along(&self.normal), along(s), along(t)]
    }

    /// Adds what the impulse `dr` does to the velocities of both bodies.
    #[inline(always)]
    fn answer(&self, [s, t]: &[[f64; 3]; 2], dr: &[f64; 3], v: &mut [f64]) {
        let p: [f64; 3] = std::array::from_fn(|i| dr[0] * self.normal[i] + dr[1] * s[i] + dr[2] * t[i]);
        let turn = cross(self.normal, &p);
        for (index, inv_mass, sign) in [(self.a, self.inv_mass_a, 1.0), (self.b, self.inv_mass_b, -1.0)] {
            let s = 6 * index as usize;
            let body: &mut [f64; 6] = v[s..s + 6].first_chunk_mut().expect("six entries");
            for i in 0..3 {
                body[i] += sign * inv_mass * p[i];
                body[3 + i] -= SPIN * inv_mass * turn[i];
            }
        }
    }
}

impl Delassus<3> for SphereContacts {
    fn contacts(&self) -> usize {
        self.contacts.len()
    }

    fn state_len(&self) -> usize {
        6 * self.bodies
    }

    #[inline(always)]
    fn diagonal(&self, c: usize) -> Block<3> {
        let k = &self.contacts[c];
        let w = k.inv_mass_a + k.inv_mass_b;
        let mut block = zero();
        block[0][0] = w;
        block[1][1] = (1.0 + SPIN) * w;
        block[2][2] = (1.0 + SPIN) * w;
        block
    }

    fn assemble(&self) -> Option<Cow<'_, BlockCsr<3>>> {
        let mut gram = Gram::new(6 * self.bodies);
        for k in &self.contacts {
            // unit impulses along these axes: their rows on both bodies, translation then y = R omega
            let [s, t] = frame(&k.normal);
            let axes = [k.normal, s, t];
            let turns = axes.map(|e| cross(k.normal, &e));
            for (body, inv_mass, sign) in [(k.a, k.inv_mass_a, 1.0), (k.b, k.inv_mass_b, -1.0)] {
                let first = 6 * body as usize;
                for i in 0..3 {
                    gram.push(first + i, axes.map(|e| sign * e[i]), axes.map(|e| sign * inv_mass * e[i]));
                }
                for i in 0..3 {
                    let moved = turns.map(|turn| -SPIN * inv_mass * turn[i]);
                    gram.push(first + 3 + i, turns.map(|turn| -turn[i]), moved);
                }
            }
            gram.end_contact();
        }
        Some(Cow::Owned(gram.form()))
    }

    fn bodies(&self) -> Option<&dyn Bodies<3>> {
        Some(self)
    }

    fn apply(&self, r: &[[f64; 3]], out: &mut [[f64; 3]], v: &mut [f64]) {
        self.load(r, v);
        self.relative_velocity(v, out);
    }

    fn apply_plus(&self, r: &[[f64; 3]], q: &[[f64; 3]], out: &mut [[f64; 3]], v: &mut [f64]) {
        self.load(r, v);
        wide(
            Arch::new(),
            #[inline(always)]
            || out.iter_mut().zip(q).enumerate().for_each(|(c, (o, q))| *o = add(&self.velocity(c, v), q)),
        );
    }
}

/// Rotations are `y = R omega`, of inertia `m / SPIN`.
impl Bodies<3> for SphereContacts {
    fn mass(&self) -> Csr {
        diagonal_mass(self.diagonal_mass().unwrap_or_default())
    }

    fn diagonal_mass(&self) -> Option<Vec<f64>> {
        let mut inv_mass = vec![0.0; self.bodies];
        for k in &self.contacts {
            inv_mass[k.a as usize] = k.inv_mass_a;
            inv_mass[k.b as usize] = k.inv_mass_b;
        }
        let spin = [1.0, 1.0, 1.0, SPIN, SPIN, SPIN];
        let entry = |i: usize| if inv_mass[i / 6] > 0.0 { 1.0 / (inv_mass[i / 6] * spin[i % 6]) } else { 1.0 };
        Some((0..6 * self.bodies).map(entry).collect())
    }

    fn jacobian(&self, c: usize, entry: &mut dyn FnMut(usize, usize, f64)) {
        let k = &self.contacts[c];
        let [s, t] = frame(&k.normal);
        for (d, e) in [k.normal, s, t].into_iter().enumerate() {
            let turn = cross(k.normal, &e);
            for (body, inv_mass, sign) in [(k.a, k.inv_mass_a, 1.0), (k.b, k.inv_mass_b, -1.0)] {
                for i in (0..3).filter(|_| inv_mass > 0.0) {
                    entry(d, 6 * body as usize + i, sign * e[i]);
                    entry(d, 6 * body as usize + 3 + i, -turn[i]);
                }
            }
        }
    }

    fn link(&self, c: usize) -> Option<Link<3>> {
        let k = &self.contacts[c];
        let [s, t] = frame(&k.normal);
        let moves = |body: u32, inv_mass: f64| (inv_mass > 0.0).then_some(body);
        let link = Link {
            bodies: [moves(k.a, k.inv_mass_a), moves(k.b, k.inv_mass_b)],
            arms: [k.normal.map(|n| -n), k.normal],
            frame: [k.normal, s, t],
        };
        Some(if link.bodies[0].is_some() { link } else { link.turned() })
    }

    fn response(&self, r: &[[f64; 3]], v: &mut [f64]) {
        self.load(r, v);
    }

    fn relative_velocity(&self, v: &[f64], u: &mut [[f64; 3]]) {
        wide(
            Arch::new(),
            #[inline(always)]
            || u.iter_mut().enumerate().for_each(|(c, u)| *u = self.velocity(c, v)),
        );
    }
}

impl Sweep<3> for SphereContacts {
    #[inline(always)]
    fn row(&self, c: usize, _r: &[[f64; 3]], v: &[f64]) -> [f64; 3] {
        self.velocity(c, v)
    }

    /// W_cc is diagonal: three products instead of nine.
    #[inline(always)]
    fn row_of_others(&self, c: usize, r: &[[f64; 3]], v: &[f64]) -> [f64; 3] {
        let (u, w, r) = (self.velocity(c, v), self.diagonal(c), &r[c]);
        [u[0] - w[0][0] * r[0], u[1] - w[1][1] * r[1], u[2] - w[2][2] * r[2]]
    }

    #[inline(always)]
    fn push(&self, c: usize, dr: &[f64; 3], v: &mut [f64]) {
        let k = &self.contacts[c];
        k.answer(&frame(&k.normal), dr, v);
    }

    /// `r_N <- (r_N - u_N / w)_+`, `r_T <- r_T - u_T / 3.5 w` cut back to `mu r_N`: W_cc is diagonal, and the same along
    /// both tangents.
    #[inline(always)]
    fn relax(&self, c: usize, q: &[f64; 3], cone: &Cone, r: &mut [[f64; 3]], v: &mut [f64]) -> [f64; 3] {
        let &Cone::Coulomb { mu } = cone else { return relax_exactly(self, c, q, cone, r, v) };
        let (k, old) = (&self.contacts[c], r[c]);
        let inverse = 1.0 / (k.inv_mass_a + k.inv_mass_b);
        let tangents = frame(&k.normal);
        let u = k.velocity(&tangents, body(v, k.a), body(v, k.b));
        let n = positive(old[0] - inverse * (u[0] + q[0]));
        let along = inverse / (1.0 + SPIN);
        let t = [old[1] - along * (u[1] + q[1]), old[2] - along * (u[2] + q[2])];
        let (square, limit) = (t[0] * t[0] + t[1] * t[1], mu * n);
        let cut = if square > limit * limit { limit / square.sqrt() } else { 1.0 };
        let new = [n, cut * t[0], cut * t[1]];
        let dr = [new[0] - old[0], new[1] - old[1], new[2] - old[2]];
        k.answer(&tangents, &dr, v);
        r[c] = new;
        dr
    }

    fn load(&self, r: &[[f64; 3]], v: &mut [f64]) {
        v.fill(0.0);
        wide(
            Arch::new(),
            #[inline(always)]
            || {
                in_strands::<2>(
                    0..r.len(),
                    #[inline(always)]
                    |c| self.push(c, &r[c], v),
                )
            },
        );
    }

    #[inline(always)]
    fn sweep(&self, _: Arch, window: Range<usize>, q: &[[f64; 3]], cones: &[Cone], r: &mut [[f64; 3]], v: &mut [f64]) {
        sweep_strands::<2, 3, Self>(self, window, q, cones, r, v);
    }

    fn window(&self) -> usize {
        WINDOW
    }

    fn blocks_a_visit(&self) -> Option<f64> {
        Some(4.0)
    }

    fn nodes(&self) -> usize {
        self.bodies
    }

    #[inline(always)]
    fn meets(&self, c: usize, mut meet: impl FnMut(usize)) {
        let k = &self.contacts[c];
        for (body, inv_mass) in [(k.a, k.inv_mass_a), (k.b, k.inv_mass_b)] {
            if inv_mass > 0.0 {
                meet(body as usize);
            }
        }
    }

    fn part(&self, contacts: &mut [u32], numbers: &mut Numbers, room: Option<Self>) -> Option<Self> {
        let mut part = room.unwrap_or_default();
        numbers.begin(self.bodies);
        part.contacts.clear();
        part.contacts.extend(contacts.iter().map(|&c| {
            let k = self.contacts[c as usize];
            SphereContact { a: numbers.of(k.a), b: numbers.of(k.b), ..k }
        }));
        part.bodies = numbers.met().len();
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::dot;
    use crate::generate::Random;

    #[test]
    fn frame_is_orthonormal_and_right_handed() {
        for n in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [0.6, 0.0, 0.8], [-0.48, 0.64, -0.6], [1.0, 0.0, 0.0]] {
            let [s, t] = frame(&n);
            for (x, y, e) in [(&n, &s, 0.0), (&n, &t, 0.0), (&s, &t, 0.0), (&s, &s, 1.0), (&t, &t, 1.0)] {
                assert!((dot(x, y) - e).abs() < 1e-15, "{n:?}");
            }
            assert!((dot(&cross(n, &s), &t) - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn its_own_way_of_solving_a_contact_is_the_exact_one() {
        let contact = |a, b, normal| SphereContact { normal, a, b, inv_mass_a: 1.0, inv_mass_b: f64::from(b) };
        let ring = [(0, 1, [0.0, 0.6, 0.8]), (1, 2, [-0.48, 0.64, -0.6]), (2, 0, [1.0, 0.0, 0.0])];
        let spheres = SphereContacts::new(3, ring.map(|(a, b, n)| contact(a, b, n)).to_vec());
        let mut random = Random::new(11);
        let mut any = || std::array::from_fn(|_| random.between(-1.0, 1.0));
        for (mu, c) in [0.0, 0.2, 1.5].into_iter().flat_map(|mu| (0..300).map(move |c| (mu, c % 3))) {
            let r: Vec<[f64; 3]> = (0..3).map(|_| any()).collect();
            let (q, cone, mut v) = (any(), Cone::Coulomb { mu }, vec![0.0; 18]);
            spheres.load(&r, &mut v);
            let (mut own, mut other, mut w) = (r.clone(), r, v.clone());
            spheres.relax(c, &q, &cone, &mut own, &mut v);
            relax_exactly(&spheres, c, &q, &cone, &mut other, &mut w);
            assert!(own.as_flattened().iter().zip(other.as_flattened()).all(|(x, y)| (x - y).abs() < 1e-13));
            assert!(v.iter().zip(&w).all(|(x, y)| (x - y).abs() < 1e-13));
        }
    }

    #[test]
    fn diagonal_block_is_the_response_of_one_contact() {
        let k = SphereContact { normal: [0.48, -0.6, 0.64], a: 0, b: 1, inv_mass_a: 0.5, inv_mass_b: 2.0 };
        let op = SphereContacts::new(2, vec![k]);
        let w = op.diagonal(0);
        let mut v = vec![0.0; 12];
        for d in 0..3 {
            let mut r = [[0.0; 3]];
            r[0][d] = 1.0;
            let mut u = [[0.0; 3]];
            op.apply(&r, &mut u, &mut v);
            for e in 0..3 {
                assert!((u[0][e] - w[e][d]).abs() < 1e-14);
            }
        }
    }
}
