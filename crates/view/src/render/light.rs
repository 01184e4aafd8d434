//! Light on what is seen: a sun with shadows, a sky, ambient occlusion, floors, backdrop and glass.

use super::Theme;
use super::canvas::{self, Canvas, mix};
use super::projection::{Projection, V, add, dot, unit};
use super::scene::{Floor, Things};

const SHADOW: usize = 1600;

/// Depths as the sun sees them.
pub struct Shadow {
    view: Projection,
    depth: Vec<f32>,
    direction: V,
}

impl Shadow {
    /// A sun behind the left shoulder of a camera at that azimuth (degrees).
    pub fn new(things: &Things, azimuth: f64) -> Self {
        let a = azimuth.to_radians() - 0.7;
        let direction = unit(&[0.62 * a.cos(), 0.62 * a.sin(), 1.0]);
        let view = Projection::sun(&direction, SHADOW, 1.6);
        let mut depth = vec![f32::INFINITY; SHADOW * SHADOW];
        let mut keep = |at: usize, d: f64| depth[at] = depth[at].min(d as f32);
        things.triangles.iter().for_each(|t| canvas::triangle(t, &view, |at, seen| keep(at, seen.depth)));
        things.balls.iter().for_each(|b| canvas::ball(b, &view, |at, seen| keep(at, seen.depth)));
        Self { view, depth, direction }
    }

    /// The share of the sun that arrives at a point of the world, over a small disc of taps.
    fn sunlight(&self, p: &V, n: &V, spin: f64) -> f64 {
        let view = self.view.view(&add(p, n, 0.006));
        let [x, y, depth] = self.view.pixel(&view);
        let mut lit = 0.0;
        for k in 0..9 {
            let (r, a) = (6.0 * (f64::from(k) / 9.0).sqrt(), 2.399_963 * f64::from(k) + spin);
            let (u, v) = (x + r * a.cos(), y + r * a.sin());
            let inside = u >= 0.0 && v >= 0.0 && u < SHADOW as f64 && v < SHADOW as f64;
            let hidden = inside && f64::from(self.depth[v as usize * SHADOW + u as usize]) < depth - 0.008;
            lit += if hidden { 0.0 } else { 1.0 / 9.0 };
        }
        lit
    }
}

/// A reproducible angle for a sample, so that taps make noise instead of bands.
fn spin(x: usize, y: usize) -> f64 {
    std::f64::consts::TAU * (52.982_918_9 * (0.067_110_56 * x as f64 + 0.005_837_15 * y as f64).fract()).fract()
}

fn backdrop(y: usize, height: usize, theme: &Theme) -> V {
    let share = ((1.0 - y as f64 / height as f64) * 2.0 - 0.4).clamp(0.0, 1.6) / 1.6;
    mix(&theme.low, &theme.high, share * share * (3.0 - 2.0 * share))
}

/// The plane: colours as they are.
pub fn flat(canvas: &Canvas, theme: &Theme) -> Vec<[f32; 3]> {
    let ground = theme.high.map(|c| c as f32);
    canvas.depth.iter().zip(&canvas.colour).map(|(d, c)| if d.is_finite() { *c } else { ground }).collect()
}

/// Space: the light of every sample.
pub fn shaded(canvas: &mut Canvas, things: &Things, p: &Projection, theme: &Theme, sun: &Shadow) -> Vec<[f32; 3]> {
    let fade = floors(canvas, things, p, theme);
    let mut out = Vec::with_capacity(canvas.depth.len());
    for y in 0..canvas.height {
        for x in 0..canvas.width {
            let at = y * canvas.width + x;
            let behind = backdrop(y, canvas.height, theme);
            if !canvas.depth[at].is_finite() {
                out.push(behind.map(|c| c as f32));
                continue;
            }
            let (start, along) = p.ray(x as f64 + 0.5, y as f64 + 0.5);
            let point = add(&start, &along, f64::from(canvas.depth[at]) / -along[2]);
            let light = shade(canvas, at, &point, p, theme, sun, spin(x, y));
            out.push(mix(&light, &behind, f64::from(fade[at])).map(|c| c as f32));
        }
    }
    out
}

/// Light of one sample: sky and ground dimmed by what stands around, and the sun.
fn shade(canvas: &Canvas, at: usize, point: &V, p: &Projection, theme: &Theme, sun: &Shadow, spin: f64) -> V {
    let n = canvas.normal[at].map(f64::from);
    let to_world = |v: &V| -> V { std::array::from_fn(|k| (0..3).map(|c| v[c] * p.axes[c][k]).sum()) };
    let (world, normal) = (p.world(point), to_world(&n));
    let facing = dot(&normal, &sun.direction);
    let direct = if facing > 0.0 { facing * sun.sunlight(&world, &normal, spin) } else { 0.0 };
    let open = 1.0 - 0.85 * occlusion(canvas, at, point, &n, p, spin);
    let ambient = (theme.ground + (theme.sky - theme.ground) * (0.5 + 0.5 * normal[2])) * open;
    let eye = unit(&point.map(|c| -c));
    let half = unit(&add(&p.direction(&sun.direction), &eye, 1.0));
    let gloss = 0.10 * dot(&n, &half).max(0.0).powi(40) * direct;
    let colour = canvas.colour[at].map(f64::from);
    colour.map(|c| c * (ambient + theme.sun * direct) + gloss)
}

