//! The program as a user meets it: words in, words and exit codes out.

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

/// A small packing in the folder.
fn packing(folder: &Path) {
    ok(folder, &["generate", "sphere-lattice", "nx=3", "ny=3", "nz=3", "--out", "packing.hdf5"]);
}

#[test]
fn generate_info_solve_verify() {
    let dir = tempfile::tempdir().unwrap();
    packing(dir.path());
    let info = ok(dir.path(), &["info", "packing.hdf5"]);
    assert!(info.contains("global") && info.contains("block diagonal") && info.contains("rank"), "{info}");
    let words =
        ["solve", "packing.hdf5", "--tol", "1e-9", "--history", "h.csv", "--plot", "p.svg", "--out", "solved.hdf5"];
    let out = ok(dir.path(), &words);
    assert!(out.contains("converged") && out.contains("holds"), "{out}");
    let history = std::fs::read_to_string(dir.path().join("h.csv")).unwrap();
    let last = history.lines().last().unwrap().split(',').nth(2).unwrap().parse::<f64>().unwrap();
    assert!(history.starts_with("iteration,seconds,error,estimate") && last <= 1e-9);
    assert!(std::fs::read_to_string(dir.path().join("p.svg")).unwrap().contains("<svg"));
    let out = ok(dir.path(), &["verify", "solved.hdf5", "--tol", "1e-9"]);
    assert!(out.contains("holds"), "{out}");
    // started from the stored answer there is nothing to do
    let out = ok(dir.path(), &["solve", "solved.hdf5", "--tol", "1e-9", "--start", "solution", "--json"]);
    assert!(out.contains("\"iterations\":0"), "{out}");
    // a tolerance it was not solved to is not certified
    assert_eq!(stickslip(dir.path(), &["verify", "solved.hdf5", "--tol", "1e-15"]).0, 2);
}

#[test]
fn json_is_one_object_a_file() {
    let dir = tempfile::tempdir().unwrap();
    packing(dir.path());
    ok(dir.path(), &["generate", "single-contact", "dimension=2", "--out", "one.hdf5"]);
    let out = ok(dir.path(), &["solve", "packing.hdf5", "one.hdf5", "--json", "--measure", "siconos"]);
    let lines: Vec<serde_json::Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["converged"], true);
    assert_eq!(lines[1]["dimension"], 2);
    assert_eq!(lines[0]["certificate"]["measure"], "siconos");
}

#[test]
fn not_converged_is_exit_2_and_says_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    packing(dir.path());
    let (code, out, _) = stickslip(dir.path(), &["solve", "packing.hdf5", "--tol", "1e-12", "--max-iter", "3"]);
    assert_eq!(code, 2);
    assert!(out.contains("iteration limit") && out.contains("DOES NOT HOLD") && out.contains("--max-iter"), "{out}");
}

#[test]
fn every_form_and_format_converts_and_solves_alike() {
    let dir = tempfile::tempdir().unwrap();
    packing(dir.path());
    ok(dir.path(), &["convert", "packing.hdf5", "local.hdf5", "--to", "local"]);
    ok(dir.path(), &["convert", "local.hdf5", "local.dat"]);
    ok(dir.path(), &["convert", "local.hdf5", "back.hdf5", "--to", "global"]);
    for file in ["local.hdf5", "local.dat", "back.hdf5"] {
        let out = ok(dir.path(), &["solve", file, "--tol", "1e-8", "--json"]);
        let value: serde_json::Value = serde_json::from_str(out.trim()).unwrap();
        assert_eq!(value["converged"], true, "{file}");
        let info = ok(dir.path(), &["info", file]);
        assert!(info.contains("rank"), "{info}");
    }
    // an unchanged file is copied bit for bit in what FCLIB stores
    ok(dir.path(), &["convert", "local.hdf5", "same.h5"]);
    assert_eq!(
        stickslip::io::fclib::FclibFile::read(dir.path().join("local.hdf5")).unwrap(),
        stickslip::io::fclib::FclibFile::read(dir.path().join("same.h5")).unwrap()
    );
}

#[test]
fn every_kind_is_generated_and_solved() {
    let dir = tempfile::tempdir().unwrap();
    let kinds = ok(dir.path(), &["generate"]);
    for words in [
        &["box-wall", "columns=3", "courses=3"][..],
        &["random-sparse", "dimension=2", "contacts=20", "bodies=15"],
        &["random-sparse", "dimension=5", "contacts=20", "bodies=15", "form=local"],
        &["elastic-block", "elements=[2,2,2]"],
        &["single-contact", "dimension=5", "condition=1e6"],
    ] {
        assert!(kinds.contains(words[0]));
        let mut all = vec!["generate"];
        all.extend(words);
        all.extend(["--out", "x.hdf5"]);
        ok(dir.path(), &all);
        ok(dir.path(), &["solve", "x.hdf5", "--tol", "1e-6"]);
    }
}

