//! The first pass over a result: how large, how fast, how strong, so that later passes can scale, quantise and aim.

use crate::{Body, Frame, Source, ViewError, camera::Camera, curves::Curve, form};
use std::collections::HashMap;

/// Ranges of a whole result.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// Times of the frames (s).
    pub t: Vec<f64>,
    /// Contacts of each frame.
    pub contacts: Vec<usize>,
    /// Corners of the box around all centres (m).
    pub centres: Range,
    /// Corners of the box around all contact points (m).
    pub points: Range,
    /// Corners of the box around what is worth aiming the camera at (m).
    pub scene: Range,
    /// Speeds (m/s).
    pub speed: Quantity,
    /// Angular speeds (1/s).
    pub spin: Quantity,
    /// Sum of the normal impulses on a body (N s).
    pub load: Quantity,
    /// Normal impulse of a contact (N s).
    pub rln: Quantity,
    /// Tangential impulse of a contact (N s).
    pub rlt: Quantity,
    /// Contact count and largest penetration in time.
    pub curves: Vec<Curve>,
    /// Where to look from.
    pub camera: Camera,
    /// Frames that could not be read, in sentences.
    pub notices: Vec<String>,
}

/// A box along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Lower corner.
    pub low: [f64; 3],
    /// Upper corner.
    pub high: [f64; 3],
}

impl Default for Range {
    fn default() -> Self {
        Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] }
    }
}

impl Range {
    /// Takes a point in; what is not finite is left out.
    pub fn include(&mut self, p: &[f64; 3]) {
        self.include_box(p, &[[0.0; 3]; 2]);
    }

    /// Takes a box in, given by its corners about a point.
    pub fn include_box(&mut self, p: &[f64; 3], [low, high]: &[[f64; 3]; 2]) {
        for k in 0..3 {
            if p[k].is_finite() && low[k].is_finite() && high[k].is_finite() {
                self.low[k] = self.low[k].min(p[k] + low[k]);
                self.high[k] = self.high[k].max(p[k] + high[k]);
            }
        }
    }

    /// Whether anything was taken in.
    pub fn is_empty(&self) -> bool {
        (0..3).any(|k| self.low[k] > self.high[k])
    }

    /// The box itself, or a unit one when nothing was taken in.
    pub fn or_unit(self) -> Self {
        if self.is_empty() { Self { low: [-1.0; 3], high: [1.0; 3] } } else { self }
    }

    /// Its middle.
    pub fn middle(&self) -> [f64; 3] {
        std::array::from_fn(|k| 0.5 * (self.low[k] + self.high[k]))
    }

    /// Half its diagonal.
    pub fn radius(&self) -> f64 {
        0.5 * (0..3).map(|k| (self.high[k] - self.low[k]).powi(2)).sum::<f64>().sqrt()
    }
}

/// The largest value, and how values are spread.
#[derive(Debug, Clone)]
pub struct Quantity {
    /// The largest.
    pub max: f64,
    counts: Vec<u64>,
}

/// Bins an octave of the histogram behind [`Quantity::usual`].
const BINS: f64 = 16.0;

impl Default for Quantity {
    fn default() -> Self {
        // 2^-64 to 2^64
        Self { max: 0.0, counts: vec![0; (128.0 * BINS) as usize] }
    }
}

impl Quantity {
    fn add(&mut self, value: f64) {
        if value.is_finite() && value > 0.0 {
            self.max = self.max.max(value);
            let bin = ((value.log2() + 64.0) * BINS).clamp(0.0, self.counts.len() as f64 - 1.0);
            self.counts[bin as usize] += 1;
        }
    }

    /// The value that one positive value in `one_in` exceeds: the end of a scale that a stray does not spoil.
    pub fn usual(&self, one_in: u64) -> f64 {
        let total: u64 = self.counts.iter().sum();
        let mut above = total / one_in;
        for (bin, &count) in self.counts.iter().enumerate().rev() {
            if count > above {
                return self.max.min(2f64.powf((bin as f64 + 1.0) / BINS - 64.0));
            }
            above -= count;
        }
        self.max
    }
}

/// Sum of the normal impulses on each body of a frame, in the order of its rows.
pub fn loads(frame: &Frame) -> Vec<f64> {
    let row: HashMap<u32, usize> = frame.id.iter().enumerate().map(|(k, &id)| (id, k)).collect();
    let mut load = vec![0.0; frame.id.len()];
    for c in &frame.contacts {
        for id in [c.a, c.b] {
            if let Some(&k) = row.get(&id) {
                load[k] += c.rln.max(0.0);
            }
        }
    }
    load
}

fn norm(v: &[f64; 3]) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

