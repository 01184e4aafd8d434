//! Spheres in hexagonal close packing.

use serde::{Deserialize, Serialize};

use super::error::{GenerateError, count, memory, within};
use super::gravity::gravity;
use super::random::Random;
use super::rigid_assembly::{ENTRY_BYTES, RigidAssembly};
use super::window::colour_windows;
use crate::block::norm;
use crate::cone::Cone;
use crate::operator::{SphereContact, SphereContacts};
use crate::problem::{GlobalProblem, LocalProblem};

/// Inertia of a solid sphere of mass 1 and radius 1.
const INERTIA: f64 = 0.4;
/// Bytes a contact of the matrix-free problem: contact 48, q 24, cone 24, its share of the bodies.
const LOCAL_BYTES: f64 = 120.0;
/// Bytes a contact of the global problem besides H: M, f, w, cones.
const GLOBAL_BYTES: f64 = 200.0;

/// `nx x ny x nz` spheres of radius 1 and mass 1 on a floor, in hexagonal close packing.
///
/// Sphere (i, j, k) sits at $(2i + (j + k) \bmod 2,\ \sqrt3 (j + \tfrac13 (k \bmod 2)),\ \tfrac{2\sqrt6}{3} k)$ and
/// touches up to twelve others. Gravity times the time step is 1: every sphere has the free velocity
/// $g = (\sin t, 0, -\cos t)$ plus noise. A tower is `10 x 10 x h`, a cube `n x n x n`.
///
/// Bodies are numbered i first, then j, then k; contacts follow the higher body of their pair. Of a contact between
/// spheres the normal points to the higher number, at the floor and the walls to the sphere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SphereLattice {
    /// Spheres in a row, along x.
    pub nx: usize,
    /// Rows in a layer, along y.
    pub ny: usize,
    /// Layers, along z.
    pub nz: usize,
    /// Four side walls at the spheres that stand out most. They slide and stick as the floor does.
    pub walls: bool,
    /// Largest displacement of each coordinate, in radii, uniform; it turns the normals between spheres. 0 to 0.5.
    pub jitter: f64,
    /// Standard deviation of each component of the free v and of R omega, relative to the velocity 1 of gravity.
    pub noise: f64,
    /// Coefficient of friction of all contacts.
    pub mu: f64,
    /// Angle of gravity from -z towards +x, radian, at most a right angle.
    pub tilt: f64,
    /// Contacts are coloured inside windows of so many, so that neighbours in the list share no sphere; 0 is off.
    pub window: usize,
    /// Seed of jitter and noise.
    pub seed: u64,
}

impl Default for SphereLattice {
    fn default() -> Self {
        Self { nx: 10, ny: 10, nz: 10, walls: true, jitter: 0.02, noise: 0.01, mu: 0.5, tilt: 0.0, window: 64, seed: 1 }
    }
}

impl SphereLattice {
    /// The reduced problem with the matrix-free sphere operator: about 120 bytes a contact.
    ///
    /// The state is `[v, R omega]` of one sphere after the other; the last body is the ground, of inverse mass 0.
    pub fn spheres(&self) -> Result<LocalProblem<3, SphereContacts>, GenerateError> {
        let (w, free) = self.build(LOCAL_BYTES)?;
        let q: Vec<[f64; 3]> = (0..w.list().len()).map(|c| w.velocity(c, &free)).collect();
        let cones = vec![Cone::Coulomb { mu: self.mu }; q.len()];
        Ok(LocalProblem::new(w, q, cones)?.with_v_free(free))
    }

    /// The same problem with M and H: six degrees of freedom `[v, omega]` a sphere, none for the ground.
    pub fn global(&self) -> Result<GlobalProblem<3>, GenerateError> {
        let (w, mut free) = self.build(GLOBAL_BYTES + 30.0 * ENTRY_BYTES)?;
        let dofs = 6 * (w.bodies() - 1);
        let mass = [1.0, 1.0, 1.0, INERTIA, INERTIA, INERTIA].into_iter().cycle().take(dofs).collect();
        let mut assembly = RigidAssembly::new(mass);
        let mut v = vec![0.0; 6 * w.bodies()];
        for (c, contact) in w.list().iter().enumerate() {
            // a unit velocity of each degree of freedom shows its column of H^T, frame included
            let touched = [contact.a, contact.b].map(|b| 6 * b as usize);
            let moving = touched.into_iter().filter(|&start| start < dofs).flat_map(|start| start..start + 6);
            let columns: Vec<(usize, [f64; 3])> = moving
                .map(|i| {
                    v[i] = 1.0;
                    let u = w.velocity(c, &v);
                    v[i] = 0.0;
                    (i, u)
                })
                .collect();
            for d in 0..3 {
                assembly.push_row(columns.iter().map(|(i, u)| (*i, u[d])));
            }
        }
        free.truncate(dofs);
        assembly.finish(&free, vec![Cone::Coulomb { mu: self.mu }; w.list().len()])
    }

