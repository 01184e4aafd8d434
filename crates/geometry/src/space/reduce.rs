//! Four points say as much of a face as many.

/// A point of a manifold in the plane of its reference face.
#[derive(Debug, Clone, Copy, Default)]
pub struct Candidate {
    /// In the plane.
    pub x: [f64; 2],
    /// Above it.
    pub height: f64,
    /// Its number.
    pub feature: u32,
}

/// Keeps the deepest point, the one furthest from it, and the two that span the largest area with these on either side.
///
/// Equals are told apart by feature, so that the choice does not depend on the order.
pub fn four(points: &mut [Candidate]) -> &[Candidate] {
    if points.len() <= 4 {
        return points;
    }
    choose(points, 0, |p| -p.height);
    let first = points[0].x;
    choose(points, 1, |p| (p.x[0] - first[0]).powi(2) + (p.x[1] - first[1]).powi(2));
    let along = [points[1].x[0] - first[0], points[1].x[1] - first[1]];
    let area = |p: &Candidate| along[0] * (p.x[1] - first[1]) - along[1] * (p.x[0] - first[0]);
    choose(points, 2, area);
    choose(points, 3, |p| -area(p));
    &points[..4]
}

/// Brings the point with the largest measure among those from `at` on to place `at`.
fn choose(points: &mut [Candidate], at: usize, measure: impl Fn(&Candidate) -> f64) {
    let better = |i: &usize, j: &usize| {
        let (p, q) = (&points[*i], &points[*j]);
        measure(p).total_cmp(&measure(q)).then(q.feature.cmp(&p.feature))
    };
    if let Some(best) = (at..points.len()).max_by(better) {
        points.swap(at, best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_of_an_octagon_that_matter() {
        let at = |k: usize| (k as f64 + 0.5) * std::f64::consts::FRAC_PI_4;
        let mut points: Vec<Candidate> = (0..8)
            .map(|k| Candidate { x: [at(k).cos(), at(k).sin()], height: 0.1 * k as f64, feature: k as u32 })
            .collect();
        points.swap(0, 5);
        let kept: Vec<u32> = four(&mut points).iter().map(|p| p.feature).collect();
        // the deepest, its opposite, and the two across
        assert_eq!(kept, [0, 4, 6, 2]);
    }
}
