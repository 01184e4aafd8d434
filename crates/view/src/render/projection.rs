//! From the world to the canvas.

use super::Look;
use crate::{Survey, camera::Camera};

pub type V = [f64; 3];

pub fn dot(a: &V, b: &V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
pub fn cross(a: &V, b: &V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
pub fn add(a: &V, b: &V, s: f64) -> V {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}
pub fn unit(a: &V) -> V {
    let l = dot(a, a).sqrt();
    if l > 0.0 { a.map(|c| c / l) } else { [0.0, 0.0, 1.0] }
}

/// A view of the scaled world: axes, eye, and pixels for a length.
#[derive(Debug, Clone)]
pub struct Projection {
    /// To the right, up, back towards the eye.
    pub axes: [V; 3],
    /// Where view space has its origin.
    pub eye: V,
    /// In perspective: pixels for a length at distance 1. Otherwise: pixels for a length.
    pub focal: f64,
    pub perspective: bool,
    /// No shading and no depth: the plane.
    pub flat: bool,
    pub width: usize,
    pub height: usize,
}

impl Projection {
    /// The camera of the survey, turned as the look says, on a canvas of that size.
    pub fn camera(survey: &Survey, look: &Look, width: usize, height: usize) -> Self {
        let (middle, radius) = scale(survey);
        let mut camera = survey.camera;
        camera.azimuth += look.azimuth;
        camera.elevation = (camera.elevation + look.elevation).clamp(-89.0, 89.9);
        let aspect = width as f64 / height as f64;
        let target: V = std::array::from_fn(|k| (camera.target[k] - middle[k]) / radius);
        if camera.flat {
            let half = (camera.half[1]).max(camera.half[0] / aspect).max(1e-12 * radius) / radius;
            let eye = add(&target, &[0.0, 0.0, 1.0], 10.0);
            let focal = 0.5 * height as f64 / half;
            return Self { axes: camera.axes(), eye, focal, perspective: false, flat: true, width, height };
        }
        let distance = Camera { distance: 1.0, ..camera }.distance_to_fit(&survey.scene, aspect) / radius;
        let axes = camera.axes();
        let focal = 0.5 * height as f64 / (0.5 * camera.angle).to_radians().tan();
        Self { axes, eye: add(&target, &axes[2], distance), focal, perspective: true, flat: false, width, height }
    }

    /// The sun's view of a scene of radius 1, for its shadows.
    pub fn sun(direction: &V, size: usize, reach: f64) -> Self {
        let right = unit(&cross(&[0.0, 0.0, 1.0], direction));
        let axes = [right, cross(direction, &right), *direction];
        let eye = add(&[0.0; 3], direction, 4.0);
        let focal = 0.5 * size as f64 / reach;
        Self { axes, eye, focal, perspective: false, flat: false, width: size, height: size }
    }

    /// World to view space: the eye at the origin, looking along -z.
    pub fn view(&self, p: &V) -> V {
        let d = add(p, &self.eye, -1.0);
        [dot(&d, &self.axes[0]), dot(&d, &self.axes[1]), dot(&d, &self.axes[2])]
    }

    pub fn direction(&self, n: &V) -> V {
        [dot(n, &self.axes[0]), dot(n, &self.axes[1]), dot(n, &self.axes[2])]
    }

    /// View space to the world.
    pub fn world(&self, p: &V) -> V {
        std::array::from_fn(|k| self.eye[k] + p[0] * self.axes[0][k] + p[1] * self.axes[1][k] + p[2] * self.axes[2][k])
    }

    /// View space to pixels, with the depth in front of the eye.
    pub fn pixel(&self, p: &V) -> V {
        let s = if self.perspective { self.focal / -p[2] } else { self.focal };
        [0.5 * self.width as f64 + s * p[0], 0.5 * self.height as f64 - s * p[1], -p[2]]
    }

    /// The ray of a pixel in view space: its start and its unit direction.
    pub fn ray(&self, x: f64, y: f64) -> (V, V) {
        let (u, v) = ((x - 0.5 * self.width as f64) / self.focal, (0.5 * self.height as f64 - y) / self.focal);
        if self.perspective { ([0.0; 3], unit(&[u, v, -1.0])) } else { ([u, v, 0.0], [0.0, 0.0, -1.0]) }
    }

    /// Pixels for a length at a depth.
    pub fn zoom(&self, depth: f64) -> f64 {
        if self.perspective { self.focal / depth.max(1e-9) } else { self.focal }
    }
}

/// Middle and radius of the scene (m).
pub fn scale(survey: &Survey) -> (V, f64) {
    let radius = survey.scene.radius();
    (survey.scene.middle(), if radius > 0.0 { radius } else { 1.0 })
}
