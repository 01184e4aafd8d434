//! [A, table 2]: balls sediment in a box.

use super::a_methods::{LARGE, PAPER, Seconds, cases_and_control, findings, pictures, scheme, seconds_table};
use super::experiment::{Experiment, Job};
use super::page::{Choice, Page};
use super::scene_picture::last_frame;
use super::simulate::Ran;
use anyhow::Result;

const TABLE: Seconds = [(265.43, 235.4), (259.89, 232.79), (143.68, 126.99), (148.49, 131.81), (135.19, 120.42)];

/// The experiment.
pub struct Table2;

impl Experiment for Table2 {
    fn name(&self) -> &'static str {
        "A.table2"
    }

    fn what(&self) -> &'static str {
        "sedimentation of 500 balls: times of the five methods, 1,000 steps, eps_glob = 1e-7"
    }

    fn run(&self, job: &Job) -> Result<Option<Page>> {
        let (balls, steps, width) = job.pick((60, 300, 6), (500, 1000, 60));
        let scene = |solver: &str, tol: f64| scene(&scheme(solver, (5e-5, steps), 50, tol), balls, width);
        let Some(ran) = job.simulate(cases_and_control(&LARGE, scene))? else { return Ok(None) };
        Ok(Some(page(job, balls, steps, &ran)?))
    }
}

/// A box of `width` millimetres, open above, and the balls over it.
fn scene(scheme: &str, balls: u32, width: u32) -> String {
    let half = 0.5 * f64::from(width);
    format!(
        "# [A, section 5.2]: {balls} balls fall into a box\nname = \"sedimentation\"\ndimension = 2\n\n{scheme}\
         [material.default]\ndensity = \"2500 kg/m3\"\n\n[[law]]\nfrictionless = {{}}\n\n\
         [[body]]\nshape = \"half_plane\"\nfixed = true\n\n\
         [[body]]\nshape = \"half_plane\"\nnormal = [1, 0]\nat = [\"{:.1} mm\", 0]\nfixed = true\n\n\
         [[body]]\nshape = \"half_plane\"\nnormal = [-1, 0]\nat = [\"{half:.1} mm\", 0]\nfixed = true\n\n\
         [[deposit]]\ncount = {balls}\nradius.uniform = {{ min = \"0.25 mm\", max = \"0.5 mm\" }}\n\
         from = [\"{:.1} mm\", 0]\nto = [\"{half:.1} mm\"]\ngap = \"0.01 mm\"\nseed = 1\n",
        -half, -half
    )
}

fn page(job: &Job, balls: u32, steps: u64, ran: &[Ran]) -> Result<Page> {
    Ok(Page {
        title: format!("A.table2: {balls} balls sediment in a box"),
        reference: PAPER,
        intro: format!(
            "{balls} balls of 0.25 mm to 0.5 mm fall into a box without friction: {steps} steps of 5e-5 s, each solved from \
             zero impulse to eps_glob = 1e-7 by nonsmooth Gauss-Seidel with five ways to treat one contact."
        ),
        table: seconds_table(&TABLE, ran)?,
        findings: findings(job, &TABLE, ran, 0.25e-3)?,
        pictures: pictures(ran)?,
        scenes: last_frame(&ran[4], false)?,
        choices: choices("a box 60 mm wide; balls in loose layers over its floor, which close up within the 0.05 s"),
        quick: job.quick.then(|| format!("{balls} balls and {steps} steps instead of 500 and 1000")),
    })
}

/// What tables 2 and 3 leave open.
pub fn choices(scene: &str) -> Vec<Choice> {
    let choice = |what, taken: &str| Choice { what, taken: taken.into() };
    vec![
        choice("scene", scene),
        choice("dimension", "the plane, for which the paper writes its matrices (eq. 34)"),
        choice(
            "rho of SBP, SAL",
            "0.66 and 0.67 of 1 / W_NN: sweeps of Gauss-Seidel grow like (2 - rho W_NN) / (rho W_NN), and these double them \
             as in the paper's table; the page of A.fig4 shows other values",
        ),
        choice("gamma of PDAS", "1 / W_NN"),
        choice("theta, e_n", "1/2 (its eq. 18) and 0: with restitution the balls would not have come to rest"),
        choice("density", "2500 kg/m3, glass"),
        choice(
            "when eps_glob is computed",
            "when the moves of a sweep suggest that it holds: computing it costs a sweep",
        ),
    ]
}
