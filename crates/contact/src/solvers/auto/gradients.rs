//! Accelerated gradients as a stage.

use super::super::{Aclm, Erased, Report};
use super::is_near_the_end;
use super::portfolio::Portfolio;
use crate::operator::Sweep;

/// What they may take, and promise to take, over what would be done instead where faces meet faces and bodies move: an interior point then
/// takes longer than it is expected to, or jams.
pub(super) const FACES: (f64, f64) = (1.5, 2.0);
/// The same where they are few.
pub(super) const FEW: (f64, f64) = (0.45, 1.0);
/// The same over what an interior point took that jammed.
pub(super) const JAMMED: (f64, f64) = (6.0, f64::INFINITY);

/// Accelerated gradients while the error they leave promises an end before the `others`, given in their iterations: where faces
/// meet faces they gain more than sweeps.
pub(super) fn descend_while_it_pays<const D: usize, W: Sweep<D> + 'static>(
    p: &mut Portfolio<'_, '_, D, W>,
    others: f64,
    (spent, promised): (f64, f64),
) -> Report {
    let pays = |done: f64, missing: f64, _: f64| {
        is_near_the_end(done, missing, promised * others)
            || (done <= spent * others && done + missing <= promised * others)
    };
    let (report, _) = p.stage_while(&mut Erased(Aclm::default()), pays);
    p.say("accelerated gradients", &report);
    report
}
