//! The linear correction: the contacts that hold share what is left of the motion.
//!
//! $$ (E + t H_s H_s^\top)\, y = -M v, \qquad r_s \leftarrow P_K(r_s + t H_s^\top y), $$
//! s the contacts that are not open, those at the edge of their cones along it alone, E a slight drag and `t` the inverse of the
//! mean diagonal w of W: the impulses of least size that stop all that can be stopped, by a few steps of conjugate gradients. The
//! preconditioner is one block a body and the rigid motions of [parts](super::parts); it is made once, with all contacts.
//! Everything is times w, so that numbers are near 1.

use super::arms::{OwnArms, OwnInverse};
use super::ground::Velocity;
use super::lanes::{Eight, add, along_all, eight, six};
use super::links::{Hold, Links, Motion, along, dragged};
use super::masses::places;
use super::parts::Parts;
use super::supports;
use crate::cone::Cone;
use crate::operator::Bodies;
use crate::wide::wide;
use pulp::Arch;
use std::borrow::Cow;

/// The residual, over the first, at which conjugate gradients end.
const SOLVED: f64 = 0.1;
/// How far beyond the last point to go, over the way to it from the one before.
const FURTHEST: f64 = 2.0;

/// Bodies, the contacts that hold between them, and what conjugate gradients need.
pub(super) struct Truncated<const D: usize> {
    /// The mean diagonal of W.
    w: f64,
    h: Links<D>,
    /// The inverse of K's diagonal blocks.
    inverse: Vec<OwnInverse>,
    parts: Parts,
    holds: Vec<Hold>,
    y: Vec<Eight>,
    direction: Vec<Eight>,
    /// Of the matrix and the direction, and between two steps the preconditioned residual.
    product: Vec<Eight>,
    residual: Vec<Motion>,
    /// The point before the last correction, and the momentum that was left there.
    before: Option<(Vec<[f64; D]>, Vec<Motion>)>,
}

impl<const D: usize> Truncated<D> {
    /// `None` where the bodies are not rigid or do not meet in pairs.
    pub fn new(bodies: &dyn Bodies<D>, contacts: usize, w: f64, epsilon: f64) -> Option<Self> {
        let h = Links::new(bodies, contacts, (w, epsilon))?;
        let mut inverse = vec![OwnInverse::default(); h.bodies()];
        wide(
            Arch::new(),
            #[inline(always)]
            || {
                for (body, block) in inverse.iter_mut().enumerate() {
                    *block = own_arms(&h, body).inverse();
                }
            },
        );
        let (parts, n) = (Parts::new(&h), h.bodies() + 1);
        let [y, direction, product] = std::array::from_fn(|_| vec![[0.0; 8]; n]);
        let residual = vec![[0.0; 6]; n];
        let holds = vec![Hold::No; contacts];
        Some(Self { w, h, inverse, parts, holds, y, residual, direction, product, before: None })
    }

