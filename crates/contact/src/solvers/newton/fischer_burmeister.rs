//! The Fischer–Burmeister function of one contact.

use crate::block::{Block, norm, solve, zero};
use crate::cone::Cone;
use crate::one_contact::alart_curnier::Linearised;

/// Below this a coefficient of friction counts as none: P = diag(1, mu, mu) would not be invertible in f64.
const NO_FRICTION: f64 = 1e-12;

/// The rows of the second-order cone of a contact: all of N, T with friction, N alone without.
fn cone_rows<const D: usize>(cone: &Cone) -> (usize, f64) {
    let friction = cone.discs::<D>()[0];
    if friction.slope > NO_FRICTION { (1 + friction.len, friction.slope) } else { (1, 1.0) }
}

/// `rho = 1 / mean diag(P W_cc P)` on the rows of the cone.
pub(super) fn step_size<const D: usize>(w: &Block<D>, cone: &Cone) -> f64 {
    let (rows, mu) = cone_rows::<D>(cone);
    let sum = w[0][0] + (1..rows).map(|d| mu * mu * w[d][d]).sum::<f64>();
    rows as f64 / sum
}

/// $$ \Phi = x + y - (x \circ x + y \circ y)^{1/2}, \qquad x = P^{-1} r,\quad y = \rho\,(P u + \|(P u)_T\| N),
///    \quad P = \mathrm{diag}(1, \mu, \mu), $$
/// in the Jordan algebra of the second-order cone: zero where x and y are in the cone and orthogonal. Coulomb and
/// frictionless contacts; rows outside the cone get $\Phi = r$. Rolling friction (an intersection of two cones) and
/// Tresca friction (a cylinder) are not second-order cones: [`super::Formulation::treats`] says so.
///
/// # Reference
/// Fukushima, Luo & Tseng 2001; [D, NSN-FB].
pub(super) fn linearise<const D: usize>(cone: &Cone, rho: &[f64; D], r: &[f64; D], u: &[f64; D]) -> Linearised<D> {
    let (rows, mu) = cone_rows::<D>(cone);
    let rho = rho[0];
    let scale = |d: usize| if d == 0 { 1.0 } else { mu };
    let (mut x, mut y) = ([0.0; D], [0.0; D]);
    for d in 0..rows {
        x[d] = r[d] / scale(d);
        y[d] = rho * scale(d) * u[d];
    }
    let sliding = norm(&y[1..rows]);
    let direction: [f64; D] =
        std::array::from_fn(|d| if d > 0 && d < rows && sliding > 0.0 { y[d] / sliding } else { 0.0 });
    y[0] += sliding;
    let (s, by_x, by_y) = root_of_squares(&x, &y, rows);
    let mut l = Linearised::no_impulse(r);
    for i in 0..rows {
        l.phi[i] = x[i] + y[i] - s[i];
        for j in 0..rows {
            let delta = if i == j { 1.0 } else { 0.0 };
            l.b[i][j] = (delta - by_x[i][j]) / scale(j);
            // y_N depends on every tangential component through the shift
            let normal = if i == 0 { 1.0 } else { 0.0 } - by_y[i][0];
            l.a[i][j] = rho * scale(j) * (delta - by_y[i][j] + normal * direction[j]);
        }
    }
    l
}

/// `s = (x o x + y o y)^(1/2)` with `ds/dx = L_s^-1 L_x` and `ds/dy = L_s^-1 L_y`, L the arrow matrix.
///
/// Where L_s is singular (x and y on one ray of the boundary) its small eigenvalue is lifted: a nearby element.
fn root_of_squares<const D: usize>(x: &[f64; D], y: &[f64; D], rows: usize) -> ([f64; D], Block<D>, Block<D>) {
    let mut axis = [0.0; D];
    for d in 1..rows {
        axis[d] = x[0] * x[d] + y[0] * y[d];
    }
    let length = norm(&axis);
    if length > 0.0 {
        axis.iter_mut().for_each(|a| *a /= length);
    } else if rows > 1 {
        axis[1] = 1.0;
    }
    // eigenvalues of s, as sums of squares: no cancellation
    let eigenvalue = |sign: f64| {
        let square = |x: &[f64; D]| {
            let along: f64 = (1..rows).map(|d| axis[d] * x[d]).sum();
            let across: f64 = (1..rows).map(|d| (x[d] - along * axis[d]).powi(2)).sum();
            (x[0] + sign * along).powi(2) + across
        };
        (square(x) + square(y)).sqrt()
    };
    let (high, low) = if rows > 1 { (eigenvalue(1.0), eigenvalue(-1.0)) } else { (x[0].hypot(y[0]), x[0].hypot(y[0])) };
    let spectral = |high: f64, low: f64| {
        let mut s = axis.map(|a| 0.5 * (high - low) * a);
        s[0] = 0.5 * (high + low);
        s
    };
    let s = spectral(high, low);
    let largest = high.max(low);
    if largest == 0.0 {
        // at the apex of both: the element (1, 1)/sqrt 2
        let mut identity = zero::<D>();
        (0..D).for_each(|d| identity[d][d] = std::f64::consts::FRAC_1_SQRT_2);
        return (s, identity, identity);
    }
    let floor = 1e-12 * largest;
    let arrow = arrow_matrix(&spectral(high.max(floor), low.max(floor)), rows);
    let derivative = |x: &[f64; D]| {
        let columns = arrow_matrix(x, rows);
        let mut out = zero::<D>();
        for j in 0..rows {
            let column = std::array::from_fn(|i| if i < rows { columns[i][j] } else { 0.0 });
            if let Some(solved) = solve(arrow, column) {
                (0..rows).for_each(|i| out[i][j] = solved[i]);
            }
        }
        out
    };
    (s, derivative(x), derivative(y))
}

/// `L_x = [x_0, x_1'; x_1, x_0 I]` on the rows of the cone, the identity on the others.
fn arrow_matrix<const D: usize>(x: &[f64; D], rows: usize) -> Block<D> {
    let mut l = zero::<D>();
    for d in 0..D {
        l[d][d] = if d < rows { x[0] } else { 1.0 };
    }
    for d in 1..rows {
        l[0][d] = x[d];
        l[d][0] = x[d];
    }
    l
}
