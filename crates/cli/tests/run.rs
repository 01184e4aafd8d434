//! `new`, `check`, `run`: killed, interrupted, without room, and what they say.
#![cfg(unix)]

use assert_cmd::cargo::cargo_bin;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn stickslip(folder: &Path, words: &[&str]) -> Output {
    Command::new(cargo_bin("stickslip")).current_dir(folder).args(words).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn ok(folder: &Path, words: &[&str]) -> String {
    let out = stickslip(folder, words);
    assert_eq!(out.status.code(), Some(0), "{words:?}\n{}\n{}", text(&out.stdout), text(&out.stderr));
    text(&out.stdout)
}

/// A quick scene: two discs that bounce for a while, with a frame every ten steps.
fn bouncing(folder: &Path, steps: u64) {
    let scene = format!(
        "dimension = 2\ntime = {{ h = \"0.1 ms\", end = {} }}\noutput = {{ every = \"1 ms\", checkpoint_steps = 25 }}\n\
         law = [{{ coulomb = {{ mu = 0.3, e_n = 0.8 }} }}]\n\
         body = [{{ shape = \"half_plane\", fixed = true }}, {{ shape.disc.radius = 0.1, at = [0, 0.15], spin = [3] }},\n\
         {{ shape.disc.radius = 0.1, at = [0.05, 0.4] }}]\n",
        steps as f64 * 1e-4
    );
    std::fs::write(folder.join("bounce.toml"), scene).unwrap();
}

/// Discs of random sizes that fall into a box, with a frame every ten steps and a checkpoint every 25.
fn falling(folder: &Path, steps: u64) {
    let scene = format!(
        "dimension = 2\ntime = {{ h = \"1 ms\", end = {} }}\noutput = {{ every = \"10 ms\", checkpoint_steps = 25 }}\n\
         body = [{{ shape = \"half_plane\", fixed = true }}]\n\
         deposit = [{{ count = 60, radius.uniform = {{ min = \"1 cm\", max = \"3 cm\" }}, from = [0, 0], to = [0.4] }}]\n",
        steps as f64 * 1e-3
    );
    std::fs::write(folder.join("fall.toml"), scene).unwrap();
}

/// Steps at the last checkpoint of a run.
fn reached(path: &Path) -> u64 {
    stickslip::io::checkpoint::Checkpoint::read(path).unwrap().summary.steps
}

/// Results and ledger of a run.
fn bytes(folder: &Path, name: &str) -> [Vec<u8>; 2] {
    ["vtkhdf", "csv"].map(|e| std::fs::read(folder.join(format!("{name}.{e}"))).unwrap())
}

fn spawn(folder: &Path, words: &[&str]) -> Child {
    let mut command = Command::new(cargo_bin("stickslip"));
    command.current_dir(folder).args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn wait_for(path: &Path) {
    let began = Instant::now();
    while !path.exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "{} does not appear", path.display());
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn new_check_run() {
    let dir = tempfile::tempdir().unwrap();
    ok(dir.path(), &["new", "first"]);
    let again = stickslip(dir.path(), &["new", "first"]);
    assert!(again.status.code() == Some(1) && text(&again.stderr).contains("there already"));
    assert!(ok(dir.path(), &["check", "first.toml"]).contains("24 bodies in space"));
    let said = ok(dir.path(), &["run", "first.toml", "--steps", "5"]);
    assert!(said.contains("finished") && said.contains("every step") && said.contains("closes to"), "{said}");
    let out = stickslip(dir.path(), &["run", "first.toml", "--steps", "5", "--json", "--out", "other/"]);
    let value: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(value["summary"]["steps"], 5);
    // the first step is told at once, then one a second
    let line = text(&out.stderr).lines().next().unwrap_or_default().to_string();
    let progress: serde_json::Value = serde_json::from_str(&line).unwrap();
    for key in ["step", "steps", "t", "steps_per_second", "contacts", "iterations", "penetration", "seconds_left"] {
        assert!(progress[key].is_number(), "{key}: {line}");
    }
    assert!(dir.path().join("other/first.vtkhdf").exists());
    assert_eq!(bytes(dir.path(), "first"), bytes(&dir.path().join("other"), "first"));
    let again = stickslip(dir.path(), &["run", "first.toml", "--steps", "2"]);
    assert!(text(&again.stderr).contains("is replaced; --out writes elsewhere"), "{}", text(&again.stderr));
    let quiet = stickslip(dir.path(), &["run", "first.toml", "--steps", "2", "--quiet"]);
    assert!(quiet.stdout.is_empty() && quiet.stderr.is_empty(), "{}", text(&quiet.stderr));
    ok(dir.path(), &["run", "first.toml", "--steps", "3", "--quiet", "--dump-steps", "2-3", "--dump-hard", "hard"]);
    for step in [2, 3] {
        let file = format!("hard/first-step-00000{step}.hdf5");
        assert!(ok(dir.path(), &["verify", &file, "--tol", "2e-4"]).contains("holds"), "{file}");
    }
}

#[test]
fn mistakes_end_with_1_and_the_line() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.toml"), "dimension = 3\nbody = [{ shape.sphere.radus = 1 }]\n").unwrap();
    for command in ["run", "check"] {
        let out = stickslip(dir.path(), &[command, "a.toml"]);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1));
        assert!(said.contains("a.toml:2:") && said.contains("'radius'") && said.contains("^^^^^"), "{said}");
    }
    let out = stickslip(dir.path(), &["run", "nowhere.toml"]);
    assert!(out.status.code() == Some(1) && text(&out.stderr).contains("nowhere.toml"));
}

