//! How good an answer is, recomputed from r alone and meaning the same for every solver.
//!
//! The heart is the natural map $F_c = r_c - P_K(r_c - u_c - g(u_c))$ with $u = W r + q$ recomputed from r. Four
//! [measures](Measure) put its norm over something; a fifth is that of [A, eq. 42]:
//!
//! | measure | error | reading |
//! |---|---|---|
//! | `scaled` | $\|F'\| / \max(\|q\|, \sqrt\varepsilon\,\bar w \|r\|)$ | unit-free: the same digits in mm and km |
//! | `force` | $\|F'\| / \max(\|q\|, \bar w \|r\|)$ | unit-free, relative to the impulses where they are large |
//! | `fclib` | $\|F\| / \|q\|$ | the published comparisons |
//! | `siconos` | $\|F\| / \max(\|q\|, \|r\|, \|u\|)$ | what Siconos 4.4 tests |
//! | `eps_glob` | $\frac1n \sum_c \lvert (u_c + g(u_c)) \cdot r_c \rvert + (-u_N)_+$ | [A, eq. 42]; in units |
//!
//! F' is the natural map with impulses turned into velocities by $\bar w$, the mean diagonal entry of W, and rotations
//! by the length $\ell = \sqrt{\bar W_{NN} / \bar W_{RR}}$. Where q is nearly zero against $\bar w \|r\|$ (a pile at rest
//! under stresses of its own), $u = W r + q$ cannot be computed to better than $\varepsilon \bar w\|r\|$: the second
//! term of the maximum keeps the error from asking for more digits than the arithmetic has.
//!
//! The natural map of a contact that slides sees a wrong normal velocity divided by $\sqrt{1 + \mu^2}$. From $\mu = 10$ on a
//! contact counts with Signorini's residual $\min(r_N, u_N)$ where that is larger than its map; below, nothing changes.
//!
//! In a pile $\bar w \|r\|$ is many times $\|q\|$: impulses carry what lies above, q knows one body. `scaled` asks for
//! impulses to `tolerance` of what one body weighs; `force` to `tolerance` of what they are, the custom of codes that
//! compare the change of the impulses with the impulses.

use crate::block::{dot, norm, norm_all, sub};
use crate::cone::{Cone, ContactStatus};
use crate::operator::Delassus;
use crate::problem::LocalProblem;
use crate::wide::wide;
use pulp::Arch;
use serde::{Deserialize, Serialize};

/// Over what the natural map is put; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Unit-free.
    #[default]
    Scaled,
    /// Unit-free, over the larger of `|q|` and the velocities that the impulses make.
    Force,
    /// Over `|q|`.
    Fclib,
    /// Over `max(|q|, |r|, |u|)`.
    Siconos,
    /// The mean of [`eps_glob`](Certificate::eps_glob) [A, eq. 42]: not a natural map, and in units.
    EpsGlob,
}

/// The scales of one problem, computed once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scales {
    /// Mean diagonal entry of W on normal and tangential rows: impulse to velocity.
    pub impulse: f64,
    /// `sqrt(mean W_NN / mean W_RR)`: rotation to velocity; 1 without rolling rows.
    pub length: f64,
    /// `|q|`.
    pub q: f64,
    /// `|q|` with rotations turned into velocities.
    pub scaled_q: f64,
}

impl Scales {
    /// Reads the diagonal of W and the norm of q.
    pub fn of<const D: usize, W: Delassus<D> + ?Sized>(problem: &LocalProblem<D, W>) -> Self {
        let (mut all, mut normal, mut rotation) = (Mean::default(), Mean::default(), Mean::default());
        for (c, cone) in problem.cones.iter().enumerate() {
            let block = problem.w.diagonal(c);
            let rolling = rolling_rows::<D>(cone);
            (0..D).filter(|d| !rolling.contains(d)).for_each(|d| all.add(block[d][d]));
            normal.add(block[0][0]);
            rolling.for_each(|d| rotation.add(block[d][d]));
        }
        let length = if rotation.count > 0.0 { (normal.value() / rotation.value()).sqrt() } else { 1.0 };
        let q = norm_all(&problem.q);
        let mut scales = Self { impulse: all.value(), length, q, scaled_q: q };
        if rotation.count == 0.0 {
            return scales;
        }
        let square = |(cone, q): (&Cone, &[f64; D])| {
            let q = scales.velocity(cone, q);
            dot(&q, &q)
        };
        scales.scaled_q = problem.cones.iter().zip(&problem.q).map(square).sum::<f64>().sqrt();
        scales
    }

