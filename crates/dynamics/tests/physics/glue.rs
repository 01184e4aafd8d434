//! Glue holds in pull, in push and sideways: a box on a wall without friction would fall, a ball under a ceiling too.

use stickslip_contact::cone::ContactStatus;
use stickslip_dynamics::geometry::{Pose, space::Shape};
use stickslip_dynamics::laws::Glued;
use stickslip_dynamics::{Body, BodyId, Law, Options, World};

fn on_plane(normal: [f64; 3], law: Law, body: Body<3, 6>) -> (World<3, 6>, BodyId) {
    let mut world = World::<3, 6>::new(Options { tolerance: 1e-10, ..Options::default() }).unwrap();
    world.set_law(law).unwrap();
    let pose = Pose::<3>::facing([0.0; 3], normal).unwrap();
    let turned = stickslip_dynamics::rotation::from_matrix(&pose.rotation);
    world.add(Body::new(Shape::HalfSpace).turned(turned).fixed()).unwrap();
    let id = world.add(body).unwrap();
    (world, id)
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn a_glued_box_stays_on_its_wall_and_a_ball_under_its_ceiling() {
    let cube = || Body::new(Shape::Box { half: [0.1; 3] }).at([0.1, 0.0, 0.0]);
    let ball = || Body::new(Shape::Sphere { radius: 0.1 }).at([0.0, 0.0, -0.1]);
    for (normal, body) in [([1.0, 0.0, 0.0], cube()), ([0.0, 0.0, -1.0], ball())] {
        let (mut world, id) = on_plane(normal, Law::Glued(Glued {}), body.clone());
        let start = world.position(id).unwrap();
        for _ in 0..500 {
            assert!(world.step().certified);
        }
        assert!(distance(world.position(id).unwrap(), start) < 1e-7, "{:?}", world.position(id));
        // the joints carry the weight of the body
        assert!(world.contacts().iter().all(|c| c.status == ContactStatus::Joint));
        let sign = if world.contacts()[0].a as usize == 1 { 1.0 } else { -1.0 };
        let lift: f64 = world.contacts().iter().map(|c| sign * c.impulse[2]).sum();
        let weight = world.bodies().mass[1] * 9.81 * 1e-3;
        assert!((lift / weight - 1.0).abs() < 1e-6, "{lift} {weight}");
        // and without glue it falls freely
        let (mut world, id) = on_plane(normal, Law::coulomb(0.5), body);
        for _ in 0..500 {
            world.step();
        }
        assert!(start[2] - world.position(id).unwrap()[2] > 1.0);
    }
}
