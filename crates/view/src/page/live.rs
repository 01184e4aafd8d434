//! The page of a run that is still going: its first frame, and later ones as they are asked for.

use super::{header, pack::Packer, shell};
use crate::{Budget, Frame, Source, ViewError, survey};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::json;

/// Body-frames of one answer.
const ANSWER: usize = 400_000;

/// The page with the first frame in it.
///
/// # Errors
/// [`ViewError::NoFrames`] as long as there is none.
pub fn page(source: &dyn Source) -> Result<String, ViewError> {
    let mut selection = Budget::default().select(source.info(), source.frames().min(1));
    let survey = survey(source, &mut selection.frames)?;
    let ids: Vec<u32> = selection.bodies.iter().map(|&k| source.info().bodies[k].id).collect();
    let packer = Packer::new(&survey, &ids, usize::MAX);
    let chunk = packer.pack(&[source.frame(selection.frames[0])?]).map_err(packing)?;
    let header = header::json(source, &selection, &survey, &selection.notices);
    let [before, after] = shell(&source.info().title, &header, true);
    let text = STANDARD.encode(chunk);
    Ok(format!("{before}<script type=\"text/plain\" class=\"chunk\">{text}</script>\n{after}"))
}

/// The frames from number `from` on, as many as fit into an answer, with the ranges they are packed by: JSON.
///
/// # Errors
/// What the source says.
pub fn frames(source: &dyn Source, from: usize, finished: bool) -> Result<String, ViewError> {
    let bodies = Budget::default().select(source.info(), 1).bodies;
    let most = (ANSWER / bodies.len().max(1)).clamp(1, 200);
    let mut numbers: Vec<usize> = (from..source.frames()).take(most).collect();
    if numbers.is_empty() {
        return Ok(json!({ "t": [], "finished": finished }).to_string());
    }
    let survey = survey(source, &mut numbers)?;
    let ids: Vec<u32> = bodies.iter().map(|&k| source.info().bodies[k].id).collect();
    let frames: Vec<Frame> = numbers.iter().map(|&k| source.frame(k)).collect::<Result<_, _>>()?;
    let chunk = Packer::new(&survey, &ids, Budget::default().contacts).pack(&frames).map_err(packing)?;
    let mut answer = header::ranges(&survey);
    let more = json!({
        "t": survey.t, "frame": numbers, "curves": survey.curves, "finished": finished, "chunk": STANDARD.encode(chunk),
    });
    if let (Some(answer), Some(more)) = (answer.as_object_mut(), more.as_object()) {
        answer.extend(more.clone());
    }
    Ok(answer.to_string())
}

fn packing(e: std::io::Error) -> ViewError {
    ViewError::File { path: "the page".into(), source: e }
}
