//! [A, figure 4]: how Gauss-Seidel converges in one step.

use super::a_methods::{PAPER, Rho, scheme, solver};
use super::a_table3::{FULL, H, QUICK, Size, heap, scene};
use super::experiment::{Experiment, Job};
use super::page::{Cell, Choice, Page, Table};
use crate::bench::chart::{Axis, Curve, Figure, Mark, Panel, Style};
use crate::bench::figures::Picture;
use crate::history::{History, Point};
use crate::run_bar::{RunBar, Watcher};
use crate::{interrupt, options};
use anyhow::{Context, Result, bail};
use stickslip::contact::certificate::Measure;
use stickslip::contact::operator::MatrixFree;
use stickslip::contact::problem::LocalProblem;
use stickslip::contact::solvers::{Flow, Stop, Unknowns};
use stickslip::dynamics::dump::Dump;
use stickslip::io::run::Simulation;
use stickslip::io::scene::Scene;

/// The step of the paper's figure.
const STEP: u64 = 1000;
/// Parts of 1 / W_NN that SBP is tried with.
const RHOS: [f64; 6] = [0.1, 0.2, 0.4, 0.66, 1.0, 1.5];

/// The experiment.
pub struct Fig4;

impl Experiment for Fig4 {
    fn name(&self) -> &'static str {
        "A.fig4"
    }

    fn what(&self) -> &'static str {
        "convergence of Gauss-Seidel with SBP, EAL and PDAS at the 1,000th step of A.table3"
    }

    fn run(&self, job: &Job) -> Result<Option<Page>> {
        let (step, size) = job.pick((100, QUICK), (STEP, FULL));
        let pdas = solver("PDAS", &Rho { sbp: 1.0, sal: 1.0 }, "");
        let text = scene(&scheme(&pdas, (H, step), 1, 1e-7), &size, &heap(&size)?);
        let Some(problem) = problem(job, &text, step)? else { return Ok(None) };
        Ok(Some(page(job, step, &size, &problem)?))
    }
}

/// The contact problem of a step; nothing when the user interrupted the way there.
fn problem(job: &Job, text: &str, step: u64) -> Result<Option<LocalProblem<2, MatrixFree<2>>>> {
    let mut simulation = Simulation::new(&Scene::from_text(text)?)?;
    let mut bar = RunBar::new(job.name, 0, step, Watcher::person(job.quiet));
    while simulation.steps() < step {
        bar.show(&simulation.step());
        if interrupt::asked() {
            return Ok(None);
        }
    }
    bar.finish();
    let Simulation::Plane(world) = &simulation else { bail!("the scene is in the plane") };
    let Some(Dump::Two(global)) = world.dump().map(|d| d.problem) else {
        bail!("no ball touches another at step {step}");
    };
    Ok(Some(LocalProblem::matrix_free(&global)?.context("the masses of rigid bodies are blocks")?))
}

/// The course of eps_glob, sweep by sweep from zero, and the impulses at its end.
fn course(p: &LocalProblem<2, MatrixFree<2>>, solver: &str, tolerance: f64) -> Result<(History, Unknowns<2>)> {
    let spec = options::solver(solver)?;
    let mut x = Unknowns::zeros(p);
    let stop = Stop { tolerance, measure: Measure::EpsGlob, max_iterations: 20_000, ..Stop::default() };
    let mut history = History::default();
    spec.build::<2, MatrixFree<2>>().solve(p, &mut x, &stop, &mut |progress| {
        history.push(progress);
        Flow::Continue
    });
    Ok((history, x))
}

/// Sweeps to the tolerance of the paper.
fn sweeps(h: &History, tolerance: f64) -> Option<usize> {
    h.points.iter().find(|p| p.error.is_some_and(|e| e <= tolerance)).map(|p| p.iteration)
}

fn difference(a: &[[f64; 2]], b: &[[f64; 2]]) -> Vec<[f64; 2]> {
    a.iter().zip(b).map(|(a, b)| [a[0] - b[0], a[1] - b[1]]).collect()
}

