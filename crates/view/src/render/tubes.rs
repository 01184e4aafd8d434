//! Contact forces over the picture: tubes as thick as the impulse is large, seen through the bodies.

use super::canvas::{self, Canvas};
use super::projection::{Projection, V, add, cross, dot, scale, unit};
use super::scene::{Things, Triangle};
use crate::colour;
use crate::{Frame, Info, Survey};
use std::collections::HashMap;

/// A force from the centre of a body to the contact, in metres, with its share of the usual largest.
pub struct Force {
    pub from: V,
    pub to: V,
    pub share: f64,
}

/// The forces on movable bodies of a frame.
pub fn forces(info: &Info, frame: &Frame, survey: &Survey) -> Vec<Force> {
    let fixed: HashMap<u32, bool> = info.bodies.iter().map(|b| (b.id, b.fixed)).collect();
    let row: HashMap<u32, usize> = frame.id.iter().enumerate().map(|(k, &id)| (id, k)).collect();
    let usual = survey.rln.usual(50);
    let mut out = Vec::new();
    for c in frame.contacts.iter().filter(|c| c.rln > 0.0 && usual > 0.0) {
        for id in [c.a, c.b] {
            let (Some(&k), Some(false)) = (row.get(&id), fixed.get(&id)) else { continue };
            out.push(Force { from: frame.x[k], to: c.point, share: (c.rln / usual).min(1.5) });
        }
    }
    out
}

/// The radius of the thickest tube (m): half the radius of a middling body.
pub fn thickest(info: &Info) -> f64 {
    let mut sizes: Vec<f64> = info.bodies.iter().filter(|b| !b.fixed && b.size > 0.0).map(|b| b.size).collect();
    sizes.sort_by(f64::total_cmp);
    0.5 * sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
}

pub fn draw(
    light: &mut [[f32; 3]],
    canvas: &mut Canvas,
    things: &mut Things,
    info: &Info,
    frame: &Frame,
    survey: &Survey,
    p: &Projection,
) {
    let (middle, radius) = scale(survey);
    things.triangles.clear();
    let thick = thickest(info) / radius;
    for f in forces(info, frame, survey) {
        let at = |x: &V| -> V { std::array::from_fn(|k| (x[k] - middle[k]) / radius) };
        let tint = colour::to_linear(colour::viridis(f.share.min(1.0)));
        tube(at(&f.from), at(&f.to), thick * f.share, tint, &mut things.triangles);
    }
    canvas.depth.fill(f32::INFINITY);
    let sun = unit(&[0.3, 0.5, 0.8]);
    for t in &things.triangles {
        canvas::triangle(t, p, |at, seen| {
            if (seen.depth as f32) < canvas.depth[at] {
                canvas.depth[at] = seen.depth as f32;
                let lit = if p.flat { 1.0 } else { 0.55 + 0.5 * dot(&seen.normal, &sun).max(0.0) };
                light[at] = t.colour.map(|c| (c * lit) as f32);
            }
        });
    }
}

fn tube(from: V, to: V, radius: f64, colour: V, out: &mut Vec<Triangle>) {
    let axis = unit(&add(&to, &from, -1.0));
    let right = unit(&cross(&axis, &if axis[1].abs() < 0.9 { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] }));
    let up = cross(&right, &axis);
    let around = |i: usize| {
        let (s, c) = (std::f64::consts::TAU * i as f64 / 10.0).sin_cos();
        add(&right.map(|v| c * v), &up, s)
    };
    for i in 0..10 {
        let (a, b) = (around(i), around(i + 1));
        let corners = [add(&from, &a, radius), add(&from, &b, radius), add(&to, &b, radius), add(&to, &a, radius)];
        for ids in [[0, 1, 2], [0, 2, 3]] {
            let normals = ids.map(|k: usize| if k == 0 || k == 3 { a } else { b });
            out.push(Triangle { corners: ids.map(|k: usize| corners[k]), normals, colour, edge: false });
        }
    }
}
