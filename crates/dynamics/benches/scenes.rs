//! The scenes that other engines are measured on: steps a second, overlap and drift, and where the time goes.
//!
//! `cargo bench --workspace --bench scenes -- [s1] [s1-8000] [s2] [s3] [s4] [spheres] [hit] [growth] [million]
//! [n=32] [solver=NAME] [measure=force] [beside=NAME;NAME]`; all but the million by default. Times are of the processor, so that
//! others on the machine do not count. A solver with options is written as JSON, `solver={"anderson":{"sweeps":2}}`. The solvers
//! `beside` take two hundred of the steps too, from the same state and impulses: what they differ by is not the path of the scene.

use stickslip_contact::certificate::Measure;
use stickslip_contact::generate::Random;
use stickslip_contact::solvers::SolverSpec;
use stickslip_dynamics::geometry::{plane, space};
use stickslip_dynamics::{Body, Drive, Law, Options, Phases, Rigid, Space, StepReport, World};

/// Seconds of processor time so far.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    let first = text.split_whitespace().next().and_then(|x| x.parse::<f64>().ok());
    first.expect("a number") * 1e-9
}

/// The most memory that the process has had (bytes).
fn peak_memory() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = text.lines().find(|l| l.starts_with("VmHWM")).expect("a peak");
    line.split_whitespace().nth(1).and_then(|x| x.parse::<f64>().ok()).expect("kilobytes") * 1024.0
}

/// The value of `key=value` among the arguments.
fn argument(key: &str) -> Option<String> {
    std::env::args().find_map(|a| a.strip_prefix(key).and_then(|a| a.strip_prefix('=')).map(str::to_owned))
}

/// A solver by its name, or with options as JSON.
fn solver(text: &str) -> SolverSpec {
    match text.starts_with('{') {
        true => serde_json::from_str(text).expect("a solver as JSON"),
        false => SolverSpec::named(text).expect("a solver").spec,
    }
}

/// The default options, with the solver and the measure named in the arguments.
fn options(h: f64) -> Options {
    let default = Options::default();
    let solver = argument("solver").map_or(default.solver, |text| solver(&text));
    let measure = argument("measure").map_or(default.measure, |m| match m.as_str() {
        "scaled" => Measure::Scaled,
        "force" => Measure::Force,
        "siconos" => Measure::Siconos,
        other => panic!("measure {other}: scaled, force or siconos"),
    });
    Options { h, solver, measure, ..Options::default() }
}

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-') && !a.contains('=')).collect();
    let wants = |name: &str| asked.iter().any(|a| a == name) || (asked.is_empty() && name != "million");
    if wants("s1") {
        s1(8, 1000);
    }
    if wants("s1-8000") {
        s1(20, 1000);
    }
    if wants("s2") {
        s2();
    }
    if wants("s3") {
        s3();
    }
    if wants("s4") {
        s4();
    }
    if wants("spheres") {
        spheres();
    }
    if wants("hit") {
        hit();
    }
    if wants("growth") {
        let sizes =
            argument("n").map_or(vec![10, 32, 100], |n| vec![n.parse().expect("a number of balls along a side")]);
        for n in sizes {
            growth(n);
            growth_at_rest(n);
        }
    }
    if wants("million") {
        growth(316);
        growth_at_rest(316);
    }
}

/// What a run of steps came to.
#[derive(Default)]
struct Run {
    steps: usize,
    iterations: usize,
    contacts: usize,
    detected: usize,
    uncertified: usize,
    worst_error: f64,
    phases: Phases,
    seconds: f64,
}

/// What the solvers `beside` did from the same states.
struct Beside {
    specs: Vec<(String, SolverSpec)>,
    /// Steps taken, iterations, seconds of solving, steps not certified.
    sums: Vec<(usize, usize, f64, usize)>,
}

impl Beside {
    /// Those of the arguments.
    fn new() -> Self {
        let specs: Vec<_> = argument("beside")
            .map(|all| all.split(';').map(|text| (text.to_owned(), solver(text))).collect())
            .unwrap_or_default();
        let sums = vec![(0, 0, 0.0, 0); specs.len()];
        Self { specs, sums }
    }

