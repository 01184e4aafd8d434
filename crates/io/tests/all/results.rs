//! Results files: what is written is read, by us and by HDF5 and VTK, whole, cut off or damaged.

use serde_json::json;
use std::path::Path;
use stickslip_io::results::{BodyInfo, ContactRecord, Frame, Reader, RunInfo, VERSION, Writer};

/// A run of `n` balls.
fn info(n: usize) -> RunInfo {
    let body = |id: usize| BodyInfo {
        id: id as u32,
        shape: 0,
        material: 0,
        fixed: id == 0,
        size: 0.1 + id as f64,
        centre: [0.0, 0.25 * id as f64, 0.0],
    };
    RunInfo {
        version: VERSION,
        dimension: 3,
        name: "balls".into(),
        h: 1e-3,
        scene: "# öne scene\nname = \"balls\"\n".into(),
        shapes: vec![json!({ "sphere": { "radius": 0.1 } })],
        materials: vec!["steel".into()],
        bodies: (0..n).map(body).collect(),
    }
}

/// Frame k of a made-up run of n balls in which bodies appear and contacts come and go.
fn frame(k: usize, n: usize) -> Frame {
    let mut f = Frame { t: k as f64 * 0.01, step: 10 * k as u64, ..Frame::default() };
    for id in 0..n.min(2 + k * n / 5) {
        let x = [id as f64, k as f64, 0.5];
        f.push_body(id as u32, x, [1.0, 0.0, 0.0, 0.0], [k as f64; 3], [0.1, 0.2, id as f64]);
    }
    for c in 0..(7 * k) % 40 {
        f.contacts.push(ContactRecord {
            a: c as u32,
            b: c as u32 + 1,
            point: [c as f64, k as f64, 0.25],
            normal: [0.0, 0.0, 1.0],
            gap: -1e-6 * c as f64,
            impulse: [0.5, 0.0, 2.0 + c as f64],
            rln: 2.0 + c as f64,
            rlt: 0.5,
            vln: 1e-9,
            status: (c % 3) as u8,
        });
    }
    f
}

fn write(path: &Path, frames: usize, n: usize) {
    let mut w = Writer::create(path, &info(n)).unwrap();
    (0..frames).for_each(|k| w.append(&frame(k, n)).unwrap());
    w.finish().unwrap();
}

#[test]
fn frames_come_back_bit_for_bit() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.vtkhdf");
    write(&path, 30, 12);
    let r = Reader::open(&path).unwrap();
    assert_eq!((r.frames(), r.finished(), r.notices().len()), (30, true, 0));
    assert_eq!(r.info(), &info(12));
    for k in 0..30 {
        assert_eq!(r.frame(k).unwrap(), frame(k, 12));
        assert_eq!(r.time(k), Some(k as f64 * 0.01));
    }
    assert!(r.frame(30).unwrap_err().to_string().contains("no frame 30"));
}

#[test]
fn a_run_in_pieces_gives_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole.vtkhdf");
    write(&whole, 25, 9);
    let whole = std::fs::read(whole).unwrap();
    for cut in 0..25 {
        let path = dir.path().join(format!("{cut}.vtkhdf"));
        let mut w = Writer::create(&path, &info(9)).unwrap();
        (0..cut).for_each(|k| w.append(&frame(k, 9)).unwrap());
        // frames behind the checkpoint are made again
        let extra = cut % 3;
        (cut..cut + extra).for_each(|k| w.append(&frame(k, 9)).unwrap());
        if cut % 2 == 0 {
            w.pause().unwrap()
        } else {
            drop(w)
        }
        if cut % 5 == 0 {
            // half a record, as a kill leaves it
            let mut bytes = std::fs::read(&path).unwrap();
            bytes.extend(b"slip\x1arec and then nothing");
            std::fs::write(&path, bytes).unwrap();
        }
        let mut w = Writer::reopen(&path, cut).unwrap();
        assert_eq!(w.frames(), cut);
        (cut..25).for_each(|k| w.append(&frame(k, 9)).unwrap());
        w.finish().unwrap();
        assert!(std::fs::read(&path).unwrap() == whole, "cut at {cut}");
    }
}

