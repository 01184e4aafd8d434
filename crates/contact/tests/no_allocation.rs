//! A warm solve allocates nothing.

#![allow(unsafe_code)]

mod counting;
use counting::ALLOCATIONS;
use stickslip_contact::generate::SphereLattice;
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{Compiled, Freezing, NsgsOptions, Order, SolverSpec, Stop, Unknowns, unwatched};

fn check<W: Compiled<3>>(problem: &LocalProblem<3, W>, spec: SolverSpec) {
    let mut solver = spec.build::<3, W>();
    let mut x = Unknowns::zeros(problem);
    let mut watch = unwatched();
    solver.solve(problem, &mut x, &Stop::default(), &mut watch);
    x.r.fill([0.0; 3]);
    let before = ALLOCATIONS.get();
    let report = solver.solve(problem, &mut x, &Stop::default(), &mut watch);
    let after = ALLOCATIONS.get();
    assert!(report.converged() && report.iterations > 5);
    assert_eq!(after - before, 0, "{}", spec.name());
}

#[test]
fn a_warm_solve_allocates_nothing() {
    // the counter counts
    let before = ALLOCATIONS.get();
    drop(std::hint::black_box(vec![1.0; 10]));
    assert!(ALLOCATIONS.get() > before);

    let lattice = SphereLattice { nx: 4, ny: 4, nz: 4, ..SphereLattice::default() };
    // a factorisation has to put its factors somewhere: what factors is not for the inside of a time step
    let factors = ["auto", "admm", "mg-admm", "tnnmg", "ipm", "nsn-ac", "nsn-mj", "nsn-nm", "nsn-fb", "ppn"];
    // and the solvers of the plane do not know these contacts
    let here = |name: &str| !factors.contains(&name) && !name.ends_with("-2d");
    let sweeping: Vec<_> = SolverSpec::catalogue().into_iter().filter(|s| here(s.name)).collect();
    assert!(sweeping.len() >= 13);
    for solver in sweeping {
        check(&lattice.spheres().unwrap(), solver.spec);
    }
    let global = lattice.global().unwrap();
    check(
        &global.condense().unwrap().0,
        SolverSpec::Nsgs(NsgsOptions { order: Order::Shuffled { seed: 1 }, ..NsgsOptions::default() }),
    );
    let free = LocalProblem::matrix_free(&global).unwrap().unwrap();
    check(&free, SolverSpec::Nsgs(NsgsOptions { freezing: Some(Freezing::default()), ..NsgsOptions::default() }));
}
