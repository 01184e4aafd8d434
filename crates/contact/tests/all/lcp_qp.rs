//! Complementarity problems and quadratic programs by class: every solver against every other.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus};
use stickslip_contact::generate::Random;
use stickslip_contact::lcp::{Enumeration, LcpProblem, LcpSolverSpec, LcpStatus, Lemke, Pgs, PgsOptions};
use stickslip_contact::matrix::{Csc, Csr, Dense, Triplet};
use stickslip_contact::qp::{
    ActiveSet, BoxQp, NonsymmetricOptions, NonsymmetricQp, ProjectedCg, ProjectedGradient, QpOptions, QpStatus,
};

fn vector(n: usize, rng: &mut Random) -> Vec<f64> {
    (0..n).map(|_| rng.normal()).collect()
}

fn random(n: usize, m: usize, rng: &mut Random) -> Dense {
    let mut a = Dense::zeros(n, m);
    (0..n).for_each(|i| a.row_mut(i).iter_mut().for_each(|x| *x = rng.normal()));
    a
}

/// `B^T B + shift I`, B with `rank` rows.
fn gram(n: usize, rank: usize, shift: f64, rng: &mut Random) -> Dense {
    let b = random(rank, n, rng);
    Dense::from_fn(n, n, |i, j| {
        (0..rank).map(|k| b.row(k)[i] * b.row(k)[j]).sum::<f64>() + if i == j { shift } else { 0.0 }
    })
}

fn close(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    let size = a.iter().chain(b).fold(1.0, |m: f64, x| m.max(x.abs()));
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance * size)
}

#[test]
fn symmetric_positive_definite_lcps_agree() {
    let mut rng = Random::new(1);
    for n in 1..=10 {
        for _ in 0..20 {
            let p = LcpProblem::new(gram(n, n + 2, 0.1, &mut rng), vector(n, &mut rng)).unwrap();
            let lemke = Lemke::default().solve(&p);
            assert_eq!(lemke.status, LcpStatus::Solved);
            let all = Enumeration::default().all(&p).unwrap();
            assert_eq!(all.len(), 1);
            assert!(close(&all[0], &lemke.z, 1e-10));
            for omega in [1.0, 1.3] {
                let options = PgsOptions { omega, max_sweeps: 100_000, ..PgsOptions::default() };
                let pgs = Pgs::new(options).solve(&p);
                assert_eq!(pgs.status, LcpStatus::Solved);
                assert!(close(&pgs.z, &lemke.z, 1e-7), "{n}: {:?} {:?}", pgs.z, lemke.z);
            }
        }
    }
}

#[test]
fn nonsymmetric_p_matrices_have_the_one_solution_of_the_enumeration() {
    let mut rng = Random::new(2);
    for n in 1..=10 {
        for _ in 0..20 {
            // a positive definite matrix plus any skew one is a P-matrix
            let (s, k) = (gram(n, n, 0.05, &mut rng), random(n, n, &mut rng));
            let m = Dense::from_fn(n, n, |i, j| s.row(i)[j] + 2.0 * (k.row(i)[j] - k.row(j)[i]));
            let p = LcpProblem::new(m, vector(n, &mut rng)).unwrap();
            let lemke = Lemke::default().solve(&p);
            assert!(lemke.status == LcpStatus::Solved && lemke.certificate.holds(1e-10));
            let all = Enumeration::default().all(&p).unwrap();
            assert!(all.len() == 1 && close(&all[0], &lemke.z, 1e-8));
        }
    }
}

#[test]
fn strictly_copositive_lcps_are_always_solved() {
    let mut rng = Random::new(3);
    let mut several = 0;
    for n in 2..=8 {
        for _ in 0..30 {
            // positive entries plus a skew matrix: strictly copositive, far from positive definite
            let (s, k) = (random(n, n, &mut rng), random(n, n, &mut rng));
            let m = Dense::from_fn(n, n, |i, j| s.row(i)[j].abs() + k.row(i)[j] - k.row(j)[i]);
            let p = LcpProblem::new(m, vector(n, &mut rng)).unwrap();
            let lemke = Lemke::default().solve(&p);
            assert_eq!(lemke.status, LcpStatus::Solved);
            let all = Enumeration::default().all(&p).unwrap();
            assert!(all.iter().any(|z| close(z, &lemke.z, 1e-8)), "{:?} {all:?}", lemke.z);
            several += usize::from(all.len() > 1);
        }
    }
    assert!(several > 0, "the class should show several solutions somewhere");
}

