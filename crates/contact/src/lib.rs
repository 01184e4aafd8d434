//! The algebra of frictional contact. This crate knows no bodies, shapes or files.
//!
//! # The problem
//!
//! Given $W$ (symmetric positive semidefinite), $q$ and one coefficient $\mu$ a contact, find impulses $r$ and
//! relative velocities $u$ with
//! $$ u = W r + q, \qquad K^* \ni u + \mu \|u_T\| N \perp r \in K = \\{ r : \|r_T\| \le \mu r_N \\} $$
//! at every contact [D, problem 2]. Component 0 is normal, $u_N > 0$ separates. The global form, with
//! $W = H^\top M^{-1} H$, is [`problem::GlobalProblem`].
//!
//! # The rooms
//!
//! - [`matrix`]: dense, triplet, CSR, CSC; [`mass`] and [`cholesky`] invert M;
//! - [`cone`]: Coulomb, rolling, Tresca, frictionless, bilateral; projection and natural map;
//! - [`problem`]: the two formulations, validation, condensing;
//! - [`operator`]: W assembled or matrix-free;
//! - [`certificate`]: how good an answer is, recomputed from r alone;
//! - [`one_contact`]: solvers of a single contact;
//! - [`solvers`]: solvers of the whole problem, and their catalogue;
//! - [`lcp`], [`qp`]: linear complementarity and quadratic programs, dense;
//! - [`multigrid`]: smoothed aggregation for `M + rho H H^T`;
//! - [`contact_system`], [`block_lu`]: the linear systems of second-order methods, by contacts or by bodies;
//! - [`spectrum`]: rank and conditioning of W;
//! - [`generate`]: reproducible synthetic problems.
//!
//! # Example
//!
//! ```
//! use stickslip_contact::{cone::Cone, operator::BlockCsr, problem::LocalProblem};
//! use stickslip_contact::solvers::{Nsgs, Solver, Stop, Unknowns, unwatched};
//!
//! // a unit mass falling and sliding onto a floor: W = I, q = velocity without contact
//! let w = BlockCsr::new(vec![0, 1], vec![0], vec![[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]])?;
//! let problem = LocalProblem::new(w, vec![[-1.0, 3.0, 0.0]], vec![Cone::Coulomb { mu: 0.5 }])?;
//! let mut x = Unknowns::zeros(&problem);
//! let report = Nsgs::default().solve(&problem, &mut x, &Stop::default(), &mut unwatched());
//! assert!(report.converged());
//! // the floor stops the fall and takes mu times as much off the sliding
//! assert!((x.r[0][0] - 1.0).abs() < 1e-12 && (x.u[0][1] - 2.5).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod block;
pub mod block_lu;
pub mod certificate;
pub mod cholesky;
pub mod cone;
pub mod contact_system;
mod envelope;
pub mod generate;
pub mod lcp;
pub mod mass;
pub mod matrix;
pub mod multigrid;
pub mod named;
pub mod names;
pub mod one_contact;
pub mod operator;
pub mod problem;
pub mod qp;
pub mod range;
pub mod solvers;
pub mod spectrum;
mod wide;
