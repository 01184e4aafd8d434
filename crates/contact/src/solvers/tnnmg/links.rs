//! H of rigid bodies that meet in pairs, by arms: a contact that holds holds in all directions, so its frame drops out.
//!
//! With arms $d$ from the centres to the contact, the velocity of one body against the other there is
//! $v_a + \omega_a \times d_a - v_b - \omega_b \times d_b$, in the axes of the world. Single precision does for a
//! correction that sweeps follow: 41 bytes a contact, and the normal of its cone for one at the edge. What moves in a plane is in
//! space with nothing along z. Lengths are measured by the mean arm, so that velocities and rotations are of one size in any unit.

use super::lanes::{self, Eight, add, answers, eight, vectors};
use super::masses::{Masses, places};
use crate::block::norm2;
use crate::cone::Cone;
use crate::operator::Bodies;
use pulp::Arch;

/// Velocity and rotation of a body, or force and moment.
pub(super) type Motion = [f32; 6];
/// A vector in the axes of the world.
pub(super) type Vector = [f32; 3];

/// Whether a contact takes part in a correction, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// Open: not at all.
    No,
    /// Without friction: along its normal.
    Normal,
    /// At the edge of its cone: in all directions along it.
    Edge,
    /// In all directions.
    All,
}

/// M and H.
#[derive(Debug, Clone, Default)]
pub(super) struct Links<const D: usize> {
    /// The two bodies of every contact, the first of which moves. What never does is body number
    /// [`bodies`](Self::bodies), of arm 0.
    pub pairs: Vec<[u32; 2]>,
    /// The contacts of every body, and of what never moves.
    pub by_body: ByBody,
    /// The mean arm, by which all lengths are measured.
    length: f64,
    /// The arms from both centres to the contact.
    arms: Vec<Eight>,
    /// Normal and tangents, as impulses on the first body.
    pub frames: Vec<[Vector; D]>,
    /// The normals of the cones of contacts at their edges, outwards.
    pub edges: Vec<Vector>,
    /// M by bodies, times the mean diagonal of W.
    pub mass: Masses,
    /// `epsilon` times its mean diagonal, of translation and of rotation: a slight drag, by which nothing moves without end that no
    /// contact holds.
    pub drag: Vec<[f32; 2]>,
}

