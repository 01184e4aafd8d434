//! `stickslip report`.

use super::view;
use crate::Outcome;
use anyhow::Result;
use std::path::PathBuf;
use stickslip::view::report;

/// Write a page about a result: summary, curves, pictures.
#[derive(clap::Args)]
pub struct Arguments {
    /// The result, a .vtkhdf file that `stickslip run` has written
    result: PathBuf,
    /// The page to write; the name of the result with -report.html when left out
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Writes the report beside the result, or where it is told to.
pub fn run(a: Arguments) -> Result<Outcome> {
    let result = view::open(&a.result)?;
    view::tell_notices(&result);
    let stem = a.result.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let path = a.out.unwrap_or_else(|| a.result.with_file_name(format!("{stem}-report.html")));
    let html = report::html(&result)?;
    view::replace(&path, |out| Ok(out.write_all(html.as_bytes())?))?;
    crate::say!("{} written", path.display());
    Ok(Outcome::Done)
}
