//! The size a page must carry, made on demand: `cargo test -p stickslip-view --test large -- --ignored --nocapture`.

use crate::common;

use std::time::Instant;
use stickslip_view::{Budget, ContactRecord, Frame, Info, Movie, form::Form, page};

/// 10,000 balls in 500 frames with 20,000 contacts each; the page goes to the folder that `STICKSLIP_PICTURES` names.
#[test]
#[ignore = "a measurement: writes a page of tens of megabytes"]
fn ten_thousand_bodies_in_five_hundred_frames() {
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
    let movie = Movie { info, frames: (0..500).map(frame).collect(), ..Default::default() };
    let began = Instant::now();
    let mut out = Vec::new();
    let written = page::write(&movie, &Budget::default(), &mut out).unwrap();
    eprintln!(
        "{} frames, {} bodies, {:.1} MB, {:?}",
        written.frames,
        written.bodies,
        out.len() as f64 / 1e6,
        began.elapsed()
    );
    eprintln!("{:?}", written.notices);
    assert_eq!((written.frames, written.bodies), (500, 10_000));
    if let Ok(folder) = std::env::var("STICKSLIP_PICTURES") {
        std::fs::write(format!("{folder}/large.html"), out).unwrap();
    }
}
