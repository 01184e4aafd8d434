//! A running-bond wall of bricks.

use serde::{Deserialize, Serialize};

use super::error::{GenerateError, count, memory, within};
use super::gravity::gravity;
use super::random::Random;
use super::rigid_assembly::{ENTRY_BYTES, RigidAssembly, point_row};
use crate::block::sub;
use crate::cone::Cone;
use crate::problem::GlobalProblem;

/// Upper bound of the contact points a brick: two bed joints, one head joint, four points each, and the floor.
const POINTS: f64 = 16.0;
/// Bytes a contact besides H.
const CONTACT_BYTES: f64 = 200.0;

/// `columns x courses` bricks of mass 1 in running bond in the plane x-z, on a floor.
///
/// Odd courses are shifted by half a brick towards +x, so that every brick rests on two below (the last brick of
/// an odd course and the first of an even one on one). Every joint has four contact points at its corners:
/// $4 (\mathrm{courses} - 1)(2\,\mathrm{columns} - 1)$ in the bed joints, $4\,\mathrm{courses}\,(\mathrm{columns} - 1)$
/// in the head joints, $4\,\mathrm{columns}$ at the floor. Gravity times the time step is 1.
///
/// The degrees of freedom are `[v, omega]` of one brick after the other, row by row from below. The normal points
/// up or to +x: from the lower or left brick (or the floor) to the upper or right one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BoxWall {
    /// Bricks in a course, along x.
    pub columns: usize,
    /// Courses, along z.
    pub courses: usize,
    /// Edges of a brick along x, y, z, any unit of length; 1e-6 to 1e6.
    pub size: [f64; 3],
    /// Standard deviation of each component of the free v and omega, relative to the velocity 1 of gravity.
    pub noise: f64,
    /// Coefficient of friction of all contacts.
    pub mu: f64,
    /// Angle of gravity from -z towards +x, radian, at most a right angle.
    pub tilt: f64,
    /// Seed of the noise.
    pub seed: u64,
}

impl Default for BoxWall {
    fn default() -> Self {
        Self { columns: 10, courses: 10, size: [2.0, 1.0, 1.0], noise: 0.01, mu: 0.5, tilt: 0.0, seed: 1 }
    }
}

/// Four points with a common normal between brick `a` and brick `b`, or the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Joint {
    a: usize,
    b: Option<usize>,
    /// Normal from b to a, then two tangents, right-handed.
    frame: [[f64; 3]; 3],
    points: [[f64; 3]; 4],
}

