//! Appending frames.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::VERSION;
use super::columns;
use super::frame::Frame;
use super::info::RunInfo;
use super::objects::superblock;
use super::reader::Reader;
use super::record::{FIRST, HEAD, Head, Kind, NAME};
use super::seal::{Contents, Placed, iota_rows, seal};
use crate::error::IoError;

/// A results file being written.
///
/// The bytes depend on the run and the frames alone: not on how often the writer was closed and [reopened](Self::reopen)
/// on the way.
pub struct Writer {
    file: File,
    path: PathBuf,
    info: RunInfo,
    chunks: [usize; 2],
    /// Where the next record goes.
    end: u64,
    frames: Vec<Placed>,
    iota: Vec<u64>,
    texts: [(u64, u64); 2],
    payload: Vec<u8>,
}

/// Rows of a chunk of bodies and of contacts: one chunk holds all bodies of a small scene.
fn chunks(bodies: usize) -> [usize; 2] {
    [bodies.clamp(1, 1 << 16), (2 * bodies).next_power_of_two().clamp(8, 1 << 10)]
}

/// Whether a seal follows when there are so many frames: at 1, 2, 4, 8, 16, and then at a quarter more each
/// time.
fn sealed_at(frames: usize) -> bool {
    let mut next = 1;
    while next < frames {
        next = if next < 16 { 2 * next } else { next * 5 / 4 };
    }
    next == frames
}

impl Writer {
    /// Creates the file, or replaces it.
    pub fn create(path: &Path, info: &RunInfo) -> Result<Self, IoError> {
        let mut file = File::create(path).map_err(|e| IoError::system(path, "create", e))?;
        let chunks = chunks(info.bodies.len());
        let mut start = superblock(u64::MAX, u64::MAX).to_vec();
        start.extend(NAME);
        start.extend(VERSION.to_le_bytes());
        file.write_all(&start).map_err(|e| IoError::system(path, "write", e))?;
        let mut writer = Self {
            file,
            path: path.to_owned(),
            info: RunInfo { version: VERSION, ..info.clone() },
            chunks,
            end: FIRST,
            frames: Vec::new(),
            iota: Vec::new(),
            texts: [(0, 0); 2],
            payload: Vec::new(),
        };
        writer.texts = writer.write_info()?;
        Ok(writer)
    }

    /// Opens a file to go on behind its first `frames` frames; what follows them is dropped.
    ///
    /// The file may have been truncated, or its writer killed.
    pub fn reopen(path: &Path, frames: usize) -> Result<Self, IoError> {
        let reader = Reader::open(path)?;
        if reader.frames() < frames {
            let what = format!("{} whole frames found, {frames} expected", reader.frames());
            return Err(IoError::content("frames", what, "the file was cut or replaced; start the run again").at(path));
        }
        let file = File::options().read(true).write(true).open(path).map_err(|e| IoError::system(path, "open", e))?;
        let kept = reader.up_to(frames);
        let mut writer = Self {
            file,
            path: path.to_owned(),
            info: reader.info().clone(),
            chunks: reader.chunks(),
            end: kept.end,
            frames: kept.frames,
            iota: kept.iota,
            texts: reader.texts(),
            payload: Vec::new(),
        };
        // first a superblock that points at what stays, then the cut
        let (root, end) = kept.seal.unwrap_or((u64::MAX, u64::MAX));
        writer.put_superblock(root, end)?;
        writer.file.set_len(writer.end).map_err(|e| IoError::system(path, "write", e))?;
        if sealed_at(frames) {
            writer.write_seal(Kind::Seal)?;
        }
        Ok(writer)
    }

    /// The run.
    pub fn info(&self) -> &RunInfo {
        &self.info
    }