/// How much of the sky is hidden by what stands close by, from the depths around: 0 to 1.
fn occlusion(canvas: &Canvas, at: usize, point: &V, n: &V, p: &Projection, spin: f64) -> f64 {
    const REACH: f64 = 0.07;
    let (x, y) = (at % canvas.width, at / canvas.width);
    let pixels = (REACH * p.zoom(-point[2])).min(canvas.height as f64 / 8.0);
    let mut hidden = 0.0;
    for k in 0..12 {
        let (r, a) = (pixels * ((f64::from(k) + 0.5) / 12.0).sqrt(), 2.399_963 * f64::from(k) + spin);
        let (u, v) = (x as f64 + r * a.cos(), y as f64 + r * a.sin());
        if u < 0.0 || v < 0.0 || u >= canvas.width as f64 || v >= canvas.height as f64 {
            continue;
        }
        let depth = f64::from(canvas.depth[v as usize * canvas.width + u as usize]);
        if depth.is_finite() {
            let (start, along) = p.ray(u.floor() + 0.5, v.floor() + 0.5);
            let d = add(&add(&start, &along, depth / -along[2]), point, -1.0);
            let far = dot(&d, &d).sqrt();
            if far > 1e-9 {
                let above = (dot(&d, n) / far - 0.08).max(0.0);
                hidden += above / (1.0 + (far / REACH).powi(2)) / 12.0;
            }
        }
    }
    (2.2 * hidden).min(1.0)
}

/// Floors where nothing stands before them; how much each sample of them has melted into the backdrop.
fn floors(canvas: &mut Canvas, things: &Things, p: &Projection, theme: &Theme) -> Vec<f32> {
    let mut fade = vec![0.0; canvas.depth.len()];
    for floor in &things.floors {
        let (point, normal) = (p.view(&floor.point), p.direction(&floor.axes[2]));
        for y in 0..canvas.height {
            for x in 0..canvas.width {
                let at = y * canvas.width + x;
                let (start, along) = p.ray(x as f64 + 0.5, y as f64 + 0.5);
                // seen from below it would hide everything
                let slope = dot(&along, &normal);
                let t = dot(&add(&point, &start, -1.0), &normal) / slope;
                if slope >= -1e-6 || t <= 0.0 {
                    continue;
                }
                let hit = add(&start, &along, t);
                if (-hit[2]) as f32 >= canvas.depth[at] {
                    continue;
                }
                let own = own_place(floor, &p.world(&hit));
                let footprint = t / p.focal / -slope;
                canvas.depth[at] = -hit[2] as f32;
                canvas.normal[at] = normal.map(|c| c as f32);
                let mark = 0.06 * grid(own, 0.2, footprint) + 0.10 * grid(own, 1.0, footprint);
                canvas.colour[at] = mix(&theme.floor, &theme.ink, mark).map(|c| c as f32);
                let far = ((own[0].hypot(own[1]) / 6.0 - 0.15) / 0.85).clamp(0.0, 1.0);
                fade[at] = (far * far * (3.0 - 2.0 * far)) as f32;
            }
        }
    }
    fade
}

fn own_place(floor: &Floor, world: &V) -> [f64; 2] {
    let d = add(world, &floor.point, -1.0);
    [dot(&d, &floor.axes[0]), dot(&d, &floor.axes[1])]
}

/// Lines of a grid about two samples wide, none where they would be closer than a few.
fn grid(own: [f64; 2], cell: f64, footprint: f64) -> f64 {
    let away = |v: f64| ((v / cell - 0.5).rem_euclid(1.0) - 0.5).abs() * cell / footprint.max(1e-12);
    let line = own.iter().map(|&v| (2.0 - away(v)).clamp(0.0, 1.0)).fold(0.0, f64::max);
    line * (1.0 - (footprint / cell / 0.3).min(1.0))
}

/// The far walls of what bodies are inside of, then a breath of the near ones.
pub fn glass(light: &mut [[f32; 3]], canvas: &Canvas, things: &Things, p: &Projection, theme: &Theme) {
    for near in [false, true] {
        for t in &things.glass {
            let middle = p.view(&t.corners[0]);
            let outward = p.direction(&t.normals[0]);
            if (dot(&outward, &middle) < 0.0) != near {
                continue;
            }
            canvas::triangle(t, p, |at, seen| {
                if (seen.depth as f32) * 1.0005 < canvas.depth[at] {
                    let line = 1.0 - (seen.edge - 1.2).clamp(0.0, 1.0);
                    let alpha = if near { 0.04 } else { 0.30 } + 0.5 * line;
                    let up: f64 = (0..3).map(|c| seen.normal[c] * p.axes[c][2]).sum();
                    let lit = 0.85 + 0.15 * up;
                    let colour = mix(&theme.fixed.map(|c| c * lit), &theme.ink, 0.6 * line);
                    (0..3).for_each(|k| light[at][k] += alpha as f32 * (colour[k] as f32 - light[at][k]));
                }
            });
        }
    }
}
