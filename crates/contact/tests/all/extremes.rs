//! Numbers at the ends of what is allowed: no answer that is none is certified, and no report holds what is no number.

use stickslip_contact::block::norm_all;
use stickslip_contact::certificate::Measure;
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::RandomSparse;
use stickslip_contact::operator::BlockCsr;
use stickslip_contact::problem::{LocalProblem, ProblemError};
use stickslip_contact::solvers::{Compiled, Report, SolverSpec, Stop, Unknowns, unwatched};

/// The problem with q times one number and W times another.
fn scaled<const D: usize>(p: &LocalProblem<D>, q: f64, w: f64) -> Result<LocalProblem<D>, ProblemError> {
    let (mut ptr, mut col, mut blocks) = (vec![0], Vec::new(), Vec::new());
    for c in 0..p.contacts() {
        for (j, block) in p.w.block_row(c) {
            col.push(j as u32);
            blocks.push(block.map(|row| row.map(|x| x * w)));
        }
        ptr.push(col.len());
    }
    let w = BlockCsr::new(ptr, col, blocks).unwrap();
    let q = p.q.iter().map(|v| v.map(|x| x * q)).collect();
    LocalProblem::assembled(w, q, p.cones.clone()).map(|(p, _)| p)
}

fn small<const D: usize>() -> LocalProblem<D>
where
    BlockCsr<D>: Compiled<D>,
{
    RandomSparse { contacts: 6, bodies: 8, mu: [0.1, 0.5], ..RandomSparse::default() }.local::<D>().unwrap()
}

fn solve<const D: usize>(p: &LocalProblem<D>, spec: &SolverSpec, measure: Measure) -> (Unknowns<D>, Report)
where
    BlockCsr<D>: Compiled<D>,
{
    let stop = Stop { tolerance: 1e-4, max_iterations: 2000, measure, ..Stop::default() };
    let mut x = Unknowns::zeros(p);
    let report = spec.build::<D, BlockCsr<D>>().solve(p, &mut x, &stop, &mut unwatched());
    (x, report)
}

fn all_numbers(report: &Report) -> bool {
    let c = &report.certificate;
    let measures = [c.error, c.scaled, c.force, c.fclib, c.siconos, c.eps_glob];
    let parts = [c.penetration, c.cone_violation, c.complementarity, c.direction_error, c.joint_drift];
    measures.iter().chain(&parts).all(|x| x.is_finite())
}

#[test]
fn what_cannot_be_squared_is_refused_with_the_remedy() {
    let p = small::<3>();
    for (q, w) in [(1e200, 1.0), (1e-200, 1.0), (1.0, 1e300), (1.0, 1e-300), (1e60, 1.0), (1.0, 1e-60)] {
        let e = scaled(&p, q, w).unwrap_err();
        assert!(matches!(e, ProblemError::OutOfRange { .. }) && e.to_string().contains("change the units"), "{e}");
    }
    let mut steep = p.clone();
    steep.cones[2] = Cone::Coulomb { mu: 1e200 };
    let e = LocalProblem::new(steep.w, steep.q, steep.cones).unwrap_err();
    assert!(matches!(e, ProblemError::Cone { contact: 2, .. }) && e.to_string().contains("bilateral"), "{e}");
    // a free velocity of nothing is one that can be computed with, and so is a tiny one beside others
    assert!(scaled(&p, 0.0, 1.0).is_ok());
    let mut tiny = p.clone();
    tiny.q[1][2] = 1e-300;
    assert!(LocalProblem::new(tiny.w, tiny.q, tiny.cones).is_ok());
}

fn at_the_ends<const D: usize>()
where
    BlockCsr<D>: Compiled<D>,
{
    let p = small::<D>();
    for (q, w) in [(1e48, 1.0), (1e-48, 1.0), (1.0, 1e46), (1.0, 1e-46), (1e48, 1e-46), (1e-48, 1e46)] {
        let far = scaled(&p, q, w).unwrap();
        for solver in SolverSpec::catalogue() {
            let (_, near) = solve(&p, &solver.spec, Measure::Scaled);
            let (x, report) = solve(&far, &solver.spec, Measure::Scaled);
            assert!(all_numbers(&report), "{} at {q:e}, {w:e}: {report:?}", solver.name);
            assert_eq!(report.status, near.status, "{} at {q:e}, {w:e}: {report:?}", solver.name);
            assert!(!report.converged() || x.r.iter().flatten().any(|x| *x != 0.0), "{}", solver.name);
        }
    }
}

#[test]
fn every_solver_works_in_every_unit() {
    at_the_ends::<2>();
    at_the_ends::<3>();
    at_the_ends::<5>();
}

#[test]
fn steep_friction_does_not_hide_a_penetration() {
    for mu in [1e2, 1e4, 1e8, 1e10] {
        let mut p = small::<3>();
        p.cones.fill(Cone::Coulomb { mu });
        for measure in [Measure::Scaled, Measure::Force, Measure::Fclib, Measure::Siconos] {
            let rest = p.certify(&vec![[0.0; 3]; p.contacts()], measure).0;
            assert!(rest.penetration > 0.1 && rest.error > 0.05, "{measure:?} at {mu:e}: {rest:?}");
            for solver in SolverSpec::catalogue() {
                let (x, report) = solve(&p, &solver.spec, measure);
                assert!(all_numbers(&report), "{} at {mu:e}: {report:?}", solver.name);
                let size = norm_all(&p.q).max(norm_all(&x.r)).max(norm_all(&x.u));
                let honest = !report.converged() || report.certificate.penetration <= 1e-4 * size;
                assert!(honest, "{} at {mu:e}, {measure:?}: {report:?}", solver.name);
            }
        }
    }
}

#[test]
fn the_measures_of_others_keep_their_definition() {
    let w = BlockCsr::new(vec![0, 1], vec![0], vec![[[1.0, 0.0], [0.0, 1.0]]]).unwrap();
    let p = LocalProblem::new(w, vec![[-1.0, 1.0]], vec![Cone::Coulomb { mu: 1e4 }]).unwrap();
    let c = p.certify(&[[0.0, 0.0]], Measure::Siconos).0;
    // F = (1, mu) / (1 + mu^2)
    assert!((c.siconos * f64::sqrt(2.0) * 1e4 - 1.0).abs() < 1e-6, "{c:?}");
    assert!((c.error * f64::sqrt(2.0) - 1.0).abs() < 1e-12, "{c:?}");
}
