//! [C, figure 3]: a masonry wall on a floor of which one part subsides.

use super::c_solvers::{Local, PAPER, Scheme, cases, choices, table, timing};
use super::experiment::{Experiment, Job};
use super::page::{Cell, Choice, Page};
use super::scene_picture::last_frame;
use super::simulate::Ran;
use crate::bench::chart::{Axis, Curve, Figure, Mark, Panel, Style};
use crate::bench::figures::Picture;
use anyhow::Result;
use stickslip::io::results::Reader;

/// A joint has opened when its bricks have moved by this part of a brick's height against each other.
const OPEN: f64 = 0.03;
/// Height of a brick (m).
const BRICK: f64 = 0.1;

/// The experiment.
pub struct Wall;

impl Experiment for Wall {
    fn name(&self) -> &'static str {
        "C.wall"
    }

    fn what(&self) -> &'static str {
        "a running-bond wall on a floor of which one part subsides: the pattern of cracks"
    }

    fn may_end(&self) -> bool {
        true
    }

    fn run(&self, job: &Job) -> Result<Option<Page>> {
        let (columns, courses) = job.pick((4, 3), (10, 8));
        let end = job.end(0.2, 1.0);
        let scheme = Scheme { h: job.pick(5e-3, 2e-3), end, every: end / 40.0, sweeps: job.pick(40, 150) };
        let scene = |local: &Local| scene(&scheme.text(local), columns, courses, end);
        let Some(ran) = job.simulate(cases(scene))? else { return Ok(None) };
        Ok(Some(page(job, columns * courses + courses / 2, end, &ran)?))
    }
}

/// Bricks of 25 cm x 12 cm x 10 cm; the right part of the floor sinks by 4 cm after a tenth of the time.
fn scene(scheme: &str, columns: u32, courses: u32, end: f64) -> String {
    let half = 0.5 * 0.25 * f64::from(columns);
    let (start, stop) = (0.1 * end, 0.9 * end);
    let floor = 1.2 * half;
    format!(
        "# [C, figure 3]: a wall on a floor of two parts, one of which goes down\nname = \"wall on a subsiding floor\"\n\
         dimension = 3\n\n{scheme}[material.default]\ndensity = \"1800 kg/m3\"\n\n[[law]]\ncoulomb = {{ mu = 0.6 }}\n\n\
         [[body]]\nname = \"left\"\nshape.box.size = [{floor:.4}, 0.5, 0.2]\nat = [{:.4}, 0, -0.1]\nfixed = true\n\n\
         [[body]]\nname = \"right\"\nshape.box.size = [{floor:.4}, 0.5, 0.2]\nat = [{:.4}, 0, -0.1]\n\
         drive = {{ velocity = [0, 0, {:.6}], start = {start:.4}, stop = {stop:.4} }}\n\n\
         [[wall]]\nbrick = [\"25 cm\", \"12 cm\", \"10 cm\"]\ncolumns = {columns}\ncourses = {courses}\n",
        -0.5 * floor,
        0.5 * floor,
        -0.04 / (stop - start)
    )
}

/// A joint between two bricks of the standing wall: where it is, and how far they have moved against each other.
struct Joint {
    at: (f64, f64),
    moved: f64,
}

/// All joints of the wall, from its first frame and its last.
fn joints(r: &Ran) -> Result<Vec<Joint>> {
    let reader = r.frames()?;
    let (first, last) = (reader.frame(0)?, reader.frame(reader.frames().saturating_sub(1))?);
    let half = |k: usize| half_width(&reader, k);
    let bricks: Vec<usize> = (0..first.x.len()).filter(|k| !reader.info().bodies[*k].fixed).collect();
    let mut out = Vec::new();
    for (n, &i) in bricks.iter().enumerate() {
        for &j in &bricks[n + 1..] {
            let (p, q) = (&first.x[i], &first.x[j]);
            let (dx, dy) = ((q[0] - p[0]).abs(), (q[2] - p[2]).abs());
            let (reach, near) = (half(i) + half(j), 1e-3 * BRICK);
            let beside = dy < near && dx < reach + near;
            let above = (dy - BRICK).abs() < near && dx < reach - near;
            if beside || above {
                let moved = (0..3).map(|k| ((last.x[j][k] - last.x[i][k]) - (q[k] - p[k])).powi(2)).sum::<f64>().sqrt();
                out.push(Joint { at: (0.5 * (p[0] + q[0]), 0.5 * (p[2] + q[2])), moved });
            }
        }
    }
    Ok(out)
}

