//! [C, figure 2]: the Brazil nut effect.

use super::c_solvers::{LOCALS, Local, PAPER, Scheme, choices, table, timing};
use super::experiment::{Experiment, Job};
use super::motion::distances;
use super::page::{Cell, Page};
use super::scene_picture::{frame_at, last_frame};
use super::simulate::{Case, Ran};
use crate::bench::chart::{Axis, Curve, Figure, Mark, Panel, Style};
use crate::bench::figures::Picture;
use anyhow::Result;

/// The slot of the large sphere: behind the four walls and the floor.
const NUT: usize = 5;

/// How far each local solver goes (s): the general ones cost some and the polygons some hundred times more a visit.
struct Ends {
    dedicated: f64,
    newton: f64,
    polygon: f64,
}

impl Ends {
    fn of(&self, local: &Local) -> f64 {
        match local.label {
            "dedicated" => self.dedicated,
            _ if local.polygon() => self.polygon,
            _ => self.newton,
        }
    }
}

/// The experiment.
pub struct BrazilNut;

impl Experiment for BrazilNut {
    fn name(&self) -> &'static str {
        "C.brazil_nut"
    }

    fn what(&self) -> &'static str {
        "800 spheres of radius 1 and one of radius 2 on a shaken floor, 40 s: the height of the large one"
    }

    fn may_end(&self) -> bool {
        true
    }

    fn run(&self, job: &Job) -> Result<Option<Page>> {
        let spheres = job.pick(40, 800);
        let end = job.end(0.6, 40.0);
        let ends = Ends { dedicated: end, newton: end.min(job.pick(0.6, 1.0)), polygon: end.min(job.pick(0.06, 0.1)) };
        let width = job.pick(8, 16);
        let cases = LOCALS
            .iter()
            .map(|l: &Local| {
                let scheme = Scheme { h: 2e-3, end: ends.of(l), every: job.pick(0.02, 0.05) };
                Case { label: l.label.into(), scene: scene(&scheme.text(l), spheres, width), repeat: 1 }
            })
            .collect();
        let Some(ran) = job.simulate(cases)? else { return Ok(None) };
        Ok(Some(page(job, spheres, &ends, &ran)?))
    }
}

/// Centimetres; the floor moves, the walls stand.
fn scene(scheme: &str, spheres: u32, width: u32) -> String {
    let half = 0.5 * f64::from(width);
    let wall = |n: [i32; 2]| {
        format!(
            "[[body]]\nshape = \"half_space\"\nnormal = [{}, {}, 0]\nat = [\"{:.1} cm\", \"{:.1} cm\", 0]\nfixed = true\n\n",
            n[0],
            n[1],
            -half * f64::from(n[0]),
            -half * f64::from(n[1])
        )
    };
    let walls: String = [[1, 0], [-1, 0], [0, 1], [0, -1]].map(wall).concat();
    format!(
        "# [C, figure 2]: a large sphere under {spheres} small ones on a shaken floor\nname = \"Brazil nut\"\n\
         dimension = 3\n\n{scheme}[[law]]\ncoulomb = {{ mu = 0.3, e_n = 0.2 }}\n\n{walls}\
         [[body]]\nname = \"floor\"\nshape = \"half_space\"\n\
         drive.sine = {{ direction = [0, 0, 1], amplitude = \"1 cm\", frequency = \"8 Hz\" }}\n\n\
         [[body]]\nname = \"nut\"\nshape.sphere.radius = \"2 cm\"\nat = [0, 0, \"2.01 cm\"]\n\n\
         [[deposit]]\ncount = {spheres}\nradius.uniform = {{ min = \"9.9 mm\", max = \"10 mm\" }}\n\
         from = [\"{:.1} cm\", \"{:.1} cm\", \"4.1 cm\"]\nto = [\"{half:.1} cm\", \"{half:.1} cm\"]\ngap = \"0.1 mm\"\nseed = 5\n",
        -half, -half
    )
}

/// Heights in time: of the nut, and the mean of the small ones.
fn heights(r: &Ran) -> Result<[Vec<(f64, f64)>; 2]> {
    let frames = r.frames()?;
    let (mut nut, mut mean) = (Vec::new(), Vec::new());
    for k in 0..frames.frames() {
        let f = frames.frame(k)?;
        let small = &f.x[NUT + 1..];
        nut.push((f.t, f.x[NUT][2]));
        mean.push((f.t, small.iter().map(|x| x[2]).sum::<f64>() / small.len().max(1) as f64));
    }
    Ok([nut, mean])
}