    /// The contacts in their final order and the free velocities of all bodies, ground included.
    fn build(&self, contact_bytes: f64) -> Result<(SphereContacts, Vec<f64>), GenerateError> {
        self.check(contact_bytes)?;
        let down = gravity(self.tilt)?;
        let mut rng = Random::new(self.seed);
        let mut contacts = self.contacts(&self.positions(&mut rng));
        let ground = self.nx * self.ny * self.nz;
        let moving = |b: u32| ((b as usize) < ground).then_some(b);
        colour_windows(&mut contacts, self.window, ground, |c| [moving(c.a), moving(c.b)]);
        let mut free = Vec::with_capacity(6 * (ground + 1));
        for _ in 0..ground {
            free.extend(down.map(|g| g + self.noise * rng.normal()));
            free.extend([0.0; 3].map(|g| g + self.noise * rng.normal()));
        }
        free.extend([0.0; 6]);
        Ok((SphereContacts::new(ground + 1, contacts), free))
    }

    fn check(&self, contact_bytes: f64) -> Result<(), GenerateError> {
        count("nx", self.nx, 1)?;
        count("ny", self.ny, 1)?;
        count("nz", self.nz, 1)?;
        within("jitter", self.jitter, 0.0, 0.5)?;
        within("noise", self.noise, 0.0, 1e6)?;
        within("mu", self.mu, 0.0, f64::MAX)?;
        let [x, y, z] = [self.nx, self.ny, self.nz].map(|n| n as f64);
        memory((6.0 * x * y * z + x * y + 2.0 * (x + y) * z) * contact_bytes)
    }

    /// Centres, jittered.
    fn positions(&self, rng: &mut Random) -> Vec<[f64; 3]> {
        let (row, layer) = (3f64.sqrt(), 2.0 * 6f64.sqrt() / 3.0);
        let mut x = Vec::with_capacity(self.nx * self.ny * self.nz);
        for k in 0..self.nz {
            for j in 0..self.ny {
                for i in 0..self.nx {
                    let y = row * (j as f64 + (k % 2) as f64 / 3.0);
                    let site = [(2 * i + (j + k) % 2) as f64, y, layer * k as f64];
                    x.push(site.map(|s| s + self.jitter * rng.between(-1.0, 1.0)));
                }
            }
        }
        x
    }

    /// All contacts in body order.
    fn contacts(&self, x: &[[f64; 3]]) -> Vec<SphereContact> {
        let most = 6 * x.len() + self.nx * self.ny + 2 * (self.nx + self.ny) * self.nz;
        let mut contacts = Vec::with_capacity(most);
        let ground = x.len() as u32;
        for k in 0..self.nz {
            for j in 0..self.ny {
                for i in 0..self.nx {
                    let a = self.index(i, j, k);
                    for normal in self.supports(i, j, k).into_iter().flatten() {
                        contacts.push(SphereContact { normal, a, b: ground, inv_mass_a: 1.0, inv_mass_b: 0.0 });
                    }
                    for b in self.lower_neighbours(i, j, k).into_iter().flatten() {
                        let normal = direction(&x[b as usize], &x[a as usize]);
                        contacts.push(SphereContact { normal, a, b, inv_mass_a: 1.0, inv_mass_b: 1.0 });
                    }
                }
            }
        }
        contacts
    }

    fn index(&self, i: usize, j: usize, k: usize) -> u32 {
        (i + self.nx * (j + self.ny * k)) as u32
    }

    /// Normals of the floor and of the walls that a sphere touches.
    fn supports(&self, i: usize, j: usize, k: usize) -> [Option<[f64; 3]>; 5] {
        let (shift, lift) = ((j + k) % 2, k % 2);
        // the rows and layers that stand out most touch the far walls
        let (far_shift, far_lift) = (usize::from(self.ny > 1 || self.nz > 1), usize::from(self.nz > 1));
        let side = |touches: bool, normal| (self.walls && touches).then_some(normal);
        [
            (k == 0).then_some([0.0, 0.0, 1.0]),
            side(i == 0 && shift == 0, [1.0, 0.0, 0.0]),
            side(i + 1 == self.nx && shift == far_shift, [-1.0, 0.0, 0.0]),
            side(j == 0 && lift == 0, [0.0, 1.0, 0.0]),
            side(j + 1 == self.ny && lift == far_lift, [0.0, -1.0, 0.0]),
        ]
    }