fn norm(a: &[[f64; 2]]) -> f64 {
    a.as_flattened().iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn page(job: &Job, step: u64, size: &Size, p: &LocalProblem<2, MatrixFree<2>>) -> Result<Page> {
    const EVERY: &str = ",stop_test={exact={every=1}}";
    let mut rows = Vec::new();
    let (mut curves, mut legend) = (Vec::new(), Vec::new());
    let mut answers = Vec::new();
    let mut add = |label: String, method: &str, rho: f64, draw: bool| -> Result<()> {
        let (h, x) = course(p, &solver(method, &Rho { sbp: rho, sal: rho }, EVERY), 1e-10)?;
        if draw {
            let style = Style::ours(legend.len());
            // evenly on a logarithmic axis: thousands of sweeps fall on one pixel
            let shown = |p: &&Point| p.iteration.is_multiple_of((p.iteration / 40).max(1));
            let points =
                h.points.iter().filter(shown).filter_map(|p| p.error.map(|e| (p.iteration as f64, e))).collect();
            curves.push(Curve { style: style.clone(), points, mark: Mark::Line });
            legend.push((label.clone(), style));
        }
        let count = |tol| sweeps(&h, tol).map_or(Cell::None, |n| Cell::Count(n as u64));
        rows.push(vec![Cell::from(label.as_str()), count(1e-4), count(1e-7), count(1e-10)]);
        answers.push(x.u);
        Ok(())
    };
    add("PDAS".into(), "PDAS", 1.0, true)?;
    add("EAL".into(), "EAL", 1.0, true)?;
    for rho in RHOS {
        add(format!("SBP, rho W_NN = {rho}"), "SBP", rho, [0.1, 0.2, 0.4, 0.66].contains(&rho))?;
    }
    // velocities of contacts at rest are nothing: what they would be without impulses is their measure
    let apart = |u: &[[f64; 2]]| norm(&difference(u, &answers[0])) / norm(&p.q).max(f64::MIN_POSITIVE);
    let far = answers.iter().map(|u| apart(u)).fold(0.0, f64::max);
    let all = |f: fn(&(f64, f64)) -> f64| curves.iter().flat_map(|c| c.points.iter().map(f)).collect::<Vec<_>>();
    let panel = Panel {
        title: String::new(),
        x: Axis::spanning("sweeps", all(|p| p.0).into_iter()),
        y: Axis::spanning("eps_glob", all(|p| p.1).into_iter()),
        curves,
    };
    let same = rows[0][1..] == rows[1][1..];
    let (Cell::Count(pdas), Cell::Count(sbp)) = (&rows[0][2], &rows[4][2]) else {
        bail!("PDAS or SBP did not come down to 1e-7 at step {step}");
    };
    let slow = format!(
        "SBP with rho W_NN = {} needs {:.1} times the sweeps of PDAS to come down to 1e-7. The paper shows it as very slow, and \
         EAL and PDAS as very close.",
        RHOS[2],
        *sbp as f64 / (*pdas).max(1) as f64
    );
    Ok(Page {
        title: format!("A.fig4: convergence of Gauss-Seidel at step {step}"),
        reference: PAPER,
        intro: format!(
            "The contact problem of step {step} of A.table3 ({} balls, {} contacts), solved from zero impulse with three \
             treatments of one contact; eps_glob after every sweep.",
            size.balls,
            p.contacts()
        ),
        table: Table { head: vec!["method", "sweeps to 1e-4", "sweeps to 1e-7", "sweeps to 1e-10"], rows },
        findings: findings(slow, same, far),
        pictures: vec![Picture {
            name: "convergence".into(),
            heading: format!("eps_glob after each sweep, step {step}"),
            caption: "Both axes logarithmic; the curve of EAL lies under that of PDAS.".into(),
            svg: Figure { panels: vec![panel], legend }.svg(),
        }],
        choices: vec![
            Choice {
                what: "which experiment",
                taken: "the inclined plane, with which the paper shows the figure".into(),
            },
            Choice { what: "rho of SBP", taken: "several, as parts of 1 / W_NN".into() },
        ],
        quick: job.quick.then(|| format!("{} balls, step {step}, instead of 500 balls, step {STEP}", size.balls)),
        ..Page::default()
    })
}

fn findings(slow: String, same: bool, far: f64) -> Vec<String> {
    vec![
        slow,
        format!(
            "PDAS and EAL {}: without friction both solve a contact exactly in one visit. The paper finds PDAS a little \
             faster, which this arithmetic has no room for.",
            if same { "need the same sweeps" } else { "differ by rounding only" }
        ),
        "The slowness of SBP is that of its rho, which the paper does not give: rho = 1 / W_NN makes it PDAS, and more \
         than that is over-relaxation and can be faster still."
            .into(),
        format!("All end in the same velocities: they differ by at most {far:.1e} of the free velocity."),
    ]
}
