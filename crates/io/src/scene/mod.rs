//! Scenes: TOML files from which a simulation is made.
//!
//! [`SceneFile`] is a file as it is written, key by key; [`Scene`] is what comes of it and of the files it includes, with
//! generators run, names resolved and every number checked. Errors name the file, the line and the key, show the line
//! with a caret, and say what to do.
//!
//! ```
//! use stickslip_io::scene::Scene;
//!
//! let scene = Scene::from_text(
//!     r#"
//!     dimension = 3
//!     time = { h = "1 ms", end = "0.2 s" }
//!     body = [
//!         { shape = "half_space", fixed = true },
//!         { shape.sphere.radius = "5 cm", at = [0, 0, "10 cm"] },
//!     ]
//!     "#,
//! )?;
//! assert_eq!((scene.bodies.len(), scene.steps), (2, 200));
//!
//! let wrong = Scene::from_text("dimension = 3\nbody = [{ shape.sphere.radus = 1 }]").unwrap_err();
//! assert!(wrong.to_string().contains("did you mean 'radius'?"));
//! # Ok::<(), stickslip_io::scene::SceneError>(())
//! ```

mod body;
pub mod check;
mod drive;
mod error;
mod explain;
mod fault;
mod file;
mod force;
pub mod generators;
mod placement;
mod plan;
mod quantity;
mod reference;
mod resolve;
mod shape;
mod source;
mod unit;
mod world;

pub use body::BodyEntry;
pub use drive::{DriveEntry, SineEntry, SwingEntry, TableEntry};
pub use error::SceneError;
pub use file::*;
pub use force::{ForceEntry, Moment};
pub use placement::Quaternion;
pub use plan::{Course, Entry, Motion, Outlet, Output, PlannedBody, PlannedForce, Scene};
pub use quantity::*;
pub use reference::reference;
pub use shape::{PartEntry, Shape, ShapeEntry};
pub use world::Build;

use std::path::Path;

impl Scene {
    /// Reads a scene file and what it includes.
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        resolve::resolve(&source::read(path)?)
    }

    /// A scene given as text.
    pub fn from_text(text: &str) -> Result<Self, SceneError> {
        resolve::resolve(&source::from_text(text)?)
    }
}

/// The JSON Schema of scene files, for editors.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(SceneFile).into()
}
