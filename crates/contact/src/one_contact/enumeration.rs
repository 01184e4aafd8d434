//! The exact one-contact solver: take-off, stick and slip tried in turn.

use super::slip_root::Slip;
use super::{ClosedForm, OneContact};
use crate::block::{Block, add, mul, norm, norm2, solve};
use crate::cone::Cone;

/// Tries the states of the contact in turn; slip is a root in one unknown that is always bracketed.
///
/// - take-off: `q_N >= 0`, then `r = 0`;
/// - stick: `r = -W^-1 q` inside K;
/// - slip: eliminating the normal row with `u_N = 0` leaves one equation for $\lambda = \|u_T\|/\|r_T\|$;
/// - rolling adds a second one for $\kappa = \|u_R\|/\|r_R\|$, and a third in the normal impulse around both;
/// - Tresca has a bound that does not depend on r_N: open and closed are tried in turn.
///
/// Any W_cc with a positive definite symmetric part has a solution: for $q_N < 0$ the bracket holds one.
///
/// # Reference
/// Bonnefon & Daviet 2011, "Quartic formulation of Coulomb 3D frictional contact".
#[derive(Debug, Clone, Copy, Default)]
pub struct Enumeration;

impl<const D: usize> OneContact<D> for Enumeration {
    #[inline(always)]
    fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
        match *cone {
            Cone::Coulomb { mu } if D <= 3 && mu > 0.0 => {
                if ClosedForm.solve(w, q, cone, r) {
                    return true;
                }
                if D == 2 { plane(w, q, mu, r) } else { coulomb(w, q, mu, r) }
            }
            Cone::Bilateral => bilateral(w, q, r),
            _ => general(w, q, cone, r),
        }
    }
}

/// `r = -W^-1 q`, rows that are zero throughout left at zero.
#[inline(never)]
fn bilateral<const D: usize>(w: &Block<D>, q: &[f64; D], r: &mut [f64; D]) -> bool {
    let mut a = *w;
    for d in 0..D {
        if a[d].iter().all(|x| *x == 0.0) {
            a[d][d] = 1.0;
        }
    }
    match solve(a, q.map(|x| -x)) {
        Some(x) => {
            *r = x;
            true
        }
        None => false,
    }
}

/// The hot path: Coulomb with one or two tangents.
#[inline(never)]
fn coulomb<const D: usize>(w: &Block<D>, q: &[f64; D], mu: f64, r: &mut [f64; D]) -> bool {
    if q[0] >= 0.0 {
        *r = [0.0; D];
        return true;
    }
    let inv = 1.0 / w[0][0];
    // Schur complement of the normal row; a second tangent that is not there gets a unit row of its own
    let mut s = [[1.0, 0.0], [0.0, 1.0]];
    let (mut b, mut c) = ([0.0; 2], [0.0; 2]);
    for i in 1..D {
        for j in 1..D {
            s[i - 1][j - 1] = w[i][j] - w[i][0] * w[0][j] * inv;
        }
        b[i - 1] = q[i] - w[i][0] * q[0] * inv;
        c[i - 1] = -mu * w[0][i] * inv;
    }
    if D == 2 {
        s[1][1] = s[0][0];
    }
    let slip = Slip { s, b, c0: -mu * q[0] * inv, c };
    let Some(p) = slip.solve(|| sliding(w, q, r, 1..D)) else { return false };
    // slip: from |t|, so that the impulse lies on the cone and the rounding of the root goes into u_N
    r[0] = if p.lambda > 0.0 { norm(&p.t) / mu } else { p.limit / mu };
    r[1..].copy_from_slice(&p.t[..D - 1]);
    true
}

/// Coulomb in the plane: slip is one of two half-lines, `r_T = -s mu r_N` with s the sign of `u_T`.
#[inline(always)]
fn plane<const D: usize>(w: &Block<D>, q: &[f64; D], mu: f64, r: &mut [f64; D]) -> bool {
    *r = [0.0; D];
    if q[0] >= 0.0 {
        return true;
    }
    // stick by Cramer's rule; the determinant of a positive definite block is positive
    let det = w[0][0] * w[1][1] - w[0][1] * w[1][0];
    let (n, t) = (w[0][1] * q[1] - w[1][1] * q[0], w[1][0] * q[0] - w[0][0] * q[1]);
    if det > 0.0 && n >= 0.0 && t.abs() <= mu * n {
        (r[0], r[1]) = (n / det, t / det);
        return true;
    }
    // u_N = 0 on the half-line; the sliding velocity must have the sign it was taken for
    for s in [1.0, -1.0] {
        let slope = w[0][0] - s * mu * w[0][1];
        let n = -q[0] / slope;
        if slope > 0.0 && s * (q[1] + (w[1][0] - s * mu * w[1][1]) * n) >= 0.0 {
            (r[0], r[1]) = (n, -s * mu * n);
            return true;
        }
    }
    // between the states by rounding: the bracketed root decides
    coulomb(w, q, mu, r)
}

