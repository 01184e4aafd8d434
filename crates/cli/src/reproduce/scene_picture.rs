//! Pictures of runs on a page.

use super::simulate::Ran;
use anyhow::Result;
use stickslip::view::{ResultFile, Source, report, survey};

/// The last frame of a run, as an HTML figure.
pub fn last_frame(ran: &Ran, forces: bool) -> Result<Vec<String>> {
    picture(ran, 1.0, forces)
}

/// The frame at a part of a run, 0 to 1, as an HTML figure.
pub fn frame_at(ran: &Ran, part: f64) -> Result<Vec<String>> {
    picture(ran, part, false)
}

fn picture(ran: &Ran, part: f64, forces: bool) -> Result<Vec<String>> {
    let result = ResultFile::open(&ran.files.results)?;
    let all = result.frames();
    let mut frames: Vec<usize> = (0..all).step_by(all.div_ceil(50).max(1)).collect();
    let survey = survey(&result, &mut frames)?;
    let frame = result.frame((part * all.saturating_sub(1) as f64).round() as usize)?;
    Ok(vec![report::figure(&result, &frame, &survey, forces)?])
}
