//! The arrays of a frame, in the order in which they lie in its record.
//!
//! Every array begins at a multiple of its chunk: HDF5 then finds it as whole chunks, wherever the record lies.

use super::frame::{ContactRecord, Frame};
use super::info::RunInfo;

/// Type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    F64,
    I64,
    U32,
    U8,
}

impl Number {
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::F64 | Self::I64 => 8,
            Self::U32 => 4,
            Self::U8 => 1,
        }
    }
}

/// An array: so many numbers a row.
pub(super) struct Column {
    pub name: &'static str,
    pub number: Number,
    pub width: usize,
}

const fn column(name: &'static str, number: Number, width: usize) -> Column {
    Column { name, number, width }
}

/// One row a body.
pub(super) const BODIES: [Column; 6] = [
    column("Points", Number::F64, 3),
    column("velocity", Number::F64, 3),
    column("angular_velocity", Number::F64, 3),
    column("orientation", Number::F64, 4),
    column("radius", Number::F64, 1),
    column("id", Number::U32, 1),
];

/// One row a contact.
pub(super) const CONTACTS: [Column; 10] = [
    column("Points", Number::F64, 3),
    column("normal", Number::F64, 3),
    column("impulse", Number::F64, 3),
    column("gap", Number::F64, 1),
    column("rln", Number::F64, 1),
    column("rlt", Number::F64, 1),
    column("vln", Number::F64, 1),
    column("a", Number::U32, 1),
    column("b", Number::U32, 1),
    column("status", Number::U8, 1),
];

/// Bytes in front of the arrays: time, step, bodies, contacts.
const HEAD: usize = 32;

/// The sizes of a frame and of its chunks, which say where everything is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shape {
    pub t: f64,
    pub step: u64,
    /// Bodies, contacts.
    pub rows: [usize; 2],
}

impl Shape {
    /// Rows with padding.
    pub(super) fn padded(&self, block: usize, chunks: [usize; 2]) -> usize {
        self.rows[block].next_multiple_of(chunks[block])
    }

    /// Where each array begins in the payload, block by block; the last entry is the length of the payload.
    pub(super) fn offsets(&self, chunks: [usize; 2]) -> Vec<u64> {
        let mut at = HEAD as u64;
        let mut found = Vec::with_capacity(BODIES.len() + CONTACTS.len() + 1);
        for (block, columns) in [&BODIES[..], &CONTACTS[..]].into_iter().enumerate() {
            for c in columns {
                found.push(at);
                at += (self.padded(block, chunks) * c.width * c.number.bytes()) as u64;
            }
        }
        found.push(at);
        found
    }

    /// Reads the head of a payload; `None` when it cannot be `length` bytes long.
    pub(super) fn decode(b: &[u8; HEAD], chunks: [usize; 2], length: u64) -> Option<Self> {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| b[at + i]));
        let rows = [word(16), word(24)];
        // no row takes less than a byte, so larger counts are damage, and could overflow below
        if rows.iter().any(|&n| n > length) {
            return None;
        }
        let shape = Self { t: f64::from_bits(word(0)), step: word(8), rows: rows.map(|n| n as usize) };
        (shape.offsets(chunks).last() == Some(&length)).then_some(shape)
    }
}

/// Bytes of the head of a payload.
pub(super) const SHAPE_BYTES: usize = HEAD;

/// Puts a frame into `out`.
pub(super) fn encode(frame: &Frame, info: &RunInfo, chunks: [usize; 2], out: &mut Vec<u8>) -> Shape {
    let shape = Shape { t: frame.t, step: frame.step, rows: [frame.id.len(), frame.contacts.len()] };
    out.clear();
    for word in [frame.t.to_bits(), frame.step, shape.rows[0] as u64, shape.rows[1] as u64] {
        out.extend(word.to_le_bytes());
    }
    let floats = |out: &mut Vec<u8>, x: &[f64]| out.extend(x.iter().flat_map(|x| x.to_le_bytes()));
    let offsets = shape.offsets(chunks);
    let mut ends = offsets[1..].iter().map(|&e| e as usize);
    // zeros up to the next chunk
    let mut pad = |out: &mut Vec<u8>| out.resize(ends.next().unwrap_or(out.len()), 0);
    for x in [&frame.x, &frame.v, &frame.omega] {
        floats(out, x.as_flattened());
        pad(out);
    }
    floats(out, frame.orientation.as_flattened());
    pad(out);
    let size = |&id: &u32| info.bodies.get(id as usize).map_or(0.0, |b| b.size);
    out.extend(frame.id.iter().map(size).flat_map(f64::to_le_bytes));
    pad(out);
    out.extend(frame.id.iter().flat_map(|id| id.to_le_bytes()));
    pad(out);
    let c = &frame.contacts;
    for vector in [|c: &ContactRecord| c.point, |c: &ContactRecord| c.normal, |c: &ContactRecord| c.impulse] {
        c.iter().for_each(|c| floats(out, &vector(c)));
        pad(out);
    }
    for scalar in
        [|c: &ContactRecord| c.gap, |c: &ContactRecord| c.rln, |c: &ContactRecord| c.rlt, |c: &ContactRecord| c.vln]
    {
        out.extend(c.iter().map(scalar).flat_map(f64::to_le_bytes));
        pad(out);
    }
    for index in [|c: &ContactRecord| c.a, |c: &ContactRecord| c.b] {
        out.extend(c.iter().map(index).flat_map(u32::to_le_bytes));
        pad(out);
    }
    out.extend(c.iter().map(|c| c.status));
    pad(out);
    shape
}

/// The frame in a payload whose shape has been read from it, and whose length agrees with that shape.
pub(super) fn decode(payload: &[u8], shape: &Shape, chunks: [usize; 2]) -> Frame {
    let offsets = shape.offsets(chunks);
    let word = |column: usize, k: usize| {
        let at = offsets[column] as usize + 8 * k;
        f64::from_le_bytes(std::array::from_fn(|i| payload[at + i]))
    };
    let index = |column: usize, k: usize| {
        let at = offsets[column] as usize + 4 * k;
        u32::from_le_bytes(std::array::from_fn(|i| payload[at + i]))
    };
    let vector = |column: usize, k: usize| std::array::from_fn(|i| word(column, 3 * k + i));
    let bodies = 0..shape.rows[0];
    let contact = |k: usize| ContactRecord {
        point: vector(6, k),
        normal: vector(7, k),
        impulse: vector(8, k),
        gap: word(9, k),
        rln: word(10, k),
        rlt: word(11, k),
        vln: word(12, k),
        a: index(13, k),
        b: index(14, k),
        status: payload[offsets[15] as usize + k],
    };
    Frame {
        t: shape.t,
        step: shape.step,
        x: bodies.clone().map(|k| vector(0, k)).collect(),
        v: bodies.clone().map(|k| vector(1, k)).collect(),
        omega: bodies.clone().map(|k| vector(2, k)).collect(),
        orientation: bodies.clone().map(|k| std::array::from_fn(|i| word(3, 4 * k + i))).collect(),
        id: bodies.map(|k| index(5, k)).collect(),
        contacts: (0..shape.rows[1]).map(contact).collect(),
    }
}
