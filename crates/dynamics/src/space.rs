//! The plane and space: which shapes a world has, and which problems its contacts make.

use crate::assembly::{ContactStage, Stage};
use crate::error::WorldError;
use crate::rotation::principal_axes;
use stickslip_contact::operator::{DiscContacts, RigidContacts, SphereContacts};
use stickslip_contact::solvers::SolverSpec;
use stickslip_geometry::{detector, plane, space};

/// Volume, centre and principal axes of a shape per unit density.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties<const N: usize> {
    /// Volume (m³), in the plane area (m²).
    pub volume: f64,
    /// Centre of mass in the frame of the shape (m).
    pub centroid: [f64; N],
    /// Principal moments; in the plane the polar one, three times.
    pub moments: [f64; 3],
    /// Principal axes as columns, in the frame of the shape.
    pub axes: [[f64; 3]; 3],
}

/// Which kinds of contact a world can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageKind {
    /// Some pair of materials resists rolling.
    pub rolling: bool,
    /// Everything that moves of itself is a solid ball, in the plane a disc.
    pub balls: bool,
}

/// A dimension: `N` coordinates and `V` velocities a body.
pub trait Space<const N: usize, const V: usize> {
    /// Its shapes.
    type Shape: detector::Shape<N> + Clone + std::fmt::Debug + PartialEq + Send;

    /// Refuses what cannot be a shape.
    fn check(shape: &Self::Shape) -> Result<(), WorldError>;
    /// Mass properties; `None` for shapes without volume.
    fn mass(shape: &Self::Shape) -> Option<MassProperties<N>>;
    /// Radius of a ball around the origin of the shape that holds it.
    fn bounding_radius(shape: &Self::Shape) -> f64;
    /// Whether the shape is a ball around its origin.
    fn is_ball(shape: &Self::Shape) -> bool;
    /// The name of the shape.
    fn name(shape: &Self::Shape) -> &'static str;
    /// The problem that contacts of this kind make, with its solver.
    fn stage(kind: StageKind, solver: &SolverSpec) -> Box<dyn ContactStage<N, V>>;
}

/// Rigid bodies, in the plane (2, 3) and in space (3, 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rigid;

const UPRIGHT_AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Space<2, 3> for Rigid {
    type Shape = plane::Shape;

    fn check(shape: &plane::Shape) -> Result<(), WorldError> {
        shape.check().map_err(|e| WorldError::Shape(e.to_string()))
    }

    fn mass(shape: &plane::Shape) -> Option<MassProperties<2>> {
        let m = shape.mass()?;
        Some(MassProperties { volume: m.area, centroid: m.centroid, moments: [m.inertia; 3], axes: UPRIGHT_AXES })
    }

    fn bounding_radius(shape: &plane::Shape) -> f64 {
        shape.bounding_radius()
    }

    fn is_ball(shape: &plane::Shape) -> bool {
        matches!(shape, plane::Shape::Disc { .. })
    }

    fn name(shape: &plane::Shape) -> &'static str {
        shape.name()
    }

    fn stage(kind: StageKind, solver: &SolverSpec) -> Box<dyn ContactStage<2, 3>> {
        if kind.rolling {
            Box::new(Stage::<2, 3, 3, RigidContacts<2, 3, 3>>::new(solver))
        } else if kind.balls {
            Box::new(Stage::<2, 3, 2, DiscContacts>::new(solver))
        } else {
            Box::new(Stage::<2, 3, 2, RigidContacts<2, 3, 2>>::new(solver))
        }
    }
}

impl Space<3, 6> for Rigid {
    type Shape = space::Shape;

    fn check(shape: &space::Shape) -> Result<(), WorldError> {
        shape.check().map_err(|e| WorldError::Shape(e.to_string()))
    }

    fn mass(shape: &space::Shape) -> Option<MassProperties<3>> {
        let m = shape.mass()?;
        let t = m.inertia;
        let straight = t[0][1] == 0.0 && t[0][2] == 0.0 && t[1][2] == 0.0;
        let (moments, axes) = if straight { ([t[0][0], t[1][1], t[2][2]], UPRIGHT_AXES) } else { principal_axes(&t) };
        Some(MassProperties { volume: m.volume, centroid: m.centroid, moments, axes })
    }

    fn bounding_radius(shape: &space::Shape) -> f64 {
        shape.bounding_radius()
    }

    fn is_ball(shape: &space::Shape) -> bool {
        matches!(shape, space::Shape::Sphere { .. })
    }

    fn name(shape: &space::Shape) -> &'static str {
        shape.name()
    }

    fn stage(kind: StageKind, solver: &SolverSpec) -> Box<dyn ContactStage<3, 6>> {
        if kind.rolling {
            Box::new(Stage::<3, 6, 5, RigidContacts<3, 6, 5>>::new(solver))
        } else if kind.balls {
            Box::new(Stage::<3, 6, 3, SphereContacts>::new(solver))
        } else {
            Box::new(Stage::<3, 6, 3, RigidContacts<3, 6, 3>>::new(solver))
        }
    }
}