#[test]
fn degenerate_semidefinite_lcps_end() {
    let mut rng = Random::new(4);
    for n in 2..=40 {
        // q = -M z with most z zero: feasible, rank deficient, all ties
        let m = gram(n, n / 2, 0.0, &mut rng);
        let z: Vec<f64> = (0..n).map(|i| if i % 3 == 0 { 1.0 } else { 0.0 }).collect();
        let q = m.mul(&z).iter().map(|x| -x).collect();
        let s = Lemke::default().solve(&LcpProblem::new(m, q).unwrap());
        assert!(s.status == LcpStatus::Solved && s.certificate.holds(1e-10), "{n}: {s:?}");
    }
}

#[test]
fn infeasible_semidefinite_lcps_end_on_a_ray_and_have_no_basis() {
    let mut rng = Random::new(5);
    for n in 2..=8 {
        // M u = 0 and q.u < 0 for some u >= 0: no w >= 0 exists
        let u: Vec<f64> = (0..n).map(|_| 0.5 + rng.uniform()).collect();
        let uu: f64 = u.iter().map(|x| x * x).sum();
        let s = gram(n, n, 0.0, &mut rng);
        let project = |x: &[f64]| {
            let f = x.iter().zip(&u).map(|(x, u)| x * u).sum::<f64>() / uu;
            x.iter().zip(&u).map(|(x, u)| x - f * u).collect::<Vec<f64>>()
        };
        let columns: Vec<Vec<f64>> = (0..n)
            .map(|j| project(&s.mul(&project(&(0..n).map(|i| f64::from(u8::from(i == j))).collect::<Vec<_>>()))))
            .collect();
        let m = Dense::from_fn(n, n, |i, j| columns[j][i]);
        let p = LcpProblem::new(m, u.iter().map(|u| -u).collect()).unwrap();
        assert_eq!(Lemke::default().solve(&p).status, LcpStatus::RayTermination, "{n}");
        assert_eq!(Enumeration::default().solve(&p).status, LcpStatus::NoSolution, "{n}");
    }
}

fn clarabel_matrix(a: &Csr) -> CscMatrix<f64> {
    let a = Csc::from(a);
    let (rows, cols) = a.shape();
    let index = a.row_indices().iter().map(|&i| i as usize).collect();
    CscMatrix::new(rows, cols, a.pointers().to_vec(), index, a.values().to_vec())
}

/// The interior-point answer.
fn reference(a: &Dense, b: &[f64], lo: &[f64], hi: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut upper = Triplet::empty(n, n);
    for i in 0..n {
        (i..n).for_each(|j| upper.push(i, j, a.row(i)[j]));
    }
    let sides: Vec<(usize, f64, f64)> =
        (0..n).flat_map(|i| [(i, 1.0, hi[i]), (i, -1.0, -lo[i])]).filter(|s| s.2.is_finite()).collect();
    let mut g = Triplet::empty(sides.len(), n);
    sides.iter().enumerate().for_each(|(k, s)| g.push(k, s.0, s.1));
    let rhs: Vec<f64> = sides.iter().map(|s| s.2).collect();
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .tol_gap_abs(1e-12)
        .tol_gap_rel(1e-12)
        .tol_feas(1e-12)
        .build()
        .unwrap();
    let (p, g) = (clarabel_matrix(&Csr::from(&upper)), clarabel_matrix(&Csr::from(&g)));
    let mut solver = DefaultSolver::new(&p, b, &g, &rhs, &[NonnegativeConeT(rhs.len())], settings).unwrap();
    solver.solve();
    assert!(matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved));
    solver.solution.x.clone()
}

