//! W of contacts between rigid bodies of any shape, from normals, lever arms and inertias.
//!
//! With $\ell_a, \ell_b$ the arms from the centres of mass to the contact point, the relative velocity is
//! $$ d = v_a + \omega_a \times \ell_a - v_b - \omega_b \times \ell_b $$
//! on the frame of the normal, followed by $\omega_a - \omega_b$ on the tangents where there are rolling rows. An
//! impulse p with moment m changes $v_{a,b}$ by $\pm p/m_{a,b}$ and $\omega_{a,b}$ by $\pm I^{-1}(\ell \times p + m)$.
//! 80 bytes and W_cc a contact, 104 bytes a body pass through the processor in a sweep; stored rows of H and
//! $M^{-1} H$ would be 576 bytes a contact.

use super::gram::Gram;
use super::spheres::frame;
use super::{BlockCsr, Bodies, Delassus, Numbers, Sweep, WINDOW};
use crate::block::{Block, dot, solve};
use crate::matrix::{Csr, Triplet};
use std::borrow::Cow;

/// One contact between two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidContact<const N: usize> {
    /// Unit normal from b to a.
    pub normal: [f64; N],
    /// From the centre of mass of a to the contact.
    pub arm_a: [f64; N],
    /// From the centre of mass of b to the contact.
    pub arm_b: [f64; N],
    /// First body.
    pub a: u32,
    /// Second body.
    pub b: u32,
}

/// What a body opposes to an impulse; zeros for one that never moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidInertia<const V: usize> {
    /// 1/m.
    pub inv_mass: f64,
    /// The inverse inertia about the centre of mass, in the frame of the world: `1/I, -, -` in the plane,
    /// `xx, yy, zz, xy, xz, yz` in space.
    pub inv_inertia: [f64; V],
}

impl<const V: usize> RigidInertia<V> {
    /// A body that never moves.
    pub const FIXED: Self = Self { inv_mass: 0.0, inv_inertia: [0.0; V] };
}

/// The Delassus operator of rigid bodies: (N, V) = (2, 3) or (3, 6); D = N, or with rolling rows 3 or 5.
#[derive(Debug, Clone, PartialEq)]
pub struct RigidContacts<const N: usize, const V: usize, const D: usize> {
    bodies: Vec<RigidInertia<V>>,
    contacts: Vec<RigidContact<N>>,
    diagonal: Vec<Block<D>>,
}

impl<const N: usize, const V: usize, const D: usize> Default for RigidContacts<N, V, D> {
    fn default() -> Self {
        Self { bodies: Vec::new(), contacts: Vec::new(), diagonal: Vec::new() }
    }
}

/// The normal and the tangents; the last row is unused in the plane.
#[inline(always)]
pub fn contact_frame<const N: usize>(n: &[f64; N]) -> [[f64; N]; 3] {
    let mut rows = [[0.0; N]; 3];
    rows[0] = *n;
    if N == 2 {
        (rows[1][0], rows[1][1]) = (-n[1], n[0]);
    } else {
        let [s, t] = frame(&[n[0], n[1], n[2]]);
        rows[1].copy_from_slice(&s[..N]);
        rows[2].copy_from_slice(&t[..N]);
    }
    rows
}

/// `v + omega x arm`: the velocity of a point of a rigid body.
#[inline(always)]
pub fn velocity_at<const N: usize, const V: usize>(v: &[f64; V], arm: &[f64; N]) -> [f64; N] {
    let mut u = [0.0; N];
    if N == 2 {
        u[0] = v[0] - v[2] * arm[1];
        u[1] = v[1] + v[2] * arm[0];
    } else {
        u[0] = v[0] + v[4] * arm[2] - v[5] * arm[1];
        u[1] = v[1] + v[5] * arm[0] - v[3] * arm[2];
        u[2] = v[2] + v[3] * arm[1] - v[4] * arm[0];
    }
    u
}

#[inline(always)]
fn body<const V: usize>(v: &[f64], k: u32) -> &[f64; V] {
    let s = V * k as usize;
    v[s..s + V].first_chunk().expect("V entries")
}

