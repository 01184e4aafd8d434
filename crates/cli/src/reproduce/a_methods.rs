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
pub fn scheme(solver: &str, (h, steps): (f64, u64), frames: u64, tolerance: f64) -> String {
    let every = h * (steps / frames.max(1)).max(1) as f64;
    format!(
        "[time]\nh = {h:e}\nend = {:e}\ntheta = 0.5\nactivation = {{ predicted = {{ gamma = 0.5 }} }}\n\
         stabilisation = \"none\"\n\n[solver]\nname = '{solver}'\ntolerance = {tolerance:e}\nmeasure = \"eps_glob\"\n\
         max_iterations = 100000\nwarm_start = false\n\n[output]\nevery = {every:e}\n\n",
        h * steps as f64
    )
}

/// The cases of the five methods on a scene.
pub fn cases(rho: &Rho, repeat: usize, stop_test: &str, scene: impl Fn(&str) -> String) -> Vec<Case> {
    METHODS.iter().map(|m| Case { label: (*m).into(), scene: scene(&solver(m, rho, stop_test)), repeat }).collect()
}

/// PDAS once more, a hundred times as exact: what the tolerance alone does to the motion.
pub const CONTROL: &str = "PDAS-1e-9";

/// The cases of the five methods and the control on a scene, from solver and tolerance.
pub fn cases_and_control(rho: &Rho, scene: impl Fn(&str, f64) -> String) -> Vec<Case> {
    let mut all = cases(rho, 1, "", |solver| scene(solver, 1e-7));
    all.push(Case { label: CONTROL.into(), scene: scene(&solver("PDAS", rho, ""), 1e-9), repeat: 1 });
    all
}

/// CPU nanoseconds that a visit of one contact takes.
fn visit(r: &Ran) -> Result<f64> {
    let visits: f64 = ledger(&r.files.ledger, ["contacts", "iterations"])?.iter().map(|[c, i]| c * i).sum();
    Ok(1e9 * r.figures.contact_seconds / visits.max(1.0))
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
        "ns a visit",
        "uncertified steps",
        "farthest from PDAS at the end (m)",
    ];
    let Some(pdas) = ran.get(4) else { return Ok(Table::default()) };
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
            Cell::Number(visit(r)?),
            Cell::Count(f.uncertified),
            Cell::Number(apart(&distances(r, pdas)?)),
        ]);
    }
    Ok(Table { head, rows })
}

