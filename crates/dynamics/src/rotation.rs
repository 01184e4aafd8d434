//! Orientations as unit quaternions `(w, x, y, z)`, in the plane too: there x = y = 0.

/// A unit quaternion `(w, x, y, z)`.
pub type Quaternion = [f64; 4];

/// Not turned.
pub const UPRIGHT: Quaternion = [1.0, 0.0, 0.0, 0.0];

/// The quaternion of a turn by `angle` (rad) about the third axis: an orientation of the plane.
pub fn plane_turn(angle: f64) -> Quaternion {
    let (s, c) = (0.5 * angle).sin_cos();
    [c, 0.0, 0.0, s]
}

/// The angle (rad) in (-pi, pi] of an orientation of the plane.
pub fn plane_angle(q: &Quaternion) -> f64 {
    let angle = 2.0 * q[3].atan2(q[0]);
    let turn = std::f64::consts::TAU;
    if angle > 0.5 * turn {
        angle - turn
    } else if angle <= -0.5 * turn {
        angle + turn
    } else {
        angle
    }
}

/// The product `a b`: first the turn b, then the turn a.
#[inline(always)]
pub fn product(a: &Quaternion, b: &Quaternion) -> Quaternion {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// The quaternion scaled to length one; upright when it has no length.
pub fn normalised(q: Quaternion) -> Quaternion {
    let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if n > 0.0 && n.is_finite() { q.map(|x| x / n) } else { UPRIGHT }
}

/// The rotation matrix by rows; its leading `N` rows and columns.
#[inline(always)]
pub fn matrix<const N: usize>(q: &Quaternion) -> [[f64; N]; N] {
    let [w, x, y, z] = *q;
    let full = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ];
    std::array::from_fn(|i| std::array::from_fn(|j| full[i][j]))
}

/// The quaternion of a rotation matrix (Shepperd's choice of the largest component).
pub fn from_matrix(m: &[[f64; 3]; 3]) -> Quaternion {
    let t = [
        m[0][0] + m[1][1] + m[2][2],
        m[0][0] - m[1][1] - m[2][2],
        m[1][1] - m[0][0] - m[2][2],
        m[2][2] - m[0][0] - m[1][1],
    ];
    let k = (0..4).fold(0, |k, i| if t[i] > t[k] { i } else { k });
    let (a, b, c) = (m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]);
    let (d, e, f) = (m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] + m[2][1]);
    let s = 1.0 + t[k];
    normalised(match k {
        0 => [s, a, b, c],
        1 => [a, s, d, e],
        2 => [b, d, s, f],
        _ => [c, e, f, s],
    })
}

/// `exp(phi) q`: the orientation turned by the rotation vector `phi` (rad) of the world.
#[inline(always)]
pub fn turned(q: &Quaternion, phi: &[f64; 3]) -> Quaternion {
    let square = phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2];
    if square == 0.0 {
        return *q;
    }
    // sin(x/2)/x by its series where it is exact to the last bit: no division by a small angle
    let (s, c) = if square < 1e-5 {
        (0.5 - square * (1.0 / 48.0 - square / 3840.0), 1.0 - square * (0.125 - square * (1.0 / 384.0)))
    } else {
        let angle = square.sqrt();
        let (s, c) = (0.5 * angle).sin_cos();
        (s / angle, c)
    };
    let p = product(&[c, s * phi[0], s * phi[1], s * phi[2]], q);
    // one Newton step of the inverse square root: the product is at length one but for rounding
    let n = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
    let k = 1.5 - 0.5 * n;
    p.map(|x| x * k)
}

/// `R x`.
#[inline(always)]
pub fn rotate(r: &[[f64; 3]; 3], x: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| r[i][0] * x[0] + r[i][1] * x[1] + r[i][2] * x[2])
}

/// `R^T x`.
#[inline(always)]
pub fn rotate_back(r: &[[f64; 3]; 3], x: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| r[0][i] * x[0] + r[1][i] * x[1] + r[2][i] * x[2])
}

/// `a x b`.
#[inline(always)]
pub fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Principal moments and axes of a symmetric tensor: `tensor = R diag(moments) R^T`, R a rotation.
///
/// Jacobi's method: turns that zero one off-diagonal entry at a time until none is left.
pub fn principal_axes(tensor: &[[f64; 3]; 3]) -> ([f64; 3], [[f64; 3]; 3]) {
    let mut a = *tensor;
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let scale = a[0][0].abs() + a[1][1].abs() + a[2][2].abs();
    for _ in 0..60 {
        let off = |i: usize, j: usize| a[i][j].abs();
        let (p, q) = [(0, 1), (0, 2), (1, 2)]
            .into_iter()
            .fold((0, 1), |best, pair| if off(pair.0, pair.1) > off(best.0, best.1) { pair } else { best });
        if off(p, q) <= f64::EPSILON * scale {
            break;
        }
        let tau = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
        let t = 1.0f64.copysign(tau) / (tau.abs() + (1.0 + tau * tau).sqrt());
        let c = 1.0 / (1.0 + t * t).sqrt();
        let s = t * c;
        for k in 0..3 {
            let (x, y) = (a[k][p], a[k][q]);
            (a[k][p], a[k][q]) = (c * x - s * y, s * x + c * y);
        }
        for k in 0..3 {
            let (x, y) = (a[p][k], a[q][k]);
            (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
        }
        for row in &mut axes {
            let (x, y) = (row[p], row[q]);
            (row[p], row[q]) = (c * x - s * y, s * x + c * y);
        }
    }
    ([a[0][0], a[1][1], a[2][2]], axes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_by_steps_is_turning_at_once() {
        let phi = [0.3, -0.5, 0.7];
        let mut q = UPRIGHT;
        for _ in 0..1000 {
            q = turned(&q, &phi.map(|x| x / 1000.0));
        }
        let once = turned(&UPRIGHT, &phi);
        assert!(q.iter().zip(&once).all(|(a, b)| (a - b).abs() < 1e-13), "{q:?} {once:?}");
        assert!((q.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-14);
        let back = from_matrix(&matrix::<3>(&once));
        assert!(back.iter().zip(&once).all(|(a, b)| (a - b).abs() < 1e-15));
    }

    #[test]
    fn the_series_of_small_turns_meets_the_sine() {
        for angle in [1e-9, 1e-4, 3.1e-3, 3.3e-3] {
            let q = turned(&UPRIGHT, &[0.0, 0.0, angle]);
            assert!((q[3] - (0.5 * angle).sin()).abs() < 1e-17 + 2e-16 * angle, "{angle}");
        }
        assert!(
            (plane_angle(&turned(&plane_turn(3.0), &[0.0, 0.0, 0.5])) - (3.5 - std::f64::consts::TAU)).abs() < 1e-14
        );
    }

    #[test]
    fn principal_axes_rebuild_the_tensor() {
        let tensor = [[2.0, 0.3, -0.1], [0.3, 1.0, 0.4], [-0.1, 0.4, 3.0]];
        let (m, r) = principal_axes(&tensor);
        for i in 0..3 {
            for j in 0..3 {
                let x: f64 = (0..3).map(|k| r[i][k] * m[k] * r[j][k]).sum();
                assert!((x - tensor[i][j]).abs() < 1e-14);
            }
        }
        let c = cross(&[r[0][0], r[1][0], r[2][0]], &[r[0][1], r[1][1], r[2][1]]);
        assert!((0..3).all(|i| (c[i] - r[i][2]).abs() < 1e-14));
    }
}
