//! Rigid bodies with hard contact, Coulomb friction and impacts, in the plane and in space.
//!
//! A [`World`] holds [`Bodies`], [`Laws`] and forces, and advances by [`World::step`]: free motion, contact detection,
//! one contact problem solved and certified, impulses, positions, and the energy [`Ledger`].
//!
//! # The rooms
//!
//! - [`bodies`], [`drive`], [`forces`], [`exchange`]: what moves, what is moved, what pulls, what comes and goes;
//! - [`laws`]: one law of contact a file;
//! - `integrator`: the theta scheme of Moreau and Jean, and free rotation;
//! - `assembly`, `warm_start`, `outcome`: from contacts to a problem of [`stickslip_contact`] and back, and what it came to;
//! - [`soft_sphere`]: soft contacts after Cundall, for comparison;
//! - [`snapshot`]: the state, stored and restored to the bit;
//! - [`ledger`], [`report`]: energies and the account of a step;
//! - [`dump`]: the problem of a step in the global form.

#![forbid(unsafe_code)]

mod assembly;
pub mod bodies;
pub mod contact_state;
pub mod drive;
pub mod dump;
pub mod error;
pub mod exchange;
pub mod forces;
mod integrator;
pub mod laws;
pub mod ledger;
pub mod options;
mod outcome;
pub mod report;
pub mod rotation;
pub mod snapshot;
pub mod soft_sphere;
pub mod space;
mod step;
mod warm_start;
pub mod world;

pub use bodies::{Bodies, Body, BodyId, Motion};
pub use contact_state::ContactState;
pub use drive::{Drive, Profile};
pub use dump::Failure;
pub use error::WorldError;
pub use exchange::Region;
pub use forces::{Anchor, Force};
pub use laws::{Law, Laws, Material};
pub use ledger::{EnergyAlarm, Ledger};
pub use options::{Activation, Engine, OnFailure, Options, Stabilisation};
pub use report::{Phases, StepReport};
pub use snapshot::Snapshot;
pub use soft_sphere::SoftSphere;
pub use space::{Rigid, Space};
pub use stickslip_geometry as geometry;
pub use world::World;
