//! A line on the terminal while a solver runs.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;
use stickslip::contact::solvers::Progress;

/// A spinner with iterations, error and what the error must come down to; nothing when stderr is no terminal.
pub struct Line {
    bar: ProgressBar,
    tolerance: f64,
    next: Duration,
}

impl Line {
    /// Starts the line; a quiet one draws nothing.
    pub fn new(name: &str, tolerance: f64, quiet: bool) -> Self {
        let bar = ProgressBar::new_spinner();
        bar.set_draw_target(if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) });
        bar.set_style(
            ProgressStyle::with_template("{spinner} {prefix}: {msg} [{elapsed}]")
                .unwrap_or(ProgressStyle::default_spinner()),
        );
        bar.set_prefix(name.to_string());
        Self { bar, tolerance, next: Duration::from_millis(100) }
    }

    /// Shows an iteration, ten times a second at the most.
    pub fn show(&mut self, p: &Progress) {
        if self.bar.is_hidden() {
            return;
        }
        let elapsed = p.elapsed();
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + Duration::from_millis(100);
        let error = p.error.unwrap_or(p.estimate);
        self.bar.set_message(format!("iteration {}, error {error:.1e} (to {:.0e})", p.iteration, self.tolerance));
        self.bar.tick();
    }

    /// Takes the line away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