/// Normal +z, tangents +x and +y.
const BED: [[f64; 3]; 3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// Normal +x, tangents +y and +z.
const HEAD: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl BoxWall {
    /// The global problem.
    pub fn generate(&self) -> Result<GlobalProblem<3>, GenerateError> {
        self.check()?;
        let down = gravity(self.tilt)?;
        let bricks = self.columns * self.courses;
        let [x2, y2, z2] = self.size.map(|s| s * s / 12.0);
        // density such that the mass is 1: I_x = (b^2 + c^2) / 12 and so on
        let brick = [1.0, 1.0, 1.0, y2 + z2, z2 + x2, x2 + y2];
        let mut assembly = RigidAssembly::new(brick.into_iter().cycle().take(6 * bricks).collect());
        let joints = self.joints();
        for joint in &joints {
            self.push_joint(&mut assembly, joint);
        }
        let mut rng = Random::new(self.seed);
        let free: Vec<f64> = (0..bricks)
            .flat_map(|_| [down[0], down[1], down[2], 0.0, 0.0, 0.0])
            .map(|v| v + self.noise * rng.normal())
            .collect();
        assembly.finish(&free, vec![Cone::Coulomb { mu: self.mu }; 4 * joints.len()])
    }

    fn check(&self) -> Result<(), GenerateError> {
        count("columns", self.columns, 1)?;
        count("courses", self.courses, 1)?;
        for edge in self.size {
            within("size", edge, 1e-6, 1e6)?;
        }
        within("noise", self.noise, 0.0, 1e6)?;
        within("mu", self.mu, 0.0, f64::MAX)?;
        let bytes = CONTACT_BYTES + 36.0 * ENTRY_BYTES;
        memory(self.columns as f64 * self.courses as f64 * POINTS * bytes)
    }

    /// Centre of brick `i` of course `k`.
    fn centre(&self, i: usize, k: usize) -> [f64; 3] {
        let x = i as f64 + 0.5 + 0.5 * (k % 2) as f64;
        [self.size[0] * x, 0.0, self.size[2] * (k as f64 + 0.5)]
    }

    /// All joints in brick order: below, then to the left.
    fn joints(&self) -> Vec<Joint> {
        let mut joints = Vec::new();
        for k in 0..self.courses {
            for i in 0..self.columns {
                let a = i + self.columns * k;
                if k == 0 {
                    joints.push(Joint { a, b: None, frame: BED, points: self.bed_points(i as f64, 1.0, 0.0) });
                } else {
                    // an odd course stands half a brick to the right of the one below
                    let (left, right) = if k % 2 == 1 { (Some(i), Some(i + 1)) } else { (i.checked_sub(1), Some(i)) };
                    let start = i as f64 + 0.5 * (k % 2) as f64;
                    for (below, start) in [(left, start), (right, start + 0.5)] {
                        let Some(j) = below.filter(|&j| j < self.columns) else { continue };
                        let points = self.bed_points(start, 0.5, k as f64);
                        joints.push(Joint { a, b: Some(j + self.columns * (k - 1)), frame: BED, points });
                    }
                }
                if i > 0 {
                    joints.push(Joint { a, b: Some(a - 1), frame: HEAD, points: self.head_points(i, k) });
                }
            }
        }
        joints
    }

    /// Corners of a horizontal joint that begins at `start` bricks, `length` bricks long, `height` bricks up.
    fn bed_points(&self, start: f64, length: f64, height: f64) -> [[f64; 3]; 4] {
        let [l, d, h] = self.size;
        let (x0, x1, y, z) = (l * start, l * (start + length), 0.5 * d, h * height);
        [[x0, -y, z], [x1, -y, z], [x1, y, z], [x0, y, z]]
    }

    /// Corners of the face between bricks `i - 1` and `i` of course `k`.
    fn head_points(&self, i: usize, k: usize) -> [[f64; 3]; 4] {
        let [l, d, h] = self.size;
        let (x, y) = (l * (i as f64 + 0.5 * (k % 2) as f64), 0.5 * d);
        let (z0, z1) = (h * k as f64, h * (k + 1) as f64);
        [[x, -y, z0], [x, y, z0], [x, y, z1], [x, -y, z1]]
    }

    /// The twelve rows of H^T of a joint.
    fn push_joint(&self, assembly: &mut RigidAssembly, joint: &Joint) {
        for point in &joint.points {
            for e in &joint.frame {
                let entries = [(Some(joint.a), 1.0), (joint.b, -1.0)].into_iter().flat_map(|(body, sign)| {
                    body.into_iter().flat_map(move |b| {
                        let arm = sub(point, &self.centre(b % self.columns, b / self.columns));
                        point_row(e, &arm).into_iter().enumerate().map(move |(i, x)| (6 * b + i, sign * x))
                    })
                });
                assembly.push_row(entries);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rigid_assembly::cross;
    use super::*;
    use crate::block::norm;
    use crate::operator::MatrixFree;

    fn wall(columns: usize, courses: usize) -> BoxWall {
        BoxWall { columns, courses, ..Default::default() }
    }

    #[test]
    fn contact_counts_by_closed_form() {
        for (n, m) in [(1, 1), (1, 5), (6, 1), (3, 4), (10, 10)] {
            let p = wall(n, m).generate().unwrap();
            assert_eq!(p.contacts(), 4 * ((m - 1) * (2 * n - 1) + m * (n - 1) + n), "{n} {m}");
            assert_eq!(p.dofs(), 6 * n * m);
        }
        assert_eq!(wall(10, 10).generate().unwrap().contacts(), 1084);
    }

    #[test]
    fn same_bits_twice() {
        let w = BoxWall { tilt: 0.2, ..wall(4, 3) };
        assert_eq!(w.generate().unwrap(), w.generate().unwrap());
        assert_ne!(w.generate().unwrap().f, BoxWall { seed: 2, ..w }.generate().unwrap().f);
    }

    #[test]
    fn points_lie_on_both_bricks() {
        let w = BoxWall { size: [2.5, 0.8, 1.2], ..wall(3, 4) };
        for joint in w.joints() {
            for b in [Some(joint.a), joint.b].into_iter().flatten() {
                let centre = w.centre(b % 3, b / 3);
                for p in &joint.points {
                    let arm = sub(p, &centre);
                    assert!((0..3).all(|i| arm[i].abs() < 0.5 * w.size[i] + 1e-12), "{joint:?}");
                }
            }
            let normal = joint.frame[0];
            let towards_a = sub(&w.centre(joint.a % 3, joint.a / 3), &joint.points[0]);
            assert!((0..3).map(|i| normal[i] * towards_a[i]).sum::<f64>() > 0.0);
            assert_eq!(cross(&joint.frame[0], &joint.frame[1]), joint.frame[2]);
        }
    }

    #[test]
    fn a_rigid_motion_of_the_wall_opens_and_slides_no_joint() {
        let w = wall(4, 5);
        let p = w.generate().unwrap();
        let (v, omega) = ([0.4, -0.1, 0.9], [0.5, 1.1, -0.4]);
        let motion: Vec<f64> = (0..20)
            .flat_map(|b| {
                let turn = cross(&omega, &w.centre(b % 4, b / 4));
                [v[0] + turn[0], v[1] + turn[1], v[2] + turn[2], omega[0], omega[1], omega[2]]
            })
            .collect();
        let u = p.relative_velocity(&motion);
        for (joint, u) in w.joints().iter().zip(u.chunks(4)) {
            for (x, u) in joint.points.iter().zip(u) {
                if joint.b.is_some() {
                    assert!(norm(u) < 1e-13);
                } else {
                    let turn = cross(&omega, x);
                    let expected = [v[2] + turn[2], v[0] + turn[0], v[1] + turn[1]];
                    assert!(norm(&sub(u, &expected)) < 1e-13);
                }
            }
        }
    }

    #[test]
    fn bricks_fall_onto_the_floor_and_w_is_symmetric() {
        let w = wall(4, 3);
        let p = w.generate().unwrap();
        let (local, _) = p.condense().unwrap();
        assert!(local.w.to_csr().asymmetry() < 1e-13);
        for (joint, q) in w.joints().iter().zip(local.q.chunks(4)).filter(|(j, _)| j.b.is_none()) {
            assert!(q.iter().all(|q| q[0] < -0.8), "{joint:?}");
        }
        let mass = p.factor_mass().unwrap();
        assert!(mass.is_block_diagonal() && MatrixFree::new(&p, &mass).is_some());
    }

    #[test]
    fn a_tilted_wall_slides() {
        let p = BoxWall { tilt: 0.5, noise: 0.0, ..wall(1, 1) }.generate().unwrap();
        let q = p.condense().unwrap().0.q;
        assert!(q.iter().all(|q| (q[0] + 0.5f64.cos()).abs() < 1e-12 && (q[1] - 0.5f64.sin()).abs() < 1e-12));
    }

    #[test]
    fn bad_options_are_refused() {
        let good = BoxWall::default;
        for bad in [
            BoxWall { columns: 0, ..good() },
            BoxWall { courses: usize::MAX, columns: usize::MAX, ..good() },
            BoxWall { mu: -0.1, ..good() },
            BoxWall { noise: f64::NAN, ..good() },
            BoxWall { size: [1.0, 0.0, 1.0], ..good() },
            BoxWall { size: [1.0, f64::NAN, 1.0], ..good() },
            BoxWall { tilt: 7.0, ..good() },
        ] {
            assert!(bad.generate().is_err(), "{bad:?}");
        }
        assert!(serde_json::from_str::<BoxWall>(r#"{"rows": 3}"#).is_err());
    }
}
