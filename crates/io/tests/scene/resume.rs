//! The same bits on every run, and however often it is interrupted.

use std::path::Path;
use stickslip_io::results::Reader;
use stickslip_io::run::{Files, Run};
use stickslip_io::scene::Scene;

/// Bodies that come and go, a drive, a spring, restitution, boxes.
const PLANE: &str = r#"
dimension = 2
time = { h = "2 ms", end = "0.08 s" }
output = { every = "6 ms", checkpoint_steps = 7 }
law = [{ coulomb = { mu = 0.4, e_n = 0.3 } }]
body = [
    { shape = "half_plane", fixed = true },
    { shape.box.size = [0.2, 0.1], at = [0, 0.05] },
    { name = "a", shape.disc.radius = 0.05, at = [0.02, 0.151], velocity = [0.3, -1] },
    { shape.disc.radius = 0.05, at = [0.0, 0.4], velocity = [0, -3], enter = "0.03 s" },
    { shape.disc.radius = 0.05, at = [0.3, 0.05], leave = "0.05 s" },
    { shape.box.size = [0.1, 0.1], at = [-0.3, 0.05], drive.sine = { direction = [1, 0], amplitude = 0.01, frequency = 20 } },
]
force = [{ spring = { body = "a", ground = [0, 1], stiffness = 20, damping = 0.1 } }]
"#;

/// Balls in space.
const SPACE: &str = r#"
dimension = 3
time = { h = "2 ms", end = "0.05 s" }
output = { every = "10 ms", checkpoint_steps = 9 }
body = [{ shape = "half_space", fixed = true }]
heap = [{ radius = 0.1, base = 3, gap = 0.01 }]
"#;

/// Discs of random sizes, written with their radii.
const RANDOM: &str = r#"
dimension = 2
time = { h = "2 ms", end = "0.1 s" }
output = { every = "10 ms", checkpoint_steps = 4 }
body = [{ shape = "half_plane", fixed = true }]
deposit = [{ count = 200, radius.uniform = { min = "1 mm", max = "7 mm" }, from = [0, 0], to = ["0.2 m"], seed = 3 }]
"#;

/// More than a thousand contacts from the first steps on.
const MANY: &str = r#"
dimension = 2
time = { h = "2 ms", end = "0.024 s" }
output = { every = "4 ms", checkpoint_steps = 5 }
body = [{ shape = "half_plane", fixed = true }]
lattice = [{ shape.disc.radius = "1 cm", count = [40, 30], at = [0, "1 cm"] }]
"#;

/// Runs to the end and gives the bytes of results and ledger.
fn finish(mut run: Run) -> [Vec<u8>; 2] {
    while !run.is_done() {
        run.step().unwrap();
    }
    let files = run.files().clone();
    run.finish().unwrap();
    [files.results, files.ledger].map(|p| std::fs::read(p).unwrap())
}

fn files(folder: &Path, name: &str) -> Files {
    Files::named(&folder.join(name))
}

pub(super) fn interrupted_anywhere(text: &str, stride: usize) {
    let dir = tempfile::tempdir().unwrap();
    let scene = Scene::from_text(text).unwrap();
    let whole = finish(Run::start(scene.clone(), files(dir.path(), "whole")).unwrap());
    let again = finish(Run::start(scene.clone(), files(dir.path(), "again")).unwrap());
    assert!(whole == again, "two runs differ");
    for cut in (1..scene.steps).step_by(stride) {
        let files = files(dir.path(), "cut");
        let mut run = Run::start(scene.clone(), files.clone()).unwrap();
        for _ in 0..cut {
            run.step().unwrap();
        }
        let kind = cut % 3;
        match kind {
            0 => drop(run.pause().unwrap()),
            1 => {
                run.checkpoint().unwrap();
                drop(run);
            }
            // as if killed: what was not written is lost
            _ => drop(run),
        }
        let run = Run::resume(scene.clone(), files).unwrap();
        let lost = cut - run.simulation().steps();
        assert!(
            if kind == 2 { lost < scene.output.checkpoint.unwrap() } else { lost == 0 },
            "{cut}: {lost} steps lost"
        );
        assert!(finish(run) == whole, "interrupted after step {cut}");
    }
}

#[test]
fn the_plane_interrupted_after_every_step() {
    interrupted_anywhere(PLANE, 1);
}

#[test]
fn space_interrupted() {
    interrupted_anywhere(SPACE, 3);
}

#[test]
fn soft_spheres_interrupted() {
    interrupted_anywhere(&SPACE.replace("end = \"0.05 s\"", "end = \"0.05 s\", soft_sphere.k_n = 1e4"), 8);
}

#[test]
fn random_radii_interrupted() {
    // sizes that no short decimal number holds, all of them in every frame
    let scene = Scene::from_text(RANDOM).unwrap();
    let sizes: Vec<f64> = stickslip_io::run::run_info(&scene).bodies.iter().map(|b| b.size).collect();
    assert!(sizes.iter().filter(|s| s.to_string().len() > 18).count() > 100);
    interrupted_anywhere(RANDOM, 12);
}

