//! Siconos text files: every storage, what may end a file, and what is refused where.

use crate::common;

use common::{Dice, local};
use stickslip_contact::cone::Cone;
use stickslip_io::siconos_dat::{DatStorage, read, read_text, write_local};
use stickslip_io::{Format, Problem, open};

const DENSE: &str = "0\n4\n4\n4\t4\n 9.0e+00 1.0e+00 0 2\n 1 8 0 0\n 0 0 7 0.5\n 2 0 0.5 6\n";
const BLOCKS: &str = "1\n4\n4\n4\n2\n2\n2\t4\t\n2\t4\t\n3\n4\n0\t2\t4\t\n0\t1\t0\t1\t\n0\n9\n1\n1\n8\n1\n0\n0\n2\n0\n2\n0\n2\n0\n0\n3\n7\n0.5\n0.5\n6\n";
const VERSION: &str = "CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n";
const END: &str = "-1.0e+00 0.5 -1 0.25\n 0.3 0.4\n";

fn triplets() -> String {
    let entries = "0 0 : 9\n1 0 : 1\n3 0 : 2\n0 1 : 1\n1 1 : 8\n2 2 : 7\n3 2 : 0.5\n0 3 : 2\n2 3 : 0.5\n3 3 : 6\n";
    format!("2\n4\n4\n1\n{VERSION}triplet: 4-by-4, nzmax: 16 nnz: 10\n{entries}")
}

fn columns(origin: usize) -> String {
    let entries = "    col 0 : locations 0 to 2\n 0 : 9\n 1 : 1\n 3 : 2\n    col 1 : locations 3 to 4\n 0 : 1\n 1 : 8\n\
        col 2 : locations 5 to 6\n 2 : 7\n 3 : 0.5\n    col 3 : locations 7 to 9\n 0 : 2\n 2 : 0.5\n 3 : 6\n";
    format!("2\n4\n4\n{origin}\n{VERSION}4-by-4, nzmax: 10 nnz: 10, 1-norm: 12\n{entries}")
}

fn two(problem: Problem) -> stickslip_contact::problem::LocalProblem<2> {
    let Problem::Local2(p) = problem else { panic!("a local problem in the plane") };
    p
}

#[test]
fn every_storage_gives_the_same_problem() {
    let reference = two(read_text(&format!("2\n2\n{DENSE}{END}")).unwrap().problem);
    assert_eq!(reference.q, [[-1.0, 0.5], [-1.0, 0.25]]);
    assert_eq!(reference.cones, [Cone::Coulomb { mu: 0.3 }, Cone::Coulomb { mu: 0.4 }]);
    assert_eq!(reference.w.to_csr().get(3, 0), 2.0);
    for matrix in [BLOCKS, &triplets(), &columns(2), &columns(3)] {
        assert_eq!(two(read_text(&format!("2\n2\n{matrix}{END}")).unwrap().problem), reference, "{matrix}");
    }
}

#[test]
fn full_and_block_storage_are_by_columns() {
    let dense = "2\n1\n0\n2\n2\n2\t2\n 9 1.005\n 1 8\n -1 0\n 0.3\n";
    let w = two(read_text(dense).unwrap().problem).w.to_csr();
    assert_eq!((w.get(1, 0), w.get(0, 1)), (1.005, 1.0));
    let block = "2\n1\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0\t1\n0\n0\n9\n1.005\n1\n8\n -1 0\n 0.3\n";
    assert_eq!(two(read_text(block).unwrap().problem).w.to_csr(), w);
}

#[test]
fn global_problems_are_told_from_local_ones() {
    let h = "0\n4\n2\n4\t2\n 1 0 0 0\n 0 1 0 0.5\n";
    let dat = read_text(&format!("2\n1\n{DENSE}{h} 1.0 2.0 3.0 4.0\n -1.0 -2.0\n 0.3\n")).unwrap();
    let Problem::Global2(p) = dat.problem else { panic!("a global problem") };
    assert_eq!((p.f, p.w), (vec![1.0, 2.0, 3.0, 4.0], vec![[-1.0, -2.0]]));
    assert_eq!((p.h.get(3, 1), p.h.get(0, 0), p.h.cols()), (0.5, 1.0, 2));
    // no contact at all
    let dat = read_text(&format!("2\n0\n{DENSE}0\n4\n0\n4\t0\n 1.0 2.0 3.0 4.0\n")).unwrap();
    assert_eq!((dat.problem.contacts(), dat.problem.dofs()), (0, Some(4)));
}