/// The lambda that the given impulse stands for: a start near the root when r is warm.
#[inline(always)]
fn sliding<const D: usize>(w: &Block<D>, q: &[f64; D], r: &[f64; D], rows: std::ops::Range<usize>) -> f64 {
    let u = add(&mul(w, r), q);
    (norm2(&u[rows.clone()]) / norm2(&r[rows])).sqrt()
}

/// A contact of any cone laid out as N, T1, T2, R1, R2; rows that are not there are unit rows of their own.
struct Laid {
    w: [[f64; 5]; 5],
    q: [f64; 5],
    /// Row of the contact that each laid-out row came from.
    from: [Option<usize>; 5],
}

impl Laid {
    fn new<const D: usize>(w: &Block<D>, q: &[f64; D], cone: &Cone) -> Self {
        let mut from = [Some(0), None, None, None, None];
        for (slot, disc) in [1, 3].into_iter().zip(cone.discs::<D>()) {
            // a disc of no size leaves its rows without impulse
            if disc.slope > 0.0 || disc.radius > 0.0 {
                for (k, row) in disc.rows().enumerate() {
                    from[slot + k] = Some(row);
                }
            }
        }
        let mut laid = Laid { w: [[0.0; 5]; 5], q: [0.0; 5], from };
        for i in 0..5 {
            let Some(a) = from[i] else { continue };
            laid.q[i] = q[a];
            for j in 0..5 {
                if let Some(b) = from[j] {
                    laid.w[i][j] = w[a][b];
                }
            }
        }
        for i in 0..5 {
            if from[i].is_none() {
                laid.w[i][i] = laid.w[0][0];
            }
        }
        laid
    }
}

/// Any cone: lay it out, solve, put the answer back.
#[inline(never)]
fn general<const D: usize>(w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
    let laid = Laid::new(w, q, cone);
    let [t, rolling] = cone.discs::<D>();
    let answer = match cone {
        Cone::Tresca { radius } => tresca(&laid, *radius),
        _ => two_discs(&laid, t.slope, rolling.slope),
    };
    let Some(x) = answer else { return false };
    *r = [0.0; D];
    for (x, row) in x.iter().zip(laid.from) {
        if let Some(row) = row {
            r[row] = *x;
        }
    }
    true
}

/// Tresca: convex, so exactly one of "open" and "closed" is right.
fn tresca(k: &Laid, radius: f64) -> Option<[f64; 5]> {
    let (w, q) = (&k.w, &k.q);
    // open: r_N = 0, friction alone, u_N >= 0
    let open = Slip { s: [[w[1][1], w[1][2]], [w[2][1], w[2][2]]], b: [q[1], q[2]], c0: radius, c: [0.0; 2] };
    let p = open.solve(|| 0.0)?;
    if q[0] + w[0][1] * p.t[0] + w[0][2] * p.t[1] >= 0.0 {
        return Some([0.0, p.t[0], p.t[1], 0.0, 0.0]);
    }
    // closed: u_N = 0, r_N >= 0
    let inv = 1.0 / w[0][0];
    let s = [1, 2].map(|i| [1, 2].map(|j| w[i][j] - w[i][0] * w[0][j] * inv));
    let b = [1, 2].map(|i| q[i] - w[i][0] * q[0] * inv);
    let p = Slip { s, b, c0: radius, c: [0.0; 2] }.solve(|| 0.0)?;
    let n = -(q[0] + w[0][1] * p.t[0] + w[0][2] * p.t[1]) * inv;
    Some([n.max(0.0), p.t[0], p.t[1], 0.0, 0.0])
}

