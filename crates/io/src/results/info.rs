//! What does not change from frame to frame.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A run: its name, step and bodies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunInfo {
    /// Version of the file it was read from; the [current](super::VERSION) one when writing.
    pub version: u32,
    /// 2 or 3.
    pub dimension: usize,
    /// The name of the scene.
    pub name: String,
    /// The time step (s).
    pub h: f64,
    /// The scene file, as it was, with what it includes.
    pub scene: String,
    /// Distinct shapes, as serde writes those of the geometry crate. Bodies refer to them.
    pub shapes: Vec<Value>,
    /// Names of materials. Bodies refer to them.
    pub materials: Vec<String>,
    /// All bodies, those that appear later included.
    pub bodies: Vec<BodyInfo>,
}

/// A body.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BodyInfo {
    /// Its number, the place in [`RunInfo::bodies`].
    pub id: u32,
    /// Place in [`RunInfo::shapes`].
    pub shape: u32,
    /// Place in [`RunInfo::materials`].
    pub material: u32,
    /// Whether it does not move by itself: fixed or driven.
    pub fixed: bool,
    /// Radius of a sphere or disc; of other shapes the radius of a ball around them (m); 0 for shapes without end.
    pub size: f64,
    /// The point of the shape's own frame that frames call x, the centre of mass (m): a point p of the shape lies at
    /// x + R (p - centre).
    pub centre: [f64; 3],
}

impl RunInfo {
    /// The shape of a body.
    pub fn shape(&self, body: usize) -> &Value {
        self.bodies.get(body).and_then(|b| self.shapes.get(b.shape as usize)).unwrap_or(&Value::Null)
    }

    /// The name of the material of a body.
    pub fn material(&self, body: usize) -> &str {
        self.bodies.get(body).and_then(|b| self.materials.get(b.material as usize)).map_or("", String::as_str)
    }

    /// Stored as JSON, the bodies by columns: a million of them are common.
    pub(super) fn stored(&self, chunks: [usize; 2]) -> Stored {
        Stored {
            dimension: self.dimension,
            name: self.name.clone(),
            h: self.h,
            shapes: self.shapes.clone(),
            materials: self.materials.clone(),
            body_shape: self.bodies.iter().map(|b| b.shape).collect(),
            body_material: self.bodies.iter().map(|b| b.material).collect(),
            body_fixed: self.bodies.iter().map(|b| u8::from(b.fixed)).collect(),
            body_size: self.bodies.iter().map(|b| b.size).collect(),
            body_centre: if self.bodies.iter().all(|b| b.centre == [0.0; 3]) {
                Vec::new()
            } else {
                self.bodies.iter().map(|b| b.centre).collect()
            },
            chunks,
        }
    }

    /// The inverse of [`stored`](Self::stored); `None` when the columns contradict each other.
    pub(super) fn from_stored(version: u32, scene: String, s: Stored) -> Option<Self> {
        let n = s.body_shape.len();
        if [s.body_material.len(), s.body_fixed.len(), s.body_size.len()] != [n; 3] {
            return None;
        }
        let body = |i: usize| BodyInfo {
            id: i as u32,
            shape: s.body_shape[i],
            material: s.body_material[i],
            fixed: s.body_fixed[i] != 0,
            size: s.body_size[i],
            centre: s.body_centre.get(i).copied().unwrap_or_default(),
        };
        let bodies: Vec<BodyInfo> = (0..n).map(body).collect();
        let known =
            |b: &BodyInfo| (b.shape as usize) < s.shapes.len() && (b.material as usize) < s.materials.len().max(1);
        if !(2..=3).contains(&s.dimension) || !bodies.iter().all(known) {
            return None;
        }
        let Stored { dimension, name, h, shapes, materials, .. } = s;
        Some(Self { version, dimension, name, h, scene, shapes, materials, bodies })
    }
}

/// The JSON form.
#[derive(Serialize, Deserialize)]
pub(super) struct Stored {
    pub dimension: usize,
    pub name: String,
    pub h: f64,
    pub shapes: Vec<Value>,
    pub materials: Vec<String>,
    pub body_shape: Vec<u32>,
    pub body_material: Vec<u32>,
    pub body_fixed: Vec<u8>,
    pub body_size: Vec<f64>,
    /// Empty when all are zero.
    pub body_centre: Vec<[f64; 3]>,
    /// Rows of a chunk of bodies, of contacts.
    pub chunks: [usize; 2],
}
