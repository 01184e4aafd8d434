//! One problem of the bench: its file, its class, and the judge of every answer to it.

use super::classes::{Classes, stem};
use super::clock::{Repetition, smallest_and_median};
use super::peer::handover::Handover;
use anyhow::{Context, Result, bail};
use cpu_time::ThreadTime;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use stickslip::contact::certificate::{Certificate, Measure};
use stickslip::contact::operator::Delassus;
use stickslip::contact::problem::{GlobalProblem, LocalProblem, Reduced};
use stickslip::io::{self, Opened, on_each};

/// A file as the grid knows it before it is opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// Where it is.
    pub path: PathBuf,
    /// Its name in the results, unique.
    pub name: String,
    /// Its class.
    pub class: String,
    /// FNV-1a of its bytes.
    pub checksum: String,
}

/// Lists files with names that differ: the stem, with the folder before it where two stems are equal.
pub fn list(files: &[PathBuf], classes: &Classes) -> Result<Vec<Listed>> {
    let mut stems: BTreeMap<String, usize> = BTreeMap::new();
    files.iter().for_each(|f| *stems.entry(stem(f)).or_default() += 1);
    let mut listed: Vec<Listed> = Vec::new();
    for path in files {
        let mut name = stem(path);
        if stems[&name] > 1
            && let Some(folder) = path.parent().and_then(Path::file_name)
        {
            name = format!("{}/{name}", folder.to_string_lossy());
        }
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let one_line = |text: String| text.replace(['\n', '\r'], " ");
        let listing = Listed {
            path: path.clone(),
            name: one_line(name),
            class: one_line(classes.of(path)),
            checksum: format!("{:016x}", fnv1a(&bytes)),
        };
        match listed.iter().find(|l| l.name == listing.name) {
            // the same file given twice is one problem
            Some(other) if other.checksum == listing.checksum => {}
            Some(other) => bail!(
                "{} and {} would have one name in the results; rename one",
                other.path.display(),
                listing.path.display()
            ),
            None => listed.push(listing),
        }
    }
    Ok(listed)
}

/// A 64-bit checksum (Fowler, Noll, Vo): against mistakes, not against malice.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}

/// Certifies any r, whoever computed it.
pub trait Judge {
    /// None when r has a wrong length.
    fn certify(&self, r: &[f64], measure: Measure) -> Option<Certificate>;
}

impl<const D: usize, W: Delassus<D>> Judge for LocalProblem<D, W> {
    fn certify(&self, r: &[f64], measure: Measure) -> Option<Certificate> {
        let (blocks, rest) = r.as_chunks::<D>();
        (rest.is_empty() && blocks.len() == self.contacts())
            .then(|| LocalProblem::certify(self, blocks, measure).0)
            .filter(|c| c.error.is_finite())
    }
}

/// An opened problem.
pub struct Case {
    /// Its listing.
    pub listed: Listed,
    /// The file.
    pub opened: Opened,
    judge: Box<dyn Judge>,
}

impl Case {
    /// Opens the file.
    pub fn open(listed: &Listed) -> Result<Self> {
        let opened = io::open(&listed.path)?;
        let judge = on_each!(&opened.problem, local p => Box::new(p.clone()) as Box<dyn Judge>, global p => judge(p)?);
        Ok(Self { listed: listed.clone(), opened, judge })
    }

    /// Certifies any r, whoever computed it; the same arithmetic for all.
    pub fn certify(&self, r: &[f64], measure: Measure) -> Option<Certificate> {
        self.judge.certify(r, measure)
    }

    /// What a peer is handed: W and q, M and H as well where there are, and the CPU seconds that condensing took us.
    pub fn handover(&self, repetition: Repetition) -> Result<Handover> {
        on_each!(
            &self.opened.problem,
            local p => Ok(Handover::new(p, None, 0.0)),
            global p => {
                let mut seconds = Vec::new();
                let condensed = loop {
                    let clock = ThreadTime::now();
                    let condensed = p.condense()?.0;
                    seconds.push(clock.elapsed().as_secs_f64());
                    if !repetition.again(seconds.len(), seconds.iter().sum()) {
                        break condensed;
                    }
                };
                let fastest = smallest_and_median(&seconds).map_or(0.0, |s| s.0);
                Ok(Handover::new(&condensed, Some((&p.m, &p.h, &p.f, p.w.as_flattened())), fastest))
            }
        )
    }
}

fn judge<const D: usize>(problem: &GlobalProblem<D>) -> Result<Box<dyn Judge>> {
    Ok(match problem.reduce(&problem.factor_mass()?)? {
        Reduced::MatrixFree(p) => Box::new(p),
        Reduced::Condensed(p, _) => Box::new(p),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_the_same_file_counts_once() {
        let dir = tempfile::tempdir().unwrap();
        for (folder, name, text) in [("a", "x.hdf5", "1"), ("b", "x.hdf5", "2"), ("b", "y.hdf5", "3")] {
            std::fs::create_dir_all(dir.path().join(folder)).unwrap();
            std::fs::write(dir.path().join(folder).join(name), text).unwrap();
        }
        let files = ["a/x.hdf5", "b/x.hdf5", "b/y.hdf5", "b/y.hdf5"].map(|f| dir.path().join(f));
        let listed = list(&files, &Classes::default()).unwrap();
        assert_eq!(listed.iter().map(|l| l.name.as_str()).collect::<Vec<_>>(), ["a/x", "b/x", "b/y"]);
        assert_ne!(listed[0].checksum, listed[1].checksum);
        assert!(list(&[dir.path().join("none.hdf5")], &Classes::default()).is_err());
    }

    #[test]
    fn the_checksum_is_the_published_one() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
