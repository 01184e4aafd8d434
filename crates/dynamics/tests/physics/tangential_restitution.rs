//! A ball and a disc that hit a floor with tangential restitution: where the contact sticks, $u_T^+ = -e_t u_T^-$.

use stickslip_dynamics::geometry::{plane, space};
use stickslip_dynamics::laws::Coulomb;
use stickslip_dynamics::{Body, Law, Options, World};

const RADIUS: f64 = 0.2;

/// The change of speed along the floor, for the slip `u`, the arriving speed `down` and $m W_{TT}$ = `mobility`.
fn kick(law: &Coulomb, u: f64, down: f64, mobility: f64) -> f64 {
    let (stick, limit) = ((1.0 + law.e_t) * u / mobility, law.mu * (1.0 + law.e_n) * down);
    -stick.clamp(-limit, limit)
}

fn laws() -> impl Iterator<Item = Coulomb> {
    // with friction enough to stick, and with too little
    [0.9, 0.05].into_iter().flat_map(|mu| {
        [(0.0, 0.5), (0.5, 0.0), (0.7, 0.8), (1.0, 1.0)].into_iter().map(move |(e_n, e_t)| Coulomb { mu, e_n, e_t })
    })
}

fn options() -> Options {
    Options { tolerance: 1e-12, ..Options::default() }
}

#[test]
fn a_disc() {
    for law in laws() {
        let mut world = World::<2, 3>::new(options()).unwrap();
        world.set_gravity([0.0, 0.0]).unwrap();
        world.set_law(Law::Coulomb(law)).unwrap();
        world.add(Body::new(plane::Shape::HalfPlane).fixed()).unwrap();
        let v = [1.0, -3.0, 4.0];
        let disc = Body::new(plane::Shape::Disc { radius: RADIUS }).at([0.0, RADIUS]).moving(v);
        let disc = world.add(disc).unwrap();
        for _ in 0..3 {
            assert!(world.step().certified);
        }
        let after = world.velocity(disc).unwrap();
        let dv = kick(&law, v[0] + RADIUS * v[2], 3.0, 3.0);
        // I = m R^2 / 2
        let expected = [v[0] + dv, 3.0 * law.e_n, v[2] + 2.0 * dv / RADIUS];
        assert!((0..3).all(|i| (after[i] - expected[i]).abs() < 1e-9), "{law:?}: {after:?}, expected {expected:?}");
        let l = world.ledger();
        assert!(l.closure.abs() < 1e-12 * (l.turnover + l.kinetic) && l.gained() < 1e-9, "{l:?}");
    }
}

#[test]
fn a_ball() {
    for law in laws() {
        let mut world = World::<3, 6>::new(options()).unwrap();
        world.set_gravity([0.0; 3]).unwrap();
        world.set_law(Law::Coulomb(law)).unwrap();
        world.add(Body::new(space::Shape::HalfSpace).fixed()).unwrap();
        let v = [0.6, 0.8, -3.0, 0.0, 0.0, 2.0];
        let ball = Body::new(space::Shape::Sphere { radius: RADIUS }).at([0.0, 0.0, RADIUS]).moving(v);
        let ball = world.add(ball).unwrap();
        for _ in 0..3 {
            assert!(world.step().certified);
        }
        let after = world.velocity(ball).unwrap();
        // the slip is 1 m/s along (0.6, 0.8); I = 2/5 m R^2
        let dv = kick(&law, 1.0, 3.0, 3.5);
        let turn = 2.5 * dv / RADIUS;
        let expected = [0.6 * (1.0 + dv), 0.8 * (1.0 + dv), 3.0 * law.e_n, 0.8 * turn, -0.6 * turn, 2.0];
        assert!((0..6).all(|i| (after[i] - expected[i]).abs() < 1e-9), "{law:?}: {after:?}, expected {expected:?}");
    }
}
