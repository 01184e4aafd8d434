//! A start: every body rests on what its free motion presses it against.
//!
//! Bodies are taken from above to below. The contacts that carry a body are solved with what is below held still; what
//! they carry is then laid on the bodies below. One that these cannot hold leans on whatever else has yet to come to rest. One
//! pass takes all weight to the ground, for which sweeps go through all contacts a number of times that grows with the height.
//!
//! # Reference
//! Guendelman, Bridson & Fedkiw, Nonconvex rigid bodies with stacking, ACM Trans. Graph. 22, 2003 (shock propagation).

use super::lanes::{add, along_all};
use super::links::{Links, Motion, Vector, along, at, push};
use super::masses::{InverseMass, Masses};
use super::share::share;
use crate::cone::Cone;
use crate::wide::wide;
use pulp::Arch;
use std::collections::VecDeque;

/// A contact carries a body that moves towards it with at least this part of its speed: what stands beside does not.
const STEEP: f32 = 0.2;
/// Rounds through the contacts of a body at most, and the move of a round, over its velocity, after which it is done.
const ROUNDS: usize = 60;
const STILL: f32 = 1e-4;
/// What may be left of its velocity where it rests.
const AT_REST: f32 = 3e-3;

/// Which contacts carry which bodies.
struct Carried {
    /// Whether a contact carries its first body, its second, or neither.
    which: Vec<Option<u8>>,
    /// Contacts on each body that carry others which are not yet at rest.
    waiting: Vec<u32>,
}

/// Which of its two bodies a contact carries: the one that its own free motion presses against the other, which does not
/// press back.
fn carried<const D: usize>(h: &Links<D>, c: usize, v_free: &[Motion]) -> Option<u8> {
    let approach = |k: usize, sign: f32| {
        let v = at(&v_free[h.pairs[c][k] as usize], &h.arms(c)[k]);
        let normal = sign * along(&h.frames[c][0], &v);
        if normal.abs() > STEEP * along(&v, &v).sqrt() { normal } else { 0.0 }
    };
    match (approach(0, 1.0), approach(1, -1.0)) {
        // what never moves is there for all that does not fly off
        (a, _) if h.pairs[c][1] as usize == h.bodies() => (a <= 0.0).then_some(0),
        (a, b) if a < 0.0 && b >= 0.0 => Some(0),
        (a, b) if b < 0.0 && a >= 0.0 => Some(1),
        _ => None,
    }
}

impl Carried {
    fn new<const D: usize>(h: &Links<D>, v_free: &[Motion]) -> Self {
        let which: Vec<Option<u8>> = (0..h.pairs.len()).map(|c| carried(h, c, v_free)).collect();
        let mut waiting = vec![0u32; h.bodies() + 1];
        for (pair, k) in h.pairs.iter().zip(&which) {
            if let Some(k) = *k {
                waiting[pair[1 - usize::from(k)] as usize] += 1;
            }
        }
        Self { which, waiting }
    }
}

/// One contact that may hold a body: its rows on the body, what they do to it, and the impulse.
pub(super) struct Support<const D: usize> {
    contact: u32,
    /// Whether the body is the second of the two.
    side: usize,
    pub rows: [Motion; D],
    /// `(M^-1 H)^T` on the body.
    response: [Motion; D],
    /// `1 / W_dd` of the body alone, the same along all tangents: the disc is round.
    step: [f32; 2],
    r: [f32; D],
}

/// The sign of a contact's impulse on its bodies.
const SIGN: [f32; 2] = [1.0, -1.0];

impl<const D: usize> Support<D> {
    fn new(h: &Links<D>, contact: u32, side: usize, inverse_mass: &InverseMass) -> Self {
        let c = contact as usize;
        let (mut rows, mut response, mut step) = ([[0.0; 6]; D], [[0.0; 6]; D], [0.0, f32::INFINITY]);
        for d in 0..D {
            push(SIGN[side], &h.frames[c][d], &h.arms(c)[side], &mut rows[d]);
            response[d] = inverse_mass.times(&rows[d]);
            let w = along_all(&response[d], &rows[d]);
            let inverse = if w > 0.0 { 1.0 / w } else { 0.0 };
            step[d.min(1)] = if d == 0 { inverse } else { inverse.min(step[1]) };
        }
        Self { contact, side, rows, response, step, r: [0.0; D] }
    }

    /// Adds to the impulse, and what that does to the body to its velocity; returns the velocity added.
    #[inline(always)]
    pub fn add(&mut self, dr: &[f32; D], v: &mut Motion) -> f32 {
        let mut moved = 0.0;
        for d in 0..D {
            self.r[d] += dr[d];
            for i in 0..6 {
                let dv = dr[d] * self.response[d][i];
                v[i] += dv;
                moved += dv.abs();
            }
        }
        moved
    }

    /// Takes the approach of the body away, as far as the cone allows; returns the velocity taken.
    #[inline(always)]
    fn relax(&mut self, cone: &Cone, v: &mut Motion) -> f32 {
        let wanted = |d: usize| self.r[d] - self.step[d.min(1)] * along_all(&self.rows[d], v);
        let new = cut(cone, &std::array::from_fn(wanted));
        self.set(&new, v)
    }

