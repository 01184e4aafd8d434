//! `reproduce`: what it lists and refuses, what it writes, and how it goes on after it was killed.
#![cfg(unix)]

use assert_cmd::cargo::cargo_bin;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn stickslip(words: &[&str]) -> Output {
    Command::new(cargo_bin("stickslip")).args(words).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs the small version of an experiment into a folder.
fn quick(name: &str, folder: &Path) -> String {
    let out = stickslip(&["reproduce", name, "--quick", "--quiet", "--out", &folder.display().to_string()]);
    assert_eq!(out.status.code(), Some(0), "{name}\n{}\n{}", text(&out.stdout), text(&out.stderr));
    text(&out.stdout)
}

/// A table by columns: the heading, and the cells below it.
fn columns(folder: &Path, name: &str) -> Vec<(String, Vec<String>)> {
    let path = folder.join(format!("{name}-quick.csv"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    let mut columns: Vec<(String, Vec<String>)> =
        reader.headers().unwrap().iter().map(|h| (h.to_string(), Vec::new())).collect();
    for row in reader.records() {
        row.unwrap().iter().zip(&mut columns).for_each(|(cell, column)| column.1.push(cell.into()));
    }
    columns
}

fn numbers(columns: &[(String, Vec<String>)], head: &str) -> Vec<f64> {
    let column = columns.iter().find(|c| c.0 == head).unwrap_or_else(|| panic!("no column {head}"));
    column.1.iter().map(|x| x.parse().unwrap()).collect()
}

/// What does not depend on the clock.
fn timeless(mut columns: Vec<(String, Vec<String>)>) -> Vec<(String, Vec<String>)> {
    let clocked = ["CPU s", "contact s", "contact / PDAS", "ns a visit", "µs a visit", "visit / Newton"];
    columns.retain(|c| !clocked.contains(&c.0.as_str()));
    columns
}

fn page(folder: &Path, name: &str) -> String {
    let page = std::fs::read_to_string(folder.join(format!("{name}-quick.html"))).unwrap();
    for outside in ["src=\"http", "href=", "@import", "url(http", "<script"] {
        assert!(!page.contains(outside), "{name}: {outside}");
    }
    for tag in ["table", "tr", "td", "figure", "ul", "li", "svg"] {
        let open = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(open, page.matches(&format!("</{tag}>")).count(), "{name}: {tag}");
    }
    // pictures are letters, any letters
    let words: String = page.split('"').filter(|part| !part.starts_with("data:image/")).collect();
    assert!(
        !words.contains("NaN") && words.contains("not the whole experiment") && words.contains("leaves open"),
        "{name}"
    );
    page
}

#[test]
fn experiments_are_listed_and_mistakes_get_the_nearest() {
    let listed = text(&stickslip(&["reproduce"]).stdout);
    for name in
        ["A.table1", "A.table2", "A.table3", "A.fig4", "B.drum", "C.packing", "C.brazil_nut", "C.wall", "D.profiles"]
    {
        assert!(listed.lines().any(|l| l.starts_with(name)), "{name}\n{listed}");
    }
    let out = stickslip(&["reproduce", "A.tabel2", "--out", "nowhere"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("did you mean 'A.table2'?"), "{}", text(&out.stderr));
    assert!(!Path::new("nowhere").exists());
    let out = stickslip(&["reproduce", "A.table1", "--until", "1", "--out", "nowhere"]);
    assert!(out.status.code() == Some(1) && text(&out.stderr).contains("no --until"));
    let out = stickslip(&["reproduce", "A.table1"]);
    assert!(out.status.code() == Some(1) && text(&out.stderr).contains("--out"));
}

#[test]
fn one_ball_needs_the_iterations_of_the_paper() {
    let dir = tempfile::tempdir().unwrap();
    let said = quick("A.table1", dir.path());
    assert!(said.contains("paper: iterations") && said.contains("A.table1-quick.html"), "{said}");
    let table = columns(dir.path(), "A.table1");
    assert_eq!(numbers(&table, "paper: iterations"), [18.0, 17.0, 2.0, 2.0, 1.0]);
    assert_eq!(numbers(&table, "iterations"), [18.0, 17.0, 1.0, 1.0, 1.0]);
    assert!(numbers(&table, "farthest from PDAS (m)").iter().all(|d| *d < 1e-7));
    assert!(page(dir.path(), "A.table1").contains("1.5 m/s gives 0.030000000 m"));
    // a second call reads what is there
    let rows = std::fs::read(dir.path().join("A.table1-quick/runs.csv")).unwrap();
    quick("A.table1", dir.path());
    assert_eq!(std::fs::read(dir.path().join("A.table1-quick/runs.csv")).unwrap(), rows);
}

#[test]
fn the_five_methods_make_one_motion() {
    let dir = tempfile::tempdir().unwrap();
    quick("A.table2", dir.path());
    let table = columns(dir.path(), "A.table2");
    assert!(numbers(&table, "uncertified steps").iter().all(|n| *n == 0.0));
    // the smallest radius is 2.5e-4 m
    assert!(numbers(&table, "farthest from PDAS at the end (m)").iter().all(|d| *d < 2.5e-5), "{table:?}");
    let sweeps = numbers(&table, "sweeps a step");
    assert!(sweeps[0] > 1.5 * sweeps[4] && sweeps[1] > 1.5 * sweeps[4], "{sweeps:?}");
    assert!(
        sweeps[4] > 1.0 && (sweeps[2] - sweeps[4]).abs() < 0.1 && (sweeps[3] - sweeps[4]).abs() < 0.1,
        "{sweeps:?}"
    );
    assert_eq!(page(dir.path(), "A.table2").matches("<svg").count(), 2);
}

#[test]
fn killed_and_resumed_gives_the_same_table() {
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    quick("A.table3", whole.path());
    let folder = killed.path().join("A.table3-quick");
    // killed as soon as the third method has begun: two rows are there, a run is under way
    let mut child = Command::new(cargo_bin("stickslip"))
        .args(["reproduce", "A.table3", "--quick", "--quiet", "--out", &killed.path().display().to_string()])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !folder.join("EBP.checkpoint").exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint appears");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let rows = std::fs::read_to_string(folder.join("runs.csv")).unwrap();
    assert!(rows.lines().count() >= 3, "{rows}");
    quick("A.table3", killed.path());
    let after = std::fs::read_to_string(folder.join("runs.csv")).unwrap();
    assert!(after.starts_with(&rows), "what was done is not done again\n{rows}\n{after}");
    assert_eq!(timeless(columns(killed.path(), "A.table3")), timeless(columns(whole.path(), "A.table3")));
    page(killed.path(), "A.table3");
}

#[test]
fn local_solvers_crack_the_wall_alike() {
    let dir = tempfile::tempdir().unwrap();
    quick("C.wall", dir.path());
    let table = columns(dir.path(), "C.wall");
    let open = numbers(&table, "open joints");
    assert!(open.iter().all(|n| *n >= 2.0), "{open:?}");
    assert!(numbers(&table, "open or not as with auto").iter().all(|s| *s > 0.85), "{table:?}");
    // Coulomb's law is certified in every step, and sweeps on polygons settle
    let uncertified = numbers(&table, "uncertified steps");
    assert!([0, 1, 4].iter().all(|k| uncertified[*k] == 0.0), "{uncertified:?}");
    assert!(numbers(&table, "out of sweeps").iter().all(|n| *n == 0.0), "{table:?}");
    let page = page(dir.path(), "C.wall");
    assert_eq!(page.matches("<path class=\"brick\"").count(), 13);
    assert_eq!(page.matches("<path class=\"open\"").count() as f64, open[4] + 1.0, "a gap a joint, and the legend");
}
