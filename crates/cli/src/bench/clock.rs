//! CPU seconds, and how often a solve is repeated: one rule for us and for a peer.

use serde::{Deserialize, Serialize};

/// Repetitions end once this many CPU seconds are spent, whatever their number.
const ENOUGH: f64 = 0.3;
/// Short solves are repeated until this many CPU seconds are spent.
const AT_LEAST: f64 = 0.1;
/// Most repetitions of the shortest solves.
const MOST: usize = 200;
/// Solves are announced anew after this part of their time limit: a word a solve would cool the caches of short ones.
pub const ANNOUNCED: f64 = 0.1;

/// How often one solve is repeated in one process; the fastest counts.
///
/// At least `repeat` times unless 0.3 s are spent sooner, and on until 0.1 s are spent or 200 solves are done, so that a
/// solve of microseconds is not judged by its first, cold-cached run. `repeat = 1` means once, whatever it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repetition {
    /// The number asked for on the command line.
    pub repeat: usize,
}

impl Repetition {
    /// Whether to solve again after `done` solves that took `spent` seconds together.
    pub fn again(&self, done: usize, spent: f64) -> bool {
        if self.repeat <= 1 || spent >= ENOUGH {
            return false;
        }
        done < self.repeat || (spent < AT_LEAST && done < MOST)
    }

    /// The three numbers of the rule, for the peer's side of the pipe: enough, at least, most.
    pub fn limits(&self) -> (f64, f64, usize) {
        (ENOUGH, AT_LEAST, MOST)
    }
}

/// A time below this part of the median is a slip of the processor's clock, not a fast solve.
const SLIP: f64 = 0.5;

/// The smallest and the median of some times; none without any.
pub fn smallest_and_median(seconds: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = seconds.to_vec();
    sorted.sort_by(f64::total_cmp);
    let median = *sorted.get(sorted.len() / 2)?;
    let smallest = sorted.into_iter().find(|s| *s >= SLIP * median)?;
    Some((smallest, median))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_solves_are_repeated_and_long_ones_are_not() {
        let rule = Repetition { repeat: 3 };
        assert!(rule.again(1, 0.1) && rule.again(2, 0.2) && !rule.again(3, 0.29));
        assert!(!rule.again(1, 0.5));
        assert!(rule.again(3, 0.001) && rule.again(199, 0.001) && !rule.again(200, 0.001));
        assert!(!Repetition { repeat: 1 }.again(1, 1e-6));
    }

    #[test]
    fn the_middle_of_some_times() {
        assert_eq!(smallest_and_median(&[3.0, 1.0, 2.0]), Some((1.0, 2.0)));
        assert_eq!(smallest_and_median(&[]), None);
        // the processor's clock slips now and then
        assert_eq!(smallest_and_median(&[3.0, 0.1, 2.0, 2.5]), Some((2.0, 2.5)));
    }
}
