//! The polygonal one-contact solvers: exact where they can be, and the orders of their approximation.

use stickslip_contact::block::{dot, mul, norm, norm_all, sub};
use stickslip_contact::cone::Cone;
use stickslip_contact::generate::{RandomSparse, SingleContact};
use stickslip_contact::one_contact::{Exact, LemkePolygon, OneContact, OneContactKind, QpPolygon};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{Nsgs, NsgsOptions, Solver, Status, Stop, StopTest, Unknowns, unwatched};

fn contacts(count: u64) -> impl Iterator<Item = LocalProblem<3>> {
    (0..count).map(|seed| SingleContact { seed, ..SingleContact::default() }.generate::<3>().unwrap())
}

fn answer(one: impl OneContact<3>, p: &LocalProblem<3>) -> [f64; 3] {
    let mut r = [0.0; 3];
    one.solve(p.w.block(0, 0).unwrap(), &p.q[0], &p.cones[0], &mut r);
    r
}

#[test]
fn lemke_and_the_qp_solve_the_same_polygon() {
    let mut sliding = 0;
    for p in contacts(400) {
        for nu in [3, 4, 8, 12, 16, 33] {
            let (a, b) = (answer(LemkePolygon { nu }, &p), answer(QpPolygon { nu }, &p));
            let exact = answer(Exact, &p);
            // W is at least 1, so q is an impulse too: below 1e-15 of it an open contact has none
            let size = norm(&exact).max(norm(&a)).max(1e-9 * norm(&p.q[0]));
            assert!(norm(&sub(&a, &b)) <= 1e-6 * size, "nu {nu}: {a:?} {b:?} for {p:?}");
            sliding += usize::from(norm(&sub(&a, &exact)) > 1e-6 * size);
        }
    }
    assert!(sliding > 100);
}

/// Root mean squares over sliding contacts in all directions: (impulse, energy).
fn errors(nu: usize) -> [(f64, f64); 2] {
    let mut sums = [(0.0, 0.0); 2];
    let count = 1000;
    for k in 0..count {
        // no coupling of normal and tangent: r_N is the same, friction minimises its energy over disc or polygon
        let w = [[1.0, 0.0, 0.0], [0.0, 3.0, 0.5], [0.0, 0.5, 2.0]];
        let (sin, cos) = (k as f64 * 0.61803).sin_cos();
        let q = [-1.0, 4.0 * cos, 4.0 * sin];
        let cone = Cone::Coulomb { mu: 0.5 };
        let solve = |one: &dyn OneContact<3>| {
            let mut r = [0.0; 3];
            one.solve(&w, &q, &cone, &mut r);
            r
        };
        let energy = |r: &[f64; 3]| 0.5 * dot(r, &mul(&w, r)) + dot(&q, r);
        let exact = solve(&Exact);
        for (sum, r) in sums.iter_mut().zip([solve(&LemkePolygon { nu }), solve(&QpPolygon { nu })]) {
            sum.0 += norm(&sub(&r, &exact)).powi(2);
            let above = energy(&r) - energy(&exact);
            assert!(above > -1e-12, "the polygon lies inside the disc");
            sum.1 += above.powi(2);
        }
    }
    sums.map(|s| ((s.0 / f64::from(count)).sqrt(), (s.1 / f64::from(count)).sqrt()))
}

#[test]
fn the_energy_is_of_second_order_and_the_impulse_of_first() {
    let sides = [8, 16, 32, 64];
    let all = sides.map(errors);
    for which in 0..2 {
        for (pair, nu) in all.windows(2).zip(sides) {
            let impulse = (pair[0][which].0 / pair[1][which].0).log2();
            let energy = (pair[0][which].1 / pair[1][which].1).log2();
            println!("nu {nu} -> {}: orders {impulse:.2} (impulse), {energy:.2} (energy)", 2 * nu);
            assert!((0.8..1.2).contains(&impulse) && (1.8..2.2).contains(&energy));
        }
    }
}

#[test]
fn sweeps_with_a_polygon_stop_near_the_exact_answer() {
    let problem = RandomSparse { contacts: 60, bodies: 60, ..RandomSparse::default() }.local::<3>().unwrap();
    let stop = Stop { tolerance: 1e-10, max_iterations: 300, ..Stop::default() };
    let certified = |one_contact: OneContactKind| {
        let options = NsgsOptions { one_contact, stop_test: StopTest::Exact { every: 10 }, ..NsgsOptions::default() };
        let mut x = Unknowns::zeros(&problem);
        Nsgs::new(options).solve(&problem, &mut x, &stop, &mut unwatched()).certificate.error
    };
    for kind in
        [|nu| OneContactKind::LemkePolygon(LemkePolygon { nu }), |nu| OneContactKind::QpPolygon(QpPolygon { nu })]
    {
        let found = [8, 16, 32, 64].map(|nu| certified(kind(nu)));
        println!("certificates for 8, 16, 32, 64 corners: {found:?}");
        assert!(found[0] < 0.3 && found[3] < 0.3 * found[0] && found[3] > 1e-8);
    }
}