#[test]
fn how_far_a_run_goes_is_said() {
    let dir = tempfile::tempdir().unwrap();
    bouncing(dir.path(), 10);
    for (option, value) in [("--until", "1e300"), ("--until", "nan"), ("--steps", "0"), ("--steps", "99999999999999")] {
        let out = stickslip(dir.path(), &["run", "bounce.toml", option, value]);
        assert!(out.status.code() == Some(1) && text(&out.stderr).contains(option), "{}", text(&out.stderr));
    }
    let out = stickslip(dir.path(), &["run", "bounce.toml", "--until", "0.00032"]);
    assert!(text(&out.stderr).contains("ends at t = 0.0003 s, not at 0.00032 s"), "{}", text(&out.stderr));
}

#[test]
fn killed_twenty_times_it_ends_with_the_same_bits() {
    let dir = tempfile::tempdir().unwrap();
    falling(dir.path(), 6000);
    ok(dir.path(), &["run", "fall.toml", "--quiet", "--out", "whole"]);
    let whole = bytes(dir.path(), "whole");
    let checkpoint = dir.path().join("killed.checkpoint");
    let mut child = spawn(dir.path(), &["run", "fall.toml", "--out", "killed", "--quiet"]);
    wait_for(&checkpoint);
    let mut last = 0;
    // killed as soon as a newer checkpoint is there, and some moments later: each kill finds the run further on
    for k in 0..20u64 {
        let began = Instant::now();
        while reached(&checkpoint) <= last {
            assert!(child.try_wait().unwrap().is_none(), "the run is over after {k} kills, at step {last}");
            assert!(began.elapsed() < Duration::from_secs(60), "the run does not come beyond step {last}");
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros((k * 7919) % 1700));
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "the run was over before the kill {k}");
        let now = reached(&checkpoint);
        assert!(now > last && now < 6000, "kill {k}: from step {last} to {now}");
        last = now;
        child = spawn(dir.path(), &["run", "fall.toml", "--out", "killed", "--quiet", "--resume"]);
    }
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert!(bytes(dir.path(), "killed") == whole, "the killed run ends with other bits");
}

#[test]
fn what_goes_wrong_in_a_run_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    // no number any more
    write("far.toml", "dimension = 3\nbody = [{ shape.sphere.radius = 0.1, velocity = [1e200, 0, 0] }]\n");
    let out = stickslip(dir.path(), &["run", "far.toml"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("step 1 ") && said.contains("body 0") && said.contains("is intact"), "{said}");
    // energy that appears, at once and at the end
    write(
        "stiff.toml",
        "dimension = 3\ntime = { h = \"1 ms\", end = \"0.1 s\", soft_sphere.k_n = 1e9 }\n\
         body = [{ shape = \"half_space\", fixed = true }]\nheap = [{ radius = 0.1, base = 3 }]\n",
    );
    let out = stickslip(dir.path(), &["run", "stiff.toml"]);
    let (said, told) = (text(&out.stderr), text(&out.stdout));
    assert!(said.contains("too long for soft contacts") && said.contains("energy appeared"), "{said}");
    assert!(told.contains("energy appeared") && told.contains("not certified by construction"), "{told}");
    // a step that fails, and its problem
    write(
        "stop.toml",
        "dimension = 3\ntime = { h = \"2 ms\", end = \"0.1 s\", on_failure = \"stop\" }\n\
         solver = { name = \"nsgs\", tolerance = 1e-12, max_iterations = 1 }\n\
         body = [{ shape = \"half_space\", fixed = true }]\nwall = [{ brick = [0.2, 0.1, 0.1], columns = 3, courses = 3 }]\n",
    );
    let out = stickslip(dir.path(), &["run", "stop.toml", "--dump-hard", "hard"]);
    let told = text(&out.stdout);
    assert_eq!(out.status.code(), Some(2), "{told}");
    assert!(told.contains("stopped at t = 0 s after 0 steps") && told.contains("step 1, which was undone"), "{told}");
    assert!(dir.path().join("hard/stop-step-000001.hdf5").exists());
}

