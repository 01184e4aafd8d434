//! A scene file as it is written. Every key is here, with its documentation; the schema and the reference are made from
//! it.

use super::body::BodyEntry;
use super::force::ForceEntry;
use super::generators::{Arch, Deposit, Heap, Lattice, Tower, Wall};
use super::quantity::{Acceleration, Density, Length, Number, Stiffness, Time};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A scene of stickslip: bodies, materials, laws, forces, and how to step and store them.
///
/// Numbers are in SI units. Instead of a number, a text with a unit may be given: "5 mm", "30 deg", "6 rpm",
/// "2.5 g/cm3".
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SceneFile {
    /// A name, for titles. Default: the name of the file.
    pub name: Option<String>,
    /// 2 for the plane, 3 for space. Needed once.
    pub dimension: Option<u8>,
    /// Files whose content is taken in first, relative to this one. Lists are joined; single values here overrule theirs.
    #[serde(default)]
    pub include: Vec<String>,
    /// The acceleration of gravity, a number per axis. Default: 9.81 m/s2 against the last axis.
    pub gravity: Option<Vec<Acceleration>>,
    /// Refuse scenes with more bodies than this. Default: 200000.
    pub max_bodies: Option<u32>,
    /// Time and scheme.
    pub time: Option<TimeEntry>,
    /// The solver of each step and its tolerance.
    pub solver: Option<SolverEntry>,
    /// What is written, and how often.
    pub output: Option<OutputEntry>,
    /// A box; bodies that move by forces are taken away when their centre leaves it. Default: none.
    pub outlet: Option<OutletEntry>,
    /// Materials by name. Without any, all bodies are of "default".
    #[serde(default)]
    pub material: BTreeMap<String, MaterialEntry>,
    /// Laws of contact between pairs of materials. Later ones overrule earlier ones.
    #[serde(default)]
    pub law: Vec<LawEntry>,
    /// Bodies, one by one.
    #[serde(default)]
    pub body: Vec<BodyEntry>,
    /// Equal bodies in rows, columns and layers.
    #[serde(default)]
    pub lattice: Vec<Lattice>,
    /// Bodies of random size, place and orientation, layer upon layer, ready to fall.
    #[serde(default)]
    pub deposit: Vec<Deposit>,
    /// Walls of bricks in running bond.
    #[serde(default)]
    pub wall: Vec<Wall>,
    /// Towers of planks, laid crosswise level by level.
    #[serde(default)]
    pub tower: Vec<Tower>,
    /// Arches of voussoirs.
    #[serde(default)]
    pub arch: Vec<Arch>,
    /// Heaps of balls or discs, each in the hollow of those below.
    #[serde(default)]
    pub heap: Vec<Heap>,
    /// Forces besides gravity.
    #[serde(default)]
    pub force: Vec<ForceEntry>,
}

/// Time and scheme.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeEntry {
    /// The time step. Default: 1 ms.
    pub h: Option<Time>,
    /// When the simulation ends. Default: 1 s.
    pub end: Option<Time>,
    /// Weight of the end of the step, 0.5 to 1. Default: 0.5.
    pub theta: Option<Number>,
    /// When contacts take part. Default: "speculative".
    pub activation: Option<ActivationEntry>,
    /// What is done about overlaps. Default: { push = { beta = 0.2 } }.
    pub stabilisation: Option<StabilisationEntry>,
    /// What is done when a step does not certify. Default: "continue".
    pub on_failure: Option<OnFailureEntry>,
    /// Soft contacts after Cundall in place of hard ones, for comparison; friction and restitution come from the laws.
    pub soft_sphere: Option<SoftSphereEntry>,
}

/// Stiffnesses of soft contacts.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SoftSphereEntry {
    /// Normal stiffness.
    pub k_n: Stiffness,
    /// Tangential stiffness. Default: 2/7 of the normal one.
    pub k_t: Option<Stiffness>,
}

/// When contacts take part in a step.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ActivationEntry {
    /// Contacts that may close within the step take part with their gap in the law: they close exactly.
    Speculative,
    /// Moreau-Jean to the letter: contacts whose predicted gap is not positive.
    Predicted {
        /// Where in the step the gap is predicted, 0 to 1; 0.5 is usual.
        gamma: Number,
    },
}