/// Sweeps in time, and how far the methods come apart.
pub fn pictures(ran: &[Ran]) -> Result<Vec<Picture>> {
    let Some(pdas) = ran.get(4) else { return Ok(Vec::new()) };
    let (mut sweeps, mut apart) = (Vec::new(), Vec::new());
    for (k, r) in ran.iter().enumerate() {
        let course = ledger(&r.files.ledger, ["t", "iterations"])?;
        let piece = course.len().div_ceil(200).max(1);
        // means over pieces of time: single steps of a fall jump by a factor of ten
        let mean = |c: &[[f64; 2]]| (c[c.len() - 1][0], c.iter().map(|x| x[1]).sum::<f64>() / c.len() as f64);
        sweeps.push(curve(k, course.chunks(piece).map(mean).collect()));
        if k != 4 {
            apart.push(curve(k, distances(r, pdas)?));
        }
    }
    let legend: Vec<(String, Style)> =
        ran.iter().enumerate().map(|(k, r)| (r.figures.case.clone(), Style::ours(k))).collect();
    let time = |curves: &[Curve]| Axis::even("time, s", curves.iter().flat_map(|c| c.points.iter().map(|p| p.0)));
    let up =
        |label: &str, curves: &[Curve]| Axis::spanning(label, curves.iter().flat_map(|c| c.points.iter().map(|p| p.1)));
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
            caption: "Gauss-Seidel sweeps a step until eps_glob is below 1e-7, in means over 200 pieces of time."
                .into(),
            svg: figure(panel("sweeps a step", sweeps)),
        },
        Picture {
            name: "apart".into(),
            heading: "One motion".into(),
            caption:
                "The largest distance of a centre from where it is with PDAS. All methods solve the same problem to \
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

/// What holds of order, ratios and motion; `radius` is the smallest (m).
pub fn findings(job: &Job, paper: &Seconds, ran: &[Ran], radius: f64) -> Result<Vec<String>> {
    let Some(pdas) = ran.get(4) else { return Ok(Vec::new()) };
    let contact: Vec<f64> = ran.iter().map(|r| r.figures.contact_seconds).collect();
    let ratio = |k: usize| (contact[k] / contact[4], paper[k].1 / paper[4].1);
    let told: Vec<String> = (0..4).map(|k| format!("{} {:.2} ({:.2})", METHODS[k], ratio(k).0, ratio(k).1)).collect();
    let standard = contact[0].min(contact[1]);
    let order = match (contact[..4].iter().all(|t| *t >= contact[4]), standard > contact[2].max(contact[3])) {
        (true, true) => "The order is the paper's: standard, enhanced, PDAS",
        (true, false) => "PDAS is the fastest, as in the paper; SBP and SAL are not the slowest here",
        _ => "The order is not the paper's",
    };
    let mut out =
        vec![format!("{order}. Contact time over that of PDAS, in brackets the paper's: {}.", told.join(", "))];
    let mut visits = Vec::new();
    for r in &ran[..5] {
        visits.push(format!("{} {:.1} x {:.0} ns", r.figures.case, r.iterations(), visit(r)?));
    }
    out.push(format!(
        "Time is sweeps a step times the cost of a visit: {}. Without friction EBP, EAL and PDAS all solve one contact exactly \
         in a visit, so they make the same sweeps and differ by the cost of a Newton step against that of a comparison. SBP \
         and SAL make {:.2} and {:.2} times as many, with the cheapest visits: the price of their rho, which the paper does \
         not give. With rho = 1 / W_NN both are PDAS.",
        visits.join(", "),
        ran[0].iterations() / pdas.iterations().max(1e-9),
        ran[1].iterations() / pdas.iterations().max(1e-9),
    ));
    out.push(motion(ran, radius)?);
    let uncertified: u64 = ran.iter().map(|r| r.figures.uncertified).sum();
    if uncertified > 0 {
        out.push(format!("{uncertified} steps of all methods together did not reach the tolerance."));
    }
    let (ours, total): (f64, f64) = (ran[..5].iter().map(|r| r.figures.seconds).sum(), paper.iter().map(|p| p.0).sum());
    if !job.quick {
        out.push(format!("{ours:.1} CPU seconds in all, on one core, against {total:.0} in the paper's table."));
    }
    Ok(out)
}

/// Whether the methods end in one motion, and if single balls do not, since when and why.
fn motion(ran: &[Ran], radius: f64) -> Result<String> {
    let pdas = &ran[4];
    let (mut far, mut since): (f64, f64) = (0.0, f64::INFINITY);
    for r in &ran[..4] {
        let course = distances(r, pdas)?;
        far = far.max(apart(&course));
        since = since.min(course.iter().find(|d| d.1 > 0.01 * radius).map_or(f64::INFINITY, |d| d.0));
    }
    let control = match ran.get(5) {
        Some(r) => format!("; PDAS solved to 1e-9 ends {:.1e} m from PDAS at 1e-7", apart(&distances(r, pdas)?)),
        None => String::new(),
    };
    let height = |r: &Ran| {
        let last = r.last()?;
        Ok::<f64, anyhow::Error>(last.x.iter().map(|x| x[1]).sum::<f64>() / last.x.len().max(1) as f64)
    };
    let mean = height(pdas)?;
    let mut off: f64 = 0.0;
    for r in &ran[..4] {
        off = off.max((height(r)? - mean).abs());
    }
    let start =
        format!("At the end the farthest ball is {far:.1e} m from where it is with PDAS ({:.1e} radii)", far / radius);
    Ok(if since.is_infinite() {
        format!("All five end in the same motion. {start}{control}.")
    } else {
        format!(
            "The methods share one motion to a hundredth of a radius until t = {since:.4} s; then collisions magnify what a \
             tolerance of 1e-7 leaves. {start}{control}. Their mean height, a figure of all balls, agrees to {off:.1e} m."
        )
    })
}