    /// Frames so far.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Appends a frame. After an error the frames before it are whole.
    pub fn append(&mut self, frame: &Frame) -> Result<(), IoError> {
        let n = frame.id.len();
        if [frame.x.len(), frame.orientation.len(), frame.v.len(), frame.omega.len()] != [n; 4] {
            let remedy = "give every body of the frame one entry in each array".into();
            return Err(IoError::Unstorable { what: "a frame with arrays of different lengths".into(), remedy });
        }
        self.extend_iota(n.max(frame.contacts.len()) + 1)?;
        let mut payload = std::mem::take(&mut self.payload);
        let shape = columns::encode(frame, &self.info, self.chunks, &mut payload);
        let at = self.end + HEAD as u64;
        let written = self.record(Kind::Frame, &payload, self.frames.len() as u64 + 1);
        self.payload = payload;
        written?;
        self.frames.push(Placed { at, shape });
        if sealed_at(self.frames.len()) { self.write_seal(Kind::Seal) } else { Ok(()) }
    }

    /// Brings what was appended to the disk.
    pub fn sync(&mut self) -> Result<(), IoError> {
        self.file.sync_data().map_err(|e| IoError::system(&self.path, "write", e))
    }

    /// Lets HDF5 programs see every frame so far and closes the file; the run may go on in a [reopened](Self::reopen)
    /// one.
    pub fn pause(mut self) -> Result<(), IoError> {
        self.write_seal(Kind::Seal)?;
        self.sync()
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<(), IoError> {
        self.write_seal(Kind::End)?;
        self.sync()
    }

    fn write_info(&mut self) -> Result<[(u64, u64); 2], IoError> {
        let json = serde_json::to_vec(&self.info.stored(self.chunks))
            .map_err(|e| IoError::Unstorable { what: "the description of the run".into(), remedy: e.to_string() })?;
        let start = self.end + HEAD as u64 + 8;
        let scene = self.info.scene.clone();
        let texts = [(start, json.len() as u64), (start + json.len() as u64, scene.len() as u64)];
        let payload = [&(json.len() as u64).to_le_bytes()[..], &json, scene.as_bytes()].concat();
        self.record(Kind::Info, &payload, 0)?;
        Ok(texts)
    }

    /// Writes the numbers 0, 1, 2, ... up to at least `count` of them, a piece at a time.
    fn extend_iota(&mut self, count: usize) -> Result<(), IoError> {
        let rows = iota_rows(self.chunks);
        while self.iota.len() * rows < count {
            let first = self.iota.len() * rows;
            let payload: Vec<u8> = (first..first + rows).flat_map(|k| (k as u64).to_le_bytes()).collect();
            let at = self.end + HEAD as u64;
            self.record(Kind::Iota, &payload, self.frames.len() as u64)?;
            self.iota.push(at);
        }
        Ok(())
    }

    fn write_seal(&mut self, kind: Kind) -> Result<(), IoError> {
        let contents = Contents {
            dimension: self.info.dimension,
            h: self.info.h,
            frames: &self.frames,
            chunks: self.chunks,
            iota: &self.iota,
            texts: self.texts,
        };
        let (mut payload, root) = seal(&contents, self.end + HEAD as u64);
        // the root at the end, for who goes on behind this seal
        payload.extend(root.to_le_bytes());
        self.record(kind, &payload, self.frames.len() as u64)?;
        self.put_superblock(root, self.end)
    }

    fn put_superblock(&mut self, root: u64, end: u64) -> Result<(), IoError> {
        let put = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.write_all(&superblock(root, end)));
        put.map_err(|e| IoError::system(&self.path, "write", e))
    }

    fn record(&mut self, kind: Kind, payload: &[u8], frames: u64) -> Result<(), IoError> {
        let head = Head::new(kind, payload, frames).encode();
        let put = self
            .file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.file.write_all(&head))
            .and_then(|()| self.file.write_all(payload));
        if let Err(e) = put {
            // half a record is of no use; the error is told either way
            _ = self.file.set_len(self.end);
            return Err(IoError::system(&self.path, "write", e));
        }
        self.end += (HEAD + payload.len()) as u64;
        Ok(())
    }
}