#[test]
fn what_follows_mu_is_a_flag_or_rolling_or_told() {
    let eye = "0\n3\n3\n3\t3\n 1 0 0\n 0 1 0\n 0 0 1\n";
    let end = |tail: &str| read_text(&format!("3\n1\n{eye} -1.0 0.0 0.0\n 0.5\n{tail}")).unwrap();
    for tail in ["", "0\n", "1\n"] {
        let dat = end(tail);
        assert_eq!((dat.problem.cones(), dat.notices.len()), (&[Cone::Coulomb { mu: 0.5 }][..], 0));
    }
    let dat = end(" 1.0e-02\n");
    assert_eq!((dat.problem.cones(), dat.notices.len()), (&[Cone::Rolling { mu: 0.5, mu_r: 0.01 }][..], 1));
    assert_eq!(end("1\n2 3 4\n").notices.len(), 1);
    let five: String = (0..25).map(|k| if k % 6 == 0 { "1 " } else { "0 " }).collect();
    let dat = read_text(&format!("5\n1\n0\n5\n5\n5\t5\n{five}\n-1 0 0 0 0\n0.5\n0.1\n")).unwrap();
    assert_eq!(dat.problem.cones(), [Cone::Rolling { mu: 0.5, mu_r: 0.1 }]);
}

#[test]
fn errors_name_the_line_and_what_was_expected() {
    let good = format!("2\n2\n{DENSE}{END}");
    let cases = [
        (String::new(), "line 1: the file ends where the dimension"),
        ("4\n".into(), "line 1: dimension 4 found"),
        ("2\n4000000000\n".into(), "line 2: 4000000000 numbers expected"),
        ("2\n-1\n".into(), "line 2: '-1' found, the number of contacts"),
        (good.replace("9.0e+00", "1.#QNAN"), "line 7: '1.#QNAN' found"),
        (good.replace("9.0e+00", "nan"), "not finite"),
        (good.replace("0.3", "-0.3"), "mu = -0.3 is negative"),
        (good[..good.len() - 8].into(), "2 numbers expected for mu"),
        (good[..40].into(), "16 numbers expected for the matrix"),
        (good.replace("4\t4", "3\t4"), "announced as 4 x 4 but stored as 3 x 4"),
        (good.replacen("0\n4", "7\n4", 1), "unknown storage 7"),
        (format!("2\n2\n2\n4\n4\n1\n{VERSION}triplet: 4-by-4, nzmax: 1 nnz: 2000000000\n"), "2000000000 numbers"),
        (format!("2\n2\n{}{END}", triplets().replace("3 3 : 6", "9 3 : 6")), "entry (9, 3) lies outside"),
        (format!("2\n2\n{}{END}", columns(2).replace("to 4", "to 400000000")), "column 1 from location 3"),
        (format!("2\n2\n{}{END}", BLOCKS.replace("0\t2\t4", "0\t9\t4")), "block"),
        (format!("2\n3\n{DENSE}{END}"), "a matrix of 4 x 4 found; W of 6 x 6"),
    ];
    for (text, expected) in cases {
        let found = read_text(&text).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}\n  expected {expected}");
    }
}

#[test]
fn local_problems_survive_text_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("problem.dat");
    for storage in [DatStorage::Dense, DatStorage::Blocks] {
        let a = local::<3>(4, 0, false, &mut Dice(1));
        write_local(&path, &a, storage).unwrap();
        assert_eq!(read(&path).unwrap().problem, Problem::Local3(a));
        let a = local::<5>(2, 0, true, &mut Dice(1));
        write_local(&path, &a, storage).unwrap();
        let opened = open(&path).unwrap();
        assert_eq!((opened.problem, opened.format), (Problem::Local5(a), Format::SiconosDat));
    }
    let mut a = local::<3>(4, 0, false, &mut Dice(1));
    a.cones[2] = Cone::Tresca { radius: 1.0 };
    assert!(write_local(&path, &a, DatStorage::Dense).is_err());
}

/// Siconos itself reads what we write and writes it again in each of its storages.
#[test]
fn siconos_reads_ours_and_we_read_siconos() {
    let Some(python) = std::env::var_os("STICKSLIP_SICONOS_PYTHON") else {
        println!("skipped: STICKSLIP_SICONOS_PYTHON names no Python with siconos");
        return;
    };
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/siconos_rewrite.py");
    let folder = tempfile::tempdir().unwrap();
    let ours = folder.path().join("ours.dat");
    let a = local::<3>(6, 0, false, &mut Dice(11));
    for storage in [DatStorage::Dense, DatStorage::Blocks] {
        write_local(&ours, &a, storage).unwrap();
        let output = std::process::Command::new(&python).arg(&script).arg(&ours).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        if said.contains("skipped") {
            println!("{said}");
            return;
        }
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for (name, digits) in [("dense", 0.0), ("blocks", 0.0), ("columns", 1e-5), ("triplets", 1e-5)] {
            let path = folder.path().join(format!("ours.dat.{name}"));
            let Problem::Local3(b) = open(&path).unwrap().problem else { panic!("a local problem") };
            assert_eq!((&b.q, &b.cones), (&a.q, &a.cones), "{name}");
            let (x, y) = (a.w.to_csr(), b.w.to_csr());
            for i in 0..x.rows() {
                for (j, v) in x.row(i) {
                    assert!((v - y.get(i, j)).abs() <= digits * v.abs(), "{name} ({i}, {j})");
                }
            }
        }
    }
}
