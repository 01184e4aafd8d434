//! Ctrl-C: the first asks the solver to stop, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Starts listening; harmless to call again.
pub fn listen() {
    // a second handler cannot be set, and need not be
    _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        eprintln!("stopping as soon as this is done; once more to end at once");
    });
}

/// Whether the user asked to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
