//! What is seen at each sample: depth, normal and colour, by a z-buffer.

use super::Theme;
use super::projection::{Projection, V, add, cross, dot, unit};
use super::scene::{Ball, Things, Triangle};
use crate::form::rotate;

/// Samples of a picture in view space.
pub struct Canvas {
    pub width: usize,
    pub height: usize,
    /// Depth in front of the eye; infinite where there is nothing.
    pub depth: Vec<f32>,
    pub normal: Vec<[f32; 3]>,
    pub colour: Vec<[f32; 3]>,
}

/// A point of a surface that a sample sees.
pub struct Seen {
    pub depth: f64,
    pub normal: V,
    /// Distance to a drawn edge in samples.
    pub edge: f64,
}

impl Canvas {
    pub fn new(p: &Projection) -> Self {
        let n = p.width * p.height;
        let (depth, normal, colour) = (vec![f32::INFINITY; n], vec![[0.0; 3]; n], vec![[0.0; 3]; n]);
        Self { width: p.width, height: p.height, depth, normal, colour }
    }

    /// Draws balls and triangles.
    pub fn draw(&mut self, things: &Things, p: &Projection, theme: &Theme) {
        let line = if p.flat { 2.4 } else { 1.6 };
        for t in &things.triangles {
            triangle(t, p, |at, seen| {
                let mark = if p.flat { 0.7 } else { 0.35 } * (1.0 - (seen.edge - line + 1.0).clamp(0.0, 1.0));
                self.set(at, &seen, mix(&t.colour, &theme.ink, mark), p.flat);
            });
        }
        for b in &things.balls {
            ball(b, p, |at, seen| {
                let colour = paint(b, &seen, p, theme, line);
                self.set(at, &seen, colour, p.flat);
            });
        }
    }

    /// Keeps what is nearer; on the plane, what comes later.
    fn set(&mut self, at: usize, seen: &Seen, colour: V, flat: bool) {
        if flat || (seen.depth as f32) < self.depth[at] {
            self.depth[at] = seen.depth as f32;
            self.normal[at] = seen.normal.map(|c| c as f32);
            self.colour[at] = colour.map(|c| c as f32);
        }
    }
}

pub fn mix(a: &V, b: &V, part: f64) -> V {
    std::array::from_fn(|k| a[k] + part * (b[k] - a[k]))
}

/// The colour of a ball: opposite octants a little darker, so that one sees it turn; discs have an outline and a spoke.
fn paint(b: &Ball, seen: &Seen, p: &Projection, theme: &Theme, line: f64) -> V {
    let back = [-b.turn[1], -b.turn[2], -b.turn[3]];
    let q = [b.turn[0], back[0], back[1], back[2]];
    let n = &seen.normal;
    let world: V = std::array::from_fn(|k| (0..3).map(|c| n[c] * p.axes[c][k]).sum());
    let own = rotate(&q, &world);
    if p.flat {
        let pixels = b.radius * p.focal;
        let spoke = own[0] > 0.25 && own[1].abs() * pixels < 1.2;
        let colour = mix(&b.colour, &theme.ink, if spoke { 0.4 } else { 0.0 });
        let mark = 0.7 * (1.0 - (seen.edge - line + 1.0).clamp(0.0, 1.0)) * (pixels / 10.0).min(1.0);
        return mix(&colour, &theme.ink, mark);
    }
    b.colour.map(|c| c * (0.93 + 0.07 * (own[0] * own[1] * own[2]).signum()))
}

