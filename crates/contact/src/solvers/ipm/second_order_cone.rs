//! Jordan algebra of the second-order cone in three dimensions, `x_0 >= |(x_1, x_2)|`.
//!
//! A cone of two dimensions is one with a third component that is always zero.

pub(super) type Soc = [f64; 3];

/// `x_0^2 - |x_T|^2` as a product: the difference of squares would cancel near the boundary.
pub(super) fn det(x: &Soc) -> f64 {
    let t = (x[1] * x[1] + x[2] * x[2]).sqrt();
    (x[0] - t) * (x[0] + t)
}

pub(super) fn dot(x: &Soc, y: &Soc) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

/// The Jordan product `x o y`.
pub(super) fn jordan(x: &Soc, y: &Soc) -> Soc {
    [dot(x, y), x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]]
}

/// Solves `x o y = b` for y, x inside the cone.
pub(super) fn jordan_solve(x: &Soc, b: &Soc) -> Soc {
    let d = det(x);
    let y0 = (x[0] * b[0] - x[1] * b[1] - x[2] * b[2]) / d;
    [y0, (b[1] - y0 * x[1]) / x[0], (b[2] - y0 * x[2]) / x[0]]
}

/// The largest step a in [0, 1e3] with `x + a dx` in the cone.
pub(super) fn longest_step(x: &Soc, dx: &Soc) -> f64 {
    // det(x + a dx) = c + 2 b a + d a^2, and the first component must stay positive
    let c = det(x).max(0.0);
    let b = x[0] * dx[0] - x[1] * dx[1] - x[2] * dx[2];
    let d = det(dx);
    let disc = b * b - c * d;
    let mut a: f64 = 1e3;
    if dx[0] < 0.0 {
        a = a.min(-x[0] / dx[0]);
    }
    if disc >= 0.0 && (d < 0.0 || b < 0.0) {
        // the smaller positive root, in the form that does not cancel
        let root = if b <= 0.0 { c / (-b + disc.sqrt()) } else { -(b + disc.sqrt()) / d };
        if root >= 0.0 {
            a = a.min(root);
        }
    }
    a
}

/// The Nesterov–Todd scaling of a pair: `S x = S^-1 y = lambda`.
pub(super) struct Scaling {
    b: f64,
    w: Soc,
    /// `lambda = S x`.
    pub lambda: Soc,
}

impl Scaling {
    /// The scaling of x (primal) and y (dual), both inside the cone.
    pub fn new(x: &Soc, y: &Soc) -> Option<Self> {
        let (dx, dy) = (det(x).sqrt(), det(y).sqrt());
        let (xb, yb) = (x.map(|v| v / dx), y.map(|v| v / dy));
        let g = (0.5 * (1.0 + dot(&xb, &yb))).sqrt();
        let w = [(yb[0] + xb[0]) / (2.0 * g), (yb[1] - xb[1]) / (2.0 * g), (yb[2] - xb[2]) / (2.0 * g)];
        let mut s = Self { b: (dy / dx).sqrt(), w, lambda: [0.0; 3] };
        s.lambda = s.apply(x);
        (s.b.is_finite() && s.b > 0.0 && s.lambda.iter().all(|v| v.is_finite())).then_some(s)
    }

    /// `V x` or, with the sign turned, `V^-1 x`, V = [w0 w1'; w1 I + w1 w1'/(1 + w0)].
    fn turn(&self, x: &Soc, sign: f64) -> Soc {
        let w = &self.w;
        let along = w[1] * x[1] + w[2] * x[2];
        let f = sign * x[0] + along / (1.0 + w[0]);
        [w[0] * x[0] + sign * along, x[1] + f * w[1], x[2] + f * w[2]]
    }

    /// `S x`.
    pub fn apply(&self, x: &Soc) -> Soc {
        self.turn(x, 1.0).map(|v| self.b * v)
    }

    /// `S^-1 x`.
    pub fn inverse(&self, x: &Soc) -> Soc {
        self.turn(x, -1.0).map(|v| v / self.b)
    }

    /// `F = S^2 = b^2 (2 w w' - J)`.
    pub fn square(&self) -> [[f64; 3]; 3] {
        let j = [1.0, -1.0, -1.0];
        let b = self.b * self.b;
        std::array::from_fn(|i| {
            std::array::from_fn(|k| b * (2.0 * self.w[i] * self.w[k] - if i == k { j[i] } else { 0.0 }))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Soc = [2.0, 0.5, -1.2];
    const Y: Soc = [0.7, -0.3, 0.4];

    fn near(a: &Soc, b: &Soc) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13)
    }

    #[test]
    fn the_scaling_takes_both_to_the_same_point() {
        let s = Scaling::new(&X, &Y).unwrap();
        assert!(near(&s.apply(&X), &s.inverse(&Y)));
        let f = s.square();
        let fx: Soc = std::array::from_fn(|i| dot(&f[i], &X));
        assert!(near(&fx, &Y));
        assert!(near(&s.apply(&s.inverse(&Y)), &Y));
    }

    #[test]
    fn jordan_division_undoes_the_product() {
        assert!(near(&jordan_solve(&X, &jordan(&X, &Y)), &Y));
    }

    #[test]
    fn the_longest_step_ends_on_the_boundary() {
        for dx in [[-1.0, 0.0, 0.0], [0.1, 1.0, 0.0], [-0.5, -0.3, 0.9], [0.0, 0.0, -3.0]] {
            let a = longest_step(&X, &dx);
            let end: Soc = std::array::from_fn(|k| X[k] + a * dx[k]);
            assert!((end[0] - end[1].hypot(end[2])).abs() < 1e-12, "{dx:?} {end:?}");
        }
        assert_eq!(longest_step(&X, &[1.0, 0.1, 0.1]), 1e3);
    }
}