/// Coulomb and rolling: a root in the normal impulse n.
///
/// With n given, friction and rolling minimise a convex energy over two fixed discs: unique and continuous in n. The
/// normal velocity is q_N < 0 at n = 0 and grows without bound with n (Schur complement of W), so it has a zero.
fn two_discs(k: &Laid, mu: f64, mu_r: f64) -> Option<[f64; 5]> {
    if k.q[0] >= 0.0 {
        return Some([0.0; 5]);
    }
    let at = |n: f64| {
        let discs = FixedDiscs { k, n, friction: mu * n, rolling: mu_r * n };
        let x = discs.solve()?;
        let u = k.q[0] + (0..5).map(|j| k.w[0][j] * x[j]).sum::<f64>();
        Some((u, x))
    };
    let mut hi = -k.q[0] / k.w[0][0];
    let (mut lo, mut u_lo) = (0.0, k.q[0]);
    let mut top = at(hi)?;
    for _ in 0..1100 {
        if top.0 >= 0.0 {
            break;
        }
        (lo, u_lo) = (hi, top.0);
        hi *= 2.0;
        top = at(hi)?;
    }
    let mut failed = false;
    let n = bracketed_root(lo, u_lo, hi, top.0, |n| match at(n) {
        Some((u, _)) => u,
        None => {
            failed = true;
            0.0
        }
    });
    if failed { None } else { at(n).map(|(_, x)| x) }
}

/// The zero of a function that is negative at `lo` and not at `hi`: secants, and a halving after every two of them.
fn bracketed_root(mut lo: f64, mut f_lo: f64, mut hi: f64, mut f_hi: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    for step in 0..300 {
        if f_hi == 0.0 || hi - lo <= f64::EPSILON * hi {
            break;
        }
        let secant = lo + (hi - lo) * (f_lo / (f_lo - f_hi));
        let middle = if lo > 0.0 && hi > 4.0 * lo { (lo * hi).sqrt() } else { 0.5 * (lo + hi) };
        let x = if step % 3 < 2 && secant > lo && secant < hi { secant } else { middle };
        if x <= lo || x >= hi {
            break;
        }
        let y = f(x);
        if y < 0.0 {
            (lo, f_lo) = (x, y);
        } else {
            (hi, f_hi) = (x, y);
        }
    }
    if -f_lo < f_hi { lo } else { hi }
}

/// The contact at a given normal impulse: friction and rolling in discs of fixed radius.
struct FixedDiscs<'a> {
    k: &'a Laid,
    n: f64,
    friction: f64,
    rolling: f64,
}

impl FixedDiscs<'_> {
    /// The root in kappa = |u_R|/|r_R|; the rolling impulse shrinks as kappa grows.
    fn solve(&self) -> Option<[f64; 5]> {
        if self.rolling == 0.0 {
            return self.at(f64::INFINITY);
        }
        let excess = |x: &[f64; 5]| norm(&x[3..]) - self.rolling;
        let rest = self.at(0.0)?;
        if excess(&rest) <= 0.0 {
            return Some(rest);
        }
        let mut lo = (0.0, excess(&rest));
        let mut hi = 0.5 * (self.k.w[3][3] + self.k.w[4][4]).max(f64::MIN_POSITIVE);
        let mut top = self.at(hi)?;
        for _ in 0..500 {
            if excess(&top) <= 0.0 {
                break;
            }
            lo = (hi, excess(&top));
            hi *= 4.0;
            top = self.at(hi)?;
        }
        let mut failed = false;
        let kappa = bracketed_root(lo.0, -lo.1, hi, -excess(&top), |kappa| match self.at(kappa) {
            Some(x) => -excess(&x),
            None => {
                failed = true;
                0.0
            }
        });
        if failed { None } else { self.at(kappa) }
    }

    /// All impulses at this kappa, the rolling rows eliminated; an infinite kappa leaves them at zero.
    fn at(&self, kappa: f64) -> Option<[f64; 5]> {
        let (w, n) = (&self.k.w, self.n);
        let q: [f64; 5] = std::array::from_fn(|i| self.k.q[i] + w[i][0] * n);
        // y = (W_RR + kappa I)^-1 [W_RT | q_R]
        let mut y = [[0.0; 3]; 2];
        if kappa.is_finite() {
            let a = [[w[3][3] + kappa, w[3][4]], [w[4][3], w[4][4] + kappa]];
            for j in 0..3 {
                let rhs = if j < 2 { [w[3][1 + j], w[4][1 + j]] } else { [q[3], q[4]] };
                let x = solve(a, rhs)?;
                (y[0][j], y[1][j]) = (x[0], x[1]);
            }
        }
        let through = |i: usize, j: usize| w[i][3] * y[0][j] + w[i][4] * y[1][j];
        let mut t = [0.0; 2];
        if self.friction > 0.0 {
            let s = [1, 2].map(|i| [1, 2].map(|j| w[i][j] - through(i, j - 1)));
            let b = [1, 2].map(|i| q[i] - through(i, 2));
            t = Slip { s, b, c0: self.friction, c: [0.0; 2] }.solve(|| 0.0)?.t;
        }
        let rolling = |row: usize| -(y[row][2] + y[row][0] * t[0] + y[row][1] * t[1]);
        Some([n, t[0], t[1], rolling(0), rolling(1)])
    }
}