    /// Takes the impulse back into its cone; whether it was there.
    #[inline(always)]
    fn cut_back(&mut self, cone: &Cone, v: &mut Motion) -> bool {
        let new = cut(cone, &self.r);
        let inside = new == self.r;
        self.set(&new, v);
        inside
    }

    #[inline(always)]
    fn set(&mut self, new: &[f32; D], v: &mut Motion) -> f32 {
        self.add(&std::array::from_fn(|d| new[d] - self.r[d]), v)
    }

    /// Lays what the contact carries on the body on its other side.
    fn load(&self, h: &Links<D>, momentum: &mut Motion) {
        let (c, other) = (self.contact as usize, 1 - self.side);
        let mut p: Vector = [0.0; 3];
        (0..D).for_each(|d| (0..3).for_each(|i| p[i] += self.r[d] * h.frames[c][d][i]));
        push(SIGN[other], &p, &h.arms(c)[other], momentum);
    }
}

/// The size of a motion.
#[inline(always)]
pub(super) fn size(v: &Motion) -> f32 {
    v[0].abs() + v[1].abs() + v[2].abs() + v[3].abs() + v[4].abs() + v[5].abs()
}

/// An impulse with its tangential part cut back to what the normal part allows.
#[inline(always)]
fn cut<const D: usize>(cone: &Cone, r: &[f32; D]) -> [f32; D] {
    let mut r = *r;
    if !matches!(cone, Cone::Bilateral) {
        r[0] = r[0].max(0.0);
        let limit = cone.discs::<D>()[0].limit(f64::from(r[0])) as f32;
        let size = r[1..].iter().map(|t| t * t).sum::<f32>().sqrt();
        if size > limit {
            r[1..].iter_mut().for_each(|t| *t *= limit / size);
        }
    }
    r
}

/// The impulses of bodies at rest on their supports, times the mean diagonal of W; `set` is told those of all supports.
pub(super) fn impulses<const D: usize>(
    h: &Links<D>,
    cones: &[Cone],
    v_free: &[Motion],
    mut set: impl FnMut(usize, &[f32; D]),
) {
    let (arch, n) = (Arch::new(), h.bodies());
    let mut carried = Carried::new(h, v_free);
    // what the contacts above have laid on every body so far
    let (mut loads, mut done) = (vec![[0.0; 6]; n], vec![false; n]);
    let mut next: VecDeque<u32> = (0..n as u32).filter(|&b| carried.waiting[b as usize] == 0).collect();
    let (mut unasked, mut supports) = (0, Vec::new());
    loop {
        // bodies that lie on each other in a circle are taken as they come
        let asked = next.pop_front().map(|b| b as usize).or_else(|| {
            unasked = (unasked..n).find(|&b| !done[b])?;
            Some(unasked)
        });
        let Some(body) = asked else { return };
        if std::mem::replace(&mut done[body], true) {
            continue;
        }
        let (inverse_mass, mut v) = (h.mass.inverse(body), v_free[body]);
        add(1.0, &inverse_mass.times(&loads[body]), &mut v);
        let contacts = h.by_body.of(body).iter().map(|&c| (c, h.side(c, body)));
        let carries = |(c, side): (u32, usize)| carried.which[c as usize].is_some_and(|k| usize::from(k) == side);
        let support = |(c, side)| Support::new(h, c, side, &inverse_mass);
        supports.clear();
        supports.extend(contacts.clone().filter(|x| carries(*x)).map(support));
        let below = supports.len();
        if !rest(arch, &mut supports, (&h.mass, body), cones, &mut v) {
            // what stands beside it and has yet to come to rest may hold it too
            let waits = |(c, side): (u32, usize)| {
                let other = h.pairs[c as usize][1 - side] as usize;
                carried.which[c as usize].is_none() && done.get(other) != Some(&true)
            };
            supports.extend(contacts.filter(|x| waits(*x)).map(support));
            rest(arch, &mut supports, (&h.mass, body), cones, &mut v);
        }
        for (k, s) in supports.iter().enumerate() {
            set(s.contact as usize, &s.r);
            let other = h.pairs[s.contact as usize][1 - s.side];
            if let Some(load) = loads.get_mut(other as usize) {
                s.load(h, load);
                let waiting = &mut carried.waiting[other as usize];
                *waiting -= u32::from(k < below);
                if k < below && *waiting == 0 {
                    next.push_back(other);
                }
            }
        }
    }
}

/// Brings a body to rest on its supports, which stand still; whether it is.
///
/// They share its load at once where that stays inside their cones, and round by round where it does not.
fn rest<const D: usize>(
    arch: Arch,
    supports: &mut [Support<D>],
    mass: (&Masses, usize),
    cones: &[Cone],
    v: &mut Motion,
) -> bool {
    wide(
        arch,
        #[inline(always)]
        || {
            let (speed, mut inside) = (size(v), true);
            share(supports, mass, v, STILL * speed);
            for s in &mut *supports {
                inside &= s.cut_back(&cones[s.contact as usize], v);
            }
            for _ in 0..if inside { 0 } else { ROUNDS } {
                let mut moved = 0.0;
                for s in &mut *supports {
                    moved += s.relax(&cones[s.contact as usize], v);
                }
                if moved <= STILL * speed {
                    break;
                }
            }
            size(v) <= AT_REST * speed
        },
    )
}
