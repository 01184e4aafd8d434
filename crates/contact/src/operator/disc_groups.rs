//! Contacts of discs in groups of four, of which no two move the same body: one instruction works on all four.
//!
//! Contacts are taken from sixteen strands in turn, so that neighbouring groups seldom wait for one another, and each goes
//! into the first of eight open groups in which none of its bodies is busy. What finds no place, and what is left in groups
//! that did not fill, is swept one by one behind them. The contacts are put into this order, so that those of a group lie
//! side by side in everything that is kept for a contact. With and without AVX2 the order and every operation are the same,
//! and so are the bits.

use super::discs::{Ready, SPIN};
use crate::cone::Cone;
use pulp::Arch;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m128d, __m256d};

/// Contacts in a group.
const WIDTH: usize = 4;

/// Groups that are filled at a time, one bit each.
const OPEN: usize = 8;

/// Parts of the contacts that are taken from in turn.
const STRANDS: usize = 16;

/// Something of four contacts, lane by lane.
type Four<T> = [T; WIDTH];

/// The contact in each lane: those that two registers of pairs come apart into.
const LANES: Four<usize> = [0, 2, 1, 3];

/// Four contacts that move eight bodies at most, each at most once.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Group {
    a: Four<u32>,
    b: Four<u32>,
    normal: [Four<f64>; 2],
    inv_mass_a: Four<f64>,
    inv_mass_b: Four<f64>,
    inverse: [Four<f64>; 2],
}

/// The contacts of an operator in groups: four in the first, four in the second, and those in none behind them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct DiscGroups {
    groups: Vec<Group>,
    /// Contacts that are arranged.
    len: usize,
    /// Contacts in no group.
    rest: Vec<u32>,
    /// The open groups in which a body is moved.
    busy: Vec<u8>,
    open: [Open; OPEN],
    room: Vec<Ready>,
}

/// A group that is being filled.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Open {
    contacts: Four<u32>,
    len: usize,
}

impl DiscGroups {
    pub fn clear(&mut self) {
        self.groups.clear();
        self.len = 0;
    }

    /// Contacts that are arranged.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Puts all contacts into groups, and into their order; `order` becomes the old number of each.
    pub fn arrange(&mut self, contacts: &mut Vec<Ready>, bodies: usize, order: &mut Vec<u32>) {
        self.clear();
        self.rest.clear();
        self.busy.clear();
        self.busy.resize(bodies, 0);
        order.clear();
        // how many are left over changes from step to step, with as many contacts
        self.rest.reserve(contacts.len());
        self.groups.reserve(contacts.len() / WIDTH);
        order.reserve(contacts.len());
        let length = contacts.len().div_ceil(STRANDS);
        for first in 0..length {
            (first..contacts.len()).step_by(length).for_each(|c| self.place(c, contacts, order));
        }
        order.extend(&self.rest);
        for open in &mut self.open {
            order.extend(&open.contacts[..std::mem::take(&mut open.len)]);
        }
        self.len = contacts.len();
        self.room.clear();
        self.room.extend(order.iter().map(|&c| contacts[c as usize]));
        std::mem::swap(contacts, &mut self.room);
    }

    fn place(&mut self, c: usize, contacts: &[Ready], order: &mut Vec<u32>) {
        let moved = contacts[c].moved();
        let busy = moved.into_iter().flatten().fold(0, |busy, k| busy | self.busy[k]);
        let slot = (!busy).trailing_zeros() as usize;
        if slot >= OPEN {
            self.rest.push(c as u32);
            return;
        }
        moved.into_iter().flatten().for_each(|k| self.busy[k] |= 1 << slot);
        let open = &mut self.open[slot];
        open.contacts[open.len] = c as u32;
        open.len += 1;
        if open.len == WIDTH {
            open.len = 0;
            let full = open.contacts.map(|c| contacts[c as usize]);
            full.iter().flat_map(Ready::moved).flatten().for_each(|k| self.busy[k] &= !(1 << slot));
            self.groups.push(Group::new(&full));
            order.extend(open.contacts);
        }
    }

