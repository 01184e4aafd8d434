//! Shapes in the plane.

mod compound;
mod disc_disc;
mod inner_faces;
mod mass;
mod narrow;
mod outline;
mod outline_half_plane;
mod outline_inside_circle;
mod outline_outline;
mod outline_polyline;
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
