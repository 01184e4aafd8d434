//! Every scene of the folder loads, passes the check and runs.

use stickslip_io::run::Simulation;
use stickslip_io::scene::check::Severity;
use stickslip_io::scene::{Motion, Scene};

#[test]
fn every_scene_passes_the_check_and_runs() {
    let scenes = super::scenes();
    assert!(scenes.len() >= 12, "{scenes:?}");
    for path in scenes {
        let scene = Scene::read(&path).unwrap();
        let text = scene.text();
        assert!(text.starts_with('#') || text.contains("\n# "), "{}: no comment", path.display());
        for finding in scene.check().unwrap() {
            assert!(finding.severity < Severity::Warning, "{}: {finding:?}", path.display());
        }
        let mut simulation = Simulation::new(&scene).unwrap();
        let sizes = scene.bodies.iter().filter(|b| b.motion == Motion::Dynamic).map(|b| b.shape.bounding_radius());
        let smallest = sizes.fold(f64::INFINITY, f64::min);
        // small scenes far, large ones until things meet
        let steps = (30_000 / scene.bodies.len()).clamp(60, 300);
        for _ in 0..steps {
            let report = simulation.step();
            assert!(report.penetration < 0.25 * smallest, "{}: {report:?}", path.display());
            assert!(report.certified, "{}: {report:?}", path.display());
            let l = report.ledger;
            let scale = l.turnover + l.kinetic.abs() + l.potential.abs();
            assert!(l.closure.abs() <= 1e-9 * scale, "{}: {l:?}", path.display());
        }
    }
}

#[test]
fn the_scene_of_new_passes_the_check_and_runs() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/src/commands/new.toml");
    let scene = Scene::read(&path).unwrap();
    assert!(scene.check().unwrap().iter().all(|f| f.severity < Severity::Warning), "{:?}", scene.check());
    assert!(Simulation::new(&scene).unwrap().step().certified);
}