    /// Solves every contact once; `relax` solves one alone.
    #[inline(always)]
    pub fn sweep(
        &self,
        arch: Arch,
        (q, cones): (&[[f64; 2]], &[Cone]),
        r: &mut [[f64; 2]],
        v: &mut [f64],
        relax: impl Fn(usize, &mut [[f64; 2]], &mut [f64]),
    ) {
        let fours = self.groups.iter().zip(q.as_chunks().0).zip(cones.as_chunks().0);
        for (g, ((group, q), cones)) in fours.enumerate() {
            match (arch, friction(cones)) {
                #[cfg(target_arch = "x86_64")]
                (Arch::V3(simd), Some(mu)) => {
                    group.relax(Lanes(simd), &mu, q, &mut r.as_chunks_mut().0[g], v.as_chunks_mut().0);
                }
                _ => (WIDTH * g..WIDTH * (g + 1)).for_each(|c| relax(c, r, v)),
            }
        }
        (WIDTH * self.groups.len()..self.len).for_each(|c| relax(c, r, v));
    }
}

/// The coefficients of friction, if all four laws are Coulomb's.
#[inline(always)]
fn friction(cones: &Four<Cone>) -> Option<Four<f64>> {
    let mut mu = [0.0; WIDTH];
    for (mu, c) in mu.iter_mut().zip(LANES) {
        let Cone::Coulomb { mu: of_contact } = cones[c] else { return None };
        *mu = of_contact;
    }
    Some(mu)
}

impl Group {
    fn new(of: &Four<Ready>) -> Self {
        let of = LANES.map(|c| (of[c].contact, of[c].inverse));
        Self {
            a: of.map(|(k, _)| k.a),
            b: of.map(|(k, _)| k.b),
            normal: [0, 1].map(|i| of.map(|(k, _)| k.normal[i])),
            inv_mass_a: of.map(|(k, _)| k.inv_mass_a),
            inv_mass_b: of.map(|(k, _)| k.inv_mass_b),
            inverse: [0, 1].map(|i| of.map(|(_, inverse)| inverse[i])),
        }
    }

    /// As [`DiscContacts::relax`](super::Sweep::relax), operation by operation.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn relax(&self, l: Lanes, mu: &Four<f64>, q: &Four<[f64; 2]>, r: &mut Four<[f64; 2]>, v: &mut [[f64; 3]]) {
        // copies, so that the compiler knows that numbers which were compared once stay what they are
        let (a, b) = (self.a, self.b);
        let ([mut ax, mut ay, mut aw], [mut bx, mut by, mut bw]) = (l.bodies(v, &a), l.bodies(v, &b));
        let ([x, y], [q_n, q_t], [old_n, old_t]) = (self.normal.map(|n| l.load(&n)), l.rows(q), l.rows(r));
        // the relative velocity
        let (dx, dy) = (l.sub(ax, bx), l.sub(ay, by));
        let u_n = l.add(l.mul(x, dx), l.mul(y, dy));
        let u_t = l.sub(l.sub(l.mul(x, dy), l.mul(y, dx)), l.add(aw, bw));
        // the impulses
        let [inverse_n, inverse_t] = self.inverse.map(|w| l.load(&w));
        let n = l.positive(l.sub(old_n, l.mul(inverse_n, l.add(u_n, q_n))));
        let t = l.within(l.sub(old_t, l.mul(inverse_t, l.add(u_t, q_t))), l.mul(l.load(mu), n));
        // what they do
        let (dn, dt) = (l.sub(n, old_n), l.sub(t, old_t));
        let (px, py) = (l.sub(l.mul(x, dn), l.mul(y, dt)), l.add(l.mul(y, dn), l.mul(x, dt)));
        let (turn, to_a, to_b) = (l.mul(l.load(&[SPIN; 4]), dt), l.load(&self.inv_mass_a), l.load(&self.inv_mass_b));
        (ax, ay, aw) = (l.add(ax, l.mul(to_a, px)), l.add(ay, l.mul(to_a, py)), l.sub(aw, l.mul(to_a, turn)));
        (bx, by, bw) = (l.sub(bx, l.mul(to_b, px)), l.sub(by, l.mul(to_b, py)), l.sub(bw, l.mul(to_b, turn)));
        l.set_bodies(v, &a, [ax, ay, aw]);
        l.set_bodies(v, &b, [bx, by, bw]);
        *r = l.unlace([n, t]);
    }
}

