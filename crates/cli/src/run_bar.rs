//! The bar on the terminal while a scene runs.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};
use stickslip::dynamics::StepReport;

/// A bar over simulated time; nothing when stderr is no terminal.
pub struct RunBar {
    bar: ProgressBar,
    began: Instant,
    next: Duration,
    first: u64,
    iterations: usize,
    quiet: bool,
}

impl RunBar {
    /// A bar for the steps from `first` to `steps`; a quiet one draws nothing.
    pub fn new(name: &str, first: u64, steps: u64, quiet: bool) -> Self {
        let bar = ProgressBar::new(steps);
        bar.set_draw_target(if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) });
        let style =
            ProgressStyle::with_template("{prefix} {bar:20} {percent:>3}%  {wide_msg}  [{elapsed}, {eta} left]");
        bar.set_style(style.unwrap_or(ProgressStyle::default_bar()).progress_chars("=> "));
        bar.set_prefix(name.to_string());
        bar.set_position(first);
        bar.reset_eta();
        Self { bar, began: Instant::now(), next: Duration::ZERO, first, iterations: 0, quiet }
    }

    /// Shows a step, ten times a second at the most.
    pub fn show(&mut self, r: &StepReport) {
        self.iterations = self.iterations.max(r.iterations);
        if self.bar.is_hidden() {
            return;
        }
        let elapsed = self.began.elapsed();
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + Duration::from_millis(100);
        let rate = (r.step - self.first) as f64 / elapsed.as_secs_f64().max(1e-9);
        self.bar.set_position(r.step);
        self.bar.set_message(format!(
            "t {:.4} s  {rate:.0} steps/s  {} contacts  {} iterations  overlap {:.1e} m{}",
            r.t,
            r.contacts,
            std::mem::take(&mut self.iterations),
            r.penetration,
            if r.uncertified_steps > 0 { format!("  {} uncertified", r.uncertified_steps) } else { String::new() },
        ));
    }

    /// Says something above the bar, at once; a quiet one says nothing.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.bar.suspend(|| eprintln!("note: {text}"));
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