#[test]
fn mistakes_are_exit_1_with_a_remedy() {
    let dir = tempfile::tempdir().unwrap();
    packing(dir.path());
    std::fs::write(dir.path().join("noise.hdf5"), b"\x89HDF\r\n\x1a\nnothing").unwrap();
    std::fs::write(dir.path().join("noise.dat"), b"3\n-5\n").unwrap();
    for (words, expected) in [
        (&["solve", "missing.hdf5"][..], "missing.hdf5"),
        (&["solve", "noise.hdf5"], "noise.hdf5"),
        (&["solve", "noise.dat"], "line"),
        (&["solve", "packing.hdf5", "--solver", "nsg"], "did you mean 'nsgs'"),
        (&["solve", "packing.hdf5", "--solver", "nsgs{omeg=1}"], "did you mean 'omega'"),
        (&["solve", "packing.hdf5", "--tol", "-1"], "positive"),
        (&["solve", "packing.hdf5", "--tol", "nan"], "positive"),
        (&["solve", "packing.hdf5", "--start", "guess"], "no guess"),
        (&["solve", "packing.hdf5", "--out", "no/such/folder/x.hdf5"], "no/such/folder"),
        (&["solve", "packing.hdf5", "--frobnicate"], "frobnicate"),
        (&["verify", "packing.hdf5"], "no solution"),
        (&["convert", "packing.hdf5", "x.txt"], ".hdf5"),
        (&["convert", "packing.hdf5", "x.dat"], "--to local"),
        (&["generate", "sphere-latice", "--out", "x.hdf5"], "did you mean 'sphere-lattice'"),
        (&["generate", "sphere-lattice", "nnx=3", "--out", "x.hdf5"], "did you mean 'nx'"),
        (&["generate", "sphere-lattice", "mu=-1", "--out", "x.hdf5"], "mu"),
        (&["generate", "sphere-lattice", "nx=0", "--out", "x.hdf5"], "nx"),
        (&["generate", "box-wall"], "--out"),
        (&["solvers", "lemkke"], "did you mean"),
        (&["solve", "packing.hdf5", "--solver", "nsgs{one_contact=\"sbq\"}"], "did you mean 'sbp'"),
        (&["solve", "packing.hdf5", "--solver", "nsgs{one_contact={ac={gard=true}}}"], "did you mean 'guard'"),
        (&["solve", "packing.hdf5", "--solver", "active-set"], "complementarity"),
        (&["solve", "packing.hdf5", "--solver", "admm{rho=-1}"], "option 'rho' of admm is -1; it must be above 0"),
        (&["solve", "packing.hdf5", "--solver", "nsgs{omega=nan}"], "option 'omega' of nsgs"),
        (&["solvers", "sbq"], "did you mean 'sbp'"),
        (&["solvers", "epda"], "did you mean 'epdas'"),
        (&["solvers", "projected-cgg"], "did you mean 'projected-cg'"),
        (&["solvers", "nsg"], "did you mean 'nsgs'"),
        (&["solve", "packing.hdf5", "--solver", "pgs{omga=1}"], "did you mean 'omega'"),
    ] {
        let (code, out, err) = stickslip(dir.path(), words);
        assert_eq!(code, 1, "{words:?}\n{out}\n{err}");
        assert!(err.contains(expected), "{words:?}: {err}");
        assert!(!err.contains("panicked"), "{err}");
    }
    // one bad file among several does not keep the good one from being solved
    let (code, out, _) = stickslip(dir.path(), &["solve", "missing.hdf5", "packing.hdf5"]);
    assert!(code == 1 && out.contains("packing.hdf5: converged"), "{out}");
}

/// The symmetric definite LCP of Cottle, Pang & Stone, example 1.4.1: z = (4/3, 7/3).
const LCP: &str = "2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n";

