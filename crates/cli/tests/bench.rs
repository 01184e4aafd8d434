//! `stickslip bench` as a user meets it: rows, pictures, resumption, and a peer where there is one.

use assert_cmd::Command;
use std::path::Path;

fn stickslip(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("stickslip").expect("the binary is built").current_dir(folder).args(words).output();
    let output = output.expect("the program starts");
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn ok(folder: &Path, words: &[&str]) -> String {
    let (code, out, err) = stickslip(folder, words);
    assert_eq!(code, 0, "{words:?}\n{out}\n{err}");
    out
}

/// A plane, a spatial, a rolling and an elastic problem.
const FILES: [&str; 4] = ["packing-1.hdf5", "discs-1.hdf5", "rolling-1.hdf5", "elastic-1.hdf5"];

fn problems(folder: &Path) {
    ok(folder, &["generate", "sphere-lattice", "nx=3", "ny=3", "nz=3", "--out", FILES[0]]);
    ok(folder, &["generate", "random-sparse", "dimension=2", "contacts=20", "bodies=15", "--out", FILES[1]]);
    ok(
        folder,
        &["generate", "random-sparse", "dimension=5", "contacts=12", "bodies=9", "form=local", "--out", FILES[2]],
    );
    ok(folder, &["generate", "elastic-block", "elements=[2,2,2]", "--out", FILES[3]]);
}

fn rows(folder: &Path) -> Vec<csv::StringRecord> {
    let mut reader = csv::Reader::from_path(folder.join("out/results.csv")).unwrap();
    reader.records().map(Result::unwrap).collect()
}

/// What a row is about: file, solver, tolerance, start.
fn cell(row: &csv::StringRecord) -> [String; 4] {
    [0, 6, 7, 8].map(|k| row[k].to_string())
}

fn words<'a>(files: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    let usual = ["--out", "out", "--quiet", "--time-limit", "0.5", "--repeat", "1"];
    ["bench"].into_iter().chain(files.iter().copied()).chain(usual).chain(more.iter().copied()).collect()
}

#[test]
fn every_cell_is_run_once_certified_and_drawn() {
    let dir = tempfile::tempdir().unwrap();
    problems(dir.path());
    let grid = ["--solvers", "auto,nsgs{order=\"symmetric\"},ipm", "--tol", "1e-4,1e-8"];
    let out = ok(dir.path(), &words(&FILES, &grid));
    assert!(out.contains("cold start, tolerance 1e-8") && out.contains("auto against the best of our others"), "{out}");
    let all = rows(dir.path());
    assert_eq!(all.len(), 4 * 3 * 2 * 2);
    let mut cells: Vec<_> = all.iter().map(cell).collect();
    cells.sort();
    cells.dedup();
    assert_eq!(cells.len(), all.len());
    for row in &all {
        let (tol, error) = (row[7].parse::<f64>().unwrap(), row[15].parse::<f64>());
        assert_eq!(&row[9], "solved", "{row:?}");
        assert!(error.unwrap() <= 1.0001 * tol && row[10].parse::<f64>().unwrap() > 0.0, "{row:?}");
    }
    // the answer of a nearby problem saves iterations overall
    let iterations = |start: &str| -> u64 {
        all.iter().filter(|r| &r[8] == start && r[6].starts_with("nsgs")).map(|r| r[14].parse::<u64>().unwrap()).sum()
    };
    assert!(iterations("warm") < iterations("cold"), "{} {}", iterations("warm"), iterations("cold"));
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(dir.path().join("out/results.json")).unwrap()).unwrap();
    assert_eq!(json.as_array().unwrap().len(), all.len());
    // the same cells in JSON as in CSV, with their figures
    for (value, row) in json.as_array().unwrap().iter().zip(&all) {
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_string();
        let number = |key: &str| value[key].as_f64().unwrap();
        assert_eq!(
            [text("file"), text("solver"), text("start"), text("verdict")],
            [0, 6, 8, 9].map(|k| row[k].to_string())
        );
        let (tol, seconds): (f64, f64) = (row[7].parse().unwrap(), row[10].parse().unwrap());
        assert!(number("tol") == tol && (number("seconds") - seconds).abs() <= 1e-14 * seconds, "{value} {row:?}");
        assert_eq!(number("contacts"), row[2].parse::<f64>().unwrap());
        // the last digit of a number is the reader's
        let error: f64 = row[15].parse().unwrap();
        assert!((number("error") - error).abs() <= 1e-14 * error, "{value} {row:?}");
    }
    let settings = std::fs::read_to_string(dir.path().join("out/settings.json")).unwrap();
    assert!(settings.contains("\"program\": \"stickslip ") && settings.contains("build "), "{settings}");
    let page = std::fs::read_to_string(dir.path().join("out/index.html")).unwrap();
    assert!(page.contains("packing-1") && page.contains("<svg") && !page.contains("have not been run"));
    for name in
        ["profile-cold", "profile-size-warm-1e-8", "profile-class-cold-1e-4", "work-precision-warm", "growth-cold"]
    {
        assert!(dir.path().join(format!("out/{name}.svg")).exists(), "{name}");
    }
    // nothing is left to do, and nothing is done
    let before = std::fs::read(dir.path().join("out/results.csv")).unwrap();
    ok(dir.path(), &words(&FILES, &grid));
    assert_eq!(std::fs::read(dir.path().join("out/results.csv")).unwrap(), before);
}