/// The instructions of AVX2 on four numbers.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Lanes(pulp::x86::V3);

#[cfg(target_arch = "x86_64")]
impl Lanes {
    #[inline(always)]
    fn load(self, x: &Four<f64>) -> __m256d {
        pulp::cast(*x)
    }

    #[inline(always)]
    fn add(self, x: __m256d, y: __m256d) -> __m256d {
        self.0.avx._mm256_add_pd(x, y)
    }

    #[inline(always)]
    fn sub(self, x: __m256d, y: __m256d) -> __m256d {
        self.0.avx._mm256_sub_pd(x, y)
    }

    #[inline(always)]
    fn mul(self, x: __m256d, y: __m256d) -> __m256d {
        self.0.avx._mm256_mul_pd(x, y)
    }

    /// `x_+`; NaN becomes 0, as in [`positive`](super::discs::positive).
    #[inline(always)]
    fn positive(self, x: __m256d) -> __m256d {
        self.0.avx._mm256_max_pd(x, self.load(&[0.0; 4]))
    }

    /// As [`within`](super::discs::within).
    #[inline(always)]
    fn within(self, x: __m256d, limit: __m256d) -> __m256d {
        let avx = self.0.avx;
        avx._mm256_max_pd(avx._mm256_min_pd(x, limit), avx._mm256_xor_pd(limit, self.load(&[-0.0; 4])))
    }

    /// The pairs of four contacts as two rows of [`LANES`].
    #[inline(always)]
    fn rows(self, x: &Four<[f64; 2]>) -> [__m256d; 2] {
        let [low, high]: [__m256d; 2] = pulp::cast(*x);
        [self.0.avx._mm256_unpacklo_pd(low, high), self.0.avx._mm256_unpackhi_pd(low, high)]
    }

    /// And back.
    #[inline(always)]
    fn unlace(self, [x, y]: [__m256d; 2]) -> Four<[f64; 2]> {
        pulp::cast([self.0.avx._mm256_unpacklo_pd(x, y), self.0.avx._mm256_unpackhi_pd(x, y)])
    }

    /// Pairs to rows.
    #[inline(always)]
    fn columns(self, [x0, x1, x2, x3]: [__m128d; 4]) -> [__m256d; 2] {
        let avx = self.0.avx;
        let (even, odd) = (avx._mm256_set_m128d(x2, x0), avx._mm256_set_m128d(x3, x1));
        [avx._mm256_unpacklo_pd(even, odd), avx._mm256_unpackhi_pd(even, odd)]
    }

    /// Rows to pairs.
    #[inline(always)]
    fn pairs(self, [x, y]: [__m256d; 2]) -> [__m128d; 4] {
        let avx = self.0.avx;
        let (even, odd) = (avx._mm256_unpacklo_pd(x, y), avx._mm256_unpackhi_pd(x, y));
        let low = |x| avx._mm256_castpd256_pd128(x);
        [low(even), low(odd), avx._mm256_extractf128_pd::<1>(even), avx._mm256_extractf128_pd::<1>(odd)]
    }

    /// The velocities of four bodies: both translations and R omega.
    #[inline(always)]
    fn bodies(self, v: &[[f64; 3]], of: &Four<u32>) -> [__m256d; 3] {
        let [k0, k1, k2, k3] = of.map(|k| v[k as usize]);
        let [x, y] = self.columns([k0, k1, k2, k3].map(|[x, y, _]| pulp::cast([x, y])));
        [x, y, self.load(&[k0[2], k1[2], k2[2], k3[2]])]
    }

    #[inline(always)]
    fn set_bodies(self, v: &mut [[f64; 3]], of: &Four<u32>, [x, y, w]: [__m256d; 3]) {
        let pairs = self.pairs([x, y]).map(pulp::cast::<_, [f64; 2]>);
        let w: Four<f64> = pulp::cast(w);
        (0..WIDTH).for_each(|i| v[of[i] as usize] = [pairs[i][0], pairs[i][1], w[i]]);
    }
}

#[cfg(test)]
mod tests {
    use super::{LANES, WIDTH};
    use crate::cone::Cone;
    use crate::generate::Random;
    use crate::operator::{Delassus, DiscContact, DiscContacts, Sweep};
    use pulp::Arch;

