//! [A, table 3]: balls fall over an inclined plane.

use super::a_methods::{LARGE, PAPER, Seconds, cases, findings, pictures, scheme, seconds_table};
use super::a_table2::choices;
use super::experiment::{Experiment, Job};
use super::page::Page;
use super::scene_picture::last_frame;
use super::simulate::Ran;
use anyhow::Result;
use std::fmt::Write as _;

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
        let (steps, size) = job.pick((500, Size { base: 16, balls: 60 }), (10_000, FULL));
        let scene = |solver: &str| scene(&scheme(solver, H, steps, 50), &size);
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

/// The paper's number.
pub const FULL: Size = Size { base: 60, balls: 500 };

/// The plane lies along the first axis and gravity leans by 10 degrees; the lowest balls are fixed to it.
pub fn scene(scheme: &str, size: &Size) -> String {
    let (sin, cos) = 10f64.to_radians().sin_cos();
    let pitch = 2.0;
    // the heap stands over the upper third of the plane and runs down the rest
    let (left, heap) = (-0.5 * pitch, pitch * f64::from(size.base) / 3.0);
    let mut out = format!(
        "# [A, section 5.3]: balls fall over a plane of 10 degrees; the balls on the plane stick to it\n\
         name = \"balls over an inclined plane\"\ndimension = 2\ngravity = [{:.9}, {:.9}]\n\n{scheme}\
         [material.default]\ndensity = \"2500 kg/m3\"\n\n[[law]]\nfrictionless = {{}}\n\n\
         [[body]]\nshape = \"half_plane\"\nfixed = true\n\n\
         [[deposit]]\ncount = {}\nradius.uniform = {{ min = \"0.6 mm\", max = \"1 mm\" }}\n\
         from = [\"{left} mm\", \"2.2 mm\"]\nto = [\"{:.1} mm\"]\ngap = \"0.02 mm\"\nseed = 2\n",
        9.81 * sin,
        -9.81 * cos,
        size.balls - size.base,
        left + heap
    );
    for k in 0..size.base {
        // radii from 0.6 mm to 1 mm in a fixed, uneven order
        let r = 0.6 + 0.4 * f64::from(k * 7 % 11) / 10.0;
        _ = write!(
            out,
            "\n[[body]]\nshape.disc.radius = \"{r:.2} mm\"\nat = [\"{:.1} mm\", \"{r:.2} mm\"]\nfixed = true\n",
            pitch * f64::from(k)
        );
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
            "500 balls in all, the paper's number; the 60 on the plane, 2 mm apart, are fixed (\"sticking\"); the others \
             start in layers over its upper third",
        ),
        quick: job.quick.then(|| format!("{} balls and {steps} steps instead of 500 and 10000", size.balls)),
    })
}
