//! Reading frames.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::VERSION;
use super::columns::{self, SHAPE_BYTES, Shape};
use super::frame::Frame;
use super::info::{RunInfo, Stored};
use super::record::{FIRST, HEAD, Head, Kind, NAME};
use super::seal::Placed;
use crate::error::IoError;

const OTHER: &str =
    "give a .vtkhdf file that 'stickslip run' has written; HDF5 programs that rewrite it drop what is needed";

/// A results file open for reading: every whole frame in it, whatever became of the end of the file.
pub struct Reader {
    path: PathBuf,
    file: Mutex<File>,
    info: RunInfo,
    chunks: [usize; 2],
    texts: [(u64, u64); 2],
    frames: Vec<Placed>,
    /// (address, length, checksum) of the payload of every frame.
    payloads: Vec<(u64, u64, u32)>,
    iota: Vec<(u64, usize)>,
    /// (root, end, frames) of every seal.
    seals: Vec<(u64, u64, usize)>,
    /// End of the last whole record.
    end: u64,
    finished: bool,
    notices: Vec<String>,
}

/// What stays of a file that is cut behind a frame.
pub(super) struct Kept {
    pub end: u64,
    pub frames: Vec<Placed>,
    pub iota: Vec<u64>,
    pub seal: Option<(u64, u64)>,
}

impl Reader {
    /// Opens a file; fails when it is no results file, is of a newer version, or ends before its first frame begins.
    pub fn open(path: &Path) -> Result<Self, IoError> {
        let mut file = File::open(path).map_err(|e| IoError::system(path, "open", e))?;
        let mut start = [0; FIRST as usize];
        let foreign = || IoError::content("file", "is not a results file of stickslip", OTHER).at(path);
        file.read_exact(&mut start).map_err(|_| foreign())?;
        if start[48..60] != NAME {
            return Err(foreign());
        }
        let version = u32::from_le_bytes([start[60], start[61], start[62], start[63]]);
        if version > VERSION {
            let what = format!("has version {version} of the results format; this program knows up to {VERSION}");
            return Err(IoError::content("file", what, "use a newer stickslip").at(path));
        }
        let (info, chunks, texts, end) = read_info(&mut file, path, version)?;
        let mut reader = Self {
            path: path.to_owned(),
            file: Mutex::new(file),
            info,
            chunks,
            texts,
            frames: Vec::new(),
            payloads: Vec::new(),
            iota: Vec::new(),
            seals: Vec::new(),
            end,
            finished: false,
            notices: Vec::new(),
        };
        reader.refresh()?;
        Ok(reader)
    }

    /// The run.
    pub fn info(&self) -> &RunInfo {
        &self.info
    }

    /// Whole frames in the file.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Whether the run came to its end.
    pub fn finished(&self) -> bool {
        self.finished
    }

    /// What is odd about the file, in sentences for the user.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The time of frame k, without reading the frame.
    pub fn time(&self, k: usize) -> Option<f64> {
        self.frames.get(k).map(|f| f.shape.t)
    }

    /// Reads frame k.
    pub fn frame(&self, k: usize) -> Result<Frame, IoError> {
        let (Some(placed), Some(&(at, length, checksum))) = (self.frames.get(k), self.payloads.get(k)) else {
            let what = format!("there is no frame {k}: the file has {}", self.frames.len());
            return Err(IoError::content("frames", what, "ask for a smaller number").at(&self.path));
        };
        let mut payload = vec![0; length as usize];
        self.read(at, &mut payload)?;
        if crc32fast::hash(&payload) != checksum {
            let remedy = "the file is damaged there; other frames may still be read";
            return Err(IoError::content(format!("frame {k}"), "its checksum is wrong", remedy).at(&self.path));
        }
        Ok(columns::decode(&payload, &placed.shape, self.chunks))
    }

    /// Looks for frames that were appended since the file was opened.
    pub fn refresh(&mut self) -> Result<(), IoError> {
        self.notices.clear();
        let size = self.lock().metadata().map_err(|e| IoError::system(&self.path, "read", e))?.len();
        let mut why = None;
        while self.end < size {
            match self.next_record(size)? {
                Ok(end) => self.end = end,
                Err(what) => {
                    why = Some(what);
                    break;
                }
            }
        }
        let n = self.frames.len();
        if let Some(what) = why {
            self.notices.push(format!("{what}; the {n} whole frames before it are shown"));
        }
        if !self.finished {
            let t = self.frames.last().map_or(0.0, |f| f.shape.t);
            let remedy = "'stickslip run --resume' goes on from its checkpoint";
            self.notices.push(format!("the run has not come to its end: it stands at t = {t} s; {remedy}"));
        }
        Ok(())
    }

