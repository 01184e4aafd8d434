//! Rigid bodies in random contact.

use serde::{Deserialize, Serialize};

use super::error::{GenerateError, count, dimension, interval, memory, within};
use super::orthogonal::orthogonal;
use super::random::Random;
use super::rigid_assembly::{ENTRY_BYTES, RigidAssembly, cross, point_row};
use super::single_contact::random_cone;
use crate::problem::{GlobalProblem, LocalProblem};

/// Bytes a contact besides H.
const CONTACT_BYTES: f64 = 300.0;
/// Bytes an entry of W while it is assembled and checked.
const CONDENSED_BYTES: f64 = 64.0;

/// Degrees of freedom of a body in the plane, among `[v_x, v_y, v_z, omega_x, omega_y, omega_z]`.
const PLANE: &[usize] = &[0, 1, 5];
/// Degrees of freedom of a body in space.
const SPACE: &[usize] = &[0, 1, 2, 3, 4, 5];

/// Contacts between random pairs of bodies, D = 2, 3 or 5 rows each.
///
/// Every contact has a random frame and a random contact point within 1 of both centres. Masses are uniform in
/// their logarithm from 1 to `mass_ratio`; squared radii of gyration are uniform from 0.1 to 0.5. Free velocities
/// are normal random numbers, $f = M v_\mathrm{free}$ and $w = 0$: with all bodies at rest no contact closes, so the
/// random frames cannot contradict each other, however many there are. A contact that should open or close has its
/// frame turned around; q stays in the range of W.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RandomSparse {
    /// Number of contacts.
    pub contacts: usize,
    /// Number of bodies, at least 2. Few bodies for many contacts make W singular and less sparse.
    pub bodies: usize,
    /// Largest over smallest mass, 1 to 1e12.
    pub mass_ratio: f64,
    /// The coefficient of friction is uniform in this interval.
    pub mu: [f64; 2],
    /// The coefficient of rolling friction (D = 5) is uniform in this interval, a length.
    pub mu_r: [f64; 2],
    /// Share of the contacts whose free velocity points into the contact, `q_N < 0`: 0 to 1.
    pub closing: f64,
    /// Seed of everything.
    pub seed: u64,
}

impl Default for RandomSparse {
    fn default() -> Self {
        Self { contacts: 100, bodies: 50, mass_ratio: 10.0, mu: [0.1, 0.9], mu_r: [0.01, 0.3], closing: 0.7, seed: 1 }
    }
}

impl RandomSparse {
    /// The problem with M and H: `[v_x, v_y, omega]` a body for D = 2, `[v, omega]` otherwise.
    pub fn global<const D: usize>(&self) -> Result<GlobalProblem<D>, GenerateError> {
        self.check::<D>()?;
        let picks = if D == 2 { PLANE } else { SPACE };
        let dofs = picks.len();
        let mut rng = Random::new(self.seed);
        let mut mass = Vec::with_capacity(dofs * self.bodies);
        for _ in 0..self.bodies {
            let m = rng.log_between(1.0, self.mass_ratio);
            mass.extend(picks.iter().map(|&i| if i < 3 { m } else { m * rng.between(0.1, 0.5) }));
        }
        let free: Vec<f64> = (0..mass.len()).map(|_| rng.normal()).collect();
        let mut assembly = RigidAssembly::new(mass);
        let mut cones = Vec::with_capacity(self.contacts);
        for _ in 0..self.contacts {
            let [a, b] = self.pair(&mut rng);
            let (rows_a, rows_b) = contact_rows::<D>(&mut rng);
            let mut rows: [Vec<(usize, f64)>; D] = std::array::from_fn(|d| {
                let on = |body: usize, sign: f64, row: [f64; 6]| {
                    picks.iter().enumerate().map(move |(k, &i)| (dofs * body + k, sign * row[i]))
                };
                on(a, 1.0, rows_a[d]).chain(on(b, -1.0, rows_b[d])).collect()
            });
            let q_n: f64 = rows[0].iter().map(|(i, x)| x * free[*i]).sum();
            if (q_n < 0.0) != (rng.uniform() < self.closing) {
                turn_around(&mut rows);
            }
            rows.into_iter().for_each(|row| assembly.push_row(row));
            cones.push(random_cone::<D>(&mut rng, self.mu, self.mu_r));
        }
        assembly.finish(&free, cones)
    }

