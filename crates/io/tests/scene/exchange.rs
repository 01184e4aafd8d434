//! Bodies that come and go: inlets, outlets, forces on those that enter, and what the check says of them.

use std::collections::BTreeSet;
use stickslip_io::results::{Frame, Reader};
use stickslip_io::run::{Files, Run, Simulation};
use stickslip_io::scene::Scene;
use stickslip_io::scene::check::{Finding, Severity};

fn scene(text: &str) -> Scene {
    Scene::from_text(text).unwrap_or_else(|e| panic!("{e}"))
}

/// What the check finds of overlaps.
fn overlaps(text: &str) -> Vec<Finding> {
    scene(text).check().unwrap().into_iter().filter(|f| f.what.contains("overlap by")).collect()
}

const FLOOR: &str = "dimension = 3\n[[body]]\nshape = \"half_space\"\nfixed = true\n";

fn ball(z: f64, more: &str) -> String {
    format!("[[body]]\nshape.sphere.radius = 0.1\nat = [0, 0, {z}]\n{more}\n")
}

#[test]
fn a_body_that_enters_inside_another_is_a_problem() {
    // it rests on the floor, and half a body is more than it could fall until then
    let found = overlaps(&format!("{FLOOR}{}{}", ball(0.1, ""), ball(0.12, "enter = 0.05")));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].severity == Severity::Problem && found[0].key == "body.1 and body.2", "{found:?}");
    assert!(found[0].what.contains("when a body enters, first at t = 0.05"), "{found:?}");
    // into the floor, into another that enters at the same time, into one that is driven there
    let driven = "[[body]]\nshape.box.size = [0.1, 0.1, 0.1]\nat = [5, 0, 1]\ndrive.velocity = [-10, 0, 0]\n";
    for rest in [
        ball(0.05, "enter = 0.05"),
        ball(0.5, "enter = 0.05") + &ball(0.6, "enter = 0.05"),
        driven.to_string() + &ball(1.0, "enter = 0.5"),
    ] {
        let found = overlaps(&format!("{FLOOR}{rest}"));
        assert!(found.iter().any(|f| f.severity == Severity::Problem), "{rest}: {found:?}");
    }
}

#[test]
fn what_has_moved_away_by_then_is_no_problem() {
    for rest in [
        // gone, not yet there, fallen away, driven away
        ball(0.1, "leave = 0.04") + &ball(0.12, "enter = 0.05"),
        ball(0.1, "enter = 0.9") + &ball(0.12, "enter = 0.05\nleave = 0.8"),
        ball(2.0, "") + &ball(2.0, "enter = 0.5"),
        "[[body]]\nshape.box.size = [0.1, 0.1, 0.1]\nat = [0, 0, 1]\ndrive.velocity = [1, 0, 0]\n".to_string()
            + &ball(1.0, "enter = 0.5"),
    ] {
        assert!(overlaps(&format!("{FLOOR}{rest}")).is_empty(), "{rest}");
    }
    // one that lies on the floor may still be there, or not: a warning, and a word about what is not known
    let text = format!("{FLOOR}{}{}", ball(0.1, ""), ball(0.12, "enter = 0.9"));
    let found = overlaps(&text);
    assert!(found.len() == 1 && found[0].severity == Severity::Warning, "{found:?}");
    assert!(found[0].what.contains("if the other one has not moved"), "{found:?}");
    assert!(scene(&text).check().unwrap().iter().any(|f| f.what.contains("is not known")));
}

#[test]
fn an_inlet_that_is_too_quick_overlaps_and_a_slow_one_does_not() {
    let inlet = |every: &str| {
        format!(
            "{FLOOR}[[deposit]]\ncount = 4\nradius.equal = 0.05\nfrom = [0, 0, 1]\nto = [0.3, 0.3]\ngap = 0.01\n\
             enter = 0.1\nrepeat = {{ every = {every}, times = 5 }}\n"
        )
    };
    assert!(overlaps(&inlet("0.3")).is_empty());
    let found = overlaps(&inlet("0.05"));
    assert!(found.iter().any(|f| f.severity == Severity::Problem && f.remedy.contains("repeat.every")), "{found:?}");
    // four bodies five times, later ones behind, and no batch like the other
    let bodies = scene(&inlet("0.3")).bodies;
    assert_eq!(bodies.len(), 21);
    let times: Vec<f64> = bodies.iter().filter_map(|b| b.enter).collect();
    assert!(times.is_sorted() && (times[0], times[4]) == (0.1, 0.4), "{times:?}");
    assert_ne!(bodies[1].x, bodies[5].x);
}

