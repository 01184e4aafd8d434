//! Bodies of a frame as balls, triangles, floors and glass in the scaled world.

use super::projection::{V, scale};
use super::{Look, Theme, mesh};
use crate::colour::{self, ColourBy};
use crate::form::{Form, compose, rotate};
use crate::{Frame, Info, Survey, survey};
use std::collections::HashMap;

/// A ball, or a disc on the plane.
pub struct Ball {
    pub centre: V,
    pub radius: f64,
    pub colour: V,
    /// Quaternion of the body.
    pub turn: [f64; 4],
}

/// Three corners with their normals. The side between the last two corners may be an edge that is drawn.
pub struct Triangle {
    pub corners: [V; 3],
    pub normals: [V; 3],
    pub colour: V,
    pub edge: bool,
}

/// The face of a half-space.
pub struct Floor {
    pub point: V,
    pub axes: [V; 3],
}

/// All that is in a picture.
#[derive(Default)]
pub struct Things {
    pub balls: Vec<Ball>,
    pub triangles: Vec<Triangle>,
    pub glass: Vec<Triangle>,
    pub floors: Vec<Floor>,
}

impl Things {
    pub fn new(info: &Info, frame: &Frame, survey: &Survey, look: &Look, theme: &Theme) -> Self {
        let (middle, radius) = scale(survey);
        let colours = body_colours(info, frame, survey, look, theme);
        let place: HashMap<u32, usize> = info.bodies.iter().enumerate().map(|(k, b)| (b.id, k)).collect();
        let mut things = Self::default();
        // fixed bodies first: on the plane there is no depth to sort by
        for fixed in [true, false] {
            for (row, id) in frame.id.iter().enumerate() {
                let Some(&k) = place.get(id) else { continue };
                let visible = frame.x[row].iter().chain(&frame.orientation[row]).all(|c| c.is_finite());
                if info.bodies[k].fixed != fixed || !visible {
                    continue;
                }
                let centre: V = std::array::from_fn(|c| (frame.x[row][c] - middle[c]) / radius);
                for piece in &info.bodies[k].pieces {
                    let offset = rotate(&frame.orientation[row], &piece.x.map(|c| c / radius));
                    let q = compose(&frame.orientation[row], &piece.q);
                    let at = std::array::from_fn(|c| centre[c] + offset[c]);
                    things.add(&piece.form, at, q, 1.0 / radius, colours[row]);
                }
            }
        }
        things
    }

    fn add(&mut self, form: &Form, at: V, q: [f64; 4], s: f64, colour: V) {
        match form {
            Form::Sphere { r } | Form::Disc { r } => {
                self.balls.push(Ball { centre: at, radius: s * r, colour, turn: q });
            }
            Form::HalfSpace => {
                let axis = |k: usize| rotate(&q, &std::array::from_fn(|c| if c == k { 1.0 } else { 0.0 }));
                self.floors.push(Floor { point: at, axes: [axis(0), axis(1), axis(2)] });
            }
            _ => {
                let target = if form.is_container() && !matches!(form, Form::InsideCircle { .. }) {
                    &mut self.glass
                } else {
                    &mut self.triangles
                };
                let from = target.len();
                mesh::triangles(form, s, colour, target);
                for t in &mut target[from..] {
                    t.corners = t.corners.map(|p| {
                        let p = rotate(&q, &p);
                        std::array::from_fn(|c| at[c] + p[c])
                    });
                    t.normals = t.normals.map(|n| rotate(&q, &n));
                }
            }
        }
    }
}

/// The colour of every row of a frame, as light.
pub fn body_colours(info: &Info, frame: &Frame, survey: &Survey, look: &Look, theme: &Theme) -> Vec<V> {
    let bodies: HashMap<u32, &crate::Body> = info.bodies.iter().map(|b| (b.id, b)).collect();
    let load = survey::loads(frame);
    let [low, high] = ends(info, survey, look.colour_by);
    let per = if info.h > 0.0 { 1.0 / info.h } else { 1.0 };
    let of = |row: usize| {
        let body = bodies.get(&frame.id[row]);
        if body.is_some_and(|b| b.fixed) {
            return theme.fixed;
        }
        if look.forces {
            return theme.pale;
        }
        let value = match look.colour_by {
            ColourBy::Speed => frame.v[row].iter().map(|c| c * c).sum::<f64>().sqrt(),
            ColourBy::Size => body.map_or(0.0, |b| b.size),
            ColourBy::Force => load[row] * per,
            ColourBy::Id => return colour::to_linear(colour::distinct(frame.id[row])),
        };
        let share = if high > low { (value - low) / (high - low) } else { 0.0 };
        colour::to_linear(colour::viridis(if share.is_finite() { share } else { 0.0 }))
    };
    (0..frame.id.len()).map(of).collect()
}

/// The two ends of a colour scale.
pub fn ends(info: &Info, survey: &Survey, by: ColourBy) -> [f64; 2] {
    let per = if info.h > 0.0 { 1.0 / info.h } else { 1.0 };
    match by {
        ColourBy::Speed => [0.0, survey.speed.usual(200)],
        ColourBy::Force => [0.0, survey.load.usual(50) * per],
        ColourBy::Size => {
            let sizes = || info.bodies.iter().filter(|b| !b.fixed).map(|b| b.size);
            [sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max)]
        }
        ColourBy::Id => [0.0, 0.0],
    }
}
