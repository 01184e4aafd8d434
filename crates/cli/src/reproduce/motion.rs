//! How far two runs of one scene are apart.

use super::simulate::Ran;
use anyhow::Result;

/// The largest distance of a body's centre between two runs, frame by frame: time (s), distance (m).
pub fn distances(a: &Ran, b: &Ran) -> Result<Vec<(f64, f64)>> {
    let (fa, fb) = (a.frames()?, b.frames()?);
    let mut out = Vec::new();
    for k in 0..fa.frames().min(fb.frames()) {
        let (p, q) = (fa.frame(k)?, fb.frame(k)?);
        let apart = |(x, y): (&[f64; 3], &[f64; 3])| (0..3).map(|i| (x[i] - y[i]).powi(2)).sum::<f64>().sqrt();
        out.push((p.t, p.x.iter().zip(&q.x).map(apart).fold(0.0, f64::max)));
    }
    Ok(out)
}

/// The largest of these distances at the end (m).
pub fn apart(distances: &[(f64, f64)]) -> f64 {
    distances.last().map_or(0.0, |d| d.1)
}
