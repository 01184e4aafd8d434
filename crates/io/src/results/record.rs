//! The records that a results file is made of.
//!
//! | bytes | what |
//! |---|---|
//! | 48 | HDF5 superblock, pointing at the last seal |
//! | 16 | `stickslip`, NUL-padded to 12 bytes, and the version of this format |
//! | … | records: marker, kind, checksum of the payload, length, number; the payload |
//!
//! All numbers are little-endian.

/// Where the first record begins.
pub(super) const FIRST: u64 = 64;
/// What a file of ours has behind its superblock.
pub(super) const NAME: [u8; 12] = *b"stickslip\0\0\0";
const MARKER: [u8; 8] = *b"slip\x1arec";
/// Bytes in front of a payload.
pub(super) const HEAD: usize = 32;

/// What a record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// JSON of the run, then the scene.
    Info = 1,
    /// The numbers 0, 1, 2, ..., which are the cells of points.
    Iota = 2,
    /// A frame.
    Frame = 3,
    /// HDF5 metadata on the way.
    Seal = 4,
    /// HDF5 metadata of a finished run.
    End = 5,
}

/// The head of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub kind: Kind,
    pub checksum: u32,
    pub length: u64,
    /// Frames in the file up to and with this record.
    pub frames: u64,
}

impl Head {
    pub(super) fn new(kind: Kind, payload: &[u8], frames: u64) -> Self {
        Self { kind, checksum: crc32fast::hash(payload), length: payload.len() as u64, frames }
    }

    pub(super) fn encode(&self) -> [u8; HEAD] {
        let mut b = [0; HEAD];
        b[..8].copy_from_slice(&MARKER);
        b[8..12].copy_from_slice(&(self.kind as u32).to_le_bytes());
        b[12..16].copy_from_slice(&self.checksum.to_le_bytes());
        b[16..24].copy_from_slice(&self.length.to_le_bytes());
        b[24..].copy_from_slice(&self.frames.to_le_bytes());
        b
    }

    pub(super) fn decode(b: &[u8; HEAD]) -> Option<Self> {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| b[at + i]));
        let kind = match word(8) as u32 {
            1 => Kind::Info,
            2 => Kind::Iota,
            3 => Kind::Frame,
            4 => Kind::Seal,
            5 => Kind::End,
            _ => return None,
        };
        (b[..8] == MARKER).then(|| Self { kind, checksum: (word(8) >> 32) as u32, length: word(16), frames: word(24) })
    }
}
