//! Checkpoints: the whole state of a run in one file, written so that the old one stays until the new one is complete.
//!
//! | bytes | what |
//! |---|---|
//! | 16 | `stickslip chk`, NUL-padded to 12 bytes, and the version of this format |
//! | 4 | checksum of all that follows |
//! | … | the scene files, the counts of what was written, the account, the state of the world |

use crate::error::IoError;
use crate::replace_file::replace_file;
use crate::run::{Simulation, Summary};
use crate::scene::Scene;
use serde::{Deserialize, Serialize};
use std::path::Path;
use stickslip_dynamics::Snapshot;

const NAME: [u8; 12] = *b"stickslipchk";
/// The version of the format; a reader refuses others, because a state from another program may not give the same bits.
const VERSION: u32 = 2;

/// How much of results and ledger is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// Frames in the results.
    pub frames: usize,
    /// Bytes of the ledger.
    pub ledger_bytes: u64,
}

/// The state of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The files of the scene: name and text.
    pub scene: Vec<(String, String)>,
    /// What is in the files.
    pub written: Written,
    /// The same without what is there only because the run came to its end.
    pub regular: Written,
    /// The account so far.
    pub summary: Summary,
    /// The world.
    state: Snapshot,
}

impl Checkpoint {
    pub(crate) fn of(
        scene: &Scene,
        simulation: &Simulation,
        [written, regular]: [Written; 2],
        summary: &Summary,
    ) -> Self {
        Self { scene: scene.files.clone(), written, regular, summary: summary.clone(), state: simulation.snapshot() }
    }

    /// Writes the file; until that is done the old one stays.
    pub fn write(&self, path: &Path) -> Result<(), IoError> {
        let body = postcard::to_stdvec(self)
            .map_err(|e| IoError::Unstorable { what: "the state".into(), remedy: e.to_string() })?;
        let bytes = [&NAME[..], &VERSION.to_le_bytes(), &crc32fast::hash(&body).to_le_bytes(), &body].concat();
        replace_file(path, |temporary| {
            std::fs::write(temporary, &bytes).map_err(|e| IoError::system(temporary, "write", e))
        })
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, IoError> {
        let bytes = std::fs::read(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => {
                let remedy = "start the run without --resume";
                IoError::content("checkpoint", "there is none", remedy).at(path)
            }
            _ => IoError::system(path, "open", e),
        })?;
        let damaged = |what: &str| IoError::content("checkpoint", what, "start the run again").at(path);
        let (head, body) = bytes.split_at_checked(20).ok_or_else(|| damaged("the file is too short"))?;
        if head[..12] != NAME {
            return Err(damaged("the file is no checkpoint"));
        }
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| head[at + i]));
        if word(12) != VERSION {
            let what = format!("has version {}; this program reads version {VERSION}", word(12));
            let remedy = "go on with the program that wrote it, or start the run again";
            return Err(IoError::content("checkpoint", what, remedy).at(path));
        }
        if word(16) != crc32fast::hash(body) {
            return Err(damaged("its checksum is wrong"));
        }
        postcard::from_bytes(body).map_err(|e| damaged(&e.to_string()))
    }

    /// Takes a file away; none is no error.
    pub(crate) fn remove(path: &Path) -> Result<(), IoError> {
        match std::fs::remove_file(path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(IoError::system(path, "remove", e)),
            _ => Ok(()),
        }
    }

    /// Refuses a scene that is not the one of the checkpoint.
    pub(crate) fn check_scene(&self, scene: &Scene, path: &Path) -> Result<(), IoError> {
        let texts = |files: &[(String, String)]| files.iter().map(|f| f.1.clone()).collect::<Vec<_>>();
        if texts(&self.scene) == texts(&scene.files) {
            return Ok(());
        }
        let remedy = "restore the scene (its text is in the results), or start the run anew";
        Err(IoError::content("checkpoint", "belongs to another scene, or to this one before it was edited", remedy)
            .at(path))
    }

    /// Puts the state into a fresh simulation of the scene.
    pub(crate) fn restore(&self, simulation: &mut Simulation, path: &Path) -> Result<(), IoError> {
        let restored = simulation.restore(&self.state).map_err(|e| e.to_string());
        restored.map_err(|e| IoError::content("checkpoint", e, "start the run again").at(path))
    }
}
