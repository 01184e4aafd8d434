//! A start: every body rests on what its free motion presses it against.
//!
//! Bodies are taken from above to below. The contacts that carry a body are solved with what is below held still; what
//! they carry is then laid on the bodies below. One pass takes all weight to the ground, for which sweeps go through all
//! contacts a number of times that grows with the height.
//!
//! # Reference
//! Guendelman, Bridson & Fedkiw, Nonconvex rigid bodies with stacking, ACM Trans. Graph. 22, 2003 (shock propagation).

use super::links::{ByBody, Links, Motion, Vector, along, at, push};
use crate::cone::Cone;
use crate::multigrid::small::{Small, inverse, mul_add};
use std::collections::VecDeque;

/// A contact carries a body that moves towards it with at least this part of its speed: what stands beside does not.
const STEEP: f32 = 0.2;
/// Rounds through the contacts of a body at most, and the move of a round, over its velocity, after which it is done.
const ROUNDS: usize = 60;
const STILL: f32 = 1e-4;

/// Which contacts carry which bodies.
struct Carried {
    by_body: ByBody,
    /// Contacts on each body that carry others which are not yet at rest.
    waiting: Vec<u32>,
}

/// Which of its two bodies a contact carries: the one that its own free motion presses against the other, which does not
/// press back.
fn carried<const D: usize>(h: &Links<D>, c: usize, v_free: &[Motion]) -> Option<usize> {
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
        let which: Vec<Option<usize>> = (0..h.pairs.len()).map(|c| carried(h, c, v_free)).collect();
        let entries = h.pairs.iter().zip(&which).enumerate().filter_map(|(c, (pair, k))| Some((c, pair[(*k)?])));
        let mut waiting = vec![0u32; h.bodies() + 1];
        for (pair, k) in h.pairs.iter().zip(&which) {
            if let Some(k) = *k {
                waiting[pair[1 - k] as usize] += 1;
            }
        }
        Self { by_body: ByBody::new(h.bodies(), entries), waiting }
    }
}

/// One contact below a body: its rows on the body, what they do to it, and the impulse.
struct Support<const D: usize> {
    contact: u32,
    /// Whether the body is the second of the two.
    side: usize,
    rows: [Motion; D],
    /// `(M^-1 H)^T` on the body.
    response: [Motion; D],
    /// `1 / W_dd` of the body alone, the same along all tangents: the disc is round.
    step: [f32; 2],
    r: [f32; D],
}

/// The sign of a contact's impulse on its bodies.
const SIGN: [f32; 2] = [1.0, -1.0];

impl<const D: usize> Support<D> {
    fn new(h: &Links<D>, contact: u32, body: usize, inverse_mass: &Small<6>) -> Self {
        let c = contact as usize;
        let side = usize::from(h.pairs[c][0] as usize != body);
        let (mut rows, mut response, mut step) = ([[0.0; 6]; D], [[0.0; 6]; D], [0.0, f32::INFINITY]);
        for d in 0..D {
            push(SIGN[side], &h.frames[c][d], &h.arms(c)[side], &mut rows[d]);
            mul_add(inverse_mass, &rows[d], &mut response[d]);
            let w: f32 = response[d].iter().zip(&rows[d]).map(|(a, b)| a * b).sum();
            let inverse = if w > 0.0 { 1.0 / w } else { 0.0 };
            step[d.min(1)] = if d == 0 { inverse } else { inverse.min(step[1]) };
        }
        Self { contact, side, rows, response, step, r: [0.0; D] }
    }

    /// Takes the approach of the body away, as far as the cone allows; returns the velocity taken.
    fn relax(&mut self, cone: &Cone, v: &mut Motion) -> f32 {
        let mut new = self.r;
        for d in 0..D {
            let u: f32 = self.rows[d].iter().zip(&*v).map(|(h, v)| h * v).sum();
            new[d] -= self.step[d.min(1)] * u;
        }
        if !matches!(cone, Cone::Bilateral) {
            new[0] = new[0].max(0.0);
            let limit = cone.discs::<D>()[0].limit(f64::from(new[0])) as f32;
            let size = new[1..].iter().map(|t| t * t).sum::<f32>().sqrt();
            if size > limit {
                new[1..].iter_mut().for_each(|t| *t *= limit / size);
            }
        }
        let mut moved = 0.0;
        for d in 0..D {
            let dr = new[d] - self.r[d];
            for i in 0..6 {
                let dv = dr * self.response[d][i];
                v[i] += dv;
                moved += dv.abs();
            }
        }
        self.r = new;
        moved
    }

    /// Lays what the contact carries on the body below.
    fn load(&self, h: &Links<D>, inverse_mass: &[Small<6>], v: &mut [Motion]) {
        let (c, other) = (self.contact as usize, 1 - self.side);
        let below = h.pairs[c][other] as usize;
        let mut p: Vector = [0.0; 3];
        (0..D).for_each(|d| (0..3).for_each(|i| p[i] += self.r[d] * h.frames[c][d][i]));
        let mut load = [0.0; 6];
        push(SIGN[other], &p, &h.arms(c)[other], &mut load);
        mul_add(&inverse_mass[below], &load, &mut v[below]);
    }
}

/// The impulses of bodies at rest on their supports, times the mean diagonal of W.
pub(super) fn impulses<const D: usize>(h: &Links<D>, cones: &[Cone], v_free: &[Motion]) -> Vec<[f32; D]> {
    let n = h.bodies();
    let inverse_mass: Vec<Small<6>> = h.mass.iter().map(inverse).collect();
    let mut carried = Carried::new(h, v_free);
    let (mut v, mut r, mut done) = (v_free.to_vec(), vec![[0.0; D]; cones.len()], vec![false; n]);
    let mut next: VecDeque<u32> = (0..n as u32).filter(|&b| carried.waiting[b as usize] == 0).collect();
    let (mut unasked, mut supports) = (0, Vec::new());
    loop {
        // bodies that lie on each other in a circle are taken as they come
        let asked = next.pop_front().map(|b| b as usize).or_else(|| {
            unasked = (unasked..n).find(|&b| !done[b])?;
            Some(unasked)
        });
        let Some(body) = asked else { return r };
        if std::mem::replace(&mut done[body], true) {
            continue;
        }
        supports.clear();
        supports.extend(carried.by_body.of(body).iter().map(|&c| Support::new(h, c, body, &inverse_mass[body])));
        rest(&mut supports, cones, &mut v[body]);
        for s in &supports {
            r[s.contact as usize] = s.r;
            let below = h.pairs[s.contact as usize][1 - s.side];
            if (below as usize) < n {
                s.load(h, &inverse_mass, &mut v);
                carried.waiting[below as usize] -= 1;
                if carried.waiting[below as usize] == 0 {
                    next.push_back(below);
                }
            }
        }
    }
}

/// Brings a body to rest on its supports, which stand still.
fn rest<const D: usize>(supports: &mut [Support<D>], cones: &[Cone], v: &mut Motion) {
    let speed: f32 = v.iter().map(|v| v.abs()).sum();
    for _ in 0..ROUNDS {
        let moved: f32 = supports.iter_mut().map(|s| s.relax(&cones[s.contact as usize], v)).sum();
        if moved <= STILL * speed {
            return;
        }
    }
}
