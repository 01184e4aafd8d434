//! Words of a text with their line numbers.

use crate::error::IoError;

const REMEDY: &str = "the file is damaged, or is no Siconos problem; fetch or write it again";

/// Hands out the words of a text one by one.
#[derive(Clone)]
pub(super) struct Scanner<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1 }
    }

    /// The next word, if there is one.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        let start = self.rest.trim_start();
        let skipped = &self.rest[..self.rest.len() - start.len()];
        self.line += skipped.bytes().filter(|&b| b == b'\n').count();
        let end = start.find(char::is_whitespace).unwrap_or(start.len());
        let (word, rest) = start.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// The rest of the current line.
    pub(super) fn skip_line(&mut self) {
        match self.rest.split_once('\n') {
            Some((_, rest)) => {
                self.rest = rest;
                self.line += 1;
            }
            None => self.rest = "",
        }
    }

    /// The next word, which must be there; `what` says what it stands for.
    pub(super) fn expect(&mut self, what: &str) -> Result<&'a str, IoError> {
        self.word().ok_or_else(|| self.fault(format!("the file ends where {what} was expected")))
    }

    /// The next word, which must be this one.
    pub(super) fn literal(&mut self, text: &str) -> Result<(), IoError> {
        let word = self.expect(text)?;
        if word == text { Ok(()) } else { Err(self.fault(format!("'{}' found, '{text}' expected", short(word)))) }
    }

    /// A number that counts something.
    pub(super) fn count(&mut self, what: &str) -> Result<usize, IoError> {
        let word = self.expect(what)?;
        self.parse_count(word, what)
    }

    /// A count written as part of a word.
    pub(super) fn parse_count(&self, word: &str, what: &str) -> Result<usize, IoError> {
        // no more than 32-bit integers, as Siconos: sums and products of two then cannot overflow
        word.parse::<u32>()
            .map(|n| n as usize)
            .map_err(|_| self.fault(format!("'{}' found, {what} (a whole number) expected", short(word))))
    }

    /// A floating-point number.
    pub(super) fn float(&mut self, what: &str) -> Result<f64, IoError> {
        let word = self.expect(what)?;
        word.parse().map_err(|_| self.fault(format!("'{}' found, a number of {what} expected", short(word))))
    }

    /// So many floating-point numbers.
    pub(super) fn floats(&mut self, count: usize, what: &str) -> Result<Vec<f64>, IoError> {
        self.room_for(count, what)?;
        (0..count).map(|_| self.float(what)).collect()
    }

    /// So many counts.
    pub(super) fn counts(&mut self, count: usize, what: &str) -> Result<Vec<usize>, IoError> {
        self.room_for(count, what)?;
        (0..count).map(|_| self.count(what)).collect()
    }

    /// Refuses more words than the rest of the text can hold, before memory is taken for them.
    pub(super) fn room_for(&self, count: usize, what: &str) -> Result<(), IoError> {
        let room = self.rest.len().div_ceil(2);
        if count > room {
            let what = format!("{count} numbers expected for {what}, but the file has room for {room} at most");
            return Err(self.fault(what));
        }
        Ok(())
    }

    /// An error at the current line.
    pub(super) fn fault(&self, what: String) -> IoError {
        IoError::content(format!("line {}", self.line), what, REMEDY)
    }

    /// The number of words left, and the first of them.
    pub(super) fn remaining(&self) -> (usize, Option<&'a str>) {
        let mut words = self.rest.split_whitespace();
        let first = words.next();
        (words.count() + usize::from(first.is_some()), first)
    }
}

/// A word cut to a length that an error message can bear.
fn short(word: &str) -> String {
    word.chars().take(24).collect()
}
