//! Shapes as a scene writes them.

use super::fault::{Fault, positive};
use super::placement::{Placement, matrix};
use super::quantity::{Angle, Length, Number, values};
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::TAU;
use std::sync::Arc;
use stickslip_contact::generate::Random;
use stickslip_geometry::{Pose, ShapeError, plane, space};

/// A shape: one of these words, with its keys in braces.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ShapeEntry {
    /// A disc (plane).
    Disc {
        /// Its radius.
        radius: Length,
    },
    /// A ball (space).
    Sphere {
        /// Its radius.
        radius: Length,
    },
    /// A rectangle or a cuboid around its centre.
    Box {
        /// Its edges, a length per axis.
        size: Vec<Length>,
    },
    /// All within a radius of a segment, which lies along the first axis in the plane and along the last in space.
    Capsule {
        /// Length of the segment.
        length: Length,
        /// The radius.
        radius: Length,
    },
    /// A cylinder along the last axis (space).
    Cylinder {
        /// Its height.
        height: Length,
        /// Its radius.
        radius: Length,
    },
    /// A convex polygon (plane).
    Polygon {
        /// Its corners in order.
        vertices: Vec<[Length; 2]>,
    },
    /// A convex polyhedron (space): the hull of its corners.
    Polyhedron {
        /// Its corners.
        vertices: Vec<[Length; 3]>,
    },
    /// All below y = 0 (plane): a floor; "normal" of the body turns it.
    HalfPlane,
    /// All below z = 0 (space): a floor; "normal" of the body turns it.
    HalfSpace,
    /// A segment without thickness (plane); fixed or driven.
    Segment {
        /// One end.
        a: [Length; 2],
        /// The other end.
        b: [Length; 2],
    },
    /// A chain of segments (plane); fixed or driven.
    Polyline {
        /// Its corners in order.
        vertices: Vec<[Length; 2]>,
        /// Whether the last is joined to the first. Default: false.
        #[serde(default)]
        closed: bool,
    },
    /// The inside of a circle (plane): a drum; fixed or driven.
    InsideCircle {
        /// Its radius.
        radius: Length,
    },
    /// The inside of a cylinder along the last axis (space): a drum or a tube; fixed or driven.
    InsideCylinder {
        /// Its radius.
        radius: Length,
        /// Its height; without it the tube has no end.
        height: Option<Length>,
    },
    /// The inside of a box (space): a container; fixed or driven.
    InsideBox {
        /// Its edges.
        size: [Length; 3],
    },
    /// Triangles (space); fixed or driven.
    Mesh {
        /// The corners.
        vertices: Vec<[Length; 3]>,
        /// Three numbers of corners each, from 0, all winding in the same sense.
        triangles: Vec<[u32; 3]>,
    },
    /// Terrain by a table of heights (space), from a corner at its origin; fixed or driven.
    HeightField {
        /// Rows of heights: row j, column i lies at (i dx, j dy).
        heights: Vec<Vec<Length>>,
        /// Distance of columns dx and of rows dy.
        spacing: [Length; 2],
    },
    /// Terrain of smooth hills (space): from a corner at its origin along the first and the second axis; fixed or driven.
    Hills {
        /// Length and width.
        size: [Length; 2],
        /// Cells along each.
        cells: [u32; 2],
        /// Height of the hills above and below zero.
        amplitude: Length,
        /// Distance from hill to hill.
        wavelength: Length,
        /// Seed of their places. Default: 0.
        #[serde(default)]
        seed: u64,
    },
    /// Shapes glued together.
    Compound {
        /// The shapes, each with its place in the compound.
        parts: Vec<PartEntry>,
    },
}

/// A part of a compound.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PartEntry {
    /// Its shape.
    pub shape: ShapeEntry,
    /// Its position in the compound, a length per axis. Default: the origin.
    pub at: Option<Vec<Length>>,
    /// Angle of rotation; in space about "axis".
    pub angle: Option<Angle>,
    /// Axis of the rotation, in space. Default: the last axis.
    pub axis: Option<Vec<Number>>,
}

/// A shape of either dimension.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Of the plane.
    Plane(plane::Shape),
    /// Of space.
    Space(space::Shape),
}

/// Most numbers in a generated terrain.
const MOST_CELLS: u64 = 4_000_000;
/// Compounds of compounds go no deeper.
const DEEPEST: usize = 8;

impl ShapeEntry {
    /// The shape, checked.
    pub(crate) fn resolve(&self, dimension: usize) -> Result<Shape, Fault> {
        if dimension == 2 { self.plane(0).map(Shape::Plane) } else { self.space(0).map(Shape::Space) }
    }

