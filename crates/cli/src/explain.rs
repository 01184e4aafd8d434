//! A certificate in words that a student understands.

use stickslip::contact::certificate::{Certificate, Measure};
use stickslip::contact::solvers::{Report, SolverSpec, Status};

/// The name of a measure, as on the command line.
pub fn measure_name(measure: Measure) -> &'static str {
    match measure {
        Measure::Scaled => "scaled",
        Measure::Force => "force",
        Measure::Fclib => "fclib",
        Measure::Siconos => "siconos",
        Measure::EpsGlob => "eps_glob",
    }
}

/// The certificate, line by line.
pub fn certificate(c: &Certificate, tolerance: f64) -> String {
    let verdict = if c.holds(tolerance) { "holds" } else { "DOES NOT HOLD" };
    let joints = if c.joint_drift > 0.0 {
        format!("  joints        fastest drift {:.2e}\n", c.joint_drift)
    } else {
        String::new()
    };
    format!(
        "  certificate   {verdict}: error {:.2e} against tolerance {tolerance:.0e} (measure {})\n\
         \x20 all measures  scaled {:.2e}, force {:.2e}, fclib {:.2e}, siconos {:.2e}; eps_glob {:.2e}\n\
         \x20 penetration   fastest approach {:.2e} (should be 0: bodies may not enter each other)\n\
         \x20 friction      farthest outside its cone {:.2e}; direction off by at most {:.2e} degrees\n\
         \x20 power         {:.2e} of forbidden work (pulling, or friction that pushes along)\n{joints}\
         \x20 contacts      {} open, {} sticking, {} sliding",
        c.error,
        measure_name(c.measure),
        c.scaled,
        c.force,
        c.fclib,
        c.siconos,
        c.eps_glob,
        c.penetration,
        c.cone_violation,
        c.direction_error,
        c.complementarity,
        c.open,
        c.stick,
        c.slip,
    )
}

/// What a user may do about a solve that did not converge.
pub fn remedy(report: &Report, solver: &SolverSpec) -> Option<&'static str> {
    match report.status {
        Status::Converged => None,
        Status::IterationLimit => Some("allow more iterations (--max-iter), or a looser tolerance (--tol)"),
        Status::TimeLimit => Some("allow more time (--time-limit), or a looser tolerance (--tol)"),
        Status::Stalled if ["lemke-2d", "enumeration-2d"].contains(&solver.name()) => {
            Some("take --solver auto or cpg-2d, which have no limit of size")
        }
        Status::Stalled => Some(
            "the tolerance may be below rounding; try --tol a little larger, or another order: \
             --solver 'nsgs{order=\"symmetric\"}'",
        ),
        Status::Diverged => Some("look at the problem with 'stickslip info'; try --solver 'nsgs{omega=0.7}'"),
        Status::Interrupted => Some("what is reported is the best iterate so far"),
        Status::Unsupported if solver.name().ends_with("-2d") => {
            Some("this solver is for contacts in the plane; in space take --solver auto or nsgs")
        }
        Status::Unsupported => Some("take a solver that treats every law, such as --solver nsgs"),
    }
}
