//! Replacing a file without ever losing the old one.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::IoError;

/// Lets `write` fill a temporary file beside `path`, brings it to the disk and only then renames it.
///
/// A full disk, an error or a kill on the way leaves the old file as it was.
pub(crate) fn replace_file(path: &Path, write: impl FnOnce(&Path) -> Result<(), IoError>) -> Result<(), IoError> {
    let temporary = temporary_beside(path);
    let done = write(&temporary).map_err(|e| e.at(path)).and_then(|()| {
        // opened for writing, because some systems refuse to flush a file open for reading
        let synced = File::options().write(true).open(&temporary).and_then(|f| f.sync_all());
        synced.map_err(|e| IoError::system(path, "write", e))?;
        fs::rename(&temporary, path).map_err(|e| IoError::system(path, "replace", e))
    });
    if done.is_err() {
        // what remains is rubbish, and the error is already being told
        let _ = fs::remove_file(&temporary);
    } else if let Some(folder) = path.parent() {
        // a rename that is not yet on the disk loses nothing: the old file is still there
        let _ =
            File::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).and_then(|f| f.sync_all());
    }
    done
}

fn temporary_beside(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".{name}.{}-{count}.part", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_keeps_the_old_file_and_no_rubbish() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        fs::write(&path, "old").unwrap();
        let failed = replace_file(&path, |t| {
            fs::write(t, "half").unwrap();
            Err(IoError::content("x", "y", "z"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        replace_file(&path, |t| fs::write(t, "new").map_err(|e| IoError::system(t, "write", e))).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}
