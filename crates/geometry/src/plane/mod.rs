//! Shapes in the plane.

mod compound;
mod mass;
mod narrow;
mod polygon;
mod polyline;
mod shape;

pub use compound::{Compound, Part};
pub use mass::Mass;
pub use polygon::Polygon;
pub use polyline::Polyline;
pub use shape::Shape;

/// Finds the contacts of bodies in the plane.
pub type Detector = crate::detector::Detector<2, Shape>;
