//! Runs with steps that fail: their account, their ledger and what is dumped.

use stickslip_io::open;
use stickslip_io::run::{Files, Run};
use stickslip_io::scene::Scene;

/// A wall that one sweep a step cannot solve.
fn wall(on_failure: &str) -> Scene {
    let text = format!(
        "dimension = 3\ntime = {{ h = \"2 ms\", end = \"0.02 s\", on_failure = {on_failure} }}\n\
         solver = {{ name = \"nsgs\", tolerance = 1e-12, max_iterations = 1 }}\n\
         body = [{{ shape = \"half_space\", fixed = true }}]\nwall = [{{ brick = [0.2, 0.1, 0.1], columns = 3, courses = 3 }}]\n"
    );
    Scene::from_text(&text).unwrap()
}

fn lines(files: &Files) -> Vec<String> {
    std::fs::read_to_string(&files.ledger).unwrap().lines().skip(1).map(String::from).collect()
}

#[test]
fn a_stopped_run_accounts_for_the_step_it_did_not_take() {
    let dir = tempfile::tempdir().unwrap();
    let files = Files::named(&dir.path().join("stop"));
    let mut run = Run::start(wall("\"stop\""), files.clone()).unwrap();
    run.keep_failures(true);
    let mut report = run.step().unwrap();
    while !run.is_done() {
        report = run.step().unwrap();
    }
    assert!(!report.certified && report.step == run.simulation().steps() + 1);
    let base = dir.path().join("hard");
    let dumped = run.dump_failures(&base).unwrap();
    assert_eq!(dumped, [dir.path().join("hard.hdf5")]);
    assert!(open(&dumped[0]).is_ok());
    let summary = run.finish().unwrap();
    assert_eq!((summary.steps, summary.uncertified), (report.step - 1, 1));
    assert_eq!(summary.first_uncertified, Some(report.step));
    assert!(summary.verdict().contains(&format!("step {}, which was undone", report.step)), "{}", summary.verdict());
    assert!(summary.notes().iter().any(|n| n.contains("says to stop")));
    let last = lines(&files).pop().unwrap();
    assert!(last.starts_with(&format!("{},", report.step)), "{last}");
    // it stays stopped, with the same account
    let run = Run::resume(wall("\"stop\""), files.clone()).unwrap();
    assert!(run.is_done() && run.summary() == &summary);
    let before = lines(&files);
    run.finish().unwrap();
    assert_eq!(lines(&files), before);
}

#[test]
fn a_run_that_goes_on_counts_them() {
    let dir = tempfile::tempdir().unwrap();
    let files = Files::named(&dir.path().join("on"));
    let mut run = Run::start(wall("\"continue\""), files.clone()).unwrap();
    let mut hard = Vec::new();
    while !run.is_done() {
        let report = run.step().unwrap();
        hard.extend((!report.certified).then_some(report.step));
    }
    let summary = run.finish().unwrap();
    assert!(!hard.is_empty());
    assert_eq!((summary.steps, summary.uncertified), (10, hard.len() as u64));
    assert_eq!(summary.first_uncertified, hard.first().copied());
    assert!(summary.verdict().contains(&format!("NOT CERTIFIED {} of 10", hard.len())), "{}", summary.verdict());
    assert_eq!(lines(&files).iter().filter(|l| l.split(',').nth(9) == Some("0")).count(), hard.len());
}

#[test]
fn the_parts_of_a_halved_step_are_dumped_one_by_one() {
    let dir = tempfile::tempdir().unwrap();
    let mut run = Run::start(wall("{ halve = { times = 2 } }"), Files::named(&dir.path().join("half"))).unwrap();
    run.keep_failures(true);
    let names = loop {
        run.step().unwrap();
        let files = run.dump_failures(&dir.path().join("s")).unwrap();
        if !files.is_empty() {
            break files;
        }
    };
    assert!(names.iter().all(|f| open(f).is_ok()));
    let names: Vec<_> = names.iter().map(|f| f.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(names[..2], ["s.hdf5", "s-1of2.hdf5"], "{names:?}");
    assert!(names.contains(&"s-2of2.hdf5".to_string()) || names.contains(&"s-1of4.hdf5".to_string()), "{names:?}");
}

#[test]
fn a_state_without_numbers_is_an_error_and_keeps_the_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    for (name, motion, word) in
        [("v", "velocity = [1e200, 0, 0]", "step 1 "), ("g", "velocity = [0, 0, -1e160]", "step 1 ")]
    {
        let text = format!(
            "dimension = 3\ntime.end = \"20 ms\"\nbody = [{{ shape = \"half_space\", fixed = true }},\n\
             {{ shape.sphere.radius = 0.1, at = [0, 0, 1], {motion} }}]\n"
        );
        let scene = Scene::from_text(&text).unwrap();
        let files = Files::named(&dir.path().join(name));
        let mut run = Run::start(scene.clone(), files.clone()).unwrap();
        let kept = std::fs::read(&files.checkpoint).unwrap();
        let said = run.step().unwrap_err().to_string();
        assert!(said.contains(word) && said.contains("body 1") && said.contains("finite"), "{said}");
        // neither a checkpoint nor the end replaces the good one
        assert!(run.checkpoint().is_err() && run.finish().is_err());
        assert_eq!(std::fs::read(&files.checkpoint).unwrap(), kept);
        assert_eq!(Run::resume(scene, files).unwrap().simulation().steps(), 0);
    }
}