    /// The error of (r, u) in one measure; `u` must be `W r + q`.
    pub fn error<const D: usize>(&self, measure: Measure, cones: &[Cone], r: &[[f64; D]], u: &[[f64; D]]) -> f64 {
        match measure {
            Measure::Scaled => self.scaled_error(self.scaled_map(cones, r, u)),
            Measure::Force => self.force_error(self.scaled_map(cones, r, u)),
            Measure::Fclib => over(plain_map(cones, r, u), self.q),
            Measure::Siconos => over(plain_map(cones, r, u), self.q.max(norm_all(r)).max(norm_all(u))),
            Measure::EpsGlob => self.eps_glob(cones, r, u),
        }
    }

    fn eps_glob<const D: usize>(&self, cones: &[Cone], r: &[[f64; D]], u: &[[f64; D]]) -> f64 {
        let each = cones.iter().zip(r).zip(u).map(|((cone, r), u)| match cone {
            Cone::Bilateral => norm(u),
            _ => Law::of(cone, r, u).eps(self.impulse),
        });
        each.sum::<f64>() / cones.len().max(1) as f64
    }

    /// The norms of the unit-free natural map and of the impulses as velocities.
    fn scaled_map<const D: usize>(&self, cones: &[Cone], r: &[[f64; D]], u: &[[f64; D]]) -> (f64, f64) {
        let (mut map, mut impulses) = (0.0, 0.0);
        wide(
            Arch::new(),
            #[inline(always)]
            || {
                for ((cone, r), u) in cones.iter().zip(r).zip(u) {
                    let (r, f) = self.scaled_contact(cone, r, u);
                    map += f;
                    impulses += dot(&r, &r);
                }
            },
        );
        (map.sqrt(), impulses.sqrt())
    }

    /// The impulse of a contact as a velocity, and the square of its natural map in velocities.
    #[inline(always)]
    fn scaled_contact<const D: usize>(&self, cone: &Cone, r: &[f64; D], u: &[f64; D]) -> ([f64; D], f64) {
        if let (Cone::Coulomb { mu }, true) = (cone, D <= 3) {
            // no rows that roll, nothing in the cone that has units
            let r = r.map(|x| x * self.impulse);
            let f = cone.natural_map(&r, u);
            return (r, with_normal_law(dot(&f, &f), *mu, r[0], u[0]));
        }
        let (r, u) = (self.impulse(cone, r), self.velocity(cone, u));
        let cone = cone.rescaled(self.impulse, self.length);
        let f = cone.natural_map(&r, &u);
        (r, with_normal_law(dot(&f, &f), steepest::<D>(&cone), r[0], u[0]))
    }

    fn scaled_error(&self, (map, impulses): (f64, f64)) -> f64 {
        over(map, self.scaled_q.max(f64::EPSILON.sqrt() * impulses))
    }

    fn force_error(&self, (map, impulses): (f64, f64)) -> f64 {
        over(map, self.scaled_q.max(impulses))
    }

    /// A velocity with its rotations multiplied by the length.
    #[inline(always)]
    fn velocity<const D: usize>(&self, cone: &Cone, u: &[f64; D]) -> [f64; D] {
        let mut u = *u;
        rolling_rows::<D>(cone).for_each(|d| u[d] *= self.length);
        u
    }

    /// An impulse turned into a velocity, its moments divided by the length.
    #[inline(always)]
    fn impulse<const D: usize>(&self, cone: &Cone, r: &[f64; D]) -> [f64; D] {
        let mut r = r.map(|x| x * self.impulse);
        rolling_rows::<D>(cone).for_each(|d| r[d] /= self.length);
        r
    }
}

/// The mean of the positive numbers among those added; 1 when there are none.
#[derive(Default)]
struct Mean {
    sum: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, x: f64) {
        if x > 0.0 {
            self.sum += x;
            self.count += 1.0;
        }
    }

    fn value(&self) -> f64 {
        if self.count > 0.0 { self.sum / self.count } else { 1.0 }
    }
}

