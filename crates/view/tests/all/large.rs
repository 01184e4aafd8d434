//! The size a page must carry, made on demand:
//! `cargo test --release -p stickslip-view --test all -- --ignored --nocapture ten_thousand`.

use crate::common::{self, browser, tab::Tab};

use std::path::Path;
use std::time::{Duration, Instant};
use stickslip_view::{Budget, ContactRecord, Frame, Info, Movie, form::Form, page};

/// 10,000 balls in 500 frames with 20,000 contacts each.
fn movie() -> Movie {
    let n = 10_000_u32;
    let bodies = (0..n).map(|id| common::body(id, Form::Sphere { r: 0.4 + 0.1 * common::noise(id.into()) }, false));
    let info = Info { title: "10,000 balls".into(), dimension: 3, h: 1e-3, bodies: bodies.collect() };
    let home = |id: u32| [f64::from(id % 25), f64::from(id / 25 % 20), f64::from(id / 500)];
    let frame = |k: u32| {
        let mut f = Frame { t: f64::from(k) * 0.02, step: k.into(), ..Frame::default() };
        for id in 0..n {
            // each swings in its own way: nothing for deflate to find
            let a = f64::from(k) * (0.02 + 0.05 * common::noise(u64::from(id) + 7)) + f64::from(id);
            let (x, (s, c)) = (home(id), a.sin_cos());
            let x = [x[0] + 0.3 * s, x[1] + 0.3 * c, x[2] + 0.2 * (1.7 * a).sin()];
            let q = [(0.5 * a).cos(), 0.6 * (0.5 * a).sin(), 0.8 * (0.5 * a).sin(), 0.0];
            f.push_body(id, x, q, [0.3 * c, -0.3 * s, 0.0], [0.6, 0.8, 0.0]);
        }
        for i in 0..20_000_u32 {
            let (a, b) = (i / 2, (i / 2 + 1 + 24 * (i % 2)) % n);
            let rln = 1e-3 * common::noise(u64::from(i) + u64::from(k));
            let point = std::array::from_fn(|c| 0.5 * (f.x[a as usize][c] + f.x[b as usize][c]));
            f.contacts.push(ContactRecord { a, b, point, rln, status: 1, ..Default::default() });
        }
        f
    };
    Movie { info, frames: (0..500).map(frame).collect(), ..Default::default() }
}

/// Writes the page, and plays it in Chromium where there is one.
#[test]
#[ignore = "a measurement: writes a page of tens of megabytes"]
fn ten_thousand_bodies_in_five_hundred_frames() {
    let (movie, began) = (movie(), Instant::now());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.html");
    let mut file = std::fs::File::create(&path).unwrap();
    let written = page::write(&movie, &Budget::default(), &mut file).unwrap();
    let size = std::fs::metadata(&path).unwrap().len() as f64 / 1e6;
    eprintln!("{} frames, {} bodies, {size:.1} MB, {:?}", written.frames, written.bodies, began.elapsed());
    eprintln!("{:?}", written.notices);
    assert_eq!((written.frames, written.bodies), (500, 10_000));
    if let Some(chromium) = browser::chromium() {
        play(&chromium, &path);
    }
}

/// What a picture costs the page's own program, and with a rasteriser in software what it costs in all.
fn play(chromium: &str, page: &Path) {
    let long = Duration::from_secs(300);
    let began = Instant::now();
    let mut tab = Tab::open(chromium, &format!("file://{}", page.display()), (1280, 800));
    tab.wait("window.viewer?.film.frames.length === 500", long);
    eprintln!("read in {:.1} s", began.elapsed().as_secs_f64());
    // pictures are asked for and not waited for; the last line waits for all
    tab.evaluate(
        "window.cost = async (contacts, shadows) => {
             viewer.controls.contacts(contacts);
             viewer.drawing.shadows = shadows;
             const gl = viewer.drawing.gl, done = () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
             done();
             const began = performance.now();
             for (let k = 0; k < 4; k++) { viewer.moment = 100 * k + 0.5; viewer.paint(); }
             const asked = performance.now();
             done();
             return [asked - began, performance.now() - began].map((t) => t / 4);
         }",
    );
    for (contacts, shadows) in [("none", true), ("none", false), ("force", false)] {
        let cost = tab.evaluate(&format!("cost('{contacts}', {shadows})"));
        eprintln!("contacts {contacts}, shadows {shadows}: ms of the program, with the rasteriser: {cost}");
        assert!(cost[0].as_f64().is_some_and(|own| own < 1000.0 / 30.0), "more than 30 pictures a second");
    }
}
