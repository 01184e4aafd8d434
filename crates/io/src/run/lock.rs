//! One run at a time writes the files of a name.

use crate::error::IoError;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// A locked file beside the others. The system lets go of it when the process ends, however it ends.
pub(super) struct Lock {
    /// Open for as long as the lock is held.
    _file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock, or says that another run has it.
    pub fn take(path: &Path) -> Result<Self, IoError> {
        loop {
            let open = File::options().write(true).create(true).truncate(false).open(path);
            let file = open.map_err(|e| IoError::system(path, "create", e))?;
            match file.try_lock() {
                // one that its owner has just taken away is nobody's lock
                Ok(()) if !path.exists() => continue,
                Ok(()) => return Ok(Self { _file: file, path: path.to_owned() }),
                Err(TryLockError::WouldBlock) => {
                    let remedy = "wait for its end, or write elsewhere with --out";
                    return Err(
                        IoError::content("run", "another run is writing the files of this name", remedy).at(path)
                    );
                }
                Err(TryLockError::Error(e)) => return Err(IoError::system(path, "lock", e)),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // what stays behind locks nobody out
        _ = std::fs::remove_file(&self.path);
    }
}