/// The rolling rows of a contact; a joint has none.
#[inline(always)]
pub(crate) fn rolling_rows<const D: usize>(cone: &Cone) -> std::ops::Range<usize> {
    if matches!(cone, Cone::Bilateral) { 0..0 } else { cone.discs::<D>()[1].rows() }
}

/// Friction from which the normal law is looked at by itself.
const STEEP: f64 = 10.0;

/// The square of the natural map of a contact, or that of Signorini's `min(r_N, u_N)` where friction is steep and it is
/// larger.
///
/// On a sliding contact the natural map sees a wrong normal velocity divided by `sqrt(1 + mu^2)`.
#[inline(always)]
fn with_normal_law(map: f64, slope: f64, r_n: f64, u_n: f64) -> f64 {
    if slope <= STEEP {
        return map;
    }
    let normal = if u_n < r_n { u_n } else { r_n };
    // not a maximum, which would hide what is not a number
    if map < normal * normal { normal * normal } else { map }
}

/// The larger slope of a cone's discs.
#[inline(always)]
fn steepest<const D: usize>(cone: &Cone) -> f64 {
    let [t, r] = cone.discs::<D>();
    t.slope.max(r.slope)
}

/// The square of the natural map of a contact in the units of r and u: as others define it, and with the normal law of steep
/// contacts, which a tolerance is compared with.
#[inline(always)]
fn plain_contact<const D: usize>(cone: &Cone, r: &[f64; D], u: &[f64; D]) -> (f64, f64) {
    let f = cone.natural_map(r, u);
    let square = dot(&f, &f);
    (square, with_normal_law(square, steepest::<D>(cone), r[0], u[0]))
}

/// The norm of the natural map in the units of r and u, with the normal law of steep contacts.
fn plain_map<const D: usize>(cones: &[Cone], r: &[[f64; D]], u: &[[f64; D]]) -> f64 {
    let contacts = cones.iter().zip(r).zip(u);
    contacts.map(|((cone, r), u)| plain_contact(cone, r, u).1).sum::<f64>().sqrt()
}

/// The squares that the errors in all measures are made of, summed over contacts.
#[derive(Default)]
struct Sums {
    scaled: f64,
    impulses: f64,
    plain: f64,
    guarded: f64,
    u: f64,
}

impl Sums {
    #[inline(always)]
    fn add<const D: usize>(&mut self, scales: &Scales, cone: &Cone, r: &[f64; D], u: &[f64; D]) {
        let (impulse, map) = scales.scaled_contact(cone, r, u);
        let (plain, guarded) = plain_contact(cone, r, u);
        self.scaled += map;
        self.impulses += dot(&impulse, &impulse);
        self.plain += plain;
        self.guarded += guarded;
        self.u += dot(u, u);
    }
}

/// The cosine of the angle between friction and the opposite of sliding; 1 where a contact does not slide.
#[inline(always)]
fn along_sliding<const D: usize>(cone: &Cone, r: &[f64; D], u: &[f64; D], slow: f64, weak: f64) -> f64 {
    let mut cosine = 1.0_f64;
    if let (&Cone::Coulomb { mu }, true) = (cone, D <= 3) {
        let (r_len, u_len) = (norm(&r[1..]), norm(&u[1..]));
        let along = (1..D).map(|k| r[k] * u[k]).sum::<f64>() / (r_len * u_len);
        let slides = u_len > slow && mu * r[0] > weak;
        let of_disc = if r_len > 0.0 { (-along).clamp(-1.0, 1.0) } else { 0.0 };
        return if slides { of_disc } else { 1.0 };
    }
    if matches!(cone, Cone::Bilateral) {
        return cosine;
    }
    for disc in cone.discs::<D>() {
        let (rk, uk) = (&r[disc.rows()], &u[disc.rows()]);
        let u_len = norm(uk);
        if u_len > slow && disc.limit(r[0]) > weak {
            let (r_len, along) = (norm(rk), rk.iter().zip(uk).map(|(a, b)| a * b).sum::<f64>());
            // no friction at all where it should be full is as wrong as a right angle
            let of_disc = if r_len > 0.0 { (-along / (r_len * u_len)).clamp(-1.0, 1.0) } else { 0.0 };
            cosine = cosine.min(of_disc);
        }
    }
    cosine
}