    /// A square of discs, numbered at random, on a fixed one; each touches the next in its row and in its column.
    fn square(side: u32) -> DiscContacts {
        let (mut random, fixed) = (Random::new(5), side * side);
        let mut number: Vec<u32> = (0..fixed).collect();
        (1..fixed as usize).rev().for_each(|i| number.swap(i, random.below(i + 1)));
        let mut w = DiscContacts::default();
        w.reset(fixed as usize + 1);
        let inv_mass = |k: u32| if k == fixed { 0.0 } else { 1.0 + f64::from(k % 3) };
        let mut touch = |a: u32, b: u32, normal: [f64; 2]| {
            w.push_contact(DiscContact { normal, a, b, inv_mass_a: inv_mass(a), inv_mass_b: inv_mass(b) });
        };
        for k in 0..fixed {
            let (row, column, a) = (k / side, k % side, number[k as usize]);
            touch(a, if row == 0 { fixed } else { number[(k - side) as usize] }, [0.28, 0.96]);
            if column > 0 {
                touch(a, number[k as usize - 1], [1.0, 0.0]);
            }
        }
        w.arrange(&mut Vec::new());
        w
    }

    #[test]
    fn each_contact_is_in_one_place_and_no_four_move_a_body_twice() {
        for side in [1, 2, 5, 20] {
            let (before, mut order) = (square(side), Vec::new());
            let mut w = before.clone();
            w.arrange(&mut order);
            let old: Vec<_> = before.list().collect();
            assert!(w.list().eq(order.iter().map(|&c| old[c as usize])), "{side}");
            let groups = w.groups();
            for (g, of) in groups.groups.iter().zip(w.list().copied().collect::<Vec<_>>().as_chunks::<WIDTH>().0) {
                assert_eq!((g.a, g.b), (LANES.map(|c| of[c].a), LANES.map(|c| of[c].b)));
            }
            order.sort_unstable();
            assert!(order.into_iter().eq(0..w.contacts() as u32), "{side}");
            for g in &groups.groups {
                let of_a = g.a.iter().zip(&g.inv_mass_a);
                let of_b = g.b.iter().zip(&g.inv_mass_b);
                let mut moved: Vec<u32> = of_a.chain(of_b).filter(|(_, m)| **m > 0.0).map(|(k, _)| *k).collect();
                moved.sort_unstable();
                assert!(moved.windows(2).all(|k| k[0] != k[1]), "{moved:?}");
            }
        }
        // nearly all of many are in groups
        let w = square(20);
        let rest = w.contacts() - WIDTH * w.groups().groups.len();
        assert!(rest < w.contacts() / 20, "{rest}");
    }

    #[test]
    fn four_at_a_time_are_the_bits_of_one_at_a_time() {
        let w = square(12);
        let (n, mut random) = (w.contacts(), Random::new(6));
        let mut any = || [random.between(-1.0, 0.5), random.between(-1.0, 1.0)];
        let q: Vec<[f64; 2]> = (0..n).map(|_| any()).collect();
        // a few of another law send their group the long way
        let law = |c: usize| if c % 50 == 7 { Cone::Frictionless } else { Cone::Coulomb { mu: 0.1 * (c % 9) as f64 } };
        let cones: Vec<Cone> = (0..n).map(law).collect();
        let run = |arch: Arch| {
            let (mut r, mut v) = (vec![[0.0; 2]; n], vec![0.0; w.state_len()]);
            (0..30).for_each(|_| w.sweep(arch, 0..r.len(), &q, &cones, &mut r, &mut v));
            (r, v)
        };
        let (r, v) = run(Arch::new());
        let (alone, state) = run(Arch::Scalar);
        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(r.as_flattened()), bits(alone.as_flattened()));
        assert_eq!(bits(&v), bits(&state));
        // and the state is that of the impulses
        let mut loaded = vec![0.0; w.state_len()];
        w.load(&r, &mut loaded);
        assert!(v.iter().zip(&loaded).all(|(x, y)| (x - y).abs() < 1e-12));
        assert!(r.iter().any(|r| r[0] > 0.0) && r.iter().any(|r| r[0] == 0.0));
    }
}
