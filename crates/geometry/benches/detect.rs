//! How long contacts take to be found, in nanoseconds a contact: spheres from a thousand to a million, and a wall of
//! bricks.
//!
//! usage: cargo bench -p stickslip-geometry --bench detect [-- LARGEST]
//!
//! `LARGEST` bounds the number of spheres.

use std::time::Instant;
use stickslip_geometry::{Contact, Pose, space::Detector, space::Shape};

/// A reproducible number between 0 and 1.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

/// Time spent on a processor, where the system tells; time that passed elsewhere.
fn cpu_seconds() -> f64 {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |ns| 1e-9 * ns)
}

/// The mean time of a warm call.
fn measure(name: &str, shapes: &[Shape], poses: &[Pose<3>], reach: f64) {
    let n = shapes.len();
    let (reach, mut movable) = (vec![reach; n], vec![true; n]);
    movable[0] = false;
    let mut detector = Detector::new();
    let mut contacts: Vec<Contact<3>> = Vec::new();
    let mut call = || detector.detect(shapes, poses, &reach, &movable, &[], &mut contacts);
    call();
    let runs = (2_000_000 / n).clamp(5, 5000);
    let begin = cpu_seconds();
    (0..runs).for_each(|_| call());
    let (mean, c) = ((cpu_seconds() - begin) / runs as f64, contacts.len());
    println!(
        "{name:<28} {n:>8} bodies {c:>9} contacts {:>10.1} us {:>7.1} ns/contact",
        1e6 * mean,
        1e9 * mean / c as f64
    );
}

/// A dense pile: a lattice of equal balls, shaken; `spread` is the ratio of the largest to the smallest radius.
fn pile(n: usize, spread: f64, shuffled: bool) -> (Vec<Shape>, Vec<Pose<3>>) {
    let side = (n as f64).cbrt().round() as usize;
    let mut state = 7;
    let mut bodies = Vec::new();
    for i in 0..side * side * side {
        let cell = [i % side, i / side % side, i / side / side];
        let x = cell.map(|c| 1.96 * c as f64 + 0.1 * random(&mut state));
        bodies.push((Shape::Sphere { radius: spread.powf(-random(&mut state)) }, Pose::at(x)));
    }
    if shuffled {
        for i in (1..bodies.len()).rev() {
            bodies.swap(i, (random(&mut state) * (i + 1) as f64) as usize);
        }
    }
    bodies.into_iter().unzip()
}

/// A wall in running bond on a floor: courses of ten bricks and of nine and two halves.
fn wall(courses: usize) -> (Vec<Shape>, Vec<Pose<3>>) {
    let mut bodies = vec![(Shape::HalfSpace, Pose::at([0.0; 3]))];
    for course in 0..courses {
        let z = 0.1 + 0.2 * course as f64;
        for i in 0..10 {
            let x = 0.4 * i as f64 + if course % 2 == 1 { 0.2 } else { 0.0 };
            bodies.push((Shape::Box { half: [0.2, 0.1, 0.1] }, Pose::at([x, 0.0, z])));
        }
        if course % 2 == 1 {
            bodies.push((Shape::Box { half: [0.1, 0.1, 0.1] }, Pose::at([-0.1, 0.0, z])));
        }
    }
    bodies.into_iter().unzip()
}

/// Those not above the bound given on the command line.
fn sizes(all: &[usize]) -> Vec<usize> {
    let largest = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(usize::MAX);
    all.iter().copied().filter(|&n| n <= largest).collect()
}

fn main() {
    let (shapes, poses) = wall(10);
    measure("wall of bricks", &shapes, &poses, 0.002);
    for n in sizes(&[1_000, 10_000, 100_000, 1_000_000]) {
        let (shapes, poses) = pile(n, 1.0, false);
        measure("spheres in order", &shapes, &poses, 0.01);
    }
    for n in sizes(&[10_000, 1_000_000]) {
        let (shapes, poses) = pile(n, 1.0, true);
        measure("spheres shuffled", &shapes, &poses, 0.01);
    }
    for n in sizes(&[10_000, 100_000]) {
        let (shapes, poses) = pile(n, 20.0, false);
        measure("spheres, radii 1 to 20", &shapes, &poses, 0.01);
    }
}
