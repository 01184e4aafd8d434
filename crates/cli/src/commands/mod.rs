//! One file a command.

pub mod bench;
pub mod bench_worker;
pub mod check;
pub mod convert;
pub mod demo;
pub mod generate;
pub mod info;
pub mod new;
pub mod render;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod schema;
pub mod solve;
pub mod solvers;
pub mod verify;
pub mod view;
