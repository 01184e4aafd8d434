//! A start: every body rests on what its free motion presses it against.
//!
//! Bodies are taken from above to below. The contacts that carry a body are solved with what is below held still; what
//! they carry is then laid on the bodies below. One that these cannot hold leans on whatever else has yet to come to rest. One
//! pass takes all weight to the ground, for which sweeps go through all contacts a number of times that grows with the height.
//!
//! # Reference
//! Guendelman, Bridson & Fedkiw, Nonconvex rigid bodies with stacking, ACM Trans. Graph. 22, 2003 (shock propagation).

use super::lanes::{Eight, add, along_all, eight};
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
    pub rows: [Eight; D],
    /// `(M^-1 H)^T` on the body.
    response: [Eight; D],
    /// `1 / W_dd` of the body alone, the same along all tangents: the disc is round.
    step: [f32; 2],
    r: [f32; D],
}

/// The sign of a contact's impulse on its bodies.
const SIGN: [f32; 2] = [1.0, -1.0];

impl<const D: usize> Support<D> {
    #[inline(always)]
    fn new(h: &Links<D>, contact: u32, side: usize, inverse_mass: &InverseMass) -> Self {
        let c = contact as usize;
        let (mut rows, mut response, mut step) = ([[0.0; 8]; D], [[0.0; 8]; D], [0.0, f32::INFINITY]);
        for d in 0..D {
            let mut row = [0.0; 6];
            push(SIGN[side], &h.frames[c][d], &h.arms(c)[side], &mut row);
            (rows[d], response[d]) = (eight(&row), eight(&inverse_mass.times(&row)));
            let w = along_all(&response[d], &rows[d]);
            let inverse = if w > 0.0 { 1.0 / w } else { 0.0 };
            step[d.min(1)] = if d == 0 { inverse } else { inverse.min(step[1]) };
        }
        Self { contact, side, rows, response, step, r: [0.0; D] }
    }

    /// Adds to the impulse, and what that does to the body to its velocity; returns the velocity added.
    #[inline(always)]
    pub fn add(&mut self, dr: &[f32; D], v: &mut Eight) -> f32 {
        let mut moved = 0.0;
        for d in 0..D {
            self.r[d] += dr[d];
            let dv = self.response[d].map(|x| dr[d] * x);
            add(1.0, &dv, v);
            moved += size(&dv);
        }
        moved
    }

    /// Takes the approach of the body away, as far as the cone allows; returns the velocity taken.
    #[inline(always)]
    fn relax(&mut self, cone: &Cone, v: &mut Eight) -> f32 {
        let wanted = |d: usize| self.r[d] - self.step[d.min(1)] * along_all(&self.rows[d], v);
        let new = cut(cone, &std::array::from_fn(wanted));
        self.set(&new, v)
    }

    /// Takes the impulse back into its cone; whether it was there.
    #[inline(always)]
    fn cut_back(&mut self, cone: &Cone, v: &mut Eight) -> bool {
        let new = cut(cone, &self.r);
        let inside = new == self.r;
        self.set(&new, v);
        inside
    }

    #[inline(always)]
    fn set(&mut self, new: &[f32; D], v: &mut Eight) -> f32 {
        self.add(&std::array::from_fn(|d| new[d] - self.r[d]), v)
    }

    /// Lays what the contact carries on the body on its other side.
    #[inline(always)]
    fn load(&self, h: &Links<D>, momentum: &mut Motion) {
        let (c, other) = (self.contact as usize, 1 - self.side);
        let mut p: Vector = [0.0; 3];
        (0..D).for_each(|d| (0..3).for_each(|i| p[i] += self.r[d] * h.frames[c][d][i]));
        push(SIGN[other], &p, &h.arms(c)[other], momentum);
    }
}

/// The size of a motion.
#[inline(always)]
pub(super) fn size(v: &Eight) -> f32 {
    // in pairs, as registers are added up
    let [a, b] = [0, 4].map(|k| (v[k].abs() + v[k + 2].abs()) + (v[k + 1].abs() + v[k + 3].abs()));
    a + b
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
    let n = h.bodies();
    let mut carried = Carried::new(h, v_free);
    // what the contacts above have laid on every body so far
    let (mut loads, mut done) = (vec![[0.0; 6]; n], vec![false; n]);
    let mut next: VecDeque<u32> = (0..n as u32).filter(|&b| carried.waiting[b as usize] == 0).collect();
    let (mut unasked, mut supports) = (0, Vec::new());
    let mut next_body = |next: &mut VecDeque<u32>, done: &[bool]| {
        // bodies that lie on each other in a circle are taken as they come
        next.pop_front().map(|b| b as usize).or_else(|| {
            unasked = (unasked..n).find(|&b| !done[b])?;
            Some(unasked)
        })
    };
    wide(
        Arch::new(),
        #[inline(always)]
        || {
            while let Some(body) = next_body(&mut next, &done) {
                if std::mem::replace(&mut done[body], true) {
                    continue;
                }
                let below = bring_to_rest(
                    h,
                    cones,
                    (&carried.which, &done),
                    (body, &v_free[body], &loads[body]),
                    &mut supports,
                );
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
        },
    );
}

/// Finds the supports of a body of this free motion and load, and what they carry; returns how many of them are below it.
#[inline(always)]
fn bring_to_rest<const D: usize>(
    h: &Links<D>,
    cones: &[Cone],
    (which, done): (&[Option<u8>], &[bool]),
    (body, v_free, load): (usize, &Motion, &Motion),
    supports: &mut Vec<Support<D>>,
) -> usize {
    let (inverse_mass, mut v) = (h.mass.inverse(body), *v_free);
    add(1.0, &inverse_mass.times(load), &mut v);
    let mut v = eight(&v);
    let contacts = h.by_body.of(body).iter().map(|&c| (c, h.side(c, body)));
    supports.clear();
    for (c, side) in contacts.clone().filter(|(c, side)| which[*c as usize].is_some_and(|k| usize::from(k) == *side)) {
        supports.push(Support::new(h, c, side, &inverse_mass));
    }
    let below = supports.len();
    if rest(supports, (&h.mass, body), cones, &mut v) {
        return below;
    }
    // what stands beside it and has yet to come to rest may hold it too
    for (c, side) in contacts.filter(|(c, _)| which[*c as usize].is_none()) {
        if done.get(h.pairs[c as usize][1 - side] as usize) != Some(&true) {
            supports.push(Support::new(h, c, side, &inverse_mass));
        }
    }
    rest(supports, (&h.mass, body), cones, &mut v);
    below
}

/// Brings a body to rest on its supports, which stand still; whether it is.
///
/// They share its load at once where that stays inside their cones, and round by round where it does not.
#[inline(always)]
fn rest<const D: usize>(supports: &mut [Support<D>], mass: (&Masses, usize), cones: &[Cone], v: &mut Eight) -> bool {
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
}
