//! What soft contacts do not know is refused.

use stickslip_dynamics::geometry::space::Shape;
use stickslip_dynamics::laws::{Coulomb, Glued, Rolling};
use stickslip_dynamics::{Body, Engine, Law, Options, SoftSphere, World};

fn soft() -> Options {
    Options { engine: Engine::SoftSphere(SoftSphere { k_n: 1e5, k_t: 3e4 }), ..Options::default() }
}

#[test]
fn glue_rolling_and_tangential_restitution_are_refused() {
    let refused = [
        (Law::Glued(Glued {}), "glue"),
        (Law::Rolling(Rolling { mu_r: 1e-3, ..Rolling::default() }), "rolling"),
        (Law::Rolling(Rolling { mu_s: 1e-3, ..Rolling::default() }), "spinning"),
        (Law::Coulomb(Coulomb { e_t: 0.5, ..Coulomb::default() }), "e_t"),
    ];
    for (law, word) in refused {
        let mut world = World::<3, 6>::new(soft()).unwrap();
        let said = world.set_law(law).unwrap_err().to_string();
        assert!(said.contains(word) && said.contains("'default'"), "{said}");
        // the law of before is still there
        assert!(world.check().is_ok() && *world.laws().of(0, 0) == Law::default());
        // hard contacts know it, and are not made soft with it
        let mut world = World::<3, 6>::new(Options::default()).unwrap();
        world.set_law(law).unwrap();
        assert!(world.set_options(soft()).is_err() && world.options().engine == Engine::Hard);
        // set behind the back of the world it is found by the check
        let mut world = World::<3, 6>::new(soft()).unwrap();
        let ice = world.laws_mut().material("ice");
        world.laws_mut().set(ice, ice, law).unwrap();
        assert!(world.check().unwrap_err().to_string().contains("'ice' with 'ice'"));
    }
    for law in [Law::bouncing(0.3, 0.5), Law::Rolling(Rolling::default())] {
        World::<3, 6>::new(soft()).unwrap().set_law(law).unwrap();
    }
}

#[test]
fn the_longest_step_is_that_of_the_lightest_body() {
    let mut world = World::<3, 6>::new(soft()).unwrap();
    assert_eq!(world.longest_soft_step(), None);
    world.add(Body::new(Shape::Sphere { radius: 0.1 }).mass(2.0)).unwrap();
    let longest = |m: f64| std::f64::consts::PI * (0.5 * m / 1e5_f64).sqrt() / 20.0;
    assert_eq!(world.longest_soft_step(), Some(longest(2.0)));
    world.add_at(1.0, Body::new(Shape::Sphere { radius: 0.1 }).at([1.0, 0.0, 0.0]).mass(0.5)).unwrap();
    assert_eq!(world.longest_soft_step(), Some(longest(0.5)));
    assert_eq!(World::<3, 6>::new(Options::default()).unwrap().longest_soft_step(), None);
}
