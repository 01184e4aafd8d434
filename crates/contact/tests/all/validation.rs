//! What is wrong with a problem is said by name and place; what is only odd is noticed and solved.

use stickslip_contact::cone::Cone;
use stickslip_contact::matrix::{Csr, Triplet};
use stickslip_contact::operator::BlockCsr;
use stickslip_contact::problem::{GlobalProblem, LocalProblem, Notice, ProblemError};
use stickslip_contact::solvers::{Nsgs, Solver, Stop, Unknowns, unwatched};

const COULOMB: Cone = Cone::Coulomb { mu: 0.5 };

fn local(w: [[f64; 2]; 2], q: [f64; 2], cone: Cone) -> Result<(LocalProblem<2>, Vec<Notice>), ProblemError> {
    LocalProblem::assembled(BlockCsr::new(vec![0, 1], vec![0], vec![w]).unwrap(), vec![q], vec![cone])
}

fn global(
    change: impl FnOnce(&mut Triplet, &mut Vec<f64>),
    cones: Vec<Cone>,
) -> Result<(GlobalProblem<2>, Vec<Notice>), ProblemError> {
    let mut m = Triplet::empty(3, 3);
    (0..3).for_each(|i| m.push(i, i, 2.0));
    let mut h = Triplet::empty(3, 2);
    h.push(0, 0, 1.0);
    h.push(1, 1, 1.0);
    let mut f = vec![-1.0, 0.5, 0.0];
    change(&mut m, &mut f);
    GlobalProblem::new(Csr::from(&m), Csr::from(&h), f, vec![[0.0; 2]], cones)
}

#[test]
fn sizes_are_compared() {
    let w = || BlockCsr::new(vec![0, 1], vec![0], vec![[[1.0, 0.0], [0.0, 1.0]]]).unwrap();
    let two = LocalProblem::new(w(), vec![[0.0; 2]; 2], vec![COULOMB; 2]).unwrap_err();
    assert!(matches!(two, ProblemError::Size { found: 2, expected: 1, .. }), "{two}");
    let cones = LocalProblem::new(w(), vec![[0.0; 2]], vec![]).unwrap_err();
    assert!(cones.to_string().contains("coefficients of friction"), "{cones}");
    let f = global(|_, f| f.push(1.0), vec![COULOMB]).unwrap_err();
    assert!(f.to_string().starts_with("f: 4 found, 3 expected"), "{f}");
}

#[test]
fn numbers_must_be_finite_and_coefficients_allowed() {
    let id = [[1.0, 0.0], [0.0, 1.0]];
    let e = local(id, [0.0, f64::NAN], COULOMB).unwrap_err();
    assert!(e.to_string().contains("q[1]"), "{e}");
    let e = local([[1.0, f64::INFINITY], [0.0, 1.0]], [0.0; 2], COULOMB).unwrap_err();
    assert!(matches!(e, ProblemError::NotFiniteBlock { contact: 0, column: 0 }));
    for (cone, what) in [
        (Cone::Coulomb { mu: -0.1 }, "mu = -0.1 is negative"),
        (Cone::Coulomb { mu: f64::NAN }, "not a finite number"),
        (Cone::Rolling { mu: 0.1, mu_r: -2.0 }, "mu_r = -2 is negative"),
        (Cone::Tresca { radius: f64::INFINITY }, "radius"),
    ] {
        let e = local(id, [0.0; 2], cone).unwrap_err();
        assert!(e.to_string().contains("contact 0") && e.to_string().contains(what), "{e}");
    }
}

#[test]
fn a_diagonal_block_must_be_positive_definite_where_it_is_used() {
    let singular = [[1.0, 0.0], [0.0, 0.0]];
    assert_eq!(local(singular, [0.0; 2], COULOMB).unwrap_err(), ProblemError::Diagonal { contact: 0 });
    // without friction the tangential row carries nothing
    assert!(local(singular, [0.0; 2], Cone::Frictionless).is_ok());
    assert!(local(singular, [0.0; 2], Cone::Coulomb { mu: 0.0 }).is_ok());
    // a joint may be padded with a row of zeros, but only where q is zero too
    assert!(local(singular, [1.0, 0.0], Cone::Bilateral).is_ok());
    assert!(local(singular, [1.0, 1.0], Cone::Bilateral).is_err());
    assert!(local([[-1.0, 0.0], [0.0, 1.0]], [0.0; 2], Cone::Frictionless).is_err());
}

#[test]
fn m_must_be_positive_definite() {
    let (p, _) = global(|m, _| m.push(2, 2, -4.0), vec![COULOMB]).unwrap();
    let e = p.condense().unwrap_err();
    assert_eq!(e, ProblemError::Mass { dof: Some(2) });
    assert!(e.to_string().contains("degree of freedom 2"), "{e}");
}

#[test]
fn slight_asymmetry_is_noticed_and_solved_as_it_stands() {
    let (problem, notices) = local([[2.0, 1e-4], [0.0, 3.0]], [-1.0, 2.0], COULOMB).unwrap();
    assert!(matches!(notices[..], [Notice::Asymmetry { matrix: "W", asymmetry }] if (asymmetry - 3.9e-5).abs() < 1e-6));
    let mut x = Unknowns::zeros(&problem);
    assert!(Nsgs::default().solve(&problem, &mut x, &Stop::default(), &mut unwatched()).converged());
    // the unsymmetric entry counts: u_N = 2 r_N + 1e-4 r_T - 1
    assert!((2.0 * x.r[0][0] + 1e-4 * x.r[0][1] - 1.0).abs() < 1e-12);
    let e = local([[2.0, 0.5], [0.0, 3.0]], [-1.0, 2.0], COULOMB).unwrap_err();
    assert!(matches!(e, ProblemError::Unsymmetric { matrix: "W", .. }), "{e}");
}

#[test]
fn one_stored_triangle_of_m_is_reflected() {
    let (p, notices) = global(|m, _| m.push(0, 2, 0.5), vec![COULOMB]).unwrap();
    assert_eq!(notices, [Notice::TriangleReflected { matrix: "M" }]);
    assert_eq!((p.m.get(0, 2), p.m.get(2, 0)), (0.5, 0.5));
}
