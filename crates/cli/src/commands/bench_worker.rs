//! `stickslip bench-worker`: the process in which a bench solves; not for users.

use crate::Outcome;
use crate::bench::serve;
use anyhow::Result;

/// Takes jobs from standard input.
pub fn run() -> Result<Outcome> {
    serve::run()?;
    Ok(Outcome::Done)
}
