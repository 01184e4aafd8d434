//! stickslip: nonsmooth contact dynamics with hard contact and exact Coulomb friction.
//!
//! One door to all rooms:
//!
//! - [`contact`]: problems, cones, operators, certificates, solvers, generators;
//! - [`io`]: FCLIB and Siconos files.
//!
//! Open a file, solve it, look at the certificate:
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
pub use stickslip_io as io;

#[cfg(doctest)]
#[doc = include_str!("../../../book/src/developers.md")]
struct BookDevelopers;
