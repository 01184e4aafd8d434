//! One line a step: energies and figures of the solver.

use crate::error::IoError;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use stickslip_dynamics::StepReport;

/// The columns, energies and works in joules since the start.
const HEADER: &str = "step,t,h,bodies,contacts,touching,slipping,iterations,error,certified,penetration,mean_overlap,\
                      kinetic,potential,work_driven,work_external,friction,impact,rolling,scheme,exchanged,closure,gained\n";
/// Lines are written in pieces of about this size.
const BUFFER: usize = 1 << 16;

/// The file with a line a step.
pub(super) struct LedgerFile {
    file: File,
    path: PathBuf,
    /// Bytes on the disk.
    written: u64,
    lines: String,
}

impl LedgerFile {
    pub(super) fn create(path: &Path) -> Result<Self, IoError> {
        let file = File::create(path).map_err(|e| IoError::system(path, "create", e))?;
        Ok(Self { file, path: path.to_owned(), written: 0, lines: HEADER.into() })
    }

    /// Goes on behind the first `bytes` bytes.
    pub(super) fn reopen(path: &Path, bytes: u64) -> Result<Self, IoError> {
        let system = |e| IoError::system(path, "open", e);
        let mut file = File::options().write(true).open(path).map_err(system)?;
        let size = file.metadata().map_err(system)?.len();
        if size < bytes {
            let what = format!("{size} bytes found, {bytes} expected");
            return Err(IoError::content("ledger", what, "the file was cut or replaced; start the run again").at(path));
        }
        file.set_len(bytes).and_then(|()| file.seek(SeekFrom::End(0))).map_err(system)?;
        Ok(Self { file, path: path.to_owned(), written: bytes, lines: String::new() })
    }

    pub(super) fn append(&mut self, r: &StepReport) -> Result<(), IoError> {
        let l = &r.ledger;
        // writing to a string does not fail
        _ = write!(
            self.lines,
            "{},{:e},{:e},{},{},{},{},{},{:e},{},{:e},{:e}",
            r.step,
            r.t,
            r.h,
            r.bodies,
            r.contacts,
            r.touching,
            r.slipping,
            r.iterations,
            r.error,
            u8::from(r.certified && !r.soft),
            r.penetration,
            r.mean_overlap,
        );
        for x in [
            l.kinetic,
            l.potential,
            l.work_driven,
            l.work_external,
            l.friction,
            l.impact,
            l.rolling,
            l.scheme,
            l.exchanged,
            l.closure,
            l.gained(),
        ] {
            _ = write!(self.lines, ",{x:e}");
        }
        self.lines.push('\n');
        if self.lines.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    /// Bytes so far, all of them on the disk after [`sync`](Self::sync).
    pub(super) fn bytes(&self) -> u64 {
        self.written + self.lines.len() as u64
    }

    pub(super) fn sync(&mut self) -> Result<(), IoError> {
        self.flush()?;
        self.file.sync_data().map_err(|e| IoError::system(&self.path, "write", e))
    }

    fn flush(&mut self) -> Result<(), IoError> {
        self.file.write_all(self.lines.as_bytes()).map_err(|e| IoError::system(&self.path, "write", e))?;
        self.written += self.lines.len() as u64;
        self.lines.clear();
        Ok(())
    }
}
