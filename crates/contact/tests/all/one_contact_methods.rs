//! Every one-contact method of the catalogue: it rests at the exact answer, it finds it, and sweeps with it converge.

use stickslip_contact::block::{norm, norm_all, sub};
use stickslip_contact::certificate::Measure;
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::{RandomSparse, SingleContact, SphereLattice};
use stickslip_contact::one_contact::{
    AlartCurnier, Eal, Ebp, Epdas, FischerBurmeister, Guarded, Ipdas, JeanMoreau, NaturalMap, OneContact,
    OneContactKind, Pdas, Projection, Sal, Sbp, residual,
};
use stickslip_contact::operator::{Delassus, Sweep};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{Nsgs, NsgsOptions, Report, Solver, Status, Stop, StopTest, Unknowns, unwatched};

/// Friction on a polygon is another law, up to 1/nu.
const POLYGONS: [&str; 2] = ["lemke_polygon", "qp_polygon"];

/// Single contacts with the exact answer of each.
fn contacts<const D: usize>(count: u64, cone: Option<Cone>) -> Vec<(LocalProblem<D>, [f64; D])> {
    let exact = |seed| {
        let single = SingleContact { seed, mu: [0.1, 0.6], condition: 5.0, ..SingleContact::default() };
        let mut p = single.generate::<D>().unwrap();
        p.cones[0] = cone.unwrap_or(p.cones[0]);
        let mut r = [0.0; D];
        assert!(Guarded::default().solve(&p.w.diagonal(0), &p.q[0], &p.cones[0], &mut r));
        (p, r)
    };
    (0..count).map(exact).collect()
}

/// Visits from `start` until the law holds to `tolerance` of q; the number of visits, if it does within `most`.
fn visits<const D: usize>(kind: &OneContactKind, p: &LocalProblem<D>, mut r: [f64; D], most: usize) -> Option<usize> {
    let w = p.w.diagonal(0);
    for k in 0..=most {
        if residual(&w, &p.q[0], &p.cones[0], &r).error <= 1e-10 * norm(&p.q[0]) {
            return Some(k);
        }
        kind.solve(&w, &p.q[0], &p.cones[0], &mut r);
    }
    None
}

/// A visit is a solve whose verdict is not asked for, by a path of its own without friction.
#[test]
fn a_visit_is_a_solve_without_its_verdict() {
    for cone in [None, Some(Cone::Frictionless)] {
        for (p, exact) in contacts::<3>(200, cone) {
            let (w, q) = (p.w.diagonal(0), p.q[0]);
            for entry in OneContactKind::catalogue() {
                for start in [[0.0; 3], exact.map(|x| 0.5 * x), exact.map(|x| 3.0 * x)] {
                    let (mut solved, mut visited) = (start, start);
                    entry.kind.solve(&w, &q, &p.cones[0], &mut solved);
                    entry.kind.visit(&w, &q, &p.cones[0], &mut visited);
                    let apart = norm(&sub(&solved, &visited));
                    let scale = norm(&solved).max(norm(&start)).max(norm(&q) / w[0][0]);
                    assert!(apart <= 1e-12 * scale, "{} {cone:?}: {solved:?} {visited:?}", entry.name);
                }
            }
        }
    }
}

fn check<const D: usize>(cone: Option<Cone>) {
    let all = contacts::<D>(400, cone);
    for entry in OneContactKind::catalogue() {
        if POLYGONS.contains(&entry.name) {
            continue;
        }
        let (mut failed, mut most) = (0, 0);
        for (p, exact) in all.iter().filter(|(p, _)| entry.kind.refusal(p).is_none()) {
            // the exact answer is a fixed point
            let mut r = *exact;
            entry.kind.solve(&p.w.diagonal(0), &p.q[0], &p.cones[0], &mut r);
            let moved = norm(&sub(&r, exact));
            assert!(moved <= 1e-12 * norm(exact).max(norm(&p.q[0])), "{} {cone:?}: {moved:e} {p:?}", entry.name);
            match visits(&entry.kind, p, [0.0; D], 5000) {
                Some(k) => most = most.max(k),
                None => failed += 1,
            }
        }
        println!("{D} rows, {cone:?}, {}: {most} visits at most, {failed} of {} not found", entry.name, all.len());
        assert_eq!(failed, 0, "{} {cone:?}", entry.name);
    }
}

