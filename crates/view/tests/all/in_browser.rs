//! The page in a real browser: it draws, plays, picks and logs no error.

use crate::common;

use common::browser;
use serde_json::Value;
use stickslip_view::{Budget, Movie, page};

/// Opens the page with its self-check and returns what it found.
fn tried(name: &str, movie: &Movie) -> Option<Value> {
    let chromium = browser::chromium()?;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{name}.html"));
    let mut file = std::fs::File::create(&path).unwrap();
    page::write(movie, &Budget::default(), &mut file).unwrap();
    let (dom, log) = browser::open(&chromium, &path, "#selfcheck", (900, 700), &["--dump-dom".into()]);
    let marker = "<pre id=\"selfcheck\" hidden=\"\">";
    let from = dom.find(marker).unwrap_or_else(|| panic!("no self-check in the page\n{log}")) + marker.len();
    let text = &dom[from..from + dom[from..].find("</pre>").unwrap()];
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text:?}\n{log}"));
    assert_eq!(report["errors"], Value::Array(vec![]), "{name}");
    assert_eq!(report["gl"], 0, "{name}: WebGL reports an error");
    // the driver remarks on the self-check reading pixels back, which is what it is there for
    let complaints: Vec<&str> =
        log.lines().filter(|l| l.contains("CONSOLE") && !l.contains("GPU stall due to ReadPixels")).collect();
    assert!(complaints.is_empty(), "{name}: {complaints:?}");
    Some(report)
}

fn number(report: &Value, path: &str) -> f64 {
    report.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("{path} in {report}"))
}

/// What holds for every movie.
fn usual_things(name: &str, report: &Value, frames: f64) {
    assert_eq!(number(report, "/frames"), frames, "{name}");
    assert!(number(report, "/play/first/drawn") > 0.02, "{name}: hardly anything is drawn: {report}");
    assert!(number(report, "/play/first/colours") > 8.0, "{name}: {report}");
    assert!(number(report, "/play/moment") >= 1.0 && number(report, "/play/painted") > 0.0, "{name}: {report}");
    assert_eq!(report["play"]["changed"], true, "{name}: the picture does not change in time");
    assert_eq!((number(report, "/home"), number(report, "/right")), (0.0, 1.0), "{name}: keys");
    // the centre of a body shows that body, or one in front of it
    let (tried, itself, none) =
        (number(report, "/picks/tried"), number(report, "/picks/itself"), number(report, "/picks/none"));
    assert!(tried > 0.0 && itself > 0.0 && none == 0.0, "{name}: {}", report["picks"]);
    assert_ne!(report["colour_id"], report["colour_speed"], "{name}");
    assert_ne!(report["other_theme"], report["colour_speed"], "{name}");
    assert!(report["card"].as_str().is_some_and(|c| c.contains("speed") && c.contains("m/s")), "{name}");
}

#[test]
fn discs_in_a_drum() {
    let movie = common::drum();
    let Some(report) = tried("drum", &movie) else { return };
    usual_things("drum", &report, 120.0);
    // on the plane nothing is in front of anything
    assert_eq!(number(&report, "/picks/tried"), number(&report, "/picks/itself"), "{}", report["picks"]);
    assert_ne!(report["contacts_force"], report["contacts_none"]);
    assert_ne!(report["contacts_force"], report["contacts_status"]);
}

#[test]
fn balls_in_a_box() {
    let Some(report) = tried("balls", &common::balls()) else { return };
    usual_things("balls", &report, 100.0);
    assert_ne!(report["contacts_force"], report["contacts_none"]);
    assert_ne!(report["colour_size"], report["colour_speed"]);
}

#[test]
fn wall_hit_by_a_ball() {
    let Some(report) = tried("wall", &common::wall()) else { return };
    usual_things("wall", &report, 100.0);
}

#[test]
fn every_form() {
    if let Some(report) = tried("space", &common::space_zoo()) {
        usual_things("space", &report, 20.0);
        assert_eq!(number(&report, "/picks/tried"), 6.0);
    }
    let mut movie = common::plane_zoo();
    movie.notices.push("the file is cut off; the 20 whole frames before it are shown".into());
    if let Some(report) = tried("plane", &movie) {
        usual_things("plane", &report, 20.0);
        assert_eq!(number(&report, "/picks/itself"), 4.0);
        assert!(report["notices"].as_str().unwrap().contains("cut off"));
    }
}