#[test]
fn complementarity_problems_are_told_solved_and_verified() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("lcp.dat"), LCP).unwrap();
    std::fs::write(dir.path().join("skew.dat"), "2\n0\n2\n2\n2 2\n1 -2\n2 1\n-1 -1\n").unwrap();
    let info = ok(dir.path(), &["info", "lcp.dat"]);
    assert!(info.contains("positive definite") && info.contains("symmetric") && info.contains("all solvers"), "{info}");
    for solver in [
        "auto",
        "lemke",
        "pgs",
        "psor{omega=1.1}",
        "enumeration",
        "projected-gradient",
        "projected-cg",
        "active-set",
        "nonsymmetric-qp",
    ] {
        let out = ok(dir.path(), &["solve", "lcp.dat", "--solver", solver, "--tol", "1e-9", "--json"]);
        let value: serde_json::Value = serde_json::from_str(out.trim()).unwrap();
        assert_eq!(value["converged"], true, "{solver}");
        assert!((value["z"][1].as_f64().unwrap() - 7.0 / 3.0).abs() < 1e-7, "{solver}: {out}");
    }
    let out = ok(dir.path(), &["solve", "lcp.dat", "--out", "solved.dat"]);
    assert!(out.contains("solved with lemke") && out.contains("holds"), "{out}");
    assert!(ok(dir.path(), &["verify", "solved.dat"]).contains("holds"));
    // what a method cannot do is exit 2 with a remedy, what makes no sense is exit 1
    let (code, out, _) = stickslip(dir.path(), &["solve", "skew.dat", "--solver", "active-set"]);
    assert!(code == 2 && out.contains("not symmetric") && out.contains("remedy"), "{out}");
    for (solver, limit) in [("pgs", "2"), ("lemke", "1"), ("enumeration", "2")] {
        let words = ["solve", "lcp.dat", "--solver", solver, "--max-iter", limit, "--tol", "1e-12"];
        let (code, out, _) = stickslip(dir.path(), &words);
        assert!(code == 2 && out.contains("iteration limit") && out.contains("--max-iter"), "{out}");
    }
    for (words, expected) in [
        (&["verify", "lcp.dat"][..], "no solution"),
        (&["solve", "lcp.dat", "--solver", "ipm"], "contact problems"),
        (&["solve", "lcp.dat", "--solver", "lemk"], "did you mean 'lemke'?"),
        (&["solve", "lcp.dat", "--plot", "x.svg"], "for contact problems"),
        (&["convert", "lcp.dat", "x.hdf5"], "complementarity"),
    ] {
        let (code, _, err) = stickslip(dir.path(), words);
        assert!(code == 1 && err.contains(expected), "{words:?}: {err}");
    }
}

#[test]
fn plane_solvers_solve_the_plane_and_say_so_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    packing(dir.path());
    ok(dir.path(), &["generate", "random-sparse", "dimension=2", "contacts=8", "bodies=10", "--out", "plane.hdf5"]);
    for solver in ["lemke-2d", "cpg-2d", "enumeration-2d"] {
        let out = ok(dir.path(), &["solve", "plane.hdf5", "--solver", solver, "--tol", "1e-9"]);
        assert!(out.contains("holds"), "{out}");
        let (code, out, _) = stickslip(dir.path(), &["solve", "packing.hdf5", "--solver", solver]);
        assert!(code == 2 && out.contains("3 rows") && out.contains("in space take"), "{out}");
    }
}

#[test]
fn every_one_contact_solver_runs_in_sweeps_with_the_measure_of_its_paper() {
    let dir = tempfile::tempdir().unwrap();
    packing(dir.path());
    for one in ["exact", "projection", "ac", "mj", "nm", "fb", "sbp", "sal", "ebp", "eal", "pdas", "epdas", "ipdas"] {
        for method in ["nsgs", "psor"] {
            let solver = format!("{method}{{one_contact=\"{one}\"}}");
            let words =
                ["solve", "packing.hdf5", "--solver", &solver, "--measure", "eps_glob", "--tol", "1e-7", "--json"];
            let value: serde_json::Value = serde_json::from_str(ok(dir.path(), &words).trim()).unwrap();
            assert!(value["certificate"]["eps_glob"].as_f64().unwrap() <= 1e-7, "{solver}");
        }
    }
    let all = ok(dir.path(), &["solvers"]);
    assert!(["nsgs", "cpg-2d", "epdas", "projected-cg"].iter().all(|name| all.contains(name)), "{all}");
    let one = ok(dir.path(), &["solvers", "nsgs"]);
    assert!(one.contains("Relaxation") && one.contains("default 1.0") && one.contains("ipdas"), "{one}");
    let one = ok(dir.path(), &["solvers", "ipdas"]);
    assert!(one.contains("gamma_t") && one.contains("[B, eq. 4.5-4.9]"), "{one}");
    // a name of two catalogues is explained in both
    let both = ok(dir.path(), &["solvers", "psor"]);
    assert!(both.contains("one_contact") && both.contains("linear complementarity"), "{both}");
}