#[test]
fn bound_constrained_qps_agree_with_an_interior_point() {
    let mut rng = Random::new(6);
    let options = QpOptions { max_iterations: 100_000, ..QpOptions::default() };
    for n in [1, 2, 5, 12, 40] {
        for _ in 0..8 {
            let a = gram(n, n + 3, 0.1, &mut rng);
            let b: Vec<f64> = vector(n, &mut rng).iter().map(|x| 3.0 * x).collect();
            let bound = |rng: &mut Random| if rng.uniform() < 0.3 { f64::INFINITY } else { rng.uniform() };
            let lo: Vec<f64> = (0..n).map(|_| -bound(&mut rng)).collect();
            let hi: Vec<f64> = (0..n).map(|_| bound(&mut rng)).collect();
            let expected = reference(&a, &b, &lo, &hi);
            let qp = BoxQp::new(a, b, lo, hi).unwrap();
            let answers = [
                ("gradient", ProjectedGradient::new(options).solve(&qp)),
                ("cg", ProjectedCg::new(options).solve(&qp)),
                ("active set", ActiveSet::new(options).solve(&qp)),
            ];
            for (name, s) in &answers {
                assert_eq!(s.status, QpStatus::Solved, "{name} {n}: {:?}", s.certificate);
                assert!(close(&s.x, &expected, 1e-6), "{name} {n}");
                assert!(close(&s.x, &answers[2].1.x, 1e-7), "{name} {n}");
            }
        }
    }
}

#[test]
fn bounds_at_zero_make_a_qp_an_lcp() {
    let mut rng = Random::new(7);
    for n in 1..=12 {
        let (a, b) = (gram(n, n, 0.1, &mut rng), vector(n, &mut rng));
        let z = Lemke::default().solve(&LcpProblem::new(a.clone(), b.clone()).unwrap()).z;
        let qp = BoxQp::new(a, b, vec![0.0; n], vec![f64::INFINITY; n]).unwrap();
        let options = QpOptions { max_iterations: 100_000, ..QpOptions::default() };
        assert!(close(&ActiveSet::default().solve(&qp).x, &z, 1e-9));
        assert!(close(&ProjectedCg::default().solve(&qp).x, &z, 1e-7));
        assert!(close(&ProjectedGradient::new(options).solve(&qp).x, &z, 1e-7));
    }
}

#[test]
fn a_nonsymmetric_qp_on_the_positive_orthant_is_an_lcp() {
    let mut rng = Random::new(8);
    for n in 1..=10 {
        for _ in 0..10 {
            let (s, k) = (gram(n, n, 0.3, &mut rng), random(n, n, &mut rng));
            let m = Dense::from_fn(n, n, |i, j| s.row(i)[j] + k.row(i)[j] - k.row(j)[i]);
            let q = vector(n, &mut rng);
            let minus = Dense::from_fn(n, n, |i, j| if i == j { -1.0 } else { 0.0 });
            let qp = NonsymmetricQp::new(m.clone(), q.clone(), minus.clone(), vec![0.0; n], minus).unwrap();
            let x = qp.solve(&vec![1.0; n], &NonsymmetricOptions::default());
            assert_eq!(x.status, QpStatus::Solved, "{n}");
            let z = Lemke::default().solve(&LcpProblem::new(m, q).unwrap()).z;
            assert!(close(&x.x, &z, 1e-8));
        }
    }
}