#[test]
fn a_second_run_of_the_same_name_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    bouncing(dir.path(), 1000);
    let mut child = spawn(dir.path(), &["run", "bounce.toml", "--quiet", "--until", "1e6"]);
    wait_for(&dir.path().join("bounce.checkpoint"));
    for words in [["run", "bounce.toml", "--fresh"], ["run", "bounce.toml", "--resume"]] {
        let out = stickslip(dir.path(), &words);
        let said = text(&out.stderr);
        assert!(out.status.code() == Some(1) && said.contains("another run is writing"), "{said}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // a kill lets go of the lock
    ok(dir.path(), &["run", "bounce.toml", "--quiet", "--fresh"]);
}

#[test]
fn ctrl_c_writes_a_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    bouncing(dir.path(), 3000);
    ok(dir.path(), &["run", "bounce.toml", "--quiet", "--out", "whole"]);
    // a run that would take long is interrupted, and then resumed only to the end of the other
    let child = spawn(dir.path(), &["run", "bounce.toml", "--out", "cut", "--until", "1e6"]);
    wait_for(&dir.path().join("cut.checkpoint"));
    std::thread::sleep(Duration::from_millis(50));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let out = child.wait_with_output().unwrap();
    let said = text(&out.stdout);
    assert_eq!(out.status.code(), Some(130), "{said}{}", text(&out.stderr));
    assert!(said.contains("interrupted") && said.contains("--resume"), "{said}");
    // a new run would lose it, and says so
    let out = stickslip(dir.path(), &["run", "bounce.toml", "--out", "cut"]);
    assert!(out.status.code() == Some(1) && text(&out.stderr).contains("--fresh"), "{}", text(&out.stderr));
    ok(dir.path(), &["run", "bounce.toml", "--out", "cut", "--fresh", "--quiet"]);
    assert!(bytes(dir.path(), "cut") == bytes(dir.path(), "whole"));
}

#[test]
fn a_full_disk_leaves_the_last_checkpoint_intact() {
    let dir = tempfile::tempdir().unwrap();
    bouncing(dir.path(), 2000);
    ok(dir.path(), &["run", "bounce.toml", "--quiet", "--out", "whole"]);
    // no file may grow beyond 100 blocks of 1024 bytes; the signal that says so is ignored, so that writing fails
    let program = cargo_bin("stickslip");
    let line = format!("trap '' XFSZ; ulimit -f 100; exec '{}' run bounce.toml --quiet --out full", program.display());
    let out = Command::new("bash").current_dir(dir.path()).args(["-c", &line]).output().unwrap();
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write") && said.contains("is intact") && said.contains("--resume"), "{said}");
    assert_eq!(said.matches("too large").count(), 1, "{said}");
    ok(dir.path(), &["run", "bounce.toml", "--quiet", "--out", "full", "--resume"]);
    assert!(bytes(dir.path(), "full") == bytes(dir.path(), "whole"));
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let dir = tempfile::tempdir().unwrap();
    bouncing(dir.path(), 10);
    std::fs::write(dir.path().join("file"), "").unwrap();
    for out in ["file/x", "/proc/nothing/x"] {
        let done = stickslip(dir.path(), &["run", "bounce.toml", "--out", out]);
        let said = text(&done.stderr);
        assert!(done.status.code() == Some(1) && said.contains("cannot make the folder"), "{said}");
    }
    // a folder is where the results should be
    let folder: PathBuf = dir.path().join("busy.vtkhdf");
    std::fs::create_dir(&folder).unwrap();
    let done = stickslip(dir.path(), &["run", "bounce.toml", "--out", "busy"]);
    assert!(done.status.code() == Some(1) && text(&done.stderr).contains("busy.vtkhdf: cannot create"));
}

#[test]
fn the_schema_is_one() {
    let dir = tempfile::tempdir().unwrap();
    let schema: serde_json::Value = serde_json::from_str(&ok(dir.path(), &["schema"])).unwrap();
    assert!(schema["properties"]["body"].is_object() && schema["$defs"].is_object());
}
