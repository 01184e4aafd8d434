//! Scene files with what they include, and the place of a key in them.

use super::error::SceneError;
use super::explain::explain;
use super::fault::Fault;
use super::file::SceneFile;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// One file.
pub(crate) struct Source {
    pub path: PathBuf,
    pub text: String,
    pub file: SceneFile,
}

/// No scene file is larger; meshes of a million triangles fit.
const LARGEST: u64 = 256 << 20;
/// No scene has more files.
const MOST_FILES: usize = 64;

/// Reads a file and all that it includes, included ones first.
pub(crate) fn read(path: &Path) -> Result<Vec<Source>, SceneError> {
    let mut sources = Vec::new();
    let text = text_of(path).map_err(|what| SceneError::unreadable(path, what))?;
    include(path, text, &mut Vec::new(), &mut sources)?;
    Ok(sources)
}

/// A scene that is not in a file; it can include nothing.
pub(crate) fn from_text(text: &str) -> Result<Vec<Source>, SceneError> {
    let source = parse(Path::new(""), text.to_owned())?;
    if !source.file.include.is_empty() {
        return Err(source.fault(&Fault::new("a scene given as text includes no files").under("include")));
    }
    Ok(vec![source])
}

fn include(path: &Path, text: String, open: &mut Vec<PathBuf>, sources: &mut Vec<Source>) -> Result<(), SceneError> {
    let source = parse(path, text)?;
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    open.push(real);
    for (k, name) in source.file.include.iter().enumerate() {
        let inner = path.parent().unwrap_or(Path::new("")).join(name);
        let fault = |what: String| source.fault(&Fault::new(what).under(k.to_string()).under("include"));
        let real = inner.canonicalize().map_err(|e| fault(format!("cannot open {}: {e}", inner.display())))?;
        if open.contains(&real) {
            return Err(fault(format!("{} includes itself", inner.display())));
        }
        if sources.len() + open.len() >= MOST_FILES {
            return Err(fault(format!("more than {MOST_FILES} files are included")));
        }
        let text = text_of(&inner).map_err(|what| fault(format!("{}: {what}", inner.display())))?;
        include(&inner, text, open, sources)?;
    }
    open.pop();
    sources.push(source);
    Ok(())
}

/// The text of a file, or what is wrong with it.
fn text_of(path: &Path) -> Result<String, String> {
    let unreadable = |e: std::io::Error| format!("cannot open: {e}");
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if about.is_dir() {
        return Err("is a folder; give the TOML file in it".into());
    }
    if about.len() > LARGEST {
        return Err(format!("{} bytes are no scene; give a TOML file", about.len()));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|e| {
        let line = e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
        format!("line {line} is not UTF-8 text; give a TOML file")
    })
}

fn parse(path: &Path, text: String) -> Result<Source, SceneError> {
    match toml::from_str::<SceneFile>(&text) {
        Ok(file) => Ok(Source { path: path.to_owned(), text, file }),
        Err(e) => {
            let key = e.span().map(|s| key_at(&text, s)).unwrap_or_default();
            let found = e.span().and_then(|s| text.get(s)).unwrap_or_default();
            Err(SceneError::at(path, &text, e.span(), &key, explain(e.message(), &key, found)))
        }
    }
}

impl Source {
    /// The error of a fault, at its place.
    pub(crate) fn fault(&self, fault: &Fault) -> SceneError {
        let path = fault.path();
        let span = locate(&self.text, &path);
        SceneError::at(&self.path, &self.text, span, &path.join("."), fault.what())
    }
}

/// The place of a key, or of the innermost key on the way to it that is there.
pub(crate) fn locate(text: &str, path: &[&str]) -> Option<Range<usize>> {
    let table = DeTable::parse(text).ok()?;
    let (first, rest) = path.split_first()?;
    let (key, mut value) = table.get_ref().get_key_value(*first)?;
    let mut span = key.span();
    for word in rest {
        let next = match value.get_ref() {
            DeValue::Table(t) => t.get_key_value(*word).map(|(k, v)| (k.span(), v)),
            DeValue::Array(a) => word.parse::<usize>().ok().and_then(|i| a.get(i)).map(|v| (v.span(), v)),
            _ => None,
        };
        let Some((at, inner)) = next else { break };
        (span, value) = (at, inner);
    }
    Some(span)
}

/// The keys that lead to a span; empty when the text is no TOML.
fn key_at(text: &str, span: Range<usize>) -> String {
    let Ok(table) = DeTable::parse(text) else { return String::new() };
    let mut path = Vec::new();
    in_table(table.get_ref(), &span, &mut path);
    path.join(".")
}

fn in_table(table: &DeTable<'_>, span: &Range<usize>, path: &mut Vec<String>) -> bool {
    table.iter().any(|(key, value)| {
        path.push(key.get_ref().to_string());
        let found = key.span() == *span || in_value(value, span, path);
        if !found {
            path.pop();
        }
        found
    })
}

fn in_value(value: &toml::Spanned<DeValue<'_>>, span: &Range<usize>, path: &mut Vec<String>) -> bool {
    let inside = match value.get_ref() {
        DeValue::Table(t) => in_table(t, span, path),
        DeValue::Array(a) => a.iter().enumerate().any(|(k, v)| {
            path.push(k.to_string());
            let found = in_value(v, span, path);
            if !found {
                path.pop();
            }
            found
        }),
        _ => false,
    };
    inside || value.span() == *span
}