    /// Every solver takes the step that `world` is about to take, which is brought back.
    fn step<const N: usize, const V: usize>(&mut self, world: &mut World<N, V>)
    where
        Rigid: Space<N, V>,
    {
        let (own, state) = (world.options().clone(), world.snapshot());
        for ((_, spec), sum) in self.specs.iter().zip(&mut self.sums) {
            world.set_options(Options { solver: spec.clone(), ..own.clone() }).expect("options");
            // the first of two warms the memory
            for counts in [false, true] {
                world.restore(&state).expect("a state");
                let r = world.step();
                if counts {
                    let seconds = r.phases.solve.as_secs_f64();
                    *sum = (sum.0 + 1, sum.1 + r.iterations, sum.2 + seconds, sum.3 + usize::from(!r.certified));
                }
            }
        }
        world.set_options(own).expect("options");
        world.restore(&state).expect("a state");
    }

    fn say(&self) {
        for ((name, _), (steps, iterations, seconds, uncertified)) in self.specs.iter().zip(&self.sums) {
            let n = (*steps).max(1) as f64;
            println!(
                "  {name}: {:.1} iterations, {:.1} us of solving a step, {uncertified} of {steps} uncertified",
                *iterations as f64 / n,
                seconds * 1e6 / n
            );
        }
    }
}

fn run<const N: usize, const V: usize>(world: &mut World<N, V>, steps: usize) -> Run
where
    Rigid: Space<N, V>,
{
    let mut run = Run { steps, ..Run::default() };
    let mut beside = Beside::new();
    let every = (steps / 200).max(1);
    let start = cpu();
    let trace = argument("trace").is_some();
    for k in 0..steps {
        if !beside.specs.is_empty() && k % every == 0 {
            beside.step(world);
        }
        let r: StepReport = world.step();
        if trace && k % (steps / 20).max(1) == 0 {
            println!(
                "  {k:>6}: {} sweeps, {} contacts of {}, error {:.1e}, kinetic {:.2e}, overlap {:.1e}",
                r.iterations, r.contacts, r.detected, r.error, r.ledger.kinetic, r.penetration
            );
        }
        run.iterations += r.iterations;
        run.contacts = r.contacts;
        run.detected = r.detected;
        run.uncertified += usize::from(!r.certified);
        run.worst_error = run.worst_error.max(r.error);
        run.phases.free += r.phases.free;
        run.phases.detect += r.phases.detect;
        run.phases.assemble += r.phases.assemble;
        run.phases.solve += r.phases.solve;
        run.phases.advance += r.phases.advance;
    }
    run.seconds = cpu() - start;
    beside.say();
    run
}

impl Run {
    fn say(&self, name: &str) {
        let n = self.steps as f64;
        println!(
            "{name:<12} {:>9.1} steps/s  {:>5.1} sweeps  {:>7} contacts ({} seen)  worst error {:.1e}  uncertified {}",
            n / self.seconds,
            self.iterations as f64 / n,
            self.contacts,
            self.detected,
            self.worst_error,
            self.uncertified
        );
        self.say_phases();
    }

    /// Nanoseconds a ball and step.
    fn ns_a_ball(&self, balls: usize) -> f64 {
        self.seconds * 1e9 / (self.steps * balls) as f64
    }

    /// Where the time went.
    fn say_phases(&self) {
        let us = |d: std::time::Duration| d.as_secs_f64() * 1e6 / self.steps as f64;
        let p = &self.phases;
        println!(
            "{:<12} us a step: free {:.1}  detect {:.1}  assemble {:.1}  solve {:.1}  advance {:.1}",
            "",
            us(p.free),
            us(p.detect),
            us(p.assemble),
            us(p.solve),
            us(p.advance)
        );
    }
}