#[test]
fn every_method_rests_at_the_exact_answer_and_finds_it_from_zero() {
    for cone in [None, Some(Cone::Frictionless), Some(Cone::Tresca { radius: 0.2 }), Some(Cone::Bilateral)] {
        check::<2>(cone);
        check::<3>(cone);
    }
    check::<5>(None);
}

fn sweeps<const D: usize, W: Sweep<D>>(
    p: &LocalProblem<D, W>,
    kind: OneContactKind,
    stop: &Stop,
) -> (Unknowns<D>, Report) {
    let options = NsgsOptions { one_contact: kind, stop_test: StopTest::Exact { every: 1 }, ..NsgsOptions::default() };
    let mut x = Unknowns::zeros(p);
    let report = Nsgs::new(options).solve(p, &mut x, stop, &mut unwatched());
    (x, report)
}

/// Sweeps with every method end at the velocity that exact ones find.
fn agree<const D: usize, W: Sweep<D>>(name: &str, p: &LocalProblem<D, W>) {
    let stop = Stop { tolerance: 1e-9, max_iterations: 20_000, ..Stop::default() };
    let (reference, exact) = sweeps(p, OneContactKind::Exact, &stop);
    assert!(exact.converged());
    for entry in OneContactKind::catalogue() {
        if POLYGONS.contains(&entry.name) {
            continue;
        }
        let (x, report) = sweeps(p, entry.kind, &stop);
        if entry.kind.refusal(p).is_some() {
            // a closed form is for spheres
            assert_eq!((entry.name, report.status), ("closed_form", Status::Unsupported), "{name}");
            continue;
        }
        let off: Vec<[f64; D]> = x.u.iter().zip(&reference.u).map(|(a, b)| sub(a, b)).collect();
        let distance = norm_all(&off) / norm_all(&p.q);
        println!("{name}, {}: {} sweeps, {distance:.1e} apart", entry.name, report.iterations);
        assert!(report.converged() && distance < 1e-6, "{name}, {}: {distance:e} {report:?}", entry.name);
    }
}

fn weak() -> RandomSparse {
    RandomSparse { contacts: 40, bodies: 40, mu: [0.1, 0.5], ..RandomSparse::default() }
}

#[test]
fn sweeps_with_every_method_agree() {
    agree("plane", &weak().local::<2>().unwrap());
    agree("space", &weak().local::<3>().unwrap());
    agree("rolling", &weak().local::<5>().unwrap());
    agree("spheres", &SphereLattice { nx: 3, ny: 3, nz: 3, ..SphereLattice::default() }.spheres().unwrap());
    let mut mixed = weak().local::<3>().unwrap();
    for (c, cone) in mixed.cones.iter_mut().enumerate() {
        *cone = match c % 4 {
            0 => Cone::Frictionless,
            1 => Cone::Tresca { radius: 0.1 },
            2 if c < 12 => Cone::Bilateral,
            _ => *cone,
        };
    }
    agree("mixed", &mixed);
}

/// The sliding ball of [A, section 5.1]: one frictionless contact, r = 0 at the start, eps_glob as the stopping test.
#[test]
fn iterations_of_one_ball_come_in_the_order_of_the_paper() {
    let mut p = SingleContact { condition: 1.0, ..SingleContact::default() }.generate::<3>().unwrap();
    (p.cones[0], p.q[0]) = (Cone::Frictionless, [-9.81e-4, 1.5, 0.0]);
    let stop = Stop { tolerance: 1e-7, measure: Measure::EpsGlob, ..Stop::default() };
    let count = |kind| {
        let (_, report) = sweeps(&p, kind, &stop);
        assert!(report.converged() && report.certificate.eps_glob <= 1e-7);
        report.iterations
    };
    let sbp = count(OneContactKind::Sbp(Sbp { relative: 0.4, ..Sbp::default() }));
    let sal = count(OneContactKind::Sal(Sal { relative: 0.4, ..Sal::default() }));
    let newtons = [OneContactKind::Ebp(Ebp::default()), OneContactKind::Eal(Eal::default())].map(count);
    let pdas = count(OneContactKind::Pdas(Pdas::default()));
    println!("sbp {sbp}, sal {sal}, ebp and eal {newtons:?}, pdas {pdas}");
    // a contraction by 1 - 0.4 a sweep, from 9.81e-4 to 1e-7
    assert_eq!((sbp, sal), (18, 18));
    assert_eq!((newtons, pdas), ([1, 1], 1));
    // the parameter of the active set only has to be positive
    for gamma in [1e-8, 1e8] {
        assert_eq!(count(OneContactKind::Pdas(Pdas { gamma: Some(gamma) })), 1);
    }
}

