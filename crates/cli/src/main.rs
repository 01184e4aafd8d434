//! The `stickslip` program: scenes simulated; frictional contact problems read, certified and solved.
//!
//! Exit codes: 0 done (and converged), 2 not converged or a bench interrupted, 1 bad input, 130 a run interrupted.

#![forbid(unsafe_code)]

mod appended;
mod bench;
mod commands;
mod explain;
mod history;
mod interrupt;
mod job;
mod lcp;
mod options;
mod plot;
mod progress;
mod reproduce;
mod run_bar;
mod say;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Nonsmooth contact dynamics: hard contact, exact Coulomb friction, certified.
#[derive(Parser)]
#[command(name = "stickslip", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write a commented scene to start from
    New(commands::new::Arguments),
    /// Look at a scene before it runs: overlaps, step, masses, units
    Check(commands::check::Arguments),
    /// Simulate a scene
    Run(commands::run::Arguments),
    /// Print the JSON Schema of scene files, for editors
    Schema(commands::schema::Arguments),
    /// Look at a result: one page that opens in any browser
    View(commands::view::Arguments),
    /// Write a page about a result: summary, curves, pictures
    Report(commands::report::Arguments),
    /// Draw frames of a result as PNG or SVG, without a browser
    Render(commands::render::Arguments),
    /// Tell what is in a problem file, and what is odd about it
    Info(commands::info::Arguments),
    /// Solve problems and certify the answers
    Solve(commands::solve::Arguments),
    /// Certify the solution stored in a file, whoever computed it
    Verify(commands::verify::Arguments),
    /// Convert between file formats, and between the global and the local form
    Convert(commands::convert::Arguments),
    /// Write a reproducible synthetic problem
    Generate(commands::generate::Arguments),
    /// List the solvers, or explain one
    Solvers(commands::solvers::Arguments),
    /// Run solvers on files and compare them: tables, performance profiles, one page with all of it
    Bench(commands::bench::Arguments),
    /// The process in which a bench solves
    #[command(hide = true)]
    BenchWorker,
    /// Run the experiments of the papers, with their figures beside ours
    Reproduce(commands::reproduce::Arguments),
    /// Generate, solve and certify a packing and a wall, and draw the convergence
    Demo(commands::demo::Arguments),
}

/// What a command that ran to its end has to say to the shell.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All well.
    Done,
    /// An answer did not reach its tolerance.
    NotConverged,
    /// The user asked to stop.
    Interrupted,
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(e) => {
            // clap writes help to stdout and errors to stderr; a wrong word is bad input
            let code = if e.use_stderr() { 1 } else { 0 };
            _ = e.print();
            return ExitCode::from(code);
        }
    };
    let result = match arguments.command {
        Command::New(a) => commands::new::run(a),
        Command::Check(a) => commands::check::run(a),
        Command::Run(a) => commands::run::run(a),
        Command::Schema(a) => commands::schema::run(a),
        Command::View(a) => commands::view::run(a),
        Command::Report(a) => commands::report::run(a),
        Command::Render(a) => commands::render::run(a),
        Command::Info(a) => commands::info::run(a),
        Command::Solve(a) => commands::solve::run(a),
        Command::Verify(a) => commands::verify::run(a),
        Command::Convert(a) => commands::convert::run(a),
        Command::Generate(a) => commands::generate::run(a),
        Command::Solvers(a) => commands::solvers::run(a),
        Command::Bench(a) => commands::bench::run(a),
        Command::BenchWorker => commands::bench_worker::run(),
        Command::Reproduce(a) => commands::reproduce::run(a),
        Command::Demo(a) => commands::demo::run(a),
    };
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::NotConverged) => ExitCode::from(2),
        Ok(Outcome::Interrupted) => ExitCode::from(130),
        Err(e) => {
            eprintln!("error: {e:#}");
            ExitCode::from(1)
        }
    }
}