impl<const V: usize> RigidInertia<V> {
    /// The change of velocity by an impulse `p` at `arm` and a moment (its last entries in space, its first in the plane).
    #[inline(always)]
    pub fn response<const N: usize>(&self, p: &[f64; N], arm: &[f64; N], moment: &[f64; 3]) -> [f64; V] {
        let mut dv = [0.0; V];
        for i in 0..N {
            dv[i] = self.inv_mass * p[i];
        }
        let k = &self.inv_inertia;
        if N == 2 {
            dv[2] = k[0] * (arm[0] * p[1] - arm[1] * p[0] + moment[0]);
        } else {
            let m = [
                arm[1] * p[2] - arm[2] * p[1] + moment[0],
                arm[2] * p[0] - arm[0] * p[2] + moment[1],
                arm[0] * p[1] - arm[1] * p[0] + moment[2],
            ];
            dv[3] = k[0] * m[0] + k[3] * m[1] + k[4] * m[2];
            dv[4] = k[3] * m[0] + k[1] * m[1] + k[5] * m[2];
            dv[5] = k[4] * m[0] + k[5] * m[1] + k[2] * m[2];
        }
        dv
    }
}

/// The relative velocity at a contact of two bodies moving with `va` and `vb`.
#[inline(always)]
pub fn relative_velocity<const N: usize, const V: usize, const D: usize>(
    k: &RigidContact<N>,
    va: &[f64; V],
    vb: &[f64; V],
) -> [f64; D] {
    let (pa, pb) = (velocity_at(va, &k.arm_a), velocity_at(vb, &k.arm_b));
    let d: [f64; N] = std::array::from_fn(|i| pa[i] - pb[i]);
    let e = contact_frame(&k.normal);
    let mut u = [0.0; D];
    for i in 0..N {
        u[i] = dot(&e[i], &d);
    }
    if D > N {
        if N == 2 {
            u[2] = va[2] - vb[2];
        } else {
            let w: [f64; N] = std::array::from_fn(|i| va[3 + i] - vb[3 + i]);
            u[3] = dot(&e[1], &w);
            u[4] = dot(&e[2], &w);
        }
    }
    u
}

/// An impulse on the frame of the contact, as a force and a moment in the world.
#[inline(always)]
pub fn world_impulse<const N: usize, const D: usize>(normal: &[f64; N], r: &[f64; D]) -> ([f64; N], [f64; 3]) {
    let e = contact_frame(normal);
    let mut p = [0.0; N];
    for i in 0..N {
        for d in 0..N {
            p[i] += r[d] * e[d][i];
        }
    }
    let mut moment = [0.0; 3];
    if D > N {
        if N == 2 {
            moment[0] = r[2];
        } else {
            for i in 0..N {
                moment[i] = r[3] * e[1][i] + r[4] * e[2][i];
            }
        }
    }
    (p, moment)
}

impl<const N: usize, const V: usize, const D: usize> RigidContacts<N, V, D> {
    /// Empties the operator, keeping its memory, and takes the inertias of the bodies.
    pub fn reset(&mut self, bodies: impl Iterator<Item = RigidInertia<V>>) {
        self.bodies.clear();
        self.bodies.extend(bodies);
        self.contacts.clear();
        self.diagonal.clear();
    }

    /// Adds a contact.
    ///
    /// # Panics
    /// When it names a body that does not exist.
    pub fn push_contact(&mut self, k: RigidContact<N>) {
        let (a, b) = (self.bodies[k.a as usize], self.bodies[k.b as usize]);
        let mut block = [[0.0; D]; D];
        for d in 0..D {
            let mut r = [0.0; D];
            r[d] = 1.0;
            let (p, moment) = world_impulse(&k.normal, &r);
            let va = a.response(&p, &k.arm_a, &moment);
            let vb = b.response(&p, &k.arm_b, &moment).map(|x| -x);
            let u: [f64; D] = relative_velocity(&k, &va, &vb);
            for e in 0..D {
                block[e][d] = u[e];
            }
        }
        self.contacts.push(k);
        self.diagonal.push(block);
    }

    /// The contacts in order.
    pub fn list(&self) -> &[RigidContact<N>] {
        &self.contacts
    }
}

impl<const N: usize, const V: usize, const D: usize> Delassus<D> for RigidContacts<N, V, D> {
    fn contacts(&self) -> usize {
        self.contacts.len()
    }

    fn state_len(&self) -> usize {
        V * self.bodies.len()
    }

    #[inline(always)]
    fn diagonal(&self, c: usize) -> Block<D> {
        self.diagonal[c]
    }

