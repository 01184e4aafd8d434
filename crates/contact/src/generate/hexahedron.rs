//! The stiffness of a brick-shaped finite element with eight nodes.

/// Stiffness by rows: node n, direction i is row `3 n + i`.
pub(super) type Stiffness = [[f64; 24]; 24];

/// The corner of node `n`, as 0 or 1 along x, y, z.
pub(super) fn corner(n: usize) -> [usize; 3] {
    [n & 1, (n >> 1) & 1, n >> 2]
}

/// $K_{ai,bj} = \int \lambda\, \partial_i N_a \partial_j N_b
///            + G\, (\partial_j N_a \partial_i N_b + \delta_{ij} \nabla N_a \cdot \nabla N_b)$
/// with trilinear shape functions, integrated exactly by 2 x 2 x 2 Gauss points.
///
/// `edges` are the lengths along x, y, z. The result is symmetric to the last bit.
///
/// # Reference
/// Hughes, The finite element method, 1987, sections 3.2 and 3.8.
pub(super) fn stiffness(edges: [f64; 3], young: f64, poisson: f64) -> Stiffness {
    let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    let shear = young / (2.0 * (1.0 + poisson));
    let weight = edges[0] * edges[1] * edges[2] / 8.0;
    let mut k = [[0.0; 24]; 24];
    for point in 0..8 {
        let grad = gradients(edges, corner(point));
        for row in 0..24 {
            let (a, i) = (row / 3, row % 3);
            for col in 0..=row {
                let (b, j) = (col / 3, col % 3);
                let mut x = lambda * grad[a][i] * grad[b][j] + shear * grad[a][j] * grad[b][i];
                if i == j {
                    x += shear * crate::block::dot(&grad[a], &grad[b]);
                }
                k[row][col] += weight * x;
            }
        }
    }
    for row in 0..24 {
        for col in 0..row {
            k[col][row] = k[row][col];
        }
    }
    k
}

/// Gradients of the eight shape functions at the Gauss point next to a corner.
fn gradients(edges: [f64; 3], point: [usize; 3]) -> [[f64; 3]; 8] {
    let g = 1.0 / 3f64.sqrt();
    let xi = point.map(|p| if p == 1 { g } else { -g });
    std::array::from_fn(|n| {
        let sign = corner(n).map(|c| if c == 1 { 1.0 } else { -1.0 });
        let factor: [f64; 3] = std::array::from_fn(|i| 0.5 * (1.0 + sign[i] * xi[i]));
        std::array::from_fn(|i| sign[i] / edges[i] * factor[(i + 1) % 3] * factor[(i + 2) % 3])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [f64; 3] = [0.5, 0.8, 1.25];

    /// Displacements `u(x)` at the nodes.
    fn nodal(u: impl Fn([f64; 3]) -> [f64; 3]) -> [f64; 24] {
        std::array::from_fn(|row| {
            let c = corner(row / 3);
            u(std::array::from_fn(|i| c[i] as f64 * EDGES[i]))[row % 3]
        })
    }

    fn force(u: &[f64; 24]) -> [f64; 24] {
        let k = stiffness(EDGES, 100.0, 0.3);
        std::array::from_fn(|row| crate::block::dot(&k[row], u))
    }

    #[test]
    fn rigid_motions_cost_nothing() {
        let moved = nodal(|_| [1.0, -2.0, 0.5]);
        let turned = nodal(|x| [-0.3 * x[1] + 0.2 * x[2], 0.3 * x[0] - 0.1 * x[2], -0.2 * x[0] + 0.1 * x[1]]);
        for u in [moved, turned] {
            assert!(force(&u).iter().all(|f| f.abs() < 1e-12));
        }
    }

    #[test]
    fn energies_of_uniform_strain() {
        let volume: f64 = EDGES.iter().product();
        let (lambda, shear) = (100.0 * 0.3 / (1.3 * 0.4), 100.0 / 2.6);
        let stretched = nodal(|x| [0.0, 0.0, 0.01 * x[2]]);
        let sheared = nodal(|x| [0.01 * x[1], 0.0, 0.0]);
        for (u, modulus) in [(stretched, lambda + 2.0 * shear), (sheared, shear)] {
            let energy = 0.5 * crate::block::dot(&u, &force(&u));
            let expected = 0.5 * modulus * 1e-4 * volume;
            assert!((energy / expected - 1.0).abs() < 1e-12);
        }
    }
}