/// `a x b`.
#[inline(always)]
pub(super) fn cross(a: &Vector, b: &Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Translation and rotation.
#[inline(always)]
pub(super) fn halves(m: &Motion) -> (Vector, Vector) {
    ([m[0], m[1], m[2]], [m[3], m[4], m[5]])
}

/// The scalar product of two vectors.
#[inline(always)]
pub(super) fn along(a: &Vector, b: &Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The velocity of the point at `arm` of a body.
#[inline(always)]
pub(super) fn at(body: &Motion, arm: &Vector) -> Vector {
    let (v, omega) = halves(body);
    let turn = cross(&omega, arm);
    [v[0] + turn[0], v[1] + turn[1], v[2] + turn[2]]
}

/// Force and moment of `sign p` at `arm`, added to a body's.
#[inline(always)]
pub(super) fn push(sign: f32, p: &Vector, arm: &Vector, body: &mut Motion) {
    let moment = cross(arm, p);
    for i in 0..3 {
        body[i] += sign * p[i];
        body[3 + i] += sign * moment[i];
    }
}

impl<const D: usize> Links<D> {
    /// `None` where M couples two bodies, a contact touches more than two, or their rows are not those of rigid bodies.
    pub fn new(bodies: &dyn Bodies<D>, contacts: usize, (w, epsilon): (f64, f64)) -> Option<Self> {
        let mut links = Self {
            pairs: Vec::with_capacity(contacts),
            arms: Vec::with_capacity(contacts),
            frames: Vec::with_capacity(contacts),
            ..Self::default()
        };
        let mut total = (0.0, 0.0);
        for c in 0..contacts {
            let link = bodies.link(c)?;
            let arm = |k: usize| link.bodies[k].map_or([0.0; 3], |_| link.arms[k].map(|x| x as f32));
            let ([a0, a1, a2], [b0, b1, b2]) = (arm(0), arm(1));
            links.pairs.push(link.bodies.map(|b| b.unwrap_or(u32::MAX)));
            links.arms.push(eight(&[a0, a1, a2, b0, b1, b2]));
            links.frames.push(link.frame.map(|e| e.map(|x| x as f32)));
            total = (total.0 + norm2(&link.arms[0]).sqrt(), total.1 + 1.0);
        }
        let length = if total.0 > 0.0 { total.0 / total.1 } else { 1.0 };
        let per_length = (1.0 / length) as f32;
        links.arms.as_flattened_mut().iter_mut().for_each(|x| *x *= per_length);
        let mass = Masses::new(bodies, w, length)?;
        let mean = |of: &[f32]| epsilon as f32 * of.iter().sum::<f32>() / 3.0;
        let drag = mass.diagonals().iter().map(|m| [mean(&m[..3]), mean(&m[3..])]).collect();
        let still = mass.len() as u32;
        links.pairs.as_flattened_mut().iter_mut().for_each(|body| *body = (*body).min(still));
        let entries = links.pairs.iter().enumerate().flat_map(|(c, pair)| pair.map(|b| (c, b)));
        let by_body = ByBody::new(mass.len() + 1, entries);
        Some(Self { length, by_body, edges: vec![[0.0; 3]; contacts], mass, drag, ..links })
    }

    /// The motion of a body; `value` turns an entry of the state into a number.
    #[inline(always)]
    pub fn motion(&self, body: usize, value: impl Fn(usize) -> f64) -> Motion {
        let (places, mut motion) = (places(D == 2), [0.0; 6]);
        for (k, &i) in places.iter().enumerate() {
            let unit = if i < 3 { 1.0 } else { self.length };
            motion[i] = (unit * value(body * places.len() + k)) as f32;
        }
        motion
    }

    /// The arms from both centres to contact c.
    #[inline(always)]
    pub fn arms(&self, c: usize) -> [Vector; 2] {
        vectors(&self.arms[c])
    }

    /// Whether a body is the second of the two of contact c.
    pub fn side(&self, c: u32, body: usize) -> usize {
        usize::from(self.pairs[c as usize][0] as usize != body)
    }

    /// Bodies that move; vectors of motions have one more entry, of what does not.
    pub fn bodies(&self) -> usize {
        self.mass.len()
    }

    /// The velocity of the first body of contact c against the second.
    #[inline(always)]
    pub fn velocity(&self, c: usize, y: &[Eight]) -> Vector {
        let [a, b] = self.pairs[c].map(|body| &y[body as usize]);
        lanes::velocity(&self.arms[c], a, b)
    }

    /// The same, as far as the contact holds.
    #[inline(always)]
    pub fn held_velocity(&self, c: usize, hold: Hold, y: &[Eight]) -> Vector {
        self.as_it_holds(c, hold, self.velocity(c, y))
    }

    /// What is left of a velocity where the contact holds.
    #[inline(always)]
    fn as_it_holds(&self, c: usize, hold: Hold, u: Vector) -> Vector {
        if hold == Hold::All {
            return u;
        }
        if hold == Hold::Edge {
            let nu = &self.edges[c];
            let across = along(nu, &u);
            return std::array::from_fn(|i| u[i] - across * nu[i]);
        }
        let normal = &self.frames[c][0];
        let approach = along(normal, &u);
        normal.map(|n| n * approach)
    }

    /// How a contact with this impulse takes part in a correction, while the bodies move with y.
    #[inline(always)]
    pub fn hold(&mut self, c: usize, cone: &Cone, r: &[f64; D], y: &[Eight]) -> Hold {
        let hold = held(cone, r);
        if hold == Hold::Edge {
            let (outside, frame) = (outside(cone, r), &self.frames[c]);
            let across = std::array::from_fn(|i| (0..D).map(|d| outside[d] as f32 * frame[d][i]).sum());
            // what the motion takes back into its cone holds in all directions
            if along(&across, &self.velocity(c, y)) <= 0.0 {
                return Hold::All;
            }
            self.edges[c] = across;
        }
        hold
    }

    /// `out += H D H^T y`, D the contacts that hold; returns `|D H^T y|^2`.
    #[inline(always)]
    pub fn answer(&self, arch: Arch, holds: &[Hold], y: &[Eight], out: &mut [Eight]) -> f64 {
        let mut squares = [0.0; 3];
        // contacts that follow each other mostly share their first body: its sum is written once
        let (mut first, mut sum) = (self.bodies(), [0.0; 8]);
        for (c, &hold) in holds.iter().enumerate() {
            if hold != Hold::No {
                let ([a, b], arms) = (self.pairs[c].map(|body| body as usize), &self.arms[c]);
                if a != first {
                    add(1.0, &sum, &mut out[first]);
                    (first, sum) = (a, [0.0; 8]);
                }
                let answers = answers(arch, arms, [&y[a], &y[b]], hold == Hold::All, |u| self.as_it_holds(c, hold, u));
                add(1.0, &answers[0], &mut sum);
                add(1.0, &answers[1], &mut out[b]);
                (0..3).for_each(|i| squares[i] += f64::from(answers[0][i]).powi(2));
            }
        }
        add(1.0, &sum, &mut out[first]);
        squares.iter().sum()
    }

    /// `out = (E + H D H^T) y`, E the drag.
    #[cfg(test)]
    pub fn product(&self, holds: &[Hold], y: &[Eight], out: &mut [Eight]) {
        for ((out, drag), y) in out.iter_mut().zip(&self.drag).zip(y) {
            *out = dragged(drag, y);
        }
        self.answer(Arch::new(), holds, y, out);
    }
}

/// What the drag of a body answers to its motion.
#[inline(always)]
pub(super) fn dragged(drag: &[f32; 2], y: &Eight) -> Eight {
    std::array::from_fn(|i| drag[i / 4] * y[i])
}

/// Contacts by bodies.
#[derive(Debug, Clone, Default)]
pub(super) struct ByBody {
    /// The contacts of body b: `contacts[start[b]..start[b + 1]]`.
    start: Vec<u32>,
    contacts: Vec<u32>,
}

impl ByBody {
    /// Sorts entries `(contact, body)` of so many bodies by counting; those of a body stay in their order.
    pub fn new(bodies: usize, entries: impl Iterator<Item = (usize, u32)> + Clone) -> Self {
        let mut start = vec![0u32; bodies + 1];
        entries.clone().for_each(|(_, b)| start[b as usize + 1] += 1);
        (0..bodies).for_each(|b| start[b + 1] += start[b]);
        let (mut at, mut contacts) = (start.clone(), vec![0u32; start[bodies] as usize]);
        for (c, b) in entries {
            let at = &mut at[b as usize];
            contacts[*at as usize] = c as u32;
            *at += 1;
        }
        Self { start, contacts }
    }

    pub fn of(&self, body: usize) -> &[u32] {
        &self.contacts[self.start[body] as usize..self.start[body + 1] as usize]
    }
}

/// Relative width of the cone's boundary.
const EDGE: f64 = 1e-9;

/// How a contact with this impulse takes part in a correction, whatever moves.
#[inline(always)]
fn held<const D: usize>(cone: &Cone, r: &[f64; D]) -> Hold {
    use crate::cone::ContactStatus::{Joint, Open, Slip, Stick};
    if let &Cone::Coulomb { mu } = cone
        && mu > 0.0
    {
        let limit = (1.0 - EDGE) * mu * r[0];
        return match limit > 0.0 {
            true if norm2(&r[1..]) < limit * limit => Hold::All,
            true => Hold::Edge,
            false => Hold::No,
        };
    }
    match (cone.status(r, EDGE), cone.live_rows::<D>()) {
        (Open, _) => Hold::No,
        (Stick | Slip, 1) => Hold::Normal,
        (Slip, _) => Hold::No,
        (Stick | Joint, _) => Hold::All,
    }
}

/// The outward normal of a Coulomb cone at an impulse on its edge.
#[inline(always)]
fn outside<const D: usize>(cone: &Cone, r: &[f64; D]) -> [f64; D] {
    let &Cone::Coulomb { mu } = cone else { return [0.0; D] };
    let (size, length) = (norm2(&r[1..]).sqrt(), (1.0 + mu * mu).sqrt());
    std::array::from_fn(|d| if d == 0 { -mu / length } else { r[d] / (size * length) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_hold_by_their_place_in_the_cone() {
        let cone = Cone::Coulomb { mu: 0.5 };
        let says = [([0.0; 3], Hold::No), ([2.0, 0.3, 0.4], Hold::All), ([2.0, 0.6, -0.8], Hold::Edge)];
        assert!(says.iter().all(|(r, hold)| held(&cone, r) == *hold));
        assert_eq!(held(&Cone::Frictionless, &[1.0, 0.0, 0.0]), Hold::Normal);
        assert_eq!(held(&Cone::Bilateral, &[-1.0, 0.0, 2.0]), Hold::All);
    }

    /// It is of length 1, leaves the cone, and is perpendicular to all that stays on it.
    #[test]
    fn the_normal_of_the_cone_is_normal() {
        let (cone, r): (_, [f64; 3]) = (Cone::Coulomb { mu: 0.5 }, [2.0, 0.6, -0.8]);
        let nu = outside(&cone, &r);
        let along = |a: [f64; 3]| (0..3).map(|i| nu[i] * a[i]).sum::<f64>();
        assert!((norm2(&nu) - 1.0).abs() < 1e-15 && along(r).abs() < 1e-15 && along([0.0, 0.8, 0.6]).abs() < 1e-15);
        let moved: [f64; 3] = std::array::from_fn(|i| r[i] + 0.1 * nu[i]);
        let back: [f64; 3] = cone.project(&moved);
        assert!((0..3).all(|i| (back[i] - r[i]).abs() < 1e-12), "{back:?}");
    }
}
