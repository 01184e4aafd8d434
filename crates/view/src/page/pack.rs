//! Frames as bytes for the page: quantised columns, differences in time, byte planes, deflate.
//!
//! A chunk is a run of frames that can be decoded on its own:
//!
//! ```text
//! u32 F, then F x u32 contacts kept of each frame                       (little endian)
//! body columns,    F x n values: x y z (24 bits), q0 q1 q2 (16), which (8), speed spin load (16), present (8)
//! contact columns, all contacts: a b (32), x y z (16), rln rlt (16), status (8)
//! ```
//!
//! Values of a body column are differences to the frame before, zigzag coded; `a` and `b` are differences to the contact
//! before. A column is stored as planes: the low bytes of all values, then the next bytes. Bodies that hardly move give
//! planes of zeros, which deflate removes.

use crate::{ContactRecord as Contact, Frame, Survey, survey};
use flate2::{Compression, write::ZlibEncoder};
use std::collections::HashMap;
use std::io::Write;

/// Steps of a position: 24 bits, the resolution of `f32`.
const STEPS: f64 = 16_777_215.0;

/// Packs frames with the ranges of a survey.
pub struct Packer<'a> {
    survey: &'a Survey,
    slot: HashMap<u32, u32>,
    bodies: usize,
    /// Most contacts of one frame.
    most_contacts: usize,
}

/// The integers of one body in one frame.
#[derive(Clone, Copy, Default)]
struct Row {
    x: [u32; 3],
    q: [u32; 3],
    which: u32,
    figures: [u32; 3],
    present: u32,
}

impl<'a> Packer<'a> {
    /// For the bodies with these ids, in this order, and at most so many contacts in all frames together.
    pub fn new(survey: &'a Survey, ids: &[u32], contacts: usize) -> Self {
        let slot = ids.iter().enumerate().map(|(k, &id)| (id, k as u32)).collect();
        Self { survey, slot, bodies: ids.len(), most_contacts: cap(&survey.contacts, contacts) }
    }

    /// What was left out of the contacts, if anything was.
    pub fn notice(&self) -> Option<String> {
        let fullest = self.survey.contacts.iter().copied().max().unwrap_or(0);
        let most = self.most_contacts;
        (fullest > most)
            .then(|| format!("thinned: of up to {fullest} contacts in a frame, the {most} strongest are shown"))
    }

    /// Deflated bytes of consecutive frames.
    pub fn pack(&self, frames: &[Frame]) -> std::io::Result<Vec<u8>> {
        let rows = self.rows(frames);
        let contacts: Vec<Vec<Contact>> = frames.iter().map(|f| self.strongest(f)).collect();
        let mut bytes = Vec::with_capacity(rows.len() * 23 + 8);
        bytes.extend((frames.len() as u32).to_le_bytes());
        contacts.iter().for_each(|c| bytes.extend((c.len() as u32).to_le_bytes()));
        let mut column = |width: u32, value: &dyn Fn(&Row) -> u32| {
            let values: Vec<u32> = rows.iter().map(value).collect();
            planes(&differences(&values, self.bodies, width), width, &mut bytes);
        };
        (0..3).for_each(|k| column(3, &|r| r.x[k]));
        (0..3).for_each(|k| column(2, &|r| r.q[k]));
        column(1, &|r| r.which);
        (0..3).for_each(|k| column(2, &|r| r.figures[k]));
        column(1, &|r| r.present);
        self.pack_contacts(&contacts.concat(), &mut bytes);
        let mut deflate = ZlibEncoder::new(Vec::new(), Compression::new(5));
        deflate.write_all(&bytes)?;
        deflate.finish()
    }

    fn pack_contacts(&self, contacts: &[Contact], bytes: &mut Vec<u8>) {
        let s = self.survey;
        let mut column = |width: u32, step: bool, value: &dyn Fn(&Contact) -> u32| {
            let values: Vec<u32> = contacts.iter().map(value).collect();
            let values = if step { differences(&values, 1, width) } else { values };
            planes(&values, width, bytes);
        };
        column(4, true, &|c| self.slot[&c.a]);
        column(4, true, &|c| self.slot[&c.b]);
        for k in 0..3 {
            column(2, false, &|c| share(c.point[k], s.points.low[k], s.points.high[k], 65_535.0));
        }
        column(2, false, &|c| compand(c.rln, s.rln.max));
        column(2, false, &|c| compand(c.rlt, s.rlt.max));
        column(1, false, &|c| u32::from(c.status));
    }