    /// Takes in the record at the end; the inner error says why there is no whole one.
    fn next_record(&mut self, size: u64) -> Result<Result<u64, String>, IoError> {
        let at = self.end + HEAD as u64;
        let cut = || Ok(Err(format!("the file is cut off in a record that begins at byte {}", at - HEAD as u64)));
        let mut head = [0; HEAD];
        if at > size {
            return cut();
        }
        self.read(self.end, &mut head)?;
        let damaged = || Ok(Err(format!("the file is damaged at byte {}", at - HEAD as u64)));
        let Some(head) = Head::decode(&head) else { return damaged() };
        let Some(end) = at.checked_add(head.length) else { return damaged() };
        if end > size {
            return cut();
        }
        match head.kind {
            Kind::Frame => {
                let mut start = [0; SHAPE_BYTES];
                if head.length < SHAPE_BYTES as u64 || head.frames != self.frames.len() as u64 + 1 {
                    return damaged();
                }
                self.read(at, &mut start)?;
                let Some(shape) = Shape::decode(&start, self.chunks, head.length) else { return damaged() };
                self.frames.push(Placed { at, shape });
                self.payloads.push((at, head.length, head.checksum));
            }
            Kind::Iota => self.iota.push((at, self.frames.len())),
            Kind::Seal | Kind::End if head.length >= 8 => {
                let mut root = [0; 8];
                self.read(end - 8, &mut root)?;
                self.seals.push((u64::from_le_bytes(root), end, self.frames.len()));
                self.finished |= head.kind == Kind::End;
            }
            _ => return damaged(),
        }
        Ok(Ok(end))
    }

    /// The state of a writer after the first `frames` frames and before the seal that may follow them.
    pub(super) fn up_to(&self, frames: usize) -> Kept {
        let ends = |k: usize| self.payloads[k].0 + self.payloads[k].1;
        let info_end = self.texts[1].0 + self.texts[1].1;
        let end = if frames == 0 { info_end } else { ends(frames - 1) };
        Kept {
            end,
            frames: self.frames[..frames].to_vec(),
            iota: self.iota.iter().filter(|i| i.0 < end).map(|i| i.0).collect(),
            seal: self.seals.iter().rev().find(|s| s.1 <= end).map(|s| (s.0, s.1)),
        }
    }

    pub(super) fn chunks(&self) -> [usize; 2] {
        self.chunks
    }

    pub(super) fn texts(&self) -> [(u64, u64); 2] {
        self.texts
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> Result<(), IoError> {
        let mut file = self.lock();
        let done = file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(bytes));
        done.map_err(|e| IoError::system(&self.path, "read", e))
    }
}

type Info = (RunInfo, [usize; 2], [(u64, u64); 2], u64);

/// The first record.
fn read_info(file: &mut File, path: &Path, version: u32) -> Result<Info, IoError> {
    let damaged =
        |what: &str| IoError::content("description of the run", what, "the file is damaged; run again").at(path);
    let size = file.metadata().map_err(|e| IoError::system(path, "read", e))?.len();
    let mut head = [0; HEAD];
    file.read_exact(&mut head).map_err(|_| damaged("the file ends before it"))?;
    let head = Head::decode(&head).filter(|h| h.kind == Kind::Info).ok_or_else(|| damaged("is not there"))?;
    let start = FIRST + HEAD as u64;
    let end = start.checked_add(head.length).filter(|&e| e <= size).ok_or_else(|| damaged("is cut off"))?;
    let mut payload = vec![0; head.length as usize];
    file.read_exact(&mut payload).map_err(|e| IoError::system(path, "read", e))?;
    if crc32fast::hash(&payload) != head.checksum || payload.len() < 8 {
        return Err(damaged("its checksum is wrong"));
    }
    let length = u64::from_le_bytes(std::array::from_fn(|i| payload[i])) as usize;
    let text = &payload[8..];
    let (json, scene) = text.split_at_checked(length).ok_or_else(|| damaged("its length is wrong"))?;
    let stored: Stored = serde_json::from_slice(json).map_err(|e| damaged(&e.to_string()))?;
    let chunks = stored.chunks;
    if chunks.iter().any(|&c| c == 0 || c > 1 << 20) {
        return Err(damaged("its chunks have no size"));
    }
    let texts = [(start + 8, json.len() as u64), (start + 8 + json.len() as u64, scene.len() as u64)];
    let scene = String::from_utf8_lossy(scene).into_owned();
    let info =
        RunInfo::from_stored(version, scene, stored).ok_or_else(|| damaged("its parts contradict each other"))?;
    Ok((info, chunks, texts, end))
}
