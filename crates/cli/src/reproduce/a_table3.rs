//! [A, table 3]: balls fall over an inclined plane.

use super::a_methods::{LARGE, PAPER, Seconds, cases, findings, pictures, scheme, seconds_table};
use super::a_table2::choices;
use super::experiment::{Experiment, Job};
use super::page::Page;
use super::scene_picture::last_frame;
use super::simulate::Ran;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use stickslip::io::results::Frame;
use stickslip::io::run::Simulation;
use stickslip::io::scene::{Motion, Scene};

const TABLE: Seconds = [(6790.0, 6724.0), (6704.0, 6660.0), (3967.0, 3956.0), (3699.0, 3676.0), (3058.0, 2977.0)];

/// The step (s).
pub const H: f64 = 1e-5;

/// The experiment.
pub struct Table3;

impl Experiment for Table3 {
    fn name(&self) -> &'static str {
        "A.table3"
    }

    fn what(&self) -> &'static str {
        "500 balls over an inclined plane: times of the five methods, 10,000 steps, eps_glob = 1e-7"
    }

    fn run(&self, job: &Job) -> Result<Option<Page>> {
        let (steps, size) = job.pick((200, QUICK), (10_000, FULL));
        let heap = heap(&size)?;
        let scene = |solver: &str| scene(&scheme(solver, (H, steps), 50, 1e-7), &size, &heap);
        let Some(ran) = job.simulate(cases(&LARGE, 1, "", scene))? else { return Ok(None) };
        Ok(Some(page(job, &size, steps, &ran)?))
    }
}

/// How many balls.
pub struct Size {
    /// Stuck to the plane.
    pub base: u32,
    /// In all.
    pub balls: u32,
}

/// The small version.
pub const QUICK: Size = Size { base: 16, balls: 48 };
/// The paper's number.
pub const FULL: Size = Size { base: 100, balls: 500 };

/// Distance of the balls on the plane (mm).
const PITCH: f64 = 2.0;

impl Size {
    /// Where the heap begins and ends along the plane (mm): over the upper two thirds of it.
    fn heap(&self) -> (f64, f64) {
        let left = -0.5 * PITCH;
        (left, left + PITCH * f64::from(self.base) * 2.0 / 3.0)
    }

    /// The balls on the plane, with radii from 0.6 mm to 1 mm in a fixed, uneven order.
    fn stuck(&self) -> String {
        let ball = |k: u32| {
            let r = 0.6 + 0.4 * f64::from(k * 7 % 11) / 10.0;
            let x = PITCH * f64::from(k);
            format!(
                "\n[[body]]\nshape.disc.radius = \"{r:.2} mm\"\nat = [\"{x:.1} mm\", \"{r:.2} mm\"]\nfixed = true\n"
            )
        };
        (0..self.base).map(ball).collect()
    }
}

/// A ball of the heap: place and radius (m).
pub type Ball = [f64; 3];

/// The heap at rest between two walls that are gone at the start: layers that have settled.
pub fn heap(size: &Size) -> Result<Vec<Ball>> {
    let (left, right) = size.heap();
    let wall = |x: f64, n: i32| {
        format!("[[body]]\nshape = \"half_plane\"\nnormal = [{n}, 0]\nat = [\"{x:.3} mm\", 0]\nfixed = true\n\n")
    };
    let text = format!(
        "dimension = 2\ntime = {{ h = \"0.5 ms\", end = 1 }}\nsolver.name = \"nsgs\"\n[[law]]\nfrictionless = {{}}\n\n\
         [[deposit]]\ncount = {}\nradius.uniform = {{ min = \"0.6 mm\", max = \"1 mm\" }}\n\
         from = [\"{left:.3} mm\", \"2.2 mm\"]\nto = [\"{right:.3} mm\"]\ngap = \"0.02 mm\"\nseed = 2\n\n{}{}{}",
        size.balls - size.base,
        wall(left, 1),
        wall(right, -1),
        size.stuck()
    );
    let scene = Scene::from_text(&text).context("the heap")?;
    let mut simulation = Simulation::new(&scene)?;
    for _ in 0..SETTLING {
        simulation.step();
    }
    let mut frame = Frame::default();
    simulation.frame(false, &mut frame);
    let dynamic = scene.bodies.iter().zip(&frame.x).filter(|(b, _)| b.motion == Motion::Dynamic);
    Ok(dynamic.map(|(b, x)| [x[0], x[1], b.shape.bounding_radius()]).collect())
}

/// Steps of half a millisecond in which the heap comes to rest.
const SETTLING: u32 = 240;

/// The plane lies along the first axis and gravity leans by 10 degrees; the lowest balls are fixed to it.
pub fn scene(scheme: &str, size: &Size, heap: &[Ball]) -> String {
    let (sin, cos) = 10f64.to_radians().sin_cos();
    let mut out = format!(
        "# [A, section 5.3]: balls fall over a plane of 10 degrees; the balls on the plane stick to it\n\
         name = \"balls over an inclined plane\"\ndimension = 2\ngravity = [{:.9}, {:.9}]\n\n{scheme}\
         [material.default]\ndensity = \"2500 kg/m3\"\n\n[[law]]\nfrictionless = {{}}\n\n\
         [[body]]\nshape = \"half_plane\"\nfixed = true\n{}",
        9.81 * sin,
        -9.81 * cos,
        size.stuck()
    );
    for [x, y, r] in heap {
        _ = write!(out, "\n[[body]]\nshape.disc.radius = {r:.9}\nat = [{x:.10}, {y:.10}]\n");
    }
    out
}

fn page(job: &Job, size: &Size, steps: u64, ran: &[Ran]) -> Result<Page> {
    Ok(Page {
        title: format!("A.table3: {} balls over an inclined plane", size.balls),
        reference: PAPER,
        intro: format!(
            "{} balls of 0.6 mm to 1 mm, {} of them stuck to a plane of 10 degrees, the others falling over it without \
             friction: {steps} steps of 1e-5 s, each solved from zero impulse to eps_glob = 1e-7.",
            size.balls, size.base
        ),
        table: seconds_table(&TABLE, ran)?,
        findings: findings(job, &TABLE, ran, 0.6e-3)?,
        pictures: pictures(ran)?,
        scenes: last_frame(&ran[4], false)?,
        choices: choices(
            "500 balls in all, the paper's number; the 100 on the plane, 2 mm apart, are fixed (\"sticking\"); the others \
             start as a heap at rest between two walls over its upper two thirds, and the walls are gone",
        ),
        quick: job.quick.then(|| format!("{} balls and {steps} steps instead of 500 and 10000", size.balls)),
    })
}
