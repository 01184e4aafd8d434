//! What is shown while a scene runs: a bar on the terminal, or lines for programs.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};
use stickslip::dynamics::StepReport;

/// Who looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Watcher {
    /// A person: a bar on stderr, if that is a terminal.
    Person,
    /// A program: a line of JSON a second on stderr.
    Program,
    /// Nobody.
    Nobody,
}

impl Watcher {
    /// A person, unless it is to be quiet.
    pub fn person(quiet: bool) -> Self {
        if quiet { Self::Nobody } else { Self::Person }
    }
}

/// A bar over simulated time, or its figures line by line.
pub struct RunBar {
    bar: ProgressBar,
    name: String,
    watcher: Watcher,
    began: Instant,
    next: Duration,
    first: u64,
    steps: u64,
    iterations: usize,
}

/// What is shown of a moment.
struct Figures {
    t: f64,
    step: u64,
    steps: u64,
    /// Steps a second of computing.
    rate: f64,
    contacts: usize,
    /// Most iterations of a step since the last figures.
    iterations: usize,
    /// Deepest overlap (m).
    penetration: f64,
    uncertified: u64,
}

/// Most characters of a scene's name beside the bar.
const NAME: usize = 24;

impl RunBar {
    /// For the steps from `first` to `steps`.
    pub fn new(name: &str, first: u64, steps: u64, watcher: Watcher) -> Self {
        let bar = ProgressBar::new(steps);
        let drawn = watcher == Watcher::Person;
        bar.set_draw_target(if drawn { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() });
        let style = ProgressStyle::with_template("{prefix} {wide_bar} {percent:>3}% [{elapsed}, {eta} left]\n{msg}");
        bar.set_style(style.unwrap_or(ProgressStyle::default_bar()).progress_chars("=> "));
        let name: String = name.chars().take(NAME).collect();
        bar.set_prefix(name.clone());
        bar.set_position(first);
        bar.reset_eta();
        Self { bar, name, watcher, began: Instant::now(), next: Duration::ZERO, first, steps, iterations: 0 }
    }

    /// Shows a step: ten times a second at the most to a person, once to a program.
    pub fn show(&mut self, r: &StepReport) {
        self.iterations = self.iterations.max(r.iterations);
        let pause = match self.watcher {
            Watcher::Person if !self.bar.is_hidden() => Duration::from_millis(100),
            Watcher::Program => Duration::from_secs(1),
            _ => return,
        };
        let elapsed = self.began.elapsed();
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + pause;
        let figures = Figures {
            t: r.t,
            step: r.step,
            steps: self.steps,
            rate: r.step.saturating_sub(self.first) as f64 / elapsed.as_secs_f64().max(1e-9),
            contacts: r.contacts,
            iterations: std::mem::take(&mut self.iterations),
            penetration: r.penetration,
            uncertified: r.uncertified_steps,
        };
        if self.watcher == Watcher::Program {
            eprintln!("{}", figures.json());
            return;
        }
        self.bar.set_position(r.step);
        if r.uncertified_steps > 0 {
            self.bar.set_prefix(format!("{} ({} NOT CERTIFIED)", self.name, short(r.uncertified_steps as f64)));
        }
        self.bar.set_message(figures.text());
    }

    /// Says something above the bar, at once, to a person alone.
    pub fn note(&self, text: &str) {
        if self.watcher == Watcher::Person {
            self.bar.suspend(|| eprintln!("note: {text}"));
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Figures {
    /// The line under the bar, which fits into 80 columns; how long it will take stands beside the bar.
    fn text(&self) -> String {
        let t = if self.t < 100.0 { format!("{:.4}", self.t) } else { format!("{:.1}", self.t) };
        format!(
            "t {t} s  {} steps/s  {} contacts  {} iterations  overlap {:.1e} m",
            short(self.rate),
            short(self.contacts as f64),
            short(self.iterations as f64),
            self.penetration
        )
    }

    fn json(&self) -> serde_json::Value {
        let left = self.steps.saturating_sub(self.step) as f64 / self.rate.max(1e-9);
        serde_json::json!({
            "step": self.step,
            "steps": self.steps,
            "t": self.t,
            "steps_per_second": self.rate,
            "contacts": self.contacts,
            "iterations": self.iterations,
            "penetration": self.penetration,
            "uncertified": self.uncertified,
            "seconds_left": left,
        })
    }
}

/// A count in at most five characters: 950, 12.3k, 4.56M.
fn short(n: f64) -> String {
    let (x, unit) = match n {
        n if n < 9999.5 => return format!("{n:.0}"),
        n if n < 999_950.0 => (n / 1e3, "k"),
        n if n < 999_950_000.0 => (n / 1e6, "M"),
        n => (n / 1e9, "G"),
    };
    if x < 99.95 { format!("{x:.1}{unit}") } else { format!("{x:.0}{unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_figures_fit_into_80_columns() {
        let small = Figures {
            t: 0.125,
            step: 125,
            steps: 1000,
            rate: 950.4,
            contacts: 12_345,
            iterations: 17,
            penetration: 1.2e-5,
            uncertified: 0,
        };
        assert_eq!(small.text(), "t 0.1250 s  950 steps/s  12.3k contacts  17 iterations  overlap 1.2e-5 m");
        let large = Figures {
            t: 123_456.789,
            rate: 123_456.0,
            contacts: 9_876_543,
            iterations: 99_999,
            penetration: 1.2e-10,
            ..small
        };
        for f in [&small, &large] {
            assert!(f.text().chars().count() <= 80, "{}", f.text());
        }
        assert_eq!(large.json()["seconds_left"], 875.0 / 123_456.0);
        // beside the bar: name, failures, percent and times
        let beside = NAME + " (12.3k NOT CERTIFIED)".len() + " 100% [59m, 59m left]".len();
        assert!(beside + 10 <= 80, "{beside}");
    }

    #[test]
    fn counts_in_five_characters() {
        for (n, text) in [(0.0, "0"), (9999.0, "9999"), (10_000.0, "10.0k"), (123_456.0, "123k"), (4.56e6, "4.6M")] {
            assert_eq!(short(n), text);
        }
    }
}