    /// The lattice neighbours of smaller number, in increasing order: three below, two in the row before, one before.
    fn lower_neighbours(&self, i: usize, j: usize, k: usize) -> [Option<u32>; 6] {
        let at = |i: Option<usize>, j: Option<usize>, k: Option<usize>| {
            let (i, j, k) = (i?, j?, k?);
            (i < self.nx && j < self.ny).then(|| self.index(i, j, k))
        };
        // a neighbouring row is shifted by half a sphere: two of its spheres touch this one
        let (left, right) =
            if (j + k).is_multiple_of(2) { (i.checked_sub(1), Some(i)) } else { (Some(i), Some(i + 1)) };
        let (row, below) = (j.checked_sub(1), k.checked_sub(1));
        // an odd layer stands towards +y over the one below, an even one towards -y
        let apex = at(Some(i), if k % 2 == 1 { Some(j + 1) } else { row }, below);
        let pair = [at(left, Some(j), below), at(right, Some(j), below)];
        let [p, q, r] = if k % 2 == 1 { [pair[0], pair[1], apex] } else { [apex, pair[0], pair[1]] };
        let before = at(i.checked_sub(1), Some(j), Some(k));
        [p, q, r, at(left, row, Some(k)), at(right, row, Some(k)), before]
    }
}

/// The unit vector from b to a.
fn direction(b: &[f64; 3], a: &[f64; 3]) -> [f64; 3] {
    let d = crate::block::sub(a, b);
    let length = norm(&d);
    d.map(|x| x / length)
}

#[cfg(test)]
mod tests {
    use super::super::rigid_assembly::cross;
    use super::*;
    use crate::operator::Delassus;

    fn lattice(nx: usize, ny: usize, nz: usize) -> SphereLattice {
        SphereLattice { nx, ny, nz, ..Default::default() }
    }

    /// Pairs of the lattice by closed form.
    fn pairs(nx: usize, ny: usize, nz: usize) -> usize {
        nz * ((nx - 1) * ny + (ny - 1) * (2 * nx - 1)) + (nz - 1) * (ny * (2 * nx - 1) + (ny - 1) * nx)
    }

    #[test]
    fn contact_counts_by_closed_form() {
        for (nx, ny, nz) in [(1, 1, 1), (5, 1, 1), (1, 4, 1), (1, 1, 3), (3, 4, 5), (4, 3, 2)] {
            let open = SphereLattice { walls: false, ..lattice(nx, ny, nz) };
            assert_eq!(open.spheres().unwrap().contacts(), pairs(nx, ny, nz) + nx * ny, "{nx} {ny} {nz}");
        }
        // even sizes: half the rows and half the layers reach each wall
        for (n, expected) in [(6, 1098), (12, 9540)] {
            assert_eq!(lattice(n, n, n).spheres().unwrap().contacts(), expected);
            assert_eq!(pairs(n, n, n) + 3 * n * n, expected);
        }
        assert_eq!(lattice(10, 10, 4).spheres().unwrap().contacts(), 2064);
        // one sphere touches the floor and four walls
        assert_eq!(lattice(1, 1, 1).spheres().unwrap().contacts(), 5);
    }

    #[test]
    fn neighbours_touch_each_pair_once() {
        let exact = SphereLattice { jitter: 0.0, window: 0, walls: false, ..lattice(4, 5, 4) };
        let x = exact.positions(&mut Random::new(0));
        let contacts = exact.contacts(&x);
        let touching: Vec<(u32, u32)> = (0..x.len())
            .flat_map(|a| (0..a).map(move |b| (a, b)))
            .filter(|&(a, b)| (norm(&crate::block::sub(&x[a], &x[b])) - 2.0).abs() < 1e-12)
            .map(|(a, b)| (a as u32, b as u32))
            .collect();
        let found: Vec<(u32, u32)> = contacts.iter().filter(|c| c.inv_mass_b > 0.0).map(|c| (c.a, c.b)).collect();
        assert_eq!(found, touching);
    }

    #[test]
    fn same_bits_twice_and_another_seed_differs() {
        let a = lattice(4, 3, 5);
        assert_eq!(a.spheres().unwrap(), a.spheres().unwrap());
        assert_eq!(a.global().unwrap(), a.global().unwrap());
        assert_ne!(a.spheres().unwrap().q, SphereLattice { seed: 2, ..a }.spheres().unwrap().q);
    }

