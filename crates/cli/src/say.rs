//! Printing that survives a reader who has gone: `stickslip info FILE | head -3` must neither panic nor lose work.

use std::io::{ErrorKind, Write};

/// Writes to standard output. A closed pipe is ignored; anything else (a full disk) ends the program with a message.
pub fn say(text: std::fmt::Arguments<'_>) {
    let mut out = std::io::stdout().lock();
    match out.write_fmt(text).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            _ = writeln!(std::io::stderr(), "error: cannot write to standard output: {e}");
            std::process::exit(1);
        }
        _ => {}
    }
}

/// A line on standard output, as `println!` but for [`say`]'s manners.
#[macro_export]
macro_rules! say {
    ($($words:tt)*) => {
        $crate::say::say(format_args!("{}\n", format_args!($($words)*)))
    };
}
