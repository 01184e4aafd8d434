//! M by bodies, times the mean diagonal of W: numbers near 1.

use super::links::Motion;
use crate::multigrid::mass_blocks;
use crate::multigrid::small::{self, Small, mul_add, zero};
use crate::operator::Bodies;

/// The masses of all bodies.
#[derive(Debug, Clone, Default)]
pub(super) struct Masses {
    diagonal: Vec<Motion>,
    /// Whole blocks, where one of them is more than its diagonal.
    blocks: Vec<Small<6>>,
}

/// The inverse of one.
pub(super) enum InverseMass {
    Diagonal(Motion),
    Block(Small<6>),
}

/// Degrees of freedom of a body, and where they are among six.
pub(super) fn places(plane: bool) -> &'static [usize] {
    if plane { &[0, 1, 5] } else { &[0, 1, 2, 3, 4, 5] }
}

impl Masses {
    /// Times w, lengths measured by `length`; `None` where M couples two bodies.
    pub fn new<const D: usize>(bodies: &dyn Bodies<D>, w: f64, length: f64) -> Option<Self> {
        let (dofs, per_length) = (places(D == 2).len(), 1.0 / length);
        if let Some(m) = bodies.diagonal_mass() {
            let diagonal = m.chunks_exact(dofs).map(|m| spread(m, w, per_length)).collect();
            return m.len().is_multiple_of(dofs).then_some(Self { diagonal, blocks: Vec::new() });
        }
        let m = bodies.mass();
        let blocks: Vec<Small<6>> = match D {
            2 => mass_blocks::<3>(&m)?.iter().map(|m| in_space(m, w, per_length)).collect(),
            _ => mass_blocks::<6>(&m)?.iter().map(|m| in_space(m, w, per_length)).collect(),
        };
        let diagonal = blocks.iter().map(|m| std::array::from_fn(|i| m[i][i])).collect();
        let blocks = if blocks.iter().all(small::is_diagonal) { Vec::new() } else { blocks };
        Some(Self { diagonal, blocks })
    }

    pub fn len(&self) -> usize {
        self.diagonal.len()
    }

    /// The diagonal of every body.
    pub fn diagonals(&self) -> &[Motion] {
        &self.diagonal
    }

    /// The momentum of a body that moves with v.
    #[inline(always)]
    pub fn times(&self, body: usize, v: &Motion) -> Motion {
        let Some(block) = self.blocks.get(body) else {
            let m = &self.diagonal[body];
            return std::array::from_fn(|i| m[i] * v[i]);
        };
        let mut momentum = [0.0; 6];
        mul_add(block, v, &mut momentum);
        momentum
    }

    #[inline(always)]
    pub fn inverse(&self, body: usize) -> InverseMass {
        match self.blocks.get(body) {
            Some(block) => InverseMass::Block(small::inverse(block)),
            None => InverseMass::Diagonal(self.diagonal[body].map(|m| if m > 0.0 { 1.0 / m } else { 0.0 })),
        }
    }
}

impl InverseMass {
    /// The change of motion that a momentum makes.
    #[inline(always)]
    pub fn times(&self, momentum: &Motion) -> Motion {
        match self {
            Self::Diagonal(m) => std::array::from_fn(|i| m[i] * momentum[i]),
            Self::Block(block) => {
                let mut v = [0.0; 6];
                mul_add(block, momentum, &mut v);
                v
            }
        }
    }
}

/// The unit of a degree of freedom, lengths measured by `1 / per_length`.
fn unit(i: usize, per_length: f64) -> f64 {
    if i < 3 { 1.0 } else { per_length }
}

/// The diagonal of a block of M times w, with 1 for what cannot move in a plane.
fn spread(m: &[f64], w: f64, per_length: f64) -> Motion {
    let mut diagonal = [1.0; 6];
    for (&m, &to) in m.iter().zip(places(m.len() == 3)) {
        diagonal[to] = (w * m * unit(to, per_length).powi(2)) as f32;
    }
    diagonal
}

/// The whole block.
fn in_space<const B: usize>(m: &Small<B>, w: f64, per_length: f64) -> Small<6> {
    let (places, mut block) = (places(B == 3), zero::<6>());
    if B == 3 {
        (0..6).for_each(|i| block[i][i] = 1.0);
    }
    let unit = |i: usize| unit(i, per_length);
    for (j, &to_j) in places.iter().enumerate() {
        for (i, &to_i) in places.iter().enumerate() {
            block[to_j][to_i] = (w * f64::from(m[j][i]) * unit(to_i) * unit(to_j)) as f32;
        }
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{RandomSparse, SphereLattice};
    use crate::operator::Delassus;
    use crate::problem::LocalProblem;

    /// Momentum and back, and what M says of unit motions.
    fn check<const D: usize>(bodies: &dyn Bodies<D>, (w, length): (f64, f64)) -> Masses {
        let (masses, m) = (Masses::new(bodies, w, length).unwrap(), bodies.mass());
        let places = places(D == 2);
        for (body, (j, &to_j)) in (0..masses.len()).flat_map(|b| places.iter().enumerate().map(move |p| (b, p))) {
            let v: Motion = std::array::from_fn(|i| if i == to_j { 1.0 } else { 0.0 });
            let momentum = masses.times(body, &v);
            let back = masses.inverse(body).times(&momentum);
            assert!((0..6).all(|i| (back[i] - v[i]).abs() < 1e-5), "{body} {j}: {back:?}");
            for (i, &to_i) in places.iter().enumerate() {
                let entry = m.row(body * places.len() + i).filter(|e| e.0 == body * places.len() + j).map(|e| e.1);
                let expected = w * entry.sum::<f64>() * unit(to_i, 1.0 / length) * unit(to_j, 1.0 / length);
                assert!((f64::from(momentum[to_i]) - expected).abs() < 1e-6 * w, "{body} {i} {j}");
            }
        }
        masses
    }

    #[test]
    fn diagonals_and_blocks_are_those_of_m() {
        let spheres = SphereLattice { nx: 2, ny: 2, nz: 2, ..SphereLattice::default() }.spheres().unwrap();
        assert!(check::<3>(&spheres.w, (0.7, 0.5)).blocks.is_empty());
        let random = RandomSparse { contacts: 12, bodies: 6, ..RandomSparse::default() };
        let plane = LocalProblem::matrix_free(&random.global::<2>().unwrap()).unwrap().unwrap();
        check(plane.w.bodies().unwrap(), (0.7, 0.5));
        let space = LocalProblem::matrix_free(&random.global::<3>().unwrap()).unwrap().unwrap();
        check(space.w.bodies().unwrap(), (0.7, 0.5));
    }
}