/// `a / b`; nothing over nothing is nothing, and something over nothing stays absolute. Over what has no size it is
/// infinite.
fn over(a: f64, b: f64) -> f64 {
    if !b.is_finite() {
        f64::INFINITY
    } else if a == 0.0 {
        0.0
    } else if b > 0.0 {
        a / b
    } else {
        a
    }
}

/// Everything a numerical analyst and a mechanician read about an answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// The measure that [`error`](Self::error) is in.
    pub measure: Measure,
    /// The error in the chosen measure: what a tolerance is compared with.
    ///
    /// In the measures `fclib` and `siconos` it is larger than these where friction above 10 hides a wrong normal
    /// velocity from them.
    pub error: f64,
    /// Natural map, unit-free.
    pub scaled: f64,
    /// Natural map, unit-free, over the larger of `|q|` and the velocities that the impulses make.
    #[serde(default)]
    pub force: f64,
    /// Natural map over `|q|`.
    pub fclib: f64,
    /// Natural map over `max(|q|, |r|, |u|)`.
    pub siconos: f64,
    /// Fastest penetration, `max (-u_N)_+` (velocity).
    pub penetration: f64,
    /// Farthest that an impulse leaves its cone (impulse).
    pub cone_violation: f64,
    /// `sum_c |u_N r_N + sum_k (u_k . r_k + (mu_k r_N + rho_k) |u_k|)|`: power that the law forbids (impulse x velocity).
    pub complementarity: f64,
    /// Largest angle between friction and the opposite of sliding, where a contact really slides (degrees).
    pub direction_error: f64,
    /// Fastest motion of a joint (velocity).
    pub joint_drift: f64,
    /// `1/n sum_c (|u . r + g(u) r_N| + (-u_N)_+)`, the bipotential and the penetration of [A, eq. 42] (power and
    /// velocity added, as there). The motion term vanishes because u is recomputed from r. What its methods keep
    /// exactly counts too: `|u|` of a joint, and the mean diagonal of W times the distance that r leaves its cone.
    pub eps_glob: f64,
    /// Contacts without impulse.
    pub open: usize,
    /// Contacts inside their cone.
    pub stick: usize,
    /// Contacts on the boundary of their cone.
    pub slip: usize,
}

impl Certificate {
    /// Certifies `r`; `u` must be `W r + q` (see [`LocalProblem::velocity`]).
    pub fn new<const D: usize, W: Delassus<D> + ?Sized>(
        problem: &LocalProblem<D, W>,
        scales: &Scales,
        measure: Measure,
        r: &[[f64; D]],
        u: &[[f64; D]],
    ) -> Self {
        let (n, r_norm) = (problem.contacts().max(1) as f64, norm_all(r));
        // slower than a thousandth of the mean free speed is not sliding, and likewise for impulses
        let (slow, weak) = (1e-3 * scales.q / n.sqrt(), 1e-3 * r_norm / n.sqrt());
        let mut certificate = Self::empty(measure);
        let (mut sums, mut cosine) = (Sums::default(), 1.0_f64);
        for ((cone, r), u) in problem.cones.iter().zip(r).zip(u) {
            sums.add(scales, cone, r, u);
            certificate.eps_glob += certificate.add(scales, cone, r, u);
            cosine = cosine.min(along_sliding(cone, r, u, slow, weak));
        }
        let scaled = (sums.scaled.sqrt(), sums.impulses.sqrt());
        let largest = scales.q.max(r_norm).max(sums.u.sqrt());
        certificate.eps_glob /= n;
        certificate.scaled = scales.scaled_error(scaled);
        certificate.force = scales.force_error(scaled);
        certificate.fclib = over(sums.plain.sqrt(), scales.q);
        certificate.siconos = over(sums.plain.sqrt(), largest);
        certificate.error = match measure {
            Measure::Fclib => over(sums.guarded.sqrt(), scales.q),
            Measure::Siconos => over(sums.guarded.sqrt(), largest),
            _ => certificate.in_measure(measure),
        };
        certificate.direction_error = cosine.acos().to_degrees();
        certificate
    }