fn half_width(reader: &Reader, body: usize) -> f64 {
    reader.info().shape(body)["half"][0].as_f64().unwrap_or(0.125)
}

/// Half of the open joints lie nearer to the cut than this (m).
fn median_place(joints: &[Joint]) -> f64 {
    let mut places: Vec<f64> = joints.iter().filter(|j| j.moved > OPEN * BRICK).map(|j| j.at.0.abs()).collect();
    places.sort_by(f64::total_cmp);
    places.get(places.len() / 2).copied().unwrap_or(0.0)
}

fn page(job: &Job, bricks: u32, end: f64, ran: &[Ran]) -> Result<Page> {
    let mut all = Vec::new();
    for r in ran {
        all.push(joints(r)?);
    }
    let open = |j: &[Joint]| j.iter().map(|j| j.moved > OPEN * BRICK).collect::<Vec<_>>();
    let reference = open(&all[0]);
    let same = |j: &[Joint]| open(j).iter().zip(&reference).filter(|(a, b)| a == b).count();
    let place = |r: &Ran| ran.iter().position(|o| std::ptr::eq(o, r)).unwrap_or(0);
    let columns = |r: &Ran| {
        let j = &all[place(r)];
        Ok(vec![
            Cell::Count(open(j).iter().filter(|o| **o).count() as u64),
            Cell::Number(same(j) as f64 / j.len().max(1) as f64),
        ])
    };
    let least = all.iter().map(|j| same(j)).min().unwrap_or(0);
    Ok(Page {
        title: format!("C.wall: a wall of {bricks} bricks on a subsiding floor"),
        reference: PAPER,
        intro: format!(
            "A wall in running bond stands on a floor of two parts; the right one goes down by 4 cm in {:.2} s. The paper \
             reproduces an experiment of Chateau-Gombert and sees blocks come loose in a certain region of the wall.",
            0.8 * end
        ),
        table: table(ran, &["open joints", "joints as with dedicated"], columns)?,
        findings: vec![
            format!(
                "Of {} joints {} have opened by more than {:.0} mm with the dedicated solver, half of them within {:.2} m of \
                 the cut in the floor; the other solvers agree with it on at least {least} joints.",
                reference.len(),
                reference.iter().filter(|o| **o).count(),
                1e3 * OPEN * BRICK,
                median_place(&all[0])
            ),
            timing(ran)?,
            "The paper's wall took 1200 s with Newton; its size is not told.".into(),
        ],
        pictures: vec![picture(ran, &all)],
        scenes: last_frame(&ran[1], false)?,
        choices: {
            let mut all =
                choices("bricks of 25 cm x 12 cm x 10 cm, 1800 kg/m3, mu = 0.6, dry joints, 10 columns and 8 courses");
            all.push(Choice { what: "subsidence", taken: "4 cm at constant speed; the other part stays".into() });
            all.push(Choice {
                what: "dimension",
                taken:
                    "space, as in the paper; in the plane the polygon is the disc, and the QP would be the dedicated \
                        solver under another name"
                        .into(),
            });
            all
        },
        quick: job.quick.then(|| format!("{bricks} bricks and {end} s instead of 84 and 1 s")),
    })
}

/// Where joints have opened, a panel a solver.
fn picture(ran: &[Ran], all: &[Vec<Joint>]) -> Picture {
    let (x, y): (Vec<f64>, Vec<f64>) = all[0].iter().map(|j| j.at).unzip();
    let panel = |(r, joints): (&Ran, &Vec<Joint>)| {
        let points = |open: bool| joints.iter().filter(|j| (j.moved > OPEN * BRICK) == open).map(|j| j.at).collect();
        Panel {
            title: r.figures.case.clone(),
            x: Axis::even("along the wall, m", x.iter().copied()),
            y: Axis::even("height, m", y.iter().copied()),
            curves: vec![
                Curve { style: Style::ours(2), points: points(true), mark: Mark::Spots },
                Curve { style: Style::ours(5), points: points(false), mark: Mark::Cloud },
            ],
        }
    };
    let legend = vec![("open".to_string(), Style::ours(2)), ("closed".to_string(), Style::ours(5))];
    Picture {
        name: "cracks".into(),
        heading: "The cracks".into(),
        caption: format!(
            "Joints of the wall as it stood: those whose bricks have moved by more than {:.0} mm against each other, and the \
             others. The floor is cut at 0.",
            1e3 * OPEN * BRICK
        ),
        svg: Figure { panels: ran.iter().zip(all).map(panel).collect(), legend }.svg(),
    }
}
