//! Results files: whole, cut off, damaged, newer; and a run that is watched while it is written.

use crate::common::results::{frame, info};

use serde_json::json;
use std::io::{Read, Write};
use std::path::Path;
use stickslip_io::results::Writer;
use stickslip_view::render::{Look, picture};
use stickslip_view::{Budget, ResultFile, Source, live, page, report, survey};

const FRAMES: usize = 12;

fn write(path: &Path) {
    let mut writer = Writer::create(path, &info()).unwrap();
    (0..FRAMES).for_each(|k| writer.append(&frame(k)).unwrap());
    writer.finish().unwrap();
}

fn text(result: &ResultFile) -> String {
    let mut out = Vec::new();
    page::write(result, &Budget::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_whole_file_with_its_ledger() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vtkhdf");
    write(&path);
    std::fs::write(path.with_extension("csv"), "t,contacts,kinetic\n0,1,2.5\n0.5,2,3.5\n").unwrap();
    let result = ResultFile::open(&path).unwrap();
    assert_eq!((result.frames(), result.info().bodies.len(), result.notices().len()), (FRAMES, 3, 0));
    let page = text(&result);
    assert!(page.contains("three bodies") && page.contains("\"kinetic\"") && page.contains("\"half_space\""));
    assert!(report::html(&result).unwrap().contains("2 movable, 1 fixed or driven"));
    let survey = survey(&result, &mut (0..FRAMES).collect()).unwrap();
    let look = Look { width: 64, height: 48, ..Default::default() };
    picture(result.info(), &result.frame(3).unwrap(), &survey, &look).unwrap();
}

#[test]
fn a_shape_is_drawn_about_its_centre_of_mass() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vtkhdf");
    let mut info = info();
    info.bodies[2].centre = [0.1, 0.0, -0.2];
    let mut writer = Writer::create(&path, &info).unwrap();
    writer.append(&frame(0)).unwrap();
    writer.finish().unwrap();
    let result = ResultFile::open(&path).unwrap();
    assert_eq!(result.info().bodies[2].pieces[0].x, [-0.1, 0.0, 0.2]);
    assert_eq!(result.info().bodies[1].pieces[0].x, [0.0; 3]);
}

#[test]
fn a_file_cut_anywhere_shows_its_whole_frames_or_says_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vtkhdf");
    write(&path);
    let bytes = std::fs::read(&path).unwrap();
    let (mut shown, mut refused) = (0, 0);
    for k in 0..40 {
        std::fs::write(&path, &bytes[..bytes.len() * k / 40]).unwrap();
        match ResultFile::open(&path) {
            Ok(result) if result.frames() > 0 => {
                shown += 1;
                let page = text(&result);
                assert!(result.frames() < FRAMES || k == 39 || !result.notices().is_empty());
                assert!(page.contains("has not come to its end"), "{:?}", result.notices());
            }
            Ok(result) => assert!(page::write(&result, &Budget::default(), &mut Vec::new()).is_err()),
            Err(e) => {
                refused += 1;
                assert!(e.to_string().contains("run.vtkhdf"), "{e}");
            }
        }
    }
    assert!(shown > 5 && refused > 0, "{shown} shown, {refused} refused");
}

#[test]
fn a_newer_file_is_refused_with_its_version_and_a_wrong_one_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vtkhdf");
    write(&path);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[60..64].copy_from_slice(&7_u32.to_le_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let error = ResultFile::open(&path).err().unwrap().to_string();
    assert!(error.contains("version 7"), "{error}");
    std::fs::write(&path, "not a result").unwrap();
    assert!(ResultFile::open(&path).err().unwrap().to_string().contains("not a results file"));
    let mut strange = info();
    strange.shapes[1] = json!({ "type": "teapot" });
    let mut writer = Writer::create(&path, &strange).unwrap();
    writer.append(&frame(0)).unwrap();
    writer.finish().unwrap();
    let error = ResultFile::open(&path).err().unwrap().to_string();
    assert!(error.contains("body 1") && error.contains("teapot"), "{error}");
}

/// Asks the server and returns its whole answer.
fn ask(address: std::net::SocketAddr, request: &str) -> String {
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_run_is_watched_on_the_loopback_and_by_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vtkhdf");
    let address = live::serve(&path, 0).unwrap();
    assert!(address.ip().is_loopback());
    let host = format!("Host: {address}\r\n\r\n");
    let get = |target: &str| ask(address, &format!("GET {target} HTTP/1.1\r\n{host}"));
    assert!(get("/").contains("has not written a frame yet"));
    let mut writer = Writer::create(&path, &info()).unwrap();
    writer.append(&frame(0)).unwrap();
    writer.append(&frame(1)).unwrap();
    let page = get("/");
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("three bodies") && page.contains("follow("));
    let json = |target: &str| -> serde_json::Value {
        let answer = get(target);
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    };
    let more = json("/frames?from=1");
    assert_eq!((more["frame"].clone(), more["finished"].clone()), (json!([1]), json!(false)));
    assert!(more["chunk"].as_str().unwrap().len() > 20);
    assert_eq!(json("/frames?from=2")["t"], json!([]));
    (2..FRAMES).for_each(|k| writer.append(&frame(k)).unwrap());
    writer.finish().unwrap();
    let more = json("/frames?from=2");
    assert_eq!((more["t"].as_array().unwrap().len(), more["finished"].clone()), (FRAMES - 2, json!(true)));
    // other names, other methods, other places
    let evil = ask(address, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    assert!(evil.starts_with("HTTP/1.1 403") && !evil.contains("three bodies"), "{evil}");
    assert!(ask(address, &format!("POST / HTTP/1.1\r\n{host}")).starts_with("HTTP/1.1 405"));
    assert!(get("/../etc/passwd").starts_with("HTTP/1.1 404"));
    assert!(ask(address, "nonsense\r\n\r\n").starts_with("HTTP/1.1 403"));
}