/// What is done about overlaps.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum StabilisationEntry {
    /// Nothing: overlaps are measured and reported.
    None,
    /// An overlap asks for a velocity that closes a part of it in each step.
    Push {
        /// That part, 0 to 1.
        beta: Number,
    },
    /// Positions are projected after each step.
    Project,
}

/// What is done when a step does not certify.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum OnFailureEntry {
    /// Go on with the best impulses found; the step is counted and shown.
    Continue,
    /// Take the step again as two halves, each of them again if need be.
    Halve {
        /// Most halvings of a step.
        times: u32,
    },
    /// End the simulation.
    Stop,
}

/// The solver of each step.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolverEntry {
    /// A solver as 'stickslip solvers' lists them, with options in braces: "nsgs{omega=1.2}". Default: "auto".
    pub name: Option<String>,
    /// The certified error of every step. Default: 1e-4.
    pub tolerance: Option<Number>,
    /// The measure of that error: "scaled", "force", "fclib", "siconos" or "eps_glob". Default: "scaled".
    pub measure: Option<MeasureEntry>,
    /// Most iterations a step. Default: 10000.
    pub max_iterations: Option<u32>,
    /// Whether a step starts from the impulses of the last one. Default: true.
    pub warm_start: Option<bool>,
}

/// The measure of an error.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MeasureEntry {
    /// Free of units.
    Scaled,
    /// Free of units, over the larger of the free velocities and those that the impulses make: for piles.
    Force,
    /// That of the published FCLIB comparisons.
    Fclib,
    /// That of Siconos.
    Siconos,
    /// That of Barboteu and Dumont, in units of velocity and power.
    EpsGlob,
}

/// What is written, and how often.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutputEntry {
    /// Time between frames. Default: a hundredth of the simulation.
    pub every: Option<Time>,
    /// Time between lines of the ledger. Default: a line a step.
    pub ledger: Option<Time>,
    /// Whether frames hold the contacts. Default: true.
    pub contacts: Option<bool>,
    /// Steps between checkpoints. Default: as many as take about ten seconds.
    pub checkpoint_steps: Option<u32>,
}

/// A box along the axes that bodies leave for good. One of its corners may be left out: then it has no end that way.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutletEntry {
    /// Its lowest corner, a length per axis. Default: no end.
    pub low: Option<Vec<Length>>,
    /// Its highest corner, a length per axis. Default: no end.
    pub high: Option<Vec<Length>>,
}

/// A material.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialEntry {
    /// Mass per volume; in the plane bodies are one metre thick. Default: 1000 kg/m3.
    pub density: Option<Density>,
}

/// The law of a pair of materials: exactly one of coulomb, frictionless, rolling, glued.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LawEntry {
    /// The two materials; without them the law holds for all pairs that have none of their own.
    pub between: Option<[String; 2]>,
    /// Coulomb friction.
    pub coulomb: Option<CoulombEntry>,
    /// No friction.
    pub frictionless: Option<FrictionlessEntry>,
    /// Coulomb friction with resistance to rolling and spinning.
    pub rolling: Option<RollingEntry>,
    /// No relative motion at all.
    pub glued: Option<GluedEntry>,
}

/// Coulomb friction.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoulombEntry {
    /// Coefficient of friction.
    pub mu: Number,
    /// Newton's coefficient of normal restitution, 0 to 1. Default: 0.
    #[serde(default)]
    pub e_n: Number,
    /// Coefficient of tangential restitution, 0 to 1. Default: 0.
    #[serde(default)]
    pub e_t: Number,
}

/// No friction.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrictionlessEntry {
    /// Newton's coefficient of normal restitution, 0 to 1. Default: 0.
    #[serde(default)]
    pub e_n: Number,
}

/// Coulomb friction with resistance to rolling and spinning.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RollingEntry {
    /// Coefficient of friction.
    pub mu: Number,
    /// Coefficient of rolling friction, a length.
    pub mu_r: Length,
    /// Coefficient of spinning friction, a length. Default: 0.
    #[serde(default)]
    pub mu_s: Length,
    /// Newton's coefficient of normal restitution, 0 to 1. Default: 0.
    #[serde(default)]
    pub e_n: Number,
    /// Coefficient of tangential restitution, 0 to 1. Default: 0.
    #[serde(default)]
    pub e_t: Number,
}

/// No relative motion.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GluedEntry {}