    /// The word of the file.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Disc { .. } => "disc",
            Self::Sphere { .. } => "sphere",
            Self::Box { .. } => "box",
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Polygon { .. } => "polygon",
            Self::Polyhedron { .. } => "polyhedron",
            Self::HalfPlane => "half_plane",
            Self::HalfSpace => "half_space",
            Self::Segment { .. } => "segment",
            Self::Polyline { .. } => "polyline",
            Self::InsideCircle { .. } => "inside_circle",
            Self::InsideCylinder { .. } => "inside_cylinder",
            Self::InsideBox { .. } => "inside_box",
            Self::Mesh { .. } => "mesh",
            Self::HeightField { .. } => "height_field",
            Self::Hills { .. } => "hills",
            Self::Compound { .. } => "compound",
        }
    }

    fn plane(&self, depth: usize) -> Result<plane::Shape, Fault> {
        let word = self.word();
        let shape = match self {
            Self::Disc { radius } => plane::Shape::Disc { radius: radius.0 },
            Self::Box { size } => plane::Shape::Box { half: halves(size).map_err(|e| e.under("size").under(word))? },
            Self::Capsule { length, radius } => plane::Shape::Capsule { half_length: 0.5 * length.0, radius: radius.0 },
            Self::Polygon { vertices } => plane::Shape::Polygon(wrap(plane::Polygon::new(points(vertices)), word)?),
            Self::HalfPlane => plane::Shape::HalfPlane,
            Self::Segment { a, b } => plane::Shape::Segment { a: a.map(|x| x.0), b: b.map(|x| x.0) },
            Self::Polyline { vertices, closed } => {
                plane::Shape::Polyline(wrap(plane::Polyline::new(points(vertices), *closed), word)?)
            }
            Self::InsideCircle { radius } => plane::Shape::InsideCircle { radius: radius.0 },
            Self::Compound { parts } => {
                let part = |p: &PartEntry| {
                    let (x, q) = p.placement().resolve(2)?;
                    let r = matrix(&q);
                    let pose = Pose { x: [x[0], x[1]], rotation: [[r[0][0], r[0][1]], [r[1][0], r[1][1]]] };
                    let shape = p.shape.plane(depth + 1).map_err(|e| e.under("shape"))?;
                    Ok(plane::Part { pose, shape })
                };
                plane::Shape::Compound(wrap(plane::Compound::new(glue(parts, depth, part)?), word)?)
            }
            _ => return Err(Fault::new(format!("a scene in the plane (dimension = 2) has no {word}{}", advice(word)))),
        };
        wrap(shape.check(), word)?;
        Ok(shape)
    }

    fn space(&self, depth: usize) -> Result<space::Shape, Fault> {
        let word = self.word();
        let shape = match self {
            Self::Sphere { radius } => space::Shape::Sphere { radius: radius.0 },
            Self::Box { size } => space::Shape::Box { half: halves(size).map_err(|e| e.under("size").under(word))? },
            Self::Capsule { length, radius } => space::Shape::Capsule { half_length: 0.5 * length.0, radius: radius.0 },
            Self::Cylinder { height, radius } => {
                space::Shape::Cylinder { half_length: 0.5 * height.0, radius: radius.0 }
            }
            Self::Polyhedron { vertices } => {
                space::Shape::Polyhedron(Arc::new(wrap(space::Polyhedron::hull(&points(vertices)), word)?))
            }
            Self::HalfSpace => space::Shape::HalfSpace,
            Self::InsideCylinder { radius, height } => {
                space::Shape::InsideCylinder { radius: radius.0, half_length: height.map(|h| 0.5 * h.0) }
            }
            Self::InsideBox { size } => space::Shape::InsideBox { half: size.map(|x| 0.5 * x.0) },
            Self::Mesh { vertices, triangles } => {
                space::Shape::Mesh(Arc::new(wrap(space::Mesh::new(points(vertices), triangles.clone()), word)?))
            }
            Self::HeightField { heights, spacing } => {
                let rows = heights.iter().map(|row| values(row)).collect();
                let field = wrap(space::HeightField::new(rows, spacing.map(|x| x.0)), word)?;
                space::Shape::HeightField(Arc::new(field))
            }
            Self::Hills { .. } => self.hills()?,
            Self::Compound { parts } => {
                let part = |p: &PartEntry| {
                    let (x, q) = p.placement().resolve(3)?;
                    let pose = Pose { x, rotation: matrix(&q) };
                    let shape = p.shape.space(depth + 1).map_err(|e| e.under("shape"))?;
                    Ok(space::Part { pose, shape })
                };
                space::Shape::Compound(wrap(space::Compound::new(glue(parts, depth, part)?), word)?)
            }
            _ => return Err(Fault::new(format!("a scene in space (dimension = 3) has no {word}{}", advice(word)))),
        };
        wrap(shape.check(), word)?;
        Ok(shape)
    }

    /// A terrain of four waves with random directions and phases.
    fn hills(&self) -> Result<space::Shape, Fault> {
        let Self::Hills { size, cells, amplitude, wavelength, seed } = self else {
            return Err(Fault::new("not a terrain"));
        };
        let under = |e: Fault| e.under("hills");
        let length = positive("wavelength", wavelength.0).map_err(under)?;
        let [lx, ly] = [size[0].0, size[1].0];
        positive("size", lx.min(ly)).map_err(under)?;
        let [nx, ny] = cells.map(u64::from);
        if nx == 0 || ny == 0 || nx.saturating_mul(ny) > MOST_CELLS {
            let fault = format!("{nx} x {ny} cells; take at least one each way and at most {MOST_CELLS} in all");
            return Err(under(Fault::new(fault).under("cells")));
        }
        let mut dice = Random::new(*seed);
        let waves: [[f64; 3]; 4] = std::array::from_fn(|_| {
            let (s, c) = (TAU * dice.uniform()).sin_cos();
            [c * TAU / length, s * TAU / length, TAU * dice.uniform()]
        });
        let spacing = [lx / nx as f64, ly / ny as f64];
        let height = |i: u64, j: u64| {
            let (x, y) = (i as f64 * spacing[0], j as f64 * spacing[1]);
            0.25 * amplitude.0 * waves.iter().map(|w| (w[0] * x + w[1] * y + w[2]).sin()).sum::<f64>()
        };
        let rows = (0..=ny).map(|j| (0..=nx).map(|i| height(i, j)).collect()).collect();
        let field = wrap(space::HeightField::new(rows, spacing), "hills")?;
        Ok(space::Shape::HeightField(Arc::new(field)))
    }
}