#[test]
fn more_than_a_thousand_contacts_interrupted() {
    let mut simulation = stickslip_io::run::Simulation::new(&Scene::from_text(MANY).unwrap()).unwrap();
    let contacts = (0..12).map(|_| simulation.step().contacts).max();
    assert!(contacts > Some(1000), "{contacts:?}");
    interrupted_anywhere(MANY, 4);
}

#[test]
fn a_run_can_be_prolonged_from_any_step() {
    let dir = tempfile::tempdir().unwrap();
    // frames every 5 steps, lines of the ledger every 3
    let text = SPACE.replace("checkpoint_steps = 9", "checkpoint_steps = 9, ledger = \"6 ms\"");
    let long = Scene::from_text(&text).unwrap();
    assert_eq!((long.output.every, long.output.ledger), (5, 3));
    let whole = finish(Run::start(long.clone(), files(dir.path(), "whole")).unwrap());
    for steps in 1..long.steps {
        let short = Scene { steps, ..long.clone() };
        let ended = finish(Run::start(short.clone(), files(dir.path(), "short")).unwrap());
        // asked to go on to where it is, it stays as it was, with its end in frames and ledger
        assert!(finish(Run::resume(short, files(dir.path(), "short")).unwrap()) == ended, "{steps}");
        let last = Reader::open(&files(dir.path(), "short").results).unwrap();
        assert_eq!(last.frame(last.frames() - 1).unwrap().step, steps);
        assert!(finish(Run::resume(long.clone(), files(dir.path(), "short")).unwrap()) == whole, "{steps}");
    }
    // in three pieces
    for steps in [4, 11] {
        let short = Scene { steps, ..long.clone() };
        let run = if steps == 4 { Run::start } else { Run::resume };
        finish(run(short, files(dir.path(), "short")).unwrap());
    }
    assert!(finish(Run::resume(long, files(dir.path(), "short")).unwrap()) == whole);
}

#[test]
fn a_missing_file_is_named_with_the_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let files = files(dir.path(), "a");
    let scene = Scene::from_text(SPACE).unwrap();
    Run::start(scene.clone(), files.clone()).unwrap().pause().unwrap();
    for file in [&files.ledger, &files.results] {
        let bytes = std::fs::read(file).unwrap();
        std::fs::remove_file(file).unwrap();
        let said = Run::resume(scene.clone(), files.clone()).map(drop).unwrap_err().to_string();
        assert!(said.contains(&file.display().to_string()) && said.contains("put the file back"), "{said}");
        std::fs::write(file, bytes).unwrap();
    }
    Run::resume(scene, files).unwrap();
}

#[test]
fn two_runs_do_not_write_the_same_files() {
    let dir = tempfile::tempdir().unwrap();
    let files = files(dir.path(), "a");
    let scene = Scene::from_text(SPACE).unwrap();
    let mut first = Run::start(scene.clone(), files.clone()).unwrap();
    first.step().unwrap();
    for second in [Run::start, Run::resume] {
        let said = second(scene.clone(), files.clone()).map(drop).unwrap_err().to_string();
        assert!(said.contains("another run is writing") && said.contains("--out"), "{said}");
    }
    // elsewhere it may, and the first goes on as if nothing had been
    let other = finish(Run::start(scene.clone(), self::files(dir.path(), "b")).unwrap());
    assert!(finish(first) == other);
    // nothing is left of the lock, and what a killed run leaves of it locks nobody out
    assert!(!files.lock.exists());
    std::fs::write(&files.lock, "").unwrap();
    assert!(finish(Run::start(scene, files.clone()).unwrap()) == other);
}

#[test]
fn a_changed_scene_or_a_damaged_checkpoint_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let files = files(dir.path(), "a");
    let scene = Scene::from_text(SPACE).unwrap();
    let refused = |scene: Scene| Run::resume(scene, files.clone()).map(drop).unwrap_err().to_string();
    assert!(refused(scene.clone()).contains("there is none"));
    Run::start(scene.clone(), files.clone()).unwrap().pause().unwrap();
    assert!(refused(Scene::from_text(PLANE).unwrap()).contains("another scene"));
    let bytes = std::fs::read(&files.checkpoint).unwrap();
    for at in [0, 12, 16, 40, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        std::fs::write(&files.checkpoint, &damaged).unwrap();
        let said = refused(scene.clone());
        assert!(said.contains("a.checkpoint") && said.contains("start the run again"), "{at}: {said}");
    }
    for length in [0, 10, 20, bytes.len() / 2] {
        std::fs::write(&files.checkpoint, &bytes[..length]).unwrap();
        assert!(refused(scene.clone()).contains("checkpoint"));
    }
}
