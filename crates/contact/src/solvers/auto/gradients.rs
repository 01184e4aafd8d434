//! Accelerated gradients as a stage.

use super::super::{Aclm, Erased, Report};
use super::is_near_the_end;
use super::portfolio::{Left, Portfolio};
use crate::operator::Sweep;

/// What they may take, and promise to take, over what would be done instead where faces meet faces and bodies move: an interior point then
/// takes longer than it is expected to, or jams.
pub(super) const FACES: (f64, f64) = (1.5, 2.0);
/// The same where they may be at rest and many digits are asked for, which an interior point then gains faster.
pub(super) const FACES_AT_REST: (f64, f64) = (0.8, 1.2);
/// The same where they are few.
pub(super) const FEW: (f64, f64) = (0.45, 1.0);
/// What gradients may take whatever they promise where sweeps stood still, over those, and what they may promise to.
const STANDSTILL: (f64, f64) = (1.0, 5.0);

/// What is left of the error that they left where others have gained on it: they begin anew from there.
const OVERTAKEN: f64 = 0.8;

/// Accelerated gradients that go on where they were left.
#[derive(Default)]
pub(super) struct Gradients<const D: usize> {
    solver: Erased<Aclm<D>>,
    left: Left,
}

impl<const D: usize> Gradients<D> {
    /// From a point with this error, while they pay: `pays` is told those done and missing, and the error.
    pub fn descend<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        error: f64,
        pays: impl FnMut(f64, f64, f64) -> bool,
    ) -> Report {
        self.solver.0.remember();
        if self.left.goes_on(error, OVERTAKEN) {
            self.solver.0.go_on();
        }
        let (report, _) = p.stage_while(&mut self.solver, pays);
        p.say("accelerated gradients", &report);
        self.left = Left::at(&report);
        report
    }

    /// While the error they leave promises an end before the `others`, both given in their iterations: where faces meet faces they gain
    /// more than sweeps. What was taken `before` counts as theirs.
    pub fn descend_while_it_pays<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        error: f64,
        others: f64,
        (spent, promised): (f64, f64),
        before: f64,
    ) -> Report {
        let pays = |done: f64, missing: f64, _: f64| {
            let all = before + done;
            is_near_the_end(done, missing, promised * others)
                || (all <= spent * others && all + missing <= promised * others)
        };
        self.descend(p, error, pays)
    }

    /// After so many sweeps that stood still.
    pub fn descend_after_standstill<W: Sweep<D> + 'static>(
        &mut self,
        p: &mut Portfolio<'_, '_, D, W>,
        error: f64,
        sweeps: f64,
    ) -> Report {
        // what is missing is counted at half the pace so far, which gradients keep
        let pays = |done: f64, missing: f64, _: f64| {
            is_near_the_end(done, missing, STANDSTILL.1 * sweeps)
                || done <= STANDSTILL.0 * sweeps
                || done + 0.5 * missing <= STANDSTILL.1 * sweeps
        };
        self.descend(p, error, pays)
    }
}
