//! Energy that appears is told of; the scenes of the folder gain none.

use stickslip_io::run::{Files, Run, Simulation};
use stickslip_io::scene::Scene;

/// Soft balls much too stiff for the step.
const STIFF: &str = r#"
dimension = 3
time = { h = "1 ms", end = "0.1 s", soft_sphere.k_n = 1e9 }
law = [{ coulomb = { mu = 0.3, e_n = 0.5 } }]
body = [{ shape = "half_space", fixed = true }]
heap = [{ radius = 0.1, base = 3 }]
"#;

#[test]
fn a_soft_step_too_long_is_told_before_and_after() {
    let dir = tempfile::tempdir().unwrap();
    let files = Files::named(&dir.path().join("stiff"));
    let mut run = Run::start(Scene::from_text(STIFF).unwrap(), files.clone()).unwrap();
    assert!(run.summary().note_on_long_step().unwrap().contains("too long for soft contacts"));
    let mut first = None;
    while !run.is_done() {
        let report = run.step().unwrap();
        first = first.or(report.alarm.map(|_| report.step));
    }
    let summary = run.finish().unwrap();
    let step = first.expect("it gains energy");
    assert_eq!(summary.alarm.map(|a| a.0), Some(step));
    let notes = summary.notes();
    assert!(notes[0].contains("energy appeared") && notes[0].contains(&format!("(step {step})")), "{notes:?}");
    assert!(notes[1].contains("too long"), "{notes:?}");
    assert!(summary.verdict().contains("not certified by construction"), "{}", summary.verdict());
    // nothing in the ledger is called certified, and the gain stands in it from that step on
    let csv = std::fs::read_to_string(&files.ledger).unwrap();
    let mut lines = csv.lines().map(|l| l.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = |name: &str| head.iter().position(|h| *h == name).unwrap();
    let (certified, gained, kinetic) = (column("certified"), column("gained"), column("kinetic"));
    let value = |line: &[&str], k: usize| line[k].parse::<f64>().unwrap();
    let mut most = 0.0_f64;
    for (k, line) in (1..).zip(lines) {
        most = most.max(value(&line, kinetic));
        assert_eq!(line[certified], "0");
        assert!(k != step || value(&line, gained) > 0.02 * most, "{k}: {line:?}");
    }
}

#[test]
fn soft_scenes_with_laws_they_do_not_know_are_refused() {
    for law in ["glued = {}", "rolling = { mu = 0.3, mu_r = \"1 mm\" }", "coulomb = { mu = 0.3, e_t = 0.5 }"] {
        let text = STIFF.replace("coulomb = { mu = 0.3, e_n = 0.5 }", law);
        let said = Simulation::new(&Scene::from_text(&text).unwrap()).map(drop).unwrap_err().to_string();
        assert!(said.contains("soft contacts know no"), "{law}: {said}");
    }
}

#[test]
fn the_scenes_of_the_folder_gain_nothing() {
    let mut seen = 0;
    for path in super::scenes() {
        let scene = Scene::read(&path).unwrap();
        if scene.bodies.len() > 400 {
            continue;
        }
        seen += 1;
        let mut simulation = Simulation::new(&scene).unwrap();
        for _ in 0..scene.steps.min(150) {
            let report = simulation.step();
            assert!(report.alarm.is_none() && report.lost.is_none(), "{}: {report:?}", path.display());
        }
    }
    assert!(seen >= 6, "{seen}");
}
