//! One HTML file that shows a result: data, shaders and program in it, no network, no dependency.

mod header;
pub(crate) mod live;
mod pack;

use crate::{Budget, Frame, Source, ViewError, survey};
use base64::{Engine, engine::general_purpose::STANDARD};
pub(crate) use header::{merge, panel_names};
use pack::Packer;
use std::io::Write;

/// Body-frames of one chunk: small enough to show the first frames while the rest is decoded.
const CHUNK: usize = 200_000;

/// The parts of the program, in the order in which they are put together.
const PROGRAM: [(&str, &str); 13] = [
    ("vector.js", include_str!("vector.js")),
    ("colour.js", include_str!("colour.js")),
    ("decode.js", include_str!("decode.js")),
    ("gl.js", include_str!("gl.js")),
    ("geometry.js", include_str!("geometry.js")),
    ("camera.js", include_str!("camera.js")),
    ("state.js", include_str!("state.js")),
    ("chains.js", include_str!("chains.js")),
    ("draw.js", include_str!("draw.js")),
    ("plots.js", include_str!("plots.js")),
    ("controls.js", include_str!("controls.js")),
    ("selfcheck.js", include_str!("selfcheck.js")),
    ("main.js", include_str!("main.js")),
];

/// The shaders, by the name that `gl.js` finds them under.
const SHADERS: [(&str, &str); 12] = [
    ("body.glsl", include_str!("body.glsl")),
    ("light.glsl", include_str!("light.glsl")),
    ("sphere.vert", include_str!("sphere.vert")),
    ("sphere.frag", include_str!("sphere.frag")),
    ("solid.vert", include_str!("solid.vert")),
    ("solid.frag", include_str!("solid.frag")),
    ("floor.vert", include_str!("floor.vert")),
    ("floor.frag", include_str!("floor.frag")),
    ("tube.vert", include_str!("tube.vert")),
    ("tube.frag", include_str!("tube.frag")),
    ("backdrop.vert", include_str!("backdrop.vert")),
    ("backdrop.frag", include_str!("backdrop.frag")),
];

/// What a page took.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// Frames shown.
    pub frames: usize,
    /// Bodies shown.
    pub bodies: usize,
    /// Bytes written.
    pub bytes: usize,
    /// What is odd or was left out, as the page says it.
    pub notices: Vec<String>,
}

/// Writes the page. The source is read twice: once for the ranges, once for the frames.
///
/// # Errors
/// [`ViewError::NoFrames`] when there is nothing to show; otherwise what the source or the writer says.
pub fn write(source: &dyn Source, budget: &Budget, out: &mut dyn Write) -> Result<Written, ViewError> {
    let mut selection = budget.select(source.info(), source.frames());
    let survey = survey(source, &mut selection.frames)?;
    let ids: Vec<u32> = selection.bodies.iter().map(|&k| source.info().bodies[k].id).collect();
    let packer = Packer::new(&survey, &ids, budget.contacts);
    let mut notices: Vec<String> = source.notices().to_vec();
    notices.extend(selection.notices.iter().cloned());
    notices.extend(packer.notice());
    notices.extend(survey.notices.iter().cloned());

    let header = header::json(source, &selection, &survey, &notices);
    let mut out = Counted { out, bytes: 0 };
    let file = |e: std::io::Error| ViewError::File { path: "the page".into(), source: e };
    let [before, after] = shell(&source.info().title, &header, false);
    out.write_all(before.as_bytes()).map_err(file)?;
    for chunk in selection.frames.chunks((CHUNK / ids.len().max(1)).clamp(1, 256)) {
        let frames: Vec<Frame> = chunk.iter().map(|&k| source.frame(k)).collect::<Result<_, _>>()?;
        let text = STANDARD.encode(packer.pack(&frames).map_err(file)?);
        writeln!(out, "<script type=\"text/plain\" class=\"chunk\">{text}</script>").map_err(file)?;
    }
    out.write_all(after.as_bytes()).map_err(file)?;
    let (frames, bodies, bytes) = (selection.frames.len(), ids.len(), out.bytes);
    Ok(Written { frames, bodies, bytes, notices })
}

/// The page before and after its chunks of frames; a live one may ask its server for more.
fn shell(title: &str, header: &str, live: bool) -> [String; 2] {
    let shaders: String =
        SHADERS.iter().map(|(n, s)| format!("<script type=\"x-shader\" id=\"{n}\">{s}</script>\n")).collect();
    let (following, connect): (&[(&str, &str)], &str) =
        if live { (&[("live.js", include_str!("live.js"))], "; connect-src 'self'") } else { (&[], "") };
    let program: String = following.iter().chain(&PROGRAM).map(|(n, s)| format!("// ==== {n}\n{s}\n")).collect();
    let page = include_str!("page.html")
        .replace("{{style}}", include_str!("style.css"))
        .replace("{{connect}}", connect)
        .replace("{{shaders}}", &shaders)
        .replace("{{program}}", &program);
    // what comes from outside goes in last, so that nothing in it can be taken for a place to fill
    let mut parts = page.splitn(2, "{{chunks}}");
    let mut part = || parts.next().unwrap_or_default();
    let (before, after) = (part(), part());
    let (head, tail) = before.split_once("{{header}}").unwrap_or((before, ""));
    [format!("{}{header}{tail}", head.replace("{{title}}", &escape(title))), after.to_owned()]
}

/// Text as HTML shows it.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

struct Counted<'a> {
    out: &'a mut dyn Write,
    bytes: usize,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let n = self.out.write(bytes)?;
        self.bytes += n;
        Ok(n)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
