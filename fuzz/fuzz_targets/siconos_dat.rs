//! Any text, read as a Siconos problem: an error or a problem, never a crash.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        if let Ok(dat) = stickslip_io::siconos_dat::read_text(text) {
            assert!(dat.problem.cones().iter().all(|c| c.fault().is_none()));
        }
    }
});
