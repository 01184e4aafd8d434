//! The distance between two convex sets given by their support points.
//!
//! # Reference
//!
//! Gilbert, Johnson, Keerthi 1988; the sub-problem is solved by trying every face of the simplex, which is slower than
//! Johnson's recursion and has none of its cases of rounding.

use crate::vector::{add_scaled, cross, dot, norm2, scale, sub};

/// The two support points in a direction: of the first set along it, of the second against it.
type Support = ([f64; 3], [f64; 3]);

/// The nearest points of two sets that are apart, or `None` if they meet.
///
/// `size` is a length of the sets: what is nearer than $10^{-13}$ of it counts as meeting.
pub fn nearest(support: impl Fn(&[f64; 3]) -> Support, start: &[f64; 3], size: f64) -> Option<Support> {
    let mut simplex: [Support; 4] = [([0.0; 3], [0.0; 3]); 4];
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    simplex[0] = support(&scale(-1.0, start));
    let mut count = 1;
    let mut v = sub(&simplex[0].0, &simplex[0].1);
    for _ in 0..100 {
        let distance2 = norm2(&v);
        if distance2 <= (1e-13 * size).powi(2) {
            return None;
        }
        let w = support(&scale(-1.0, &v));
        let difference = sub(&w.0, &w.1);
        // no point is nearer along v than those we have
        if distance2 - dot(&v, &difference) <= 1e-14 * distance2 || simplex[..count].contains(&w) {
            break;
        }
        let mut trial = simplex;
        trial[count] = w;
        let (next, subset, bary) = closest(&trial[..count + 1])?;
        // rounding has the last word
        if norm2(&next) >= distance2 {
            break;
        }
        v = next;
        count = 0;
        for (i, point) in trial.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1) {
            simplex[count] = *point;
            weights[count] = bary[i];
            count += 1;
        }
    }
    let mut points = ([0.0; 3], [0.0; 3]);
    for (point, &weight) in simplex[..count].iter().zip(&weights) {
        points.0 = add_scaled(&points.0, weight, &point.0);
        points.1 = add_scaled(&points.1, weight, &point.1);
    }
    Some(points)
}

/// The point of a simplex of differences nearest to the origin, the corners that carry it and their weights; `None` if
/// the origin is inside.
fn closest(simplex: &[Support]) -> Option<([f64; 3], u8, [f64; 4])> {
    let n = simplex.len();
    let p: [[f64; 3]; 4] = std::array::from_fn(|i| if i < n { sub(&simplex[i].0, &simplex[i].1) } else { [0.0; 3] });
    if n == 4 && surrounds(&p) {
        return None;
    }
    let mut best: Option<([f64; 3], u8, [f64; 4])> = None;
    for subset in 1u8..1 << n {
        let Some(weights) = on_face(&p, subset) else { continue };
        let point = (0..n).fold([0.0; 3], |s, i| add_scaled(&s, weights[i], &p[i]));
        if best.as_ref().is_none_or(|b| norm2(&point) < norm2(&b.0)) {
            best = Some((point, subset, weights));
        }
    }
    best
}

/// Whether the origin lies inside of a tetrahedron: on the inner side of all four faces.
fn surrounds(p: &[[f64; 3]; 4]) -> bool {
    let extent = p.iter().map(|q| norm2(&sub(q, &p[0]))).fold(0.0, f64::max).sqrt();
    [[0, 1, 2, 3], [0, 3, 1, 2], [0, 2, 3, 1], [1, 3, 2, 0]].iter().all(|&[a, b, c, d]| {
        let n = cross(&sub(&p[b], &p[a]), &sub(&p[c], &p[a]));
        let (origin, inner) = (-dot(&n, &p[a]), dot(&n, &sub(&p[d], &p[a])));
        // a flat one has no inside, whatever rounding says
        inner.abs() > 1e-10 * extent * norm2(&n).sqrt() && origin * inner >= 0.0
    })
}

/// The weights of the projection of the origin onto the plane of up to three corners, if all are positive.
fn on_face(p: &[[f64; 3]; 4], subset: u8) -> Option<[f64; 4]> {
    let mut corners = [0; 4];
    let mut count = 0;
    for i in 0..4 {
        if subset >> i & 1 == 1 {
            corners[count] = i;
            count += 1;
        }
    }
    let mut weights = [0.0; 4];
    let [i, j, k, _] = corners;
    match count {
        1 => weights[i] = 1.0,
        2 => {
            let e = sub(&p[j], &p[i]);
            let t = -dot(&p[i], &e) / norm2(&e);
            (weights[i], weights[j]) = (1.0 - t, t);
        }
        3 => {
            let (e, f) = (sub(&p[j], &p[i]), sub(&p[k], &p[i]));
            let n = cross(&e, &f);
            let n2 = norm2(&n);
            let o = scale(-1.0, &p[i]);
            let (s, t) = (dot(&cross(&o, &f), &n) / n2, dot(&cross(&e, &o), &n) / n2);
            (weights[i], weights[j], weights[k]) = (1.0 - s - t, s, t);
        }
        _ => return None,
    }
    corners[..count].iter().all(|&c| weights[c] > 0.0 && weights[c].is_finite()).then_some(weights)
}
