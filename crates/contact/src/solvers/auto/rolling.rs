//! How contacts that roll are begun with.

use super::super::{Panagiotopoulos, Report};
use super::costs::{Choice, TIGHT};
use super::gradients::Gradients;
use super::portfolio::Portfolio;
use super::{START, is_few};
use crate::operator::Sweep;
use crate::problem::LocalProblem;
use std::ops::ControlFlow;

/// From so many contacts that roll on, so many sweeps over normal and tangential impulses in turn come first where few digits are
/// asked for, and up to so many while they promise the end, where contacts are few and where they are not: a tenth of what it takes to
/// solve contacts exactly.
const HALVES: (usize, f64, [f64; 2]) = (2, 8.0, [40.0, 90.0]);
/// The same from a warm start, which fewer contacts hardly leave.
const HALVES_WARM: usize = 5;
/// Accelerated gradients that may follow where more than a few roll, if few digits are asked for; if many are, so many, and more for
/// every contact, at most so many: the work of a factor grows faster.
const GRADIENTS: f64 = 55.0;
const GRADIENTS_TIGHT: (f64, f64, f64) = (100.0, 1.5, 300.0);
/// And after so many of them, what they may promise to take over what would be done instead.
const ANALYSED: (f64, f64) = (15.0, 0.6);

/// From so many contacts on, and so much left after both, over the tolerance, sweeps over whole contacts are not begun where few digits
/// are asked for.
const FAR: (usize, f64) = (100, 10.0);

/// Sweeps over normal and tangential impulses in turn if few digits are asked for, and accelerated gradients while they promise an end
/// soon, or before what would be done instead, which `choose` finds out: both take a tenth of what it takes to solve contacts exactly.
/// Returns where these came to if that is far from the end.
pub(super) fn begin_rolling<'a, const D: usize, W: Sweep<D> + 'static>(
    p: &mut Portfolio<'a, '_, D, W>,
    halves: &mut Panagiotopoulos<D>,
    choose: impl Fn(&'a LocalProblem<D, W>) -> Choice<'a, D>,
    choice: &mut Option<Choice<'a, D>>,
) -> ControlFlow<Report, Option<Report>> {
    let (few, tight) = (is_few(p), p.stop.tolerance < TIGHT);
    if p.problem.contacts() >= if p.cold { HALVES.0 } else { HALVES_WARM } && !tight {
        let most = HALVES.2[usize::from(p.cold && !few)];
        let soon = |done: f64, missing: f64, _: f64| done < HALVES.1 || done + missing <= most;
        let (report, _) = p.stage_while(halves, soon);
        if p.over(&report).is_some() {
            p.why = if p.iterations > 0 { "alternating normal and tangential sweeps alone" } else { START }.into();
        }
        p.unless_over(report)?;
    }
    if p.cold && !few {
        let (least, each, at_most) = GRADIENTS_TIGHT;
        let many = (least + each * p.problem.contacts() as f64).min(at_most);
        let (problem, most) = (p.problem, if tight { many } else { GRADIENTS });
        let report = Gradients::default().descend(p, f64::INFINITY, |done, missing, _| {
            // what is missing is counted at half the pace so far, which gradients keep
            let promised = done + 0.5 * missing;
            if promised <= most || done < ANALYSED.0 {
                return true;
            }
            let costs = &choice.get_or_insert_with(|| choose(problem)).costs;
            costs.others().is_some_and(|others| promised <= ANALYSED.1 * others / costs.gradient())
        });
        let report = p.unless_over(report)?;
        let far = !tight && problem.contacts() >= FAR.0 && report.certificate.error > FAR.1 * p.stop.tolerance;
        return ControlFlow::Continue(far.then_some(report));
    }
    ControlFlow::Continue(None)
}
