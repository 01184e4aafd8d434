//! `stickslip schema`.

use crate::Outcome;
use anyhow::Result;

/// Print the JSON Schema of scene files.
#[derive(clap::Args)]
pub struct Arguments {}

/// Prints it.
pub fn run(_: Arguments) -> Result<Outcome> {
    crate::say!("{}", serde_json::to_string_pretty(&stickslip::io::scene::schema())?);
    Ok(Outcome::Done)
}