    fn assemble(&self) -> Option<Cow<'_, BlockCsr<D>>> {
        let mut gram = Gram::new(V * self.bodies.len());
        let unit = unit::<V>();
        for k in &self.contacts {
            let impulses: [_; D] = std::array::from_fn(|d| {
                let mut r = [0.0; D];
                r[d] = 1.0;
                world_impulse(&k.normal, &r)
            });
            for (body, arm, sign) in [(k.a, &k.arm_a, 1.0), (k.b, &k.arm_b, -1.0)] {
                let rows = impulses.map(|(p, moment)| unit.response(&p, arm, &moment));
                let moved = impulses.map(|(p, moment)| self.bodies[body as usize].response(&p, arm, &moment));
                for i in 0..V {
                    let column = |of: &[[f64; V]; D]| of.map(|row| sign * row[i]);
                    gram.push(V * body as usize + i, column(&rows), column(&moved));
                }
            }
            gram.end_contact();
        }
        Some(Cow::Owned(gram.form()))
    }

    fn bodies(&self) -> Option<&dyn Bodies<D>> {
        Some(self)
    }

    fn apply(&self, r: &[[f64; D]], out: &mut [[f64; D]], v: &mut [f64]) {
        self.load(r, v);
        for (c, o) in out.iter_mut().enumerate() {
            *o = self.row(c, r, v);
        }
    }
}

/// Unit inertias turn a response into the entries of H.
fn unit<const V: usize>() -> RigidInertia<V> {
    RigidInertia { inv_mass: 1.0, inv_inertia: std::array::from_fn(|i| f64::from(i < 3)) }
}

impl<const V: usize> RigidInertia<V> {
    /// Hands out the entries of the mass matrix of the body; the identity for one that never moves.
    fn mass_entries<const N: usize>(&self, put: &mut impl FnMut(usize, usize, f64)) {
        let fixed = self.inv_mass == 0.0;
        (0..N).for_each(|i| put(i, i, if fixed { 1.0 } else { 1.0 / self.inv_mass }));
        let k = &self.inv_inertia;
        if N == 2 {
            put(2, 2, if fixed { 1.0 } else { 1.0 / k[0] });
            return;
        }
        let inverse = [[k[0], k[3], k[4]], [k[3], k[1], k[5]], [k[4], k[5], k[2]]];
        for j in 0..3 {
            let unit: [f64; 3] = std::array::from_fn(|i| f64::from(i == j));
            let column = if fixed { unit } else { solve(inverse, unit).unwrap_or(unit) };
            (0..3).filter(|&i| column[i] != 0.0).for_each(|i| put(3 + i, 3 + j, column[i]));
        }
    }
}

impl<const N: usize, const V: usize, const D: usize> Bodies<D> for RigidContacts<N, V, D> {
    fn mass(&self) -> Csr {
        let n = self.state_len();
        let mut t = Triplet::empty(n, n);
        for (k, body) in self.bodies.iter().enumerate() {
            body.mass_entries::<N>(&mut |i, j, x| t.push(V * k + i, V * k + j, x));
        }
        Csr::from(&t)
    }

    fn jacobian(&self, c: usize, entry: &mut dyn FnMut(usize, usize, f64)) {
        let k = &self.contacts[c];
        for d in 0..D {
            let mut r = [0.0; D];
            r[d] = 1.0;
            let (p, moment) = world_impulse(&k.normal, &r);
            for (body, arm, sign) in [(k.a as usize, &k.arm_a, 1.0), (k.b as usize, &k.arm_b, -1.0)] {
                if self.bodies[body].inv_mass == 0.0 {
                    continue;
                }
                let row: [f64; V] = unit().response(&p, arm, &moment);
                (0..V).filter(|&i| row[i] != 0.0).for_each(|i| entry(d, V * body + i, sign * row[i]));
            }
        }
    }

    fn response(&self, r: &[[f64; D]], v: &mut [f64]) {
        self.load(r, v);
    }

    fn relative_velocity(&self, v: &[f64], u: &mut [[f64; D]]) {
        u.iter_mut().enumerate().for_each(|(c, u)| *u = self.row(c, &[], v));
    }
}

impl<const N: usize, const V: usize, const D: usize> Sweep<D> for RigidContacts<N, V, D> {
    #[inline(always)]
    fn row(&self, c: usize, _r: &[[f64; D]], v: &[f64]) -> [f64; D] {
        let k = &self.contacts[c];
        relative_velocity(k, body::<V>(v, k.a), body::<V>(v, k.b))
    }

    #[inline(always)]
    fn push(&self, c: usize, dr: &[f64; D], v: &mut [f64]) {
        let k = &self.contacts[c];
        let (p, moment) = world_impulse(&k.normal, dr);
        for (index, arm, sign) in [(k.a, &k.arm_a, 1.0), (k.b, &k.arm_b, -1.0)] {
            let dv = self.bodies[index as usize].response(&p, arm, &moment);
            let s = V * index as usize;
            let body: &mut [f64; V] = v[s..s + V].first_chunk_mut().expect("V entries");
            for i in 0..V {
                body[i] += sign * dv[i];
            }
        }
    }