    /// The rows of all frames; a body that is not there keeps the place it had.
    fn rows(&self, frames: &[Frame]) -> Vec<Row> {
        let s = self.survey;
        let mut rows = Vec::with_capacity(frames.len() * self.bodies);
        let mut last = vec![Row::default(); self.bodies];
        for frame in frames {
            let load = survey::loads(frame);
            last.iter_mut().for_each(|r| r.present = 0);
            for (k, id) in frame.id.iter().enumerate() {
                let Some(&slot) = self.slot.get(id) else { continue };
                let x = std::array::from_fn(|c| share(frame.x[k][c], s.centres.low[c], s.centres.high[c], STEPS));
                let (q, which) = quaternion(&frame.orientation[k]);
                let size = |v: &[f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
                let figures = [
                    compand(size(&frame.v[k]), s.speed.max),
                    compand(size(&frame.omega[k]), s.spin.max),
                    compand(load[k], s.load.max),
                ];
                let visible = frame.x[k].iter().all(|c| c.is_finite());
                last[slot as usize] = Row { x, q, which, figures, present: u32::from(visible) };
            }
            rows.extend_from_slice(&last);
        }
        rows
    }

    /// The contacts between shown bodies, the strongest if there are too many, in the order of their bodies.
    fn strongest(&self, frame: &Frame) -> Vec<Contact> {
        let known = |c: &&Contact| self.slot.contains_key(&c.a) && self.slot.contains_key(&c.b);
        let mut kept: Vec<Contact> = frame.contacts.iter().filter(known).copied().collect();
        if kept.len() > self.most_contacts {
            kept.sort_by(|a, b| b.rln.total_cmp(&a.rln));
            kept.truncate(self.most_contacts);
        }
        kept.sort_by_key(|c| (self.slot[&c.a], self.slot[&c.b]));
        kept
    }
}

/// The most contacts a frame may show so that all frames together show at most `budget`.
fn cap(counts: &[usize], budget: usize) -> usize {
    let total = |most: usize| counts.iter().map(|&n| n.min(most)).sum::<usize>();
    let (mut low, mut high) = (0, counts.iter().copied().max().unwrap_or(0));
    while low < high {
        let middle = (low + high).div_ceil(2);
        if total(middle) <= budget {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// A value between two ends as an integer of 0 to `steps`.
fn share(value: f64, low: f64, high: f64, steps: f64) -> u32 {
    // a cast of NaN is 0
    if high > low { ((value - low) / (high - low) * steps).round().clamp(0.0, steps) as u32 } else { 0 }
}

/// A square-root scale: small values keep their digits.
fn compand(value: f64, max: f64) -> u32 {
    share(value.max(0.0).sqrt(), 0.0, max.max(0.0).sqrt(), 65_535.0)
}

/// The three smaller components of a unit quaternion, made so that the largest is positive, and which that is.
fn quaternion(q: &[f64; 4]) -> ([u32; 3], u32) {
    let which = (0..4).fold(0, |best, k| if q[k].abs() > q[best].abs() { k } else { best });
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    let sign = q[which].signum() / length;
    let end = std::f64::consts::FRAC_1_SQRT_2;
    let mut rest = (0..4).filter(|&k| k != which).map(|k| share(sign * q[k], -end, end, 65_534.0));
    (std::array::from_fn(|_| rest.next().unwrap_or(0)), which as u32)
}

/// Differences to the value `stride` before, modulo the width, small ones of either sign as small numbers.
fn differences(values: &[u32], stride: usize, width: u32) -> Vec<u32> {
    let shift = 32 - 8 * width;
    let before = |i: usize| if i >= stride { values[i - stride] } else { 0 };
    let code = |i: usize| {
        let d = (values[i].wrapping_sub(before(i)) << shift) as i32 >> shift;
        ((d << 1) ^ (d >> 31)) as u32
    };
    (0..values.len()).map(code).collect()
}

fn planes(values: &[u32], width: u32, bytes: &mut Vec<u8>) {
    (0..width).for_each(|k| bytes.extend(values.iter().map(|v| (v >> (8 * k)) as u8)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_fit_their_budget() {
        assert_eq!(cap(&[3, 10, 20], 1000), 20);
        assert_eq!(cap(&[3, 10, 20], 15), 6);
        assert_eq!(cap(&[], 15), 0);
    }

    #[test]
    fn what_is_not_a_number_is_packed_as_something() {
        assert_eq!(share(f64::NAN, 0.0, 1.0, 100.0), 0);
        assert_eq!(share(1e300, 0.0, 1.0, 100.0), 100);
        assert_eq!(compand(-1.0, 4.0), 0);
        assert_eq!(compand(1.0, 4.0), 32768);
        quaternion(&[f64::NAN; 4]);
    }

    #[test]
    fn differences_wrap() {
        assert_eq!(differences(&[0, 0xff_ffff, 1], 1, 3), [0, 1, 4]);
        assert_eq!(differences(&[7, 9, 6, 9], 2, 1), [14, 18, 1, 0]);
    }
}