    /// Velocities of the bodies in contact as they are seen from the ground, which moves with `ground`.
    pub fn seen_from<'v>(&self, ground: Velocity, v: &'v [f64]) -> Cow<'v, [f64]> {
        let mut seen = Cow::Borrowed(v);
        if ground != [0.0; 3] {
            let dofs = places(D == 2).len();
            for (body, v) in seen.to_mut().chunks_exact_mut(dofs).enumerate().take(self.h.bodies()) {
                // what touches nothing may be what never moves
                if !self.h.by_body.of(body).is_empty() {
                    v[..D].iter_mut().zip(ground).for_each(|(v, ground)| *v -= ground);
                }
            }
        }
        seen
    }

    /// Impulses that carry the bodies, from above to below.
    pub fn start(&self, cones: &[Cone], v_free: &[f64], r: &mut [[f64; D]]) {
        let mut v: Vec<Motion> = (0..self.h.bodies()).map(|body| self.h.motion(body, |i| v_free[i])).collect();
        v.push([0.0; 6]);
        supports::impulses(&self.h, cones, &v, |c, p| r[c] = p.map(|p| f64::from(p) / self.w));
    }

    /// Takes in the motion `v + v_free` of the bodies that is left, as momentum; returns its size.
    pub fn measure(&mut self, v_free: &[f64], v: &[f64]) -> f64 {
        let Self { h, y, residual, .. } = self;
        let mut square = 0.0;
        wide(
            Arch::new(),
            #[inline(always)]
            || {
                for body in 0..h.bodies() {
                    let motion = h.motion(body, |i| -(v[i] + v_free[i]));
                    let momentum = h.mass.times(body, &motion);
                    square += f64::from(along_all(&momentum, &momentum));
                    (y[body], residual[body]) = (eight(&motion), momentum);
                }
            },
        );
        square.sqrt()
    }

    /// Corrects r, whose motion was just measured, in at most so many steps; whether they were enough. `push` is told every impulse.
    pub fn correct(
        &mut self,
        cones: &[Cone],
        r: &mut [[f64; D]],
        steps: usize,
        mut push: impl FnMut(usize, &[f64; D]),
    ) -> bool {
        let further = self.momentum_further();
        self.move_and_hold(cones, r, further);
        let arch = Arch::new();
        let solved = self.solve(arch, steps);
        let t = 1.0 / self.w;
        let Self { h, holds, y, .. } = self;
        wide(
            arch,
            #[inline(always)]
            || {
                for (c, (r, &hold)) in r.iter_mut().zip(&*holds).enumerate() {
                    if hold != Hold::No {
                        let u = h.held_velocity(c, hold, y);
                        for d in 0..D {
                            r[d] += t * f64::from(along(&h.frames[c][d], &u));
                        }
                        *r = cones[c].project(r);
                    }
                    push(c, r);
                }
            },
        );
        solved
    }

    /// How far to go on from the last point over this one, so as to leave the least motion, which is linear in r; takes the momentum
    /// there.
    fn momentum_further(&mut self) -> Option<f64> {
        let Some((_, g_before)) = &mut self.before else {
            self.before = Some((Vec::new(), self.residual.clone()));
            return None;
        };
        let (mut along_change, mut change) = (0.0, 0.0);
        for (g, before) in self.residual.iter().zip(&*g_before) {
            let d = std::array::from_fn(|i| g[i] - before[i]);
            along_change += f64::from(along_all(g, &d));
            change += f64::from(along_all(&d, &d));
        }
        // nothing changed, or nothing is a number
        let further = if change > 0.0 { (-along_change / change).clamp(0.0, FURTHEST) } else { 0.0 };
        for (g, before) in self.residual.iter_mut().zip(g_before) {
            let last = std::mem::replace(before, *g);
            (0..6).for_each(|i| g[i] += further as f32 * (g[i] - last[i]));
        }
        Some(further)
    }

    /// Goes on so far from the last point over r, and finds which contacts take part in a correction from there, and how.
    fn move_and_hold(&mut self, cones: &[Cone], r: &mut [[f64; D]], further: Option<f64>) {
        let Self { h, holds, y, before, .. } = self;
        let Some((r_before, _)) = before else { return };
        let Some(further) = further else {
            r_before.extend_from_slice(r);
            holds.iter_mut().zip(&*r).enumerate().for_each(|(c, (hold, r))| *hold = h.hold(c, &cones[c], r, y));
            return;
        };
        wide(
            Arch::new(),
            #[inline(always)]
            || {
                for (c, ((r, before), hold)) in r.iter_mut().zip(r_before).zip(holds).enumerate() {
                    let last = std::mem::replace(before, *r);
                    (0..D).for_each(|d| r[d] += further * (r[d] - last[d]));
                    *r = cones[c].project(r);
                    *hold = h.hold(c, &cones[c], r, y);
                }
            },
        );
    }

    /// Conjugate gradients from y = 0 on the residual; whether they ended by themselves.
    fn solve(&mut self, arch: Arch, steps: usize) -> bool {
        self.y.fill([0.0; 8]);
        self.direction.fill([0.0; 8]);
        let (first, mut rz) = self.descend(arch, 0.0);
        let mut curvature = self.turn(arch, 0.0, 0.0);
        for step in 1..=steps {
            if !(curvature > 0.0 && rz > 0.0) {
                return true;
            }
            let alpha = (rz / curvature) as f32;
            let (left, next) = if step < steps { self.descend(arch, alpha) } else { (f64::INFINITY, 0.0) };
            let solved = left <= SOLVED * SOLVED * first;
            if solved || step == steps {
                self.y.iter_mut().zip(&self.direction).for_each(|(y, p)| add(alpha, p, y));
                return solved;
            }
            curvature = self.turn(arch, alpha, next / rz);
            rz = next;
        }
        false
    }

    /// The residual after a step along the direction, and what it is preconditioned to, in one pass over the bodies; returns the square of
    /// the one and the product of both.
    fn descend(&mut self, arch: Arch, alpha: f32) -> (f64, f64) {
        let Self { residual, product, inverse, parts, .. } = self;
        parts.begin();
        let (mut rr, mut rz) = (0.0, 0.0);
        wide(
            arch,
            #[inline(always)]
            || {
                for b in 0..inverse.len() {
                    let g = &mut residual[b];
                    add(-alpha, &six(&product[b]), g);
                    let z = inverse[b].times(g);
                    product[b] = eight(&z);
                    parts.gather(b, g);
                    rr += f64::from(along_all(g, g));
                    rz += f64::from(along_all(g, &z));
                }
            },
        );
        (rr, rz + parts.solve())
    }

    /// The step along the last direction, the next one, and its product with the matrix; returns the product of both.
    fn turn(&mut self, arch: Arch, alpha: f32, beta: f64) -> f64 {
        let Self { h, holds, y, direction, product, parts, .. } = self;
        let (beta, mut curvature) = (beta as f32, 0.0);
        wide(
            arch,
            #[inline(always)]
            || {
                for b in 0..h.bodies() {
                    let (p, z, coarse) = (&mut direction[b], &product[b], eight(&parts.motion(b)));
                    add(alpha, p, &mut y[b]);
                    *p = std::array::from_fn(|i| z[i] + coarse[i] + beta * p[i]);
                    product[b] = dragged(&h.drag[b], p);
                    curvature += f64::from(along_all(p, &product[b]));
                }
                curvature += h.answer(arch, holds, direction, product);
            },
        );
        // what never moves takes its share too, and is left out
        product[h.bodies()] = [0.0; 8];
        curvature
    }
}

