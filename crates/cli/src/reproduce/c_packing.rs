//! [C, section 5]: a packing of spheres.

use super::c_solvers::{Local, PAPER, Scheme, cases, choices, table, timing};
use super::experiment::{Experiment, Job};
use super::motion::{apart, distances};
use super::page::{Cell, Page};
use super::scene_picture::last_frame;
use super::simulate::{Ran, ledger};
use crate::bench::chart::{Axis, Curve, Figure, Mark, Panel, Style};
use crate::bench::figures::Picture;
use anyhow::Result;

/// The experiment.
pub struct Packing;

impl Experiment for Packing {
    fn name(&self) -> &'static str {
        "C.packing"
    }

    fn what(&self) -> &'static str {
        "spheres fall and pack: dedicated, Newton, Lemke and QP local solvers in time and motion"
    }

    fn may_end(&self) -> bool {
        true
    }

    fn run(&self, job: &Job) -> Result<Option<Page>> {
        let (spheres, width) = job.pick((30, 6), (200, 9));
        let end = job.end(0.1, 0.4);
        let scheme = Scheme { h: 1e-3, end, every: end / 60.0 };
        let scene = |local: &Local| scene(&scheme.text(local), spheres, width);
        let Some(ran) = job.simulate(cases(scene))? else { return Ok(None) };
        Ok(Some(page(job, spheres, end, &ran)?))
    }
}

fn scene(scheme: &str, spheres: u32, width: u32) -> String {
    let half = 0.5 * f64::from(width);
    format!(
        "# [C, section 5]: {spheres} spheres fall into a box and pack\nname = \"sphere packing\"\ndimension = 3\n\n{scheme}\
         [[law]]\ncoulomb = {{ mu = 0.3 }}\n\n\
         [[body]]\nshape.inside_box.size = [\"{width} cm\", \"{width} cm\", \"2 m\"]\nat = [0, 0, \"1 m\"]\nfixed = true\n\n\
         [[deposit]]\ncount = {spheres}\nradius.uniform = {{ min = \"8 mm\", max = \"10 mm\" }}\n\
         from = [\"{:.1} cm\", \"{:.1} cm\", 0]\nto = [\"{half:.1} cm\", \"{half:.1} cm\"]\ngap = \"0.2 mm\"\nseed = 4\n",
        -half, -half
    )
}

fn page(job: &Job, spheres: u32, end: f64, ran: &[Ran]) -> Result<Page> {
    let height = |r: &Ran| {
        let last = r.last()?;
        Ok::<f64, anyhow::Error>(last.x.iter().skip(1).map(|x| x[2]).sum::<f64>() / (last.x.len() - 1).max(1) as f64)
    };
    let (first, mut off, mut far) = (height(&ran[0])?, 0f64, 0f64);
    for r in ran {
        off = off.max((height(r)? - first).abs());
        far = far.max(apart(&distances(r, &ran[0])?));
    }
    let spread = format!(
        "In motion: the mean heights at the end, {:.2} mm with the dedicated solver, differ by at most {:.2} mm; the farthest \
         single sphere by {:.1} mm, after collisions have magnified what tolerance and polygon leave.",
        1e3 * first,
        1e3 * off,
        1e3 * far
    );
    Ok(Page {
        title: format!("C.packing: {spheres} spheres pack"),
        reference: PAPER,
        intro: format!(
            "{spheres} spheres fall into a box, collide and come to rest within {end} s: from few contacts to many, from \
             motion to statics, with Gauss-Seidel and four solvers of one contact."
        ),
        table: table(ran, &["mean height at the end (m)"], |k| Ok(vec![Cell::Number(height(&ran[k])?)]))?,
        findings: vec![timing(ran)?, spread],
        pictures: vec![contacts(ran)?],
        scenes: last_frame(&ran[0], false)?,
        choices: choices(
            "200 spheres of 8 mm to 10 mm, mu = 0.3, in a box 9 cm wide; the paper gives neither number nor law",
        ),
        quick: job.quick.then(|| format!("{spheres} spheres and {end} s instead of 200 and 0.4 s")),
    })
}

/// The number of contacts in time.
fn contacts(ran: &[Ran]) -> Result<Picture> {
    let (mut curves, mut legend) = (Vec::new(), Vec::new());
    for (k, r) in ran.iter().enumerate() {
        let points = ledger(&r.files.ledger, ["t", "touching"])?.iter().map(|[t, c]| (*t, *c)).collect();
        curves.push(Curve { style: Style::ours(k), points, mark: Mark::Line });
        legend.push((r.figures.case.clone(), Style::ours(k)));
    }
    let all =
        |f: fn(&(f64, f64)) -> f64| curves.iter().flat_map(|c: &Curve| c.points.iter().map(f)).collect::<Vec<_>>();
    let panel = Panel {
        title: String::new(),
        x: Axis::even("time, s", all(|p| p.0).into_iter()),
        y: Axis::even("contacts with an impulse", all(|p| p.1).into_iter()),
        curves,
    };
    Ok(Picture {
        name: "contacts".into(),
        heading: "From motion to rest".into(),
        caption: "Contacts that carry an impulse, in time.".into(),
        svg: Figure { panels: vec![panel], legend }.svg(),
    })
}
