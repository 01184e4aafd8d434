//! One file a command.

pub mod bench;
pub mod bench_worker;
pub mod convert;
pub mod demo;
pub mod generate;
pub mod info;
pub mod solve;
pub mod solvers;
pub mod verify;
