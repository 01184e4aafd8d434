//! What can go wrong with a file, where, and what to do about it.

use std::path::{Path, PathBuf};

use stickslip_contact::matrix::MatrixError;
use stickslip_contact::problem::ProblemError;

/// A file that could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum IoError {
    /// The operating system refused.
    #[error("{}cannot {doing}: {answer}", prefix(.path))]
    System {
        /// The file.
        path: PathBuf,
        /// What was being done, such as `open`.
        doing: &'static str,
        /// The system's answer; part of the message, and so not told again as its source.
        answer: std::io::Error,
    },
    /// The file is not what its format asks for.
    #[error("{}{place}: {what}; {remedy}", prefix(.path))]
    Content {
        /// The file; empty when the value never came from one.
        path: PathBuf,
        /// A dataset path, or a line number of a text file.
        place: String,
        /// What is wrong: found and expected.
        what: String,
        /// What to do about it.
        remedy: String,
    },
    /// The file reads well but describes no problem that can be solved.
    #[error("{}{place}: {fault}", prefix(.path))]
    Problem {
        /// The file; empty when the value never came from one.
        path: PathBuf,
        /// The part of the file that holds the problem.
        place: String,
        /// What is wrong with the problem; part of the message, and so not told again as its source.
        fault: ProblemError,
    },
    /// The file format has no place for this.
    #[error("{what} cannot be stored: {remedy}")]
    Unstorable {
        /// What was to be stored.
        what: String,
        /// What to do about it.
        remedy: String,
    },
}

fn prefix(path: &Path) -> String {
    if path.as_os_str().is_empty() { String::new() } else { format!("{}: ", path.display()) }
}

impl IoError {
    /// Wrong content at a place of a file yet to be named by [`at`](Self::at).
    pub(crate) fn content(place: impl Into<String>, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Content { path: PathBuf::new(), place: place.into(), what: what.into(), remedy: remedy.into() }
    }

    /// Two sizes that should agree and do not.
    pub(crate) fn size(place: impl Into<String>, found: usize, expected: usize, why: &str) -> Self {
        Self::content(
            place,
            format!("{found} entries found, {expected} expected ({why})"),
            "the file is damaged, or its writer disagrees with the format; write it again",
        )
    }

    /// A matrix whose arrays contradict each other.
    pub(crate) fn matrix(place: impl Into<String>, error: MatrixError) -> Self {
        Self::content(
            place,
            error.to_string(),
            "the file is damaged, or its writer disagrees with the format; write it again",
        )
    }

    /// A problem that its constructor refused.
    pub(crate) fn problem(place: impl Into<String>, fault: ProblemError) -> Self {
        Self::Problem { path: PathBuf::new(), place: place.into(), fault }
    }

    /// The system's answer to an operation on `path`.
    pub(crate) fn system(path: &Path, doing: &'static str, answer: std::io::Error) -> Self {
        Self::System { path: path.to_owned(), doing, answer }
    }

    /// The same error, naming the file it came from.
    pub(crate) fn at(mut self, file: &Path) -> Self {
        if let Self::System { path, .. } | Self::Content { path, .. } | Self::Problem { path, .. } = &mut self {
            *path = file.to_owned();
        }
        self
    }
}