#[test]
fn the_demo_runs() {
    let dir = tempfile::tempdir().unwrap();
    let out = ok(dir.path(), &["demo", "--out", "d"]);
    assert!(out.contains("holds"), "{out}");
    for file in ["convergence.svg", "packing.hdf5", "wall.hdf5"] {
        assert!(dir.path().join("d").join(file).exists());
    }
}

/// Ctrl-C in the middle of a solve: the best iterate is reported, and the exit code is that of "not converged".
#[cfg(unix)]
#[test]
fn ctrl_c_still_reports() {
    use std::process::{Command, Stdio};
    let dir = tempfile::tempdir().unwrap();
    ok(dir.path(), &["generate", "box-wall", "columns=20", "courses=20", "--out", "wall.hdf5"]);
    let words = ["solve", "wall.hdf5", "--solver", "nsgs", "--tol", "1e-14", "--max-iter", "1000000000", "--json"];
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("stickslip"));
    let child =
        child.args(words).current_dir(dir.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["status"], "interrupted");
    assert!(value["certificate"]["error"].as_f64().unwrap() < 1.0);
}

/// A reader who leaves early costs neither a panic nor the files that were asked for.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_disaster() {
    let dir = tempfile::tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin("stickslip");
    let line = format!("{} demo --out d | head -c 1 >/dev/null", program.display());
    let output = std::process::Command::new("sh").args(["-c", &line]).current_dir(dir.path()).output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
    assert!(dir.path().join("d/convergence.svg").exists());
}

/// What a student reads about a solver: every value of every option, formulas, ranges, other names, fields of use.
#[test]
fn solvers_are_explained_with_their_values_and_fields() {
    let dir = tempfile::tempdir().unwrap();
    for (name, expected) in [
        (
            "nsgs",
            &["\"natural\"", "\"symmetric\"", "{windowed={window=64}}", "{shuffled={seed=0}}", "{exact={every=1}}"][..],
        ),
        ("nsgs", &["above 0 and below 2", "also       nlgs", "closed_form", "freezing", "below: above 0"]),
        (
            "fp-vi",
            &["\"khobotov\"", "rho |dF| <= L |dr|", "\"solodov_tseng\"", "rho dr . dF <= L |dr|^2", "\"han_sun\""],
        ),
        (
            "nsn-ac",
            &[
                "{armijo={c=0.0001,halvings=12}}",
                "f(a) <= (1 - 2 c a) f(0)",
                "{goldstein_price={m1=0.1,m2=0.9,trials=30}}",
            ],
        ),
        ("nsn-ac", &["\"none\"", "\"local\"", "A W + C", "\"global\"", "armijo.c: above 0 and below 0.5"]),
        ("aclm", &["\"fixed_point\"", "\"newton\"", "\"own\"", "\"admm\""]),
        ("anderson", &["1 to 20"]),
        ("SBP", &["sbp (one contact", "every law", "above 0"]),
        ("closed_form", &["W_cc is diagonal", "options    none"]),
        ("lemke", &["lemke-2d", "lemke (linear complementarity)", "max_pivots"]),
    ] {
        let out = ok(dir.path(), &["solvers", name]);
        for words in expected {
            assert!(out.contains(words), "{name}: {words}\n{out}");
        }
    }
    let list = ok(dir.path(), &["solvers"]);
    assert!(list.contains("exact with its guard") && list.contains("closed_form"), "{list}");
}

#[test]
fn closed_forms_and_accelerated_sweeps_take_one_contact_solvers() {
    let dir = tempfile::tempdir().unwrap();
    packing(dir.path());
    ok(dir.path(), &["generate", "box-wall", "columns=2", "courses=2", "--out", "wall.hdf5"]);
    for solver in ["nsgs{one_contact=\"closed_form\"}", "nncg{one_contact=\"closed_form\"}", "NNCG{one_contact=\"ac\"}"]
    {
        let out = ok(dir.path(), &["solve", "packing.hdf5", "--solver", solver, "--tol", "1e-8"]);
        assert!(out.contains("holds"), "{solver}: {out}");
    }
    // a box has no closed form: refused with the reason and a remedy
    for solver in ["nsgs{one_contact=\"closed_form\"}", "nncg{one_contact=\"closed_form\"}"] {
        let (code, out, _) = stickslip(dir.path(), &["solve", "wall.hdf5", "--solver", solver]);
        assert!(code == 2 && out.contains("not diagonal") && out.contains("one_contact=\"exact\""), "{out}");
    }
}
