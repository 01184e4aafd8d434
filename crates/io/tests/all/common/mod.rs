//! What several tests share: where the genuine files lie, and files made on the spot.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

use stickslip_contact::cone::Cone;
use stickslip_contact::matrix::{Csr, Triplet};
use stickslip_contact::operator::BlockCsr;
use stickslip_contact::problem::{GlobalProblem, LocalProblem};
use stickslip_io::fclib::{Attribute, AttributeData, FclibFile, Storage, StoreOptions};

/// Every genuine FCLIB file, or none with a line that says so.
pub fn shared_files() -> Vec<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let root = std::env::var_os("STICKSLIP_DATA").map_or(beside, PathBuf::from);
    let folder = root.join("data/fclib");
    let mut files = Vec::new();
    for folder in [folder.clone(), folder.join("generated")] {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        files.extend(entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "hdf5")));
    }
    files.sort();
    if files.is_empty() {
        println!("skipped: no genuine files in {} (set STICKSLIP_DATA)", folder.display());
    }
    files
}

/// A reproducible sequence of numbers (xorshift64*).
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// A number in -1..1.
    pub fn float(&mut self) -> f64 {
        self.next() as f64 / u64::MAX as f64 * 2.0 - 1.0
    }
}

/// A symmetric matrix with a heavy diagonal and a few more entries.
pub fn matrix(n: usize, dice: &mut Dice) -> Csr {
    let mut t = Triplet::empty(n, n);
    (0..n).for_each(|i| t.push(i, i, 4.0 + dice.float()));
    for _ in 0..n {
        let (i, j, x) = (dice.below(n), dice.below(n), 0.1 * dice.float());
        t.push(i, j, x);
        t.push(j, i, x);
    }
    Csr::from(&t)
}

pub fn vectors<const D: usize>(n: usize, dice: &mut Dice) -> Vec<[f64; D]> {
    (0..n).map(|_| std::array::from_fn(|_| dice.float())).collect()
}

/// Contacts, the last `joints` of them bilateral.
pub fn cones<const D: usize>(contacts: usize, joints: usize, rolling: bool) -> Vec<Cone> {
    let contact = if rolling { Cone::Rolling { mu: 0.4, mu_r: 0.01 } } else { Cone::Coulomb { mu: 0.4 } };
    (0..contacts).map(|c| if c + joints >= contacts { Cone::Bilateral } else { contact }).collect()
}

pub fn local<const D: usize>(contacts: usize, joints: usize, rolling: bool, dice: &mut Dice) -> LocalProblem<D> {
    let w = BlockCsr::from_csr(&matrix(D * contacts, dice)).unwrap();
    LocalProblem::assembled(w, vectors(contacts, dice), cones::<D>(contacts, joints, rolling)).unwrap().0
}

pub fn global<const D: usize>(contacts: usize, joints: usize, rolling: bool, dice: &mut Dice) -> GlobalProblem<D> {
    let n = 2 * D * contacts;
    let mut h = Triplet::empty(n, D * contacts);
    for j in 0..D * contacts {
        h.push(j, j, 1.0);
        h.push(dice.below(n), j, dice.float());
    }
    let f = (0..n).map(|_| dice.float()).collect();
    let cones = cones::<D>(contacts, joints, rolling);
    GlobalProblem::new(matrix(n, dice), Csr::from(&h), f, vectors(contacts, dice), cones).unwrap().0
}

/// Files of every formulation and storage, with everything optional somewhere.
pub fn samples() -> Vec<(&'static str, FclibFile)> {
    let mut dice = Dice(0x5eed);
    let mut options = StoreOptions::default();
    let mut files = vec![
        ("local2", FclibFile::from_local(&local::<2>(4, 0, false, &mut dice), &options).unwrap()),
        ("local3-joints", FclibFile::from_local(&local::<3>(5, 2, false, &mut dice), &options).unwrap()),
        ("local3-rolling", FclibFile::from_local(&local::<3>(3, 0, true, &mut dice), &options).unwrap()),
        ("global2", FclibFile::from_global(&global::<2>(3, 0, false, &mut dice), &options).unwrap()),
        ("global5", FclibFile::from_global(&global::<5>(2, 0, true, &mut dice), &options).unwrap()),
    ];
    options.local = Storage::Csc;
    options.global = Storage::Csc;
    files.push(("local5", FclibFile::from_local(&local::<5>(3, 0, true, &mut dice), &options).unwrap()));
    let mut full = FclibFile::from_global(&global::<3>(4, 1, false, &mut dice), &options).unwrap();
    let flat: Vec<f64> = (0..12).map(|_| dice.float()).collect();
    let v: Vec<f64> = (0..24).map(|_| dice.float()).collect();
    full.set_solution(&flat, &flat, Some(&v)).unwrap();
    full.add_guess(&flat, &flat, Some(&v)).unwrap();
    full.add_guess(&flat, &flat, None).unwrap();
    files.push(("global3-full", decorated(full)));
    files
}

/// The same file with every optional part and unusual storage.
fn decorated(mut file: FclibFile) -> FclibFile {
    let info = file.info.get_or_insert_default();
    info.title = Some("a title".into());
    info.description = Some(Default::default());
    info.math_info = None;
    info.attributes.push(Attribute::int("numberOfDegreeOfFreedom", 24));
    let scalar =
        Attribute { name: "numberOfInvolvedDS".into(), shape: vec![], data: AttributeData::I64(vec![1 << 40]) };
    info.attributes.push(scalar);
    let m = file.matrices.get_mut("M").unwrap();
    m.info.comment = Some("positive definite".into());
    m.info.conditioning = Some(17.25);
    m.info.determinant = Some(f64::NAN);
    m.info.rank = Some(24);
    for k in 0..12 {
        let data = AttributeData::F64(vec![k as f64, -0.0]);
        m.info.attributes.push(Attribute { name: format!("number{k:02}"), shape: vec![2], data });
    }
    m.nzmax += 3;
    m.x[1] = 0.0;
    file
}