    fn load(&self, r: &[[f64; D]], v: &mut [f64]) {
        v.fill(0.0);
        for (c, rc) in r.iter().enumerate() {
            self.push(c, rc, v);
        }
    }

    fn window(&self) -> usize {
        WINDOW
    }

    fn blocks_a_visit(&self) -> Option<f64> {
        Some(16.0)
    }

    fn nodes(&self) -> usize {
        self.bodies.len()
    }

    #[inline(always)]
    fn meets(&self, c: usize, mut meet: impl FnMut(usize)) {
        let k = &self.contacts[c];
        for body in [k.a as usize, k.b as usize] {
            if self.bodies[body] != RigidInertia::FIXED {
                meet(body);
            }
        }
    }

    fn part(&self, contacts: &mut [u32], numbers: &mut Numbers, room: Option<Self>) -> Option<Self> {
        let mut part = room.unwrap_or_default();
        numbers.begin(self.bodies.len());
        part.reset(std::iter::empty());
        for &c in &*contacts {
            let k = self.contacts[c as usize];
            part.contacts.push(RigidContact { a: numbers.of(k.a), b: numbers.of(k.b), ..k });
            part.diagonal.push(self.diagonal[c as usize]);
        }
        part.bodies.extend(numbers.met().iter().map(|&k| self.bodies[k as usize]));
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_boxes<const D: usize>() -> RigidContacts<3, 6, D> {
        let mut op = RigidContacts::default();
        let a = RigidInertia { inv_mass: 0.5, inv_inertia: [1.0, 2.0, 3.0, 0.1, -0.2, 0.3] };
        let b = RigidInertia { inv_mass: 2.0, inv_inertia: [4.0, 1.0, 2.0, 0.0, 0.3, -0.1] };
        op.reset([a, b, RigidInertia::FIXED].into_iter());
        let n = [0.48, -0.6, 0.64];
        op.push_contact(RigidContact { normal: n, arm_a: [0.1, 0.2, -0.3], arm_b: [-0.4, 0.1, 0.2], a: 0, b: 1 });
        op.push_contact(RigidContact { normal: [0.0, 0.0, 1.0], arm_a: [0.1, 0.0, -0.3], arm_b: [0.0; 3], a: 1, b: 2 });
        op
    }

    fn agrees<const N: usize, const V: usize, const D: usize>(op: &RigidContacts<N, V, D>) {
        let w = op.assemble().unwrap();
        let n = op.contacts();
        let (mut v, mut u, mut full) = (vec![0.0; op.state_len()], vec![[0.0; D]; n], vec![[0.0; D]; n]);
        for k in 0..n * D {
            let mut r = vec![[0.0; D]; n];
            r[k / D][k % D] = 1.0;
            op.apply(&r, &mut u, &mut v);
            w.apply(&r, &mut full, &mut []);
            for (x, y) in u.as_flattened().iter().zip(full.as_flattened()) {
                assert!((x - y).abs() < 1e-14);
            }
            for e in 0..D {
                assert!((op.diagonal(k / D)[e][k % D] - u[k / D][e]).abs() < 1e-14);
            }
        }
        assert!(w.asymmetry() < 1e-14);
        // M (M^-1 H r) = H r, entry by entry
        let r: Vec<[f64; D]> = (0..n).map(|c| std::array::from_fn(|d| (c + 2 * d) as f64 - 1.5)).collect();
        let mut hr = vec![0.0; op.state_len()];
        (0..n).for_each(|c| op.jacobian(c, &mut |d, i, x| hr[i] += x * r[c][d]));
        op.response(&r, &mut v);
        assert!(op.mass().mul(&v).iter().zip(&hr).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn matrix_free_and_assembled_agree_in_space_with_and_without_rolling() {
        agrees(&two_boxes::<3>());
        agrees(&two_boxes::<5>());
    }

    #[test]
    fn matrix_free_and_assembled_agree_in_the_plane() {
        let mut op = RigidContacts::<2, 3, 3>::default();
        op.reset([RigidInertia { inv_mass: 0.5, inv_inertia: [2.0, 0.0, 0.0] }, RigidInertia::FIXED].into_iter());
        op.push_contact(RigidContact { normal: [0.6, 0.8], arm_a: [0.1, -0.4], arm_b: [0.3, 0.2], a: 0, b: 1 });
        op.push_contact(RigidContact { normal: [0.0, 1.0], arm_a: [-0.1, -0.4], arm_b: [0.3, 0.2], a: 0, b: 1 });
        agrees(&op);
    }
}