#[test]
fn a_truncated_file_shows_its_whole_frames_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.vtkhdf");
    write(&path, 12, 5);
    let bytes = std::fs::read(&path).unwrap();
    let mut last = 12;
    let mut seen = 0;
    for keep in (0..bytes.len()).rev().step_by(97) {
        std::fs::write(&path, &bytes[..keep]).unwrap();
        match Reader::open(&path) {
            Ok(r) => {
                assert!(r.frames() <= last && !r.finished());
                last = r.frames();
                (0..last).for_each(|k| assert_eq!(r.frame(k).unwrap(), frame(k, 5)));
                let said = r.notices().join(" ");
                assert!(said.contains("not come to its end"), "{said}");
                seen += usize::from(said.contains("cut off"));
            }
            Err(e) => assert!(e.to_string().contains("a.vtkhdf"), "{e}"),
        }
    }
    assert!(last == 0 && seen > 50);
}

#[test]
fn damage_is_named_and_never_a_panic() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.vtkhdf");
    write(&path, 6, 400);
    let bytes = std::fs::read(&path).unwrap();
    let (mut refused, mut noticed) = (0, 0);
    for k in 0..1000 {
        let mut b = bytes.clone();
        let at = k * (b.len() - 1) / 999;
        b[at] ^= 1 << (k % 8);
        std::fs::write(&path, &b).unwrap();
        let Ok(r) = Reader::open(&path) else {
            refused += 1;
            continue;
        };
        // a frame is either the one that was written or refused
        for j in 0..r.frames() {
            match r.frame(j) {
                Ok(f) => assert_eq!(f, frame(j, 400)),
                Err(e) => {
                    assert!(e.to_string().contains("checksum"), "{e}");
                    noticed += 1;
                }
            }
        }
        noticed += r.notices().len();
    }
    assert!(refused > 0 && noticed > 100, "{refused} {noticed}");
}

#[test]
fn a_newer_version_is_refused_by_its_number() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.vtkhdf");
    write(&path, 2, 2);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[60] = 7;
    std::fs::write(&path, &bytes).unwrap();
    let said = Reader::open(&path).map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("version 7") && said.contains("newer stickslip"), "{said}");
    std::fs::write(&path, b"not ours").unwrap();
    assert!(Reader::open(&path).map(|_| ()).unwrap_err().to_string().contains("not a results file"));
}

#[test]
fn vtk_and_h5py_read_the_time_series() {
    let Some(python) = std::env::var_os("STICKSLIP_PYTHON") else {
        println!("skipped: STICKSLIP_PYTHON is not set (./check sets it)");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    // more chunks than one node of a tree holds, and more than one level
    for (name, frames, n) in [("one", 1, 1), ("few", 30, 12), ("many", 600, 5)] {
        let path = dir.path().join(format!("{name}.vtkhdf"));
        write(&path, frames, n);
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/results.py");
        let counts = [frames.to_string(), n.to_string()];
        let out = std::process::Command::new(&python).arg(script).arg(&path).args(counts).output().unwrap();
        let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{name}: {said}");
        println!("{said}");
    }
    // a killed run: the superblock points at the last seal
    let path = dir.path().join("killed.vtkhdf");
    let mut w = Writer::create(&path, &info(5)).unwrap();
    (0..100).for_each(|k| w.append(&frame(k, 5)).unwrap());
    drop(w);
    let code = "import h5py, sys; print(h5py.File(sys.argv[1])['VTKHDF/Bodies/Steps'].attrs['NSteps'])";
    let out = std::process::Command::new(&python).args(["-c", code]).arg(&path).output().unwrap();
    let seen: usize = String::from_utf8_lossy(&out.stdout).trim().parse().unwrap();
    assert!((80..=100).contains(&seen), "{seen}");
}
