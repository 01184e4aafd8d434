//! A results file of three bodies, frame by frame.

use serde_json::json;
use stickslip_io::results::{BodyInfo, Frame, RunInfo};

/// A ball and a brick over the ground.
pub fn info() -> RunInfo {
    let body = |id: u32, shape: u32, fixed: bool| BodyInfo {
        id,
        shape,
        material: u32::from(fixed),
        fixed,
        size: 0.5,
        ..BodyInfo::default()
    };
    RunInfo {
        dimension: 3,
        name: "three bodies".into(),
        h: 0.01,
        shapes: vec![
            json!({ "type": "half-space" }),
            json!({ "type": "sphere", "radius": 0.5 }),
            json!({ "type": "box", "half": [0.5, 0.3, 0.2] }),
        ],
        materials: vec!["stone".into(), "ground".into()],
        bodies: vec![body(0, 0, true), body(1, 1, false), body(2, 2, false)],
        ..RunInfo::default()
    }
}

/// They glide along; frames are a tenth of a second apart.
pub fn frame(k: usize) -> Frame {
    let mut frame = Frame { t: 0.1 * k as f64, step: 10 * k as u64, ..Frame::default() };
    for id in 0..3_u32 {
        let x = [2.0 * f64::from(id), 0.1 * k as f64 * f64::from(id), 0.5];
        frame.push_body(id, x, [1.0, 0.0, 0.0, 0.0], [0.0, f64::from(id), 0.0], [0.0; 3]);
    }
    frame
}
