//! A static page about a result: summary, curves and pictures. No program in it; it prints well.

mod plot;

use crate::page::{self, escape};
use crate::render::{self, Look};
use crate::{Frame, Source, Survey, ViewError, survey, svg};
use base64::{Engine, engine::general_purpose::STANDARD};
use std::fmt::Write;

/// Frames that are read for the curves and ranges; a result with more is sampled evenly.
const FRAMES: usize = 400;

/// Bodies up to which a plane scene is drawn as vector graphics.
const VECTOR: usize = 2000;

/// The report as HTML.
///
/// # Errors
/// [`ViewError::NoFrames`] when there is nothing to show; otherwise what the source says.
pub fn html(source: &dyn Source) -> Result<String, ViewError> {
    let all = source.frames();
    let step = all.div_ceil(FRAMES).max(1);
    let mut frames: Vec<usize> = (0..all).step_by(step).chain(all.checked_sub(1)).collect();
    frames.dedup();
    let survey = survey(source, &mut frames)?;
    let title = escape(&source.info().title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} – stickslip</title>\n<style>\n{}</style></head>\n<body>\n<h1>{title}</h1>\n",
        include_str!("style.css")
    );
    for notice in source.notices().iter().chain(&survey.notices) {
        _ = writeln!(out, "<p class=\"notice\">{}</p>", escape(notice));
    }
    out.push_str(&pictures(source, &survey, &frames)?);
    out.push_str(&summary(source, &survey, all));
    out.push_str("<h2>In time</h2>\n<div class=\"plots\">\n");
    let curves = page::merge(source.curves(), &survey.curves);
    for panel in page::panel_names(&curves) {
        let members: Vec<_> = curves.iter().filter(|c| c.panel == panel).collect();
        _ = writeln!(out, "<figure>{}</figure>", plot::svg(&members)?);
    }
    _ = write!(out, "</div>\n<footer>stickslip {}</footer>\n</body>\n</html>\n", env!("CARGO_PKG_VERSION"));
    Ok(out)
}

/// Four moments, and the forces of the last.
fn pictures(source: &dyn Source, survey: &Survey, frames: &[usize]) -> Result<String, ViewError> {
    let last = frames.len() - 1;
    let mut places: Vec<usize> = (0..4).map(|k| k * last / 3).collect();
    places.dedup();
    let mut out = String::from("<div class=\"pictures\">\n");
    for place in places {
        let frame = source.frame(frames[place])?;
        out.push_str(&figure(source, &frame, survey, false)?);
    }
    let frame = source.frame(frames[last])?;
    if frame.contacts.iter().any(|c| c.rln > 0.0) {
        out.push_str(&figure(source, &frame, survey, true)?);
    }
    out.push_str("</div>\n");
    Ok(out)
}

/// One frame as an HTML figure with the picture in it: vector graphics in the plane, PNG in space.
///
/// # Errors
/// What the renderer says.
pub fn figure(source: &dyn Source, frame: &Frame, survey: &Survey, forces: bool) -> Result<String, ViewError> {
    let look = Look { width: 960, height: 720, forces, ..Default::default() };
    let info = source.info();
    let image = if info.dimension == 2 && info.bodies.len() <= VECTOR {
        STANDARD.encode(svg::drawing(info, frame, survey, &look)?) + "|svg+xml"
    } else {
        STANDARD.encode(render::picture(info, frame, survey, &look)?.png()?) + "|png"
    };
    let (data, kind) = image.split_once('|').unwrap_or((&image, "png"));
    let words = format!("t = {} s{}", render::few(frame.t), if forces { ", contact forces" } else { "" });
    Ok(format!(
        "<figure><img alt=\"{words}\" src=\"data:image/{kind};base64,{data}\"><figcaption>{words}</figcaption></figure>\n"
    ))
}

fn summary(source: &dyn Source, survey: &Survey, frames: usize) -> String {
    let info = source.info();
    let movable = info.bodies.iter().filter(|b| !b.fixed).count();
    let (first, last) = (survey.t.first().copied().unwrap_or(0.0), survey.t.last().copied().unwrap_or(0.0));
    let most = survey.contacts.iter().max().copied().unwrap_or(0);
    let mean = survey.contacts.iter().sum::<usize>() as f64 / survey.contacts.len().max(1) as f64;
    let deepest = survey.curves.iter().find(|c| c.panel == "penetration");
    let deepest = deepest.map_or(0.0, |c| c.points.iter().map(|p| p[1]).fold(0.0, f64::max));
    let few = render::few;
    let size = survey.scene;
    let extent: Vec<String> = (0..info.dimension).map(|k| few(size.high[k] - size.low[k])).collect();
    let force = if info.h > 0.0 { survey.rln.max / info.h } else { survey.rln.max };
    let rows = [
        ("bodies", format!("{movable} movable, {} fixed or driven", info.bodies.len() - movable)),
        ("dimension", info.dimension.to_string()),
        ("extent", format!("{} m", extent.join(" × "))),
        ("time", format!("{} s to {} s in {frames} frames", few(first), few(last))),
        ("step h", if info.h > 0.0 { format!("{} s", few(info.h)) } else { "not known".into() }),
        ("contacts in a frame", format!("{} on average, {most} at most", few(mean))),
        ("largest penetration in a frame", format!("{} m", few(deepest))),
        ("largest speed", format!("{} m/s", few(survey.speed.max))),
        ("largest normal force", format!("{} {}", few(force), if info.h > 0.0 { "N" } else { "N s" })),
    ];
    let rows: String = rows.iter().map(|(name, value)| format!("<tr><th>{name}</th><td>{value}</td></tr>\n")).collect();
    format!("<h2>Summary</h2>\n<table>\n{rows}</table>\n")
}