/// The sums of the contacts of a body, all of them held, and of its drag.
#[inline(always)]
fn own_arms<const D: usize>(h: &Links<D>, body: usize) -> OwnArms {
    let mut sums = OwnArms::default();
    h.by_body.of(body).iter().for_each(|&c| sums.add(1.0, &h.arms(c as usize)[h.side(c, body)]));
    sums.add_drag(&h.drag[body], &[0.0; 3]);
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::SphereLattice;
    use crate::solvers::tnnmg::parts::unit;

    /// Block by block the diagonal is what the product says.
    #[test]
    fn diagonal_blocks_are_those_of_the_product() {
        let spheres = SphereLattice { nx: 3, ny: 3, nz: 3, ..SphereLattice::default() }.spheres().unwrap();
        let h = Links::new(&spheres.w, spheres.contacts(), (2.0, 0.1)).unwrap();
        let (n, holds) = (h.bodies() + 1, vec![Hold::All; spheres.contacts()]);
        for body in 0..h.bodies() {
            let block = own_arms(&h, body).block();
            for j in 0..6 {
                let (mut y, mut out) = (vec![[0.0; 8]; n], vec![[0.0; 8]; n]);
                y[body] = eight(&unit(j));
                h.product(&holds, &y, &mut out);
                let out = six(&out[body]);
                assert!((0..6).all(|i| (f64::from(out[i]) - block[i][j]).abs() < 1e-5), "{body} {j}");
            }
        }
    }
}