fn page(job: &Job, spheres: u32, ends: &Ends, ran: &[Ran]) -> Result<Page> {
    let end = ends.dedicated;
    let mut risen = String::new();
    for r in &ran[..2] {
        let [nut, mean] = heights(r)?;
        let (Some(first), Some(last), Some(bed)) = (nut.first(), nut.last(), mean.last()) else { continue };
        let above = if last.1 > bed.1 { "above" } else { "below" };
        risen += &format!(
            "{}: from {:.1} cm to {:.1} cm, {above} the mean height {:.1} cm of the small ones. ",
            r.figures.case,
            100.0 * first.1,
            100.0 * last.1,
            100.0 * bed.1
        );
    }
    let columns = |k: usize| {
        let [nut, _] = heights(&ran[k])?;
        Ok(vec![nut.last().map_or(Cell::None, |n| Cell::Number(n.1))])
    };
    let mut scenes = Vec::new();
    for part in job.pick(&[][..], &[0.25, 0.5, 0.75]).iter().copied() {
        scenes.extend(frame_at(&ran[0], part)?);
    }
    scenes.extend(last_frame(&ran[0], false)?);
    Ok(Page {
        title: format!("C.brazil_nut: a large sphere among {spheres} small ones"),
        reference: PAPER,
        intro: format!(
            "{spheres} spheres of radius 1 lie on one of radius 2; the floor moves up and down for {end} s between walls \
             that stand. The paper shows the large sphere at 10, 20, 30 and 40 s on its way up."
        ),
        table: table(ran, &["height of the large one at the end (m)"], columns)?,
        findings: vec![
            format!("The large sphere: {}", risen.trim_end()),
            timing(ran)?,
            parted(&distances(&ran[1], &ran[0])?),
            format!(
                "Newton was run for {} s, Lemke and QP for {} s, because of the cost of a visit.",
                ends.newton, ends.polygon
            ),
        ],
        pictures: vec![picture(ran)?],
        scenes,
        choices: {
            let mut all = choices(
                "lengths in cm; a box 16 cm wide; radii 0.99 to 1 cm, so that no crystal forms; mu = 0.3, e_n = 0.2",
            );
            all.push(super::page::Choice {
                what: "motion of the floor",
                taken: "1 cm sin(2 pi 8 Hz t), 2.6 g at most: the paper says \"periodic\"".into(),
            });
            all
        },
        quick: job.quick.then(|| format!("{spheres} spheres and {end} s instead of 800 and 40 s")),
    })
}

/// From when on Newton's spheres are elsewhere.
fn parted(distances: &[(f64, f64)]) -> String {
    match distances.iter().find(|d| d.1 > 0.01) {
        Some((t, _)) => format!(
            "Dedicated and Newton have single spheres a radius apart from t = {t:.2} s on: the motion is chaotic, and only \
             what the large sphere does can be compared."
        ),
        None => "Dedicated and Newton keep every sphere within a radius of the same place.".into(),
    }
}

fn picture(ran: &[Ran]) -> Result<Picture> {
    let (mut curves, mut legend) = (Vec::new(), Vec::new());
    for (k, r) in ran.iter().enumerate() {
        let [nut, mean] = heights(r)?;
        let cm = |c: Vec<(f64, f64)>| c.into_iter().map(|(t, z)| (t, 100.0 * z)).collect();
        if k == 0 {
            curves.push(Curve { style: Style::peer_best(), points: cm(mean), mark: Mark::Line });
            legend.push(("mean of the small ones".to_string(), Style::peer_best()));
        }
        curves.push(Curve { style: Style::ours(k + 1), points: cm(nut), mark: Mark::Line });
        legend.push((r.figures.case.clone(), Style::ours(k + 1)));
    }
    let all =
        |f: fn(&(f64, f64)) -> f64| curves.iter().flat_map(|c: &Curve| c.points.iter().map(f)).collect::<Vec<_>>();
    let panel = Panel {
        title: String::new(),
        x: Axis::even("time, s", all(|p| p.0).into_iter()),
        y: Axis::even("height, cm", all(|p| p.1).into_iter().chain([0.0])),
        curves,
    };
    Ok(Picture {
        name: "height".into(),
        heading: "The height of the large sphere".into(),
        caption: "Its centre in time, with each local solver; dashed: the mean height of the small spheres.".into(),
        svg: Figure { panels: vec![panel], legend }.svg(),
    })
}
