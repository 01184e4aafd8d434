//! `stickslip schema`.

use crate::Outcome;
use anyhow::Result;

/// Print the JSON Schema of scene files.
#[derive(clap::Args)]
pub struct Arguments {
    /// A page of Markdown instead: the scene reference of the book
    #[arg(long)]
    markdown: bool,
}

/// Prints it.
pub fn run(a: Arguments) -> Result<Outcome> {
    if a.markdown {
        crate::say!("{}", stickslip::io::scene::reference().trim_end());
    } else {
        crate::say!("{}", serde_json::to_string_pretty(&stickslip::io::scene::schema())?);
    }
    Ok(Outcome::Done)
}
