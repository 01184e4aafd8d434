//! An elastic block of finite elements on a floor.

use serde::{Deserialize, Serialize};

use super::error::{GenerateError, count, memory, positive, within};
use super::gravity::gravity;
use super::hexahedron::{corner, stiffness};
use super::random::Random;
use crate::cone::Cone;
use crate::matrix::{Csr, Triplet};
use crate::problem::GlobalProblem;

/// Bytes an element: 576 triplets and their compressed rows, both transient.
const ELEMENT_BYTES: f64 = 576.0 * 48.0;

/// A block of trilinear hexahedra, linearly elastic, lumped masses, all nodes of its lower face on a floor.
///
/// One implicit step of length dt from rest without strain solves $\hat M v = H r + f$ with
/// $$ \hat M = M + \Delta t^2 K, \qquad f = M (g\,\Delta t + \text{noise}), \qquad w = 0. $$
/// $\hat M$ couples all nodes, so the condensed W is full. Node (i, j, k) has number
/// `i + (nx + 1) (j + (ny + 1) k)` and three degrees of freedom; contacts are the nodes k = 0 in this order, normal
/// +z, tangents +x and +y.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ElasticBlock {
    /// Elements along x, y, z.
    pub elements: [usize; 3],
    /// Edges of the block along x, y, z, in m.
    pub size: [f64; 3],
    /// Young's modulus, in Pa.
    pub young: f64,
    /// Poisson's ratio, above -1 and below 0.5.
    pub poisson: f64,
    /// Density, in kg/m^3.
    pub density: f64,
    /// Time step, in s.
    pub dt: f64,
    /// Acceleration of gravity, in m/s^2.
    pub gravity: f64,
    /// Standard deviation of each component of the nodal velocities before contact, relative to `gravity dt`.
    pub noise: f64,
    /// Coefficient of friction of all contacts.
    pub mu: f64,
    /// Angle of gravity from -z towards +x, radian, at most a right angle.
    pub tilt: f64,
    /// Seed of the noise.
    pub seed: u64,
}

impl Default for ElasticBlock {
    fn default() -> Self {
        Self {
            elements: [4, 4, 4],
            size: [1.0, 1.0, 1.0],
            young: 1e7,
            poisson: 0.3,
            density: 1000.0,
            dt: 1e-3,
            gravity: 9.81,
            noise: 0.01,
            mu: 0.5,
            tilt: 0.0,
            seed: 1,
        }
    }
}

impl ElasticBlock {
    /// The global problem.
    pub fn generate(&self) -> Result<GlobalProblem<3>, GenerateError> {
        self.check()?;
        let down = gravity(self.tilt)?;
        let mass = self.lumped_mass();
        let mut rng = Random::new(self.seed);
        let speed = self.gravity * self.dt;
        let f = (0..3 * mass.len()).map(|i| mass[i / 3] * speed * (down[i % 3] + self.noise * rng.normal())).collect();
        let contacts = (self.elements[0] + 1) * (self.elements[1] + 1);
        let mut h = Triplet::empty(3 * mass.len(), 3 * contacts);
        for c in 0..contacts {
            // rows of the contact: N = z, T1 = x, T2 = y
            for (d, i) in [2, 0, 1].into_iter().enumerate() {
                h.push(3 * c + i, 3 * c + d, 1.0);
            }
        }
        let cones = vec![Cone::Coulomb { mu: self.mu }; contacts];
        let m = self.iteration_matrix(&mass);
        Ok(GlobalProblem::new(m, Csr::from(&h), f, vec![[0.0; 3]; contacts], cones)?.0)
    }

    fn check(&self) -> Result<(), GenerateError> {
        for n in self.elements {
            count("elements", n, 1)?;
        }
        for edge in self.size {
            positive("size", edge)?;
        }
        positive("young", self.young)?;
        // at the ends of the range the material is singular or incompressible
        within("poisson", self.poisson, -0.999, 0.4999)?;
        positive("density", self.density)?;
        positive("dt", self.dt)?;
        within("gravity", self.gravity, 0.0, f64::MAX)?;
        within("noise", self.noise, 0.0, 1e6)?;
        within("mu", self.mu, 0.0, f64::MAX)?;
        memory(self.elements.iter().map(|&n| n as f64).product::<f64>() * ELEMENT_BYTES)
    }

    /// Edges of an element.
    fn edges(&self) -> [f64; 3] {
        std::array::from_fn(|i| self.size[i] / self.elements[i] as f64)
    }

