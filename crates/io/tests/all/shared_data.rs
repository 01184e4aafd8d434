//! Every genuine file opens, is written and read back bit for bit.

use crate::common;

use stickslip_io::fclib::FclibFile;
use stickslip_io::open;

#[test]
fn genuine_files_survive_a_round_trip_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    for path in common::shared_files() {
        let opened = open(&path).unwrap_or_else(|e| panic!("{e}"));
        let raw = opened.raw.expect("an FCLIB file");
        let copy = folder.path().join("copy.hdf5");
        raw.write(&copy).unwrap();
        assert_eq!(FclibFile::read(&copy).unwrap(), raw, "{}", path.display());
        assert!(opened.problem.contacts() > 0);
        for notice in &opened.notices {
            println!("{}: {notice}", path.file_name().unwrap().to_string_lossy());
        }
    }
}
