//! What we write, the HDF5 library itself reads: h5py compares originals with our copies.
//!
//! Runs with the Python named by STICKSLIP_PYTHON, which needs h5py.

use crate::common;

use std::path::Path;
use std::process::Command;

use stickslip_io::fclib::FclibFile;

fn python(arguments: &[&Path]) -> Option<std::process::Output> {
    let Some(python) = std::env::var_os("STICKSLIP_PYTHON") else {
        println!("skipped: STICKSLIP_PYTHON names no Python with h5py");
        return None;
    };
    Some(Command::new(python).args(arguments).output().expect("the Python of STICKSLIP_PYTHON runs"))
}

#[test]
fn h5py_sees_originals_and_copies_alike() {
    let files = common::shared_files();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interop.py");
    let (originals, copies) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for path in &files {
        let name = path.file_name().unwrap();
        std::fs::copy(path, originals.path().join(name)).unwrap();
        FclibFile::read(path).unwrap().write(copies.path().join(name)).unwrap();
    }
    if files.is_empty() {
        return;
    }
    if let Some(output) = python(&[&script, originals.path(), copies.path()]) {
        let text = String::from_utf8_lossy(&output.stdout);
        println!("{text}");
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn h5py_rewrites_our_files_and_we_read_the_same() {
    // h5py copies every object into a new file, in its own layout
    let script = "import sys, h5py\n\
        a = h5py.File(sys.argv[1], 'r'); b = h5py.File(sys.argv[2], 'w', libver=sys.argv[3])\n\
        [a.copy(k, b) for k in a]; b.close()\n";
    let folder = tempfile::tempdir().unwrap();
    let [program, ours, theirs] = ["rewrite.py", "ours.hdf5", "theirs.hdf5"].map(|n| folder.path().join(n));
    std::fs::write(&program, script).unwrap();
    for (name, file) in common::samples() {
        file.write(&ours).unwrap();
        for version in ["earliest", "v108", "latest"] {
            let Some(output) = python(&[&program, &ours, &theirs, Path::new(version)]) else { return };
            assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(FclibFile::read(&theirs).unwrap(), file, "{name} through h5py {version}");
        }
    }
}

#[test]
fn compressed_files_read_as_well() {
    let script = "import sys, h5py, numpy as np\n\
        a = h5py.File(sys.argv[1], 'r'); b = h5py.File(sys.argv[2], 'w')\n\
        def put(n, o):\n\
        \x20   if isinstance(o, h5py.Group): b.create_group(n)\n\
        \x20   elif o.shape: b.create_dataset(n, data=o[()], chunks=o.shape, compression='gzip', shuffle=True)\n\
        \x20   else: a.copy(n, b, n)\n\
        a.visititems(put); b.close()\n";
    let folder = tempfile::tempdir().unwrap();
    let [program, ours, theirs] = ["pack.py", "ours.hdf5", "theirs.hdf5"].map(|n| folder.path().join(n));
    std::fs::write(&program, script).unwrap();
    for (name, file) in common::samples().into_iter().filter(|s| s.0 != "global3-full") {
        file.write(&ours).unwrap();
        let Some(output) = python(&[&program, &ours, &theirs]) else { return };
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(FclibFile::read(&theirs).unwrap(), file, "{name} compressed");
    }
}