    /// The eight nodes of every element.
    fn connectivity(&self) -> Vec<[usize; 8]> {
        let [nx, ny, nz] = self.elements;
        let mut elements = Vec::with_capacity(nx * ny * nz);
        for k in 0..nz {
            for j in 0..ny {
                for i in 0..nx {
                    elements.push(std::array::from_fn(|n| {
                        let [a, b, c] = corner(n);
                        i + a + (nx + 1) * (j + b + (ny + 1) * (k + c))
                    }));
                }
            }
        }
        elements
    }

    /// An eighth of each element's mass at each of its nodes.
    fn lumped_mass(&self) -> Vec<f64> {
        let eighth = self.density * self.edges().iter().product::<f64>() / 8.0;
        let mut mass = vec![0.0; self.elements.iter().map(|n| n + 1).product()];
        for node in self.connectivity().into_iter().flatten() {
            mass[node] += eighth;
        }
        mass
    }

    /// $M + \Delta t^2 K$.
    fn iteration_matrix(&self, mass: &[f64]) -> Csr {
        let k = stiffness(self.edges(), self.young, self.poisson);
        let mut m = Triplet::empty(3 * mass.len(), 3 * mass.len());
        for (i, x) in mass.iter().enumerate() {
            (0..3).for_each(|d| m.push(3 * i + d, 3 * i + d, *x));
        }
        for nodes in self.connectivity() {
            for row in 0..24 {
                for col in 0..24 {
                    let at = |l: usize| 3 * nodes[l / 3] + l % 3;
                    m.push(at(row), at(col), self.dt * self.dt * k[row][col]);
                }
            }
        }
        Csr::from(&m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::Delassus;

    fn block(elements: [usize; 3]) -> ElasticBlock {
        ElasticBlock { elements, ..Default::default() }
    }

    #[test]
    fn sizes_mass_and_bits() {
        for elements in [[1, 1, 1], [2, 3, 4], [4, 1, 2]] {
            let options = block(elements);
            let p = options.generate().unwrap();
            let [x, y, z] = elements.map(|n| n + 1);
            assert_eq!((p.contacts(), p.dofs()), (x * y, 3 * x * y * z));
            assert!((options.lumped_mass().iter().sum::<f64>() - 1000.0).abs() < 1e-9);
            assert_eq!(p.m.asymmetry(), 0.0);
            assert!(p.factor_mass().is_ok());
            assert_eq!(p, options.generate().unwrap());
        }
    }

    #[test]
    fn condensed_w_is_full_and_symmetric() {
        let p = block([3, 2, 3]).generate().unwrap();
        let (local, _) = p.condense().unwrap();
        assert_eq!(local.w.stored_blocks(), local.contacts() * local.contacts());
        // some tangential entries vanish by symmetry of the block, no normal one does
        assert!((0..12).all(|c| local.w.block_row(c).all(|(_, b)| b[0][0] != 0.0)));
        assert!(local.w.to_csr().asymmetry() < 1e-13);
        assert_eq!(local.w.contacts(), 12);
    }

    #[test]
    fn without_noise_the_block_falls_rigidly() {
        let p = ElasticBlock { noise: 0.0, tilt: 0.2, ..block([2, 2, 2]) }.generate().unwrap();
        let (local, _) = p.condense().unwrap();
        let g = gravity(0.2).unwrap().map(|g| 9.81e-3 * g);
        for q in &local.q {
            assert!((0..3).all(|d| (q[d] - [g[2], g[0], g[1]][d]).abs() < 1e-13));
        }
    }

    #[test]
    fn noisy_nodes_still_fall() {
        let (local, _) = block([4, 4, 4]).generate().unwrap().condense().unwrap();
        assert!(local.q.iter().all(|q| q[0] < -0.9 * 9.81e-3));
    }

    #[test]
    fn bad_options_are_refused() {
        let good = ElasticBlock::default;
        for bad in [
            ElasticBlock { elements: [0, 1, 1], ..good() },
            ElasticBlock { elements: [usize::MAX, 2, 2], ..good() },
            ElasticBlock { size: [1.0, -1.0, 1.0], ..good() },
            ElasticBlock { young: f64::NAN, ..good() },
            ElasticBlock { poisson: 0.5, ..good() },
            ElasticBlock { poisson: -1.0, ..good() },
            ElasticBlock { density: 0.0, ..good() },
            ElasticBlock { dt: f64::INFINITY, ..good() },
            ElasticBlock { mu: -0.1, ..good() },
            ElasticBlock { noise: -1.0, ..good() },
            ElasticBlock { tilt: f64::NAN, ..good() },
        ] {
            assert!(bad.generate().is_err(), "{bad:?}");
        }
        assert!(serde_json::from_str::<ElasticBlock>(r#"{"nu": 0.3}"#).is_err());
    }
}
