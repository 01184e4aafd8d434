//! Accelerated gradients as a stage.

use super::super::{Aclm, Erased, Report};
use super::is_near_the_end;
use super::portfolio::Portfolio;
use crate::operator::Sweep;

/// What they may take, and promise to take, over what would be done instead where faces meet faces and bodies move: an interior point then
/// takes longer than it is expected to, or jams.
pub(super) const FACES: (f64, f64) = (1.5, 2.0);
/// The same where they may be at rest and many digits are asked for, which an interior point then gains faster.
pub(super) const FACES_AT_REST: (f64, f64) = (0.8, 1.2);
/// The same where they are few.
pub(super) const FEW: (f64, f64) = (0.45, 1.0);
/// The same over what an interior point took that jammed, before another start of it is tried and after.
pub(super) const JAMMED_ONCE: (f64, f64) = (1.0, f64::INFINITY);
pub(super) const JAMMED: (f64, f64) = (6.0, f64::INFINITY);

/// Accelerated gradients while they pay: `pays` is told those done and missing, and the error.
pub(super) fn descend<const D: usize, W: Sweep<D> + 'static>(
    p: &mut Portfolio<'_, '_, D, W>,
    pays: impl FnMut(f64, f64, f64) -> bool,
) -> Report {
    let (report, _) = p.stage_while(&mut Erased(Aclm::default()), pays);
    p.say("accelerated gradients", &report);
    report
}

/// Accelerated gradients while the error they leave promises an end before the `others`, both given in their iterations: where faces
/// meet faces they gain more than sweeps. What was taken `before` counts as theirs.
pub(super) fn descend_while_it_pays<const D: usize, W: Sweep<D> + 'static>(
    p: &mut Portfolio<'_, '_, D, W>,
    others: f64,
    (spent, promised): (f64, f64),
    before: f64,
) -> Report {
    let pays = |done: f64, missing: f64, _: f64| {
        let all = before + done;
        is_near_the_end(done, missing, promised * others)
            || (all <= spent * others && all + missing <= promised * others)
    };
    descend(p, pays)
}

/// What gradients may take whatever they promise where sweeps stood still, over those, and what they may promise to.
const STANDSTILL: (f64, f64) = (1.0, 5.0);

/// Accelerated gradients after so many sweeps that stood still.
pub(super) fn descend_after_standstill<const D: usize, W: Sweep<D> + 'static>(
    p: &mut Portfolio<'_, '_, D, W>,
    sweeps: f64,
) -> Report {
    // what is missing is counted at half the pace so far, which gradients keep
    let pays = |done: f64, missing: f64, _: f64| {
        is_near_the_end(done, missing, STANDSTILL.1 * sweeps)
            || done <= STANDSTILL.0 * sweeps
            || done + 0.5 * missing <= STANDSTILL.1 * sweeps
    };
    descend(p, pays)
}