#[test]
fn a_force_on_a_body_that_enters_begins_with_it() {
    // without gravity: 2 N on 1 kg from t = 0.1 s on
    let text = "dimension = 2\ngravity = [0, 0]\ntime = { h = 0.01, end = 0.3 }\n\
                body = [{ shape.disc.radius = 1, fixed = true },\n\
                { name = \"b\", shape.disc.radius = 0.1, mass = 1, at = [5, 0], enter = 0.1 }]\n";
    let speed = |force: &str| {
        let mut simulation = Simulation::new(&scene(&format!("{text}force = [{force}]\n"))).unwrap();
        for _ in 0..30 {
            simulation.step();
        }
        let mut frame = Default::default();
        simulation.frame(false, &mut frame);
        frame.v[1][0]
    };
    assert!((speed("{ constant = { body = \"b\", force = [2, 0] } }") - 0.4).abs() < 1e-12);
    // a ramp from 0 at 0.1 s to 2 N at 0.3 s: half of that
    let ramp = "{ table = { body = \"b\", force = [2, 0], times = [0.1, 0.3], factors = [0, 1] } }";
    assert!((speed(ramp) - 0.2).abs() < 1e-12);
    // half a wave of a sine of 5 Hz: 2 N (1 - cos(pi)) / (2 pi 5 Hz)
    let sine = "{ sine = { body = \"b\", force = [2, 0], frequency = 5, start = 0.1, stop = 0.2 } }";
    let exact = 4.0 / (10.0 * std::f64::consts::PI);
    assert!((speed(sine) - exact).abs() < 1e-2 * exact, "{} {exact}", speed(sine));
    let spring = "{ spring = { body = \"b\", ground = [6, 0], stiffness = 1 } }";
    assert!(speed(spring) > 0.1);
}

/// Discs fall in batches past a ledge, out of the box of the outlet.
const STREAM: &str = r#"
dimension = 2
time = { h = "2 ms", end = "1.2 s" }
output = { every = "20 ms", checkpoint_steps = 50 }
outlet.low = [-5, -1]
body = [
    { shape.box.size = [0.5, 0.1], at = [0, 0], angle = "20 deg", fixed = true },
    { shape.box.size = [0.2, 0.2], at = [2, 0], drive.sine = { direction = [1, 0], amplitude = 0.01, frequency = 5 } },
]
lattice = [{
    shape.disc.radius = 0.05, count = [3, 1], at = [-0.1, 0.4], gap = 0.01, jitter = 0.04,
    enter = 0, repeat = { every = "0.2 s", times = 4 },
}]
"#;

#[test]
fn results_stay_whole_when_bodies_come_and_leave() {
    let dir = tempfile::tempdir().unwrap();
    let files = Files::named(&dir.path().join("stream"));
    let scene = scene(STREAM);
    assert!(scene.check().unwrap().iter().all(|f| f.severity == Severity::Note), "{:?}", scene.check());
    let mut run = Run::start(scene.clone(), files.clone()).unwrap();
    while !run.is_done() {
        assert!(run.step().unwrap().certified);
    }
    let summary = run.finish().unwrap();
    assert!(summary.relative_closure() < 1e-9, "{summary:?}");
    let results = Reader::open(&files.results).unwrap();
    let (mut most, mut met) = (0, 0);
    let mut last = 0;
    for k in 0..results.frames() {
        let frame = results.frame(k).unwrap();
        let ids: BTreeSet<u32> = frame.id.iter().copied().collect();
        assert!(ids.iter().all(|id| (*id as usize) < scene.bodies.len()));
        for c in &frame.contacts {
            assert!(ids.contains(&c.a) && ids.contains(&c.b), "frame {k}");
            met += 1;
        }
        (most, last) = (most.max(ids.len()), ids.len());
    }
    // three at a time, and in the end all but the two that forces do not move have left
    assert!(most > 5 && met > 20 && last < most, "{most} {met} {last}");
}

#[test]
fn vtk_and_h5py_read_a_real_run() {
    let Some(python) = std::env::var_os("STICKSLIP_PYTHON") else {
        println!("skipped: STICKSLIP_PYTHON is not set (./check sets it)");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let files = Files::named(&dir.path().join("stream"));
    let mut run = Run::start(scene(STREAM), files.clone()).unwrap();
    while !run.is_done() {
        run.step().unwrap();
    }
    run.finish().unwrap();
    let results = Reader::open(&files.results).unwrap();
    let frames: Vec<serde_json::Value> = (0..results.frames()).map(|k| as_json(&results.frame(k).unwrap())).collect();
    let expected = dir.path().join("expected.json");
    std::fs::write(&expected, serde_json::to_string(&frames).unwrap()).unwrap();
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real_run.py");
    let out = std::process::Command::new(python).arg(script).args([&files.results, &expected]).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}

/// A frame as the script compares it.
fn as_json(f: &Frame) -> serde_json::Value {
    macro_rules! column {
        ($field:ident) => {
            f.contacts.iter().map(|c| serde_json::json!(c.$field)).collect::<Vec<_>>()
        };
    }
    serde_json::json!({
        "t": f.t,
        "Bodies": { "points": f.x, "v": f.v, "omega": f.omega, "orientation": f.orientation, "id": f.id },
        "Contacts": {
            "points": column!(point), "a": column!(a), "b": column!(b), "gap": column!(gap),
            "impulse": column!(impulse), "normal": column!(normal), "status": column!(status),
        },
    })
}

#[test]
fn a_stream_interrupted_gives_the_same_bytes() {
    super::resume::interrupted_anywhere(STREAM, 97);
}

#[test]
fn what_is_odd_about_times_and_outlets() {
    let cases = [
        (ball(0.2, "leave = -3"), "before the first step"),
        (ball(0.2, "enter = 100"), "the simulation ends"),
        (ball(0.2, "") + "[outlet]\nhigh = [1, 1, 0.1]\n", "outside of the outlet"),
    ];
    for (rest, expected) in cases {
        let found = scene(&format!("{FLOOR}{rest}")).check().unwrap();
        assert!(
            found.iter().any(|f| f.severity == Severity::Warning && f.what.contains(expected)),
            "{rest}: {found:?}"
        );
    }
}