    /// The reduced problem, W assembled.
    pub fn local<const D: usize>(&self) -> Result<LocalProblem<D>, GenerateError> {
        self.check::<D>()?;
        // a contact couples with all others of its two bodies
        let [c, b] = [self.contacts, self.bodies].map(|n| n as f64);
        memory(c * c.min(1.0 + 4.0 * c / b) * (D * D) as f64 * CONDENSED_BYTES)?;
        Ok(self.global::<D>()?.condense()?.0)
    }

    fn check<const D: usize>(&self) -> Result<(), GenerateError> {
        dimension::<D>()?;
        count("contacts", self.contacts, 1)?;
        count("bodies", self.bodies, 2)?;
        within("mass_ratio", self.mass_ratio, 1.0, 1e12)?;
        interval("mu", self.mu, 0.0, f64::MAX)?;
        interval("mu_r", self.mu_r, 0.0, f64::MAX)?;
        within("closing", self.closing, 0.0, 1.0)?;
        let contact = CONTACT_BYTES + (12 * D) as f64 * ENTRY_BYTES;
        memory(self.contacts as f64 * contact + self.bodies as f64 * 6.0 * 64.0)
    }

    /// Two different bodies.
    fn pair(&self, rng: &mut Random) -> [usize; 2] {
        let a = rng.below(self.bodies);
        let b = rng.below(self.bodies - 1);
        [a, if b < a { b } else { b + 1 }]
    }
}

/// The rows N, T1, T2 (and rolling R1, R2) of a random frame and random arms, for the first and the second body.
fn contact_rows<const D: usize>(rng: &mut Random) -> ([[f64; 6]; D], [[f64; 6]; D]) {
    let frame = random_frame::<D>(rng);
    let arm = |rng: &mut Random| -> [f64; 3] {
        std::array::from_fn(|i| if D == 2 && i == 2 { 0.0 } else { rng.between(-1.0, 1.0) })
    };
    let (arm_a, arm_b) = (arm(rng), arm(rng));
    let row = |arm: &[f64; 3], d: usize| match d {
        0..3 => point_row(&frame[d], arm),
        // rolling: the relative angular velocity along the same tangents
        _ => [0.0, 0.0, 0.0, frame[d - 2][0], frame[d - 2][1], frame[d - 2][2]],
    };
    (std::array::from_fn(|d| row(&arm_a, d)), std::array::from_fn(|d| row(&arm_b, d)))
}

/// Normal and tangents, right-handed; in the plane x-y for D = 2.
fn random_frame<const D: usize>(rng: &mut Random) -> [[f64; 3]; 3] {
    if D == 2 {
        let [x, y] = orthogonal::<2>(rng)[0];
        [[x, y, 0.0], [-y, x, 0.0], [0.0, 0.0, 1.0]]
    } else {
        let [n, s, _] = orthogonal::<3>(rng);
        [n, s, cross(&n, &s)]
    }
}

