//! M and H one by one, for methods that work in the space of body velocities.

use super::Link;
use crate::matrix::Csr;

/// Degrees of freedom of a rigid body whose contacts have D rows.
pub(crate) const fn body_dofs<const D: usize>() -> usize {
    if D == 2 { 3 } else { 6 }
}

/// What is behind `W = H^T M^-1 H` when the operator still knows it.
///
/// The state of the operator is v; what never moves has the identity in M and nothing in H.
pub trait Bodies<const D: usize> {
    /// M, square of the length of the state.
    fn mass(&self) -> Csr;

    /// The diagonal of M, where it is known that there is nothing else.
    fn diagonal_mass(&self) -> Option<Vec<f64>> {
        None
    }

    /// Hands out the entries (row of the contact, degree of freedom, value) of the D rows of H^T of contact c.
    fn jacobian(&self, c: usize, entry: &mut dyn FnMut(usize, usize, f64));

    /// Contact c as one between rigid bodies; `None` where it is not.
    fn link(&self, c: usize) -> Option<Link<D>> {
        Link::read(self, c)
    }

    /// `v = M^-1 H r`.
    fn response(&self, r: &[[f64; D]], v: &mut [f64]);

    /// `u = H^T v`.
    fn relative_velocity(&self, v: &[f64], u: &mut [[f64; D]]);
}

/// A diagonal M.
pub(super) fn diagonal_mass(m: Vec<f64>) -> Csr {
    let n = m.len();
    Csr::new(n, n, (0..=n).collect(), (0..n as u32).collect(), m).expect("one entry a row")
}

#[cfg(test)]
mod tests {
    use crate::generate::{RandomSparse, SphereLattice};
    use crate::operator::{Bodies, Sweep};
    use crate::problem::LocalProblem;

    /// `H^T v` and `M (M^-1 H r) = H r`, entry by entry, are what the operator computes.
    fn check<const D: usize, W: Sweep<D> + Bodies<D>>(w: &W) {
        let (n, dofs) = (w.contacts(), w.state_len());
        let v: Vec<f64> = (0..dofs).map(|i| (i as f64).sin()).collect();
        let r: Vec<[f64; D]> = (0..n).map(|c| std::array::from_fn(|d| (c as f64 + 0.3 * d as f64).cos())).collect();
        let (mut hr, mut state) = (vec![0.0; dofs], vec![0.0; dofs]);
        // what never moves has no velocity
        let mut moving = vec![false; dofs];
        (0..n).for_each(|c| w.jacobian(c, &mut |_, i, _| moving[i] = true));
        let v: Vec<f64> = v.iter().zip(&moving).map(|(v, m)| if *m { *v } else { 0.0 }).collect();
        for c in 0..n {
            let mut u = [0.0; D];
            w.jacobian(c, &mut |d, i, x| {
                u[d] += x * v[i];
                hr[i] += x * r[c][d];
            });
            let row = w.row(c, &r, &v);
            assert!((0..D).all(|d| (u[d] - row[d]).abs() < 1e-12), "{c}: {u:?} {row:?}");
        }
        w.load(&r, &mut state);
        let back = w.mass().mul(&state);
        assert!(back.iter().zip(&hr).all(|(a, b)| (a - b).abs() < 1e-10));
    }

    #[test]
    fn entries_are_those_of_the_operator() {
        let lattice = SphereLattice { nx: 3, ny: 2, nz: 3, ..SphereLattice::default() };
        check(&lattice.spheres().unwrap().w);
        check(&LocalProblem::matrix_free(&lattice.global().unwrap()).unwrap().unwrap().w);
        let random = RandomSparse { contacts: 30, bodies: 12, ..RandomSparse::default() };
        check(&LocalProblem::matrix_free(&random.global::<2>().unwrap()).unwrap().unwrap().w);
        check(&LocalProblem::matrix_free(&random.global::<5>().unwrap()).unwrap().unwrap().w);
    }
}
