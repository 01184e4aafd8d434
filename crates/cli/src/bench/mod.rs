//! `stickslip bench`: every solver on every file, one measure, one clock, and the pictures that follow from it.
//!
//! A straight line:
//! ```text
//! files x solvers x tolerances x starts (grid) -> a worker process a solver (worker, serve, peer) -> r
//!   -> our certificate (case) -> a row of results.csv (record) -> profile, growth, summary -> SVG (figures) -> HTML (page)
//! ```

pub mod case;
pub mod chart;
pub mod classes;
pub mod clock;
pub mod figures;
pub mod grid;
pub mod growth;
pub mod page;
pub mod peer;
pub mod profile;
pub mod record;
pub mod runner;
pub mod serve;
pub mod summary;
pub mod table;
pub mod worker;
