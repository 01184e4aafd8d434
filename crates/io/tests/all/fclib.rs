//! Files made on the spot: bit for bit through the disk, and problems through files.

use crate::common;

use common::{Dice, global, local};
use stickslip_contact::cone::Cone;
use stickslip_contact::problem::Notice;
use stickslip_io::fclib::{FclibFile, Formulation, Solution, Storage, StoreOptions, Text};
use stickslip_io::{Format, IoError, Problem, open};

#[test]
fn every_sample_survives_the_disk_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.hdf5");
    for (name, file) in common::samples() {
        file.write(&path).unwrap();
        let (back, notices) = FclibFile::read_with_notices(&path).unwrap();
        assert_eq!(back, file, "{name}");
        assert_eq!(notices, [], "{name}");
    }
}

#[test]
fn absent_and_empty_parts_stay_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.hdf5");
    let mut file = common::samples().swap_remove(0).1;
    for (info, guesses, solution) in [
        (None, None, None),
        (Some(Default::default()), Some(vec![]), Some(Solution::default())),
        (Some(Default::default()), Some(vec![Solution::default()]), None),
    ] {
        (file.info, file.guesses, file.solution) = (info, guesses, solution);
        file.write(&path).unwrap();
        assert_eq!(FclibFile::read(&path).unwrap(), file);
    }
    // an empty vector is not a missing one
    file.vectors.insert("s".into(), vec![]);
    file.write(&path).unwrap();
    assert_eq!(FclibFile::read(&path).unwrap(), file);
}

#[test]
fn texts_of_any_script_survive_and_nul_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.hdf5");
    let mut file = common::samples().swap_remove(0).1;
    file.info.get_or_insert_default().title = Some("Kontakt nach Coulomb, µ = ½".into());
    file.write(&path).unwrap();
    assert_eq!(FclibFile::read(&path).unwrap(), file);
    file.info.get_or_insert_default().title = Some(Text(b"\xb5 in Latin-1".to_vec()));
    file.write(&path).unwrap();
    assert_eq!(FclibFile::read(&path).unwrap().title().unwrap(), "µ in Latin-1");
    file.info.get_or_insert_default().title = Some("cut\0here".into());
    assert!(matches!(file.write(&path), Err(IoError::Unstorable { .. })));
}

#[test]
fn local_problems_go_through_a_file_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("problem.hdf5");
    let dice = &mut Dice(7);
    for storage in [Storage::Triplet, Storage::Csc, Storage::Csr] {
        let options = StoreOptions { local: storage, global: storage, ..Default::default() };
        for joints in [0, 2] {
            let a = local::<2>(5, joints, false, dice);
            FclibFile::from_local(&a, &options).unwrap().write(&path).unwrap();
            assert_eq!(open(&path).unwrap().problem, Problem::Local2(a));
            let a = local::<3>(5, joints, true, dice);
            FclibFile::from_local(&a, &options).unwrap().write(&path).unwrap();
            assert_eq!(open(&path).unwrap().problem, Problem::Local3(a));
            let a = local::<5>(4, joints, true, dice);
            FclibFile::from_local(&a, &options).unwrap().write(&path).unwrap();
            assert_eq!(open(&path).unwrap().problem, Problem::Local5(a));
            let a = global::<3>(4, joints, false, dice);
            FclibFile::from_global(&a, &options).unwrap().write(&path).unwrap();
            assert_eq!(open(&path).unwrap().problem, Problem::Global3(a));
            let a = global::<2>(4, joints, false, dice);
            FclibFile::from_global(&a, &options).unwrap().write(&path).unwrap();
            assert_eq!(open(&path).unwrap().problem, Problem::Global2(a));
            let a = global::<5>(4, joints, true, dice);
            FclibFile::from_global(&a, &options).unwrap().write(&path).unwrap();
            assert_eq!(open(&path).unwrap().problem, Problem::Global5(a));
        }
    }
}

#[test]
fn padded_joints_lose_and_regain_their_padding() {
    let mut a = global::<3>(4, 1, false, &mut Dice(3));
    // the last two rows of the joint are padding: no column of H, no velocity
    let mut t = stickslip_contact::matrix::Triplet::empty(a.h.rows(), a.h.cols());
    for i in 0..a.h.rows() {
        a.h.row(i).filter(|e| e.0 < 10).for_each(|(j, x)| t.push(i, j, x));
    }
    a.h = stickslip_contact::matrix::Csr::from(&t);
    a.w[3] = [0.5, 0.0, 0.0];
    let mut file = FclibFile::from_global(&a, &StoreOptions::default()).unwrap();
    assert_eq!((file.matrices["H"].n, file.matrices["G"].n, &file.vectors["b"][..]), (9, 1, &[0.5][..]));
    let u: Vec<f64> = (1..=12).map(f64::from).collect();
    file.set_solution(&u, &u, None).unwrap();
    assert_eq!(file.solution.as_ref().unwrap().l, Some(vec![10.0]));
    let back = file.problem().unwrap();
    assert_eq!(back.problem, Problem::Global3(a));
    let r = back.solution.unwrap().r.unwrap();
    assert_eq!(r[8..], [9.0, 10.0, 0.0, 0.0]);
}

