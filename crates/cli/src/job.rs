//! One problem solved: the dimension chosen, the operator chosen, the solver run.

use crate::history::History;
use crate::interrupt;
use crate::progress::Line;
use anyhow::{Result, anyhow};
use std::time::{Duration, Instant};
use stickslip::contact::operator::{BlockCsr, MatrixFree};
use stickslip::contact::problem::{GlobalProblem, LocalProblem, Notice, Reduced};
use stickslip::contact::solvers::{Compiled, Flow, Progress, Report, SolverSpec, Stop, Unknowns};
use stickslip::io::{Problem, on_each};

/// What to run.
pub struct Job<'a> {
    /// The name in the progress line.
    pub name: String,
    /// The solver.
    pub solver: &'a SolverSpec,
    /// Its limits.
    pub stop: Stop,
    /// A flat starting r.
    pub start: Option<&'a [f64]>,
    /// No progress line.
    pub quiet: bool,
    /// Keep the course of every iteration, for a CSV or a plot.
    pub keep_history: bool,
    /// Solve this many times from the same start and report the fastest.
    pub repeat: usize,
}

/// An answer.
pub struct Solved {
    /// Status, iterations, certificate, time.
    pub report: Report,
    /// Flat impulses.
    pub r: Vec<f64>,
    /// Flat relative velocities.
    pub u: Vec<f64>,
    /// Generalised velocities of a global problem.
    pub v: Option<Vec<f64>>,
    /// The course.
    pub history: History,
    /// Time to factor M and to build the operator, beside the report's own.
    pub setup: Duration,
    /// How W was applied.
    pub operator: &'static str,
    /// What condensing noticed.
    pub notices: Vec<Notice>,
}

impl Job<'_> {
    /// Solves a problem of any form and dimension.
    pub fn run(&self, problem: &Problem) -> Result<Solved> {
        on_each!(problem, local p => self.local(p, "W assembled", Duration::ZERO), global p => self.global(p))
    }

    fn global<const D: usize>(&self, problem: &GlobalProblem<D>) -> Result<Solved>
    where
        MatrixFree<D>: Compiled<D>,
        BlockCsr<D>: Compiled<D>,
    {
        let start = Instant::now();
        let mut notices = Vec::new();
        let mass = problem.factor_mass()?;
        let reduced = self.solver.reduce(problem, &mass)?;
        let setup = start.elapsed();
        let mut solved = match reduced {
            Reduced::MatrixFree(p) => self.local(&p, "matrix-free", setup)?,
            Reduced::Condensed(p, n) => {
                notices = n;
                self.local(&p, "W condensed", setup)?
            }
        };
        solved.v = Some(problem.velocity(&mass, solved.r.as_chunks::<D>().0));
        solved.notices = notices;
        Ok(solved)
    }

    fn local<const D: usize, W: Compiled<D>>(
        &self,
        problem: &LocalProblem<D, W>,
        operator: &'static str,
        setup: Duration,
    ) -> Result<Solved> {
        let stop = remaining(&self.stop, setup);
        let start = match self.start {
            None => Unknowns::zeros(problem),
            Some(r) => Unknowns::from_flat(problem, r).map_err(|e| anyhow!("the start cannot be used: {e}"))?,
        };
        let mut solver = self.solver.build::<D, W>();
        let mut history = History::default();
        let mut line = Line::new(&self.name, self.stop.tolerance, self.quiet);
        let mut x = start.clone();
        let mut once = |x: &mut Unknowns<D>, first: bool| {
            let mut watch = |p: &Progress| {
                if first && self.keep_history {
                    history.push(p);
                }
                line.show(p);
                if interrupt::asked() { Flow::Stop } else { Flow::Continue }
            };
            solver.solve(problem, x, &stop, &mut watch)
        };
        let mut report = once(&mut x, true);
        for _ in 1..self.repeat {
            x.clone_from(&start);
            let again = once(&mut x, false);
            if again.elapsed < report.elapsed {
                report = again;
            }
        }
        line.finish();
        let (r, u) = (x.r.as_flattened().to_vec(), x.u.as_flattened().to_vec());
        Ok(Solved { report, r, u, v: None, history, setup, operator, notices: Vec::new() })
    }
}

/// The limits of a solve after its setup, which counts towards the time.
fn remaining(stop: &Stop, setup: Duration) -> Stop {
    Stop { time_limit: stop.time_limit.map(|limit| limit.saturating_sub(setup)), ..*stop }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setup_counts_towards_the_time_limit() {
        let second = Duration::from_secs(1);
        let stop = Stop { time_limit: Some(3 * second), ..Stop::default() };
        assert_eq!(remaining(&stop, second).time_limit, Some(2 * second));
        assert_eq!(remaining(&stop, 4 * second).time_limit, Some(Duration::ZERO));
        assert_eq!(remaining(&Stop::default(), second).time_limit, None);
    }
}
