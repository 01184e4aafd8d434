//! stickslip: nonsmooth contact dynamics with hard contact and exact Coulomb friction.
//!
//! One door to all rooms:
//!
//! - [`contact`]: problems, cones, operators, certificates, solvers, generators;
//! - [`geometry`]: shapes and where they touch;
//! - [`dynamics`]: bodies, laws, forces, the time step;
//! - [`io`]: FCLIB and Siconos files, scenes, results, checkpoints;
//! - [`view`]: pages, pictures and reports of results.
//!
//! Build a world and step it:
//!
//! ```
//! use stickslip::dynamics::{Body, Law, Options, World};
//! use stickslip::geometry::space::Shape;
//!
//! // a block on a slope of 20 degrees, held by friction
//! let mut world = World::<3, 6>::new(Options { h: 1e-3, ..Options::default() })?;
//! world.set_law(Law::coulomb(0.5))?;
//! let (s, c) = 20f64.to_radians().sin_cos();
//! world.set_gravity([9.81 * s, 0.0, -9.81 * c])?;
//! world.add(Body::new(Shape::HalfSpace).fixed())?;
//! let block = world.add(Body::new(Shape::Box { half: [0.1, 0.1, 0.05] }).at([0.0, 0.0, 0.05]))?;
//! for _ in 0..100 {
//!     assert!(world.step().certified);
//! }
//! assert!(world.position(block).unwrap()[0].abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Or let a scene file do it, with results that ParaView opens:
//!
//! ```
//! use stickslip::io::{run::{Files, Run}, scene::Scene};
//!
//! let scene = Scene::from_text(
//!     r#"
//!     dimension = 3
//!     time = { h = "1 ms", end = "50 ms" }
//!     body = [{ shape = "half_space", fixed = true }]
//!     heap = [{ radius = "1 cm", base = 3 }]
//!     "#,
//! )?;
//! let folder = tempfile::tempdir()?;
//! let mut run = Run::start(scene, Files::named(&folder.path().join("heap")))?;
//! while !run.is_done() {
//!     run.step()?;
//! }
//! let summary = run.finish()?;
//! assert_eq!((summary.steps, summary.uncertified), (50, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Solve one contact problem, look at the certificate:
//!
//! ```
//! use stickslip::contact::certificate::Measure;
//! use stickslip::contact::generate::SphereLattice;
//! use stickslip::contact::solvers::{Nsgs, Solver, Stop, Unknowns, unwatched};
//!
//! let problem = SphereLattice { nx: 3, ny: 3, nz: 3, ..Default::default() }.spheres()?;
//! let mut x = Unknowns::zeros(&problem);
//! let stop = Stop { tolerance: 1e-10, measure: Measure::Scaled, ..Stop::default() };
//! let report = Nsgs::default().solve(&problem, &mut x, &stop, &mut unwatched());
//! assert!(report.converged() && report.certificate.penetration < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub use stickslip_contact as contact;
pub use stickslip_dynamics as dynamics;
pub use stickslip_geometry as geometry;
pub use stickslip_io as io;
pub use stickslip_view as view;

#[cfg(doctest)]
#[doc = include_str!("../../../book/src/developers.md")]
struct BookDevelopers;

#[cfg(doctest)]
#[doc = include_str!("../../../book/src/scenes.md")]
struct BookScenes;

#[cfg(doctest)]
#[doc = include_str!("../../../book/src/results.md")]
struct BookResults;
