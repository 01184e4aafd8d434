//! Scenes: the files of `scenes/`, mistakes in them, and runs that are interrupted.

mod alarms;
mod exchange;
mod failures;
mod files;
mod generators;
mod mistakes;
mod mutations;
mod reference;
mod resume;
mod schema;

use std::path::PathBuf;

/// The folder of the scenes.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

/// All scenes, in the order of their names.
fn scenes() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("the folder of the scenes is there");
    let mut found: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    found.retain(|p| p.extension().is_some_and(|e| e == "toml") && p.file_stem().is_some_and(|s| s != "materials"));
    found.sort();
    found
}