/// Reads every frame in `frames` once. Frames that cannot be read are taken out of the list and named in the notices;
/// it is an error only when none can.
pub fn survey(source: &dyn Source, frames: &mut Vec<usize>) -> Result<Survey, ViewError> {
    if frames.is_empty() {
        return Err(ViewError::NoFrames);
    }
    let info = source.info();
    let bodies: HashMap<u32, &Body> = info.bodies.iter().map(|b| (b.id, b)).collect();
    let mut s = Survey::default();
    let mut penetration = Vec::new();
    let mut extents = Extents::default();
    let (mut kept, mut lost) = (Vec::with_capacity(frames.len()), Vec::new());
    for &k in frames.iter() {
        let frame = match source.frame(k) {
            Ok(frame) => frame,
            Err(e) => {
                lost.push(e);
                continue;
            }
        };
        kept.push(k);
        s.t.push(frame.t);
        s.contacts.push(frame.contacts.len());
        let load = loads(&frame);
        for (row, x) in frame.x.iter().enumerate() {
            let Some(body) = bodies.get(&frame.id[row]) else { continue };
            let fixed = body.fixed;
            s.centres.include(x);
            extents.add(x, || form::extent(&body.pieces, &frame.orientation[row]), fixed, kept.len() == 1);
            if !fixed {
                s.speed.add(norm(&frame.v[row]));
                s.spin.add(norm(&frame.omega[row]));
                s.load.add(load[row]);
            }
        }
        let mut deepest = 0.0_f64;
        for c in &frame.contacts {
            s.points.include(&c.point);
            s.rln.add(c.rln);
            s.rlt.add(c.rlt);
            deepest = deepest.max(-c.gap);
        }
        penetration.push([frame.t, deepest]);
    }
    s.notices = lost.iter().map(|e| format!("left out: {e}")).collect();
    match lost.into_iter().next() {
        Some(e) if kept.is_empty() => return Err(e),
        _ => *frames = kept,
    }
    s.scene = extents.scene();
    s.camera = Camera::overview(&s.scene, info.dimension);
    let count = s.t.iter().zip(&s.contacts).map(|(&t, &n)| [t, n as f64]).collect();
    let curve = |panel: &str, name: &str, unit: &str, points| Curve {
        panel: panel.into(),
        name: name.into(),
        unit: unit.into(),
        points,
    };
    s.curves.push(curve("contacts", "contacts", "", count));
    s.curves.push(curve("penetration", "largest penetration", "m", penetration));
    Ok(s)
}

/// What the camera should see: movable bodies but for the few farthest strays, and the walls among them.
#[derive(Default)]
struct Extents {
    movable: Vec<([f64; 3], [[f64; 3]; 2])>,
    fixed: Range,
    skip: usize,
    seen: usize,
}

impl Extents {
    /// A sample bounds the work: every body while there are few, then one in two, one in four.
    fn add(&mut self, x: &[f64; 3], extent: impl Fn() -> Option<[[f64; 3]; 2]>, fixed: bool, first: bool) {
        self.seen += 1;
        let wanted = if fixed { first } else { self.seen.is_multiple_of(self.skip + 1) };
        if !wanted || !x.iter().all(|c| c.is_finite()) {
            return;
        }
        let Some(extent) = extent() else { return };
        if fixed {
            self.fixed.include_box(x, &extent);
            return;
        }
        self.movable.push((*x, extent));
        if self.movable.len() >= 200_000 {
            self.skip = 2 * self.skip + 1;
            let mut keep = false;
            self.movable.retain(|_| {
                keep = !keep;
                keep
            });
        }
    }

    fn scene(mut self) -> Range {
        let mut scene = Range::default();
        if self.movable.is_empty() {
            return self.fixed.or_unit();
        }
        // strays: beyond the 0.5 % at each end by more than the rest is wide
        let strays = self.movable.len() / 200;
        let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
        for k in 0..3 {
            self.movable.sort_by(|a, b| a.0[k].total_cmp(&b.0[k]));
            (low[k], high[k]) = (self.movable[strays].0[k], self.movable[self.movable.len() - 1 - strays].0[k]);
        }
        let width = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
        for (x, extent) in &self.movable {
            if (0..3).all(|k| x[k] >= low[k] - 0.5 * width && x[k] <= high[k] + 0.5 * width) {
                scene.include_box(x, extent);
            }
        }
        // walls belong to the picture unless they dwarf what moves in it
        if !self.fixed.is_empty() && self.fixed.radius() < 4.0 * scene.radius() {
            scene.include(&self.fixed.low);
            scene.include(&self.fixed.high);
        }
        scene.or_unit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stray_does_not_set_the_scale() {
        let mut q = Quantity::default();
        (0..1000).for_each(|i| q.add(1.0 + i as f64 * 1e-3));
        q.add(1e6);
        assert_eq!(q.max, 1e6);
        assert!((1.9..2.2).contains(&q.usual(200)), "{}", q.usual(200));
        assert_eq!(Quantity::default().usual(200), 0.0);
    }
}