#[test]
fn semidefinite_unbounded_and_short_qps_have_their_status() {
    let mut rng = Random::new(9);
    let n = 12;
    let a = gram(n, n / 2, 0.0, &mut rng);
    // b in the range of A keeps the objective bounded
    let b = a.mul(&vector(n, &mut rng));
    let qp = BoxQp::new(a, b.clone(), vec![-0.5; n], vec![0.5; n]).unwrap();
    let options = QpOptions { tolerance: 1e-8, max_iterations: 200_000 };
    let (p, c) = (ProjectedGradient::new(options).solve(&qp), ProjectedCg::new(options).solve(&qp));
    assert_eq!((p.status, c.status), (QpStatus::Solved, QpStatus::Solved));
    assert!((p.certificate.objective - c.certificate.objective).abs() < 1e-6);
    let falling =
        BoxQp::new(Dense::zeros(2, 2), vec![1.0, -1.0], vec![f64::NEG_INFINITY; 2], vec![f64::INFINITY; 2]).unwrap();
    assert_eq!(ProjectedGradient::default().solve(&falling).status, QpStatus::Unbounded);
    assert_eq!(ProjectedCg::default().solve(&falling).status, QpStatus::Unbounded);
    assert_eq!(ActiveSet::default().solve(&falling).status, QpStatus::Stalled);
    let short = QpOptions { max_iterations: 1, ..QpOptions::default() };
    assert_eq!(ProjectedGradient::new(short).solve(&qp).status, QpStatus::IterationLimit);
    assert_eq!(ProjectedCg::new(short).solve(&qp).status, QpStatus::IterationLimit);
}

/// Symmetric, nearly singular: few directions carry almost all of M.
#[test]
fn projected_cg_solves_large_problems_of_low_rank_and_keeps_its_limit() {
    for (n, rank, shift) in [(400, 20, 0.01), (60, 10, 1e-4), (60, 60, 1e-2), (120, 40, 1e-3)] {
        let mut rng = Random::new(n as u64);
        let (a, b) = (gram(n, rank, shift, &mut rng), vector(n, &mut rng));
        let qp = BoxQp::new(a, b, vec![0.0; n], vec![f64::INFINITY; n]).unwrap();
        let options = QpOptions { tolerance: 1e-8, max_iterations: 10_000 };
        let found = ProjectedCg::new(options).solve(&qp);
        assert_eq!(found.status, QpStatus::Solved, "{n}, {rank}, {shift}: {:?}", found.certificate);
        // cut short it hands back the best of its iterates, after no more of them than it was allowed
        let mut last = f64::INFINITY;
        for max_iterations in [0, 1, 5, 25, 125] {
            let short = ProjectedCg::new(QpOptions { max_iterations, ..options }).solve(&qp);
            assert!(short.iterations <= max_iterations, "{} of {max_iterations}", short.iterations);
            assert!(short.certificate.error <= last * (1.0 + 1e-6), "{max_iterations}: {:?}", short.certificate);
            last = short.certificate.error;
        }
    }
}

#[test]
fn projected_cg_between_two_bounds() {
    let mut rng = Random::new(5);
    for n in [1, 2, 5, 30] {
        let (a, b) = (gram(n, n.div_ceil(2), 1e-3, &mut rng), vector(n, &mut rng));
        let qp = BoxQp::new(a, b, vec![-0.5; n], vec![0.25; n]).unwrap();
        let options = QpOptions { tolerance: 1e-10, max_iterations: 100_000 };
        let found = ProjectedCg::new(options).solve(&qp);
        let reference = ProjectedGradient::new(options).solve(&qp);
        assert_eq!((found.status, reference.status), (QpStatus::Solved, QpStatus::Solved), "{n}");
        assert!((found.certificate.objective - reference.certificate.objective).abs() < 1e-9, "{n}");
    }
}

/// A clock that runs out is a halt: no solver takes more than the iteration that it is in.
#[test]
fn every_solver_of_complementarity_problems_hears_the_clock() {
    let mut rng = Random::new(9);
    let (n, limit) = (16, 3);
    let p = LcpProblem::new(gram(n, n, 1e-3, &mut rng), vector(n, &mut rng)).unwrap();
    for solver in LcpSolverSpec::catalogue() {
        let mut asked = 0;
        let found = solver.spec.solve(&p, &mut |_| {
            asked += 1;
            asked >= limit
        });
        assert!(asked <= limit, "{}: asked {asked} times", solver.name);
        assert!([LcpStatus::Interrupted, LcpStatus::Solved].contains(&found.status), "{}: {found:?}", solver.name);
        assert!(found.certificate.error.is_finite());
    }
}
