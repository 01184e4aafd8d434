//! The five local methods of [A] on one scene, and what their tables share.

use super::experiment::Job;
use super::motion::{apart, distances};
use super::page::{Cell, Table};
use super::simulate::{Case, Ran, ledger};
use crate::bench::chart::{Axis, Curve, Figure, Mark, Panel, Style};
use crate::bench::figures::Picture;
use anyhow::Result;

/// The paper.
pub const PAPER: &str = "Barboteu & Dumont 2017, A primal-dual active set method for solving multi-rigid-body dynamic \
                         contact problems, section 5 [A]";

/// The methods in the order of the tables.
pub const METHODS: [&str; 5] = ["SBP", "SAL", "EBP", "EAL", "PDAS"];

/// Seconds of one of the paper's tables: total, contact forces.
pub type Seconds = [(f64, f64); 5];

/// The step rho of the standard methods as a part of 1 / W_NN, which the paper does not give.
pub struct Rho {
    /// Of the bipotential.
    pub sbp: f64,
    /// Of the augmented Lagrangian.
    pub sal: f64,
}

/// The rho of the large scenes: Gauss-Seidel with this much of a step needs (2 - rho) / rho = 2 times the sweeps.
pub const LARGE: Rho = Rho { sbp: 0.66, sal: 0.67 };

/// The solver of a method, as a scene names it.
pub fn solver(method: &str, rho: &Rho, stop_test: &str) -> String {
    let one = match method {
        "SBP" => format!("{{sbp={{relative={}}}}}", rho.sbp),
        "SAL" => format!("{{sal={{relative={}}}}}", rho.sal),
        other => format!("\"{}\"", other.to_lowercase()),
    };
    format!("nsgs{{one_contact={one}{stop_test}}}")
}

/// The scheme of [A], section 3: theta = 1/2, predicted gaps, impulses from zero, eps_glob.
pub fn scheme(solver: &str, h: f64, steps: u64, frames: u64) -> String {
    let every = h * (steps / frames.max(1)).max(1) as f64;
    format!(
        "[time]\nh = {h:e}\nend = {:e}\ntheta = 0.5\nactivation = {{ predicted = {{ gamma = 0.5 }} }}\n\
         stabilisation = \"none\"\n\n[solver]\nname = '{solver}'\ntolerance = 1e-7\nmeasure = \"eps_glob\"\n\
         max_iterations = 100000\nwarm_start = false\n\n[output]\nevery = {every:e}\n\n",
        h * steps as f64
    )
}

/// The cases of the five methods on a scene.
pub fn cases(rho: &Rho, repeat: usize, stop_test: &str, scene: impl Fn(&str) -> String) -> Vec<Case> {
    METHODS
        .iter()
        .map(|m| Case { label: (*m).into(), scene: scene(&solver(m, rho, stop_test)), repeat })
        .collect()
}

/// The table of seconds, ours beside the paper's, with the ratio to PDAS.
pub fn seconds_table(paper: &Seconds, ran: &[Ran]) -> Result<Table> {
    let head = vec![
        "method",
        "paper: CPU s",
        "paper: contact s",
        "paper: contact / PDAS",
        "CPU s",
        "contact s",
        "contact / PDAS",
        "sweeps a step",
        "uncertified steps",
        "farthest from PDAS at the end (m)",
    ];
    let Some(pdas) = ran.last() else { return Ok(Table::default()) };
    let mut rows = Vec::new();
    for ((method, (total, contact)), r) in METHODS.iter().zip(paper).zip(ran) {
        let f = &r.figures;
        rows.push(vec![
            Cell::from(*method),
            Cell::Number(*total),
            Cell::Number(*contact),
            Cell::Number(contact / paper[4].1),
            Cell::Number(f.seconds),
            Cell::Number(f.contact_seconds),
            Cell::Number(f.contact_seconds / pdas.figures.contact_seconds),
            Cell::Number(r.iterations()),
            Cell::Count(f.uncertified),
            Cell::Number(apart(&distances(r, pdas)?)),
        ]);
    }
    Ok(Table { head, rows })
}

