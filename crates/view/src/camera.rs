//! Where the picture is taken from.

use crate::survey::Range;
use serde::Serialize;

/// A camera that looks at a target: in perspective in space, flat on the plane.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Camera {
    /// What it looks at (m).
    pub target: [f64; 3],
    /// Azimuth of the eye around z (degrees, from x towards y).
    pub azimuth: f64,
    /// Elevation of the eye above the horizon (degrees).
    pub elevation: f64,
    /// Distance of the eye (m).
    pub distance: f64,
    /// Vertical angle of view (degrees).
    pub angle: f64,
    /// Whether the picture is flat: x to the right, y up, no perspective.
    pub flat: bool,
    /// Half the extent that must be seen (m), across and up: what a flat picture fits into its frame.
    pub half: [f64; 2],
}

impl Default for Camera {
    fn default() -> Self {
        Self::overview(&Range::default(), 3)
    }
}

impl Camera {
    /// The whole scene in sight: from the front, a little from the right and from above; flat scenes from straight above.
    pub fn overview(scene: &Range, dimension: usize) -> Self {
        let scene = scene.or_unit();
        let extent: [f64; 3] = std::array::from_fn(|k| (scene.high[k] - scene.low[k]).max(1e-30));
        let angle = 30.0_f64;
        if dimension == 2 {
            let half = [0.5 * extent[0] * 1.08, 0.5 * extent[1] * 1.08];
            let (azimuth, elevation, distance) = (-90.0, 90.0, 4.0 * scene.radius());
            return Self { target: scene.middle(), azimuth, elevation, distance, angle, flat: true, half };
        }
        let (azimuth, elevation) = (-58.0, 20.0);
        let mut camera =
            Self { target: scene.middle(), azimuth, elevation, distance: 1.0, angle, flat: false, half: [0.0; 2] };
        camera.distance = camera.distance_to_fit(&scene, 4.0 / 3.0);
        camera
    }

    /// The shortest distance from which all corners of a box are inside a frame of that aspect (width by height).
    pub fn distance_to_fit(&self, scene: &Range, aspect: f64) -> f64 {
        let [right, up, back] = self.axes();
        let tan = (0.5 * self.angle).to_radians().tan();
        let dot = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|k| a[k] * b[k]).sum::<f64>();
        let mut far = 0.0_f64;
        for corner in 0..8 {
            let p: [f64; 3] = std::array::from_fn(|k| {
                (if corner >> k & 1 == 0 { scene.low[k] } else { scene.high[k] }) - self.target[k]
            });
            let across = (dot(&p, &right).abs() / aspect).max(dot(&p, &up).abs());
            far = far.max(dot(&p, &back) + across / tan);
        }
        (1.03 * far).max(1e-30)
    }

    /// Unit vectors to the right, up, and back towards the eye.
    pub fn axes(&self) -> [[f64; 3]; 3] {
        if self.flat {
            return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        }
        let ((sa, ca), (se, ce)) = (self.azimuth.to_radians().sin_cos(), self.elevation.to_radians().sin_cos());
        [[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]]
    }

    /// Where the eye is.
    pub fn eye(&self) -> [f64; 3] {
        let back = self.axes()[2];
        std::array::from_fn(|k| self.target[k] + self.distance * back[k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overview_sees_every_corner() {
        let scene = Range { low: [-1.0, -2.0, 0.0], high: [5.0, 2.0, 9.0] };
        let camera = Camera::overview(&scene, 3);
        let ([right, up, back], eye) = (camera.axes(), camera.eye());
        let tan = (0.5 * camera.angle).to_radians().tan();
        for corner in 0..8 {
            let p: [f64; 3] =
                std::array::from_fn(|k| (if corner >> k & 1 == 0 { scene.low[k] } else { scene.high[k] }) - eye[k]);
            let dot = |a: [f64; 3]| (0..3).map(|k| a[k] * p[k]).sum::<f64>();
            let depth = -dot(back);
            assert!(depth > 0.0 && dot(up).abs() <= depth * tan && dot(right).abs() <= depth * tan * 4.0 / 3.0);
        }
    }
}