    #[test]
    fn sphere_operator_and_condensed_global_problem_agree() {
        let options = SphereLattice { tilt: 0.3, ..lattice(4, 5, 4) };
        let spheres = options.spheres().unwrap();
        let global = options.global().unwrap();
        let (local, _) = global.condense().unwrap();
        let n = spheres.contacts();
        assert_eq!((local.contacts(), global.dofs()), (n, 6 * 80));
        assert!(local.w.to_csr().asymmetry() < 1e-13);
        let mut rng = Random::new(5);
        let r: Vec<[f64; 3]> = (0..n).map(|_| [rng.normal(), rng.normal(), rng.normal()]).collect();
        let (mut u, mut u_local) = (vec![[0.0; 3]; n], vec![[0.0; 3]; n]);
        spheres.w.apply(&r, &mut u, &mut vec![0.0; spheres.w.state_len()]);
        local.w.apply(&r, &mut u_local, &mut []);
        for c in 0..n {
            for d in 0..3 {
                assert!((u[c][d] - u_local[c][d]).abs() < 1e-13 * (1.0 + u[c][d].abs()));
                assert!((spheres.q[c][d] - local.q[c][d]).abs() < 1e-13);
            }
            let k = spheres.w.list()[c];
            let w = k.inv_mass_a + k.inv_mass_b;
            let expected = [[w, 0.0, 0.0], [0.0, 3.5 * w, 0.0], [0.0, 0.0, 3.5 * w]];
            let block = local.w.diagonal(c);
            let gap = block.as_flattened().iter().zip(expected.as_flattened()).map(|(a, b)| (a - b).abs());
            assert!(gap.fold(0.0, f64::max) < 1e-13);
        }
    }

    #[test]
    fn spheres_fall_onto_the_floor() {
        let p = lattice(4, 4, 3).spheres().unwrap();
        let floor = |c: &SphereContact| c.normal == [0.0, 0.0, 1.0];
        let q_n: Vec<f64> = p.w.list().iter().zip(&p.q).filter(|(c, _)| floor(c)).map(|(_, q)| q[0]).collect();
        assert_eq!(q_n.len(), 16);
        assert!(q_n.iter().all(|&q| q < -0.9 && q > -1.1));
    }

    #[test]
    fn a_rigid_motion_of_the_lattice_opens_and_slides_no_pair() {
        let exact = SphereLattice { jitter: 0.0, ..lattice(3, 4, 4) };
        let p = exact.spheres().unwrap();
        let x = exact.positions(&mut Random::new(0));
        let (v, omega) = ([0.3, -0.2, 0.7], [0.5, 1.1, -0.4]);
        let mut state: Vec<f64> = x
            .iter()
            .flat_map(|x| {
                let turn = cross(&omega, x);
                [v[0] + turn[0], v[1] + turn[1], v[2] + turn[2], omega[0], omega[1], omega[2]]
            })
            .collect();
        state.extend([0.0; 6]);
        for (c, _) in p.w.list().iter().enumerate().filter(|(_, k)| k.inv_mass_b > 0.0) {
            assert!(norm(&p.w.velocity(c, &state)) < 1e-13);
        }
    }

    #[test]
    fn windows_permute_and_separate_neighbours() {
        let shared = |p: &LocalProblem<3, SphereContacts>| {
            let ground = p.w.bodies() as u32 - 1;
            let touches = |c: &SphereContact, b: u32| b != ground && (c.a == b || c.b == b);
            p.w.list().windows(2).filter(|w| touches(&w[1], w[0].a) || touches(&w[1], w[0].b)).count()
        };
        let on = lattice(8, 8, 8).spheres().unwrap();
        let off = SphereLattice { window: 0, ..lattice(8, 8, 8) }.spheres().unwrap();
        assert!(shared(&off) > off.contacts() / 2);
        assert!(shared(&on) < on.contacts() / 8, "{} of {}", shared(&on), on.contacts());
        let sorted = |part: &[SphereContact]| {
            let mut ids: Vec<_> = part.iter().map(|c| (c.a, c.b, c.normal.map(f64::to_bits))).collect();
            ids.sort_unstable();
            ids
        };
        for (a, b) in on.w.list().chunks(64).zip(off.w.list().chunks(64)) {
            assert_eq!(sorted(a), sorted(b));
        }
    }

    #[test]
    fn bad_options_are_refused() {
        let good = SphereLattice::default;
        for bad in [
            SphereLattice { nx: 0, ..good() },
            SphereLattice { nz: 0, ..good() },
            SphereLattice { nx: usize::MAX, ny: usize::MAX, ..good() },
            SphereLattice { mu: -0.1, ..good() },
            SphereLattice { mu: f64::NAN, ..good() },
            SphereLattice { jitter: 0.7, ..good() },
            SphereLattice { noise: f64::INFINITY, ..good() },
            SphereLattice { tilt: f64::NAN, ..good() },
        ] {
            assert!(bad.spheres().is_err() && bad.global().is_err(), "{bad:?}");
        }
        assert!(serde_json::from_str::<SphereLattice>(r#"{"nx": 3, "colour": 1}"#).is_err());
        assert_eq!(serde_json::from_str::<SphereLattice>(r#"{"nx": 3}"#).unwrap(), SphereLattice { nx: 3, ..good() });
    }
}
