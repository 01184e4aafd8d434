//! How a contact couples two rigid bodies: a frame, and an arm on either.

use super::Bodies;

/// A contact between rigid bodies, in the axes of the world; what lies in a plane has nothing along z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link<const D: usize> {
    /// The bodies, by the order of their degrees of freedom in the state; `None` for one that never moves.
    pub bodies: [Option<u32>; 2],
    /// The arms from their centres to the contact.
    pub arms: [[f64; 3]; 2],
    /// The directions in which impulses act on the first body, and against which on the second.
    pub frame: [[f64; 3]; D],
}

/// The rows of H^T on one body.
type BodyRows<const D: usize, const B: usize> = [[f64; B]; D];

impl<const D: usize> Link<D> {
    /// The same contact, its second body first.
    pub fn turned(self) -> Self {
        let Self { bodies: [a, b], arms: [arm_a, arm_b], frame } = self;
        Self { bodies: [b, a], arms: [arm_b, arm_a], frame: frame.map(|e| e.map(|x| -x)) }
    }

    /// Reads contact c off its rows of H^T; `None` where they are not those of one or two rigid bodies.
    pub fn read<B: Bodies<D> + ?Sized>(bodies: &B, c: usize) -> Option<Self> {
        if D == 2 { Self::read_rows::<3, B>(bodies, c) } else { Self::read_rows::<6, B>(bodies, c) }
    }

    fn read_rows<const N: usize, B: Bodies<D> + ?Sized>(bodies: &B, c: usize) -> Option<Self> {
        let (mut found, mut rows, mut others) = ([None; 2], [[[0.0; N]; D]; 2], false);
        bodies.jacobian(c, &mut |d, dof, x| {
            let body = (dof / N) as u32;
            let place = found.iter_mut().position(|b| *b.get_or_insert(body) == body);
            match place {
                Some(k) => rows[k][d][dof % N] = x,
                None => others = true,
            }
        });
        if others || found[0].is_none() {
            return None;
        }
        let second = if found[1].is_some() { arm(&rows[1])? } else { [0.0; 3] };
        let directions = N.min(3) - usize::from(N == 3);
        let frame = rows[0].map(|row| std::array::from_fn(|i| if i < directions { row[i] } else { 0.0 }));
        Some(Self { bodies: found, arms: [arm(&rows[0])?, second], frame })
    }
}

/// The arm from the centre of a body to the contact, when its rows have the usual form `[e, arm x e]`.
///
/// Over an orthonormal frame it is `1/2 sum e x (arm x e)` in space and the sum of `(arm x e) e^perp` in the plane.
pub(crate) fn arm<const D: usize, const B: usize>(rows: &BodyRows<D, B>) -> Option<[f64; 3]> {
    let frame = |k: usize| (0..if B == 3 { 2 } else { 3 }).map(move |i| rows[k][i]);
    let unit = |k: usize| (frame(k).map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-6;
    match (B, D) {
        (3, _) if unit(0) && unit(1) => Some((0..2).fold([0.0; 3], |a, k| {
            let ([x, y], turn) = ([rows[k][0], rows[k][1]], rows[k][2]);
            [a[0] + turn * y, a[1] - turn * x, 0.0]
        })),
        (6, 3 | 5) if (0..3).all(unit) => Some((0..3).fold([0.0; 3], |a, k| {
            let (e, t) = ([rows[k][0], rows[k][1], rows[k][2]], [rows[k][3], rows[k][4], rows[k][5]]);
            let turn = [e[1] * t[2] - e[2] * t[1], e[2] * t[0] - e[0] * t[2], e[0] * t[1] - e[1] * t[0]];
            std::array::from_fn(|i| a[i] + 0.5 * turn[i])
        })),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{RandomSparse, SphereLattice};
    use crate::operator::body_dofs;
    use crate::problem::LocalProblem;

    /// The velocity at a contact from arms is that of the rows of H^T.
    fn agrees<const D: usize>(w: &dyn Bodies<D>, contacts: usize) {
        let width = body_dofs::<D>();
        let v = |dof: usize| (1.7 * dof as f64).sin();
        for c in 0..contacts {
            let (link, mut u) = (w.link(c).unwrap(), [0.0; D]);
            w.jacobian(c, &mut |d, dof, x| u[d] += x * v(dof));
            let mut point = [0.0; 3];
            for (k, sign) in [(0, 1.0), (1, -1.0)] {
                let Some(body) = link.bodies[k].map(|b| width * b as usize) else { continue };
                let (velocity, omega) = match width {
                    3 => ([v(body), v(body + 1), 0.0], [0.0, 0.0, v(body + 2)]),
                    _ => ([0, 1, 2].map(|i| v(body + i)), [3, 4, 5].map(|i| v(body + i))),
                };
                let a = link.arms[k];
                let turn = [
                    omega[1] * a[2] - omega[2] * a[1],
                    omega[2] * a[0] - omega[0] * a[2],
                    omega[0] * a[1] - omega[1] * a[0],
                ];
                (0..3).for_each(|i| point[i] += sign * (velocity[i] + turn[i]));
            }
            for d in 0..D {
                let along: f64 = (0..3).map(|i| link.frame[d][i] * point[i]).sum();
                assert!((along - u[d]).abs() < 1e-12, "{c} {d}: {along} {}", u[d]);
            }
        }
    }

    #[test]
    fn arms_say_what_rows_say() {
        let lattice = SphereLattice { nx: 3, ny: 2, nz: 3, ..SphereLattice::default() };
        let spheres = lattice.spheres().unwrap();
        agrees(&spheres.w, spheres.contacts());
        let files = LocalProblem::matrix_free(&lattice.global().unwrap()).unwrap().unwrap();
        agrees(&files.w, files.contacts());
        let random = RandomSparse { contacts: 30, bodies: 12, ..RandomSparse::default() };
        let plane = LocalProblem::matrix_free(&random.global::<2>().unwrap()).unwrap().unwrap();
        agrees(&plane.w, plane.contacts());
    }

    #[test]
    fn balls_have_their_own_way_to_the_same_link() {
        let spheres = SphereLattice { nx: 3, ny: 3, nz: 3, ..SphereLattice::default() }.spheres().unwrap();
        for c in 0..spheres.contacts() {
            let (own, read) = (spheres.w.link(c).unwrap(), Link::read(&spheres.w, c).unwrap());
            assert_eq!((own.bodies, own.frame), (read.bodies, read.frame));
            let moves = |k: usize| own.bodies[k].is_some();
            assert!(
                (0..2).filter(|&k| moves(k)).all(|k| (0..3).all(|i| (own.arms[k][i] - read.arms[k][i]).abs() < 1e-12))
            );
        }
    }
}