/// Visits the samples of a ball.
pub fn ball(b: &Ball, p: &Projection, mut visit: impl FnMut(usize, Seen)) {
    let centre = p.view(&b.centre);
    let depth = -centre[2];
    if p.perspective && depth <= b.radius * 1.01 {
        return;
    }
    let middle = p.pixel(&centre);
    // nearer parts look larger
    let reach = b.radius * p.zoom(depth - if p.perspective { b.radius } else { 0.0 }) * 1.1 + 1.0;
    let Some([x0, x1, y0, y1]) =
        window(p, [middle[0] - reach, middle[0] + reach, middle[1] - reach, middle[1] + reach])
    else {
        return;
    };
    let pixels = b.radius * p.zoom(depth);
    for y in y0..=y1 {
        for x in x0..=x1 {
            let (start, along) = p.ray(x as f64 + 0.5, y as f64 + 0.5);
            let t = dot(&add(&centre, &start, -1.0), &along);
            let off = add(&add(&start, &along, t), &centre, -1.0);
            let away = dot(&off, &off).sqrt() / b.radius;
            if away > 1.0 {
                continue;
            }
            let lift = (1.0 - away * away).sqrt();
            // a disc is as flat as the plane: its normal is its own coordinates
            let normal =
                if p.flat { off.map(|c| c / b.radius) } else { add(&off.map(|c| c / b.radius), &along, -lift) };
            let hit = add(&centre, &normal, b.radius);
            let depth = if p.flat { depth } else { -hit[2] };
            visit(y * p.width + x, Seen { depth, normal, edge: (1.0 - away) * pixels });
        }
    }
}

/// Visits the samples of a triangle.
pub fn triangle(t: &Triangle, p: &Projection, mut visit: impl FnMut(usize, Seen)) {
    let view = t.corners.map(|c| p.view(&c));
    if p.perspective && view.iter().any(|v| v[2] > -1e-3) {
        return;
    }
    let [a, b, c] = view.map(|v| p.pixel(&v));
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let ends = |k: usize| [a[k].min(b[k]).min(c[k]), a[k].max(b[k]).max(c[k])];
    let ([left, right], [top, bottom]) = (ends(0), ends(1));
    let Some([x0, x1, y0, y1]) = window(p, [left, right, top, bottom]) else { return };
    if area == 0.0 || !area.is_finite() {
        return;
    }
    let normals = t.normals.map(|n| p.direction(&n));
    let flat_face = unit(&cross(&add(&view[1], &view[0], -1.0), &add(&view[2], &view[0], -1.0)));
    // distance of the first corner from the side opposite of it, in samples
    let side = ((c[0] - b[0]).powi(2) + (c[1] - b[1]).powi(2)).sqrt();
    let height = if t.edge && side > 0.0 { area.abs() / side } else { f64::INFINITY };
    for y in y0..=y1 {
        for x in x0..=x1 {
            let (u, v) = (x as f64 + 0.5, y as f64 + 0.5);
            let wa = ((b[0] - u) * (c[1] - v) - (b[1] - v) * (c[0] - u)) / area;
            let wb = ((c[0] - u) * (a[1] - v) - (c[1] - v) * (a[0] - u)) / area;
            let wc = 1.0 - wa - wb;
            if wa < 0.0 || wb < 0.0 || wc < 0.0 {
                continue;
            }
            // inverse depth is what is linear on the screen in perspective
            let depth = if p.perspective {
                1.0 / (wa / a[2] + wb / b[2] + wc / c[2])
            } else {
                wa * a[2] + wb * b[2] + wc * c[2]
            };
            let mut normal: V =
                unit(&std::array::from_fn(|k| wa * normals[0][k] + wb * normals[1][k] + wc * normals[2][k]));
            let (_, along) = p.ray(u, v);
            // a surface is seen from the side that faces the eye
            if dot(&flat_face, &along) * dot(&flat_face, &normal) > 0.0 {
                normal = normal.map(|n| -n);
            }
            visit(y * p.width + x, Seen { depth, normal, edge: if height.is_finite() { wa * height } else { height } });
        }
    }
}

/// The samples in a rectangle, if any.
fn window(p: &Projection, [left, right, top, bottom]: [f64; 4]) -> Option<[usize; 4]> {
    let inside = right >= 0.0 && bottom >= 0.0 && left < p.width as f64 && top < p.height as f64;
    // numbers that are none end here too
    if !inside || !(right - left).is_finite() || !(bottom - top).is_finite() {
        return None;
    }
    let clip = |v: f64, n: usize| (v.max(0.0) as usize).min(n - 1);
    Some([clip(left, p.width), clip(right, p.width), clip(top, p.height), clip(bottom, p.height)])
}
