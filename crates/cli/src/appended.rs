//! A CSV file of results to which rows are appended as they come, and from which an interrupted command goes on.

use anyhow::{Context, Result, bail};
use serde::{Serialize, de::DeserializeOwned};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::hash::Hash;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A row of such a file.
pub trait Row: Serialize + DeserializeOwned {
    /// What makes two rows the same.
    type Key: Eq + Hash;
    /// Its columns.
    const HEADER: &'static [&'static str];
    /// What the file is of, for messages.
    const OF: &'static str;

    /// What makes this row the same as another.
    fn key(&self) -> Self::Key;
}

/// The file, open for appending.
pub struct Appended<R> {
    path: PathBuf,
    file: File,
    /// What is in it.
    pub rows: Vec<R>,
}

impl<R: Row> Appended<R> {
    /// Opens the results of a folder: what an interruption left of a last line is cut off, complete rows are kept.
    pub fn open(path: &Path) -> Result<Self> {
        let doing = || format!("cannot use the results in {}", path.display());
        let text = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(e) => return Err(e).with_context(doing),
        };
        let whole = text.iter().rposition(|b| *b == b'\n').map_or(0, |k| k + 1);
        let rows = parse(&text[..whole]).with_context(doing)?;
        let file = OpenOptions::new().create(true).append(true).open(path).with_context(doing)?;
        file.set_len(whole as u64).with_context(doing)?;
        let mut results = Self { path: path.into(), file, rows };
        if whole == 0 {
            results.write(R::HEADER.join(",") + "\n")?;
        }
        Ok(results)
    }

    /// Appends a row and hands it to the system at once, in one write.
    pub fn append(&mut self, row: R) -> Result<()> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        writer.serialize(&row).context("a row of results")?;
        let line = writer.into_inner().context("a row of results")?;
        self.write(String::from_utf8_lossy(&line).into_owned())?;
        self.rows.push(row);
        Ok(())
    }

    fn write(&mut self, text: String) -> Result<()> {
        let doing = || format!("cannot write to {}", self.path.display());
        self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush()).with_context(doing)
    }
}

/// Reads complete rows; the first of equal ones counts.
fn parse<R: Row>(text: &[u8]) -> Result<Vec<R>> {
    let mut reader = csv::Reader::from_reader(text);
    if !text.is_empty() && reader.headers()?.iter().ne(R::HEADER.iter().copied()) {
        bail!("its first line is not that of {}; choose another --out", R::OF);
    }
    let mut seen = HashSet::new();
    let mut rows = Vec::new();
    for row in reader.deserialize() {
        let row: R = row.context("a row is damaged; delete it to have it run again")?;
        if seen.insert(row.key()) {
            rows.push(row);
        }
    }
    Ok(rows)
}
