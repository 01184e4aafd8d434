//! `stickslip new`.

use crate::Outcome;
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::PathBuf;

/// The scene to start from.
const TEMPLATE: &str = include_str!("new.toml");

/// Write a commented scene to start from.
#[derive(clap::Args)]
pub struct Arguments {
    /// Name of the scene; NAME.toml is written
    name: PathBuf,
}

/// Writes the file, and never over another.
pub fn run(a: Arguments) -> Result<Outcome> {
    let mut path = a.name.clone().into_os_string();
    if a.name.extension().is_none_or(|e| e != "toml") {
        path.push(".toml");
    }
    let path = PathBuf::from(path);
    let Some(name) = path.file_stem() else { bail!("'{}' is no name for a scene", a.name.display()) };
    // quotes and backslashes would end the text in the file
    let name = name.to_string_lossy().replace(['"', '\\'], "_").replace(|c: char| c.is_control(), "_");
    let doing = || format!("cannot write {}", path.display());
    let mut file = match std::fs::File::create_new(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
            bail!("{} is there already; choose another name or remove it", path.display())
        }
        file => file.with_context(doing)?,
    };
    file.write_all(TEMPLATE.replace("NAME", &name).as_bytes()).with_context(doing)?;
    crate::say!("{} is written; look at it, then: stickslip run {}", path.display(), path.display());
    Ok(Outcome::Done)
}
