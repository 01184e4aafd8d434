//! What [B] looks at in its drum: the surface, the overlaps, the kinetic energy.

use super::simulate::{Ran, ledger};
use anyhow::Result;

/// Columns that the bed is cut into.
const COLUMNS: usize = 24;
/// Half the width that the profile is looked at (m).
const HALF: f64 = 0.15;

/// The upper edge of the bed.
pub struct Profile {
    /// Places (m).
    pub points: Vec<(f64, f64)>,
    /// The slope of a line through its middle part (degrees).
    pub angle: f64,
}

/// The mean upper edge of the bodies from slot `first` on, over the frames after `from` (s).
pub fn profile(r: &Ran, from: f64, first: usize) -> Result<Profile> {
    let frames = r.frames()?;
    let mut sums = [(0.0, 0u32); COLUMNS];
    for k in 0..frames.frames() {
        let f = frames.frame(k)?;
        if f.t < from {
            continue;
        }
        let mut top = [f64::NEG_INFINITY; COLUMNS];
        for (x, body) in f.x.iter().zip(&frames.info().bodies).skip(first) {
            let place = ((x[0] + HALF) / (2.0 * HALF) * COLUMNS as f64).floor();
            if (0.0..COLUMNS as f64).contains(&place) {
                let top = &mut top[place as usize];
                *top = top.max(x[1] + body.size);
            }
        }
        for (sum, top) in sums.iter_mut().zip(top).filter(|(_, t)| t.is_finite()) {
            *sum = (sum.0 + top, sum.1 + 1);
        }
    }
    let most = sums.iter().map(|s| s.1).max().unwrap_or(0);
    let middle = |k: usize| -HALF + (k as f64 + 0.5) * 2.0 * HALF / COLUMNS as f64;
    // columns that are empty in half of the frames lie beyond the bed
    let points: Vec<(f64, f64)> = (0..COLUMNS)
        .filter(|k| sums[*k].1 > 0 && 2 * sums[*k].1 >= most)
        .map(|k| (middle(k), sums[k].0 / f64::from(sums[k].1)))
        .collect();
    Ok(Profile { angle: slope(&points).atan().to_degrees(), points })
}

/// The slope of the least-squares line through the middle 60 per cent of the points.
fn slope(points: &[(f64, f64)]) -> f64 {
    let cut = points.len() / 5;
    let middle = points.get(cut..points.len() - cut).unwrap_or_default();
    let n = middle.len() as f64;
    let (mx, my) = (middle.iter().map(|p| p.0).sum::<f64>() / n, middle.iter().map(|p| p.1).sum::<f64>() / n);
    let (xy, xx) =
        middle.iter().fold((0.0, 0.0), |s, p| (s.0 + (p.0 - mx) * (p.1 - my), s.1 + (p.0 - mx) * (p.0 - mx)));
    if xx > 0.0 { xy / xx } else { f64::NAN }
}

/// The overlaps of contacts.
pub struct Overlaps {
    /// The mean of those that overlap (m).
    pub mean: f64,
    /// The deepest (m).
    pub deepest: f64,
    /// The share of the contacts with an impulse that overlap.
    pub share: f64,
    /// The share of these contacts that overlaps by more than a depth: depth (m), share.
    pub exceeding: Vec<(f64, f64)>,
}

/// The overlaps in the frames after `from` (s).
pub fn overlaps(r: &Ran, from: f64) -> Result<Overlaps> {
    let frames = r.frames()?;
    let (mut depths, mut all) = (Vec::new(), 0usize);
    for k in 0..frames.frames() {
        let f = frames.frame(k)?;
        if f.t < from {
            continue;
        }
        for c in f.contacts.iter().filter(|c| c.rln > 0.0) {
            all += 1;
            if c.gap < 0.0 {
                depths.push(-c.gap);
            }
        }
    }
    depths.sort_by(f64::total_cmp);
    let share = |n: usize| n as f64 / all.max(1) as f64;
    let exceeding = (0..=80)
        .map(|k| 10f64.powf(-10.0 + 0.1 * f64::from(k)))
        .map(|d| (d, share(depths.len() - depths.partition_point(|x| *x <= d))))
        .collect();
    Ok(Overlaps {
        mean: depths.iter().sum::<f64>() / depths.len().max(1) as f64,
        deepest: depths.last().copied().unwrap_or(0.0),
        share: share(depths.len()),
        exceeding,
    })
}

/// The mean kinetic energy after `from` (J).
pub fn kinetic(r: &Ran, from: f64) -> Result<f64> {
    let course = ledger(&r.files.ledger, ["t", "kinetic"])?;
    let late: Vec<f64> = course.iter().filter(|[t, _]| *t >= from).map(|x| x[1]).collect();
    Ok(late.iter().sum::<f64>() / late.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn the_slope_of_a_line_is_its_own_whatever_its_ends_do() {
        let mut points: Vec<(f64, f64)> = (0..20).map(|k| (f64::from(k), 1.0 - 0.5 * f64::from(k))).collect();
        points[0].1 = 9.0;
        points[19].1 = -99.0;
        assert!((slope(&points) + 0.5).abs() < 1e-12);
        assert!(slope(&points[..1]).is_nan() && slope(&[]).is_nan());
    }
}
