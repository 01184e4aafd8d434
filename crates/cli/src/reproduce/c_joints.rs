//! The joints of a wall: where two bodies lay face to face, and how far those faces have parted or slid since.

use super::simulate::Ran;
use anyhow::Result;
use stickslip::dynamics::rotation::{matrix, rotate, rotate_back};
use stickslip::io::results::{Frame, Reader};

/// The wall is looked at from the front: along it and upwards.
pub type Place = [f64; 2];

/// A body of the wall, front view: the first ones are the floor.
pub struct Block {
    /// Its corners, all the way round.
    pub corners: [Place; 4],
    /// How far its centre has gone down (m).
    pub sunk: f64,
}

/// A joint between two bodies of the wall as it stood.
pub struct Joint {
    /// Its two ends on either body, where they are now.
    pub faces: [[Place; 2]; 2],
    /// Its middle in the wall as it stood.
    pub at: Place,
    /// How far the faces have parted, at the end where it is more (m).
    pub opening: f64,
    /// How far they have slid along each other (m).
    pub slip: f64,
}

/// The wall at some time.
pub struct State {
    /// All bodies, those of the floor first.
    pub blocks: Vec<Block>,
    /// All joints.
    pub joints: Vec<Joint>,
}

/// Bodies of the floor, which come first.
pub const FLOOR: usize = 2;

/// The wall in the last frame at or before a time (s).
pub fn state(r: &Ran, t: f64) -> Result<State> {
    let reader = r.frames()?;
    let first = reader.frame(0)?;
    let mut now = first.clone();
    for k in 1..reader.frames() {
        let frame = reader.frame(k)?;
        if frame.t > t * (1.0 + 1e-9) {
            break;
        }
        now = frame;
    }
    Ok(Wall { reader: &reader, first: &first, now: &now }.state())
}

struct Wall<'a> {
    reader: &'a Reader,
    first: &'a Frame,
    now: &'a Frame,
}

impl Wall<'_> {
    fn state(&self) -> State {
        let n = self.first.x.len();
        let pairs = (0..n).flat_map(|i| (i.max(FLOOR - 1) + 1..n).map(move |j| (i, j)));
        State {
            blocks: (0..n).map(|k| self.block(k)).collect(),
            joints: pairs.filter_map(|(i, j)| self.joint(i, j)).collect(),
        }
    }

    /// Half its width and half its height (m).
    fn half(&self, k: usize) -> Place {
        let half = &self.reader.info().shape(k)["half"];
        [0, 2].map(|i| half[i].as_f64().unwrap_or(0.0))
    }

    fn centre(&self, k: usize) -> Place {
        [self.first.x[k][0], self.first.x[k][2]]
    }

    fn block(&self, k: usize) -> Block {
        let ([x, z], [w, h]) = (self.centre(k), self.half(k));
        let corners = [[x - w, z - h], [x + w, z - h], [x + w, z + h], [x - w, z + h]];
        Block { corners: corners.map(|p| self.moved(k, p)), sunk: self.first.x[k][2] - self.now.x[k][2] }
    }

    /// Where a point of body k of the standing wall is now.
    fn moved(&self, k: usize, p: Place) -> Place {
        let (a, b) = (&self.first.x[k], &self.now.x[k]);
        let arm = [p[0] - a[0], 0.0, p[1] - a[2]];
        let turn = |f: &Frame| matrix::<3>(&f.orientation[k]);
        let arm = rotate(&turn(self.now), &rotate_back(&turn(self.first), &arm));
        [b[0] + arm[0], b[2] + arm[2]]
    }

    /// The joint of two bodies; nothing when they did not lie face to face.
    fn joint(&self, i: usize, j: usize) -> Option<Joint> {
        let (ci, cj, hi, hj) = (self.centre(i), self.centre(j), self.half(i), self.half(j));
        let near = 1e-2 * hj[1];
        // the axis across the joint: upwards (a bed joint) or along the wall (a head joint)
        let across = [1, 0].into_iter().find(|&d| ((cj[d] - ci[d]).abs() - hi[d] - hj[d]).abs() < near)?;
        let along = 1 - across;
        let low = (ci[along] - hi[along]).max(cj[along] - hj[along]);
        let high = (ci[along] + hi[along]).min(cj[along] + hj[along]);
        if high - low < near {
            return None;
        }
        let side = (cj[across] - ci[across]).signum();
        let end = |s: f64| {
            let mut p = [0.0; 2];
            (p[across], p[along]) = (ci[across] + side * hi[across], s);
            p
        };
        let ends = [end(low), end(high)];
        let faces = [i, j].map(|k| ends.map(|p| self.moved(k, p)));
        let (opening, slip) = parted(&faces, side * if across == 1 { 1.0 } else { -1.0 });
        Some(Joint { faces, at: [0, 1].map(|d| 0.5 * (ends[0][d] + ends[1][d])), opening, slip })
    }
}

/// How far the second face has left the first and slid along it; `turn` tells on which side of it the second lies.
fn parted(faces: &[[Place; 2]; 2], turn: f64) -> (f64, f64) {
    let [first, second] = faces;
    let along = [first[1][0] - first[0][0], first[1][1] - first[0][1]];
    let length = along[0].hypot(along[1]);
    let t = along.map(|x| x / length);
    // a quarter turn: from along the joint to across it
    let n = [-turn * t[1], turn * t[0]];
    let mut out = (f64::NEG_INFINITY, 0f64);
    for k in 0..2 {
        let d = [second[k][0] - first[k][0], second[k][1] - first[k][1]];
        out.0 = out.0.max(n[0] * d[0] + n[1] * d[1]);
        out.1 = out.1.max((t[0] * d[0] + t[1] * d[1]).abs());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::parted;

    #[test]
    fn faces_part_and_slide_and_turn_together() {
        let bed = [[0.0, 1.0], [2.0, 1.0]];
        let lifted = [[0.1, 1.0], [2.1, 1.3]];
        let (opening, slip) = parted(&[bed, lifted], 1.0);
        assert!((opening - 0.3).abs() < 1e-12 && (slip - 0.1).abs() < 1e-12);
        // two bodies that turn as one have no gap
        let turned = [[0.0, 1.0], [1.9, 1.6]];
        let (opening, slip) = parted(&[turned, turned], 1.0);
        assert!(opening.abs() < 1e-12 && slip.abs() < 1e-12);
        // a head joint: the second body is to the right, and goes there
        let head = [[1.0, 0.0], [1.0, 1.0]];
        let gone = [[1.2, 0.0], [1.2, 1.0]];
        assert!((parted(&[head, gone], -1.0).0 - 0.2).abs() < 1e-12);
    }
}