/// Spheres of 0.8 to 1.2 cm dropped from a lattice into an open box.
fn sphere_box(n: usize, m: usize, h: f64) -> World<3, 6> {
    let pitch = 0.026;
    let mut random = Random::new(1);
    let mut uniform = |a: f64, b: f64| a + (b - a) * (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
    let mut world = World::<3, 6>::new(options(h)).expect("options");
    world.set_law(Law::coulomb(0.5)).expect("law");
    box_of_walls(&mut world, n as f64 * pitch);
    for k in 0..m {
        for j in 0..n {
            for i in 0..n {
                let r = uniform(0.008, 0.012);
                let free = 0.9 * (0.5 * pitch - r);
                let x = [
                    (i as f64 + 0.5) * pitch + uniform(-free, free),
                    (j as f64 + 0.5) * pitch + uniform(-free, free),
                    (k as f64 + 0.5) * pitch,
                ];
                world.add(Body::new(space::Shape::Sphere { radius: r }).at(x).density(2500.0)).expect("ball");
            }
        }
    }
    world
}

/// Equal balls at rest in touching columns on a floor, between walls that they touch.
fn stacked(n: usize, layers: usize) -> World<3, 6> {
    let radius = 0.01;
    let at = |i: usize| (2 * i + 1) as f64 * radius;
    let mut world = World::<3, 6>::new(options(1e-3)).expect("options");
    world.set_law(Law::coulomb(0.5)).expect("law");
    let side = 2.0 * radius * n as f64;
    box_of_walls(&mut world, side);
    for k in 0..layers {
        for j in 0..n {
            for i in 0..n {
                let ball = Body::new(space::Shape::Sphere { radius }).at([at(i), at(j), at(k)]).density(2500.0);
                world.add(ball).expect("ball");
            }
        }
    }
    world
}

/// A floor and four walls around a square.
fn box_of_walls(world: &mut World<3, 6>, side: f64) {
    for (x, normal) in [
        ([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ([side, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        ([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        ([0.0, side, 0.0], [0.0, -1.0, 0.0]),
    ] {
        world.add(wall(x, normal)).expect("wall");
    }
}

fn wall(x: [f64; 3], normal: [f64; 3]) -> Body<3, 6> {
    let pose = stickslip_dynamics::geometry::Pose::<3>::facing(x, normal).expect("a normal");
    let turned = stickslip_dynamics::rotation::from_matrix(&pose.rotation);
    Body::new(space::Shape::HalfSpace).at(x).turned(turned).fixed()
}

/// Mean and largest overlap of balls with balls and walls, over the radius.
fn overlaps(world: &World<3, 6>) -> (f64, f64) {
    let b = world.bodies();
    let over = |c: &stickslip_dynamics::ContactState<3>| -c.gap / b.radius[c.a as usize].min(b.radius[c.b as usize]);
    let deep: Vec<f64> = world.contacts().iter().map(over).filter(|x| *x > 0.0).collect();
    let mean = deep.iter().sum::<f64>() / deep.len().max(1) as f64;
    (mean, deep.iter().fold(0.0, |m, x| m.max(*x)))
}

fn s1(n: usize, steps: usize) {
    let mut world = sphere_box(n, n, 1e-3);
    let name = format!("S1 {}", n * n * n);
    run(&mut world, steps - 200).say(&format!("{name} fall"));
    run(&mut world, 200).say(&name);
    let (mean, max) = overlaps(&world);
    let l = world.ledger();
    println!(
        "{:<12} overlap/r mean {mean:.2e} max {max:.2e}; ledger closes to {:.1e}",
        "",
        l.closure.abs() / l.turnover
    );
}

/// Ten courses of bricks in running bond.
fn s2() {
    let (a, course, gap) = (0.4, 0.2, 0.0008);
    let mut world = World::<3, 6>::new(options(1e-3)).expect("options");
    world.set_law(Law::coulomb(0.6)).expect("law");
    world.add(Body::new(space::Shape::HalfSpace).fixed()).expect("floor");
    let (pitch, half) = (a + gap, 0.5 * (a - gap));
    for l in 0..10 {
        let mut row: Vec<(f64, f64)> = Vec::new();
        if l % 2 == 0 {
            row.extend((0..10).map(|i| (i as f64 * pitch, a)));
        } else {
            row.push((-0.5 * a + 0.5 * half, half));
            row.extend((0..9).map(|i| ((i as f64 + 0.5) * pitch, a)));
            row.push((9.0 * pitch + 0.5 * a - 0.5 * half, half));
        }
        for (x, length) in row {
            let shape = space::Shape::Box { half: [0.5 * length, 0.1, 0.1] };
            world.add(Body::new(shape).at([x, 0.0, (l as f64 + 0.5) * course]).density(2000.0)).expect("brick");
        }
    }
    let before = world.bodies().x.clone();
    let result = run(&mut world, 1000);
    result.say("S2 wall");
    let far = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
    let drift = before.iter().zip(&world.bodies().x).map(far).fold(0.0, f64::max);
    let deepest = world.contacts().iter().map(|c| -c.gap).fold(0.0, f64::max);
    let l = world.ledger();
    println!(
        "{:<12} drift {drift:.2e} m, deepest overlap {deepest:.2e} m; ledger closes to {:.1e}",
        "",
        l.closure.abs() / l.turnover
    );
}

/// 512 spheres of 4.5 to 6 cm radius that fall into a box of 1 m, as in the comparison with Siconos.
fn spheres() {
    let (n, h) = (8, 2e-3);
    let pitch = 1.0 / n as f64;
    let mut random = Random::new(1);
    let mut uniform = |a: f64, b: f64| a + (b - a) * (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
    let mut world = World::<3, 6>::new(options(h)).expect("options");
    world.set_law(Law::coulomb(0.5)).expect("law");
    world.add(wall([0.0; 3], [0.0, 0.0, 1.0])).expect("floor");
    for side in [-1.0, 1.0] {
        world.add(wall([0.5 * side, 0.0, 0.0], [-side, 0.0, 0.0])).expect("wall");
        world.add(wall([0.0, 0.5 * side, 0.0], [0.0, -side, 0.0])).expect("wall");
    }
    for k in 0..n * n * n {
        let radius = pitch * uniform(0.36, 0.48);
        let at = |i: usize| (i as f64 + 0.5) * pitch - 0.5 + 0.01 * pitch * uniform(-1.0, 1.0);
        let (x, y) = ([k % n, (k / n) % n].map(at), ((k / (n * n)) as f64 + 0.6) * pitch);
        let ball = Body::new(space::Shape::Sphere { radius }).at([x[0], x[1], y]).density(1000.0);
        world.add(ball).expect("ball");
    }
    run(&mut world, 150).say("spheres");
}

/// A wall of 100 boxes hit by a ball, as in the comparison with Siconos.
fn hit() {
    let (a, columns, rows) = ([0.24, 0.12, 0.08], 10, 10);
    let mut world = World::<3, 6>::new(options(2e-3)).expect("options");
    world.set_law(Law::coulomb(0.6)).expect("law");
    world.add(Body::new(space::Shape::HalfSpace).fixed()).expect("floor");
    for k in 0..columns * rows {
        let (i, l) = ((k % columns) as f64, k / columns);
        let x = [(i + 0.5 * (l % 2) as f64) * a[0] * 1.002, 0.0, (l as f64 + 0.5) * a[2]];
        let brick = Body::new(space::Shape::Box { half: a.map(|x| 0.5 * x) }).at(x).density(2000.0);
        world.add(brick).expect("brick");
    }
    let x = [0.5 * columns as f64 * a[0], -0.3, 0.6 * rows as f64 * a[2]];
    let ball = Body::new(space::Shape::Sphere { radius: 0.15 }).at(x).density(4000.0);
    world.add(ball.moving([0.0, 3.0, 0.0, 0.0, 0.0, 0.0])).expect("ball");
    run(&mut world, 100).say("hit");
}

/// A cube that slides to rest, and cubes on slopes around the angle of friction.
fn s3() {
    let (mu, g) = (0.5, 9.81);
    let cube = |gravity: [f64; 3]| {
        let mut world = World::<3, 6>::new(options(1e-3)).expect("options");
        world.set_law(Law::coulomb(mu)).expect("law");
        world.set_gravity(gravity).expect("gravity");
        world.add(Body::new(space::Shape::HalfSpace).fixed()).expect("floor");
        let id = world.add(Body::new(space::Shape::Box { half: [0.1; 3] }).at([0.0, 0.0, 0.1])).expect("cube");
        (world, id)
    };
    let (mut world, id) = cube([0.0, 0.0, -g]);
    run(&mut world, 500);
    world.set_velocity(id, [6.0, 0.0, 0.0, 0.0, 0.0, 0.0]).expect("velocity");
    let mut lift: f64 = 0.0;
    for _ in 0..2000 {
        world.step();
        lift = lift.max(world.position(id).expect("cube")[2] - 0.1);
    }
    let (x, exact) = (world.position(id).expect("cube")[0], 36.0 / (2.0 * mu * g));
    println!(
        "S3 slide     stops {:.2e} off the exact distance (v h / 2 d = {:.2e}), lift {lift:.1e} m",
        x / exact - 1.0,
        3e-3 / exact
    );
    for slope in [0.495f64, 0.505] {
        let angle = slope.atan();
        let (mut world, id) = cube([g * angle.sin(), 0.0, -g * angle.cos()]);
        run(&mut world, 1000);
        let (xa, va) = (world.position(id).expect("cube")[0], world.velocity(id).expect("cube")[0]);
        run(&mut world, 1000);
        let (xb, vb) = (world.position(id).expect("cube")[0], world.velocity(id).expect("cube")[0]);
        let exact = g * (angle.sin() - mu * angle.cos()).max(0.0);
        println!(
            "S3 {slope}     creep or path {:.2e} m in 1 s, acceleration {:.6} (exact {exact:.6})",
            xb - xa,
            vb - va
        );
    }
}

/// 400 discs in a turning drum.
fn s4() {
    let (big, mu) = (0.225, 0.2);
    let mut world = World::<2, 3>::new(options(1e-4)).expect("options");
    world.set_law(Law::coulomb(mu)).expect("law");
    let turn = 6.0 * std::f64::consts::TAU / 60.0;
    let drum = Body::new(plane::Shape::InsideCircle { radius: big }).driven(Drive::constant([0.0, 0.0, turn]));
    world.add(drum).expect("drum");
    let mut random = Random::new(3);
    let mut uniform = || (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
    let (pitch, mut y, mut count) = (0.0084, -big + 0.02, 0);
    while count < 400 {
        let half = ((big - 0.006f64).powi(2) - y * y).max(0.0).sqrt() - 0.005;
        let n = (2.0 * half / pitch).floor() as i64;
        for i in 0..n {
            if count == 400 {
                break;
            }
            let radius = 0.0035 + 0.0005 * uniform();
            let x = (i as f64 - (n - 1) as f64 / 2.0) * pitch + (uniform() - 0.5) * 0.0003;
            world.add(Body::new(plane::Shape::Disc { radius }).at([x, y]).density(2500.0)).expect("disc");
            count += 1;
        }
        y += pitch;
    }
    run(&mut world, 10_000).say("S4 settle");
    run(&mut world, 5000).say("S4 drum");
    let b = world.bodies();
    let over = |c: &stickslip_dynamics::ContactState<2>| -c.gap / b.radius[c.a as usize].min(b.radius[c.b as usize]);
    let deep: Vec<f64> = world.contacts().iter().map(over).filter(|x| *x > 0.0).collect();
    let l = world.ledger();
    println!(
        "{:<12} overlap/r mean {:.2e} max {:.2e}; ledger closes to {:.1e}",
        "",
        deep.iter().sum::<f64>() / deep.len().max(1) as f64,
        deep.iter().fold(0.0, |m: f64, x| m.max(*x)),
        l.closure.abs() / l.turnover
    );
}

/// A layer of spheres ten high that falls, of growing width.
fn growth(n: usize) {
    let mut world = sphere_box(n, 10, 1e-3);
    let balls = n * n * 10;
    let flow = run(&mut world, 100);
    flow.say_phases();
    println!(
        "growth {balls:>8} balls, first 100 steps: {:>7.1} ns a ball a step, {:.1} sweeps, {} uncertified, {:.0} bytes a ball",
        flow.ns_a_ball(balls),
        flow.iterations as f64 / 100.0,
        flow.uncertified,
        peak_memory() / balls as f64
    );
}

/// As many at rest.
fn growth_at_rest(n: usize) {
    let balls = n * n * 10;
    let mut world = stacked(n, 10);
    // loads find their way down once, then every step starts from the last one's impulses
    let first = run(&mut world, 20);
    let rest = run(&mut world, 50);
    rest.say_phases();
    println!(
        "growth {balls:>8} balls, at rest:         {:>7.1} ns a ball a step, {:.1} sweeps, {} of {} steps uncertified",
        rest.ns_a_ball(balls),
        rest.iterations as f64 / 50.0,
        first.uncertified + rest.uncertified,
        first.steps + rest.steps
    );
}
