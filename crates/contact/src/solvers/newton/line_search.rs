//! How far to go along a Newton direction.

use serde::{Deserialize, Serialize};

/// A rule for the step length a along dr, judged by the merit $f(a) = \tfrac12 \|\Phi(r + a\,dr)\|^2$, whose slope at
/// 0 is $-2 f(0)$ when dr solves the Newton system.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LineSearch {
    /// The whole step, `a = 1`, whatever happens.
    None,
    /// The first of `a = 1, 1/2, 1/4, ...` with `f(a) <= (1 - 2 c a) f(0)`, `f(a) = 1/2 |Phi(r + a dr)|^2`.
    Armijo {
        /// c, in (0, 1/2).
        #[serde(default = "defaults::c")]
        c: f64,
        /// Most halvings.
        #[serde(default = "defaults::halvings")]
        halvings: usize,
    },
    /// A step with `(1 - 2 m2 a) f(0) <= f(a) <= (1 - 2 m1 a) f(0)`, f as before, by bracketing: neither too long nor
    /// too short.
    GoldsteinPrice {
        /// m1, in (0, 1/2).
        #[serde(default = "defaults::m1")]
        m1: f64,
        /// m2, in (m1, 1).
        #[serde(default = "defaults::m2")]
        m2: f64,
        /// Most evaluations.
        #[serde(default = "defaults::trials")]
        trials: usize,
    },
}

/// What a rule that is named alone takes.
mod defaults {
    pub fn c() -> f64 {
        1e-4
    }

    pub fn halvings() -> usize {
        12
    }

    pub fn m1() -> f64 {
        0.1
    }

    pub fn m2() -> f64 {
        0.9
    }

    pub fn trials() -> usize {
        30
    }
}

impl Default for LineSearch {
    fn default() -> Self {
        LineSearch::Armijo { c: defaults::c(), halvings: defaults::halvings() }
    }
}

impl LineSearch {
    /// The step length, or `None` when no step tried lowers the merit. `merit(a)` is called last with the answer.
    pub(super) fn search(&self, start: f64, merit: &mut dyn FnMut(f64) -> f64) -> Option<f64> {
        match *self {
            LineSearch::None => merit(1.0).is_finite().then_some(1.0),
            LineSearch::Armijo { c, halvings } => armijo(start, c, halvings, merit),
            LineSearch::GoldsteinPrice { m1, m2, trials } => goldstein_price(start, m1, m2, trials, merit),
        }
    }
}

fn armijo(start: f64, c: f64, halvings: usize, merit: &mut dyn FnMut(f64) -> f64) -> Option<f64> {
    let mut a = 1.0;
    for _ in 0..=halvings {
        if merit(a) <= (1.0 - 2.0 * c * a) * start {
            return Some(a);
        }
        a *= 0.5;
    }
    None
}

fn goldstein_price(start: f64, m1: f64, m2: f64, trials: usize, merit: &mut dyn FnMut(f64) -> f64) -> Option<f64> {
    let (mut short, mut long) = (0.0, f64::INFINITY);
    let mut a = 1.0;
    for _ in 0..trials.max(1) {
        let f = merit(a);
        // not a number counts as too long
        if f <= (1.0 - 2.0 * m1 * a) * start {
            if f >= (1.0 - 2.0 * m2 * a) * start {
                return Some(a);
            }
            short = a;
        } else {
            long = a;
        }
        a = if long.is_finite() { 0.5 * (short + long) } else { 10.0 * short };
    }
    // the longest step that lowered the merit enough
    if short > 0.0 {
        merit(short);
        return Some(short);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOLDSTEIN: LineSearch = LineSearch::GoldsteinPrice { m1: 0.1, m2: 0.9, trials: 30 };

    #[test]
    fn a_linear_function_takes_the_whole_step() {
        for rule in [LineSearch::None, LineSearch::default(), GOLDSTEIN] {
            assert_eq!(rule.search(0.5, &mut |a| 0.5 * (1.0 - a) * (1.0 - a)), Some(1.0));
        }
    }

    #[test]
    fn an_overshoot_is_cut_back() {
        // Phi = arctan from x = 3, where the whole Newton step diverges
        let x: f64 = 3.0;
        let dx = -x.atan() * (1.0 + x * x);
        let merit = |a: f64| 0.5 * (x + a * dx).atan().powi(2);
        assert!(merit(1.0) > merit(0.0));
        for rule in [LineSearch::default(), GOLDSTEIN] {
            let a = rule.search(merit(0.0), &mut |a| merit(a)).unwrap();
            assert!(merit(a) < merit(0.0));
        }
    }

    #[test]
    fn no_descent_and_no_number_are_told() {
        for rule in [LineSearch::default(), GOLDSTEIN] {
            assert_eq!(rule.search(1.0, &mut |a| 1.0 + a), None);
            assert_eq!(rule.search(1.0, &mut |_| f64::NAN), None);
        }
        assert_eq!(LineSearch::None.search(1.0, &mut |_| f64::NAN), None);
    }
}