/// Sweeps in time, and how far the methods come apart.
pub fn pictures(ran: &[Ran]) -> Result<Vec<Picture>> {
    let Some(pdas) = ran.last() else { return Ok(Vec::new()) };
    let (mut sweeps, mut apart) = (Vec::new(), Vec::new());
    for (k, r) in ran.iter().enumerate() {
        let course = ledger(&r.files.ledger, ["t", "iterations"])?;
        let piece = course.len().div_ceil(200).max(1);
        // means over pieces of time: single steps of a fall jump by a factor of ten
        let mean = |c: &[[f64; 2]]| (c[c.len() - 1][0], c.iter().map(|x| x[1]).sum::<f64>() / c.len() as f64);
        sweeps.push(curve(k, course.chunks(piece).map(mean).collect()));
        if k + 1 < ran.len() {
            apart.push(curve(k, distances(r, pdas)?));
        }
    }
    let legend: Vec<(String, Style)> =
        ran.iter().enumerate().map(|(k, r)| (r.figures.case.clone(), Style::ours(k))).collect();
    let time = |curves: &[Curve]| Axis::even("time, s", curves.iter().flat_map(|c| c.points.iter().map(|p| p.0)));
    let up = |label: &str, curves: &[Curve]| Axis::spanning(label, curves.iter().flat_map(|c| c.points.iter().map(|p| p.1)));
    let panel = |label: &str, curves: Vec<Curve>| Panel {
        title: String::new(),
        x: time(&curves),
        y: up(label, &curves),
        curves: curves.into_iter().map(positive).collect(),
    };
    let figure = |p: Panel| Figure { panels: vec![p], legend: legend.clone() }.svg();
    Ok(vec![
        Picture {
            name: "sweeps".into(),
            heading: "Sweeps".into(),
            caption: "Gauss-Seidel sweeps a step until eps_glob is below 1e-7, in means over 200 pieces of time.".into(),
            svg: figure(panel("sweeps a step", sweeps)),
        },
        Picture {
            name: "apart".into(),
            heading: "One motion".into(),
            caption: "The largest distance of a centre from where it is with PDAS. All methods solve the same problem to \
                      the same tolerance; what is left of each solve is carried on, and collisions make it grow."
                .into(),
            svg: figure(panel("farthest from PDAS, m", apart)),
        },
    ])
}

fn curve(k: usize, points: Vec<(f64, f64)>) -> Curve {
    Curve { style: Style::ours(k), points, mark: Mark::Line }
}

/// A logarithmic axis has no place for zero.
fn positive(c: Curve) -> Curve {
    Curve { points: c.points.into_iter().filter(|p| p.1 > 0.0).collect(), ..c }
}

/// What holds of order, ratios and motion.
pub fn findings(job: &Job, paper: &Seconds, ran: &[Ran], radius: f64) -> Result<Vec<String>> {
    let Some(pdas) = ran.last() else { return Ok(Vec::new()) };
    let contact: Vec<f64> = ran.iter().map(|r| r.figures.contact_seconds).collect();
    let (standard, enhanced) = ((contact[0] + contact[1]) / 2.0, (contact[2] + contact[3]) / 2.0);
    let theirs = ((paper[0].1 + paper[1].1) / 2.0, (paper[2].1 + paper[3].1) / 2.0);
    let order = if standard > enhanced && enhanced >= contact[4] { "The order is the paper's" } else { "The order differs from the paper's" };
    let mut out = vec![format!(
        "{order}: the standard methods take {:.2} times the contact time of PDAS (paper {:.2}), the enhanced ones {:.2} times \
         (paper {:.2}).",
        standard / contact[4],
        theirs.0 / paper[4].1,
        enhanced / contact[4],
        theirs.1 / paper[4].1
    )];
    out.push(format!(
        "Sweeps explain it: {} a step. Without friction EBP, EAL and PDAS all solve one contact exactly in a visit, so \
         they make the same sweeps; they differ by what a visit costs. SBP and SAL make {:.2} and {:.2} times as many: the \
         price of their rho, which the paper does not give. With rho = 1 / W_NN both are PDAS.",
        ran.iter().map(|r| format!("{} {:.1}", r.figures.case, r.iterations())).collect::<Vec<_>>().join(", "),
        ran[0].iterations() / pdas.iterations().max(1e-9),
        ran[1].iterations() / pdas.iterations().max(1e-9),
    ));
    let mut far: f64 = 0.0;
    for r in ran {
        far = far.max(apart(&distances(r, pdas)?));
    }
    out.push(format!(
        "All five end in the same motion: at the end no ball is farther than {far:.1e} m from where it is with PDAS, \
         {:.1e} of the smallest radius.",
        far / radius
    ));
    let uncertified: u64 = ran.iter().map(|r| r.figures.uncertified).sum();
    if uncertified > 0 {
        out.push(format!("{uncertified} steps of all methods together did not reach the tolerance."));
    }
    let (ours, total): (f64, f64) = (ran.iter().map(|r| r.figures.seconds).sum(), paper.iter().map(|p| p.0).sum());
    if !job.quick {
        out.push(format!("{ours:.1} CPU seconds in all, on one core, against {total:.0} in the paper's table."));
    }
    Ok(out)
}
