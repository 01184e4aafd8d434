//! What is wrong with a scene: the line, a caret under it, and the remedy.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A scene that cannot be used.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneError {
    /// The file; empty when the scene came as text.
    pub file: PathBuf,
    /// Line and column, from 1, when a place in the file is known.
    pub place: Option<(usize, usize)>,
    /// The key, such as `body.2.shape`, when the place has one.
    pub key: String,
    /// What is wrong, and what to do about it.
    pub what: String,
    /// The line with the caret under it.
    pub excerpt: String,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = if self.file.as_os_str().is_empty() { "scene".into() } else { self.file.display().to_string() };
        match self.place {
            Some((line, column)) => write!(f, "{file}:{line}:{column}: ")?,
            None => write!(f, "{file}: ")?,
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        write!(f, "{}{}", self.what, self.excerpt)
    }
}

impl std::error::Error for SceneError {}

impl SceneError {
    /// At a place of a text.
    pub(crate) fn at(file: &Path, text: &str, span: Option<Range<usize>>, key: &str, what: impl Into<String>) -> Self {
        let (place, excerpt) = match span {
            Some(span) => excerpt(text, span),
            None => (None, String::new()),
        };
        Self { file: file.to_owned(), place, key: key.into(), what: what.into(), excerpt }
    }

    /// From a file that could not be read.
    pub(crate) fn unreadable(file: &Path, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), place: None, key: String::new(), what: what.into(), excerpt: String::new() }
    }
}

/// Most characters of a line that are shown.
const WIDTH: usize = 100;

/// Line and column of a span, and the line with carets under it.
fn excerpt(text: &str, span: Range<usize>) -> (Option<(usize, usize)>, String) {
    let start = floor(text, span.start);
    let begin = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    let (line, column) = (text[..start].matches('\n').count() + 1, text[begin..start].chars().count() + 1);
    let stop = floor(text, span.end).clamp(start, end);
    let carets = text[start..stop].chars().count().clamp(1, WIDTH);
    // a long line is shown from a little before the place
    let skipped = (column + carets).saturating_sub(WIDTH).min(column - 1);
    let shown: String = text[begin..end].chars().skip(skipped).take(WIDTH).map(blank_controls).collect();
    let margin = " ".repeat(line.to_string().len());
    let indent = " ".repeat(column - 1 - skipped);
    let excerpt = format!("\n {margin} |\n {line} | {shown}\n {margin} | {indent}{}", "^".repeat(carets));
    (Some((line, column)), excerpt)
}

/// Tabs and control characters take one column, and reach no terminal.
fn blank_controls(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