    /// Nothing looked at.
    fn empty(measure: Measure) -> Self {
        Certificate {
            measure,
            error: 0.0,
            scaled: 0.0,
            force: 0.0,
            fclib: 0.0,
            siconos: 0.0,
            penetration: 0.0,
            cone_violation: 0.0,
            complementarity: 0.0,
            direction_error: 0.0,
            joint_drift: 0.0,
            eps_glob: 0.0,
            open: 0,
            stick: 0,
            slip: 0,
        }
    }

    /// Adds a contact; returns what it adds to [`eps_glob`](Self::eps_glob).
    #[inline(always)]
    fn add<const D: usize>(&mut self, scales: &Scales, cone: &Cone, r: &[f64; D], u: &[f64; D]) -> f64 {
        if let Cone::Bilateral = cone {
            let drift = norm(u);
            self.joint_drift = self.joint_drift.max(drift);
            return drift;
        }
        let law = Law::of(cone, r, u);
        // counted without a branch: which it is, is as good as random
        self.open += usize::from(law.status == ContactStatus::Open);
        self.stick += usize::from(law.status == ContactStatus::Stick);
        self.slip += usize::from(law.status == ContactStatus::Slip);
        self.penetration = self.penetration.max(law.inward);
        self.cone_violation = self.cone_violation.max(law.outside);
        self.complementarity += law.power.abs();
        law.eps(scales.impulse)
    }

    /// The error in one of the measures, as it is defined.
    pub fn in_measure(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Scaled => self.scaled,
            Measure::Force => self.force,
            Measure::Fclib => self.fclib,
            Measure::Siconos => self.siconos,
            Measure::EpsGlob => self.eps_glob,
        }
    }

    /// Whether the error is a number at or below the tolerance.
    pub fn holds(&self, tolerance: f64) -> bool {
        self.error <= tolerance
    }
}

impl<const D: usize, W: Delassus<D> + ?Sized> LocalProblem<D, W> {
    /// `u = W r + q`; `v` is the operator's state.
    pub fn velocity(&self, r: &[[f64; D]], u: &mut [[f64; D]], v: &mut [f64]) {
        // where nothing pushes, as at most starts, it is q
        if r.iter().all(|r| *r == [0.0; D]) {
            u.copy_from_slice(&self.q);
            v.fill(0.0);
        } else {
            self.w.apply_plus(r, &self.q, u, v);
        }
    }

    /// Certifies any r, whoever computed it; returns `u = W r + q` beside the certificate.
    pub fn certify(&self, r: &[[f64; D]], measure: Measure) -> (Certificate, Vec<[f64; D]>) {
        let mut u = vec![[0.0; D]; self.contacts()];
        let mut v = vec![0.0; self.w.state_len()];
        self.velocity(r, &mut u, &mut v);
        (Certificate::new(self, &Scales::of(self), measure, r, &u), u)
    }
}

/// The part of its limit from which on friction counts as full, from 1.
const EDGE: f64 = 1e-9;

/// How far one unilateral contact is from its law, part by part.
struct Law {
    status: ContactStatus,
    /// `(-u_N)_+`.
    inward: f64,
    /// How far r leaves its cone.
    outside: f64,
    /// `u_N r_N + sum_k (u_k . r_k + (mu_k r_N + rho_k) |u_k|)`.
    power: f64,
}

impl Law {
    #[inline(always)]
    fn of<const D: usize>(cone: &Cone, r: &[f64; D], u: &[f64; D]) -> Self {
        if let (&Cone::Coulomb { mu }, true) = (cone, D <= 3) {
            return Self::of_coulomb(mu, r, u);
        }
        let (status, inward) = (cone.status(r, EDGE), (-u[0]).max(0.0));
        let mut law = Self { status, inward, outside: (-r[0]).max(0.0), power: u[0] * r[0] };
        for disc in cone.discs::<D>() {
            let (rk, uk, limit) = (&r[disc.rows()], &u[disc.rows()], disc.limit(r[0]));
            law.outside = law.outside.max(norm(rk) - limit);
            law.power += rk.iter().zip(uk).map(|(a, b)| a * b).sum::<f64>() + limit * norm(uk);
        }
        law
    }

