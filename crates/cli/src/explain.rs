//! A certificate in words that a student understands.

use stickslip::contact::certificate::{Certificate, Measure};
use stickslip::contact::one_contact::OneContactKind;
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
        Status::IterationLimit => Some(match solver {
            SolverSpec::Auto(_) => "allow more iterations (--max-iter), or a looser tolerance (--tol)",
            _ => "allow more iterations (--max-iter), a looser tolerance (--tol), or take --solver auto",
        }),
        Status::TimeLimit => Some(match solver {
            SolverSpec::Auto(_) => "allow more time (--time-limit), or a looser tolerance (--tol)",
            _ => "allow more time (--time-limit), a looser tolerance (--tol), or take --solver auto",
        }),
        Status::Stalled => Some(stalled(solver)),
        Status::Diverged => Some(diverged(solver)),
        Status::Interrupted => Some("what is reported is the best iterate so far"),
        Status::Unsupported => Some(unsupported(solver)),
    }
}

/// Nothing moves any more, short of the tolerance.
fn stalled(solver: &SolverSpec) -> &'static str {
    match solver {
        SolverSpec::Lemke2d(_) | SolverSpec::Enumeration2d(_) => {
            "take --solver auto or cpg-2d, which have no limit of size"
        }
        SolverSpec::ApgdRelaxation(_) => {
            "it solves the convex relaxation, which lifts contacts that slide: take --solver auto for Coulomb's law"
        }
        SolverSpec::Nsgs(o) | SolverSpec::Psor(o) if is_polygon(&o.one_contact) => POLYGON,
        SolverSpec::Nncg(o) if is_polygon(&o.one_contact) => POLYGON,
        SolverSpec::Auto(_) => "the tolerance may be below rounding; try --tol a little larger",
        SolverSpec::Ipm(_) => {
            "rounding stops it between 1e-9 and 1e-11: try --tol a little larger, or --solver ppn; where it jams, auto"
        }
        SolverSpec::NsnAc(_) | SolverSpec::NsnMj(_) | SolverSpec::NsnNm(_) | SolverSpec::NsnFb(_) => {
            "W may lack rank, as in walls and stacks: take --solver ppn or ipm, which do not mind"
        }
        SolverSpec::Nsgs(_) | SolverSpec::Psor(_) => {
            "the tolerance may be below rounding; try --tol a little larger, or another order: \
             --solver 'nsgs{order=\"symmetric\"}'"
        }
        _ => {
            "the tolerance may be below rounding, or the method has jammed; try --tol a little larger, or --solver auto"
        }
    }
}

/// The iterates left the numbers.
fn diverged(solver: &SolverSpec) -> &'static str {
    match solver {
        SolverSpec::FpDs(o) if o.rho.is_some() => {
            "rho is too large: leave it out, or take --solver fp-vi, which finds it"
        }
        SolverSpec::FpDs(_) => "take --solver fp-vi, which finds its step",
        SolverSpec::Psor(_) => "less relaxation: --solver 'psor{omega=1.2}', or nsgs",
        SolverSpec::Nsgs(_) => "look at the problem with 'stickslip info'; try --solver 'nsgs{omega=0.7}', or auto",
        SolverSpec::Auto(_) => "look at the problem with 'stickslip info'; are its numbers of one size?",
        _ => "look at the problem with 'stickslip info'; try --solver auto",
    }
}

/// A law or a size that the solver does not treat.
fn unsupported(solver: &SolverSpec) -> &'static str {
    match solver {
        SolverSpec::Lemke2d(_) | SolverSpec::Cpg2d(_) | SolverSpec::Enumeration2d(_) => {
            "this solver is for contacts in the plane; in space take --solver auto or nsgs"
        }
        SolverSpec::Nsgs(o) | SolverSpec::Psor(o) if o.one_contact != OneContactKind::Exact => ONE_CONTACT,
        SolverSpec::Nncg(o) if o.one_contact != OneContactKind::Exact => ONE_CONTACT,
        SolverSpec::NsnFb(_) => "it knows Coulomb and frictionless contacts and joints; take --solver nsn-ac or auto",
        SolverSpec::Ipm(_) => "it does not know Tresca's law, and W must fit in memory; take --solver auto or nsgs",
        SolverSpec::Tnnmg(_) => {
            "it needs M, H and free velocities of rigid bodies, that is a global problem; take --solver anderson or auto"
        }
        SolverSpec::MgAdmm(_) => "it needs M and H, that is a global problem or spheres; take --solver admm or auto",
        _ => "take a solver that treats every law and size, such as --solver auto or nsgs",
    }
}

const POLYGON: &str = "a polygon is another law than the cone: give it more corners, as in {qp_polygon={nu=48}}, or take \
                       one_contact=\"exact\"";

const ONE_CONTACT: &str = "take one_contact=\"exact\", which treats every contact";

fn is_polygon(one: &OneContactKind) -> bool {
    matches!(one, OneContactKind::LemkePolygon(_) | OneContactKind::QpPolygon(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::solver;
    use stickslip::contact::generate::SingleContact;
    use stickslip::contact::solvers::{Stop, Unknowns, unwatched};

    fn report(status: Status) -> Report {
        let problem = SingleContact::default().generate::<3>().unwrap();
        let mut x = Unknowns::zeros(&problem);
        let report = SolverSpec::default().build().solve(&problem, &mut x, &Stop::default(), &mut unwatched());
        Report { status, ..report }
    }

    #[test]
    fn remedies_speak_of_the_solver_that_failed() {
        for (name, status, expected) in [
            ("auto", Status::IterationLimit, "--max-iter"),
            ("psor", Status::TimeLimit, "--solver auto"),
            ("nsgs", Status::Stalled, "symmetric"),
            ("nsgs{one_contact=\"qp_polygon\"}", Status::Stalled, "corners"),
            ("apgd", Status::Stalled, "Coulomb's law"),
            ("nsn-mj", Status::Stalled, "ppn"),
            ("ipm", Status::Stalled, "1e-9"),
            ("ipm", Status::Unsupported, "Tresca"),
            ("mg-admm", Status::Unsupported, "M and H"),
            ("tnnmg", Status::Unsupported, "free velocities"),
            ("nsn-fb", Status::Unsupported, "nsn-ac"),
            ("nncg{one_contact=\"closed_form\"}", Status::Unsupported, "exact"),
            ("lemke-2d", Status::Unsupported, "plane"),
            ("fp-ds{rho=1e9}", Status::Diverged, "rho is too large"),
            ("psor", Status::Diverged, "omega=1.2"),
        ] {
            let told = remedy(&report(status), &solver(name).unwrap()).unwrap();
            assert!(told.contains(expected), "{name} {status:?}: {told}");
            // nobody is sent to where he comes from
            assert!(name != "auto" || !told.contains("--solver auto"), "{told}");
        }
        assert_eq!(remedy(&report(Status::Converged), &SolverSpec::default()), None);
    }
}
