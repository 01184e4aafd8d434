//! Shapes in space.

mod box_box;
mod box_face;
mod compound;
mod convex_hull;
mod cylinder;
mod cylinder_convex;
mod cylinder_inside_cylinder;
mod cylinder_mesh;
mod cylinder_plane;
mod face_clip;
mod gjk;
mod height_field;
mod hull;
mod hull_hull;
mod hull_inside_cylinder;
mod hull_mesh;
mod hull_plane;
mod inner_faces;
mod mass;
mod mesh;
mod narrow;
mod polyhedron;
mod reduce;
mod segment_segment;
mod shape;
mod sphere_box;
mod sphere_sphere;
mod topology;

pub use compound::{Compound, Part};
pub use height_field::HeightField;
pub use mass::Mass;
pub use mesh::Mesh;
pub use polyhedron::Polyhedron;
pub use shape::Shape;
pub use topology::{Edge, Topology};

/// Finds the contacts of bodies in space.
pub type Detector = crate::detector::Detector<3, Shape>;

/// Two unit vectors that complete the unit vector `n` to a right-handed frame $(u, v, n)$.
///
/// # Reference
///
/// Duff et al. 2017, Building an orthonormal basis, revisited: no branch but a sign, accurate everywhere.
pub fn tangents(n: &[f64; 3]) -> [[f64; 3]; 2] {
    let s = 1.0f64.copysign(n[2]);
    let a = -1.0 / (s + n[2]);
    let b = n[0] * n[1] * a;
    [[1.0 + s * n[0] * n[0] * a, s * b, -s * n[0]], [b, s + n[1] * n[1] * a, -n[1]]]
}