/// Half a turn of the frame about T2 (in the plane: about its normal), so that N and T1 change sign, and R1 with T1.
fn turn_around<const D: usize>(rows: &mut [Vec<(usize, f64)>; D]) {
    for d in (0..D).filter(|d| [0, 1, 3].contains(d)) {
        rows[d].iter_mut().for_each(|e| e.1 = -e.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cone::Cone;

    fn check<const D: usize>(dofs_of_a_body: usize) {
        let options = RandomSparse { mass_ratio: 1e4, ..Default::default() };
        let global = options.global::<D>().unwrap();
        assert_eq!((global.contacts(), global.dofs()), (100, 50 * dofs_of_a_body));
        assert_eq!(global, options.global::<D>().unwrap());
        assert_eq!(options.local::<D>().unwrap(), options.local::<D>().unwrap());
        let mass = global.factor_mass().unwrap();
        assert!(mass.is_block_diagonal());
        let heaviest = (0..50).map(|b| global.m.get(dofs_of_a_body * b, dofs_of_a_body * b));
        assert!(heaviest.clone().all(|m| (1.0..=1e4).contains(&m)));
        assert!(heaviest.fold(0.0, f64::max) > 1e3);
        let local = options.local::<D>().unwrap();
        assert!(local.w.to_csr().asymmetry() < 1e-13);
        // a motion of all bodies together moves no contact
        let together: Vec<f64> = (0..global.dofs()).map(|i| if i % dofs_of_a_body == 1 { 1.0 } else { 0.0 }).collect();
        assert!(global.relative_velocity(&together).as_flattened().iter().all(|u| u.abs() < 1e-14));
    }

    #[test]
    fn sizes_symmetry_and_bits() {
        check::<2>(3);
        check::<3>(6);
        check::<5>(6);
    }

    #[test]
    fn the_share_of_closing_contacts_is_as_asked() {
        for (closing, low, high) in [(0.0, 0, 0), (1.0, 2000, 2000), (0.7, 1300, 1500)] {
            let options = RandomSparse { contacts: 2000, bodies: 900, closing, ..Default::default() };
            let p = options.local::<3>().unwrap();
            let n = p.q.iter().filter(|q| q[0] < 0.0).count();
            assert!((low..=high).contains(&n), "{n}");
        }
    }

    #[test]
    fn normal_rows_are_unit_vectors_of_translation() {
        let p = RandomSparse::default().global::<5>().unwrap();
        let ht = p.h.transpose();
        for row in 0..3 {
            let s: f64 = ht.row(row).filter(|e| e.0 % 6 < 3).map(|e| e.1 * e.1).sum();
            assert!((s - 2.0).abs() < 1e-14);
        }
        for row in 3..5 {
            assert!(ht.row(row).all(|e| e.0 % 6 >= 3));
        }
    }

    #[test]
    fn coefficients_lie_in_their_intervals() {
        let options = RandomSparse { mu: [0.2, 0.3], mu_r: [0.05, 0.05], ..Default::default() };
        for cone in options.global::<5>().unwrap().cones {
            assert!(matches!(cone, Cone::Rolling { mu, mu_r } if (0.2..0.3).contains(&mu) && mu_r == 0.05));
        }
        for cone in options.global::<2>().unwrap().cones {
            assert!(matches!(cone, Cone::Coulomb { mu } if (0.2..0.3).contains(&mu)));
        }
    }

    #[test]
    fn bad_options_are_refused() {
        let good = RandomSparse::default;
        for bad in [
            RandomSparse { contacts: 0, ..good() },
            RandomSparse { contacts: usize::MAX, ..good() },
            RandomSparse { bodies: 1, ..good() },
            RandomSparse { bodies: usize::MAX, ..good() },
            RandomSparse { mass_ratio: 0.1, ..good() },
            RandomSparse { mass_ratio: f64::NAN, ..good() },
            RandomSparse { mu: [-0.1, 0.5], ..good() },
            RandomSparse { closing: 1.5, ..good() },
        ] {
            assert!(bad.global::<3>().is_err() && bad.local::<2>().is_err(), "{bad:?}");
        }
        // W would be full
        let full = RandomSparse { contacts: 100_000, bodies: 2, ..good() };
        assert!(matches!(full.local::<3>(), Err(GenerateError::TooLarge { .. })));
        assert_eq!(good().global::<4>().unwrap_err(), GenerateError::Dimension(4));
        assert!(serde_json::from_str::<RandomSparse>(r#"{"contact": 3}"#).is_err());
    }
}
