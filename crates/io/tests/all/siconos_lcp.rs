//! The complementarity problems of Siconos, read and solved.

use std::path::{Path, PathBuf};

use stickslip_contact::lcp::{Enumeration, LcpStatus, Lemke, MAX_ENUMERATED, Pgs, PgsOptions};
use stickslip_io::siconos_dat::{read_lcp, read_lcp_text, write_lcp};
use stickslip_io::{Content, open, open_any};

/// The files without a solution: the first row of M z + q stays below -1e-4 for every z >= 0.
const NONE: [&str; 1] = ["lcp_Pang_isolated_sol_perturbed.dat"];

/// Symmetric positive definite, or with a dominant diagonal: where Gauss-Seidel converges.
const RELAXED: [&str; 7] = [
    "lcp_deudeu.dat",
    "lcp_deudeu_block.dat",
    "lcp_mmc.dat",
    "lcp_ortiz.dat",
    "lcp_ortiz_block.dat",
    "lcp_trivial.dat",
    "lcp_trivial_block.dat",
];

fn files() -> Vec<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("STICKSLIP_DATA").map_or(beside, PathBuf::from).join("data/lcp");
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "dat")).collect();
    files.sort();
    if files.is_empty() {
        println!("skipped: no complementarity problems in {} (set STICKSLIP_DATA)", folder.display());
    }
    files
}

#[test]
fn every_file_is_solved_or_has_no_solution() {
    for path in files() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let file = read_lcp(&path).unwrap_or_else(|e| panic!("{e}"));
        let lemke = Lemke::default().solve(&file.problem);
        let n = file.problem.size();
        println!(
            "{name}: n = {n}, Lemke {:?}, {} pivots, {:.1e}",
            lemke.status, lemke.iterations, lemke.certificate.error
        );
        let expected = if NONE.contains(&&*name) { LcpStatus::RayTermination } else { LcpStatus::Solved };
        assert_eq!(lemke.status, expected, "{name}");
        assert!(expected != LcpStatus::Solved || lemke.certificate.holds(1e-10), "{name}");
        if let Some(z) = &file.known {
            assert!(file.problem.certify(z).holds(1e-6), "{name}: the known solution");
        }
        // 2^n bases: a second is spent up to a dozen unknowns
        if n <= MAX_ENUMERATED.min(12) {
            let found = Enumeration::default().solve(&file.problem);
            println!("{name}: enumeration {:?}", found.status);
            assert_eq!(found.status == LcpStatus::Solved, expected == LcpStatus::Solved, "{name}");
        }
        if RELAXED.contains(&&*name) {
            let options = PgsOptions { max_sweeps: 1_000_000, ..PgsOptions::default() };
            let pgs = Pgs::new(options).solve(&file.problem);
            println!("{name}: Gauss-Seidel {:?}, {} sweeps", pgs.status, pgs.iterations);
            assert_eq!(pgs.status, LcpStatus::Solved, "{name}");
        }
    }
}

#[test]
fn full_and_block_storage_hold_the_same_problem() {
    let files = files();
    for name in ["lcp_deudeu", "lcp_ortiz", "lcp_trivial"] {
        let find = |end: &str| files.iter().find(|p| p.ends_with(format!("{name}{end}.dat")));
        if let (Some(full), Some(blocks)) = (find(""), find("_block")) {
            assert_eq!(read_lcp(full).unwrap(), read_lcp(blocks).unwrap(), "{name}");
        }
    }
}

#[test]
fn small_texts_read_as_they_should() {
    // by columns with a storage code, by rows without
    let file = read_lcp_text("2\n0\n2\n2\n2 2\n1 2\n3 4\n-1 -2\n0.5 0.25\n").unwrap();
    assert_eq!(file.problem.m().row(0), [1.0, 3.0]);
    assert_eq!(file.known, Some(vec![0.5, 0.25]));
    let file = read_lcp_text("2\n1 3\n2 4\n-1 -2\nRemark 1\n").unwrap();
    assert_eq!((file.problem.m().row(0), file.known), (&[1.0, 3.0][..], None));
}

#[test]
fn damaged_texts_are_refused() {
    for text in ["", "2", "2\n0\n2\n2\n2 2\n1 2\n3 4\n-1", "2\n0\n2\n2\n2 2\n1 nan\n3 4\n-1 1", "-1", "x", "99999999"] {
        assert!(read_lcp_text(text).is_err(), "{text:?}");
    }
    let blocks = "1\n1\n1\n1\n1\n1\n1\n2\n1\n2\n1\n0 1\n0\n0\n1\n1\n";
    assert!(read_lcp_text(blocks).is_err());
    let huge = format!("6000\n1\n6000\n6000\n0\n{}", "1 ".repeat(6000));
    assert!(read_lcp_text(&huge).unwrap_err().to_string().contains("at most"));
}

#[test]
fn opened_without_being_told_what_they_are() {
    for path in files() {
        let Content::Lcp(file) = open_any(&path).unwrap_or_else(|e| panic!("{e}")) else {
            panic!("{}", path.display())
        };
        assert_eq!(file, read_lcp(&path).unwrap());
        let error = open(&path).unwrap_err().to_string();
        assert!(error.contains("complementarity"), "{error}");
    }
}

#[test]
fn what_is_written_reads_back_bit_for_bit() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.dat");
    let text = "3\n0\n3\n3\n3 3\n1 0.1 0\n-0.3 2 1e-300\n0 7 3\n-1 0.333333333333333314829616256247 5e10\n";
    let file = read_lcp_text(text).unwrap();
    for z in [None, Some(vec![0.25, 1.0 / 3.0, 0.0])] {
        write_lcp(&path, &file.problem, z.as_deref()).unwrap();
        let Content::Lcp(back) = open_any(&path).unwrap() else { panic!() };
        assert_eq!((back.problem, back.known), (file.problem.clone(), z));
    }
}

#[test]
fn a_damaged_contact_file_is_not_taken_for_a_complementarity_problem() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.dat");
    // one contact in space with a full W, cut short and with a bad coefficient
    let whole = "3\n1\n0\n3 3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 2 3\n0.5\n";
    std::fs::write(&path, whole).unwrap();
    assert!(matches!(open_any(&path).unwrap(), Content::Contact(_)));
    for text in [&whole[..whole.len() - 12], &whole.replace("0.5", "-0.5"), &whole.replace("3 3", "3 4")] {
        std::fs::write(&path, text).unwrap();
        let error = open_any(&path).unwrap_err().to_string();
        assert!(error.contains("x.dat") && error.contains("line") || error.contains("mu"), "{text:?}: {error}");
    }
}
