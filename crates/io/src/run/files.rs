//! The files of a run.

use std::path::{Path, PathBuf};

/// Where a run writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// Frames: `NAME.vtkhdf`.
    pub results: PathBuf,
    /// One line a step: `NAME.csv`.
    pub ledger: PathBuf,
    /// From where the run can go on: `NAME.checkpoint`.
    pub checkpoint: PathBuf,
    /// Held while the run goes on, so that no other writes the same files: `NAME.lock`.
    pub lock: PathBuf,
}

impl Files {
    /// Files whose names begin with `base`.
    pub fn named(base: &Path) -> Self {
        let with = |ending: &str| {
            let mut name = base.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        let (results, ledger) = (with(".vtkhdf"), with(".csv"));
        Self { results, ledger, checkpoint: with(".checkpoint"), lock: with(".lock") }
    }
}