#[test]
fn the_summary_is_json_when_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    problems(dir.path());
    let out =
        ok(dir.path(), &words(&FILES[..2], &["--solvers", "auto,nsgs", "--tol", "1e-6", "--start", "cold", "--json"]));
    let value: serde_json::Value = serde_json::from_str(out.trim()).unwrap();
    let section = &value["sections"][0];
    assert_eq!((&section["problems"], &section["common"]), (&serde_json::json!(2), &serde_json::json!(2)));
    assert_eq!(section["solvers"][0]["solver"], "auto");
    assert_eq!(section["auto_to_ours"]["both"], 2);
    assert!(section["auto_to_peer"].is_null());
}

/// Killed in the middle with a line half written: the next run has the same rows, none twice.
#[cfg(unix)]
#[test]
fn a_killed_bench_resumes() {
    use std::process::{Command, Stdio};
    let dir = tempfile::tempdir().unwrap();
    problems(dir.path());
    let grid = ["--solvers", "auto,nsgs,nncg,anderson,ipm", "--tol", "1e-4,1e-6,1e-8"];
    let words = words(&FILES, &grid);
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("stickslip"));
    let mut child =
        child.args(&words).current_dir(dir.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let path = dir.path().join("out/results.csv");
    let lines = || std::fs::read_to_string(&path).map_or(0, |t| t.lines().count());
    while lines() < 8 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let mut left = std::fs::read_to_string(&path).unwrap();
    let kept = left[..=left.rfind('\n').unwrap()].to_string();
    let total = 4 * 5 * 3 * 2;
    assert!(kept.lines().count() <= total, "it ended before it was killed");
    left = kept.clone() + "packing-1,packing,54,3,glob";
    std::fs::write(&path, &left).unwrap();
    ok(dir.path(), &words);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(&kept));
    let all = rows(dir.path());
    let mut cells: Vec<_> = all.iter().map(cell).collect();
    cells.sort();
    cells.dedup();
    assert_eq!((all.len(), cells.len()), (total, total));
}

#[test]
fn failures_are_rows_and_time_limits_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    ok(dir.path(), &["generate", "box-wall", "columns=12", "courses=12", "--out", "wall-1.hdf5"]);
    let grid = ["--solvers", "fp-ds", "--tol", "1e-10,1e-12", "--start", "cold"];
    let words = ["bench", "wall-1.hdf5", "--out", "out", "--time-limit", "0.2", "--quiet"];
    ok(dir.path(), &words.into_iter().chain(grid).collect::<Vec<_>>());
    let all = rows(dir.path());
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|r| &r[9] == "timeout"), "{all:?}");
    // hopeless at a looser tolerance is hopeless at a tighter one
    assert!(all[1][20].contains("not run"), "{all:?}");
    // neither do rows of another build
    let path = dir.path().join("out/settings.json");
    let settings = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, settings.replace("build ", "build f")).unwrap();
    let (code, _, err) = stickslip(dir.path(), &words.into_iter().chain(grid).collect::<Vec<_>>());
    assert!(code == 1 && err.contains("two builds") && err.contains("--out"), "{err}");
    std::fs::write(&path, settings).unwrap();
    // other settings do not mix with these rows
    let (code, _, err) = stickslip(dir.path(), &["bench", "wall-1.hdf5", "--out", "out", "--time-limit", "1"]);
    assert!(code == 1 && err.contains("--out"), "{err}");
}