#[test]
fn laws_without_a_place_in_fclib_are_refused() {
    let mut a = local::<3>(3, 0, false, &mut Dice(1));
    a.cones[1] = Cone::Frictionless;
    assert_eq!(FclibFile::from_local(&a, &StoreOptions::default()).unwrap().vectors["mu"], [0.4, 0.0, 0.4]);
    for (cone, word) in [
        (Cone::Tresca { radius: 1.0 }, "Tresca"),
        (Cone::Bilateral, "joint between contacts"),
        (Cone::Rolling { mu: 0.1, mu_r: 0.1 }, "friction in space"),
    ] {
        a.cones[1] = cone;
        let text = FclibFile::from_local(&a, &StoreOptions::default()).unwrap_err().to_string();
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn missing_reactions_and_zero_guesses_are_told() {
    let mut file = FclibFile::from_local(&local::<3>(2, 0, false, &mut Dice(1)), &StoreOptions::default()).unwrap();
    file.set_solution(&[1.0; 6], &[0.0; 6], None).unwrap();
    file.add_guess(&[0.0; 6], &[0.0; 6], None).unwrap();
    let c = file.problem().unwrap();
    let solution = c.solution.unwrap();
    assert_eq!((c.guess, solution.u, solution.r), (None, Some(vec![1.0; 6]), None));
    let told = |word: &str| c.notices.iter().any(|n| matches!(n, Notice::File(t) if t.contains(word)));
    assert!(told("reactions") && told("guess"));
    file.solution.as_mut().unwrap().r = Some(vec![f64::NAN; 6]);
    file.guesses.as_mut().unwrap()[0].r = Some(vec![1.0; 5]);
    let c = file.problem().unwrap();
    assert_eq!((c.guess, c.solution.unwrap().r), (None, None));
    assert_eq!(c.notices.len(), 2);
}

/// Damage to do, and the words that must tell of it.
type Case<'a> = (&'a dyn Fn(&mut FclibFile), &'a str);

#[test]
fn bad_contents_are_named() {
    let good = FclibFile::from_local(&local::<3>(2, 0, false, &mut Dice(1)), &StoreOptions::default()).unwrap();
    let break_it = |f: &dyn Fn(&mut FclibFile)| {
        let mut file = good.clone();
        f(&mut file);
        file.problem().unwrap_err().to_string()
    };
    let cases: [Case; 8] = [
        (&|f| f.spacedim = 7, "fclib_local/spacedim: 7 found, 2 or 3 expected"),
        (&|f| drop(f.vectors.remove("mu")), "fclib_local/vectors/mu: not found"),
        (&|f| f.vectors.get_mut("mu").unwrap()[0] = -0.5, "contact 0: mu = -0.5 is negative"),
        (&|f| f.vectors.get_mut("mu").unwrap().push(0.5), "fclib_local/vectors/mu: 3 entries found, 2 expected"),
        (&|f| f.vectors.get_mut("q").unwrap()[1] = f64::INFINITY, "q[1] = inf is not a finite number"),
        (&|f| f.vectors.get_mut("q").unwrap().truncate(5), "fclib_local/vectors/q: 5 entries found, 6 expected"),
        (&|f| f.matrices.get_mut("W").unwrap().x[0] = f64::NAN, "not finite"),
        (&|f| f.matrices.get_mut("W").unwrap().m = i32::MAX, "fclib_local/W/m: m x n = 2147483647 x 6 found"),
    ];
    for (f, expected) in cases {
        let text = break_it(f);
        assert!(text.contains(expected), "{text}");
    }
    let rolling = break_it(&|f| f.formulation = Formulation::LocalRolling);
    assert!(rolling.contains("vectors/mu_r: not found"), "{rolling}");
}

#[test]
fn opening_tells_the_format_and_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("problem.of.any.name");
    common::samples().pop().unwrap().1.write(&path).unwrap();
    let opened = open(&path).unwrap();
    assert_eq!((opened.format, opened.title.as_deref()), (Format::Fclib, Some("a title")));
    assert!(opened.guess.is_some() && opened.solution.unwrap().r.is_some());
    std::fs::write(&path, "hello").unwrap();
    let text = open(&path).unwrap_err().to_string();
    assert!(text.contains("problem.of.any.name: line 1: 'hello' found"), "{text}");
    std::fs::write(&path, b"\x89HDF\r\n\x1a\n").unwrap();
    assert!(matches!(open(&path), Err(IoError::Content { .. })));
    assert!(matches!(open(folder.path().join("absent")), Err(IoError::System { .. })));
}
