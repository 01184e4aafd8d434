//! A solver of plane problems where any dimension may come in.

use super::judge::Judge;
use super::{Report, Solver, Status, Stop, Unknowns, Watch};
use crate::operator::{BlockCsr, Delassus};
use crate::problem::LocalProblem;
use std::any::Any;

/// Gives a problem of two rows a contact to the solver inside, with W assembled; any other is
/// [`Status::Unsupported`], and the report says why.
#[derive(Debug, Clone)]
pub(super) struct Plane<S>(pub S);

/// Whole pairs of a flat array.
fn pairs<const D: usize>(x: &[[f64; D]]) -> Vec<[f64; 2]> {
    x.as_flattened().as_chunks::<2>().0.to_vec()
}

impl<const D: usize, W: Delassus<D> + ?Sized, S: Solver<2, BlockCsr<2>>> Solver<D, W> for Plane<S> {
    fn solve(
        &mut self,
        problem: &LocalProblem<D, W>,
        x: &mut Unknowns<D>,
        stop: &Stop,
        watch: &mut Watch<'_>,
    ) -> Report {
        let mut judge = Judge::new(problem, x, stop);
        let assembled = if D == 2 { problem.w.assemble() } else { None };
        // for D = 2 the two types are one
        let w = assembled.as_deref().and_then(|w| (w as &dyn Any).downcast_ref::<BlockCsr<2>>());
        let Some(w) = w else {
            let error = judge.error(x);
            if let Some(status) = judge.verdict(error, 0, watch) {
                return judge.finish(x, status, 0);
            }
            let why = match D {
                2 => "W of this problem would not fit in memory as blocks".into(),
                _ => format!("only contacts in the plane (two rows, N and T) are treated; these have {D} rows"),
            };
            return Report { why: why.into(), ..judge.finish(x, Status::Unsupported, 0) };
        };
        let plane =
            LocalProblem { w: w.clone(), q: pairs(&problem.q), cones: problem.cones.clone(), v_free: Vec::new() };
        let mut y = Unknowns { r: pairs(&x.r), u: pairs(&x.u) };
        let inner = self.0.solve(&plane, &mut y, stop, watch);
        x.r.as_flattened_mut().copy_from_slice(y.r.as_flattened());
        // the certificate by the operator that was given, whose rounding may differ from that of the blocks
        let error = judge.error(x);
        let status = match inner.status {
            Status::Converged if error > stop.tolerance => Status::Stalled,
            other => other,
        };
        Report { why: inner.why, ..judge.finish(x, status, inner.iterations) }
    }
}