    /// The same for Coulomb's cone, of which there are most, without a branch.
    #[inline(always)]
    fn of_coulomb<const D: usize>(mu: f64, r: &[f64; D], u: &[f64; D]) -> Self {
        let (length, limit) = (norm(&r[1..]), mu * r[0]);
        let power = (0..D).map(|k| r[k] * u[k]).sum::<f64>() + limit * norm(&u[1..]);
        let pressed = if length >= limit * (1.0 - EDGE) { ContactStatus::Slip } else { ContactStatus::Stick };
        let status = if r[0] <= 0.0 { ContactStatus::Open } else { pressed };
        Self { status, inward: (-u[0]).max(0.0), outside: (length - limit).max(-r[0]).max(0.0), power }
    }

    /// What the contact adds to `eps_glob`, with this scale of impulses.
    fn eps(&self, impulse: f64) -> f64 {
        self.power.abs() + self.inward + impulse * self.outside
    }
}

/// The largest difference of two answers, relative to the larger of the two.
pub fn relative_distance<const D: usize>(a: &[[f64; D]], b: &[[f64; D]]) -> f64 {
    let mut sum = 0.0;
    for (a, b) in a.iter().zip(b) {
        let d = sub(a, b);
        sum += dot(&d, &d);
    }
    over(sum.sqrt(), norm_all(a).max(norm_all(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::BlockCsr;

    fn slider(length: f64, mass: f64, time: f64) -> (LocalProblem<3>, Vec<[f64; 3]>) {
        // a sliding block in other units: velocities scale by length/time, impulses by mass length/time
        let speed = length / time;
        let w = 1.0 / mass;
        let block = [[2.0 * w, 0.3 * w, 0.0], [0.3 * w, 3.0 * w, 0.0], [0.0, 0.0, 4.0 * w]];
        let p = LocalProblem::new(
            BlockCsr::new(vec![0, 1], vec![0], vec![block]).unwrap(),
            vec![[-speed, 2.0 * speed, 0.5 * speed]],
            vec![Cone::Coulomb { mu: 0.4 }],
        )
        .unwrap();
        (p, vec![[0.6 * mass * speed, -0.2 * mass * speed, 0.0]])
    }

    #[test]
    fn scaled_has_the_same_digits_in_every_unit() {
        let errors: Vec<f64> = [(1.0, 1.0, 1.0), (1e3, 1e3, 1.0), (1e-3, 1e-3, 1.0), (1.0, 1e6, 1e-3)]
            .iter()
            .map(|&(l, m, t)| {
                let (p, r) = slider(l, m, t);
                p.certify(&r, Measure::Scaled).0.scaled
            })
            .collect();
        assert!(errors[0] > 1e-3);
        for e in &errors {
            assert!((e / errors[0] - 1.0).abs() < 1e-12, "{errors:?}");
        }
    }

    #[test]
    fn force_is_scaled_over_the_impulses_where_these_are_large() {
        let w = BlockCsr::new(vec![0, 1], vec![0], vec![[[1.0, 0.0], [0.0, 1.0]]]).unwrap();
        let p = LocalProblem::new(w, vec![[-1e-3, 0.0]], vec![Cone::Frictionless]).unwrap();
        // u_N = 10 - 1e-3: the map is u_N while r_N is larger, and r is 1e4 times q
        let c = p.certify(&[[10.0, 0.0]], Measure::Force).0;
        assert!((c.error - (10.0 - 1e-3) / 10.0).abs() < 1e-12 && c.error == c.force, "{c:?}");
        assert!((c.scaled / c.force - 1e4).abs() < 1e-6);
        // where q is the larger one they are the same
        let c = p.certify(&[[5e-4, 0.0]], Measure::Force).0;
        assert_eq!(c.scaled, c.force);
    }

    #[test]
    fn rolling_is_unit_free_too() {
        let error = |length: f64| {
            let mut block = [[0.0; 5]; 5];
            for (d, x) in [1.0, 3.5, 3.5, 2.0 / (length * length), 2.0 / (length * length)].into_iter().enumerate() {
                block[d][d] = x;
            }
            let q = [-length, 0.3 * length, 0.0, 0.7, 0.0];
            let p = LocalProblem::new(
                BlockCsr::new(vec![0, 1], vec![0], vec![block]).unwrap(),
                vec![q],
                vec![Cone::Rolling { mu: 0.3, mu_r: 0.1 * length }],
            )
            .unwrap();
            let r = [0.9 * length, -0.1 * length, 0.0, -0.05 * length * length, 0.0];
            p.certify(&[r], Measure::Scaled).0.scaled
        };
        assert!(error(1.0) > 1e-3);
        assert!((error(1e3) / error(1.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_exact_slip_is_certified_and_its_parts_vanish() {
        let w = BlockCsr::new(vec![0, 1], vec![0], vec![[[1.0, 0.0], [0.0, 2.0]]]).unwrap();
        let p = LocalProblem::new(w, vec![[-1.0, 4.0]], vec![Cone::Coulomb { mu: 0.5 }]).unwrap();
        let (c, u) = p.certify(&[[1.0, -0.5]], Measure::Fclib);
        assert_eq!(u, [[0.0, 3.0]]);
        assert!(c.error < 1e-16 && c.penetration == 0.0 && c.cone_violation == 0.0 && c.complementarity == 0.0);
        assert_eq!((c.open, c.stick, c.slip, c.direction_error), (0, 0, 1, 0.0));
        // the wrong sign of friction is half a turn off
        let (bad, _) = p.certify(&[[1.0, 0.5]], Measure::Fclib);
        assert!(bad.error > 0.1 && (bad.direction_error - 180.0).abs() < 1e-9);
    }

    #[test]
    fn eps_glob_by_hand() {
        let diagonal = |a, b| [[a, 0.0], [0.0, b]];
        let w = BlockCsr::new(vec![0, 1, 2, 3], vec![0, 1, 2], vec![diagonal(1.0, 2.0); 3]).unwrap();
        let cones = vec![Cone::Coulomb { mu: 0.5 }, Cone::Frictionless, Cone::Bilateral];
        let p = LocalProblem::new(w, vec![[-1.0, 4.0], [-2.0, 1.0], [3.0, -4.0]], cones).unwrap();
        // u = (-0.25, 3), (-0.5, 1), (3, -4): powers -0.1875 + 0.375 * 3 - 0.5 * 3 = -0.5625 and -0.75
        let r = [[0.75, -0.5], [1.5, 0.0], [0.0, 0.0]];
        let expected = ((0.5625 + 0.25 + 1.5 * 0.125) + (0.75 + 0.5) + 5.0) / 3.0;
        let found = p.certify(&r, Measure::EpsGlob).0;
        assert!((found.error - expected).abs() < 1e-15 && found.eps_glob == found.error, "{found:?} {expected}");
        // within the cones and without joints it is the formula of the paper: 1/n sum (|v.p| + penetration)
        let w = BlockCsr::new(vec![0, 1], vec![0], vec![diagonal(2.0, 1.0)]).unwrap();
        let p = LocalProblem::new(w, vec![[-3.0, 7.0]], vec![Cone::Frictionless]).unwrap();
        assert_eq!(p.certify(&[[1.0, 0.0]], Measure::EpsGlob).0.error, 1.0 + 1.0);
        assert_eq!(p.certify(&[[1.5, 0.0]], Measure::EpsGlob).0.error, 0.0);
    }

    #[test]
    fn nothing_asked_nothing_wrong() {
        let w = BlockCsr::new(vec![0, 1], vec![0], vec![[[1.0, 0.0], [0.0, 2.0]]]).unwrap();
        let p = LocalProblem::new(w, vec![[0.0, 0.0]], vec![Cone::Coulomb { mu: 0.5 }]).unwrap();
        for m in [Measure::Scaled, Measure::Force, Measure::Fclib, Measure::Siconos] {
            assert_eq!(p.certify(&[[0.0, 0.0]], m).0.error, 0.0);
        }
    }

    #[test]
    fn not_a_number_never_holds() {
        let (p, _) = slider(1.0, 1.0, 1.0);
        assert!(!p.certify(&[[f64::NAN, 0.0, 0.0]], Measure::Scaled).0.holds(1.0));
    }
}