#[test]
fn sweeps_with_a_polygon_settle_in_their_own_law() {
    let problem = RandomSparse { contacts: 60, bodies: 60, ..RandomSparse::default() }.local::<3>().unwrap();
    let stop = Stop { tolerance: 1e-12, max_iterations: 100_000, ..Stop::default() };
    let settle = |settled: f64| {
        let one_contact = OneContactKind::LemkePolygon(LemkePolygon { nu: 12 });
        let options = NsgsOptions { one_contact, settled: Some(settled), ..NsgsOptions::default() };
        let mut x = Unknowns::zeros(&problem);
        let report = Nsgs::new(options).solve(&problem, &mut x, &stop, &mut unwatched());
        (report, x.r)
    };
    let ((short, r), (long, exact)) = (settle(1e-6), settle(1e-11));
    println!("{} and {} sweeps, error {:e}", short.iterations, long.iterations, long.certificate.error);
    assert!(short.status == Status::Stalled && long.status == Status::Stalled);
    assert!(short.iterations < long.iterations && long.iterations < stop.max_iterations);
    // one fixed point, and not that of the cone
    let apart: Vec<[f64; 3]> = r.iter().zip(&exact).map(|(a, b)| sub(a, b)).collect();
    assert!(norm_all(&apart) < 1e-4 * norm_all(&exact) && long.certificate.error > 1e-4);
}

#[test]
fn laws_without_a_polygon_are_exact() {
    let w = [[1.0, 0.2, 0.1], [0.2, 3.0, 0.5], [0.1, 0.5, 2.0]];
    let q = [-1.0, 0.7, -4.0];
    for cone in [Cone::Frictionless, Cone::Bilateral, Cone::Rolling { mu: 0.3, mu_r: 0.1 }, Cone::Coulomb { mu: 100.0 }]
    {
        let (mut a, mut b, mut c) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        Exact.solve(&w, &q, &cone, &mut a);
        LemkePolygon::default().solve(&w, &q, &cone, &mut b);
        QpPolygon::default().solve(&w, &q, &cone, &mut c);
        assert!(norm(&sub(&a, &b)) < 1e-12 && norm(&sub(&a, &c)) < 1e-12, "{cone:?}");
    }
    // in the plane the polygon is the disc
    let (w, q, cone) = ([[1.0, 0.3], [0.3, 2.0]], [-1.0, 4.0], Cone::Coulomb { mu: 0.5 });
    let (mut a, mut b) = ([0.0; 2], [0.0; 2]);
    Exact.solve(&w, &q, &cone, &mut a);
    LemkePolygon::default().solve(&w, &q, &cone, &mut b);
    assert!(norm(&sub(&a, &b)) < 1e-14);
    // Tresca, open and closed, on a fine polygon
    for q in [[-1.0, 0.7, -4.0], [2.0, 0.7, -4.0]] {
        let cone = Cone::Tresca { radius: 0.4 };
        let (mut a, mut b, mut c) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        let w = [[1.0, 0.2, 0.1], [0.2, 3.0, 0.5], [0.1, 0.5, 2.0]];
        Exact.solve(&w, &q, &cone, &mut a);
        LemkePolygon { nu: 64 }.solve(&w, &q, &cone, &mut b);
        QpPolygon { nu: 64 }.solve(&w, &q, &cone, &mut c);
        assert!(norm(&sub(&b, &c)) < 1e-9 && norm(&sub(&a, &b)) < 0.05, "{a:?} {b:?} {c:?}");
    }
}

#[test]
fn kinds_read_with_and_without_their_number_of_corners() {
    let plain: OneContactKind = serde_json::from_str("{\"lemke_polygon\": {}}").unwrap();
    assert_eq!(plain, OneContactKind::LemkePolygon(LemkePolygon { nu: 12 }));
    let given: OneContactKind = serde_json::from_str("{\"qp_polygon\": {\"nu\": 9}}").unwrap();
    assert_eq!(given, OneContactKind::QpPolygon(QpPolygon { nu: 9 }));
}

#[test]
fn not_a_number_gives_no_answer() {
    let w = [[1.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, f64::NAN]];
    let mut r = [0.0; 3];
    assert!(!LemkePolygon::default().solve(&w, &[-1.0, 1.0, 1.0], &Cone::Coulomb { mu: 0.5 }, &mut r));
    assert!(!QpPolygon::default().solve(&w, &[-1.0, 1.0, 1.0], &Cone::Coulomb { mu: 0.5 }, &mut r));
}