#[test]
fn mistakes_are_exit_1_with_a_remedy() {
    let dir = tempfile::tempdir().unwrap();
    problems(dir.path());
    std::fs::write(dir.path().join("noise.hdf5"), b"\x89HDF\r\n\x1a\nnothing").unwrap();
    std::fs::write(dir.path().join("bad.csv"), "x\n1\n").unwrap();
    for (more, expected) in [
        (&["discs-1.hdf5", "--solvers", "auto,nsg"][..], "did you mean 'nsgs'"),
        (&["discs-1.hdf5", "--tol", "1e-4,0"], "positive"),
        (&["missing.hdf5"], "missing.hdf5"),
        (&["discs-1.hdf5", "--classes", "bad.csv"], "'file' and 'class'"),
        (&["discs-1.hdf5", "--peer-solvers", "nsgs"], "--peer"),
        (&["discs-1.hdf5", "--time-limit", "-1"], "positive"),
    ] {
        let words: Vec<&str> = ["bench", "--out", "x"].into_iter().chain(more.iter().copied()).collect();
        let (code, _, err) = stickslip(dir.path(), &words);
        assert!(code == 1 && err.contains(expected) && !err.contains("panicked"), "{more:?}: {err}");
    }
    // nothing to run is one message that names the file once, and no page
    std::fs::write(dir.path().join("lcp.dat"), "2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n").unwrap();
    for bad in ["noise.hdf5", "lcp.dat"] {
        let (code, out, err) = stickslip(dir.path(), &["bench", bad, "--out", "none", "--quiet"]);
        assert_eq!((code, err.matches(bad).count(), err.trim().lines().count()), (1, 1, 1), "{out}{err}");
        assert!(
            out.is_empty() && err.contains("nothing was run") && !dir.path().join("none/index.html").exists(),
            "{out}"
        );
    }
    // one bad file among several does not keep the good one from being run
    let grid = ["--solvers", "nsgs", "--tol", "1e-4", "--start", "cold"];
    let (code, out, err) = stickslip(dir.path(), &words(&["noise.hdf5", "discs-1.hdf5"], &grid));
    assert!(code == 1 && err.contains("noise.hdf5") && out.contains("1 rows"), "{out}{err}");
}

/// Siconos on the same files, judged by the same certificate.
#[test]
fn the_peer_is_judged_as_we_are() {
    let python = std::env::var_os("STICKSLIP_SICONOS_PYTHON");
    let found = python.is_some_and(|p| {
        let output = std::process::Command::new(p).args(["-c", "import siconos.numerics, scipy.sparse"]).output();
        output.is_ok_and(|o| o.status.success())
    });
    if !found {
        println!("skipped: STICKSLIP_SICONOS_PYTHON names no Python with siconos");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    problems(dir.path());
    let grid = ["--solvers", "auto", "--tol", "1e-4", "--peer", "siconos", "--peer-solvers", "nsgs,nsgs-quartic"];
    let out = ok(dir.path(), &words(&FILES, &grid));
    assert!(out.contains("auto against the best of siconos"), "{out}");
    let all = rows(dir.path());
    assert_eq!(all.len(), 4 * 3 * 2);
    let verdicts = |solver: &str| all.iter().filter(|r| &r[6] == solver).map(|r| r[9].to_string()).collect::<Vec<_>>();
    // Gauss-Seidel takes every kind; the quartic one-contact solver is for space alone
    assert!(verdicts("siconos:nsgs").iter().all(|v| v == "solved"), "{all:?}");
    assert_eq!(verdicts("siconos:nsgs-quartic").iter().filter(|v| *v == "unsupported").count(), 4);
    for row in all.iter().filter(|r| &r[9] == "solved") {
        assert!(row[18].parse::<f64>().unwrap() <= 1.0001e-4, "{row:?}");
    }
}
