//! Any bytes, opened as a file: an error or a problem, never a crash.
#![no_main]

use std::cell::RefCell;
use std::io::{Seek, Write};

use libfuzzer_sys::fuzz_target;
use tempfile::NamedTempFile;

thread_local! {
    /// One file for all runs: creating one each time would be most of the work.
    static FILE: RefCell<NamedTempFile> = RefCell::new(NamedTempFile::new().expect("a temporary file"));
}

// a panic that the reader catches is no crash, so the fuzzer's hook, which aborts at any panic, is taken out;
// one that escapes still ends the run
fuzz_target!(init: { std::panic::set_hook(Box::new(|_| ())) }, |data: &[u8]| {
    FILE.with_borrow_mut(|file| {
        file.as_file().set_len(0).expect("the temporary file can be emptied");
        file.rewind().expect("the temporary file can be rewound");
        file.write_all(data).expect("the temporary file can be written");
        if let Ok(opened) = stickslip_io::open(file.path()) {
            assert!(opened.problem.cones().iter().all(|c| c.fault().is_none()));
        }
    });
});
