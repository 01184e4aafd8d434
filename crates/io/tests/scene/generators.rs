//! What generators make, against counts and distances.

use stickslip_io::scene::{PlannedBody, Scene};

fn bodies(dimension: usize, text: &str) -> Vec<PlannedBody> {
    Scene::from_text(&format!("dimension = {dimension}\n{text}")).unwrap_or_else(|e| panic!("{e}")).bodies
}

fn distance(a: &PlannedBody, b: &PlannedBody) -> f64 {
    (0..3).map(|i| (a.x[i] - b.x[i]).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn a_deposit_keeps_its_distances_and_repeats_itself() {
    for (dimension, corners) in [(2, "from = [0, 0]\nto = [1]"), (3, "from = [0, 0, 0]\nto = [1, 1]")] {
        let text = format!(
            "[[deposit]]\ncount = 200\nradius.uniform_volume = {{ min = 0.02, max = 0.08 }}\ngap = 0.01\n{corners}"
        );
        let made = bodies(dimension, &text);
        assert_eq!(made, bodies(dimension, &text));
        let radius = |b: &PlannedBody| b.shape.bounding_radius();
        assert!(made.iter().all(|b| (0.02..=0.08).contains(&radius(b))));
        for (i, a) in made.iter().enumerate() {
            assert!((0..dimension).all(|k| a.x[k] >= radius(a) - 1e-12), "{a:?}");
            assert!((0..dimension - 1).all(|k| a.x[k] <= 1.0 - radius(a) + 1e-12), "{a:?}");
            for b in &made[..i] {
                assert!(distance(a, b) >= radius(a) + radius(b) + 0.01 - 1e-12);
            }
        }
        // as much volume of small ones as of large ones: small ones are many
        let small = made.iter().filter(|b| radius(b) < 0.04).count();
        assert!(small > 120, "{small}");
    }
}

#[test]
fn walls_towers_heaps_and_arches_touch_without_overlap() {
    let cases = [
        (2, 33, "[[wall]]\nbrick = [0.2, 0.1]\ncolumns = 5\ncourses = 6"),
        (3, 33, "[[wall]]\nbrick = [0.2, 0.1, 0.1]\ncolumns = 5\ncourses = 6"),
        (3, 30, "[[tower]]\nplank = [0.12, 0.024, 0.008]\nlevels = 10\nplanks = 3"),
        (2, 10, "[[heap]]\nradius = 0.1\nbase = 4"),
        (3, 30, "[[heap]]\nradius = 0.1\nbase = 4"),
        (2, 13, "[[arch]]\nradius = 1\nthickness = 0.2\nvoussoirs = 11"),
        (3, 13, "[[arch]]\nradius = 1\nthickness = 0.2\nvoussoirs = 11"),
    ];
    for (dimension, count, text) in cases {
        let scene = Scene::from_text(&format!("dimension = {dimension}\n{text}\n")).unwrap();
        // a wall of five columns has five bricks in even courses, four and two halves in odd ones
        assert_eq!(scene.bodies.len(), count, "{text}");
        let findings = scene.check().unwrap();
        assert!(findings.iter().all(|f| !f.what.contains("overlap")), "{text}: {findings:?}");
    }
}

#[test]
fn a_sieve_curve_is_followed() {
    let text = "[[deposit]]\ncount = 4000\nfrom = [0, 0]\nto = [1]\n\
                radius.sieve = { radius = [0.001, 0.002, 0.004], passing = [0, 0.75, 1] }";
    let made = bodies(2, text);
    let fine = made.iter().filter(|b| b.shape.bounding_radius() < 0.002).count() as f64 / 4000.0;
    // three standard deviations of 4000 draws
    assert!((fine - 0.75).abs() < 0.021, "{fine}");
}
