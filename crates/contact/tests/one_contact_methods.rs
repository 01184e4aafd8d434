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

fn check<const D: usize>(cone: Option<Cone>) {
    let all = contacts::<D>(400, cone);
    for entry in OneContactKind::catalogue() {
        if POLYGONS.contains(&entry.name) {
            continue;
        }
        let (mut failed, mut most) = (0, 0);
        for (p, exact) in &all {
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