#[test]
fn constant_and_adaptive_projections_and_absolute_steps_converge() {
    let p = weak().local::<3>().unwrap();
    let stop = Stop { tolerance: 1e-8, ..Stop::default() };
    let w = p.w.diagonal(0)[0][0];
    for projection in [
        Projection::default(),
        Projection { adaptive: false, ..Projection::default() },
        Projection { adaptive: false, relative: 0.5, ..Projection::default() },
        Projection { adaptive: false, rho: Some(0.05 / w), ..Projection::default() },
    ] {
        let (_, report) = sweeps(&p, OneContactKind::Projection(projection), &stop);
        assert!(report.converged(), "{projection:?}: {report:?}");
    }
    for kind in [
        OneContactKind::Sbp(Sbp { rho: Some(0.05 / w), ..Sbp::default() }),
        OneContactKind::Sal(Sal { steps: 5, ..Sal::default() }),
        OneContactKind::Epdas(Epdas { gamma_n: Some(1e-8), gamma_t: Some(0.5 / w), steps: 3 }),
        OneContactKind::Ipdas(Ipdas { gamma_n: Some(10.0 / w), gamma_t: Some(0.5 / w), steps: 1 }),
        OneContactKind::Ebp(Ebp { max_steps: 1, guard: false, ..Ebp::default() }),
        OneContactKind::Eal(Eal { max_steps: 1, guard: false, ..Eal::default() }),
    ] {
        let (_, report) = sweeps(&p, kind, &stop);
        assert!(report.converged(), "{kind:?}: {report:?}");
    }
}

/// Without the guard Newton may end anywhere; with it it never does.
#[test]
fn the_guard_catches_what_newton_misses() {
    let hard = |seed| {
        let single = SingleContact { seed, condition: 1e4, mu: [0.5, 3.0], ..SingleContact::default() };
        single.generate::<3>().unwrap()
    };
    let problems: Vec<LocalProblem<3>> = (0..500).map(hard).collect();
    let failures = |one: &dyn OneContact<3>| {
        let fails = |p: &&LocalProblem<3>| {
            let mut r = [0.0; 3];
            let said = one.solve(&p.w.diagonal(0), &p.q[0], &p.cones[0], &mut r);
            let e = residual(&p.w.diagonal(0), &p.q[0], &p.cones[0], &r);
            assert_eq!(said, e.is_rounding());
            !said && e.error > 1e-12 * norm(&p.q[0])
        };
        problems.iter().filter(fails).count()
    };
    let guarded: [&dyn OneContact<3>; 6] = [
        &AlartCurnier::default(),
        &JeanMoreau::default(),
        &NaturalMap::default(),
        &FischerBurmeister::default(),
        &Ebp::default(),
        &Eal::default(),
    ];
    for one in guarded {
        assert_eq!(failures(one), 0);
    }
    let alone: [&dyn OneContact<3>; 6] = [
        &AlartCurnier { guard: false, ..AlartCurnier::default() },
        &JeanMoreau { guard: false, ..JeanMoreau::default() },
        &NaturalMap { guard: false, ..NaturalMap::default() },
        &FischerBurmeister { guard: false, ..FischerBurmeister::default() },
        &Ebp { guard: false, ..Ebp::default() },
        &Eal { guard: false, ..Eal::default() },
    ];
    let missed = alone.map(failures);
    println!("ac, mj, nm, fb, ebp, eal without the guard miss {missed:?} of 500");
    assert!(missed.iter().sum::<usize>() > 0);
}

#[test]
fn a_law_that_a_method_does_not_know_is_said_so() {
    let mut p = weak().local::<3>().unwrap();
    p.cones[3] = Cone::Tresca { radius: 0.1 };
    let alone = OneContactKind::Fb(FischerBurmeister { guard: false, ..FischerBurmeister::default() });
    let (_, report) = sweeps(&p, alone, &Stop::default());
    assert_eq!((report.status, report.iterations), (Status::Unsupported, 0));
    assert!(report.why.mentions("contact 3"), "{report:?}");
    let guarded = OneContactKind::Fb(FischerBurmeister::default());
    assert!(sweeps(&p, guarded, &Stop::default()).1.converged());
}
