//! `stickslip view`.

use crate::Outcome;
use anyhow::{Context, Result};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use stickslip::view::{Budget, ResultFile, Source, page};

/// Look at a result: one page that opens in any browser.
#[derive(clap::Args)]
pub struct Arguments {
    /// The result, a .vtkhdf file that `stickslip run` has written
    result: PathBuf,
    /// The page to write; the name of the result with .html when left out
    #[arg(long)]
    out: Option<PathBuf>,
    /// Bodies times frames that the page may hold; larger results are thinned
    #[arg(long, default_value_t = Budget::default().body_frames)]
    most: usize,
}

/// Writes the page beside the result, or where it is told to.
pub fn run(a: Arguments) -> Result<Outcome> {
    let result = open(&a.result)?;
    let path = a.out.unwrap_or_else(|| a.result.with_extension("html"));
    let budget = Budget { body_frames: a.most, ..Budget::default() };
    let written = replace(&path, |out| Ok(page::write(&result, &budget, out)?))?;
    for notice in &written.notices {
        eprintln!("note: {notice}");
    }
    let megabytes = written.bytes as f64 / 1e6;
    crate::say!(
        "{} written: {} bodies, {} frames, {megabytes:.1} MB; open it in a browser",
        path.display(),
        written.bodies,
        written.frames
    );
    Ok(Outcome::Done)
}

/// Opens a result.
pub fn open(path: &Path) -> Result<ResultFile> {
    Ok(ResultFile::open(path)?)
}

/// Says what is odd about a result.
pub fn tell_notices(result: &ResultFile) {
    for notice in result.notices() {
        eprintln!("note: {notice}");
    }
}

/// Writes a file beside `path` and renames it: what was there stays until the new one is whole.
pub fn replace<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<T>) -> Result<T> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let cannot = || format!("cannot write {}", path.display());
    let file = std::fs::File::create(&part).with_context(cannot)?;
    let mut out = BufWriter::new(file);
    let done = write(&mut out).and_then(|value| {
        out.flush().with_context(cannot)?;
        std::fs::rename(&part, path).with_context(cannot)?;
        Ok(value)
    });
    if done.is_err() {
        // what remains is rubbish, and the error is already being told
        _ = std::fs::remove_file(&part);
    }
    done
}
