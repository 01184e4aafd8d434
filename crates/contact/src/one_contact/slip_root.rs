//! The slipping part of one contact, as one equation in one unknown.
//!
//! With the normal part eliminated, friction t obeys $ (S + \lambda I)\, t = -b $, $ \lambda \ge 0 $, and either
//! $\lambda = 0$ (stick) or t lies on the boundary $\|t\| = L(t)$ with the affine limit $L(t) = c_0 + c \cdot t$
//! ($= \mu r_N$ for Coulomb, the radius for Tresca). $\lambda = \|u_T\| / \|r_T\|$ measures sliding.
//! As $\lambda \to \infty$, $t \to 0$ and $L \to c_0 > 0$: a root is always bracketed. It is the quartic of Bonnefon and
//! Daviet (2011) before it is multiplied out, which would cost half of the digits.

/// `(S + lambda I) t = -b` with `|t| <= c0 + c . t`, complementary to `lambda >= 0`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slip {
    pub s: [[f64; 2]; 2],
    pub b: [f64; 2],
    pub c0: f64,
    pub c: [f64; 2],
}

/// Friction and what comes with it at one lambda.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlipPoint {
    pub t: [f64; 2],
    pub lambda: f64,
    /// The limit L(t), negative where the normal impulse would pull.
    pub limit: f64,
}

/// A relative gap from which one more Newton step reaches rounding.
const NEAR: f64 = 1e-8;

#[inline(always)]
fn dot(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// `(S + lambda I)^-1`, kept as the adjugate and the inverse of the determinant.
#[derive(Debug, Clone, Copy)]
struct Resolvent {
    a: [[f64; 2]; 2],
    /// Zero where the determinant loses too many digits.
    inverse: f64,
}

/// A determinant below this part of the product of the diagonal is not trusted.
const CANCELLED: f64 = 1e-3;

impl Resolvent {
    #[inline(always)]
    fn apply(&self, x: &[f64; 2]) -> [f64; 2] {
        let [[a, b], [c, d]] = self.a;
        if self.inverse > 0.0 {
            return [(d * x[0] - b * x[1]) * self.inverse, (a * x[1] - c * x[0]) * self.inverse];
        }
        // eliminate on the larger pivot: the determinant of a nearly singular block loses its digits
        if a >= d {
            let f = c / a;
            let y1 = (x[1] - f * x[0]) / (d - f * b);
            [(x[0] - b * y1) / a, y1]
        } else {
            let f = b / d;
            let y0 = (x[0] - f * x[1]) / (a - f * c);
            [y0, (x[1] - c * y0) / d]
        }
    }
}

impl Slip {
    #[inline(always)]
    fn resolvent(&self, lambda: f64) -> Resolvent {
        let [[a, b], [c, d]] = self.s;
        let (a, d) = (a + lambda, d + lambda);
        let (all, determinant) = (a * d, a * d - b * c);
        let inverse = if determinant > CANCELLED * all && all < f64::MAX { 1.0 / determinant } else { 0.0 };
        Resolvent { a: [[a, b], [c, d]], inverse }
    }

    /// Friction at a given lambda.
    #[inline(always)]
    fn at(&self, lambda: f64) -> SlipPoint {
        self.through(&self.resolvent(lambda), lambda)
    }

    #[inline(always)]
    fn through(&self, resolvent: &Resolvent, lambda: f64) -> SlipPoint {
        let t = resolvent.apply(&self.b).map(|x| -x);
        SlipPoint { t, lambda, limit: self.c0 + dot(&self.c, &t) }
    }

    /// Stick if it is allowed, else the slip root; `guess` is a lambda to start from.
    ///
    /// `None` only when no root exists (`c0 <= 0`) or the data are not numbers.
    #[inline(always)]
    pub fn solve(&self, guess: impl FnOnce() -> f64) -> Option<SlipPoint> {
        let stick = self.at(0.0);
        let t2 = dot(&stick.t, &stick.t);
        if stick.limit >= 0.0 && t2 <= stick.limit * stick.limit {
            return Some(stick);
        }
        self.root(guess())
    }

    /// Newton on `1/|t| - 1/L` (nearly straight in lambda), kept inside a bracket that shrinks whatever Newton does.
    #[inline(never)]
    fn root(&self, guess: f64) -> Option<SlipPoint> {
        let b = dot(&self.b, &self.b).sqrt();
        if !(self.c0 > 0.0 && b > 0.0 && b.is_finite()) {
            return None;
        }
        let size = 0.5 * (self.s[0][0] + self.s[1][1]);
        let first = (b / self.c0 - size).max(0.1 * size);
        let smallest = f64::EPSILON * f64::EPSILON * size;
        let mut lambda = if guess > 0.0 && guess.is_finite() { guess } else { first };
        let (mut lo, mut hi) = (0.0, f64::INFINITY);
        let mut best: Option<(f64, SlipPoint)> = None;
        let mut last = f64::INFINITY;
        for _ in 0..200 {
            let resolvent = self.resolvent(lambda);
            let p = self.through(&resolvent, lambda);
            let length = dot(&p.t, &p.t).sqrt();
            let gap = length - p.limit;
            if gap <= 0.0 {
                hi = lambda;
            } else {
                lo = lambda;
            }
            // relative: far out both |t| and the limit vanish, and their difference with them
            let miss = gap.abs() / length;
            if miss.is_finite() && best.is_none_or(|(m, _)| miss < m) {
                best = Some((miss, p));
            }
            if gap.abs() <= 2.0 * f64::EPSILON * length || (hi.is_finite() && hi - lo <= f64::EPSILON * hi) {
                break;
            }
            // Newton while it at least halves the gap, else the middle of the bracket
            let next = self.newton(&p, length, &resolvent);
            // quadratic: the next point is right to rounding and need not be looked at
            if gap.abs() <= NEAR * length && resolvent.inverse > 0.0 && next > lo && next < hi {
                return Some(self.at(next));
            }
            let newton = gap.abs() < 0.5 * last && next > lo && next < hi && next < 100.0 * (lambda + size);
            last = if newton { gap.abs() } else { f64::INFINITY };
            lambda = if newton { next } else { middle(lo.max(smallest), hi, first) };
            if lambda == p.lambda {
                break;
            }
        }
        best.map(|(_, p)| p)
    }

    #[inline(always)]
    fn newton(&self, p: &SlipPoint, length: f64, resolvent: &Resolvent) -> f64 {
        // t' = -(S + lambda I)^-1 t; psi = 1/|t| - 1/L and its slope, both times |t|^3 L^2
        let dt = resolvent.apply(&p.t).map(|x| -x);
        let (n2, l2) = (length * length, p.limit * p.limit);
        let psi = n2 * p.limit * (p.limit - length);
        let slope = dot(&self.c, &dt) * n2 * length - dot(&p.t, &dt) * l2;
        if p.limit > 0.0 { p.lambda - psi / slope } else { f64::NAN }
    }
}

/// The middle of a bracket: by decades while it is wide, beyond it while it is open.
#[inline(always)]
fn middle(lo: f64, hi: f64, first: f64) -> f64 {
    if hi.is_infinite() {
        8.0 * lo.max(first)
    } else if hi > 2.0 * lo {
        (lo * hi).sqrt()
    } else {
        0.5 * (lo + hi)
    }
}
