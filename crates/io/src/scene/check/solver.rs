//! Solvers that cannot do what the scene asks.

use super::{Finding, Severity};
use crate::scene::Scene;
use stickslip_contact::solvers::catalog::SolverSpec;

pub(super) fn check(scene: &Scene, findings: &mut Vec<Finding>) {
    let name = scene.options.solver.name();
    let plane_only = SolverSpec::named(name).is_ok_and(|s| s.field.starts_with("plane only"));
    if scene.dimension == 3 && plane_only {
        let what = format!("the solver \"{name}\" works in the plane only: no step with contacts will be certified");
        let remedy = "take \"auto\", or one that 'stickslip solvers' lists without \"plane only\"";
        findings.push(Finding::new(Severity::Problem, "solver.name", what, remedy));
    }
}
