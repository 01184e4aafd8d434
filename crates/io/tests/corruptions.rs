//! Damaged files: thousands of seeded corruptions, each of which must give an error or a problem that passes
//! validation, without a panic, in good time, and within memory in proportion to the file.
#![allow(unsafe_code)]

#[path = "all/common/mod.rs"]
mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, mpsc};
use std::time::{Duration, Instant};

use common::Dice;
use stickslip_io::siconos_dat::{DatStorage, write_local};
use stickslip_io::{IoError, open};

/// The system's allocator, counting bytes in use and their highest number.
struct Counting;

static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on unchanged to the system's allocator
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let used = USED.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(used, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The counters and the panic hook belong to one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Cuts, flips, overwrites or swaps something.
fn corrupt(genuine: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = genuine.to_vec();
    let n = bytes.len();
    match dice.below(5) {
        0 => bytes.truncate(dice.below(n)),
        1 => (0..=dice.below(8)).for_each(|_| bytes[dice.below(n)] ^= 1 << dice.below(8)),
        2 => {
            // sizes are what a reader trusts most
            let absurd = [0u32, 1, 0x7fff_ffff, 0xffff_ffff, 0x8000_0000, dice.next() as u32];
            let at = dice.below(n.saturating_sub(4)) & !3;
            let value = absurd[dice.below(absurd.len())].to_le_bytes();
            bytes[at..at + 4].copy_from_slice(&value);
        }
        3 => {
            let length = 1 + dice.below(64.min(n / 4));
            let (a, b) = (dice.below(n / 2 - length), n / 2 + dice.below(n / 2 - length));
            let (left, right) = bytes.split_at_mut(n / 2);
            left[a..a + length].swap_with_slice(&mut right[b - n / 2..b - n / 2 + length]);
        }
        _ => {
            // most of a file is numbers, so aim at the structure, which lies at the front
            let front = n.min(4096);
            (0..=dice.below(4)).for_each(|_| bytes[dice.below(front)] = dice.next() as u8);
        }
    }
    bytes
}

#[derive(Default, Debug)]
struct Tally {
    opened: usize,
    refused: usize,
    problems: usize,
}

/// Opens a damaged file, and gives back how it went.
fn attempt(path: &Path, bytes: &[u8], tally: &mut Tally) {
    std::fs::write(path, bytes).unwrap();
    let before = USED.load(Relaxed);
    PEAK.store(before, Relaxed);
    match catch_unwind(AssertUnwindSafe(|| open(path))) {
        Ok(Ok(opened)) => {
            // what a constructor accepted is finite; the mirror can be written again
            assert!(opened.problem.cones().iter().all(|c| c.fault().is_none()));
            tally.opened += 1;
        }
        Ok(Err(IoError::Problem { .. })) => tally.problems += 1,
        Ok(Err(_)) => tally.refused += 1,
        Err(_) => panic!("a panic reached the caller"),
    }
    let extra = PEAK.load(Relaxed).saturating_sub(before);
    let limit = 64 * bytes.len() + (64 << 20);
    assert!(extra < limit, "{extra} bytes taken for a file of {}", bytes.len());
}

/// Runs `count` corruptions of the given files under a watchdog.
///
/// STICKSLIP_CORRUPTIONS asks for more of them than the test's own number.
fn run(genuine: Vec<(String, Vec<u8>)>, count: usize, seed: u64) {
    let count = std::env::var("STICKSLIP_CORRUPTIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(count);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged");
    let (send, receive) = mpsc::channel();
    // panics inside the HDF5 library are caught and become errors; they need not fill the screen
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let worker = std::thread::spawn(move || {
        let mut dice = Dice(seed);
        let mut tally = Tally::default();
        for k in 0..count {
            let (name, bytes) = &genuine[k % genuine.len()];
            let damaged = corrupt(bytes, &mut dice);
            let kept = path.with_extension(format!("{k}"));
            let _ = send.send(format!("corruption {k} of {name}"));
            let start = Instant::now();
            let done = catch_unwind(AssertUnwindSafe(|| attempt(&path, &damaged, &mut tally)));
            if let Err(e) = done {
                let text = e.downcast_ref::<String>().cloned();
                let text = text.or_else(|| e.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default();
                return Err(format!("corruption {k} of {name} (seed {seed}, {}): {text}", kept.display()));
            }
            if start.elapsed() > Duration::from_secs(5) {
                return Err(format!("corruption {k} of {name} took {:?}", start.elapsed()));
            }
        }
        Ok(tally)
    });
    let mut last = String::new();
    let result = loop {
        match receive.recv_timeout(Duration::from_secs(30)) {
            Ok(step) => last = step,
            Err(mpsc::RecvTimeoutError::Disconnected) => break worker.join().map_err(|_| "worker".to_string()),
            Err(mpsc::RecvTimeoutError::Timeout) => break Err(format!("{last} hangs")),
        }
    };
    std::panic::set_hook(hook);
    let tally = result.and_then(|r| r).unwrap_or_else(|e| panic!("{e}"));
    println!("{count} corruptions: {tally:?}");
    assert!(tally.refused > 0 && tally.opened > 0);
}

#[test]
fn two_thousand_damaged_fclib_files() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let mut genuine = Vec::new();
    for (name, file) in common::samples() {
        let path = folder.path().join(name);
        file.write(&path).unwrap();
        genuine.push((name.to_string(), std::fs::read(&path).unwrap()));
    }
    // of the genuine files, those that are quick to copy two thousand times
    let shared =
        common::shared_files().into_iter().filter_map(|p| Some((p.display().to_string(), std::fs::read(p).ok()?)));
    genuine.extend(shared.filter(|f| f.1.len() < 200_000));
    run(genuine, 2000, 20_240_229);
}

#[test]
fn five_hundred_damaged_text_files() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("genuine.dat");
    let mut genuine = Vec::new();
    for storage in [DatStorage::Dense, DatStorage::Blocks] {
        write_local(&path, &common::local::<3>(6, 0, false, &mut Dice(5)), storage).unwrap();
        genuine.push((format!("{storage:?} 3"), std::fs::read(&path).unwrap()));
        write_local(&path, &common::local::<5>(3, 0, true, &mut Dice(5)), storage).unwrap();
        genuine.push((format!("{storage:?} 5"), std::fs::read(&path).unwrap()));
    }
    let sparse = "2\n1\n2\n2\n2\n1\nCSparse\ntriplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 1\n1 1 : 1\n-1.0 0.0\n0.3\n";
    genuine.push(("triplets".into(), sparse.into()));
    run(genuine, 500, 7);
}
