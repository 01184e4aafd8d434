//! Shapes in the plane and in space, and where they touch. This crate knows no mechanics.
//!
//! # The rooms
//!
//! - [`vector`], [`Pose`], [`Bounds`]: points, frames, boxes, for both dimensions;
//! - [`plane`]: discs, polygons, boxes, capsules, half-planes, polylines, drums, compounds;
//! - [`space`]: spheres, boxes, capsules, cylinders, polyhedra, half-spaces, meshes, height fields, drums, compounds;
//! - [`cell_list`], [`pairs`], [`tree`]: which bodies are near each other;
//! - [`Detector`]: from poses to [`Contact`]s.
//!
//! # Scale
//!
//! No length is written into this crate. The same scene in millimetres, metres and kilometres has the same contacts.
//!
//! # Example
//!
//! ```
//! use stickslip_geometry::{Pose, space::{Detector, Shape}};
//!
//! // a ball 1 mm above a floor
//! let shapes = [Shape::Sphere { radius: 0.5 }, Shape::HalfSpace];
//! let poses = [Pose::at([0.0, 0.0, 0.501]), Pose::at([0.0; 3])];
//! let mut contacts = Vec::new();
//! Detector::new().detect(&shapes, &poses, &[0.01, 0.0], &[true, false], &[], &mut contacts);
//! assert_eq!(contacts.len(), 1);
//! assert_eq!(contacts[0].normal, [0.0, 0.0, 1.0]);
//! assert!((contacts[0].gap - 0.001).abs() < 1e-15);
//! ```

#![forbid(unsafe_code)]

pub mod bounds;
pub mod cell_list;
pub mod contact;
pub mod detector;
pub mod error;
mod near;
pub mod pairs;
pub mod plane;
pub mod pose;
pub mod space;
pub mod tree;
pub mod vector;

pub use bounds::Bounds;
pub use contact::{Contact, Sink};
pub use detector::Detector;
pub use error::ShapeError;
pub use pose::Pose;

#[cfg(doctest)]
#[doc = include_str!("../../../book/src/shapes.md")]
struct BookShapes;