impl PartEntry {
    fn placement(&self) -> Placement<'_> {
        Placement { at: self.at.as_deref(), angle: self.angle, axis: self.axis.as_deref(), ..Placement::default() }
    }
}

fn glue<P>(parts: &[PartEntry], depth: usize, part: impl Fn(&PartEntry) -> Result<P, Fault>) -> Result<Vec<P>, Fault> {
    if depth >= DEEPEST {
        return Err(Fault::new(format!("compounds lie inside each other more than {DEEPEST} deep; join them")));
    }
    let one =
        |(k, p): (usize, &PartEntry)| part(p).map_err(|e| e.under(k.to_string()).under("parts").under("compound"));
    parts.iter().enumerate().map(one).collect()
}

fn halves<const N: usize>(size: &[Length]) -> Result<[f64; N], Fault> {
    match <[Length; N]>::try_from(size) {
        Ok(size) => Ok(size.map(|x| 0.5 * x.0)),
        Err(_) => Err(Fault::new(format!("{} lengths found, {N} needed: one per axis of the scene", size.len()))),
    }
}

fn points<const N: usize>(x: &[[Length; N]]) -> Vec<[f64; N]> {
    x.iter().map(|p| p.map(|x| x.0)).collect()
}

fn wrap<T>(made: Result<T, ShapeError>, word: &str) -> Result<T, Fault> {
    made.map_err(|e| Fault::new(e.to_string()).under(word))
}

/// What to take instead in the other dimension.
fn advice(word: &str) -> &'static str {
    match word {
        "disc" => "; take a sphere",
        "sphere" => "; take a disc",
        "half_plane" => "; take a half_space",
        "half_space" => "; take a half_plane",
        "polygon" => "; take a polyhedron",
        "polyhedron" => "; take a polygon",
        "inside_circle" => "; take an inside_cylinder",
        "inside_cylinder" => "; take an inside_circle",
        "mesh" | "height_field" | "hills" | "inside_box" => "; take a polyline",
        "polyline" | "segment" => "; take a mesh",
        _ => "; take a box",
    }
}

impl Shape {
    /// Radius of a ball around the origin of the shape that holds it (m); infinite for shapes without end.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Self::Plane(s) => s.bounding_radius(),
            Self::Space(s) => s.bounding_radius(),
        }
    }

    /// Whether it has a volume, or in the plane an area.
    pub fn is_solid(&self) -> bool {
        match self {
            Self::Plane(s) => s.is_solid(),
            Self::Space(s) => s.is_solid(),
        }
    }

    /// Its volume (m³), in the plane its area (m²).
    pub fn volume(&self) -> Option<f64> {
        match self {
            Self::Plane(s) => s.mass().map(|m| m.area),
            Self::Space(s) => s.mass().map(|m| m.volume),
        }
    }

    /// Its centre of mass in its own frame (m); z = 0 in the plane.
    pub fn centroid(&self) -> [f64; 3] {
        match self {
            Self::Plane(s) => s.mass().map_or([0.0; 3], |m| [m.centroid[0], m.centroid[1], 0.0]),
            Self::Space(s) => s.mass().map_or([0.0; 3], |m| m.centroid),
        }
    }

    /// As stored in results: the serde form of the geometry crate.
    pub fn to_json(&self) -> serde_json::Value {
        let json = match self {
            Self::Plane(s) => serde_json::to_value(s),
            Self::Space(s) => serde_json::to_value(s),
        };
        json.unwrap_or_default()
    }
}
