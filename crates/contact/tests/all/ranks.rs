//! W of full rank, where r is unique; and W singular or indefinite, where nothing but honesty is asked for.

use stickslip_contact::block::{norm_all, sub};
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::RandomSparse;
use stickslip_contact::operator::BlockCsr;
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{Compiled, Report, SolverSpec, Status, Stop, Unknowns, unwatched};
use stickslip_contact::spectrum::Spectrum;

fn solve<const D: usize>(p: &LocalProblem<D>, spec: &SolverSpec, stop: &Stop) -> (Unknowns<D>, Report)
where
    BlockCsr<D>: Compiled<D>,
{
    let mut x = Unknowns::zeros(p);
    let report = spec.build::<D, BlockCsr<D>>().solve(p, &mut x, stop, &mut unwatched());
    (x, report)
}

/// With little friction the map is strongly monotone: `|dr| <= C |F| / lambda_min`, C a few units.
fn impulses_agree<const D: usize>(seed: u64)
where
    BlockCsr<D>: Compiled<D>,
{
    let random = RandomSparse { contacts: 12, bodies: 24, mu: [0.05, 0.2], seed, ..RandomSparse::default() };
    let problem = random.local::<D>().unwrap();
    let spectrum = Spectrum::new(&problem.w.to_csr()).unwrap();
    let (least, largest) = (spectrum.values[0], spectrum.largest());
    assert!(least > 1e-6 * largest, "rank");
    let stop = Stop { tolerance: 1e-9, ..Stop::default() };
    let (reference, report) = solve(&problem, &SolverSpec::named("nsgs").unwrap().spec, &stop);
    assert!(report.converged());
    let bound = 20.0 * stop.tolerance * norm_all(&problem.q) / least * (largest / least).sqrt();
    let mut converged = 0;
    for solver in SolverSpec::catalogue() {
        let (x, report) = solve(&problem, &solver.spec, &stop);
        if !report.converged() {
            continue;
        }
        converged += 1;
        let off: Vec<[f64; D]> = x.r.iter().zip(&reference.r).map(|(a, b)| sub(a, b)).collect();
        assert!(norm_all(&off) <= bound, "{}: {:e} above {bound:e}", solver.name, norm_all(&off));
    }
    assert!(converged > 15, "{converged}");
}

#[test]
fn impulses_are_unique_where_w_has_full_rank() {
    for seed in 0..3 {
        impulses_agree::<2>(seed);
        impulses_agree::<3>(seed);
        impulses_agree::<5>(seed);
    }
}

/// Two contacts with diagonal blocks `diagonal` and off-diagonal blocks `coupling` times the identity.
fn pair<const D: usize>(diagonal: f64, coupling: f64) -> LocalProblem<D> {
    let of = |x: f64| std::array::from_fn(|i| std::array::from_fn(|j| if i == j { x } else { 0.0 }));
    let blocks = vec![of(diagonal), of(coupling), of(coupling), of(diagonal)];
    let w = BlockCsr::new(vec![0, 2, 4], vec![0, 1, 0, 1], blocks).unwrap();
    let q = |x: f64| std::array::from_fn(|d| if d == 0 { -x } else { 0.5 * x });
    LocalProblem::assembled(w, vec![q(1.0), q(0.7)], vec![Cone::Coulomb { mu: 0.4 }; 2]).unwrap().0
}

fn honest<const D: usize>(problem: &LocalProblem<D>)
where
    BlockCsr<D>: Compiled<D>,
{
    let stop = Stop { tolerance: 1e-6, max_iterations: 2000, ..Stop::default() };
    for solver in SolverSpec::catalogue() {
        let (x, report) = solve(problem, &solver.spec, &stop);
        let (certificate, _) = problem.certify(&x.r, stop.measure);
        assert_eq!(certificate, report.certificate, "{}", solver.name);
        assert!(x.r.iter().chain(&x.u).flatten().all(|x| x.is_finite()), "{}: {report:?}", solver.name);
        if report.status != Status::Unsupported {
            assert_eq!(report.converged(), certificate.error <= stop.tolerance, "{}: {report:?}", solver.name);
        }
    }
}

#[test]
fn singular_and_indefinite_w_leave_numbers_and_an_honest_status() {
    for coupling in [1.0, -1.0, 3.0, -3.0, 1e6] {
        honest(&pair::<2>(1.0, coupling));
        honest(&pair::<3>(1.0, coupling));
        honest(&pair::<5>(1.0, coupling));
    }
}

#[test]
fn alternating_directions_tell_an_indefinite_w_from_a_large_one() {
    let (_, report) = solve(&pair::<3>(1.0, 1e6), &SolverSpec::named("admm").unwrap().spec, &Stop::default());
    assert_eq!(report.status, Status::Unsupported);
    assert!(report.why.mentions("not positive definite") && !report.why.mentions("memory"), "{report:?}");
}
